"""Steps of a single layer row by row, against the rule written out with the slopes of the batch solver."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay import _core
from assay.solvers.outputs import SLOPES


def written_out(Z: Any, targets: Any, rates: Any, decay: Any, kind: tuple[str, str], U: Any) -> None:
    for z, t, r in zip(Z, targets, rates, strict=True):
        a = (U @ z)[None]
        SLOPES[kind](a, t[None])
        if decay is not None:
            U *= decay
        U -= (r * a.T) * z


def steps(kind: tuple[str, str], units: int, low: float, decay: Any, whole: bool) -> tuple[Any, Any]:
    """Weights after fifty rows, by the compiled loop and as written out."""
    rng = np.random.default_rng(units)
    Z = rng.integers(-2, 3, (50, 13)).astype(float) if whole else rng.normal(size=(50, 13))
    rates = 0.5 ** rng.integers(0, 3, 50) if whole else rng.uniform(0.01, 0.3, 50)
    codes = rng.integers(0, max(2, units), 50).astype(np.int32)
    named = np.arange(units) if units > 1 else np.ones(1, dtype=int)
    targets = np.where(codes[:, None] == named, 1.0, low)
    U, V = np.zeros((units, 13)), np.zeros((units, 13))
    _core.network.single_layer_steps(Z, codes, rates, decay, kind[0], kind[1], low, U)
    written_out(Z, targets, rates, decay, kind, V)
    return U, V


@pytest.mark.parametrize(("output", "low"), [("step", 0.0), ("sign", -1.0)])
@pytest.mark.parametrize("units", [1, 4])
def test_the_same_bits_where_sums_are_exact(output: str, low: float, units: int) -> None:
    U, V = steps((output, "squared_error"), units, low, None, whole=True)
    assert np.abs(U).max() > 0.5 and np.array_equal(U, V)


@pytest.mark.parametrize("kind", SLOPES, ids="-".join)
@pytest.mark.parametrize("units", [1, 4])
@pytest.mark.parametrize("shrinks", [False, True])
def test_every_output_and_loss(kind: tuple[str, str], units: int, shrinks: bool) -> None:
    decay = np.append(np.full(12, 0.9), 1.0) if shrinks else None
    units = max(units, 2) if kind[0] == "softmax" else units
    U, V = steps(kind, units, -1.0 if kind[0] == "sign" else 0.0, decay, whole=False)
    assert np.abs(U).max() > 0.05
    assert U == pytest.approx(V, rel=1e-11, abs=1e-13)


def test_what_does_not_fit_together_is_refused() -> None:
    Z, codes, rates, U = np.zeros((3, 2)), np.zeros(3, dtype=np.int32), np.ones(3), np.zeros((1, 2))
    with pytest.raises(ValueError, match="do not fit together"):
        _core.network.single_layer_steps(Z, codes[:2], rates, None, "linear", "squared_error", 0.0, U)
    with pytest.raises(ValueError, match="output"):
        _core.network.single_layer_steps(Z, codes, rates, None, "cubic", "squared_error", 0.0, U)
    with pytest.raises(ValueError, match="surrogate"):
        _core.network.single_layer_steps(Z, codes, rates, None, "linear", "hinge", 0.0, U)
