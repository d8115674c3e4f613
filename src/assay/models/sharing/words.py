"""Every fold of models of words from one table of counts; each fold chooses its vocabulary from its training rows.

The counts of all rows are held once, (V, K). The rows of a fold leave them while it is tested, and come back: whole
numbers do that without a trace. Fractions are counted again from the training rows, as a fit would. Which words stay
follows from how many training rows hold each, so texts are cut into words once, whatever the folds and the settings.
Memory is a table (V, K) for every kind of counts (words, presence), and what one fold needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from assay import _core
from assay.engines.local import thread_count
from assay.models.base import parts_of
from assay.models.features.choose_words import ChooseWords
from assay.models.features.text import TextCounts
from assay.models.features.words import WordFilter, choose_words
from assay.models.naive_bayes.word_part import LEAST, WordPart
from assay.models.naive_bayes.words import WordClassifier
from assay.models.sharing.counts import Labels
from assay.models.ties import settle_ties
from assay.plans import UNUSED, Partition
from assay.sharing.overrides import overrides
from assay.sharing.value_key import value_key
from assay.statistics import Counts
from assay.statistics.weights import is_importance

Array = NDArray[np.float64]
Mask = NDArray[np.uint8]
WHOLE = 2.0**53


@dataclass(frozen=True)
class WordChain:
    """A model of words and the step before it that chooses them; None: it takes all columns."""

    model: WordClassifier
    step: TextCounts | ChooseWords | None = None

    @property
    def kind(self) -> Any:
        """Chains of one kind count the same numbers."""
        return self.step is not None and self.step.binary, self.model._counted_as()

    @property
    def filters(self) -> WordFilter | None:
        return None if self.step is None else self.step.word_filter()

    def prepared(self, X: csr_array) -> csr_array:
        """Rows as the model counts them."""
        if self.step is not None and self.step.binary:
            X = csr_array(((X.data > 0).astype(np.float64), X.indices, X.indptr), shape=X.shape)
        return csr_array(self.model._prepared(X))


class NoWordsError(ValueError):
    """A training part whose filters leave no word; the fit of the step to its rows says which."""

    def __init__(self, fold: int, chain: WordChain, sentence: str) -> None:
        super().__init__(f"In the training part of split {fold}: {sentence}")
        self.fold, self.chain = fold, chain


def word_chain_of(estimator: Any) -> WordChain | None:
    """The chain that a model of words, or a pipeline of a step and one, is; None if it is something else."""
    parts = [part for _, part in parts_of(estimator)] or [estimator]
    if not isinstance(parts[-1], WordClassifier) or not parts[-1].sparse_ok:
        return None
    if overrides(estimator) is not None:
        return None
    if len(parts) == 1:
        return WordChain(parts[0]) if parts[0] is estimator else None
    if len(parts) == 2 and isinstance(parts[0], TextCounts | ChooseWords):
        return WordChain(parts[1], parts[0])
    return None


def word_bytes(chains: list[WordChain], X: csr_array, n_classes: int) -> int:
    """Memory of the tables of all kinds, of a fold's own, and of the rows."""
    kinds = len({chain.kind for chain in chains})
    return int(8 * X.shape[1] * n_classes * (kinds + 2) + 16 * X.nnz * (kinds + 1))


def word_fold_scores(
    chains: list[WordChain],
    X: csr_array,
    labels: Labels,
    partition: Partition,
    n_jobs: int | None = None,
) -> list[Array]:
    """Joint log likelihoods (N, K) of every row, under each chain fitted without the fold that the row is in.

    Parameters
    ----------
    chains : list of WordChain
        ``WordChain(MultinomialNB(), ChooseWords(2))``: any number of them share the counts. For a column of texts in a
        larger model give priors="uniform" and subtract nothing: a constant is common to the classes. The score of a
        class that the training rows lack is -inf.
    X : csr_array (N, V) of float64
        Counts of every word that any row holds, each once (canonical); at least 0.
    labels : Labels
    partition : Partition
        Rows of no fold are left 0.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> from assay import ChooseWords, MultinomialNB
    >>> from assay.models.sharing import Labels
    >>> from assay.plans import Partition
    >>> X = csr_array(np.array([[2.0, 0, 0], [0, 2, 0], [1, 0, 0], [0, 1, 1]]))
    >>> labels = Labels(np.array([0, 1, 0, 1], dtype=np.int32), np.array(["a", "b"]), None)
    >>> halves = Partition(np.array([0, 0, 1, 1]), 2)
    >>> scores, = word_fold_scores([WordChain(MultinomialNB(), ChooseWords())], X, labels, halves)
    >>> scores.argmax(axis=1).tolist()
    [0, 1, 0, 1]
    """
    threads = thread_count(n_jobs)
    documents = _Documents(X, partition)
    kinds: dict[Any, _Kind] = {}
    for chain in chains:
        if chain.kind not in kinds:
            kinds[chain.kind] = _Kind(chain.prepared(X), labels, documents.used)
    found = [np.zeros((X.shape[0], len(labels.classes))) for _ in chains]
    for f in range(partition.n_folds):
        fold = documents.fold(f)
        for kind, counted in kinds.items():
            with counted.training(fold) as train:
                for chain, out in zip(chains, found, strict=True):
                    if chain.kind == kind:
                        out[fold.tested] = _fold_scores(chain, counted, train, fold, threads)
    return found


@dataclass(frozen=True, eq=False)
class _Fold:
    """Rows of a fold, and of its training part how many hold each word."""

    number: int
    tested: NDArray[np.intp]
    leaving: NDArray[np.intp]  # those of them that other folds are trained on
    trained: NDArray[np.intp]
    held: NDArray[np.int64]  # (V,) tested rows that hold the word
    documents: NDArray[np.int64]  # (V,) training rows that do
    totals: Array  # (V,) how often it stands there
    vocabularies: dict[Any, Mask] = field(default_factory=dict)

    def vocabulary(self, chain: WordChain) -> Mask:
        """1 for the words that the chain keeps."""
        filters = chain.filters
        if filters is None:
            return np.ones(len(self.held), dtype=np.uint8)
        assert chain.step is not None
        key = value_key(filters), chain.step.binary and filters.max_words is not None
        if key not in self.vocabularies:
            self.vocabularies[key] = self._chosen(chain, filters)
        return self.vocabularies[key]

    def _chosen(self, chain: WordChain, filters: WordFilter) -> Mask:
        totals = self.documents if chain.step is not None and chain.step.binary else self.totals
        try:
            columns = choose_words(self.documents, totals, len(self.trained), filters).columns
        except ValueError as error:
            raise NoWordsError(self.number, chain, str(error)) from None
        if len(columns) == 0:
            raise NoWordsError(self.number, chain, "No word is left.")
        mask = np.zeros(len(self.held), dtype=np.uint8)
        mask[columns] = 1
        return mask


class _Documents:
    """How many rows hold each word, without weights: what vocabularies are chosen from."""

    def __init__(self, X: csr_array, partition: Partition) -> None:
        self.X, self.partition = X, partition
        self.used = np.flatnonzero(partition.trained != UNUSED)
        self.documents, self.totals = self._counted(self.used)
        self.whole = bool((np.floor(X.data) == X.data).all())

    def fold(self, f: int) -> _Fold:
        tested, trained = self.partition.test_rows(f), self.partition.train_rows(f)
        leaving = np.flatnonzero(self.partition.trained == f)
        held, totals = self._counted(tested)
        gone = held
        if len(leaving) < len(tested):
            gone, totals = self._counted(leaving)
        left = self.totals - totals if self.whole else self._counted(trained)[1]
        return _Fold(f, tested, leaving, trained, held, self.documents - gone, left)

    def _counted(self, rows: NDArray[np.intp]) -> tuple[NDArray[np.int64], Array]:
        part = self.X if len(rows) == self.X.shape[0] else self.X[rows]
        there = part.indices if part.data.all() else part.indices[part.data > 0]
        held = np.bincount(there, minlength=self.X.shape[1]).astype(np.int64, copy=False)
        return held, np.asarray(np.bincount(part.indices, part.data, self.X.shape[1]), dtype=np.float64)


class _Kind:
    """Counts (V, K) of all rows, of which those of a fold are left out while it is tested."""

    def __init__(self, rows: csr_array, labels: Labels, used: NDArray[np.intp]) -> None:
        self.rows, self.labels = rows, labels
        self.kernel = _core.WordRows(
            rows.indptr, rows.indices.astype(rows.indptr.dtype, copy=False), rows.data, rows.shape[1]
        )
        self.table = self._counted(used)

    @cached_property
    def whole(self) -> bool:
        """Whether all counts are whole numbers, exact in float64."""
        data, weight = self.rows.data, self.labels.weight
        whole = bool((np.floor(data) == data).all())
        if weight is not None:
            whole &= bool((np.floor(weight) == weight).all())
        return whole and float(self.table.sum()) < WHOLE

    @contextmanager
    def training(self, fold: _Fold) -> Iterator[Counts]:
        """Counts of a training part: weight and rows (K,), counts (V, K), valid inside only."""
        labels, size = self.labels, len(self.labels.classes)
        weight = None if labels.weight is None else labels.weight[fold.trained]
        codes = labels.codes[fold.trained]
        rows = np.bincount(codes if weight is None else codes[weight > 0], minlength=size)
        total = rows if weight is None else np.bincount(codes, weight, size)
        if not self.whole:
            counts = self._counted(fold.trained)
            yield Counts(total, rows, counts, is_importance(labels.weight)).in_rows()
            return
        self._add(fold.leaving, -1.0, self.table)
        try:
            yield Counts(total.astype(np.int64), rows, self.table)
        finally:
            self._add(fold.leaving, 1.0, self.table)

    def _counted(self, rows: NDArray[np.intp]) -> Array:
        table = np.zeros((self.rows.shape[1], len(self.labels.classes)))
        self._add(rows, 1.0, table)
        return table

    def _add(self, rows: NDArray[np.intp], factor: float, table: Array) -> None:
        self.kernel.add(
            rows.astype(np.int64, copy=False), self.labels.codes, self.labels.weight, factor, table
        )


def _fold_scores(chain: WordChain, counted: _Kind, train: Counts, fold: _Fold, threads: int) -> Array:
    """Scores of the fold's rows, (M, K)."""
    chosen = fold.vocabulary(chain)
    if counted.whole and chain.model.smoothing >= LEAST:
        words = np.flatnonzero((fold.held > 0) & (chosen > 0)).astype(np.int64, copy=False)
        narrow = chain.model._narrow(WordPart(train.counts, train.weight, chosen, words, threads))
        if narrow is not None:
            place = np.full(len(chosen), -1, dtype=np.int32)
            place[words] = np.arange(len(words), dtype=np.int32)
            out = np.empty((len(fold.tested), train.n_classes))
            tested = fold.tested.astype(np.int64, copy=False)
            counted.kernel.scores(tested, place, *narrow, threads, out)
            return settle_ties(out)
    columns = np.flatnonzero(chosen)
    numbers = np.ascontiguousarray(train.counts[columns].T)
    own = Counts(train.weight, train.rows, numbers.astype(np.int64) if counted.whole else numbers)
    return chain.model._form(own).scores(counted.rows[fold.tested][:, columns], threads)
