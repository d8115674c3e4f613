"""One test per method, by public names only: each reproduces the worked example of its row in docs/methods.md."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster
from scipy.cluster.hierarchy import linkage as scipy_linkage
from scipy.optimize import linprog
from scipy.spatial.distance import pdist
from scipy.special import expit, softmax
from scipy.stats import multivariate_normal
from sklearn.datasets import load_breast_cancer, load_iris, make_circles
from sklearn.pipeline import make_pipeline

import assay
from assay import distances, distributions

Array = np.ndarray[Any, Any]

CORNERS = [[0, 0], [0, 1], [1, 0], [1, 1]]
AND, OR, XOR = [0, 0, 0, 1], [0, 1, 1, 1], [0, 1, 1, 0]
# Height (feet), weight (pounds) and foot size (inches) of four men and four women.
PEOPLE = np.array(
    [
        [6.00, 180, 12], [5.92, 190, 11], [5.58, 170, 12], [5.92, 165, 10],
        [5.00, 100, 6], [5.50, 150, 8], [5.42, 130, 7], [5.75, 150, 9],
    ]
)  # fmt: skip
SEX = np.array(["male"] * 4 + ["female"] * 4)
# Four critics' ratings of three films, and a user who has not seen the third.
CRITICS = np.array([[5.0, 4, 2], [1, 3, 3], [4, 1, 4], [1, 2, 5]])
USER = {"0": 4.0, "1": 3.0}
# Documents as counts of the words ball, goal, vote.
WORDS, TOPICS = (
    np.array([[2, 1, 0], [1, 2, 0], [0, 0, 3], [1, 0, 2]]),
    ["sport", "sport", "politics", "politics"],
)


def blobs(rows: int = 90, width: int = 3, classes: int = 3, seed: int = 0, apart: float = 2.0) -> Any:
    """Overlapping classes, each around a mean of its own."""
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % classes
    return rng.normal(size=(rows, width)) + apart * rng.normal(size=(classes, width))[y], y


def noise(rows: int, width: int, seed: int = 0) -> Any:
    """Columns that say nothing about balanced labels."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(rows, width)), rng.permutation(np.arange(rows) % 2)


# -- A. Measuring closeness ----------------------------------------------------------------------------------


def test_a1() -> None:
    assert distances.hamming("01101001", "10101010") == 4
    X = np.array([[0.0, 0.0], [3.0, 4.0], [1.0, -1.0]])
    apart = X[:, None] - X
    assert np.allclose(distances.pairwise(X), np.sqrt((apart**2).sum(axis=2)))
    assert np.allclose(distances.pairwise(X, metric="manhattan"), np.abs(apart).sum(axis=2))
    assert np.array_equal(distances.pairwise(X, metric="hamming"), (apart != 0).sum(axis=2))


def test_a2() -> None:
    X, _ = blobs(5)
    assert distances.similarity(0.0) == 1.0
    assert np.allclose(np.diag(distances.similarity(distances.pairwise(X))), 1.0)
    cosine = X[0] @ X[1] / np.linalg.norm(X[0]) / np.linalg.norm(X[1])
    assert distances.cosine(X[0], X[1]) == pytest.approx(cosine)
    assert distances.pairwise(X, metric="cosine")[0, 1] == pytest.approx(1.0 - cosine)


def test_a3() -> None:
    assert distances.pearson([1, 2, 3], [61, 62, 63]) == 1.0
    x, y = np.random.default_rng(0).normal(size=(2, 40))
    z = [(v - v.mean()) / v.std(ddof=1) for v in (x, y)]
    forms = [
        (z[0] * z[1]).sum() / 39,
        distances.cosine(x - x.mean(), y - y.mean()),
        np.cov(x, y)[0, 1] / (x.std(ddof=1) * y.std(ddof=1)),
    ]
    assert forms == pytest.approx([distances.pearson(x, y)] * 3, abs=1e-14)
    with pytest.raises(ValueError) as caught:
        distances.pearson([1, 1, 1], [61, 62, 63])
    assert caught.value.args[0].code == "N009" and caught.value.args[0].values["name"] == "x"


def test_a4() -> None:
    cube = np.random.default_rng(0).uniform(-1, 1, (4000, 3))
    findings = assay.dimension_diagnosis(cube, np.arange(4000) % 2)
    shell, norm = findings[:2]
    assert round(shell.expected, 4) == 0.1426 and norm.expected == 1.0  # d / 3
    for finding in findings[:5]:
        assert finding.observed == pytest.approx(finding.expected, abs=0.03), finding.title
    assert [finding.title for finding in findings][2:] == [
        "Empty cells", "Cells with one row", "Spread of distances", "Rows for each column, smallest class",
    ]  # fmt: skip
    wide = assay.diagnose(np.random.default_rng(0).uniform(size=(100, 60)), np.arange(100) % 2)
    # One warning says what follows from empty space; the measurements that show it are no warnings of their own.
    assert [finding.title for finding in wide.warnings] == [
        "Many columns for the rows", "Rows for each column, smallest class",
    ]  # fmt: skip
    said = {finding.title: finding.note.code for finding in wide.findings if not finding.warn}
    assert said["Rows in the outer shell"] == "P100" and said["Spread of distances"] == "P112"


def test_a5() -> None:
    X, y = blobs()
    X = X * [1.0, 100.0, 1.0]
    z = assay.Standardize().fit_transform(X)
    assert np.allclose(z.mean(axis=0), 0.0) and np.allclose(z.std(axis=0, ddof=1), 1.0)
    span = assay.Standardize("range").fit_transform(X)
    assert np.allclose(span.min(axis=0), 0.0) and np.allclose(span.max(axis=0), 1.0)
    plan = assay.KFold(5)
    evaluation = assay.evaluate(make_pipeline(assay.Standardize(), assay.KNeighborsClassifier(3)), X, y, plan)
    wrong = 0
    for train, test in plan.split(X, y):
        scale = assay.Standardize().fit(X[train])  # from the training rows of the fold
        knn = assay.KNeighborsClassifier(3).fit(scale.transform(X[train]), y[train])
        wrong += int((knn.predict(scale.transform(X[test])) != y[test]).sum())
    assert evaluation.error == wrong / len(y)
    assert assay.KNeighborsClassifier(3).fit(X, y).diagnostics_  # unscaled columns


# -- B. Recommending -----------------------------------------------------------------------------------------


def test_b1() -> None:
    near = assay.Recommender(similarity="euclidean").fit(CRITICS).recommend(USER)[0]
    similarity = {critic.critic: round(critic.similarity, 4) for critic in near.critics}
    assert similarity == {"0": 0.4142, "1": 0.25, "2": 0.3333, "3": 0.2403}
    # Nothing in common is no evidence; so are, for Pearson, fewer than two items and ratings that do not vary.
    ratings = {"Ann": {"A": 5, "B": 1, "C": 4}, "Bob": {"D": 5, "C": 1}, "Cid": {"A": 3, "B": 3, "C": 2}}
    heard = assay.Recommender(similarity="pearson").fit(ratings).recommend({"A": 4, "B": 2})
    assert [[critic.critic for critic in item.critics] for item in heard if item.item == "C"] == [["Ann"]]
    for means in ("co_rated", "all"):
        assay.Recommender(similarity="pearson", means=means).fit(ratings)


def test_b2() -> None:
    def predicted(prediction: str) -> float:
        model = assay.Recommender(similarity="euclidean", prediction=prediction).fit(CRITICS)
        return float(model.predict(USER, ["2"])[0])

    assert round(predicted("weighted"), 4) == 3.3229
    assert predicted("mean") == 3.5
    assert predicted("nearest") == 2.0
    s = 1 / (1 + np.sqrt([2.0, 9.0, 4.0, 10.0]))
    z = (CRITICS[:, 2] - CRITICS.mean(axis=1)) / CRITICS.std(axis=1, ddof=1)
    assert predicted("z_score") == pytest.approx(3.5 + np.sqrt(0.5) * (s @ z) / s.sum())


def test_b3() -> None:
    model = assay.Recommender(similarity="euclidean").fit(CRITICS)
    first = model.recommend(USER, 1)[0]
    assert first.item == "2" and "similarity 0.41" in first.reason
    cold = model.recommend({}, 1)[0]
    assert cold.rating == CRITICS.mean(axis=0).max() and cold.critics == ()
    rng = np.random.default_rng(0)  # 100 000 ratings of 1000 items by 2000 users, in a sparse matrix
    from scipy.sparse import random_array

    many = random_array(
        (2000, 1000), density=0.05, rng=rng, data_sampler=lambda size: rng.integers(1, 6, size=size)
    )
    ratings = assay.read_ratings(many.tocsr().astype(float))
    assert (ratings.n_users, ratings.n_ratings) == (2000, 100_000)
    assert len(assay.Recommender().fit(ratings).recommend("0", 5)) == 5


# -- C. Finding groups and directions ------------------------------------------------------------------------


def test_c1() -> None:
    X = np.array([[0.0, 0.0], [0.0, 1.0], [10.0, 0.0], [10.0, 1.0]])
    poor = assay.KMeans(2, start=np.array([[5.0, 0.0], [5.0, 1.0]])).fit(X)  # stays at a poor minimum
    good = assay.KMeans(2, start="random", n_starts=20).fit(X)
    assert poor.error_ == 25.0 and good.error_ == 0.25
    rows, _ = blobs(300, apart=1.0)
    for start in ("random", "k-means++"):
        model = assay.KMeans(8, start=start, n_starts=3).fit(rows)
        assert (np.diff(model.history_) <= 0).all() and len(np.unique(model.labels_)) == 8
        assert model.error_ == pytest.approx(
            ((rows - model.cluster_centers_[model.labels_]) ** 2).sum(axis=1).mean()
        )


def test_c2() -> None:
    X, _ = blobs(width=5)
    pca = assay.PCA(2).fit(X)
    _, s, V = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    assert np.allclose(pca.explained_variance_, s[:2] ** 2 / (len(X) - 1))
    assert np.allclose(np.abs(pca.components_ @ V[:2].T), np.eye(2))
    assert np.allclose(pca.explained_variance_ratio_, (s**2 / (s**2).sum())[:2])


def test_c3() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    means = np.array([X[y == k].mean(axis=0) for k in (0, 1)])
    within = sum(np.cov(X[y == k].T) * ((y == k).sum() - 1) for k in (0, 1))
    between = np.outer(means[1] - means[0], means[1] - means[0])

    def quality(w: Array) -> Array:
        return np.einsum("nd,de,ne->n", w, between, w) / np.einsum("nd,de,ne->n", w, within, w)

    model = assay.FisherDiscriminant().fit(X, y)
    best = quality(model.scalings_.T)[0]
    directions = np.random.default_rng(0).normal(size=(10_000, 30)) / X.std(axis=0)
    assert best >= quality(directions).max() and best >= quality((means[1] - means[0])[None])[0]
    w = np.linalg.solve(within, means[1] - means[0])
    assert distances.cosine(model.coef_[0], w) == pytest.approx(1.0, abs=1e-9)
    assert assay.FisherDiscriminant().fit(*load_iris(return_X_y=True)).scalings_.shape == (4, 2)  # K - 1
    wide, labels = noise(20, 50)
    stated = assay.FisherDiscriminant().fit(wide, labels)
    assert np.isfinite(stated.transform(wide)).all() and stated.diagnostics_


def test_c4() -> None:
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(-4, 1, 100), rng.normal(4, 1, 100), rng.normal(0, 1, 200)])[:, None]
    y = np.repeat(["out", "in"], 200)
    single = assay.evaluate(assay.GaussianClassifier("shared"), X, y)
    mixture = assay.evaluate(assay.GaussianMixtureClassifier(2), X, y)
    assert single.error > 0.35 and mixture.error < 0.05
    shared = assay.GaussianMixtureClassifier(3, shared="all").fit(X, y)  # components of all rows
    assert (shared.predict(X) != y).mean() < 0.05


def test_c5() -> None:
    X, _ = blobs(40)
    for linkage in ("single", "complete", "average", "ward"):
        model = assay.Hierarchy(4, linkage=linkage).fit(X)
        expected = scipy_linkage(pdist(X), linkage)
        assert np.allclose(model.tree_[:, 2], expected[:, 2])
        same = fcluster(expected, 4, "maxclust")
        assert len({*zip(model.labels_.tolist(), same.tolist(), strict=True)}) == 4
    down = assay.Hierarchy(3, direction="top-down").fit(X)
    assert len(np.unique(down.labels_)) == 3


# -- D. Generative classifiers -------------------------------------------------------------------------------


def test_d1() -> None:
    printed = {"unbiased": [5.3779e-4, 6.1971e-9], "ml": [4.5055e-4, 6.9578e-11]}  # female, male
    for variance, numerators in printed.items():
        model = assay.GaussianNB(variance=variance).fit(PEOPLE, SEX)
        assert model.theta_.tolist() == pytest.approx(
            np.array([[5.4175, 132.5, 7.5], [5.855, 176.25, 11.25]])
        )
        joint = np.exp(model.predict_joint_log_proba([[6.0, 130.0, 8.0]])[0])
        assert joint.tolist() == pytest.approx(numerators, rel=1e-4)
        assert np.allclose(model.predict_proba([[6.0, 130.0, 8.0]])[0], joint / joint.sum())
        assert model.predict([[6.0, 130.0, 8.0]]).tolist() == ["female"]
    known = [[9.7225e-2, 5.5833e2, 1.6667], [3.5033e-2, 1.2292e2, 9.1667e-1]]
    assert np.allclose(assay.GaussianNB(variance="unbiased").fit(PEOPLE, SEX).var_, known, rtol=5e-5)


def test_d2() -> None:
    X, y = blobs(classes=2, rows=91)
    assert np.allclose(91 * assay.GaussianNB().fit(X, y).class_prior_, np.bincount(y))
    ratio, fruit = [[1.0], [2.0], [3.0], [4.0]], ["lemon", "lemon", "dragonfruit", "dragonfruit"]
    even = assay.GaussianNB(priors="uniform").fit(ratio, fruit)
    assert np.allclose(even.predict_proba([[2.5]]), 0.5)  # equal likelihoods: the prior decides
    shop = even.with_priors([0.1, 0.9])
    assert even.decide([[2.5]], priors=[0.9, 0.1]).labels.tolist() == ["dragonfruit"]
    assert np.allclose(even.predict_proba([[2.5]]), 0.5)  # the first model is as it was
    assert shop.predict([[2.5]]).tolist() == ["lemon"] and np.allclose(
        shop.predict_proba([[2.5]]), [0.1, 0.9]
    )


def test_d3() -> None:
    X = [["sunny", "hot"], ["sunny", "mild"], ["rain", "mild"], ["rain", "cool"]]
    y = ["no", "no", "yes", "yes"]
    model = assay.CategoricalNB(smoothing=1.0).fit(X, y)
    # P(yes) P(rain | yes) P(mild | yes) = 1/2 (2+1)/(2+2) (1+1)/(2+3), P(no) ... = 1/2 (0+1)/4 (1+1)/5
    assert model.predict_proba([["rain", "mild"]])[0, 1] == pytest.approx(3 / 4)
    exact = assay.CategoricalNB(smoothing=0.0).fit(X, y)
    assert exact.predict_proba([["rain", "mild"]])[0, 1] == 1.0
    assert np.isfinite(model.predict_proba([["fog", "mild"]])).all()
    assert np.allclose(
        exact.predict_proba([["fog", "mild"]]), 0.5
    )  # every class has probability 0: the prior


def test_d4() -> None:
    model = assay.MultinomialNB(smoothing=1.0).fit(WORDS, TOPICS)
    # Classes politics, sport: P(ball) = 2/9, 4/9; P(goal) = 1/9, 4/9; P(vote) = 6/9, 1/9
    assert np.allclose(np.exp(model.feature_log_prob_), np.array([[2, 1, 6], [4, 4, 1]]) / 9)
    assert model.predict_proba([[1, 1, 0]])[0, 1] == pytest.approx(16 / 18)
    plain = model.predict_joint_log_proba([[2, 1, 0]])
    with_orders = model.predict_joint_log_proba([[2, 1, 0]], coefficient=True)
    assert np.allclose(with_orders - plain, np.log(3))
    unseen = assay.MultinomialNB(smoothing=0.0).fit(np.column_stack([WORDS, np.zeros(4)]), TOPICS)
    assert np.allclose(unseen.predict_proba([[0, 0, 0, 5]]), 0.5)


def test_d5() -> None:
    X, y = np.array([[1, 1], [1, 0], [1, 1], [0, 1], [0, 0], [0, 1]]), ["a", "a", "a", "b", "b", "b"]
    bernoulli, multinomial = assay.BernoulliNB().fit(X, y), assay.MultinomialNB().fit(X, y)
    absent = [[0, 0]]  # lacks the first word, which is common in class a
    # P(1 | a) = 4/5, P(1 | b) = 1/5, P(2 | a) = P(2 | b) = 3/5
    assert np.allclose(bernoulli.predict_proba(absent), [[0.2, 0.8]])
    assert np.allclose(multinomial.predict_proba(absent), 0.5)


def test_d6() -> None:
    hello = [1, 1, 2, 1]  # h, e, l, o
    assert round(float(np.exp(distributions.log_multinomial_coefficient(hello)))) == 60
    assert np.exp(distributions.log_bernoulli([0, 1], 0.3)) == pytest.approx([0.7, 0.3])
    assert np.exp(distributions.log_binomial(np.arange(8), 7, 0.2)).sum() == pytest.approx(1.0)
    counts = [c for c in product(range(6), repeat=3) if sum(c) == 5]
    assert np.exp(distributions.log_multinomial(counts, [0.1, 0.6, 0.3])).sum() == pytest.approx(1.0)


def test_d7() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    height, flag = rng.normal(size=60) + y, (rng.random(60) < 0.3 + 0.4 * y).astype(int)
    town = np.array(["x", "y", "z"])[rng.integers(0, 3, 60)]
    table = {"height": height, "flag": flag, "town": town.tolist()}
    kinds = {"flag": "bernoulli", "town": "categorical"}
    mixed = assay.MixedNB(kinds=kinds).fit(table, y)
    parts = [
        assay.GaussianNB().fit(height[:, None], y).predict_joint_log_proba(height[:, None]),
        assay.BernoulliNB().fit(flag[:, None], y).predict_joint_log_proba(flag[:, None]),
        assay.CategoricalNB().fit(town[:, None], y).predict_joint_log_proba(town[:, None]),
    ]
    product_of_parts = sum(parts) - 2 * np.log(0.5)  # the prior once
    assert np.allclose(mixed.predict_proba(table), softmax(product_of_parts, axis=1))
    gap = {"height": [np.nan], "flag": [1], "town": ["x"]}  # a missing value is left out
    without = sum(p[(flag == 1) & (town == "x")][0] for p in parts[1:])
    assert np.allclose(mixed.predict_proba(gap), softmax(without - np.log(0.5)))


def test_d8() -> None:
    X, y = blobs(width=2, classes=2)
    for variance, divisor in (("ml", 0), ("unbiased", 1)):
        model = assay.GaussianClassifier("full", variance=variance).fit(X, y)
        (a, b), (_, d) = np.cov(X[y == 1].T, ddof=divisor) if divisor else np.cov(X[y == 1].T, bias=True)
        assert np.allclose(model.covariance_[1], [[a, b], [b, d]])
        inverse = np.array([[d, -b], [-b, a]]) / (a * d - b * b)
        away = X - X[y == 1].mean(axis=0)
        log_density = (
            -np.log(2 * np.pi) - 0.5 * np.log(a * d - b * b) - 0.5 * ((away @ inverse) * away).sum(axis=1)
        )
        assert np.allclose(model.predict_joint_log_proba(X)[:, 1], log_density + np.log(0.5))
        assert b / np.sqrt(a * d) == pytest.approx(np.corrcoef(X[y == 1].T)[0, 1])


def test_d9() -> None:
    X, y = blobs(classes=2)
    model = assay.GaussianClassifier("shared").fit(X, y)
    means, shares = [X[y == k].mean(axis=0) for k in (0, 1)], np.bincount(y) / len(y)
    shared = sum(shares[k] * np.cov(X[y == k].T, bias=True) for k in (0, 1))
    inverse = np.linalg.inv(shared)
    w = inverse @ (means[1] - means[0])
    w0 = 0.5 * (means[0] @ inverse @ means[0] - means[1] @ inverse @ means[1]) + np.log(shares[1] / shares[0])
    assert np.allclose(model.coef_, w) and np.allclose(model.intercept_, w0)
    assert np.allclose(model.predict_proba(X)[:, 1], expit(X @ w + w0))
    rows, labels = blobs(classes=4)
    many = assay.GaussianClassifier("shared").fit(rows, labels)
    assert np.allclose(many.predict_proba(rows), softmax(rows @ many.coef_.T + many.intercept_, axis=1))


def test_d10() -> None:
    X, y = blobs()
    for covariance in ("full", "shared", "diagonal", "shared_diagonal", "spherical", "shared_spherical"):
        assert assay.GaussianClassifier(covariance).fit(X, y).score(X, y) > 0.8
    nearest = assay.GaussianClassifier("shared_spherical", priors="uniform").fit(X, y)
    assert (nearest.predict(X) == distances.pairwise(X, nearest.means_).argmin(axis=1)).all()
    # Means 0 and 3, deviations 1 and 3: at -4 the farther mean wins.
    rows, labels = [[-1.0], [1.0], [0.0], [6.0]], [0, 0, 1, 1]
    own = assay.GaussianClassifier("spherical", priors="uniform").fit(rows, labels)
    assert np.allclose(np.sqrt(own.var_).ravel(), [1.0, 3.0]) and own.predict([[-4.0]]).tolist() == [1]


def test_d11() -> None:
    X, _ = blobs()
    model = assay.MultivariateNormal().fit(X)
    expected = multivariate_normal(X.mean(axis=0), np.cov(X.T, bias=True)).logpdf(X)
    assert np.allclose(model.log_pdf(X), expected)
    drawn = model.sample(20_000, random_state=0)
    assert np.allclose(drawn.mean(axis=0), model.mean_, atol=0.05)
    assert np.allclose(np.cov(drawn.T), model.covariance_, atol=0.15)


def test_d12() -> None:
    X, y = blobs(120, seed=9)
    counts = np.random.default_rng(9).poisson(1 + np.exp(X - X.max(axis=0)) + y[:, None])
    for model, rows in (
        (assay.BernoulliNB(), (counts > 2).astype(float)),
        (assay.MultinomialNB(smoothing=0.5), counts),
        (assay.GaussianClassifier("shared"), X),
    ):
        fitted = model.fit(rows, y)
        assert fitted.coef_.shape == (3, 3)
        assert np.allclose(
            softmax(rows @ fitted.coef_.T + fitted.intercept_, axis=1), fitted.predict_proba(rows)
        )


# -- E. Discriminative classifiers ---------------------------------------------------------------------------


def test_e1() -> None:
    X, y = blobs(classes=2)
    model = assay.LogisticRegression(l2=0.01).fit(X, y)
    w, w0 = model.coef_[0], model.intercept_[0]
    on_surface = X - np.outer((X @ w + w0) / (w @ w), w)
    assert np.allclose(model.decision_function(on_surface), 0.0)
    assert np.allclose(model.signed_distance(X), (X @ w + w0) / np.linalg.norm(w))
    assert model.origin_distance() == pytest.approx(w0 / np.linalg.norm(w))
    along = on_surface[1:] - on_surface[0]
    assert np.allclose(along @ w, 0.0)  # w is normal to the surface


def test_e2() -> None:
    X, y = blobs(classes=2, width=2, seed=3)
    augmented = np.column_stack([X, np.ones(len(X))])
    solution = np.linalg.solve(augmented.T @ augmented, augmented.T @ (2.0 * y - 1))
    model = assay.LeastSquaresClassifier().fit(X, y)
    assert (model.predict(X) == (augmented @ solution > 0)).all()
    assert distances.cosine(model.coef_[0], solution[:2]) == pytest.approx(1.0)
    # Far rows on the right side move least squares, not logistic regression.
    rng = np.random.default_rng(0)
    near = np.concatenate([rng.normal([-2, 0], 1, (50, 2)), rng.normal([2, 0], 1, (50, 2))])
    far = np.concatenate([near, rng.normal([40, 0], 1, (25, 2))])
    labels, more = np.repeat([0, 1], 50), np.repeat([0, 1], [50, 75])
    errors = {
        model: [
            (model.fit(rows, given).predict(near) != labels).mean()
            for rows, given in ((near, labels), (far, more))
        ]
        for model in (assay.LeastSquaresClassifier(), assay.LogisticRegression())
    }
    (least_before, least_after), (before, after) = errors.values()
    assert least_after > least_before + 0.1 and abs(after - before) < 0.02
    # Three classes in a row: the middle one is masked, and logistic regression finds it.
    row, kind = (
        np.concatenate([rng.normal(c, 0.5, 100) for c in (-4, 0, 4)])[:, None],
        np.repeat([0, 1, 2], 100),
    )
    masked, found = assay.LeastSquaresClassifier().fit(row, kind), assay.LogisticRegression().fit(row, kind)
    assert (masked.predict(row) == 1).mean() < 0.1 < 0.3 < (found.predict(row) == 1).mean()


def test_e3() -> None:
    model = assay.Perceptron(scale=False).fit(CORNERS, AND)
    assert (model.mistakes_, model.converged_) == (11, True)
    assert model.coef_.tolist() == [[2.0, 1.0]] and model.intercept_.tolist() == [-3.0]
    assert assay.Perceptron(scale=False).fit(CORNERS, OR).score(CORNERS, OR) == 1.0
    assert assay.Perceptron(start=[[1.0, -1.0, 5.0]]).fit(CORNERS, AND).converged_
    xor = assay.Perceptron(epochs=10).fit(CORNERS, XOR)
    assert not xor.converged_ and "separable" in " ".join(xor.diagnostics_)
    X, y = blobs(classes=2, apart=0.7)
    for variant in ("averaged", "pocket"):
        assert assay.Perceptron(variant).fit(X, y).score(X, y) >= 0.6


def squared_softmax(U: Array, Z: Array, T: Array) -> float:
    return float(0.5 * ((softmax(Z @ U.T, axis=1) - T) ** 2).sum(axis=1).mean())


def test_e4() -> None:
    X, y = blobs(60)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    T = np.eye(3)[y]
    # One step of batch descent with a small rate is minus the rate times the gradient: here by differences.
    one = assay.SingleLayerNetwork("softmax", surrogate="squared_error", learning_rate=1e-3, epochs=1).fit(
        Z, y
    )
    U = np.zeros((3, 4))
    augmented = np.column_stack([Z, np.ones(60)])
    numeric = np.zeros_like(U)
    for at in np.ndindex(*U.shape):
        step = np.zeros_like(U)
        step[at] = 1e-6
        up, down = (squared_softmax(U + s * step, augmented, T) for s in (1, -1))
        numeric[at] = (up - down) / 2e-6
    made = np.column_stack([one.weights_, one.bias_])
    assert distances.cosine(made.ravel(), -numeric.ravel()) == pytest.approx(1.0, abs=1e-6)
    for output, surrogate in product(("linear", "sigmoid", "softmax"), ("squared_error", "cross_entropy")):
        if (output, surrogate) != ("linear", "cross_entropy"):
            assert assay.SingleLayerNetwork(output, surrogate=surrogate).fit(X, y).score(X, y) > 0.7
    # w0 = mean target - w · mean row; targets 0 and 1 are cut at 1/2, targets -1 and 1 at 0.
    two = y < 2
    for targets, mean, cut in (("01", 0.5, 0.5), ("pm1", 0.0, 0.0)):
        line = assay.SingleLayerNetwork("linear", targets=targets, tol=1e-10).fit(X[two], y[two])
        assert line.bias_[0] == pytest.approx(mean - line.weights_[0] @ X[two].mean(axis=0), abs=1e-6)
        assert ((line.outputs(X[two])[:, 0] > cut) == (line.predict(X[two]) == 1)).all()


def test_e5() -> None:
    for hidden in ((8,), (8, 8)):
        model = assay.NeuralNetwork(hidden, activation="tanh", learning_rate=0.1).fit(CORNERS, XOR)
        assert model.predict(CORNERS).tolist() == XOR


def test_e6() -> None:
    X, y = blobs(classes=2, apart=0.7, rows=200)
    model = assay.LogisticRegression(tol=1e-10).fit(X, y)
    augmented = np.column_stack([X, np.ones(len(X))])
    w = np.append(model.coef_[0], model.intercept_[0])
    assert np.abs(augmented.T @ (expit(augmented @ w) - y)).max() < 1e-6
    # w ← w - (XᵀRX)⁻¹Xᵀ(y - t), by hand, ends at the same weights.
    v = np.zeros(4)
    for _ in range(12):
        p = expit(augmented @ v)
        v = v - np.linalg.solve(augmented.T @ (augmented * (p * (1 - p))[:, None]), augmented.T @ (p - y))
    assert np.allclose(v, w, atol=1e-7)
    far = assay.LogisticRegression(tol=1e-10, start=[[30.0, -20.0, 10.0, 5.0]]).fit(X, y)
    assert np.allclose(far.coef_, model.coef_, atol=1e-6)
    separated = assay.LogisticRegression().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    assert separated.diagnostics_ and separated.predict([[0.0], [3.0]]).tolist() == [0, 1]
    assert len(assay.tune(assay.LogisticRegression(), X, y, l2=assay.path(6)).settings) == 6


def test_e7() -> None:
    X, y = blobs(apart=0.7, rows=150)
    model = assay.LogisticRegression(tol=1e-10).fit(X, y)
    gradient = (model.predict_proba(X) - np.eye(3)[y]).T @ np.column_stack([X, np.ones(150)])
    assert np.abs(gradient).max() < 1e-5
    two = y < 2
    binary = assay.LogisticRegression(tol=1e-10).fit(X[two], y[two])

    def pair(rows: Array, theta: Array) -> Array:  # the K-class form of two classes
        return softmax(rows @ theta.reshape(2, 4)[:, :3].T + theta.reshape(2, 4)[:, 3], axis=1)

    softmaxed = assay.ParametricClassifier(pair, np.zeros(8), tol=1e-9).fit(X[two], y[two])
    assert np.allclose(softmaxed.predict_proba(X[two]), binary.predict_proba(X[two]), atol=1e-5)


def test_e8() -> None:
    X, y = blobs(classes=2, rows=60, apart=0.8)
    t, N = 2 * y - 1, 60
    mean, scale = X.mean(axis=0), X.std(axis=0)
    Z = (X - mean) / scale
    m, n, l2 = 1.0, 10.0, 0.01

    def weights(steps: int) -> Array:
        model = assay.LinearSVM(l2, solver="sgd", epochs=1, steps_per_epoch=steps, m=m, n=n).fit(Z, y)
        return np.append(model.coef_[0], model.intercept_[0])

    eta, before = m / (1 + n), np.zeros(4)
    for steps in (1, 2, 3):  # each step is the rule of one of the rows
        after = weights(steps)
        shrunk = np.append((1 - eta * l2) * before[:3], before[3])
        rules = [
            shrunk
            + (eta * t[i] * np.append(Z[i], 1.0) if t[i] * (Z[i] @ before[:3] + before[3]) < 1 else 0.0)
            for i in range(N)
        ]
        assert min(np.abs(rule - after).max() for rule in rules) < 1e-9
        before = after

    def objective(model: Any) -> float:
        margins = t * model.decision_function(X)
        return float(np.maximum(0, 1 - margins).mean() + l2 / 2 * (model.coef_**2).sum())

    exact = assay.LinearSVM(l2, tol=1e-9).fit(X, y)
    descent = assay.LinearSVM(l2, solver="sgd", epochs=400, random_state=1).fit(X, y)
    assert objective(exact) <= objective(descent) < 1.02 * objective(exact)
    assert exact.margin_[0] == pytest.approx(1 / np.linalg.norm(exact.coef_)) and len(exact.support_)
    assert exact.C_ == pytest.approx(1 / (l2 * N))
    trivial = assay.LinearSVM(surrogate="perceptron").fit(X, y)
    assert not trivial.coef_.any() and trivial.diagnostics_
    assert (
        assay.LinearSVM(solver="sgd", first_epoch=5, start=[[1.0, 0.0, 0.0, 0.0]]).fit(X, y).score(X, y) > 0.5
    )
    plan = assay.TrainValidationTest((0.5, 0.25, 0.25))
    assert assay.tune(assay.LinearSVM(), X, y, plan=plan, l2=[1.0, 0.1, 0.01]).setting["l2"] in (
        1.0,
        0.1,
        0.01,
    )


def test_e9() -> None:
    X, y = make_circles(200, noise=0.1, factor=0.4, random_state=0)
    assert assay.LinearSVM().fit(X, y).score(X, y) < 0.7
    for curved in (assay.KernelSVM(C=1.0), assay.KernelSVM("polynomial", C=1.0, degree=2, coef0=1.0)):
        assert curved.fit(X, y).score(X, y) > 0.97
    rows, labels = blobs(classes=2, apart=0.7)
    linear = assay.LinearSVM(0.01, tol=1e-10).fit(rows, labels)
    kernel = assay.KernelSVM("linear", l2=0.01, tol=1e-8).fit(rows, labels)
    assert np.allclose(kernel.decision_function(rows), linear.decision_function(rows), atol=1e-4)
    own = assay.KernelSVM(lambda A, B: A @ B.T, l2=0.01, tol=1e-8).fit(rows, labels)
    assert np.allclose(own.decision_function(rows), linear.decision_function(rows), atol=1e-4)
    assert assay.KernelSVM("sigmoid", gamma=0.1).fit(rows, labels).score(rows, labels) > 0.5


def test_e10() -> None:
    X, y = load_iris(return_X_y=True)
    rest = assay.OneVsRest(assay.LeastSquaresClassifier()).fit(X, y)
    pairs = assay.OneVsOne(assay.LeastSquaresClassifier()).fit(X, y)
    assert len(rest.estimators_) == 3 and len(pairs.estimators_) == 3  # K and K (K - 1) / 2
    assert (rest.predict(X) == rest.decision_function(X).argmax(axis=1)).all()
    votes = pairs.votes(X)
    assert (votes.sum(axis=1) == 3).all()
    clear = votes.max(axis=1) == 2
    assert (pairs.predict(X)[clear] == votes.argmax(axis=1)[clear]).all()
    grid = np.array(
        list(product(np.linspace(4, 8, 9), np.linspace(2, 5, 7), np.linspace(1, 7, 7), [0.1, 1.3, 2.5]))
    )
    claims = rest.claims(grid).sum(axis=1)  # regions that no class claims, and that several do
    assert (claims == 0).any() and (claims == 1).any()


def test_e11() -> None:
    X, y = blobs(apart=0.5)
    assert assay.KNeighborsClassifier(1).fit(X, y).score(X, y) == 1.0
    twice, labels = np.vstack([X, X[:1]]), np.append(y, y[0] + 1)
    assert assay.KNeighborsClassifier(1).fit(twice, labels).score(twice, labels) < 1.0  # equal rows disagree
    for metric, weights in product(("euclidean", "manhattan", "hamming"), ("uniform", "distance")):
        model = assay.KNeighborsClassifier(5, metric=metric, weights=weights).fit(X.round(), y)
        assert model.predict(X.round()).shape == y.shape
    tie = assay.KNeighborsClassifier(2).fit([[0.0], [2.0]], ["b", "a"])
    assert tie.predict([[1.0]]).tolist() == ["a"]  # the first in sorted order


def test_e12() -> None:
    X, y = make_circles(200, noise=0.1, factor=0.4, random_state=0)
    assert assay.LogisticRegression().fit(X, y).score(X, y) < 0.7
    bases = [
        assay.BasisExpansion("polynomial", degree=2),
        assay.BasisExpansion("radial", n_centers=20),
        assay.BasisExpansion("spline"),
        assay.BasisExpansion("functions", functions=lambda rows: (rows**2).sum(axis=1)),
    ]
    for basis in bases:
        assert make_pipeline(basis, assay.LogisticRegression(l2=1e-4)).fit(X, y).score(X, y) > 0.97, basis
    interaction = assay.BasisExpansion("interaction").fit(X)
    assert interaction.get_feature_names_out().tolist() == ["x0", "x1", "x0 x1"]


def test_e13() -> None:
    iris = load_iris(return_X_y=True)
    result = assay.compare(iris, candidates=["baseline", "decision_tree"], progress=False)
    assert result.best_name == "decision_tree"
    tree = assay.DecisionTreeClassifier()
    tuned = assay.tune(tree, *iris, max_depth=[1, 2, 3], max_leaf_nodes=[2, 4, 8])
    assert len(tuned.settings) == 9 and tuned.setting["max_leaf_nodes"] > 2
    grown = tree.fit(CORNERS, XOR)  # two columns that say nothing alone: four leaves, no mistake
    assert (grown.n_leaves_, grown.predict(CORNERS).tolist()) == (4, XOR)
    for many in (assay.RandomForestClassifier(20), assay.HistGradientBoostingClassifier(max_iter=20)):
        assert assay.evaluate(many, *iris, assay.KFold(5)).error < 0.1


def test_e14() -> None:
    X, y = blobs(classes=2, apart=0.7)

    def sigmoid(rows: Array, theta: Array) -> Array:
        return expit(rows @ theta[:3] + theta[3])

    def slope(rows: Array, theta: Array) -> Array:
        p = sigmoid(rows, theta)
        return (p * (1 - p))[:, None] * np.column_stack([rows, np.ones(len(rows))])

    theirs = assay.LogisticRegression().fit(X, y)
    for gradient in (None, slope):
        ours = assay.ParametricClassifier(sigmoid, np.zeros(4), gradient=gradient).fit(X, y)
        assert np.allclose(ours.theta_, np.append(theirs.coef_, theirs.intercept_), rtol=1e-4, atol=1e-4)
    assert assay.evaluate(ours, X, y).error == assay.evaluate(theirs, X, y).error


def test_e15() -> None:
    X, y = load_iris(return_X_y=True)
    model = assay.GaussianClassifier("shared").fit(X[:, 2:], y)
    drawn = assay.region_map(model, X[:, 2:], resolution=40)
    assert {line.classes for line in drawn.lines} == {(0, 1), (1, 2)}
    for line in drawn.lines:
        k, j = line.classes
        normal = model.coef_[j] - model.coef_[k]
        assert abs(distances.cosine(line.normal, normal)) == pytest.approx(1.0)
        scores = line.ends @ model.coef_.T + model.intercept_
        assert np.allclose(scores[:, k], scores[:, j])
    assert drawn.posterior.shape == (40, 40, 3)
    fisher = assay.FisherDiscriminant().fit(X, y)
    assert assay.region_map(fisher, X, features=fisher.scalings_.T, resolution=20).codes.shape == (20, 20)


def test_e16() -> None:
    for labels in (AND, OR):
        yes = assay.separability(CORNERS, labels)
        side = np.array(CORNERS) @ yes.coef[0] + yes.intercept[0]
        assert yes.separable and ((side > 0) == np.array(labels)).all() and yes.margin > 0
    no = assay.separability(CORNERS, XOR)
    assert not no.separable and no.proof is not None and no.residual < 1e-12
    # The proof: a weighted mean of the one class is a weighted mean of the other.
    rows, labels, weights = (
        np.array(CORNERS)[no.proof.rows],
        np.array(XOR)[no.proof.rows],
        no.proof.multipliers,
    )
    assert np.allclose(weights[labels == 0] @ rows[labels == 0], weights[labels == 1] @ rows[labels == 1])


# -- F. Deciding ---------------------------------------------------------------------------------------------


def test_f1() -> None:
    posterior = [[0.7, 0.3]]
    assert assay.decide(posterior).codes.tolist() == [0]
    assert assay.decide(posterior, [[0, 1], [5, 0]]).codes.tolist() == [1]


def test_f2() -> None:
    costs = assay.LossMatrix([[0, 1, 0.4], [5, 0, 0.4]], ["well", "ill"], ("well", "ill", "ask"))
    decision = assay.decide([[0.7, 0.3], [0.95, 0.05], [0.01, 0.99]], costs)
    assert np.allclose(decision.risks, [[1.5, 0.7, 0.4], [0.25, 0.95, 0.4], [4.95, 0.01, 0.4]])
    assert decision.actions.tolist() == ["ask", "well", "ill"]
    posterior = np.random.default_rng(0).dirichlet(np.ones(4), 200)
    assert (assay.decide(posterior).codes == posterior.argmax(axis=1)).all()


def test_f3() -> None:
    truth, predicted = [0, 0, 0, 1, 1], [0, 0, 1, 1, 0]
    counts = assay.confusion(truth, predicted, 2)
    assert counts.tolist() == [[2.0, 1.0], [1.0, 1.0]] and counts.sum() == 5
    assert assay.error_by_cell(truth, predicted, 2).tolist() == [[0.0, 0.2], [0.2, 0.0]]
    assert (
        assay.mean_loss(truth, predicted, [[0, 1], [1, 0]])
        == 0.4
        == assay.error_by_cell(truth, predicted, 2).sum()
    )
    assert assay.mean_loss(truth, predicted, [[0, 1], [10, 0]]) == pytest.approx(2.2)


def test_f4() -> None:
    posterior = np.random.default_rng(0).dirichlet([1, 1], 500)
    odds = assay.log_odds(posterior)
    assert ((posterior[:, 1] > 0.5) == (odds > 0)).all()
    loss = [[0, 1], [9, 0]]
    assert assay.threshold(loss) == 0.1
    decided = assay.decide(posterior, loss).codes == 1
    assert (decided == (posterior[:, 1] > 0.1)).all() and (decided == (odds > np.log(1 / 9))).all()


def test_f5() -> None:
    X, y = [[-1.0], [1.0], [1.0], [3.0]], [0, 0, 1, 1]  # two unit Gaussians a distance 2 apart
    exact = assay.error_probability(assay.GaussianClassifier("shared").fit(X, y))
    assert round(exact.value, 4) == 0.1587 and exact.exact
    rows, labels = [[-1.0], [1.0], [-1.0], [1.0], [1.0], [3.0], [1.0], [3.0]], np.repeat([0, 1], 4)
    one = assay.error_probability(assay.GaussianMixtureClassifier(n_components=1).fit(rows, labels))
    assert abs(one.value - 0.1587) < 4.0 * one.standard_error + 1e-4
    uneven = assay.error_probability(assay.GaussianClassifier("shared").fit(X, y), priors=[0.9, 0.1])
    assert uneven.value < 0.1
    rows, labels = blobs()
    drawn = assay.error_probability(assay.GaussianClassifier("full").fit(rows, labels))
    assert not drawn.exact and 0 < drawn.standard_error < 0.01


# -- G. Choosing a model -------------------------------------------------------------------------------------


def test_g1() -> None:
    y = np.arange(100) % 2
    for share in (0.1, 0.2):
        ((train, test),) = assay.HoldOut(share).split(None, y)
        assert len(test) == 100 * share and not {*train} & {*test} and len(train) + len(test) == 100
    parts = assay.TrainValidationTest((0.6, 0.2, 0.2)).parts(y)
    assert np.bincount(parts).tolist() == [60, 20, 20]
    assert (parts == assay.TrainValidationTest((0.6, 0.2, 0.2)).parts(y)).all()
    assert (parts != assay.TrainValidationTest((0.6, 0.2, 0.2), random_state=1).parts(y)).any()


def test_g2() -> None:
    y = np.repeat([0, 1, 2], [57, 31, 15])
    splits = list(assay.KFold().split(None, y))
    assert len(splits) == 10
    tested = np.concatenate([test for _, test in splits])
    assert sorted(tested.tolist()) == list(range(103))
    counts = np.array([np.bincount(y[test], minlength=3) for _, test in splits])
    assert np.ptp(counts.sum(axis=1)) <= 1 and (np.ptp(counts, axis=0) <= 1).all()
    assert len(list(assay.KFold(5, repeats=3).split(None, y))) == 15


def test_g3() -> None:
    X, y = blobs(60, apart=0.7)
    for model in (
        assay.GaussianClassifier("full"),
        assay.LeastSquaresClassifier(),
        assay.KNeighborsClassifier(3),
    ):
        evaluation = assay.evaluate(model, X, y, assay.LeaveOneOut())
        refits = [
            model.fit(np.delete(X, i, 0), np.delete(y, i)).predict(X[i : i + 1])[0] for i in range(len(y))
        ]
        assert evaluation.predicted.tolist() == refits and evaluation.strategy != "refit"


def test_g4() -> None:
    X, y = blobs(100, classes=2)
    plan = assay.RandomSubsampling(0.1, repeats=10)
    splits = [(train, test) for train, test in plan.split(X, y)]
    assert [len(test) for _, test in splits] == [10] * 10
    assert all(not {*train} & {*test} and len(train) == 90 for train, test in splits)
    again = [test for _, test in assay.RandomSubsampling(0.1, repeats=10).split(X, y)]
    assert all(np.array_equal(test, same) for (_, test), same in zip(splits, again, strict=True))
    evaluation = assay.evaluate(assay.GaussianNB(), X, y, plan)
    assert evaluation.error == pytest.approx(evaluation.split_errors.mean())


def test_g5() -> None:
    counts = assay.Bootstrap(200).multiplicities(500)
    assert (counts > 0).mean() == pytest.approx(1 - np.exp(-1), abs=0.005)
    X, y = noise(60, 2)
    result = assay.evaluate(assay.KNeighborsClassifier(1), X, y, assay.Bootstrap(50))
    assert result.training_error == 0.0
    assert result.error_632 == pytest.approx(0.632 * result.error + 0.368 * result.training_error)
    R = (result.error - result.training_error) / (result.no_information_error - result.training_error)
    weight = 0.632 / (1 - 0.368 * min(max(R, 0.0), 1.0))
    expected = (1 - weight) * result.training_error + weight * min(result.error, result.no_information_error)
    assert result.error_632_plus == pytest.approx(expected)
    assert result.error_632 < 0.38 and abs(result.error_632_plus - 0.5) < 0.1  # chance is 0.5


def test_g6() -> None:
    X, y = blobs(120, width=4, apart=0.7)
    K, D, N = 3, 4, 120
    counts = {
        assay.GaussianNB(): 2 * K * D + K - 1,
        assay.GaussianClassifier("full"): K * (D + D * (D + 1) // 2) + K - 1,
        assay.GaussianClassifier("shared"): K * D + D * (D + 1) // 2 + K - 1,
        assay.LogisticRegression(): (K - 1) * (D + 1),
    }
    for model, k in counts.items():
        fitted = model.fit(X, y)
        assert fitted.n_parameters_ == k
        assert assay.aic(fitted) == pytest.approx(2 * k - 2 * fitted.log_likelihood_)
        assert assay.bic(fitted) == pytest.approx(k * np.log(N) - 2 * fitted.log_likelihood_)
    assert assay.LogisticRegression().fit(X[y < 2], y[y < 2]).n_parameters_ == D + 1
    joint = assay.GaussianNB().fit(X, y)
    rows = joint.predict_joint_log_proba(X)[np.arange(N), y]
    assert joint.log_likelihood_ == pytest.approx(rows.sum())


def test_g7() -> None:
    X, y = noise(100, 30, seed=1)
    model = make_pipeline(assay.SelectColumns([0]), assay.GaussianNB())
    columns = [[j] for j in range(30)]
    naive = assay.tune(model, X, y, plan=assay.KFold(5), selectcolumns__columns=columns)
    nested = assay.nested(model, X, y, plan=assay.KFold(5), selectcolumns__columns=columns)
    assert naive.errors.min() < 0.42
    low, high = nested.evaluation.error_interval
    assert low <= 0.5 <= high and nested.error > naive.errors.min()
    iris = load_iris(return_X_y=True)
    least = assay.tune(assay.KNeighborsClassifier(), *iris, n_neighbors=[51, 25, 11, 5, 1])
    simplest = assay.tune(assay.KNeighborsClassifier(), *iris, n_neighbors=[51, 25, 11, 5, 1], rule="one_se")
    within = least.errors.min() + least.standard_errors[least.errors.argmin()]
    assert simplest.chosen <= least.chosen and simplest.errors[simplest.chosen] <= within


def test_g8(tmp_path: Any) -> None:
    iris = load_iris(return_X_y=True)
    result = assay.compare(iris, candidates=["baseline", "fisher"], out=tmp_path / "run", progress=False)
    row = result.leaderboard[0]
    criteria = (row.error, row.fit_seconds, row.predict_seconds, row.small_error, row.interpretability)
    assert all(value is not None for value in criteria)
    page = (tmp_path / "run" / "report.html").read_text()
    assert "fit time" in page and "predict / row" in page and "interpretability" in page


def test_g9() -> None:
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(center, 1, (80, 2)) for center in ([0, 0], [8, 0], [0, 8])])
    for criterion in ("bic", "held-out"):
        choice = assay.choose_clusters(X, range(1, 7), criterion=criterion)
        assert choice.chosen == 3 and (np.diff(choice.error) < 0).all()
    other = rng.normal([4, 20], 1, (240, 2))
    rows, labels = np.concatenate([X, other]), np.repeat([0, 1], 240)
    mixture = assay.GaussianMixtureClassifier("bic").fit(rows, labels)
    assert mixture.n_components_.tolist() == [3, 1]


def test_g10() -> None:
    rng = np.random.default_rng(0)
    x = rng.uniform(-3, 3, 150)
    y = (np.sin(1.5 * x) + rng.normal(0, 0.6, 150) > 0).astype(int)
    model = make_pipeline(
        assay.BasisExpansion("polynomial"), assay.Standardize(), assay.LogisticRegression(l2=1e-6)
    )
    curve = assay.complexity_curve(model, x[:, None], y, basisexpansion__degree=[1, 2, 3, 5, 9, 16])
    assert curve.training[-1] < curve.training[0] and curve.labels[0] == "under-fitted"
    assert curve.validation[curve.best] < curve.validation[0]
    assert set(curve.labels) <= {"under-fitted", "about right", "over-fitted"}


# -- H. Choosing features ------------------------------------------------------------------------------------


def test_h1() -> None:
    X = np.zeros((1000, 3))
    X[0, 0] = X[:9, 1] = 1.0  # a word in one document of 1000, and one in nine
    X[:, 2] = 1.0  # in all
    assert assay.DropRare().fit(X).positions_.tolist() == [1]
    texts = ["rare common", *["common often"] * 999]
    assert assay.TextCounts(min_documents=2).fit(texts).get_feature_names_out().tolist() == [
        "common",
        "often",
    ]


def test_h2() -> None:
    X, y = blobs(width=5, classes=2)
    ranking = assay.rank_features(X, y)
    expected = [abs(np.corrcoef(column, y)[0, 1]) for column in X.T]
    assert (
        np.allclose(ranking.scores, expected)
        and ranking.order.tolist() == np.argsort(expected)[::-1].tolist()
    )
    rows, labels = blobs(width=4)
    one_vs_rest = [max(abs(np.corrcoef(column, labels == k)[0, 1]) for k in range(3)) for column in rows.T]
    assert np.allclose(assay.rank_features(rows, labels).scores, one_vs_rest)
    between = [
        sum((labels == k).sum() * (c[labels == k].mean() - c.mean()) ** 2 for k in range(3)) for c in rows.T
    ]
    ratio = assay.rank_features(rows, labels, by="correlation_ratio").scores
    assert np.allclose(ratio, between / ((rows - rows.mean(axis=0)) ** 2).sum(axis=0))


def test_h3() -> None:
    table = np.repeat([[a, b] for a in range(3) for b in range(2)], 20, axis=0)  # an exact product
    assert assay.mutual_information(table[:, :1], table[:, 1], corrected=False)[0] == pytest.approx(
        0.0, abs=1e-12
    )
    draw = np.random.default_rng(7)
    X, y = draw.integers(4, size=(300, 3000)), draw.integers(3, size=300)
    plain, corrected = (assay.mutual_information(X, y, corrected=c, cut=False) for c in (False, True))
    expected, error = 3 * 2 / (2 * 300), plain.std() / np.sqrt(3000)
    assert plain.mean() == pytest.approx(expected, rel=0.02)
    assert abs(corrected.mean()) < 4 * error + 0.01 * expected
    numbers, labels = blobs()
    assert (assay.mutual_information(numbers, labels, bins=4) > 0).any()


def test_h4() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = rng.normal(size=(200, 8))
    X[:, 5] += 2.5 * y
    X[:, 2] += 1.5 * y
    for model in (assay.GaussianNB(), assay.KNeighborsClassifier(9)):
        forward = assay.select_features(model, X, y, n_features=2)
        assert [step.added for step in forward.path] == [5, 2] and forward.features == [2, 5]
        assert forward.path[0].error > forward.path[1].error
    backward = assay.select_features(assay.GaussianNB(), X, y, search="backward", n_features=2)
    assert backward.features == [2, 5]


def test_h5() -> None:
    outside, inside, filtered = [], [], []
    for seed in range(4):
        X, y = noise(60, 100, seed)
        outside.append(assay.select_features(assay.GaussianNB(), X, y, n_features=5).error)
        inside.append(assay.evaluate(assay.FeatureSearch(assay.GaussianNB(), n_features=5), X, y).error)
        model = make_pipeline(assay.SelectByInformation(5), assay.GaussianNB())
        filtered.append(assay.evaluate(model, X, y).error)
    assert max(outside) < 0.35  # optimistic
    assert np.mean(inside) == pytest.approx(0.5, abs=0.1) and np.mean(filtered) == pytest.approx(0.5, abs=0.1)


# -- Further methods -----------------------------------------------------------------------------------------


def test_word_stems() -> None:
    pytest.importorskip("snowballstemmer")
    counts = assay.TextCounts(stemmer="porter").fit(["ponies relational", "pony"])
    assert counts.vocabulary_.tolist() == ["poni", "relat"] and counts.document_counts_.tolist() == [2, 1]


def test_absolute_error() -> None:
    X = np.append(np.arange(10.0), 40.0)[:, None]  # the last row lies far off on its own side
    y = np.append(np.arange(10) > 4, True).astype(int)
    model = assay.SingleLayerNetwork("linear", surrogate="absolute_error", tol=1e-9, epochs=5000).fit(X, y)
    # The least sum of absolute deviations is a linear programme: minimise Σ u with -u <= w x + b - y <= u.
    A = np.column_stack([X, np.ones(11)])
    bound = np.block([[A, -np.eye(11)], [-A, -np.eye(11)]])
    free = [(None, None)] * 2 + [(0, None)] * 11
    least = linprog(np.append([0.0, 0.0], np.ones(11)), bound, np.append(y, -y), bounds=free)
    assert model.history_[-1] >= least.fun / 11 - 1e-9
    assert np.abs(model.outputs(X)[:, 0] - y).sum() == pytest.approx(least.fun, rel=1e-3)


def test_bias_and_variance() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    parts = assay.bias_variance({k: assay.KNeighborsClassifier(k) for k in (1, 50)}, X, y)
    for part in parts.values():
        assert part.error == pytest.approx(part.bias + part.variance)
    assert parts[1].variance > parts[50].variance and parts[1].bias < parts[50].bias


def test_starting_values() -> None:
    X, y = blobs(60, 2, 2)
    plain = assay.LogisticRegression(l2=0.1, tol=1e-10).fit(X, y)
    begun = assay.LogisticRegression(l2=0.1, tol=1e-10, start=[[3.0, -2.0, 1.0]]).fit(X, y)
    assert np.allclose(begun.coef_, plain.coef_, atol=1e-6)  # one minimum, from anywhere
    done = assay.Perceptron(start=[[2.0, 1.0, -3.0]]).fit(np.array(CORNERS, dtype=float), AND)
    assert done.predict(CORNERS).tolist() == AND


def test_nonlinear_fisher() -> None:
    X, y = make_circles(200, noise=0.05, factor=0.4, random_state=0)
    curved = make_pipeline(assay.BasisExpansion(degree=2), assay.FisherDiscriminant())
    straight, bent = (assay.evaluate(model, X, y).error for model in (assay.FisherDiscriminant(), curved))
    assert straight > 0.3 and bent < 0.02
