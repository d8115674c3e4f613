"""Separation of classes: known sets, proofs checked by hand, agreement with a twin programme on all rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from assay.solvers import separability
from assay.solvers.separability import Separation, separation

Array = np.ndarray
CORNERS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)


def scaled(X: Array) -> Array:
    deviation = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)


def margins(Z: Array, codes: Array, found: Separation) -> Array:
    """Own score less each rival's, (N, K-1)."""
    scores = Z @ found.weights.T + found.intercept
    if scores.shape[1] == 1:
        scores = np.hstack([-scores / 2, scores / 2])
    others = np.arange(scores.shape[1]) != codes[:, None]
    return (scores[np.arange(len(Z)), codes][:, None] - scores)[others].reshape(len(Z), -1)


def check(Z: Array, codes: Array, found: Separation) -> None:
    """The certificate, whichever it is, holds for the rows."""
    n_classes = codes.max() + 1
    if found.kind == "complete":
        assert found.proof is None and margins(Z, codes, found).min() > 0
        return
    assert found.proof is not None
    proof = found.proof
    assert proof.multipliers.min() > 0 and proof.multipliers.sum() == pytest.approx(2.0)
    sums = np.zeros((n_classes, Z.shape[1] + 1))
    rows = np.column_stack([Z, np.ones(len(Z))])[proof.rows] * proof.multipliers[:, None]
    np.add.at(sums, codes[proof.rows], rows)
    np.subtract.at(sums, proof.rivals, rows)
    assert (proof.rivals != codes[proof.rows]).all()
    assert np.abs(sums).max() < 1e-9 and proof.residual < 1e-9
    if found.kind == "quasi":
        own = margins(Z, codes, found)
        assert own.min() > -1e-8 * own.max() and own.max() > 0


def twin(Z: Array, codes: Array) -> str:
    """The kind, from the programme of all rows written down as it stands."""
    n, width, n_classes = len(Z), Z.shape[1] + 1, codes.max() + 1
    rows = []
    for z, c in zip(np.column_stack([Z, np.ones(n)]), codes, strict=True):
        for j in set(range(n_classes)) - {c}:
            row = np.zeros((n_classes, width))
            row[c], row[j] = z, -z
            rows.append(row.ravel())
    A = np.array(rows)
    free = [(None, None)] * A.shape[1] + [(0, 1)] * len(A)
    cost = np.append(np.zeros(A.shape[1]), -np.ones(len(A)))
    found = linprog(cost, A_ub=np.hstack([-A, np.eye(len(A))]), b_ub=np.zeros(len(A)), bounds=free)
    apart = found.x[A.shape[1] :] > 0.5
    return "complete" if apart.all() else "quasi" if apart.any() else "none"


@pytest.mark.parametrize(
    ("labels", "kind"), [([0, 0, 0, 1], "complete"), ([0, 1, 1, 1], "complete"), ([0, 1, 1, 0], "none")]
)
def test_and_or_and_exclusive_or(labels: list[int], kind: str) -> None:
    codes = np.array(labels)
    found = separation(scaled(CORNERS), codes, 2)
    assert found.kind == kind
    check(scaled(CORNERS), codes, found)


def test_the_proof_of_exclusive_or_is_the_middle_of_both_diagonals() -> None:
    proof = separation(scaled(CORNERS), np.array([0, 1, 1, 0]), 2).proof
    assert proof is not None
    assert sorted(proof.rows.tolist()) == [0, 1, 2, 3]
    assert proof.multipliers == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("load", "kind", "columns"),
    [
        (load_iris, "quasi", 1),
        (load_wine, "complete", 5),
        (load_breast_cancer, "complete", 24),
        (load_digits, "complete", 61),
    ],
)
def test_known_sets(load: object, kind: str, columns: int) -> None:
    X, y = load(return_X_y=True)  # type: ignore[operator]
    found = separation(scaled(X), y, y.max() + 1)
    assert (found.kind, len(found.columns)) == (kind, columns)
    check(scaled(X), y, found)


def test_a_rare_level_is_quasi_complete_separation_and_named() -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(500, 4)), rng.integers(0, 2, 500)
    X[:, 2] = 0.0
    X[[3, 77, 401], 2] = 1.0
    y[[3, 77, 401]] = 1
    found = separation(scaled(X), y, 2)
    assert (found.kind, found.columns) == ("quasi", (2,))
    assert found.on_boundary is not None
    assert np.flatnonzero(~found.on_boundary).tolist() == [3, 77, 401]
    check(scaled(X), y, found)


def test_one_column_alone_is_found_without_a_programme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(separability, "linprog", None)
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(200, 6)), np.repeat([0, 1], 100)
    X[:, 4] = np.where(y == 1, -5.0, 5.0) + 0.1 * X[:, 4]
    found = separation(scaled(X), y, 2)
    assert (found.kind, found.columns) == ("complete", (4,))
    assert found.weights[0, 4] < 0


def test_columns_that_are_not_needed_are_left_out() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 8))
    y = (X[:, 1] - 2.0 * X[:, 5] > 0.1).astype(int)
    kept = np.abs(X[:, 1] - 2.0 * X[:, 5] - 0.1) > 0.05
    found = separation(scaled(X[kept]), y[kept], 2)
    assert (found.kind, found.columns) == ("complete", (1, 5))
    check(scaled(X[kept]), y[kept], found)


def test_a_guess_that_separates_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(separability, "_programme", None)
    codes = np.array([0, 0, 0, 1])
    assert separation(scaled(CORNERS), codes, 2, guess=np.array([[1.0, 1.0, -1.0]])).kind == "complete"


def test_one_wrong_label_among_many_rows_is_found() -> None:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(20_000, 20))
    y = (X @ rng.normal(size=20) > 0).astype(int)
    assert separation(scaled(X), y, 2).kind == "complete"
    deep = int((X @ np.linalg.lstsq(X, y - 0.5, rcond=None)[0]).argmax())
    y[deep] = 0
    found = separation(scaled(X), y, 2)
    assert found.kind == "none"
    check(scaled(X), y, found)


def test_the_same_row_in_two_classes() -> None:
    X = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [2.0, 1.0]])
    codes = np.array([0, 0, 1, 1])
    found = separation(scaled(X), codes, 2)
    assert found.kind == "quasi"
    check(scaled(X), codes, found)


def test_collinear_and_constant_columns_change_nothing() -> None:
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
    wide = scaled(np.column_stack([X, X.sum(axis=1), np.ones(60)]))
    assert separation(scaled(X), y, 2).kind == separation(wide, y, 2).kind == "none"


def test_more_columns_than_rows_separate_anything() -> None:
    rng = np.random.default_rng(6)
    X, y = scaled(rng.normal(size=(30, 200))), rng.integers(0, 3, 30)
    found = separation(X, y, 3)
    assert found.kind == "complete"
    check(X, y, found)


def test_a_programme_too_large_is_not_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(separability, "MOST_UNKNOWNS", 2)
    found = separation(scaled(CORNERS), np.array([0, 1, 1, 0]), 2)
    assert (found.kind, found.proof) == ("unknown", None)


@given(
    seed=st.integers(0, 10_000), classes=st.integers(2, 4), width=st.integers(1, 3), levels=st.integers(2, 6)
)
@settings(max_examples=25, deadline=None)
def test_agrees_with_the_programme_of_all_rows(seed: int, classes: int, width: int, levels: int) -> None:
    """Small integers: rows repeat, lie on lines and between others."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(classes, 14))
    X = rng.integers(0, levels, size=(n, width)).astype(float)
    codes = np.concatenate([np.arange(classes), rng.integers(0, classes, n - classes)])
    found = separation(scaled(X), codes, classes)
    assert found.kind == twin(scaled(X), codes)
    check(scaled(X), codes, found)


@pytest.mark.parametrize("kind", ["none", "quasi", "complete"])
def test_rows_at_the_ends_of_columns_change_no_verdict(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many rows with rare levels: the same answer, whatever rows the programme starts with."""
    rng = np.random.default_rng(7)
    n = 1500
    level = np.concatenate([np.repeat([0, 1], 4), rng.integers(2, 12, n - 8)])
    X = np.column_stack([np.eye(12)[level][:, :11], rng.normal(size=(n, 3))])
    codes = (X[:, -1] + X[:, -2] + 0.7 * rng.normal(size=n) > 0.0).astype(np.intp)
    for rare in range(2):
        codes[level == rare] = np.arange((level == rare).sum()) % 2
    if kind == "quasi":
        codes[level == 0] = 1
    if kind == "complete":
        codes = (X[:, -1] + X[:, -2] + X[:, 0] > 0.01).astype(np.intp)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    found = separation(Z, codes, 2)
    monkeypatch.setattr("assay.solvers.separability.MANY", np.inf)
    other = separation(Z, codes, 2)
    assert found.kind == other.kind == kind
    if kind == "complete":
        assert ((Z @ found.weights[0] + found.intercept[0] > 0) == codes).all()
        return
    assert found.proof is not None and found.proof.residual < 1e-9 and found.proof.multipliers.min() > 0
    if kind == "quasi":
        assert found.on_boundary is not None and other.on_boundary is not None
        np.testing.assert_array_equal(found.on_boundary, other.on_boundary)
        np.testing.assert_array_equal(~found.on_boundary, level == 0)


def test_a_column_that_separates_all_but_its_later_rows() -> None:
    """The first thousand rows of a column tell nothing of those that follow."""
    x = np.concatenate([np.tile([-1.0, 1.0], 1000), [5.0]])
    codes = np.append(np.tile([0, 1], 1000), 0)
    Z = np.column_stack([x, np.cos(np.arange(2001.0))])
    Z = (Z - Z.mean(axis=0)) / Z.std(axis=0)
    assert separation(Z, codes, 2).kind == "none"
    assert separation(Z[:-1], codes[:-1], 2).columns == (0,)
    late = np.append(np.zeros(1500, dtype=int), np.ones(500, dtype=int))  # the second class comes last
    ordered = np.column_stack([np.sort(Z[:2000, 0]), Z[:2000, 1]])
    assert separation(ordered + 3.0 * late[:, None] * [1.0, 0.0], late, 2).columns == (0,)
