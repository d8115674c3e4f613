"""One against the rest and one against one: counts, votes, ties, the ambiguous region, posteriors."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from scipy.special import expit
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression as ForeignLogistic
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, LinearSVC

from assay import (
    BernoulliNB,
    GaussianClassifier,
    GaussianNB,
    KFold,
    LeastSquaresClassifier,
    MultinomialNB,
    ParametricClassifier,
    Standardize,
    evaluate,
)
from assay.catalog import entry
from assay.models.combine.calibrated import Calibrated
from assay.models.combine.one_vs_one import OneVsOne
from assay.models.combine.one_vs_rest import OneVsRest
from assay.models.combine.pairwise_coupling import couple
from assay.models.linear.logistic import LogisticRegression
from assay.models.table.build import build
from tests.models.combine.tables import three_directions
from tests.noted import noted
from tests.raised import raises

IRIS, KIND = load_iris(return_X_y=True)
BASES = [
    LeastSquaresClassifier(),
    LogisticRegression(l2=0.01),
    GaussianNB(),
    LinearSVC(),
    KNeighborsClassifier(5),
    make_pipeline(Standardize(), LogisticRegression(l2=0.01)),
]
BOTH = [OneVsRest, OneVsOne]


class OnlyPredicts:
    """A threshold on the first column, with no score at all."""

    def fit(self, X: Any, y: Any) -> OnlyPredicts:
        self.classes_ = np.unique(y)
        self.at_ = np.mean([X[y == k, 0].mean() for k in self.classes_])
        self.up_ = X[y == self.classes_[1], 0].mean() > self.at_
        return self

    def predict(self, X: Any) -> Any:
        return self.classes_[((X[:, 0] > self.at_) == self.up_).astype(int)]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {}


@pytest.mark.parametrize("base", BASES, ids=lambda base: type(base).__name__)
def test_classifiers_are_counted(base: Any) -> None:
    X, y = load_digits(return_X_y=True)
    X, y = X[y < 5][:, 10:40:3], y[y < 5]
    X = X + 0.1 * np.random.default_rng(0).normal(size=X.shape)
    rest, pairs = OneVsRest(base).fit(X, y), OneVsOne(base).fit(X, y)
    assert len(rest.estimators_) == 5 and len(pairs.estimators_) == 10
    assert rest.decision_function(X).shape == pairs.decision_function(X).shape == (len(X), 5)
    assert rest.score(X, y) > 0.6 and pairs.score(X, y) > 0.6


@pytest.mark.parametrize(
    "base", [LinearSVC(), ForeignLogistic(), KNeighborsClassifier(3)], ids=lambda b: str(b)
)
def test_answers_are_scikit_learns(base: Any) -> None:
    ours, theirs = OneVsRest(base).fit(IRIS, KIND), OneVsRestClassifier(clone(base)).fit(IRIS, KIND)
    pairs, their_pairs = OneVsOne(base).fit(IRIS, KIND), OneVsOneClassifier(clone(base)).fit(IRIS, KIND)
    assert (ours.predict(IRIS) == theirs.predict(IRIS)).all()
    if hasattr(base, "decision_function"):
        np.testing.assert_allclose(
            pairs.decision_function(IRIS), their_pairs.decision_function(IRIS), rtol=1e-9
        )
    if hasattr(base, "predict_proba"):
        np.testing.assert_allclose(ours.predict_proba(IRIS), theirs.predict_proba(IRIS), atol=1e-12)


@pytest.mark.parametrize("wrap", BOTH)
@pytest.mark.parametrize("base", BASES, ids=lambda base: type(base).__name__)
def test_two_classes_are_the_base(wrap: Any, base: Any) -> None:
    X, y = IRIS[50:], np.array(["low", "high"])[KIND[50:] - 1]
    model, plain = wrap(base).fit(X, y), clone(base).fit(X, y)
    assert len(model.estimators_) == 1
    assert (model.predict(X) == plain.predict(X)).all()
    assert model.decision_function(X).shape == (100,)
    if hasattr(plain, "decision_function"):
        np.testing.assert_allclose(model.decision_function(X), plain.decision_function(X), rtol=1e-6)
    if hasattr(plain, "predict_proba"):
        np.testing.assert_allclose(model.predict_proba(X), plain.predict_proba(X), rtol=1e-6, atol=1e-12)
    assert not model.ambiguous(X).any()


def test_nobody_claims_the_middle_and_two_claim_the_far_side() -> None:
    X, y = three_directions()
    model = OneVsRest(LogisticRegression(l2=0.001)).fit(X, y)
    claims = model.claims(np.array([[0.0, 0.0], [2.0, 0.0], [-8.0, 0.0]]))
    assert claims.tolist() == [[False, False, False], [True, False, False], [False, True, True]]
    assert model.ambiguous(np.array([[0.0, 0.0], [2.0, 0.0], [-8.0, 0.0]])).tolist() == [True, False, True]
    assert model.predict([[0.1, 0.0]]).tolist() == [0]  # the largest score decides all the same


def test_votes_and_the_circle_in_the_middle() -> None:
    """A hand-made cycle: 0 beats 1, 1 beats 2, 2 beats 0; the margins decide, then the order of the classes."""
    model = OneVsOne(LinearSVC()).fit(*three_directions())

    class Fixed:
        def __init__(self, value: float) -> None:
            self.value = value

        def decision_function(self, X: Any) -> Any:
            return np.full(len(X), self.value)

    row = np.zeros((1, 2))
    model.estimators_ = [Fixed(-1.0), Fixed(2.0), Fixed(-1.5)]  # of the pairs (0, 1), (0, 2), (1, 2)
    assert model.votes(row).tolist() == [[1, 1, 1]] and model.ambiguous(row).all()
    # Sums of margins: 0: 1 - 2, 1: -1 + 1.5, 2: 2 - 1.5; classes 1 and 2 are equal, so the first of them.
    assert model.predict(row).tolist() == [1]
    model.estimators_ = [Fixed(-1.0), Fixed(2.5), Fixed(-1.5)]
    assert model.predict(row).tolist() == [2]
    model.estimators_ = [Fixed(-1.0), Fixed(1.0), Fixed(-1.0)]
    assert model.predict(row).tolist() == [0]
    model.estimators_ = [Fixed(-0.1), Fixed(-0.1), Fixed(1e6)]  # two votes for 0: no margin outweighs them
    assert model.votes(row).tolist() == [[2, 0, 1]] and model.predict(row).tolist() == [0]


def test_votes_add_up() -> None:
    X, y = three_directions()
    model = OneVsOne(LinearSVC()).fit(X, y)
    votes = model.votes(X)
    assert votes.shape == (len(X), 3) and (votes.sum(axis=1) == 3).all() and votes.max() == 2
    clear = ~model.ambiguous(X)
    assert (votes.argmax(axis=1)[clear] == model.predict(X)[clear]).all()


def coupled(r: Any) -> Any:
    """Posteriors from whole matrices r (N, K, K)."""
    pairs = list(combinations(range(r.shape[1]), 2))
    return couple(np.stack([r[:, k, j] for j, k in pairs], axis=1), pairs, r.shape[1])


@pytest.mark.parametrize("classes", [2, 3, 4, 7])
def test_coupling_finds_a_posterior_that_agrees_with_all_pairs(classes: int) -> None:
    rng = np.random.default_rng(classes)
    p = rng.dirichlet(np.ones(classes), 300) + 1e-4
    p /= p.sum(axis=1, keepdims=True)
    r = p[:, :, None] / (p[:, :, None] + p[:, None, :])
    np.testing.assert_allclose(coupled(r), p, rtol=1e-6)


def test_coupling_minimises_its_objective() -> None:
    from scipy.optimize import minimize

    rng = np.random.default_rng(5)
    upper = np.triu(rng.uniform(0.05, 0.95, (4, 4)), 1)
    r = upper + np.tril(1 - upper.T, -1)

    def objective(p: Any) -> float:
        away = r.T * p[:, None] - r * p
        return float((away[~np.eye(4, dtype=bool)] ** 2).sum())

    found = coupled(r[None])[0]
    best = minimize(
        objective, np.full(4, 0.25), constraints={"type": "eq", "fun": lambda p: p.sum() - 1}, tol=1e-14
    )
    np.testing.assert_allclose(found, best.x, atol=1e-5)
    assert objective(found) <= best.fun + 1e-12


def test_pairs_that_are_certain_stay_finite() -> None:
    r = np.zeros((1, 3, 3))
    r[0, 0, 1] = r[0, 0, 2] = r[0, 1, 2] = 1.0  # and the others 0
    posterior = coupled(r)[0]
    assert np.isfinite(posterior).all() and (posterior > 0).all() and posterior.argmax() == 0
    cycle = np.zeros((1, 3, 3))
    cycle[0, 0, 1] = cycle[0, 1, 2] = cycle[0, 2, 0] = 1.0
    np.testing.assert_allclose(coupled(cycle), 1 / 3, atol=1e-6)


def test_coupled_posteriors_decide_where_asked_to() -> None:
    model = OneVsOne(GaussianClassifier("shared"), vote="coupling").fit(IRIS, KIND)
    posterior = model.predict_proba(IRIS)
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0, rtol=1e-12)
    assert (posterior.argmax(axis=1) == model.predict(IRIS)).all()
    np.testing.assert_allclose(model.decision_function(IRIS), np.log(posterior), rtol=1e-9)
    direct = GaussianClassifier("shared").fit(IRIS, KIND)
    assert (model.predict(IRIS) != direct.predict(IRIS)).sum() <= 2


@pytest.mark.parametrize("wrap", BOTH)
def test_posteriors_exist_where_the_base_has_them(wrap: Any) -> None:
    margins, inferred = wrap(LinearSVC()), wrap(GaussianNB())
    for name in ("predict_proba", "predict_log_proba", "decide"):
        assert not hasattr(margins, name) and not hasattr(margins.fit(IRIS, KIND), name)
        assert hasattr(inferred, name) and hasattr(inferred.fit(IRIS, KIND), name)
    chosen = inferred.decide(IRIS, priors=[0.0, 0.5, 0.5])
    assert set(chosen.labels.tolist()) == {1, 2}


def test_coupling_without_posteriors_is_refused() -> None:
    with raises("M059", shown="LinearSVC"):
        OneVsOne(LinearSVC(), vote="coupling").fit(IRIS, KIND)


@pytest.mark.parametrize("wrap", BOTH)
def test_a_base_that_only_predicts_will_do(wrap: Any) -> None:
    X, y = IRIS[:, 2:], KIND
    model = wrap(OnlyPredicts()).fit(X, y)
    assert model.score(X, y) > 0.6 and not hasattr(model, "predict_proba")


@pytest.mark.parametrize("wrap", BOTH)
def test_weights_reach_the_base_or_are_refused(wrap: Any) -> None:
    weight = np.random.default_rng(0).integers(1, 4, 150)
    repeated = wrap(LogisticRegression(l2=0.01)).fit(np.repeat(IRIS, weight, axis=0), np.repeat(KIND, weight))
    weighted = wrap(LogisticRegression(l2=0.01)).fit(IRIS, KIND, sample_weight=weight)
    np.testing.assert_allclose(
        weighted.decision_function(IRIS), repeated.decision_function(IRIS), rtol=1e-4, atol=1e-4
    )
    np.testing.assert_allclose(weighted.class_prior_, repeated.class_prior_)
    with raises("S134", kind="KNeighborsClassifier"):
        wrap(KNeighborsClassifier()).fit(IRIS, KIND, sample_weight=weight)


@pytest.mark.parametrize("wrap", BOTH)
def test_a_class_without_weight_is_never_predicted_and_reported(wrap: Any) -> None:
    weight = np.where(KIND == 1, 0.0, 1.0)
    model = wrap(GaussianNB()).fit(IRIS, KIND, sample_weight=weight)
    assert model.classes_.tolist() == [0, 1, 2] and len(model.estimators_) == 1
    assert len(model.diagnostics_) == 1 and noted(model.diagnostics_, "M336", label="1")
    assert set(model.predict(IRIS)) == {0, 2}
    assert (model.predict_proba(IRIS)[:, 1] == 0).all()
    assert model.decision_function(IRIS).shape == (150, 3)


@pytest.mark.parametrize("wrap", BOTH)
def test_tables_of_any_kind(wrap: Any) -> None:
    frame = pd.DataFrame(IRIS, columns=list("abcd"), index=np.arange(150)[::-1])
    labels = pd.Series(np.array(["x", "y", "z"])[KIND], index=frame.index)
    model = wrap(GaussianNB()).fit(frame, labels)
    assert model.feature_names_in_.tolist() == list("abcd") and model.n_features_in_ == 4
    assert (
        model.predict(frame).tolist()
        == np.array(["x", "y", "z"])[wrap(GaussianNB()).fit(IRIS, KIND).predict(IRIS)].tolist()
    )
    wide = sparse.coo_array(IRIS)
    dense, thin = wrap(LinearSVC()).fit(IRIS, KIND), wrap(LinearSVC()).fit(wide, KIND)
    assert (dense.predict(IRIS) == thin.predict(sparse.csr_array(wide))).mean() > 0.97


@pytest.mark.parametrize("wrap", [*BOTH, Calibrated])
def test_tables_with_text(wrap: Any) -> None:
    """Classifiers of tables inside: text columns, gaps, and rows taken from any library's frame."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=150), "b": rng.choice(["u", "v"], 150), "c": IRIS[:, 3]})
    frame.loc[::9, "a"] = np.nan
    tables = [frame, pl.from_pandas(frame), pa.Table.from_pandas(frame)]
    found = [wrap(build(entry("least_squares"))).fit(table, KIND).predict(table) for table in tables]
    assert (found[0] == KIND).mean() > 0.7
    assert all((other == found[0]).all() for other in found)


def test_sure_forests_stay_finite() -> None:
    model = OneVsRest(RandomForestClassifier(5, random_state=0)).fit(IRIS, KIND)
    assert np.isfinite(model.decision_function(IRIS)).all()
    assert model.score(IRIS, KIND) > 0.97


def steep(X: Any, theta: Any) -> Any:
    """A sigmoid that reaches 0 and 1 a short way from its middle."""
    return expit(1e4 * (X @ theta[:-1] + theta[-1]))


DOCUMENTS = np.array([[3, 0, 0, 0], [2, 1, 0, 0], [0, 3, 0, 0], [0, 2, 1, 0], [0, 0, 3, 0], [0, 0, 2, 2]])
LINE, TOPIC = np.array([[0.0], [1.0], [10.0], [11.0], [20.0], [21.0]]), np.array(list("aabbcc"))


@pytest.mark.parametrize("wrap", BOTH)
@pytest.mark.parametrize(
    ("base", "rows"),
    [
        (MultinomialNB(smoothing=0.0), DOCUMENTS),
        (BernoulliNB(smoothing=0.0), DOCUMENTS),
        (ParametricClassifier(steep, start=np.zeros(2)), LINE),
    ],
    ids=["multinomial", "bernoulli", "parametric"],
)
def test_posteriors_of_0_and_1_are_posteriors(wrap: Any, base: Any, rows: Any) -> None:
    """Warnings are errors here: none may leak from infinite log-odds."""
    model = wrap(base).fit(rows, TOPIC)
    sure = np.concatenate([part.predict_proba(rows)[:, 1] for part in model.estimators_])
    assert ((sure == 1.0) | (sure == 0.0)).any()
    assert model.predict(rows).tolist() == TOPIC.tolist()
    scores = model.decision_function(rows)
    assert np.isfinite(scores).all() and (scores.argmax(axis=1) == np.repeat([0, 1, 2], 2)).all()
    posterior = model.predict_proba(rows)
    assert (posterior >= 0).all() and posterior.sum(axis=1) == pytest.approx(1.0)
    assert 0.0 <= evaluate(wrap(base), rows, TOPIC, KFold(2)).error <= 1.0


def test_infinite_margins_are_beyond_all_finite_ones() -> None:
    class Margins:
        def __init__(self, values: list[float]) -> None:
            self.values = np.array(values)

        def decision_function(self, X: Any) -> Any:
            return self.values

    inf = np.inf
    rest = OneVsRest(GaussianNB()).fit(IRIS, KIND)
    rest.estimators_ = [Margins([1e200, inf, -inf]), Margins([inf, -3.0, -1e200]), Margins([4.0, 1e9, -inf])]
    assert rest.predict(IRIS[:3]).tolist() == [1, 0, 1]
    pairs = OneVsOne(GaussianNB()).fit(IRIS, KIND)
    # Each class wins one pair: 2 over 0 by 1, 0 over 1 without bounds, 1 over 2 by 5; in the second row all without.
    pairs.estimators_ = [Margins([-inf, -inf]), Margins([1.0, inf]), Margins([-5.0, -inf])]
    assert pairs.votes(IRIS[:2]).tolist() == [[1, 1, 1], [1, 1, 1]]
    assert pairs.predict(IRIS[:2]).tolist() == [0, 0]
    assert pairs.decision_function(IRIS[:1])[0].argsort().tolist() == [1, 2, 0]


@pytest.mark.parametrize("wrap", BOTH)
def test_an_evaluation_shares_what_they_are_made_of(wrap: Any) -> None:
    found = evaluate(wrap(GaussianClassifier("shared")), IRIS, KIND, KFold(5))
    assert found.strategy == "statistics" and found.error < 0.2 and np.isfinite(found.log_loss)


@pytest.mark.parametrize("wrap", BOTH)
def test_bad_input_is_one_sentence(wrap: Any) -> None:
    with raises("M033", label=0):
        wrap(GaussianNB()).fit(IRIS[:50], KIND[:50])
    with raises("M032", n_rows=150, n_labels=149):
        wrap(GaussianNB()).fit(IRIS, KIND[:-1])
    with raises("M023", name="estimator", value=5, expectation="a classifier with fit and predict"):
        wrap(5).fit(IRIS, KIND)
    with raises("M023", name="estimator", value=GaussianNB):
        wrap(GaussianNB).fit(IRIS, KIND)
    broken = IRIS.copy()
    broken[7, 2] = np.inf
    with raises("N026"):
        wrap(GaussianNB()).fit(broken, KIND)


def test_scores_of_pairs_shape_of_svc() -> None:
    model = OneVsOne(SVC(kernel="linear")).fit(IRIS, KIND)
    assert (model.predict(IRIS) == SVC(kernel="linear").fit(IRIS, KIND).predict(IRIS)).mean() > 0.98
