"""Examples worked by hand: densities, discriminants, nearest means, priors, losses, information criteria."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import expit, softmax
from scipy.stats import multivariate_normal, norm

from assay import (
    BernoulliNB,
    GaussianClassifier,
    GaussianMixtureClassifier,
    GaussianNB,
    MultinomialNB,
    aic,
    bic,
    decide,
    error_probability,
    mutual_information,
)
from assay.models.gaussian.parameters import COVARIANCES
from tests.contract.registry import blobs
from tests.raised import raises

# Height (feet), weight (pounds) and foot size (inches) of four men and four women.
PEOPLE = np.array(
    [
        [6.00, 180, 12],
        [5.92, 190, 11],
        [5.58, 170, 12],
        [5.92, 165, 10],
        [5.00, 100, 6],
        [5.50, 150, 8],
        [5.42, 130, 7],
        [5.75, 150, 9],
    ]
)
SEX = np.array(["male"] * 4 + ["female"] * 4)
SOMEBODY = np.array([[6.0, 130.0, 8.0]])


def test_people_means_and_variances() -> None:
    model = GaussianNB(variance="unbiased").fit(PEOPLE, SEX)
    assert model.classes_.tolist() == ["female", "male"]
    np.testing.assert_allclose(model.theta_, [[5.4175, 132.5, 7.5], [5.855, 176.25, 11.25]], rtol=1e-12)
    known = [[9.7225e-2, 5.5833e2, 1.6667], [3.5033e-2, 1.2292e2, 9.1667e-1]]
    np.testing.assert_allclose(model.var_, known, rtol=5e-5)
    np.testing.assert_allclose(GaussianNB().fit(PEOPLE, SEX).var_, 0.75 * model.var_, rtol=1e-12)


@pytest.mark.parametrize(
    ("variance", "male", "female"), [("unbiased", 6.1971e-9, 5.3779e-4), ("ml", 6.9578e-11, 4.5055e-4)]
)
def test_people_numerators(variance: str, male: float, female: float) -> None:
    model = GaussianNB(variance=variance).fit(PEOPLE, SEX)
    by_hand = [
        0.5 * norm.pdf(SOMEBODY, mean, np.sqrt(var)).prod()
        for mean, var in zip(model.theta_, model.var_, strict=True)
    ]
    numerators = np.exp(model.predict_joint_log_proba(SOMEBODY)[0])
    np.testing.assert_allclose(numerators, [female, male], rtol=1e-4)
    np.testing.assert_allclose(numerators, by_hand, rtol=1e-9)
    np.testing.assert_allclose(model.predict_proba(SOMEBODY)[0], numerators / numerators.sum(), rtol=1e-9)
    assert model.predict(SOMEBODY).tolist() == ["female"]


def test_the_linear_form_of_three_families_gives_the_posterior() -> None:
    """Bernoulli, multinomial and shared-covariance classes: softmax(w_k x + w_k0) is P(C_k | x)."""
    X, y = blobs(rows=120, classes=3, seed=9)
    counts = np.random.default_rng(9).poisson(1 + np.exp(X - X.max(axis=0)) + y[:, None])
    for model, rows in [
        (BernoulliNB(), (counts > 2).astype(float)),
        (MultinomialNB(smoothing=0.5), counts),
        (GaussianClassifier("shared"), X),
    ]:
        three = model.fit(rows, y)
        assert three.coef_.shape == (3, rows.shape[1]) and three.intercept_.shape == (3,)
        linear = softmax(rows @ three.coef_.T + three.intercept_, axis=1)
        np.testing.assert_allclose(linear, three.predict_proba(rows), rtol=1e-9, atol=1e-12)
        two = model.fit(rows[y < 2], y[y < 2])
        linear = expit(rows @ two.coef_[0] + two.intercept_[0])
        np.testing.assert_allclose(linear, two.predict_proba(rows)[:, 1], rtol=1e-9, atol=1e-12)


def test_two_classes_with_a_shared_covariance_are_a_sigmoid() -> None:
    X, y = blobs(classes=2, seed=1)
    model = GaussianClassifier("shared").fit(X, y)
    means = np.array([X[y == k].mean(axis=0) for k in (0, 1)])
    counts = np.bincount(y)
    within = sum(counts[k] / len(y) * np.cov(X[y == k].T, bias=True) for k in (0, 1))
    np.testing.assert_allclose(model.covariance_, within, rtol=1e-10)
    inverse = np.linalg.inv(within)
    w = inverse @ (means[1] - means[0])
    quadratic = [mean @ inverse @ mean for mean in means]
    w0 = -0.5 * (quadratic[1] - quadratic[0]) + np.log(counts[1] / counts[0])
    np.testing.assert_allclose(model.coef_, [w], rtol=1e-9)
    np.testing.assert_allclose(model.intercept_, [w0], rtol=1e-9)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], expit(X @ w + w0), rtol=1e-8)


def test_many_classes_with_a_shared_covariance_are_a_softmax() -> None:
    X, y = blobs(classes=4, seed=2)
    model = GaussianClassifier("shared", variance="unbiased").fit(X, y)
    within = sum((np.bincount(y)[k] - 1) * np.cov(X[y == k].T) for k in range(4)) / (len(y) - 4)
    np.testing.assert_allclose(model.covariance_, within, rtol=1e-10)
    weights = model.means_ @ np.linalg.inv(within)
    offsets = -0.5 * (weights * model.means_).sum(axis=1) + np.log(np.bincount(y) / len(y))
    np.testing.assert_allclose(model.predict_proba(X), softmax(X @ weights.T + offsets, axis=1), rtol=1e-8)
    np.testing.assert_allclose(
        softmax(X @ model.coef_.T + model.intercept_, axis=1), model.predict_proba(X), rtol=1e-8
    )


def test_a_two_by_two_covariance_inverted_by_hand() -> None:
    X, y = blobs(width=2, classes=2, seed=3)
    model = GaussianClassifier("full").fit(X, y)
    (a, b), (_, d) = model.covariance_[1]
    determinant = a * d - b * b
    inverse = np.array([[d, -b], [-b, a]]) / determinant
    away = X - X[y == 1].mean(axis=0)
    density = -np.log(2 * np.pi) - 0.5 * np.log(determinant) - 0.5 * (away @ inverse * away).sum(axis=1)
    expected = density + np.log((y == 1).mean())
    np.testing.assert_allclose(model._class_scores(X)[:, 1], expected, rtol=1e-9)
    correlation = b / np.sqrt(a * d)
    assert correlation == pytest.approx(np.corrcoef(X[y == 1].T)[0, 1], rel=1e-10)


def test_shared_spheres_with_equal_priors_are_nearest_means() -> None:
    X, y = blobs(classes=3, seed=4)
    model = GaussianClassifier("shared_spherical", priors="uniform").fit(X, y)
    distance = ((X[:, None, :] - model.means_) ** 2).sum(axis=2)
    assert (model.predict(X) == distance.argmin(axis=1)).all()


def test_own_spheres_are_not_nearest_means() -> None:
    """Means 0 and 3, deviations 1 and 3: at -4 the farther mean wins."""
    X = np.array([[-1.0], [1.0], [0.0], [6.0]])
    y = np.array([0, 0, 1, 1])
    model = GaussianClassifier("spherical", priors="uniform").fit(X, y)
    np.testing.assert_allclose(np.sqrt(model.var_).ravel(), [1.0, 3.0])
    assert model.predict([[-4.0]]).tolist() == [1]
    assert GaussianClassifier("shared_spherical", priors="uniform").fit(X, y).predict([[-4.0]]).tolist() == [
        0
    ]
    assert norm.logpdf(-4, 3, 3) > norm.logpdf(-4, 0, 1)


def test_equal_likelihoods_leave_the_choice_to_the_prior() -> None:
    """A fruit halfway between lemons and dragonfruits: the corner shop sells nine lemons for one dragonfruit."""
    ratio = np.array([[1.0], [2.0], [1.0], [2.0]]) + np.array([[0.0], [0.0], [2.0], [2.0]])
    fruit = np.array(["lemon", "lemon", "dragonfruit", "dragonfruit"])
    model = GaussianNB(priors="uniform").fit(ratio, fruit)
    halfway = [[2.5]]
    np.testing.assert_allclose(model.predict_proba(halfway), [[0.5, 0.5]])
    shop = model.with_priors([0.1, 0.9])  # dragonfruit, lemon
    np.testing.assert_allclose(shop.predict_proba(halfway), [[0.1, 0.9]])
    assert shop.predict(halfway).tolist() == ["lemon"]
    assert model.decide(halfway, priors=[0.9, 0.1]).labels.tolist() == ["dragonfruit"]
    np.testing.assert_allclose(model.predict_proba(halfway), [[0.5, 0.5]])  # the first model is as it was


def test_maximum_likelihood_priors_are_shares() -> None:
    X, y = blobs(seed=5)
    model = GaussianNB().fit(X, y)
    np.testing.assert_allclose(len(y) * model.class_prior_, np.bincount(y), rtol=1e-12)


def test_one_posterior_two_losses_two_decisions() -> None:
    """Seven to three for class 0: right under zero-one loss, wrong when missing class 1 costs five."""
    posterior = [[0.7, 0.3]]
    assert decide(posterior).codes.tolist() == [0]
    costly = decide(posterior, [[0, 1], [5, 0]])
    assert costly.codes.tolist() == [1]
    np.testing.assert_allclose(costly.risks, [[1.5, 0.7]])


def joint_log_likelihood(X: Any, y: Any, covariances: list[Any]) -> float:
    total = 0.0
    for k, covariance in enumerate(covariances):
        rows = X[y == k]
        total += multivariate_normal(rows.mean(axis=0), covariance).logpdf(rows).sum()
        total += len(rows) * np.log(len(rows) / len(y))
    return total


def ml_covariances(X: Any, y: Any, covariance: str) -> tuple[list[Any], int]:
    """Maximum-likelihood covariances of every class, and how many free numbers they have."""
    classes, width = int(y.max()) + 1, X.shape[1]
    own = [np.cov(X[y == k].T, bias=True) for k in range(classes)]
    pooled = sum((y == k).mean() * own[k] for k in range(classes))
    shape = covariance.removeprefix("shared_").replace("shared", "full")
    make = {
        "full": lambda s: s,
        "diagonal": lambda s: np.diag(np.diag(s)),
        "spherical": lambda s: np.eye(width) * np.trace(s) / width,
    }[shape]
    each = {"full": width * (width + 1) // 2, "diagonal": width, "spherical": 1}[shape]
    if covariance.startswith("shared"):
        return [make(pooled)] * classes, each
    return [make(s) for s in own], classes * each


@pytest.mark.parametrize("covariance", COVARIANCES)
@pytest.mark.parametrize("variance", ["ml", "unbiased"])
def test_information_criteria(covariance: str, variance: str) -> None:
    """Counted and summed at the maximum-likelihood fit, whatever divisor the model itself uses."""
    X, y = blobs(rows=80, seed=6)
    model = GaussianClassifier(covariance, variance=variance).fit(X, y)
    covariances, free = ml_covariances(X, y, covariance)
    k = 3 * 4 + free + 3 - 1
    likelihood = joint_log_likelihood(X, y, covariances)
    assert model.n_parameters_ == k
    assert model.log_likelihood_ == pytest.approx(likelihood, rel=1e-10)
    assert aic(model) == pytest.approx(2 * k - 2 * likelihood, rel=1e-10)
    assert bic(model) == pytest.approx(k * np.log(80) - 2 * likelihood, rel=1e-10)


def test_parameter_counts_by_formula() -> None:
    X, y = blobs(rows=80, width=5, classes=4, seed=7)
    K, D = 4, 5
    assert GaussianNB().fit(X, y).n_parameters_ == 2 * K * D + K - 1
    assert GaussianClassifier("full").fit(X, y).n_parameters_ == K * (D + D * (D + 1) // 2) + K - 1
    assert GaussianClassifier("shared").fit(X, y).n_parameters_ == K * D + D * (D + 1) // 2 + K - 1
    assert GaussianNB(priors="uniform").fit(X, y).n_parameters_ == 2 * K * D
    naive, diagonal = GaussianNB().fit(X, y), GaussianClassifier("diagonal").fit(X, y)
    assert aic(naive) == pytest.approx(aic(diagonal), rel=1e-12)


def test_criteria_of_weighted_rows() -> None:
    X, y = blobs(rows=40, seed=8)
    weight = np.random.default_rng(0).integers(1, 4, 40)
    repeated = np.repeat(np.arange(40), weight)
    for model in (GaussianNB(), GaussianClassifier("shared"), GaussianClassifier("full")):
        one = model.fit(X, y, weight)
        first = aic(one), bic(one)
        two = model.fit(X[repeated], y[repeated])
        assert first == pytest.approx((aic(two), bic(two)), rel=1e-10)


def test_models_without_a_likelihood_have_no_criterion() -> None:
    from assay import LeastSquaresClassifier

    X, y = blobs()
    with raises("S080", kind="LeastSquaresClassifier"):
        aic(LeastSquaresClassifier().fit(X, y))
    with pytest.raises(ValueError, match="GaussianNB is not fitted"):
        bic(GaussianNB())


def test_two_unit_gaussians_a_distance_two_apart_err_in_16_percent() -> None:
    """Exactly for Gaussian classes; a mixture of one component per class finds it by drawing rows."""
    X, y = np.array([[-1.0], [1.0], [-1.0], [1.0], [1.0], [3.0], [1.0], [3.0]]), np.repeat([0, 1], 4)
    for model in (GaussianNB(), GaussianClassifier("shared"), GaussianClassifier("full")):
        exact = error_probability(model.fit(X, y))
        assert round(exact.value, 4) == 0.1587 and exact.standard_error == 0.0
    drawn = error_probability(GaussianMixtureClassifier(n_components=1).fit(X, y))
    assert 0.0 < drawn.standard_error < 0.001
    assert abs(drawn.value - 0.1587) < 4.0 * drawn.standard_error + 1e-4


def test_mutual_information_of_independent_features() -> None:
    """An exact product table tells nothing; samples seem to tell (levels-1)(K-1)/(2N), the uncut correction 0."""
    table = np.repeat(np.array([[a, b] for a in range(3) for b in range(2)]), 20, axis=0)
    assert mutual_information(table[:, :1], table[:, 1], corrected=False)[0] == pytest.approx(0.0, abs=1e-12)
    draw = np.random.default_rng(7)
    X, y = draw.integers(4, size=(300, 3000)), draw.integers(3, size=300)
    plain, corrected = (mutual_information(X, y, corrected=c, cut=False) for c in (False, True))
    expected, error = 3 * 2 / (2 * 300), plain.std() / np.sqrt(3000)
    assert plain.mean() == pytest.approx(expected, rel=0.02)
    assert abs(corrected.mean()) < 4 * error + 0.01 * expected
    assert mutual_information(X, y).mean() > 10 * error  # cut at 0 it is biased again
