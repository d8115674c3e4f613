"""Compiled steps of EM, against the same steps by products of whole tables."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import _core
from assay.solvers import em as solver
from assay.solvers.component_shapes import SHAPES
from assay.solvers.em import Components, Mixture, WeightedRows, begin


def problem(seed: int, rows: int, width: int, classes: int) -> tuple[WeightedRows, np.random.Generator]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, width)) * rng.uniform(0.3, 1.5, width) + rng.integers(0, 3, (rows, 1))
    codes = None if classes == 1 else rng.integers(0, classes, rows).astype(np.int32)
    return WeightedRows(X, rng.uniform(0.1, 2.0, rows), codes, classes), rng


def agree(one: Mixture, two: Mixture) -> None:
    np.testing.assert_allclose(one.history, two.history, rtol=1e-9, atol=1e-8)
    for name in ("covariances", "whiteners", "log_determinants"):
        np.testing.assert_allclose(
            getattr(one.components.spread, name), getattr(two.components.spread, name), rtol=1e-5, atol=1e-7
        )
    np.testing.assert_allclose(one.components.means, two.components.means, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(one.components.shares, two.components.shares, rtol=1e-6, atol=1e-7)
    assert one.components.spread.floored.tolist() == two.components.spread.floored.tolist()
    assert one.converged == two.converged


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from(list(SHAPES)),
    st.integers(0, 10**6),
    st.integers(8, 60),
    st.integers(1, 9),
    st.integers(1, 3),
)
def test_equal_to_products_of_tables(shape: str, seed: int, count: int, width: int, classes: int) -> None:
    rows, rng = problem(seed, count, width, classes)
    start = begin(rows, rng.integers(0, int(rng.integers(2, 5)), count), shape, 0.2)
    agree(
        solver._climb_small(rows, start, shape, 0.2, 6, 1e-9),
        solver._climb(rows, start, shape, 0.2, 6, 1e-9, 1),
    )


@pytest.mark.parametrize("shape", SHAPES)
def test_they_end_where_nothing_is_gained(shape: str) -> None:
    rows, rng = problem(4, 80, 3, 1)
    start = begin(rows, rng.integers(0, 3, 80), shape, 1e-3)
    found = solver._climb_small(rows, start, shape, 1e-3, 100_000, 1e-7)
    assert found.converged and 3 < len(found.history) < 100_000
    assert (np.diff(found.history) >= 0).all() and found.history[-1] - found.history[-2] <= 1e-7
    assert not solver._climb_small(rows, start, shape, 1e-3, 2, 0.0).converged


@pytest.mark.parametrize("shape", ["full", "tied"])
@pytest.mark.parametrize("floor", [1e-6, 1e-3, 0.5])
@pytest.mark.parametrize("width", [3, 17, 70])
def test_covariances_on_their_floor(shape: str, floor: float, width: int) -> None:
    """Up to 64 columns compiled, beyond by the caller."""
    rows, rng = problem(5, 40, width, 1)
    turned = rows.values @ rng.normal(size=(width, width - 1))
    flat = WeightedRows(np.ascontiguousarray(turned @ np.eye(width - 1, width)), rows.weight)
    start = begin(flat, np.arange(40) % 2, shape, floor)
    _, values, end = solver._compiled(flat, start, shape, floor, 5, -1.0)
    assert (end == solver.COLLAPSING) == (width == 70) and (len(values) > 1) == (width < 70)
    ours = solver._climb_small(flat, start, shape, floor, 5, -1.0)
    theirs = solver._climb(flat, start, shape, floor, 5, -1.0, 1)
    assert ours.components.spread.floored.tolist() == theirs.components.spread.floored.tolist()
    assert ours.components.spread.floored.min() >= 1 and (np.diff(ours.history) >= 0).all()
    np.testing.assert_allclose(ours.history[-1], theirs.history[-1], rtol=1e-6)
    np.testing.assert_allclose(ours.components.means, theirs.components.means, atol=1e-6)


def test_a_blob_that_loses_its_rows_is_left_to_the_caller() -> None:
    rows, _ = problem(7, 40, 2, 1)
    start = begin(rows, np.arange(40) % 2, "diagonal", 0.01)
    away = Components(start.shares, np.array([start.means[0], [1e4, 1e4]]), start.spread)
    assert solver._compiled(rows, away, "diagonal", 0.01, 5, 0.0)[2] == solver.COLLAPSING


def test_arrays_that_do_not_fit_are_refused() -> None:
    rows, _ = problem(6, 20, 2, 2)
    start = begin(rows, np.arange(20) % 2, "diagonal", 0.01)

    def run(codes: np.ndarray | None, shape: int = 2, means: np.ndarray | None = None) -> None:
        s = start.spread
        _core.cluster.em_steps(
            rows.values, rows.weight, codes, shape, 0.01, 3, 0.0, 0.0, 0.0, start.shares.copy(),
            start.means.copy() if means is None else means, s.covariances.copy(), s.whiteners.copy(),
            s.log_determinants.copy(), s.floored.copy(),
        )  # fmt: skip

    run(rows.codes)
    with pytest.raises(ValueError, match="several classes need codes"):
        run(None)
    with pytest.raises(ValueError, match="codes must name a class"):
        run(np.full(20, 2, dtype=np.int32))
    with pytest.raises(ValueError, match="no such shape"):
        run(rows.codes, 4)
    with pytest.raises(ValueError, match="do not fit together"):
        run(rows.codes, 0)
    with pytest.raises(ValueError, match="do not fit together"):
        run(rows.codes, means=np.zeros((1, 2)))
