"""Losses of softmax outputs against plain NumPy, and networks of few and of many classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay import _core
from assay.solvers.backprop import NetworkLayout
from assay.solvers.outputs import SLOPES
from tests.core import network_epochs as whole

ROWS = 700  # judged in three blocks


def given(classes: int, weighted: bool, dtype: Any = np.float64) -> tuple[Any, ...]:
    rng = np.random.default_rng(classes)
    scores = rng.normal(scale=4.0, size=(ROWS, classes)).astype(dtype)
    scores[:9] = 1.0  # of equal scores the first is the highest
    codes = rng.integers(0, classes, 900).astype(np.int32)
    weight = rng.uniform(0.0, 2.0, 900) if weighted else None
    return scores, rng.permutation(900)[:ROWS], codes, weight


@pytest.mark.parametrize("classes", [2, 3, 11])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("surrogate", ["cross_entropy", "squared_error"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_rows_are_judged_by_the_formulas(classes: int, weighted: bool, surrogate: str, dtype: Any) -> None:
    scores, which, codes, weight = given(classes, weighted, dtype)
    w = np.ones(ROWS) if weight is None else weight[which]
    slopes = scores.astype(np.float64)
    losses = SLOPES["softmax", surrogate](slopes, np.eye(classes)[codes[which]])
    expected = w @ (scores.argmax(axis=1) != codes[which]), w @ losses, w.sum()
    assert _core.network.judged_scores(scores, which, codes, weight, surrogate) == pytest.approx(
        expected, rel=1e-12
    )
    np.testing.assert_allclose(
        scores, w[:, None] * slopes, rtol=1e-6 if dtype is np.float32 else 1e-10, atol=1e-12
    )


@pytest.mark.parametrize("classes", [2, 3])
def test_scores_that_are_not_finite_reach_the_loss(classes: int) -> None:
    for value in (np.nan, np.inf):
        scores, which, codes, weight = given(classes, False)
        scores[ROWS // 2, 1] = value
        assert np.isnan(_core.network.judged_scores(scores, which, codes, weight, "cross_entropy")[1])


def test_no_rows() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    assert _core.network.judged_scores(
        np.zeros((0, 2)), nothing, np.zeros(3, np.int32), None, "cross_entropy"
    ) == (
        0,
        0,
        0,
    )


@pytest.mark.parametrize(
    ("place", "bad", "sentence"),
    [
        (0, np.zeros((ROWS - 1, 3)), "scores"),
        (0, np.zeros(ROWS), "scores"),
        (1, np.full(ROWS, 900), "no such row"),
        (1, np.full(ROWS, -1), "no such row"),
        (2, np.full(900, 3, dtype=np.int32), "name a class"),
        (3, np.ones(899), "do not fit"),
    ],
)
def test_arrays_that_do_not_fit(place: int, bad: Any, sentence: str) -> None:
    arrays = list(given(3, True))
    arrays[place] = bad
    with pytest.raises(ValueError, match=sentence):
        _core.network.judged_scores(*arrays, "cross_entropy")
    with pytest.raises(ValueError, match="surrogate='hinge'"):
        _core.network.judged_scores(*given(3, True), "hinge")


@pytest.mark.parametrize("classes", [2, 7, 11])  # up to eight are not left to BLAS
@pytest.mark.parametrize("hidden", [(5,), (39, 6), (41,)], ids=str)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_epochs_of_few_and_of_many_classes(classes: int, hidden: tuple[int, ...], dtype: Any) -> None:
    rng = np.random.default_rng(3)
    layout = NetworkLayout((4, *hidden, classes))
    start = layout.drawn(rng, "tanh", np.float64)
    change = {
        "codes": rng.integers(0, classes, whole.ROWS).astype(np.int32),
        "widths": np.array(layout.widths),
        "parameters": start,
    }
    expected = whole.by_hand(whole.problem(**change), 3)
    own = {"parameters": start.astype(dtype), "state": np.zeros((2, layout.size), dtype=dtype)}
    lost, found = whole.run(whole.problem(dtype=dtype, **{**change, **own}))
    assert lost == pytest.approx(expected[0], rel=1e-10 if dtype is np.float64 else 1e-4)
    np.testing.assert_allclose(found, expected[1], rtol=1e-8, atol=1e-10 if dtype is np.float64 else 3e-4)
