"""Principal components: equal to the singular value decomposition, from moments or from inner products."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import decomposition
from sklearn.datasets import load_iris, load_wine
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from assay.models.gaussian.gaussian_classifier import GaussianClassifier
from assay.models.projection.pca import PCA
from assay.plans import KFold, LeaveOneOut
from assay.selection.evaluate import evaluate
from assay.statistics import collect, stack
from tests.noted import codes, noted
from tests.raised import Expected, raises


@parametrize_with_checks([PCA(), PCA(n_components=1)])
def test_scikit_learn_contract(estimator: object, check: object) -> None:
    check(estimator)  # type: ignore[operator]


def by_svd(X: np.ndarray, weight: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Variances (divisor N - 1) and directions (rows, largest absolute loading positive)."""
    w = np.ones(len(X)) if weight is None else weight
    mean = np.average(X, axis=0, weights=w)
    _, values, rows = np.linalg.svd(np.sqrt(w)[:, None] * (X - mean), full_matrices=False)
    largest = np.take_along_axis(rows, np.abs(rows).argmax(axis=1)[:, None], axis=1)
    return values**2 / (w.sum() - 1.0), rows * np.sign(largest)


@given(
    n=st.integers(3, 30),
    width=st.integers(1, 12),
    weighted=st.booleans(),
    dtype=st.sampled_from([np.float64, np.float32]),
    seed=st.integers(0, 99),
)
@settings(max_examples=60)
def test_equals_the_singular_value_decomposition(
    n: int, width: int, weighted: bool, dtype: type, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    # Variances well apart: directions of nearly equal variance are any in their plane.
    X = (rng.normal(size=(n, width)) * 3.0 ** -np.arange(width) + 100.0).astype(dtype)
    weight = rng.uniform(0.5, 2.0, n) if weighted else None
    pca = PCA().fit(X, sample_weight=weight)
    weight = (
        weight if weight is None else weight / weight.mean()
    )  # importance weights: N is the number of rows
    variances, directions = by_svd(X.astype(np.float64), weight)
    rank = min(n - 1, width)
    assert pca.n_components_ == rank
    # Eigenvalues of a matrix of products: the error is relative to the largest of them.
    np.testing.assert_allclose(
        pca.explained_variance_, variances[:rank], rtol=1e-9, atol=1e-14 * variances[0]
    )
    np.testing.assert_allclose(
        pca.explained_variance_ratio_, variances[:rank] / variances.sum(), rtol=1e-9, atol=1e-14
    )
    clear = np.diff(variances[: rank + 1], append=0.0)[:rank] / variances[:rank] < -0.2
    np.testing.assert_allclose(
        np.abs(np.sum(pca.components_ * directions[:rank], axis=1))[clear], 1.0, atol=1e-6
    )
    np.testing.assert_allclose(pca.components_ @ pca.components_.T, np.eye(rank), atol=1e-10)


def test_same_attributes_as_scikit_learn() -> None:
    X, _ = load_wine(return_X_y=True)
    X = X / X.std(axis=0)
    ours, theirs = PCA(n_components=5).fit(X), decomposition.PCA(n_components=5).fit(X)
    turn = np.sign((ours.components_ * theirs.components_).sum(axis=1))
    np.testing.assert_allclose(ours.components_, turn[:, None] * theirs.components_, atol=1e-10)
    for name in ("explained_variance_", "explained_variance_ratio_", "singular_values_", "mean_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-10)
    np.testing.assert_allclose(ours.transform(X), turn * theirs.transform(X), atol=1e-10)
    assert ours.get_feature_names_out().tolist() == [f"pca{i}" for i in range(5)]


def test_the_largest_loading_is_positive() -> None:
    X, _ = load_iris(return_X_y=True)
    components = PCA().fit(-X).components_
    assert (components[np.arange(4), np.abs(components).argmax(axis=1)] > 0).all()


def test_rows_come_back() -> None:
    X, _ = load_iris(return_X_y=True)
    whole = PCA().fit(X)
    np.testing.assert_allclose(whole.inverse_transform(whole.transform(X)), X, atol=1e-12)
    part = PCA(n_components=2).fit(X)
    lost = ((part.inverse_transform(part.transform(X)) - X) ** 2).sum() / (len(X) - 1)
    assert lost == pytest.approx(whole.explained_variance_[2:].sum())
    with raises("M182", n_components=2):
        part.inverse_transform(X)


def test_moments_and_inner_products_agree_where_rows_are_few() -> None:
    X = np.random.default_rng(0).normal(size=(8, 20)) + 1e4
    dual, primal = PCA().fit(X), PCA().partial_fit(X)
    assert dual.n_components_ == primal.n_components_ == 7
    np.testing.assert_allclose(dual.components_, primal.components_, atol=1e-9)
    np.testing.assert_allclose(dual.explained_variance_, primal.explained_variance_)
    with raises("M029"):
        dual.merge(primal)


def test_directions_without_variance_are_said() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(30, 2)) @ rng.normal(size=(2, 5))
    pca = PCA().fit(X)
    assert pca.n_components_ == 2
    assert len(pca.diagnostics_) == 1 and noted(pca.diagnostics_, "M317", rank=2, n_columns=5)
    padded = PCA(n_components=4).fit(X)
    assert (padded.components_[2:] == 0).all() and (padded.explained_variance_[2:] == 0).all()
    assert codes(padded.diagnostics_)[0] == "M318"
    same = PCA().fit(np.ones((4, 3)))
    assert (same.components_ == 0).all() and same.explained_variance_ratio_.tolist() == [0.0]
    assert PCA(n_components=2).fit(X).diagnostics_ == ()


def test_parts_merge_and_leave() -> None:
    X, _ = load_iris(return_X_y=True)
    whole = PCA().fit(X)
    parts = PCA().partial_fit(X[:40]).partial_fit(X[40:])
    merged = PCA().fit(X[:40]).merge(PCA().fit(X[40:]))
    for other in (parts, merged):
        np.testing.assert_allclose(other.components_, whole.components_, atol=1e-10)
    np.testing.assert_allclose(merged.forget(X[40:]).components_, PCA().fit(X[:40]).components_, atol=1e-8)
    with raises("M028", rows=40.0, weight=40.0, learned=40.0, learned_weight=40.0):
        merged.forget(X[:40])
    with raises("M010"):
        whole.merge(PCA(n_components=2).fit(X))


@given(seed=st.integers(0, 99))
@settings(max_examples=20)
def test_integer_weights_are_repeated_rows(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(25, 3)) * [5.0, 1.0, 0.2]
    times = rng.integers(0, 4, 25)
    times[:4] = 1
    weighted = PCA().fit(X, sample_weight=times)
    repeated = PCA().fit(rng.permutation(np.repeat(X, times, axis=0)))
    np.testing.assert_allclose(weighted.components_, repeated.components_, atol=1e-9)
    np.testing.assert_allclose(weighted.explained_variance_, repeated.explained_variance_, rtol=1e-9)


def test_each_fold_has_its_own_projection() -> None:
    X, y = load_iris(return_X_y=True)
    parts = [slice(0, 100), slice(30, 150)]
    moments = stack([collect(X[p], y[p].astype(np.int32), 3, form="pooled") for p in parts])
    step = PCA(n_components=2).fold_map(moments)
    for g, p in enumerate(parts):
        alone = PCA(n_components=2).fit(X[p])
        np.testing.assert_allclose(step.matrix[g], alone.components_.T, atol=1e-10)  # type: ignore[index]
        np.testing.assert_allclose(step.center[g], alone.mean_, atol=1e-12)


@pytest.mark.parametrize("n_components", [2, None])
@pytest.mark.parametrize("plan", [KFold(5), LeaveOneOut()])
def test_folds_share_one_pass_behind_a_projection(n_components: int | None, plan: object) -> None:
    X, y = load_wine(return_X_y=True)
    X, y = X[::3], y[::3]
    model = make_pipeline(PCA(n_components), GaussianClassifier("shared"))
    shared = evaluate(model, X, y, plan)
    expected = np.empty(len(y))
    for train, test in plan.split(X, y):  # type: ignore[attr-defined]
        expected[test] = model.fit(X[train], y[train]).predict_proba(X[test])[np.arange(len(test)), y[test]]
    np.testing.assert_allclose(np.exp(shared.log_posterior)[np.arange(len(y)), y], expected, atol=1e-6)


def test_names_and_frames() -> None:
    frame = load_iris(as_frame=True).data
    out = PCA(n_components=2).set_output(transform="pandas").fit_transform(frame)
    assert isinstance(out, pd.DataFrame) and out.columns.tolist() == ["pca0", "pca1"]


@pytest.mark.parametrize("value", [0, -1, 1.5, "two", True])
def test_bad_numbers_of_components_are_refused(value: object) -> None:
    with raises("M023", owner="PCA", name="n_components"):
        PCA(n_components=value).fit(np.eye(5))  # type: ignore[arg-type]


def test_bad_tables_are_refused() -> None:
    X = np.random.default_rng(0).normal(size=(20, 3))
    with raises("M181", width=3):
        PCA(n_components=4).fit(X)
    with raises("M027", least=1.0, weight=1.0, n_rows=1):
        PCA().fit(X[:1])
    for rows in (X, X[:2]):
        with raises("M027", least=1.0, weight=1.0):
            PCA().fit(rows, sample_weight=np.arange(len(rows)) == 0)
        for value, expected in (
            (np.nan, Expected("N028", where="row 1, column 2")),
            (1e300, Expected("N700")),
        ):
            bad = rows.copy()
            bad[1, 2] = value
            with raises(expected):
                PCA().fit(bad)
    with raises("N026", where="row 0, column 0"):
        PCA().fit(X).transform(np.array([[np.inf, 0.0, 0.0]]))
