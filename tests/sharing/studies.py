"""Small studies of every scheme, in memory and in blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import cloudpickle
import numpy as np

from assay.engines.local import LocalEngine
from assay.models.base.validation import read_numbers
from assay.plans import Bootstrap, HoldOut, KFold, LeaveOneOut
from assay.sharing.dataset import Block, Blocks, InMemory
from assay.sharing.splits import Splits, given, pieces, resubstitution, splits_of, with_training
from assay.sharing.study import Study

Array = np.ndarray[Any, Any]


def table(rows: int = 84, classes: int = 3, columns: int = 4, seed: int = 0) -> tuple[Array, Array]:
    """Classes that overlap, columns of different scales and far from zero."""
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.arange(rows) % classes).astype(np.int32)
    X = rng.normal(size=(rows, columns)) * np.geomspace(0.5, 3.0, columns) + codes[:, None] * 0.8
    return X + np.linspace(-100.0, 5.0, columns), codes


def in_memory(
    X: Any, codes: Any, weight: Any = None, groups: Any = None, n_jobs: int | None = None
) -> InMemory:
    """Labelled rows as `evaluate` would hand them on."""
    classes = np.arange(int(np.max(codes)) + 1)
    return InMemory(
        X, np.asarray(codes, np.int32), classes, weight, groups, LocalEngine(n_jobs), read_numbers
    )


class Unreachable(Blocks):
    """Blocks whose rows never lie together."""

    def matrix(self) -> Any:
        raise AssertionError("all rows were asked for at once")


def in_blocks(X: Array, codes: Array, weight: Any = None, size: int = 7, partitions: int = 3) -> Blocks:
    """The same rows in partitions of small blocks that went through cloudpickle, never together in memory."""
    ends = np.linspace(0, len(codes), partitions + 1).astype(int)
    return Unreachable(
        tuple(_partition(X, codes, weight, a, b, size) for a, b in zip(ends, ends[1:], strict=False)),
        np.asarray(codes, np.int32),
        np.arange(int(codes.max()) + 1),
        weight,
        None,
        LocalEngine(),
        X.shape[1],
    )


def _partition(
    X: Array, codes: Array, weight: Any, first: int, last: int, size: int
) -> Callable[[], Iterator[Block]]:
    def blocks() -> Iterator[Block]:
        for start in range(first, last, size):
            some = slice(start, min(start + size, last))
            block = Block(
                start, X[some], codes[some].astype(np.int32), None if weight is None else weight[some]
            )
            yield cloudpickle.loads(cloudpickle.dumps(block))

    return blocks


def study(splits: Splits, X: Any, codes: Any, weight: Any = None) -> Study:
    return Study(in_memory(X, codes, weight), splits)


def _nested(plan: Any, codes: Array, depth: int = 2) -> Splits:
    """A plan with tests inside its training sets."""
    splits = splits_of(plan, codes, nested=True)
    for _ in range(depth - 1):
        assert splits.deeper is not None
        splits = splits.deeper()
    return splits


def _overlapping(rows: int, trained: int, tested: int) -> Splits:
    """Any training rows, some of them several times, and any tested ones."""
    rng = np.random.default_rng(5)
    return given([(rng.integers(0, rows, trained), rng.permutation(rows)[:tested]) for _ in range(3)], rows)


def schemes(codes: Array, trained: int, tested: int) -> dict[str, Splits]:
    """Splits of every kind, by name; those of given rows have so many training rows and tested rows."""
    rows = np.arange(len(codes))
    return {
        "k-fold": splits_of(KFold(4), codes),
        "repeated": splits_of(KFold(3, repeats=2), codes),
        "hold-out": splits_of(HoldOut(0.3), codes),
        "groups": splits_of(KFold(3), codes, rows // 4),
        "given": _overlapping(len(codes), trained, tested),
        "pairs": _nested(KFold(4), codes),
        "triples": _nested(KFold(4), codes, 3),
        "divided": _nested(HoldOut(0.3), codes),
        "pieces": pieces(KFold(3).partitions(codes)[0], rows.astype(np.int32) % 4, 3),
        "leave-one-out": splits_of(LeaveOneOut(), codes),
        "groups left out": splits_of(LeaveOneOut(), codes, rows // 6),
        "bootstrap": splits_of(Bootstrap(3), codes),
        "training rows": resubstitution(len(codes)),
        "with training": with_training(splits_of(KFold(3), codes)),
    }
