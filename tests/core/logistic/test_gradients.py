"""Passes over standardised rows: sums of gradients of many models, and second derivatives of one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import log_softmax

from assay import _core

ROWS, FOLDS = 333, 3


def problem(classes: int, *, width: int = 5, weighted: bool = False, kept: bool = True) -> dict[str, Any]:
    """Rows in three folds, the last of them in two chunks; one class means two."""
    rng = np.random.default_rng(classes)
    order = rng.permutation(ROWS + 20)[:ROWS].astype(np.int64)
    return {
        "x": rng.normal(3.0, 2.0, (ROWS + 20, width)), "fill": None, "indicators": None, "order": order,
        "center": rng.normal(3.0, 0.1, width), "unit": rng.uniform(0.3, 0.7, width),
        "codes": rng.integers(0, max(2, classes), ROWS).astype(np.int32),
        "weight": rng.uniform(0.0, 2.0, ROWS) if weighted else None,
        "start": np.array([0, 100, 201, 330, ROWS]), "fold": np.array([0, 1, 2, 2], dtype=np.int32),
        "coarse": False, "keep": kept,
    }  # fmt: skip


def gradients(
    given: dict[str, Any], B: np.ndarray, first: Any, *, exact: bool = True, threads: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """Of the second pass: the first one reads rows as they lie."""
    rows = _core.logistic.FoldRows(**given)
    for _ in range(2):
        gradient, loss = np.full(B.shape, np.nan), np.full(len(B), np.nan)
        rows.gradients(B, np.array(first), exact, threads, gradient, loss)
    return gradient, loss


def grams(
    given: dict[str, Any], B: np.ndarray, wanted: Any, *, exact: bool = True, threads: int = 1
) -> np.ndarray:
    rows, classes, width = _core.logistic.FoldRows(**given), *B.shape
    for _ in range(2):
        out = np.zeros((FOLDS, max(1, classes * (classes - 1) // 2), width, width))
        rows.grams(B, np.array(wanted), exact, threads, out)
    return out


def standardised(given: dict[str, Any]) -> np.ndarray:
    Z = (given["x"][given["order"]] - given["center"]) * given["unit"]
    return np.hstack([Z, np.ones((len(Z), 1))])


def by_hand(Z: np.ndarray, codes: np.ndarray, weight: np.ndarray, B: np.ndarray) -> tuple[Any, float]:
    """Posteriors of all classes, and the weighted log loss."""
    scores = Z @ B.T if len(B) > 1 else np.column_stack([np.zeros(len(Z)), Z @ B[0]])
    logs = log_softmax(scores, axis=1)
    return np.exp(logs), -float(weight @ logs[np.arange(len(Z)), codes])


@pytest.mark.parametrize("classes", [1, 2, 3, 7])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kept", [False, True])
def test_gradients_of_every_fold(classes: int, weighted: bool, kept: bool) -> None:
    """Folds 0, 1 and 2 have two models, none and five."""
    given = problem(classes, weighted=weighted, kept=kept)
    B = np.random.default_rng(0).normal(size=(7, classes, 6))
    gradient, loss = gradients(given, B, [0, 2, 2, 7])
    Z, weight = standardised(given), np.ones(ROWS) if given["weight"] is None else given["weight"]
    for model, rows in [(m, slice(0, 100)) for m in (0, 1)] + [(m, slice(201, ROWS)) for m in range(2, 7)]:
        codes, w = given["codes"][rows], weight[rows]
        p, lost = by_hand(Z[rows], codes, w, B[model])
        p[np.arange(len(p)), codes] -= 1.0
        residual = (w[:, None] * p)[:, -classes:] if classes > 1 else (w[:, None] * p)[:, 1:]
        np.testing.assert_allclose(gradient[model], residual.T @ Z[rows], rtol=1e-12, atol=1e-11)
        assert loss[model] == pytest.approx(lost, rel=1e-13)


@pytest.mark.parametrize("classes", [1, 3])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kept", [False, True])
def test_second_derivatives_of_the_wanted_folds(classes: int, weighted: bool, kept: bool) -> None:
    given = problem(classes, weighted=weighted, kept=kept)
    B = np.random.default_rng(1).normal(size=(classes, 6))
    pairs = [(0, 0)] if classes == 1 else [(0, 1), (0, 2), (1, 2)]
    out = grams(given, B, [True, False, True])
    Z, weight = standardised(given), np.ones(ROWS) if given["weight"] is None else given["weight"]
    assert not out[1].any()
    for fold, rows in ((0, slice(0, 100)), (2, slice(201, ROWS))):
        p, _ = by_hand(Z[rows], given["codes"][rows], weight[rows], B)
        for at, (k, other) in enumerate(pairs):
            r = weight[rows] * (p[:, 0] * p[:, 1] if classes == 1 else p[:, k] * p[:, other])
            np.testing.assert_allclose(
                out[fold, at], (Z[rows] * r[:, None]).T @ Z[rows], rtol=1e-12, atol=1e-12
            )


@pytest.mark.parametrize("width", [1, 2, 3, 4, 11])
def test_threads_and_kept_rows_change_no_bit(width: int) -> None:
    found = []
    for threads, kept in ((1, True), (3, True), (2, False)):
        given = problem(3, width=width, kept=kept)
        B = np.random.default_rng(2).normal(size=(8, 3, width + 1))
        gram = grams(given, B[0], [True] * FOLDS, threads=threads)
        found.append((*gradients(given, B, [0, 3, 4, 8], threads=threads), gram))
    for other in found[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(found[0], other, strict=True))


def test_a_model_has_the_same_bits_in_any_company() -> None:
    """Its place in a tile of models does not matter."""
    given = problem(2)
    B = np.random.default_rng(3).normal(size=(9, 2, 6))
    gradient, loss = gradients(given, B, [0, 9, 9, 9])
    for m in range(9):
        alone, lost = gradients(given, B[m : m + 1].copy(), [0, 1, 1, 1])
        assert np.array_equal(alone[0], gradient[m]) and lost[0] == loss[m]


@pytest.mark.parametrize("classes", [1, 2, 3, 7])
@pytest.mark.parametrize("weighted", [False, True])
def test_single_precision_has_six_digits(classes: int, weighted: bool) -> None:
    given = {**problem(classes, weighted=weighted), "coarse": True}
    B = np.random.default_rng(0).normal(size=(7, classes, 6))
    found = [
        (*gradients(given, B, [0, 2, 2, 7], exact=exact), grams(given, B[0], [True] * FOLDS, exact=exact))
        for exact in (True, False)
    ]
    for exact, coarse in zip(*found, strict=True):
        np.testing.assert_allclose(coarse, exact, rtol=1e-5, atol=1e-5 * np.abs(exact).max())
        assert not np.array_equal(coarse, exact)


@pytest.mark.parametrize("width", [1, 2, 3, 4, 11])
def test_threads_and_company_change_no_bit_in_single_precision(width: int) -> None:
    given = {**problem(3, width=width), "coarse": True}
    B = np.random.default_rng(2).normal(size=(9, 3, width + 1))
    found = [gradients(given, B, [0, 9, 9, 9], exact=False, threads=threads) for threads in (1, 3)]
    assert all(np.array_equal(a, b) for a, b in zip(*found, strict=True))
    for m in range(9):
        alone, lost = gradients(given, B[m : m + 1].copy(), [0, 1, 1, 1], exact=False)
        assert np.array_equal(alone[0], found[0][0][m]) and lost[0] == found[0][1][m]


@pytest.mark.parametrize("absent", [0, 1, 2])
@pytest.mark.parametrize("narrow", [False, True])
def test_a_class_without_rows_takes_no_digits_from_the_others(absent: int, narrow: bool) -> None:
    """Its score is far below theirs; whichever class stands for the rest, the others keep their differences."""
    given = {**problem(3), "coarse": True}
    there = [k for k in range(3) if k != absent]
    given["codes"] = np.where(given["codes"] == absent, there[0], given["codes"]).astype(np.int32)
    B = np.random.default_rng(4).normal(size=(3, 3, 6))
    B[:, absent] = 0.0
    B[:, absent, -1] = -1e4
    gradient, loss = gradients(given, B, range(4), exact=not narrow)
    Z, codes = standardised(given)[:100], given["codes"][:100]
    p, lost = by_hand(Z, codes, np.ones(100), B[0])
    p[np.arange(100), codes] -= 1.0
    np.testing.assert_allclose(gradient[0], p.T @ Z, rtol=1e-4, atol=1e-4 if narrow else 1e-10)
    assert (gradient[0, absent] == 0).all() and loss[0] == pytest.approx(lost, rel=1e-5)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"order": np.full(ROWS, 400)}, "no such row"),
        ({"codes": np.full(ROWS, 3, dtype=np.int32)}, "name a class"),
        ({"fold": np.array([0, 1, 2, 3], dtype=np.int32)}, "in no fold"),
        ({"start": np.array([0, 100, 100, 330, ROWS])}, "in order"),
        ({"start": np.array([0, 100, 201, 330, ROWS + 1])}, "beyond the rows"),
        ({"x": np.zeros((ROWS + 20, 5), dtype=np.int32)}, "float64 or float32"),
        ({"first": np.array([0, 2, 2, 6])}, "one fold"),
        ({"first": np.array([0, 5, 4, 7])}, "order of the folds"),
        ({"loss": np.zeros(6)}, "do not fit"),
    ],
)
def test_arrays_that_do_not_fit(change: dict[str, Any], sentence: str) -> None:
    B = np.zeros((7, 3, 6))
    asked = {"first": np.array([0, 2, 2, 7]), "gradient": np.zeros(B.shape), "loss": np.zeros(7)}
    rows = {name: change.get(name, value) for name, value in problem(3).items()}
    asked = {name: change.get(name, value) for name, value in asked.items()}
    with pytest.raises(ValueError, match=sentence):
        _core.logistic.FoldRows(**rows).gradients(B, exact=True, threads=1, **asked)
