"""P(error) of a density model: exact on a line and for two classes with one covariance, sampled otherwise."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, poisson
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

from assay import (
    BernoulliNB,
    CategoricalNB,
    ComplementNB,
    GaussianMixtureClassifier,
    MixedNB,
    MultinomialNB,
)
from assay.models.gaussian.gaussian_classifier import GaussianClassifier
from assay.models.inspection import error_probability as module
from assay.models.inspection.error_probability import ErrorProbability, error_probability
from assay.models.linear.least_squares import LeastSquaresClassifier
from assay.models.naive_bayes.binary import BinaryNB
from assay.models.naive_bayes.gaussian import GaussianNB
from assay.models.naive_bayes.poisson import PoissonNB
from assay.models.projection.fisher import FisherDiscriminant
from tests.raised import raises

FAMILY = ("full", "shared", "diagonal", "shared_diagonal", "spherical", "shared_spherical")


def on_a_line(
    means: list[float], deviations: list[float], shares: list[int]
) -> tuple[np.ndarray, np.ndarray]:
    """Rows whose class means and (maximum-likelihood) deviations are these, exactly."""
    rows = [np.tile([m - s, m + s], n) for m, s, n in zip(means, deviations, shares, strict=True)]
    return np.concatenate(rows)[:, None], np.repeat(np.arange(len(means)), [len(r) for r in rows])


def by_grid(means: list[float], deviations: list[float], priors: np.ndarray) -> float:
    """1 - ∫ max_k P_k p_k(x) dx by a fine sum."""
    spread = 12.0 * max(deviations)
    x = np.linspace(min(means) - spread, max(means) + spread, 40_001)
    joint = np.stack([p * norm(m, s).pdf(x) for p, m, s in zip(priors, means, deviations, strict=True)])
    return 1.0 - float(joint.max(axis=0).sum() * (x[1] - x[0]))


def sampled(model: GaussianClassifier, n: int = 100_000, seed: int = 0) -> ErrorProbability:
    return module._by_sampling(model, n, np.random.default_rng(seed))


def test_two_unit_gaussians_a_distance_two_apart() -> None:
    X, y = on_a_line([0.0, 2.0], [1.0, 1.0], [1, 1])
    for model in (GaussianNB(), *(GaussianClassifier(name) for name in FAMILY)):
        found = error_probability(model.fit(X, y))
        assert found.exact and found.standard_error == 0.0
        assert found.value == pytest.approx(norm.sf(1.0), rel=1e-12)
        assert round(found.value, 4) == 0.1587
        np.testing.assert_allclose(
            found.confusion, [[0.5 - 0.079328, 0.079328], [0.079328, 0.5 - 0.079328]], atol=1e-6
        )


@given(
    means=st.lists(st.floats(-5.0, 5.0), min_size=2, max_size=5),
    deviations=st.lists(st.floats(0.3, 4.0), min_size=5, max_size=5),
    shares=st.lists(st.integers(1, 4), min_size=5, max_size=5),
)
@settings(max_examples=40)
def test_exact_on_a_line(means: list[float], deviations: list[float], shares: list[int]) -> None:
    k = len(means)
    X, y = on_a_line(means, deviations[:k], shares[:k])
    model = GaussianClassifier("full").fit(X, y)
    found = error_probability(model)
    assert found.exact
    assert found.value == pytest.approx(by_grid(means, deviations[:k], model.class_prior_), abs=2e-5)
    np.testing.assert_allclose(found.confusion.sum(axis=1), model.class_prior_, atol=1e-12)


def test_a_region_in_two_parts() -> None:
    """The wide class wins on both sides of the narrow one: two roots, two tails."""
    X, y = on_a_line([0.0, 0.0], [1.0, 3.0], [1, 1])
    found = error_probability(GaussianNB().fit(X, y))
    edge = np.sqrt(2.0 * np.log(3.0) / (1.0 - 1.0 / 9.0))
    expected = 0.5 * 2.0 * norm.sf(edge) + 0.5 * (1.0 - 2.0 * norm.sf(edge / 3.0))
    assert found.value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("means", [[1.0, 0.0], [0.0, 1.0]])
def test_deviations_equal_up_to_rounding(means: list[float]) -> None:
    """The quadratic then has a second root near 1e16."""
    X, y = on_a_line(means, [0.3, np.nextafter(0.3, 1.0)], [1, 1])
    assert error_probability(GaussianNB().fit(X, y)).value == pytest.approx(norm.sf(0.5 / 0.3), rel=1e-9)


def test_tiny_errors_keep_their_digits() -> None:
    X, y = on_a_line([0.0, 40.0], [1.0, 1.0], [1, 1])
    assert error_probability(GaussianNB().fit(X, y)).value == pytest.approx(norm.sf(20.0), rel=1e-9)


@pytest.mark.parametrize("priors", [[0.5, 0.5], [0.9, 0.1], [1.0, 0.0], "uniform"])
def test_priors_enter_the_rule_and_the_mixture(priors: object) -> None:
    X, y = on_a_line([0.0, 2.0], [1.0, 1.0], [3, 1])
    found = error_probability(GaussianNB().fit(X, y), priors=priors)
    p = np.array([0.5, 0.5]) if priors == "uniform" else np.asarray(priors)
    if p[1] == 0.0:
        assert found.value == 0.0
        return
    edge = 1.0 + np.log(p[0] / p[1]) / 2.0
    assert found.value == pytest.approx(p[0] * norm.sf(edge) + p[1] * norm.cdf(edge - 2.0), rel=1e-12)
    refitted = error_probability(GaussianNB(priors=priors).fit(X, y))
    np.testing.assert_allclose(found.confusion, refitted.confusion)


@pytest.mark.parametrize("name", ["shared", "shared_diagonal", "shared_spherical"])
def test_two_classes_with_one_covariance_are_a_line(name: str) -> None:
    X, y = load_iris(return_X_y=True)
    model = GaussianClassifier(name).fit(X[50:], y[50:])
    found = error_probability(model, priors=[0.3, 0.7])
    assert found.exact
    covariance = model.covariance_ if name == "shared" else np.diag(model.var_[0])
    apart = model.means_[1] - model.means_[0]
    distance = np.sqrt(apart @ np.linalg.solve(covariance, apart))
    edge = distance / 2.0 + np.log(0.3 / 0.7) / distance
    assert found.value == pytest.approx(0.3 * norm.sf(edge) + 0.7 * norm.cdf(edge - distance), rel=1e-9)
    drawn = sampled(model.with_priors([0.3, 0.7]))
    assert abs(drawn.value - found.value) <= 4.0 * drawn.standard_error


@pytest.mark.parametrize("model", [GaussianNB(), *(GaussianClassifier(name) for name in FAMILY)])
def test_sampling_agrees_with_counted_errors(model: GaussianClassifier) -> None:
    X, y = load_iris(return_X_y=True)
    X = X[:, :2]
    model.fit(X, y)
    found = error_probability(model, n_samples=20_000)
    assert not found.exact and found.standard_error > 0.0
    np.testing.assert_allclose(found.confusion.sum(), 1.0)
    rng = np.random.default_rng(5)
    wrong = []
    for k in range(3):
        mean = model.statistics_.mean[k]
        spread = getattr(model, "covariance_", None)
        spread = np.stack([np.diag(v) for v in model.var_]) if spread is None else spread
        drawn = rng.multivariate_normal(mean, spread if spread.ndim == 2 else spread[k], size=20_000)
        wrong.append((model.predict(drawn) != k).mean())
    counted, error = np.mean(wrong), np.sqrt(np.mean(wrong) / 60_000)
    assert abs(found.value - counted) <= 4.0 * np.hypot(found.standard_error, error)


def test_the_standard_error_is_that_of_repetitions() -> None:
    X, y = load_iris(return_X_y=True)
    model = GaussianClassifier("full").fit(X, y)
    runs = [error_probability(model, n_samples=500, random_state=seed) for seed in range(150)]
    spread = np.std([run.value for run in runs], ddof=1)
    claimed = np.sqrt(np.mean([run.standard_error**2 for run in runs]))
    assert 0.8 < claimed / spread < 1.25
    assert runs[0].value == error_probability(model, n_samples=500, random_state=0).value


def test_blocks_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = load_iris(return_X_y=True)
    model = GaussianClassifier("full").fit(pd.DataFrame(X, columns=list("abcd")), y)
    whole = error_probability(model, n_samples=3_000)
    monkeypatch.setattr(module, "BLOCK", 400)
    monkeypatch.setattr(module, "FEWEST", 1)
    assert error_probability(model, n_samples=3_000).value == pytest.approx(whole.value, rel=1e-9)


def test_features_left_out_do_not_count() -> None:
    X, y = on_a_line([0.0, 2.0], [1.0, 1.0], [1, 1])
    wide = np.column_stack([np.full(len(X), 5.0), X])
    assert error_probability(GaussianClassifier().fit(wide, y)).value == pytest.approx(norm.sf(1.0))
    nothing = error_probability(
        GaussianClassifier("shared", priors=[0.8, 0.2]).fit(np.ones((4, 2)), [0, 0, 1, 1])
    )
    assert nothing.exact and nothing.value == pytest.approx(0.2)


def test_a_class_never_seen() -> None:
    X, y = on_a_line([0.0, 2.0], [1.0, 1.0], [1, 1])
    model = GaussianNB().partial_fit(X, y, classes=[0, 1, 2])
    assert error_probability(model).value == pytest.approx(norm.sf(1.0))
    with raises("M111"):
        error_probability(model, priors="uniform")


def wrong(model: Any, rows: Any, chances: np.ndarray) -> float:
    """1 - Σ_x max_k P(C_k) P(x | C_k) over all rows there are, given P(x | C_k) of each, (N, K)."""
    joint = chances * model.class_prior_
    np.testing.assert_allclose(joint.sum(), 1.0, rtol=1e-9)
    np.testing.assert_allclose(model.predict_proba(rows), joint / joint.sum(axis=1, keepdims=True), rtol=1e-6)
    return 1.0 - float(joint.max(axis=1).sum())


def test_naive_bayes_of_counts_against_all_rows_there_are() -> None:
    """Few enough rows are possible that their probabilities can be added up."""
    draw = np.random.default_rng(2)
    y = np.repeat([0, 1, 2], [30, 20, 10])
    X = draw.poisson(1.0 + 0.7 * y[:, None], size=(60, 3))
    words = MultinomialNB().fit(X, y)
    length = round(X.sum() / 60)
    documents = np.array([r for r in product(range(length + 1), repeat=3) if sum(r) == length])
    cases = [(words, documents, words.predict_joint_log_proba(documents, coefficient=True))]
    presence = np.array(list(product([0, 1], repeat=3)))
    for model in (BernoulliNB(), BinaryNB()):
        cases.append((model.fit(X, y), presence, model.predict_joint_log_proba(presence)))
    levels = CategoricalNB(unseen="ignore").fit(X.astype(str), y)
    table = np.array(list(product(*levels.levels_)))
    cases.append((levels, table, levels.predict_joint_log_proba(table)))
    other = CategoricalNB().fit(X.astype(str), y)  # a level that training never showed has some probability
    table = np.array(list(product(*([*own, "new"] for own in other.levels_))))
    cases.append((other, table, other.predict_joint_log_proba(table)))
    for model, rows, joint in cases:
        found = error_probability(model, n_samples=20_000)
        expected = wrong(model, rows, np.exp(joint) / model.class_prior_)
        assert not found.exact and abs(found.value - expected) <= 4.0 * found.standard_error
        assert 0.0 < found.standard_error < 0.005


def test_poisson_counts() -> None:
    model = PoissonNB(smoothing=0.0).fit([[2], [4], [9], [7], [8]], ["few", "few", "many", "many", "many"])
    chances = poisson.pmf(np.arange(60)[:, None], model.rate_[:, 0])
    expected = wrong(model, np.arange(60)[:, None], chances)
    found = error_probability(model)
    assert abs(found.value - expected) <= 4.0 * found.standard_error


def test_mixtures() -> None:
    X, y = on_a_line([0.0, 2.0], [1.0, 1.0], [2, 2])
    found = error_probability(GaussianMixtureClassifier(1).fit(X, y))
    assert not found.exact and abs(found.value - norm.sf(1.0)) <= 4.0 * found.standard_error
    X, y = load_iris(return_X_y=True)
    for shape in ("full", "spherical"):
        model = GaussianMixtureClassifier(2, covariance=shape).fit(X[:, :2], y)
        found = error_probability(model, n_samples=20_000)
        rows, labels = model.sample(20_000, random_state=1)
        counted = (model.predict(rows) != labels).mean()
        assert abs(found.value - counted) <= 4.0 * np.hypot(found.standard_error, np.sqrt(counted / 20_000))
    assert error_probability(model, priors=[1.0, 0.0, 0.0]).value == 0.0


def test_mixed_columns_are_drawn_part_by_part() -> None:
    X, y = load_iris(return_X_y=True)
    draw = np.random.default_rng(0)
    table = pd.DataFrame(X[:, :2], columns=["a", "b"])
    same = error_probability(MixedNB().fit(table, y), n_samples=20_000)
    alone = error_probability(GaussianNB().fit(X[:, :2], y), n_samples=20_000)
    assert same.value == pytest.approx(alone.value, rel=1e-9)
    table["colour"] = np.where(draw.random(150) < 0.2, "red", np.array(["green", "blue", "red"])[y])
    table["calls"] = draw.poisson(1 + y)
    table["text"] = [f"{'ball goal' if k else 'vote poll'} {'day' * (i % 2)}" for i, k in enumerate(y)]
    kinds = {"calls": "count", "text": "text", "colour": "categorical"}
    more = error_probability(MixedNB(kinds=kinds).fit(table, y), n_samples=20_000)
    assert 0.0 < more.value < same.value and more.standard_error > 0.0


def test_bad_input_is_refused() -> None:
    X, y = load_iris(return_X_y=True)
    for other in (LeastSquaresClassifier(), FisherDiscriminant(), ComplementNB()):
        with raises("M112", TypeError):
            error_probability(other.fit(X, y))
    with pytest.raises(NotFittedError):
        error_probability(GaussianNB())
    for n_samples in (0, 1.5, "many"):
        with raises("M113"):
            error_probability(GaussianNB().fit(X, y), n_samples=n_samples)  # type: ignore[arg-type]
    with raises("L048", n_classes=3):
        error_probability(GaussianNB().fit(X, y), priors=[0.5, 0.5])
