"""Compiled epochs of networks against plain NumPy, threads, and arrays that do not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay import _core
from assay.numerics.blas import single_threaded
from assay.solvers.backprop import NetworkLayout, matrix_product
from assay.solvers.standard_rows import draw_in
from tests.core import network_twin as twin
from tests.core.network_epochs import RATES, ROWS, WIDTH, by_hand, problem, run
from tests.core.structs import network_epoch


@pytest.mark.parametrize("hidden", [(), (5,), (7, 4, 9)], ids=str)
@pytest.mark.parametrize("solver", RATES)
@pytest.mark.parametrize("surrogate", ["cross_entropy", "squared_error"])
@pytest.mark.parametrize("activation", twin.UNITS)
@pytest.mark.parametrize("weighted", [False, True])
def test_epochs_are_those_of_the_formulas(
    hidden: tuple[int, ...], solver: str, surrogate: str, activation: str, weighted: bool
) -> None:
    weight = np.random.default_rng(1).uniform(0.2, 2.0, ROWS) if weighted else None
    change = {"activation": activation, "surrogate": surrogate, "weight": weight}
    expected, found = (
        by_hand(problem(hidden, solver=solver, **change), 3),
        run(problem(hidden, solver=solver, **change)),
    )
    assert found[0] == pytest.approx(expected[0], rel=1e-10)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-8, atol=1e-10)
    single = run(problem(hidden, solver=solver, dtype=np.float32, **change))
    np.testing.assert_allclose(single[1], expected[1], atol=2e-4)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("rows", [450, 1700])  # batches in 4 pieces, and in 8
def test_threads_change_no_bit_and_pieces_make_one_gradient(dtype: Any, rows: int) -> None:
    rng = np.random.default_rng(0)
    layout = NetworkLayout((60, 64, 5))
    given = problem(
        (64,), dtype=dtype, x=rng.normal(size=(rows, 60)), columns=np.arange(60), center=np.zeros(60),
        unit=np.ones(60), codes=rng.integers(0, 5, rows).astype(np.int32), order=rng.permutation(rows),
        ends=np.array([0, rows]), widths=np.array(layout.widths), parameters=None, state=None, weight=np.ones(rows),
    )  # fmt: skip
    start = layout.drawn(rng, "tanh", np.float64)
    found = []
    for threads in (1, 2, 5):
        own = {"parameters": start.astype(dtype), "state": np.zeros((2, layout.size), dtype=dtype)}
        found.append(run({**given, **own, "threads": threads}, epochs=2))
    for other in found[1:]:
        assert other[0] == found[0][0] and (other[1] == found[0][1]).all()
    Z = given["x"]
    loss, g = twin.loss_and_gradient(
        Z, given["codes"], np.ones(rows), layout, "tanh", "cross_entropy", start.astype(dtype).astype(float)
    )
    plain = {"solver": "sgd", "rate": 1.0, "l2": 0.0, "state": np.zeros((0, layout.size), dtype=dtype)}
    lost, moved = run({**given, **plain, "parameters": start.astype(dtype)}, epochs=1)
    assert lost == pytest.approx(loss * rows, rel=1e-5)
    np.testing.assert_allclose(start.astype(dtype) - moved, g, atol=1e-12 if dtype is np.float64 else 1e-6)


@pytest.mark.parametrize("limit", [np.inf, 3.0])
@pytest.mark.parametrize("given", [np.float64, np.float32])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_tables_of_either_precision_and_any_distance_of_rows(given: Any, dtype: Any, limit: float) -> None:
    wide = np.full((2 * ROWS, WIDTH + 3), np.nan, dtype=given)
    wide[::2, 1 : 1 + WIDTH] = problem()["x"]
    table = wide[::2, 1 : 1 + WIDTH]
    table[::3, ::2] *= 9.0  # some lie far out
    Z = (table.astype(float)[:, problem()["columns"]] - problem()["center"]) * problem()["unit"]
    assert 10 < (np.abs(Z) > 2).sum() < 70
    draw_in(Z, limit)
    plain = {
        "x": np.ascontiguousarray(Z, dtype=dtype),
        "columns": np.arange(4),
        "center": np.zeros(4),
        "unit": np.ones(4),
        "limit": np.inf,
    }
    one, two = run(problem(dtype=dtype, x=table, limit=limit)), run(problem(dtype=dtype, **plain))
    assert one[0] == two[0] and (one[1] == two[1]).all()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("activation", twin.UNITS)
@pytest.mark.parametrize("rows", [0, 1, 700])
def test_scores(dtype: Any, activation: str, rows: int) -> None:
    rng = np.random.default_rng(2)
    layout = NetworkLayout((4, 9, 7, 3))
    Z, vector = (
        rng.normal(scale=5.0, size=(rows, 4)).astype(dtype),
        rng.normal(size=layout.size).astype(dtype),
    )
    expected = twin.values(Z.astype(float), layout, activation, vector.astype(float))[-1]
    for threads in (1, 3):
        out = np.empty((rows, 3), dtype=dtype)
        with single_threaded():
            _core.network.network_scores(layout.compiled(activation, dtype), Z, vector, threads, out)
        np.testing.assert_allclose(out, expected, rtol=1e-11 if dtype is np.float64 else 1e-3, atol=1e-4)


@pytest.mark.parametrize("activation", ["tanh", "sigmoid"])
def test_units_near_zero_far_away_and_not_finite(activation: str) -> None:
    layout = NetworkLayout((1, 1, 1))
    a = np.concatenate([np.logspace(-300, 2, 400), [0.0, 19.0, 20.0, 40.0, 1e308, np.inf]])
    a = np.concatenate([a, -a, [np.nan]])
    out = np.empty((len(a), 1))
    vector = np.array([1.0, 1.0, 0.0, 0.0])  # both weights 1, both biases 0
    layers = layout.compiled(activation, float)
    _core.network.network_scores(layers, a[:, None].copy(), vector, 1, out)
    expected = np.tanh(a) if activation == "tanh" else 0.5 * np.tanh(0.5 * a) + 0.5
    np.testing.assert_allclose(out[:, 0], expected, rtol=1e-15, atol=0.0 if activation == "tanh" else 3e-16)


def test_numbers_that_are_not_finite_reach_the_loss() -> None:
    for activation in twin.UNITS:
        given = problem(activation=activation)
        given["parameters"][3] = np.nan
        assert np.isnan(run(given, epochs=1)[0])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"gemm": matrix_product(np.float32)}, "another version of SciPy"),
        ({"x": np.zeros((WIDTH, ROWS)).T}, "side by side"),
        ({"columns": np.array([0, 1, 3, 6])}, "no such column"),
        ({"columns": np.array([0, 1, 3])}, "do not fit"),
        ({"center": np.zeros(6)}, "do not fit"),
        ({"unit": np.zeros(3)}, "do not fit"),
        ({"codes": np.full(ROWS, 3, dtype=np.int32)}, "name a class"),
        ({"codes": np.full(ROWS, -1, dtype=np.int32)}, "name a class"),
        ({"codes": np.zeros(37, dtype=np.int32)}, "do not fit"),
        ({"weight": np.ones(37)}, "do not fit"),
        ({"order": np.full(37, 40)}, "no such row"),
        ({"order": np.full(37, -1)}, "no such row"),
        ({"ends": np.array([0, 38])}, "beyond the rows"),
        ({"ends": np.array([-1, 37])}, "beyond the rows"),
        ({"ends": np.array([0, 20, 20, 37])}, "in order"),
        ({"ends": np.array([], dtype=np.int64)}, "beyond the rows"),
        ({"widths": np.array([4])}, "inputs and outputs"),
        ({"widths": np.array([4, 0, 3])}, "need units"),
        ({"widths": np.array([4, 2**31, 3])}, "need units"),
        ({"widths": np.array([4, 6, 3])}, "do not fit"),
        ({"activation": "step"}, "activation='step'"),
        ({"surrogate": "hinge"}, "surrogate='hinge'"),
        ({"parameters": np.zeros(7)}, "do not fit"),
        ({"state": np.zeros((1, 43))}, "do not fit"),
        ({"state": np.zeros((3, 43))}, "do not fit"),
    ],
)  # fmt: skip
def test_arrays_that_do_not_fit(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        network_epoch(**problem(**change))


def test_a_rule_that_is_not_known() -> None:
    with pytest.raises(ValueError, match="solver='newton'"):
        network_epoch(**{**problem(), "solver": "newton"})


def test_parameters_are_never_copied_in_silence() -> None:
    for change in ({"state": np.zeros((2, 43), dtype=np.float32)}, {"parameters": np.zeros(86)[::2]}):
        with pytest.raises(TypeError):
            network_epoch(**problem(**change))


def test_scores_refuse_what_does_not_fit() -> None:
    layers = NetworkLayout((4, 2, 3)).compiled("relu", float)
    good = (np.zeros((5, 4)), np.zeros(19), 1, np.zeros((5, 3)))
    _core.network.network_scores(layers, *good)
    for place, bad in ((0, np.zeros((5, 3))), (0, np.zeros(20)), (1, np.zeros(18)), (3, np.zeros((5, 2)))):
        with pytest.raises(ValueError, match="fit|column"):
            _core.network.network_scores(layers, *good[:place], bad, *good[place + 1 :])
