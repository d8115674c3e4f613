"""An epoch in stretches is the epoch over all rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay.solvers.perceptron import visit
from assay.solvers.row_stretches import RowStretches


@pytest.mark.parametrize("room", [1, 7, 59, 60, 100])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("seed", [None, 3])
def test_stretches_are_one_epoch(room: int, classes: int, seed: Any) -> None:
    """Small whole numbers, so that sums are exact in any order."""
    rng = np.random.default_rng(classes)
    Z = np.column_stack([rng.integers(-3, 4, (60, 5)), np.ones(60)]).astype(float)
    codes, weight = rng.integers(0, classes, 60), rng.integers(1, 4, 60).astype(float)
    rows = RowStretches(Z.shape, lambda which: Z[which], room)
    options: dict[str, Any] = {"epochs": 6, "seed": seed, "start": np.ones((1 if classes == 2 else 3, 6))}
    whole, parts = (visit(given, codes, weight, classes, **options) for given in (Z, rows))
    assert whole.mistakes == parts.mistakes > 20
    for one, two in zip(whole[:3], parts[:3], strict=True):
        np.testing.assert_array_equal(one, two)
    np.testing.assert_array_equal(rows @ Z[:2].T, Z @ Z[:2].T)


def test_rows_without_a_mistake_are_counted_over_stretches() -> None:
    """The longest run spans two stretches: its weights are those of the pocket's trial."""
    Z = np.ones((6, 1))
    codes = np.array([0, 0, 0, 0, 1, 0])
    whole, parts = (
        visit(given, codes, np.ones(6), 2, epochs=1)
        for given in (Z, RowStretches((6, 1), lambda which: Z[which], 2))
    )
    np.testing.assert_array_equal(whole.pocket, parts.pocket)
    assert parts.pocket[1, 0] < 0  # after the first row's mistake three rows in a row are right
