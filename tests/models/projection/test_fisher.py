"""Fisher's discriminant: known directions, the optimum of J, equality with the shared covariance, leave-one-out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import eigh
from scipy.stats import multivariate_normal
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from assay.models.base.validation import check_training
from assay.models.gaussian.gaussian_classifier import GaussianClassifier
from assay.models.projection.fisher import FisherDiscriminant
from assay.plans import KFold, LeaveOneOut
from assay.selection.evaluate import evaluate
from assay.statistics import collect, stack
from tests.noted import noted
from tests.raised import Expected, raises
from tests.realdata import load_csv


@parametrize_with_checks([FisherDiscriminant(), FisherDiscriminant(variance="ml", priors="uniform")])
def test_scikit_learn_contract(estimator: object, check: object) -> None:
    check(estimator)  # type: ignore[operator]


def table(seed: int, n: int = 60, width: int = 4, classes: int = 4) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.repeat(np.arange(classes), 3), rng.integers(0, classes, n - 3 * classes)])
    spread = rng.normal(size=(width, width))
    return rng.normal(size=(n, width)) @ spread + 2.0 * rng.normal(size=(classes, width))[y], y


def scatters(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Within and between scatter by their definitions."""
    within, between = np.zeros((2, X.shape[1], X.shape[1]))
    for k in np.unique(y):
        rows = X[y == k]
        away = rows - rows.mean(axis=0)
        move = rows.mean(axis=0) - X.mean(axis=0)
        within += away.T @ away
        between += len(rows) * np.outer(move, move)
    return within, between


def test_iris_directions() -> None:
    X, y = load_iris(return_X_y=True)
    model = FisherDiscriminant().fit(X, y)
    expected = np.array(
        [
            [0.8293776, 1.5344731, -2.2012117, -2.8104603],
            [0.02410215, 2.16452123, -0.93192121, 2.83918785],
        ]
    ).T
    turn = np.sign((model.scalings_ * expected).sum(axis=0))
    np.testing.assert_allclose(model.scalings_, turn * expected, atol=5e-8)
    np.testing.assert_allclose(model.explained_variance_ratio_, [0.9912, 0.0088], atol=5e-5)


def test_vowel_by_number_of_directions() -> None:
    frame = load_csv("vowel_esl")
    columns = [f"x.{j}" for j in range(1, 11)]
    train, test = (frame[frame.split == part] for part in ("train", "test"))
    errors = [
        float((FisherDiscriminant(q).fit(train[columns], train.y).predict(test[columns]) != test.y).mean())
        for q in range(1, 11)
    ]
    known = [0.6991, 0.4913, 0.4957, 0.5108, 0.5152, 0.5541, 0.5541, 0.5563, 0.5519, 0.5563]
    np.testing.assert_allclose(errors, known, atol=5e-5)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_all_directions_are_the_shared_covariance(load: object) -> None:
    X, y = load(return_X_y=True)  # type: ignore[operator]
    for variance in ("ml", "unbiased"):
        ours = FisherDiscriminant(variance=variance).fit(X, y)
        shared = GaussianClassifier("shared", variance=variance).fit(X, y)
        np.testing.assert_allclose(ours.predict_log_proba(X), shared.predict_log_proba(X), atol=1e-8)
        assert ours.log_likelihood_ == pytest.approx(shared.log_likelihood_, rel=1e-12)
        assert ours.n_parameters_ == shared.n_parameters_


def test_transform_is_scikit_learns() -> None:
    X, y = load_wine(return_X_y=True)
    ours = FisherDiscriminant().fit(X, y)
    theirs = LinearDiscriminantAnalysis(solver="svd").fit(X, y)
    seen, expected = ours.transform(X), theirs.transform(X)
    factor = np.linalg.norm(expected) / np.linalg.norm(seen)  # its divisor is not the same in all versions
    turn = np.sign((seen * expected).sum(axis=0))
    np.testing.assert_allclose(factor * seen, turn * expected, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(ours.explained_variance_ratio_, theirs.explained_variance_ratio_, rtol=1e-8)
    np.testing.assert_allclose(ours.xbar_, X.mean(axis=0))
    np.testing.assert_array_equal(ours.fit_transform(X, y), ours.transform(X))
    assert ours.get_feature_names_out().tolist() == ["fisherdiscriminant0", "fisherdiscriminant1"]


@given(seed=st.integers(0, 200), width=st.integers(1, 5), classes=st.integers(2, 5))
@settings(max_examples=40)
def test_directions_solve_the_eigenproblem(seed: int, width: int, classes: int) -> None:
    X, y = table(seed, width=width, classes=classes)
    model = FisherDiscriminant(variance="ml").fit(X, y)
    v = model.scalings_
    within, between = scatters(X, y)
    assert v.shape == (width, min(width, classes - 1))
    np.testing.assert_allclose(v.T @ within @ v / len(y), np.eye(v.shape[1]), atol=1e-8)
    ratio = v.T @ between @ v / len(y)
    np.testing.assert_allclose(ratio, np.diag(np.diag(ratio)), atol=1e-7 * np.abs(ratio).max())
    assert (np.diff(np.diag(ratio)) <= 1e-9).all()
    shares = np.diag(ratio) / np.trace(ratio)
    np.testing.assert_allclose(model.explained_variance_ratio_, shares, atol=1e-8)


@pytest.mark.parametrize("variance", ["ml", "unbiased"])
def test_eigenvalues_are_those_of_the_scatters(variance: str) -> None:
    X, y = table(3, width=4, classes=3)
    within, between = scatters(X, y)
    expected = eigh(between, within, eigvals_only=True)[::-1][:2]
    model = FisherDiscriminant(variance=variance).fit(X, y)
    np.testing.assert_allclose(model.eigenvalues_, expected, rtol=1e-9)
    np.testing.assert_allclose(
        model.eigenvalues_ / model.eigenvalues_.sum(), model.explained_variance_ratio_, rtol=1e-9
    )


def test_no_direction_separates_better() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    within, between = scatters(X, y)

    def quality(w: np.ndarray) -> np.ndarray:
        return np.einsum("nd,de,ne->n", w, between, w) / np.einsum("nd,de,ne->n", w, within, w)

    model = FisherDiscriminant().fit(X, y)
    best = quality(model.scalings_.T)[0]
    random = np.random.default_rng(0).normal(size=(10_000, 30)) / X.std(axis=0)
    difference = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    assert best >= quality(random).max()
    assert best >= quality(difference[None])[0]
    # Two classes: w is proportional to S_w⁻¹(m₊ - m₋).
    closed = np.linalg.solve(within, difference)
    cosine = model.coef_[0] @ closed / np.linalg.norm(model.coef_[0]) / np.linalg.norm(closed)
    assert cosine == pytest.approx(1.0, abs=1e-9)


def test_reduced_rank_likelihood() -> None:
    """The closed formula equals the density of the rows at the reduced-rank fit, and no near fit is better."""
    X, y = table(3, width=3, classes=4)
    count = np.bincount(y)
    within, _ = scatters(X, y)
    for q in (1, 2):
        model = FisherDiscriminant(q, variance="ml").fit(X, y)
        v = model.scalings_
        project = within / len(y) @ v @ v.T  # onto the plane of the means
        means = X.mean(axis=0) + (model.means_ - X.mean(axis=0)) @ project.T
        moved = X - means[y]
        covariance = moved.T @ moved / len(y)
        logs = sum(
            multivariate_normal(means[k], covariance).logpdf(X[y == k]).sum()
            + count[k] * np.log(count[k] / len(y))
            for k in range(4)
        )
        assert model.log_likelihood_ == pytest.approx(logs, rel=1e-10)
        assert model.n_parameters_ == 3 + q * (3 + 3 - q) + 6 + 3
    more = [FisherDiscriminant(q).fit(X, y).log_likelihood_ for q in (1, 2, 3)]
    assert more == sorted(more)


@pytest.mark.parametrize("q", [1, 2, 3])
@pytest.mark.parametrize("variance", ["ml", "unbiased"])
@pytest.mark.parametrize("priors", ["ml", "uniform", [0.1, 0.2, 0.3, 0.4]])
def test_leave_one_out_equals_refits(q: int, variance: str, priors: object) -> None:
    X, y = table(11, n=40)
    X[:, 1] = 1e5 + 1e-2 * X[:, 1]
    X[7] += 30.0 * X.std(axis=0)  # a far row, whose absence moves everything
    model = FisherDiscriminant(q, variance=variance, priors=priors).fit(X, y)
    fast = model.loo_moments(model.statistics_, check_training(model, X, y))
    assert fast is not None
    for row in range(len(y)):
        others = np.arange(len(y)) != row
        refit = FisherDiscriminant(q, variance=variance, priors=priors).fit(X[others], y[others])
        expected = refit._class_scores(X[row : row + 1])[0]
        np.testing.assert_allclose(fast[row] - fast[row, 0], expected - expected[0], rtol=1e-7, atol=1e-8)
        assert fast[row].argmax() == expected.argmax()


@pytest.mark.parametrize("q", [1, None])
def test_leave_one_out_of_real_data(q: int | None) -> None:
    X, y = load_wine(return_X_y=True)
    closed = evaluate(FisherDiscriminant(q), X, y, LeaveOneOut())
    rows = np.arange(0, len(y), 9)
    for row in rows:
        others = np.arange(len(y)) != row
        refit = FisherDiscriminant(q).fit(X[others], y[others]).predict_log_proba(X[row : row + 1])[0]
        np.testing.assert_allclose(closed.log_posterior[row], refit, atol=1e-8)


def test_leave_one_out_leaves_open_what_it_does_not_cover() -> None:
    X, y = table(12, n=30, width=3, classes=3)
    X[:, 2] = 0.0
    X[4, 2] = 1.0  # row 4 alone varies along the last feature
    y[y == 2] = 1
    y[9] = 2  # the only row of its class
    model = FisherDiscriminant(1).fit(X, y)
    fast = model.loo_moments(model.statistics_, check_training(model, X, y))
    assert fast is not None
    assert np.flatnonzero(np.isnan(fast).any(axis=1)).tolist() == [4, 9]
    assert model.loo_moments(model.statistics_, check_training(model, X, y, np.full(30, 2.0))) is None
    wide = np.random.default_rng(0).normal(size=(10, 20))
    few = FisherDiscriminant().fit(wide, np.arange(10) % 2)
    assert few.loo_moments(few.statistics_, check_training(few, wide, np.arange(10) % 2)) is None


@pytest.mark.parametrize(
    "model", [FisherDiscriminant(2), make_pipeline(FisherDiscriminant(2), GaussianClassifier())]
)
def test_folds_equal_refits(model: object) -> None:
    X, y = load_wine(return_X_y=True)
    plan = KFold(4)
    shared = evaluate(model, X, y, plan)
    for train, test in plan.split(X, y):
        expected = model.fit(X[train], y[train]).predict_log_proba(X[test])  # type: ignore[attr-defined]
        np.testing.assert_allclose(shared.log_posterior[test], expected, atol=1e-6)


def test_each_fold_has_its_own_projection() -> None:
    X, y = load_iris(return_X_y=True)
    parts = [np.arange(0, 150, 2), np.arange(100)]  # the second has never seen the third class
    moments = stack([collect(X[p], y[p].astype(np.int32), 3, form="full") for p in parts])
    step = FisherDiscriminant().fold_map(moments)
    for g, p in enumerate(parts):
        alone = FisherDiscriminant().fit(X[p], y[p])
        width = alone.scalings_.shape[1]
        np.testing.assert_allclose(step.matrix[g][:, :width], alone.scalings_, atol=1e-9)  # type: ignore[index]
        assert (step.matrix[g][:, width:] == 0).all()  # type: ignore[index]


def test_more_features_than_rows() -> None:
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(20, 50)), np.repeat([0, 1], 10)
    X[y == 1, 0] += 3.0
    model = FisherDiscriminant().fit(X, y)
    assert (model.predict(X) == y).all()
    assert np.isfinite(model.transform(X)).all() and np.isfinite(model.log_likelihood_)
    assert "variance was raised to the floor" in " ".join(model.diagnostics_)


def test_directions_without_spread_are_zero() -> None:
    rng = np.random.default_rng(6)
    y = np.repeat([0, 1, 2], 20)
    noise = rng.normal(size=(60, 2))
    for k in range(3):
        noise[y == k] -= noise[y == k].mean(axis=0)
    X = noise + np.array([[-2.0, 0.0], [0.0, 0.0], [2.0, 0.0]])[y]  # three means on a line
    model = FisherDiscriminant().fit(X, y)
    assert model.scalings_.shape == (2, 2) and (model.scalings_[:, 1] == 0).all()
    assert model.explained_variance_ratio_.tolist() == [1.0, 0.0]
    assert len(model.diagnostics_) == 1 and noted(model.diagnostics_, "M316", rank=1, zero=1)


def test_constant_features_and_lone_rows() -> None:
    X, y = table(14, width=3, classes=3)
    X[:, 1] = 7.0
    y[y == 2] = 1
    y[0] = 2
    model = FisherDiscriminant().fit(X, y)
    assert (model.scalings_[1] == 0).all()
    assert noted(model.diagnostics_, "M300", columns=(1,))
    assert np.isfinite(model.predict_log_proba(X)).all()


@given(seed=st.integers(0, 100), dtype=st.sampled_from([np.float64, np.float32]))
@settings(max_examples=20)
def test_weights_order_labels_and_parts_do_not_matter(seed: int, dtype: type) -> None:
    rng = np.random.default_rng(seed)
    X, y = table(seed, n=50, classes=3)
    X = X.astype(dtype)
    times = rng.integers(0, 4, len(y))
    times[:9] = 1
    weighted = FisherDiscriminant().fit(X, y, sample_weight=times)
    rows = rng.permutation(np.repeat(np.arange(len(y)), times))
    repeated = FisherDiscriminant().fit(X[rows], np.array(["a", "b", "c"])[y[rows]])
    np.testing.assert_allclose(weighted.predict_log_proba(X), repeated.predict_log_proba(X), atol=1e-6)
    whole = FisherDiscriminant().fit(X, y)
    halves = FisherDiscriminant().fit(X[:25], y[:25]).merge(FisherDiscriminant().fit(X[25:], y[25:]))
    np.testing.assert_allclose(halves.predict_log_proba(X), whole.predict_log_proba(X), atol=1e-6)


def test_priors_change_the_boundary_and_not_the_directions() -> None:
    X, y = load_iris(return_X_y=True)
    X, y = X[:120], y[:120]
    ours, equal = FisherDiscriminant().fit(X, y), FisherDiscriminant(priors="uniform").fit(X, y)
    np.testing.assert_array_equal(ours.scalings_, equal.scalings_)
    shift = ours._class_scores(X) - equal._class_scores(X)
    np.testing.assert_allclose(shift, np.tile(np.log(3.0 * ours.class_prior_), (len(X), 1)), atol=1e-9)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"n_components": 3}, Expected("M180", n_components=3, n_classes=3, n_features=4, most=2)),
        ({"n_components": 0}, Expected("M023", name="n_components", value=0)),
        ({"variance": "n"}, Expected("M023", value="n", expectation="one of 'ml', 'unbiased'")),
        ({"variance_floor": -1.0}, Expected("M023", name="variance_floor", value=-1.0)),
        ({"priors": [0.5, 0.5]}, Expected("L048", n_classes=3)),
        ({"priors": "flat"}, Expected("M023", name="priors", value="flat")),
    ],
)
def test_bad_parameters_are_refused(options: dict[str, object], expected: Expected) -> None:
    X, y = load_iris(return_X_y=True)
    with raises(expected):
        FisherDiscriminant(**options).fit(X, y)  # type: ignore[arg-type]


def test_bad_rows_are_named() -> None:
    X, y = load_iris(return_X_y=True)
    model = FisherDiscriminant().fit(X, y)
    bad = X.copy()
    bad[5, 2] = np.nan
    for use in (model.transform, model.predict, lambda rows: FisherDiscriminant().fit(rows, y)):
        with raises("N028", where="row 5, column 2"):
            use(bad)
