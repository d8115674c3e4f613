r"""Words: what each adds to the score of a document, and what those of a set share.

    multinomial   s_k(x) = ln P_k + Σ_j x_j ln (c_kj + a) - (Σ_j x_j) ln Σ_j (c_kj + a)
    Bernoulli     s_k(x) = ln P_k + Σ_j [ x_j ln p_kj + (1 - x_j) ln (1 - p_kj) ]

All are sums over the words of the set; the training counts of every fold come from one pass.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from assay.decision.priors import log_priors
from assay.engines.local import memory_limit
from assay.models.base import clone
from assay.models.naive_bayes.words import ByWord, WordClassifier
from assay.models.sharing.counts import Labels, training_counts, training_weights
from assay.models.sparse import is_sparse
from assay.numerics.blas import single_threaded
from assay.selection.features.summed import SummedJudge, Sums
from assay.selection.features.task import Array, Chosen, Task
from assay.statistics.solve_diagnostics import absences


def words_judge(task: Task) -> WordsJudge | None:
    """The judge of a model of words; None where words do not simply add up."""
    model = task.model
    if not isinstance(model, WordClassifier) or not (is_sparse(task.X) or isinstance(task.X, np.ndarray)):
        return None
    model._check_params()
    if not model.smoothing > 0 or _needs(task) > memory_limit():
        return None
    own = clone(model)
    reader = own.read_counts()
    rows, keys = reader.read(task.X)
    labels = Labels(task.codes, task.classes, task.weight)
    weight = np.concatenate([training_weights(labels, part) for part in task.partitions])
    with single_threaded():
        parts = [training_counts(reader, rows, keys, labels, partition) for partition in task.partitions]
        trained = [own._by_word(part[f]) for part in parts for f in range(len(part.weight))]
    known = [each for each in trained if each is not None]
    return WordsJudge(task, rows, weight, known) if len(known) == len(trained) else None


def _needs(task: Task) -> int:
    """Memory of what the words say in every training part."""
    splits = sum(part.n_folds for part in task.partitions)
    return 4 * 8 * splits * len(task.classes) * int(task.X.shape[1])


class WordsJudge(SummedJudge):
    """Multinomial, complement and Bernoulli naive Bayes."""

    def __init__(self, task: Task, rows: Any, weight: Array, trained: list[ByWord]) -> None:
        super().__init__(task, log_priors(task.model.priors, weight), absences(weight, task.classes))
        self._columns = csc_array(rows) if is_sparse(rows) else rows
        self._weight = np.stack([each.weight for each in trained])  # (F, K, V)
        self._constant = _stacked([each.constant for each in trained])
        share = _stacked([each.share for each in trained])
        self._share = None if share is None else self._by_unit(share)
        self._sign = trained[0].sign

    def _sums(self, unit: int) -> Sums:
        """Rows touched, margins by words (K - 1, M), and how many of them the rows hold (M,)."""
        words = self.task.units.columns[unit]
        values = [self._values(j) for j in words]
        margin = np.zeros(self._start.shape)
        for j, x in zip(words, values, strict=True):
            there = np.flatnonzero(x)
            margin[:, there] += x[there] * self._against(self._weight[:, :, j], there)
        if self._constant is not None:
            margin += self._against(self._constant[:, :, words].sum(axis=-1))
        count = np.sum(values, axis=0)
        touched = (margin != 0).any(axis=0) | (count != 0)
        return touched.astype(np.float64), margin, count

    def _margins(self, chosen: Chosen, sums: Sums) -> Array:
        if self._share is None:
            return sums[1]
        _, margin, count = sums
        share = self._share[:, :, chosen].sum(axis=-1)  # anew for every set: nothing is taken off a large sum
        return np.asarray(margin - self._sign * count * self._against(np.log(share)))

    def _by_unit(self, share: Array) -> Array:
        """Shares of each unit, (F, K, units), from those of words."""
        return np.stack([share[:, :, words].sum(axis=-1) for words in self.task.units.columns], axis=-1)

    def _against(self, values: Array, places: NDArray[np.intp] | slice = slice(None)) -> Array:
        """Values (splits, K) of the own class less those of each other, at some of the tested rows."""
        split, own = self.contests.pairs.split[places], self.contests.own[places]
        return np.asarray(values[split, own] - values[split, self.contests.rivals[:, places]])

    def _values(self, j: int) -> Array:
        """A word in the tested rows, (M,)."""
        rows = self.contests.pairs.rows
        if not isinstance(self._columns, csc_array):
            return np.asarray(self._columns[rows, j], dtype=np.float64)
        a, b = self._columns.indptr[j], self._columns.indptr[j + 1]
        out = np.zeros(self._columns.shape[0])
        out[self._columns.indices[a:b]] = self._columns.data[a:b]
        return out[rows]


def _stacked(parts: list[Array | None]) -> Array | None:
    """The parts of all splits, (F, K, V); None where the model has none."""
    known = [part for part in parts if part is not None]
    return np.stack(known) if known else None
