"""Models solved from counts: every fold of every one of them from one count pass.

Behind `TextCounts` or `ChooseWords` each fold has a vocabulary of its own. Texts are cut into words once for all models
that cut them by the same rule, and folds choose from the counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from scipy.sparse import csr_array

from assay.engines.local import memory_limit
from assay.models.base import Pipeline, clone, parts_of
from assay.models.features.choose_words import ChooseWords
from assay.models.features.text import TextCounts
from assay.models.features.words import count_table
from assay.models.sharing import Labels, Tested
from assay.models.sharing.counts import (
    counted_bytes,
    counted_scores,
    read_rows,
    tested_scores,
    training_weights,
)
from assay.models.sharing.words import NoWordsError, WordChain, word_bytes, word_chain_of, word_fold_scores
from assay.models.sparse import is_sparse
from assay.numerics.blas import single_threaded
from assay.plans import Partition
from assay.selection.strategies.statistics import join
from assay.sharing.overrides import overrides
from assay.sharing.refit import take_rows

__all__ = ["Labels", "counted_once", "counts_scores", "shares_counts"]

Plans = list[list[Partition]]
Found = dict[str, list[Tested] | str]


def shares_counts(model: Any) -> bool:
    """Whether folds of the model can be had from counts."""
    counted = hasattr(model, "_fold_scores") and overrides(model) is None
    return counted or word_chain_of(model) is not None


def counts_scores(models: dict[str, Any], X: Any, labels: Labels, plans: Plans, n_jobs: int | None) -> Found:
    """Tested scores of every model by name, under every plan, or why its counts are not shared.

    All plans, such as the sizes of a learning curve, are served by rows that are read once.
    """
    own = {name: clone(model) for name, model in models.items()}
    chains = {name: word_chain_of(model) for name, model in own.items()}
    for name, model in own.items():
        for part in [part for _, part in parts_of(model)] or [model]:
            part._check_params()
        if (chain := chains[name]) is not None and chain.step is None and not is_sparse(X):
            chains[name] = None
    plain = {name: own[name] for name, chain in chains.items() if chain is None}
    words = {name: chain for name, chain in chains.items() if chain is not None}
    with single_threaded():
        return {
            **_plain(plain, X, labels, plans, n_jobs),
            **_of_words(words, X, labels, plans, n_jobs),
        }


def counted_once(models: Sequence[Any], X: Any) -> tuple[list[Any], Any]:
    """Texts as a table of counts, and models that choose from it, where all models cut texts by one rule."""
    found = [chain for model in models if (chain := word_chain_of(model)) is not None]
    steps = [chain.step for chain in found if isinstance(chain.step, TextCounts)]
    if not steps or len(steps) < len(models) or len({step.token_rule() for step in steps}) > 1:
        return list(models), X
    counted = _counted(steps[0], X)
    return [_choosing(model, step) for model, step in zip(models, steps, strict=True)], counted


def _choosing(model: Any, step: TextCounts) -> Any:
    """The same pipeline over a table of counts."""
    (name, _), last = parts_of(model)
    kept = {param.name: getattr(step, param.name) for param in ChooseWords.params}
    return Pipeline([(name, ChooseWords(**kept)), last])


def _plain(models: dict[str, Any], X: Any, labels: Labels, plans: Plans, n_jobs: int | None) -> Found:
    """Models of levels, and of words in a dense table."""
    rows = read_rows(list(models.values()), X)
    largest = [partition for partitions in plans for partition in partitions]
    need = {
        name: counted_bytes(model, rows[model._counted_as()], len(labels.classes), largest)
        for name, model in models.items()
    }
    shared = {name: model for name, model in models.items() if need[name] <= memory_limit()}
    found: dict[str, list[Tested]] = {name: [] for name in shared}
    for partitions in plans:
        tested = counted_scores(list(shared.values()), rows, labels, partitions, n_jobs)
        for name, parts in zip(shared, tested, strict=True):
            found[name].append(join(parts, partitions))
    return {name: found[name] if name in found else _too_large(need[name]) for name in models}


def _of_words(
    chains: dict[str, WordChain], X: Any, labels: Labels, plans: Plans, n_jobs: int | None
) -> Found:
    """Models of words in compressed rows, those of one table of counts together."""
    found: Found = {}
    for names, counted in _tables(chains, X):
        own = [chains[name] for name in names]
        need = word_bytes(own, counted, len(labels.classes))
        if need > memory_limit():
            found.update(dict.fromkeys(names, _too_large(need)))
            continue
        tested = [_of_plan(own, counted, X, labels, partitions, n_jobs) for partitions in plans]
        found.update({name: [each[place] for each in tested] for place, name in enumerate(names)})
    return found


def _of_plan(
    chains: list[WordChain],
    counted: csr_array,
    X: Any,
    labels: Labels,
    partitions: list[Partition],
    n_jobs: int | None,
) -> list[Tested]:
    """Every chain under one plan."""
    parts: list[list[Tested]] = [[] for _ in chains]
    first = 0
    for partition in partitions:
        weight = training_weights(labels, partition)
        try:
            scores = word_fold_scores(chains, counted, labels, partition, n_jobs)
        except NoWordsError as error:
            raise _as_fitted(error, X, partition, first) from None
        for chain, values, results in zip(chains, scores, parts, strict=True):
            results.append(tested_scores(chain.model, values, weight, labels, partition, n_jobs))
        first += partition.n_folds
    return [join(each, partitions) for each in parts]


def _tables(chains: dict[str, WordChain], X: Any) -> Iterator[tuple[list[str], csr_array]]:
    """Names of chains that read one table of counts, and the table; one after the other to save memory."""
    keys: dict[Any, list[str]] = {}
    for name, chain in chains.items():
        keys.setdefault(_table_of(chain), []).append(name)
    for names in keys.values():
        first = chains[names[0]]
        if isinstance(first.step, TextCounts):
            yield names, _counted(first.step, X)
        elif first.step is None:
            yield names, first.model._checked(X)
        else:
            yield names, csr_array(first.step._read(X, reset=True))


def _table_of(chain: WordChain) -> Any:
    """Chains of equal answers read one table: texts cut by the same rule, or X under the same checks."""
    if isinstance(chain.step, TextCounts):
        return chain.step.token_rule()
    return chain.step is None, chain.step is None and chain.model.non_negative


def _counted(step: TextCounts, X: Any) -> csr_array:
    """Every word of all texts; where there is none, the sentence of a fit."""
    counted = count_table(X, step.token_rule())
    if counted.shape[1] == 0:
        clone(step).fit(X)
    return counted.astype("float64")


def _as_fitted(error: NoWordsError, X: Any, partition: Partition, first: int) -> ValueError:
    """What a fit of the step to the training part says, with the split named."""
    assert error.chain.step is not None
    try:
        clone(error.chain.step).fit(take_rows(X, partition.train_rows(error.fold)))
    except ValueError as said:
        return ValueError(f"In the training part of split {first + error.fold}: {said}")
    return error


def _too_large(need: int) -> str:
    return (
        f"The counts of all splits would take {need / 2**30:.1f} GiB, more than ASSAY_MEMORY allows: every split was "
        "fitted anew."
    )
