"""Blobs: one is a Gaussian, several are found where they are, and every figure is what the formula says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import multivariate_normal
from sklearn.base import clone

from assay import GaussianClassifier, GaussianMixtureClassifier, KFold, bic, evaluate, tune
from assay.notes import Note
from tests.contract.registry import blobs, mixture_classifiers, shown
from tests.raised import raises, warns

Array = np.ndarray[Any, Any]


def strips(rows: int = 400, seed: int = 0) -> tuple[Array, Array]:
    """Two classes of two blobs each, in turn along a line: no ellipse holds one of them alone."""
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % 2
    X = rng.normal(size=(rows, 2))
    X[:, 0] += 5.0 * y + rng.choice([0.0, 10.0], rows)
    return X, y


def planted(rows: int = 600, seed: int = 1) -> tuple[Array, Array]:
    """Class 0 is one blob, class 1 three."""
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % 2
    places = np.array([[-5.0, 0.0], [5.0, 1.0], [0.0, 6.0]])[rng.integers(0, 3, rows)]
    X = rng.normal(size=(rows, 2)) @ np.array([[1.0, 0.4], [0.0, 0.8]]) + np.where(
        y[:, None] == 1, places, 0.0
    )
    return X, y


def matrices(model: Any) -> Array:
    if hasattr(model, "covariances_"):
        return model.covariances_
    return np.stack([np.diag(each) for each in model.variances_])


def joint(model: Any, X: Array) -> Array:
    """ln p(x, class) by SciPy, (N, K)."""
    logs = np.stack(
        [multivariate_normal(m, c).logpdf(X) for m, c in zip(model.means_, matrices(model), strict=True)], axis=1
    )  # fmt: skip
    with np.errstate(divide="ignore"):
        return np.log(model.class_prior_) + logsumexp(logs[:, None, :] + np.log(model.shares_)[None], axis=2)


@pytest.mark.parametrize(
    ("covariance", "same"),
    [("full", "full"), ("tied", "full"), ("diagonal", "diagonal"), ("spherical", "spherical")],
)
@pytest.mark.parametrize("priors", ["ml", "uniform"])
@pytest.mark.parametrize("weighted", [False, True])
def test_one_blob_is_a_gaussian(covariance: str, same: str, priors: str, weighted: bool) -> None:
    X, y = blobs()
    weight = np.random.default_rng(0).uniform(0.0, 2.0, len(X)) if weighted else None
    ours = GaussianMixtureClassifier(1, covariance=covariance, priors=priors).fit(X, y, weight)
    one = GaussianClassifier(same, priors=priors).fit(X, y, weight)
    np.testing.assert_allclose(ours.predict_log_proba(X), one.predict_log_proba(X), rtol=1e-10, atol=1e-10)
    assert ours.n_parameters_ == one.n_parameters_
    assert ours.log_likelihood_ == pytest.approx(one.log_likelihood_, rel=1e-12)
    assert bic(ours) == pytest.approx(bic(one), rel=1e-12)
    np.testing.assert_allclose(ours.class_count_, one.class_count_)


def test_two_blobs_where_one_gaussian_fails() -> None:
    X, y = strips()
    new, truth = strips(seed=5)
    one, two = GaussianClassifier().fit(X, y), GaussianMixtureClassifier(2).fit(X, y)
    assert (two.predict(new) != truth).mean() < 0.02 and (one.predict(new) != truth).mean() > 0.2
    assert sorted(two.means_[:2, 0].round().tolist()) == [0.0, 10.0]
    assert sorted(two.means_[2:, 0].round().tolist()) == [5.0, 15.0]


@pytest.mark.parametrize("covariance", ["full", "diagonal", "tied", "spherical"])
def test_three_planted_blobs_are_found_by_bic(covariance: str) -> None:
    X, y = planted()
    model = GaussianMixtureClassifier("bic", covariance=covariance).fit(X, y)
    if covariance in ("full", "tied"):
        assert model.n_components_.tolist() == [1, 3]
    fixed = [GaussianMixtureClassifier(n, covariance=covariance).fit(X, y) for n in (1, 2, 3, 4, 5)]
    assert all(bic(model) <= bic(other) + 1e-9 for other in fixed)


def test_three_planted_blobs_are_found_by_held_out_likelihood() -> None:
    X, y = planted()
    new, truth = planted(seed=7)
    scores = [
        joint(GaussianMixtureClassifier(n).fit(X, y), new)[np.arange(len(new)), truth].mean()
        for n in (1, 2, 3, 4, 5)
    ]
    assert int(np.argmax(scores)) == 2
    density = GaussianMixtureClassifier(3).fit(X, y)
    np.testing.assert_allclose(density.score_samples(new), logsumexp(joint(density, new), axis=1), rtol=1e-9)


def test_cross_validation_finds_that_one_blob_is_too_few() -> None:
    X, y = strips()
    found = tune(GaussianMixtureClassifier(), X, y, plan=KFold(5), rule="one_se", n_components=[1, 2, 3])
    assert found.setting == {"n_components": 2}


def test_the_number_of_blobs_is_chosen_inside_the_fold() -> None:
    X, y = planted(300)
    plan = KFold(4)
    model = GaussianMixtureClassifier("bic", max_components=4)
    estimate = evaluate(model, X, y, plan)
    expected = np.empty((len(X), 2))
    for train, test in plan.split(X, y):
        expected[test] = clone(model).fit(X[train], y[train]).predict_log_proba(X[test])
    np.testing.assert_allclose(estimate.scores[np.argsort(estimate.rows)], expected, rtol=1e-12)


@pytest.mark.parametrize("model", mixture_classifiers(), ids=shown)
def test_every_figure_is_what_the_formula_says(model: Any) -> None:
    X, y = blobs(300)
    model = clone(model).fit(X, y)
    expected = joint(model, X)
    np.testing.assert_allclose(
        model.predict_log_proba(X), expected - logsumexp(expected, axis=1, keepdims=True), atol=1e-9
    )
    np.testing.assert_allclose(model.score_samples(X), logsumexp(expected, axis=1), rtol=1e-9)
    assert (np.diff(model.history_) >= 0).all() and model.n_iter_ == len(model.history_)
    assert model.log_likelihood_ == pytest.approx(expected[np.arange(len(X)), y].sum(), rel=1e-9)
    np.testing.assert_allclose(model.shares_.sum(axis=1), 1.0, rtol=1e-12)
    r = model.responsibilities(X)
    assert r.shape == (300, len(model.means_))
    np.testing.assert_allclose(r.sum(axis=1), 1.0, rtol=1e-12)


def test_parameters_are_counted() -> None:
    X, y = blobs(300)
    model = GaussianMixtureClassifier(2).fit(
        X, y
    )  # 3 classes: 2 priors; 2 blobs of 4 means and 10 covariances, 1 share
    assert model.n_parameters_ == 2 + 3 * (1 + 2 * (4 + 10))
    assert GaussianMixtureClassifier(2, covariance="tied").fit(X, y).n_parameters_ == 2 + 3 * (1 + 8 + 10)
    assert GaussianMixtureClassifier(2, covariance="spherical").fit(X, y).n_parameters_ == 2 + 3 * (1 + 8 + 2)
    together = GaussianMixtureClassifier(4, covariance="diagonal", shared="all").fit(X, y)
    assert together.n_parameters_ == 2 + 3 * 3 + 4 * 8
    assert together.with_priors("uniform").n_parameters_ == 3 * 3 + 4 * 8


def test_blobs_of_all_rows_have_shares_in_every_class() -> None:
    X, y = planted()
    model = GaussianMixtureClassifier(4, shared="all").fit(X, y)
    assert model.shares_.shape == (2, 4) and (model.predict(X) != y).mean() < 0.02
    np.testing.assert_allclose(
        model.class_prior_ @ model.shares_, model.responsibilities(X).mean(axis=0), atol=0.02
    )
    labels = np.random.default_rng(0).integers(0, 2, len(X))  # nothing to learn: every blob is half of each
    blind = GaussianMixtureClassifier(4, shared="all").fit(X, labels)
    assert np.abs(blind.predict_proba(X) - labels.mean()).max() < 0.5 and bic(model) < bic(blind)


def test_other_priors_without_a_refit() -> None:
    X, y = blobs()
    for model in mixture_classifiers():
        moved = clone(model).fit(X, y).with_priors([0.2, 0.5, 0.3])
        again = clone(model).set_params(priors=[0.2, 0.5, 0.3]).fit(X, y)
        np.testing.assert_allclose(moved.predict_proba(X), again.predict_proba(X), rtol=1e-12)
        assert moved.log_likelihood_ == pytest.approx(again.log_likelihood_, rel=1e-12)
    with raises("L048", n_classes=3):
        again.with_priors([0.5, 0.5])


def test_rows_that_are_drawn_look_like_the_model() -> None:
    X, y = planted()
    for covariance in ("full", "diagonal"):
        model = GaussianMixtureClassifier(3, covariance=covariance).fit(X, np.array(["a", "b"])[y])
        rows, labels = model.sample(40_000, random_state=3)
        assert (labels == "b").mean() == pytest.approx(0.5, abs=0.01)
        again = GaussianMixtureClassifier(3, covariance=covariance).fit(rows, labels)
        order, other = (np.lexsort(m.means_[3:].T) for m in (model, again))
        np.testing.assert_allclose(model.means_[3:][order], again.means_[3:][other], atol=0.1)
        mine, theirs = matrices(model)[3:][order], matrices(again)[3:][other]
        np.testing.assert_allclose(mine, theirs, atol=0.15)
        assert model.sample(5, 1)[0].tolist() == model.sample(5, 1)[0].tolist()


@pytest.mark.parametrize("model", mixture_classifiers(), ids=shown)
def test_what_must_not_matter(model: Any) -> None:
    X, y = blobs(120, seed=2)
    rng = np.random.default_rng(0)
    expected = clone(model).fit(X, y).predict_log_proba(X)
    order = rng.permutation(len(X))
    np.testing.assert_allclose(clone(model).fit(X[order], y[order]).predict_log_proba(X), expected, atol=1e-7)
    weight = rng.integers(0, 4, len(X))
    repeated = rng.permutation(np.repeat(np.arange(len(X)), weight))
    one, two = clone(model).fit(X, y, weight), clone(model).fit(X[repeated], y[repeated])
    np.testing.assert_allclose(one.predict_log_proba(X), two.predict_log_proba(X), atol=1e-7)
    assert bic(one) == pytest.approx(bic(two), rel=1e-9)
    third = clone(model).fit(np.asfortranarray(X), np.array(["b", "c", "a"])[y])
    np.testing.assert_allclose(third.predict_log_proba(X)[:, [1, 2, 0]], expected, atol=1e-7)
    moved = X * (1.0 if model.covariance == "spherical" else np.array([1e4, 1.0, 1e-3, 7.0])) + 1e3
    np.testing.assert_allclose(clone(model).fit(moved, y).predict_log_proba(moved), expected, atol=1e-5)


@pytest.mark.parametrize("model", mixture_classifiers(), ids=shown)
def test_threads_change_no_bit(model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = blobs(500)
    found = []
    for threads in ("1", "3"):
        monkeypatch.setenv("ASSAY_THREADS", threads)
        fitted = clone(model).fit(X, y)
        found.append((fitted.history_.tolist(), fitted.predict_proba(X).tolist()))
    assert found[0] == found[1]


def test_far_rows_keep_their_order_in_the_logarithm() -> None:
    X, y = strips()
    model = GaussianMixtureClassifier(2).fit(X, y)
    logs = model.predict_log_proba(np.array([[400.0, 0.0], [-400.0, 3.0]]))
    assert np.isfinite(logs).all() and (logs[:, 0] < -1000).all()
    with raises("N700"):
        model.predict(np.array([[1e200, 0.0]]))


def test_more_starts_are_no_worse() -> None:
    X, y = blobs(400, width=3, classes=2, seed=4)
    values = [GaussianMixtureClassifier(4, n_starts=n).fit(X, y).history_[9] for n in (1, 2, 6)]
    assert values == sorted(values)


def test_old_names_of_parameters_and_attributes_still_work() -> None:
    X, y = blobs()
    with pytest.warns(FutureWarning) as caught:
        model = GaussianMixtureClassifier(n_blobs="bic", max_blobs=2)  # type: ignore[call-arg]
    assert [str(warning.message) for warning in caught] == [
        Note("M500", owner="GaussianMixtureClassifier", name="n_blobs", today="n_components"),
        Note("M500", owner="GaussianMixtureClassifier", name="max_blobs", today="max_components"),
    ]
    assert (model.n_components, model.max_components) == ("bic", 2)
    with warns("M504", name="n_blobs_", today="n_components_"):
        assert model.fit(X, y).n_blobs_.tolist() == model.n_components_.tolist()
    with warns("M500", name="n_blobs", today="n_components"):
        assert model.set_params(n_blobs=3).n_components == 3


def test_an_old_and_a_new_name_together_are_one_sentence() -> None:
    with raises("M501", TypeError, name="n_blobs", today="n_components"):
        GaussianMixtureClassifier(n_components=2, n_blobs=3)  # type: ignore[call-arg]
    with raises("M501", TypeError, name="n_blobs", today="n_components"):
        GaussianMixtureClassifier().set_params(n_blobs=3, n_components=2)
