"""Scores of sharers side by side with those of refits, of blocks and of single settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cloudpickle
import numpy as np

from assay.engines.local import LocalEngine
from assay.models.base.validation import read_numbers
from assay.sharing.dataset import Block, Blocks, InMemory
from assay.sharing.dispatch import Dispatched, solve
from assay.sharing.reductions import AllScores, Scored
from assay.sharing.settings import Settings
from assay.sharing.splits import Splits
from assay.sharing.study import Study


def in_memory(X: Any, y: Any, weight: Any = None, groups: Any = None, n_jobs: int | None = None) -> InMemory:
    classes, codes = np.unique(y, return_inverse=True)
    return InMemory(
        X, codes.astype(np.int32), classes, weight, groups, LocalEngine(n_jobs, False), read_numbers
    )


class Unreadable(Blocks):
    """Blocks whose rows never come together."""

    def matrix(self) -> Any:
        raise AssertionError("all rows at once")


def in_blocks(X: Any, y: Any, weight: Any = None, groups: Any = None, size: int = 7) -> Blocks:
    """Three partitions of short blocks; whatever goes over them goes through cloudpickle."""
    classes, codes = np.unique(y, return_inverse=True)
    codes = codes.astype(np.int32)
    cuts = np.linspace(0, len(codes), 4).astype(int)

    def partition(first: int, last: int) -> Any:
        def blocks() -> Any:
            for at in range(first, last, size):
                some = slice(at, min(at + size, last))
                own = None if weight is None else weight[some]
                yield Block(at, X[some], codes[some], own)

        return blocks

    found = tuple(partition(a, b) for a, b in zip(cuts[:-1], cuts[1:], strict=True))
    width = X.shape[1] if X.ndim == 2 else 1
    data = Unreadable(found, codes, classes, weight, groups, LocalEngine(1, False), width)
    own = Blocks.reduce

    def reduce(map_block: Any, merge: Any, **options: Any) -> Any:
        work, join = cloudpickle.loads(cloudpickle.dumps((map_block, merge)))
        return own(data, lambda block: cloudpickle.loads(cloudpickle.dumps(work(block))), join, **options)

    object.__setattr__(data, "reduce", reduce)
    return data


def scored(
    models: Sequence[Any], data: Any, splits: Splits, sharers: Any = None, only: Any = None
) -> tuple[list[Scored | None], Dispatched]:
    study = Study(data, splits)
    found = solve(Settings.of(list(models)), study, sharers)
    return found.reduce(AllScores(splits, len(models), data.n_rows), only), found


def assert_same(found: Scored | None, wanted: Scored | None, tolerance: float = 1e-8) -> None:
    """Equal pairs, scores and decisions; decisions of rows whose two best scores are as good as equal may differ."""
    assert found is not None and wanted is not None
    rows = [np.arange(len(each.test)) if each.row is None else each.row for each in (found, wanted)]
    assert np.array_equal(*rows) and np.array_equal(found.test, wanted.test)
    assert found.posterior == wanted.posterior
    assert np.array_equal(np.isneginf(found.scores), np.isneginf(wanted.scores))
    there = ~np.isneginf(wanted.scores)
    size = np.where(there, np.abs(wanted.scores), 1.0).max(axis=1, keepdims=True).clip(1.0)
    with np.errstate(invalid="ignore"):
        worst = (np.abs(found.scores - wanted.scores) / size)[there].max(initial=0.0)
    assert worst < tolerance, worst
    best = np.sort(wanted.scores, axis=1)
    clear = best[:, -1] - best[:, -2] > 4 * tolerance * np.maximum(1.0, np.abs(best[:, -1]))
    assert np.array_equal(found.predicted[clear], wanted.predicted[clear])
    assert np.allclose(found.priors[wanted.test], wanted.priors[wanted.test], rtol=1e-9, atol=1e-12)
