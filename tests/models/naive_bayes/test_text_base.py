"""Documents: hand tables, scikit-learn's twins, what smoothing 0 means, learning in parts and unlearning to the bit."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn.naive_bayes as theirs
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.special import softmax

import assay
from assay import BernoulliNB, ComplementNB, MultinomialNB
from assay.models.naive_bayes.poisson import PoissonNB
from assay.statistics.weights import in_rows
from tests.noted import noted
from tests.raised import raises

MODELS: list[Any] = [MultinomialNB, BernoulliNB, ComplementNB]
TWINS: dict[Any, Any] = {
    MultinomialNB: theirs.MultinomialNB,
    BernoulliNB: theirs.BernoulliNB,
    ComplementNB: theirs.ComplementNB,
}
EACH = pytest.mark.parametrize("cls", MODELS, ids=lambda cls: cls.__name__)
# Words: ball, goal, vote.
DOCUMENTS = np.array([[2, 1, 0], [1, 2, 0], [0, 0, 3], [1, 0, 2]])
TOPICS = np.array(["sport", "sport", "politics", "politics"])


def corpus(seed: int = 0, rows: int = 120, words: int = 40, classes: int = 3) -> tuple[Any, Any]:
    """Counts of words whose frequencies fall with their rank and differ by class."""
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(classes), rng.integers(0, classes, rows - classes)])
    rates = rng.gamma(0.5, 1.0, (classes, words)) / np.arange(1, words + 1) ** 0.5
    return rng.poisson(rates[y]), y


# -- by hand ----------------------------------------------------------------------------------------------


def test_multinomial_by_hand() -> None:
    """Politics: 1 + 1, 0 + 1, 5 + 1 of 9; sport: 3 + 1, 3 + 1, 0 + 1 of 9; priors one half."""
    model = MultinomialNB().fit(DOCUMENTS, TOPICS)
    expected = np.array([[2, 1, 6], [4, 4, 1]]) / 9
    np.testing.assert_allclose(np.exp(model.feature_log_prob_), expected, rtol=1e-14)
    joint = 0.5 * (expected[:, 0] ** 2) * expected[:, 2]  # "ball ball vote"
    np.testing.assert_allclose(model.predict_proba([[2, 0, 1]])[0], joint / joint.sum(), rtol=1e-12)
    np.testing.assert_allclose(np.exp(model.predict_joint_log_proba([[2, 0, 1]])[0]), joint, rtol=1e-12)
    with_orders = np.exp(model.predict_joint_log_proba([[2, 0, 1]], coefficient=True)[0])
    np.testing.assert_allclose(with_orders, 3 * joint, rtol=1e-12)  # three orders of two balls and a vote


def test_bernoulli_by_hand() -> None:
    """Politics holds ball in 1 of 2 documents, goal in 0, vote in 2; sport in 2, 2 and 0."""
    model = BernoulliNB().fit(DOCUMENTS, TOPICS)
    p = np.array([[2, 1, 3], [3, 3, 1]]) / 4
    np.testing.assert_allclose(np.exp(model.feature_log_prob_), p, rtol=1e-14)
    joint = 0.5 * p[:, 0] * (1 - p[:, 1]) * p[:, 2]  # ball and vote, no goal; how often does not matter
    for document in ([1, 0, 1], [7, 0, 2]):
        np.testing.assert_allclose(model.predict_proba([document])[0], joint / joint.sum(), rtol=1e-12)


def test_a_common_word_that_is_absent_speaks_to_bernoulli_alone() -> None:
    """Another word that only sport uses enters the vocabulary; a document without it moves one posterior."""
    plain = np.array([[1], [1], [1], [1]])
    wider = np.column_stack([plain, [1, 1, 0, 0]])
    for cls, moves in ((BernoulliNB, True), (MultinomialNB, False)):
        model = cls(smoothing=0.5).fit(wider, TOPICS)
        lacking, nothing = model.predict_proba([[0, 0]])[0], model.class_prior_
        assert (not np.allclose(lacking, nothing)) == moves
        assert (lacking[0] > 0.8) == moves


def test_complement_by_hand() -> None:
    model = ComplementNB().fit(DOCUMENTS, TOPICS)
    others = np.array([[4, 4, 1], [2, 1, 6]]) / 9  # what the other class shows
    np.testing.assert_allclose(model.feature_log_prob_, -np.log(others), rtol=1e-14)
    score = -np.log(others)[:, 0]
    np.testing.assert_allclose(model.predict_proba([[1, 0, 0]])[0], np.exp(score) / np.exp(score).sum())


# -- twins ------------------------------------------------------------------------------------------------


@EACH
@pytest.mark.parametrize("smoothing", [1.0, 0.01, 7.5])
@pytest.mark.parametrize("weighted", ["no", "whole", "fractions"])
def test_equals_scikit_learns(cls: Any, smoothing: float, weighted: str) -> None:
    X, y = corpus()
    rng = np.random.default_rng(1)
    weight = {"no": None, "whole": rng.integers(0, 4, len(y)), "fractions": rng.random(len(y))}[weighted]
    options: list[dict[str, Any]] = [{}, {"norm": True}] if cls is ComplementNB else [{}]
    for option in options:
        ours = cls(smoothing=smoothing, **option).fit(X, y, weight)
        twin = TWINS[cls](alpha=smoothing, **option).fit(X, y, in_rows(weight))  # smoothing counts rows
        np.testing.assert_allclose(ours.feature_log_prob_, twin.feature_log_prob_, rtol=1e-10)
        for rows in (X, X.astype(np.float32), sparse.csr_array(X), sparse.csr_matrix(X), sparse.coo_array(X)):
            found = ours.predict_log_proba(rows)
            np.testing.assert_allclose(found, twin.predict_log_proba(X), rtol=1e-9, atol=1e-9)


@EACH
def test_sparse_and_dense_training_are_the_same(cls: Any) -> None:
    X, y = corpus(2)
    dense, thin = cls().fit(X, y), cls().fit(sparse.csr_array(X), y)
    np.testing.assert_array_equal(dense.statistics_.counts, thin.statistics_.counts)
    np.testing.assert_allclose(
        dense.predict_log_proba(X), thin.predict_log_proba(sparse.csr_array(X)), atol=1e-10
    )


def test_threshold_of_presence() -> None:
    X, y = corpus(3)
    for threshold in (0.5, 1.0, 2.0):
        twin = theirs.BernoulliNB(binarize=threshold).fit(X, y)
        for rows in (X, sparse.csr_array(X)):
            model = BernoulliNB(threshold=threshold).fit(rows, y)
            np.testing.assert_allclose(model.predict_log_proba(rows), twin.predict_log_proba(X), atol=1e-9)


# -- smoothing 0 ------------------------------------------------------------------------------------------


@EACH
def test_without_smoothing_every_answer_is_defined(cls: Any) -> None:
    X, y = corpus(4, rows=12, words=30)
    new = np.vstack([np.eye(30, dtype=int), np.ones((1, 30), dtype=int), np.zeros((1, 30), dtype=int)])
    for rows in (new, sparse.csr_array(new)):
        posterior = cls(smoothing=0.0).fit(X, y).predict_proba(rows)
        assert np.isfinite(posterior).all()
        np.testing.assert_allclose(posterior.sum(axis=1), 1.0)


def test_words_without_smoothing() -> None:
    """Unseen by one class: ruled out. Unseen by all: ignored. All ruled out: the priors."""
    X = np.array([[1, 0, 1, 0], [2, 0, 1, 0], [0, 1, 1, 0]])
    model = MultinomialNB(smoothing=0.0).fit(X, ["a", "a", "b"])
    assert model.predict_proba([[1, 0, 0, 0]]).tolist() == [[1.0, 0.0]]
    np.testing.assert_allclose(model.predict_proba([[0, 0, 0, 5]])[0], [2 / 3, 1 / 3])
    np.testing.assert_allclose(model.predict_proba([[1, 1, 0, 0]])[0], [2 / 3, 1 / 3])
    expected = np.array([2 / 3 * 0.4, 1 / 3 * 0.5])
    np.testing.assert_allclose(model.predict_proba([[0, 0, 1, 9]])[0], expected / expected.sum())


def test_presence_without_smoothing() -> None:
    X = np.array([[1, 0, 1], [1, 1, 1], [0, 1, 1], [0, 0, 1]])
    model = BernoulliNB(smoothing=0.0).fit(X, ["a", "a", "b", "b"])
    assert model.predict_proba([[1, 0, 1], [0, 0, 1]]).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert model.predict_proba([[1, 0, 0]]).tolist() == [[1.0, 0.0]]  # everyone has the last word: ignored


def test_complement_without_smoothing() -> None:
    model = ComplementNB(smoothing=0.0).fit([[3, 0, 1], [0, 2, 1], [0, 1, 2]], ["a", "b", "c"])
    assert model.predict_proba([[1, 0, 1]]).tolist() == [[1.0, 0.0, 0.0]]  # only a uses the first word


# -- learning in parts ------------------------------------------------------------------------------------


def bits(model: Any) -> list[bytes]:
    """Everything that predictions follow from."""
    form = model._score_form
    arrays = [
        model.classes_,
        model.class_prior_,
        form.weights,
        form.bias,
        *model.statistics_.to_arrays().values(),
    ]
    return [np.ascontiguousarray(array).tobytes() for array in arrays]


@EACH
@given(
    seed=st.integers(0, 2**32 - 1),
    smoothing=st.sampled_from([0.0, 0.5, 1.0]),
    weighted=st.booleans(),
    thin=st.booleans(),
)
@settings(max_examples=25)
def test_forgetting_restores_the_model_before_to_the_bit(
    cls: Any, seed: int, smoothing: float, weighted: bool, thin: bool
) -> None:
    X, y = corpus(seed, rows=30, words=12)
    y[20:] += np.random.default_rng(seed).integers(0, 2, 10)  # a class may come with the second part
    weight = np.random.default_rng(seed).integers(1, 4, 30).astype(float) if weighted else np.ones(30)
    rows = sparse.csr_array(X) if thin else X
    before = cls(smoothing=smoothing).fit(rows[:20], y[:20], weight[:20])
    model = pickle.loads(pickle.dumps(before)).partial_fit(rows[20:], y[20:], sample_weight=weight[20:])
    whole = cls(smoothing=smoothing).fit(rows, y, weight)
    merged = cls(smoothing=smoothing).fit(rows[:20], y[:20], weight[:20])
    if len(np.unique(y[20:])) > 1:
        merged.merge(cls(smoothing=smoothing).fit(rows[20:], y[20:], weight[20:]))
        assert bits(merged) == bits(whole)
    assert bits(model) == bits(whole)
    assert bits(model.forget(rows[20:], y[20:], weight[20:])) == bits(before)


@EACH
def test_fractions_are_forgotten_to_rounding(cls: Any) -> None:
    X, y = corpus(6)
    weight = np.random.default_rng(0).random(len(y))
    model = cls().fit(X, y, weight).forget(X[60:], y[60:], weight[60:])
    np.testing.assert_allclose(
        model.predict_log_proba(X), cls().fit(X[:60], y[:60], weight[:60]).predict_log_proba(X), atol=1e-9
    )


@EACH
def test_whole_weights_are_repeated_rows(cls: Any) -> None:
    X, y = corpus(7)
    weight = np.random.default_rng(0).integers(0, 3, len(y))
    np.testing.assert_array_equal(
        cls().fit(X, y, weight).predict_log_proba(X),
        cls().fit(np.repeat(X, weight, axis=0), np.repeat(y, weight)).predict_log_proba(X),
    )


@EACH
def test_priors_are_exchanged_without_a_fit(cls: Any) -> None:
    X, y = corpus(8)
    model = cls().fit(X, y)
    other = model.with_priors([0.2, 0.3, 0.5])
    np.testing.assert_array_equal(
        other.predict_log_proba(X), cls(priors=[0.2, 0.3, 0.5]).fit(X, y).predict_log_proba(X)
    )
    assert model.priors != other.priors


@EACH
def test_classes_may_come_later(cls: Any) -> None:
    X, y = corpus(9)
    model = cls().partial_fit(X[:50], y[:50], classes=[0, 1, 2, 9]).partial_fit(X[50:], y[50:])
    assert model.classes_.tolist() == [0, 1, 2, 9]
    assert noted(model.diagnostics_, "M301", label="9")
    assert (model.predict_proba(X)[:, 3] == 0).all()
    with raises("M017", strange=2):
        cls().partial_fit(X, y, classes=[0, 1])


@EACH
def test_saved_and_loaded_it_goes_on(cls: Any, tmp_path: Path) -> None:
    X, y = corpus(10)
    frame = pd.DataFrame(X, columns=[f"w{j}" for j in range(X.shape[1])])
    model = cls(smoothing=0.5).fit(frame, y)
    loaded = assay.load(assay.save(model, tmp_path / "model.assay"))
    assert bits(loaded) == bits(model)
    assert loaded.feature_names_in_.tolist() == list(frame.columns)
    assert bits(loaded.forget(frame[50:], y[50:])) == bits(cls(smoothing=0.5).fit(frame[:50], y[:50]))


# -- likelihood -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", [MultinomialNB, BernoulliNB])
def test_likelihood_is_that_of_the_likeliest_fit(cls: Any) -> None:
    X, y = corpus(11)
    likeliest = cls(smoothing=0.0).fit(X, y)
    joint = likeliest.predict_joint_log_proba(X)[np.arange(len(y)), y].sum()
    assert cls().fit(X, y).log_likelihood_ == pytest.approx(joint, rel=1e-10)
    free = 3 * (39 if cls is MultinomialNB else 40) + 2
    assert likeliest.n_parameters_ == free
    assert assay.aic(likeliest) == pytest.approx(2 * free - 2 * joint)
    assert assay.bic(likeliest) == pytest.approx(np.log(len(y)) * free - 2 * joint)


def test_complement_has_no_likelihood() -> None:
    with raises("S080"):
        assay.aic(ComplementNB().fit(DOCUMENTS, TOPICS))


def test_coefficients_of_sparse_rows() -> None:
    X, y = corpus(12)
    model = MultinomialNB().fit(X, y)
    np.testing.assert_allclose(
        model.predict_joint_log_proba(X, coefficient=True),
        model.predict_joint_log_proba(sparse.csr_array(X), coefficient=True),
        rtol=1e-10,
    )


# -- difficult and wrong input ----------------------------------------------------------------------------


@EACH
def test_a_class_of_empty_documents_has_an_answer(cls: Any) -> None:
    for smoothing in (0.0, 1.0):
        model = cls(smoothing=smoothing).fit(
            [[0, 0], [0, 0], [3, 1], [1, 2]], ["none", "none", "some", "some"]
        )
        assert any("Every document of class none is empty" in sentence for sentence in model.diagnostics_)
        posterior = model.predict_proba([[0, 0], [1, 0], [1, 1]])
        assert np.isfinite(posterior).all()
        np.testing.assert_allclose(posterior.sum(axis=1), 1.0)
    assert BernoulliNB().fit([[0, 0], [0, 0], [3, 1]], [0, 0, 1]).predict([[0, 0]]).tolist() == [0]


@EACH
def test_wrong_input_is_one_sentence(cls: Any) -> None:
    good = pd.DataFrame({"ball": [1.0, 2.0], "vote": [0.0, 1.0]})
    model = cls().fit(good, ["a", "b"])
    with raises("M023", name="smoothing", expectation="a number of at least 0"):
        cls(smoothing=-1.0).fit(good, ["a", "b"])
    for value, code in ((np.nan, "N028"), (np.inf, "N026")):
        wrong = good.copy()
        wrong.loc[1, "vote"] = value
        for call in (
            lambda wrong=wrong: cls().fit(wrong, ["a", "b"]),
            lambda wrong=wrong: model.predict(wrong),
        ):
            with raises(code, where="row 1, column 'vote'"):
                call()
    if cls is BernoulliNB:
        with raises("M138"):
            cls(threshold=-1.0).fit(sparse.csr_array(good.to_numpy()), ["a", "b"])
        return
    for rows in (np.array([[1.0, 0.0], [2.0, -3.0]]), sparse.csr_array([[1.0, 0.0], [2.0, -3.0]])):
        with raises("M030", value=-3.0, row=1, feature_name="column 1"):
            cls().fit(rows, ["a", "b"])


def test_fractions_are_told_and_refused_where_counts_are_needed() -> None:
    for cls in (ComplementNB, MultinomialNB):
        model = cls().fit([[0.5, 1.0], [1.0, 0.0]], ["a", "b"])
        assert noted(model.diagnostics_, "M417")
        assert not cls().fit([[5.0, 1.0], [1.0, 0.0]], ["a", "b"], sample_weight=[0.5, 1.5]).diagnostics_
    for rows in ([[0.5, 1.0]], sparse.csr_array([[0.5, 1.0]])):
        with raises("N014", value=0.5):
            model.predict_joint_log_proba(rows, coefficient=True)


@EACH
def test_only_what_was_learned_can_be_forgotten(cls: Any) -> None:
    X, y = np.array([[1, 0], [0, 1], [0, 2]]), np.array(["a", "b", "b"])
    model = cls().fit(X, y)
    with raises("M018", label="c"):
        model.forget([[1, 0]], ["c"])
    with raises("M014", label="a"):
        model.forget([[1, 0], [1, 0]], ["a", "a"])
    with raises("M132", what="Column 1", label="a"):
        model.forget([[0, 1]], ["a"])
    with raises("M015"):
        model.forget([[1, 0]], ["a"], [2.0])
    with raises("M013"):
        model.forget(X[1:], y[1:])


@EACH
def test_other_models_do_not_merge(cls: Any) -> None:
    model = cls().fit(DOCUMENTS, TOPICS)
    with raises("M010"):
        model.merge(cls(smoothing=2.0).fit(DOCUMENTS, TOPICS))
    with raises("M011", other_columns=2, n_columns=3):
        model.merge(cls().fit(DOCUMENTS[:, :2], TOPICS))


def test_the_linear_form_gives_the_posteriors_or_says_that_there_is_none() -> None:
    X = np.random.default_rng(4).poisson(2.0, size=(60, 5)).astype(float)
    y = np.arange(60) % 3
    for model in (MultinomialNB(), BernoulliNB(threshold=1.0), ComplementNB(norm=True), PoissonNB()):
        fitted = model.fit(X, y)
        rows = (X > 1.0).astype(float) if isinstance(model, BernoulliNB) else X
        linear = softmax(rows @ fitted.coef_.T + fitted.intercept_, axis=1)
        np.testing.assert_allclose(linear, fitted.predict_proba(X), rtol=1e-9)
    rare = np.hstack([X, (y == 1).astype(float)[:, None]])
    for model in (MultinomialNB(smoothing=0.0), BernoulliNB(smoothing=0.0), PoissonNB(smoothing=0.0)):
        assert not hasattr(model, "coef_") and not hasattr(model.fit(rare, y), "intercept_")
        with raises("M521", AttributeError, smoothing=0.0):
            _ = model.coef_
