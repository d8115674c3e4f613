"""The perceptron: the rule step by step, its verdicts, variants, weights and scikit-learn's contract."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from assay import PCA, KFold, SelectColumns, Standardize, evaluate
from assay.models.linear import perceptron
from assay.models.linear.perceptron import Perceptron
from assay.notes import Note
from assay.statistics.weights import in_rows
from tests.noted import noted
from tests.raised import Expected, raises

Array = np.ndarray
CORNERS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
ORDER = "steps depend on the order of the rows: a repeated row is visited twice (scikit-learn's Perceptron fails too)"


def fails(estimator: Perceptron) -> dict[str, str]:
    return {f"check_sample_weight_equivalence_on_{kind}_data": ORDER for kind in ("dense", "sparse")}


@parametrize_with_checks(
    [
        Perceptron(epochs=50),
        Perceptron("averaged", epochs=50, shuffle=True),
        Perceptron("pocket", epochs=50, scale=True),
    ],
    expected_failed_checks=fails,
)
def test_scikit_learn_contract(estimator: object, check: object) -> None:
    check(estimator)  # type: ignore[operator]


def winner(scores: Array) -> int:
    """Of two classes the second where the score is 0, of more the first of equals."""
    return int(scores[1] >= scores[0]) if len(scores) == 2 else int(scores.argmax())


def naive(
    X: Array, y: Array, epochs: int, weight: Array | None = None
) -> tuple[Array, Array, Array, int, int]:
    """Row by row, as written in the textbook: weights, their average, pocket, mistakes, epochs."""
    n_classes, s = int(y.max()) + 1, np.ones(len(y)) if weight is None else weight
    Z = np.column_stack([X, np.ones(len(X))])
    W, share = np.zeros((n_classes, Z.shape[1])), 0.5 if n_classes == 2 else 1.0
    total, seen, mistakes = np.zeros_like(W), 0.0, 0
    pocket, fewest = W.copy(), np.inf
    epoch, before = 0, -1
    while epoch < epochs and mistakes != before:
        epoch += 1
        before, run, longest, candidate = mistakes, 0, -1, W.copy()
        for z, c, size in zip(Z, y, s, strict=True):
            given = winner(W @ z)
            if given == c:
                run += 1
            else:
                if run > longest:
                    longest, candidate = run, W.copy()
                W[c] += share * size * z
                W[given] -= share * size * z
                mistakes, run = mistakes + 1, 0
            total, seen = total + size * W, seen + size
        if run > longest:
            candidate = W.copy()
        errors = s[np.array([winner(scores) for scores in Z @ candidate.T]) != y].sum()
        if errors < fewest:
            fewest, pocket = errors, candidate
    return W, total / seen, pocket, mistakes, epoch


def differences(W: Array) -> tuple[Array, Array]:
    W = W[1:] - W[:1] if len(W) == 2 else W
    return W[:, :-1], W[:, -1]


@given(seed=st.integers(0, 1000), classes=st.integers(2, 4), weighted=st.booleans())
@settings(max_examples=12, deadline=None)
def test_equals_the_rule_row_by_row(seed: int, classes: int, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(10, 60))
    y = np.concatenate([np.arange(classes), rng.integers(0, classes, n - classes)])
    X = rng.normal(size=(n, 3)) + 2.0 * rng.normal(size=(classes, 3))[y]
    weight = rng.uniform(0.5, 2.0, n) if weighted else None
    *kept, mistakes, epochs = naive(X, y, 20, in_rows(weight))
    for variant, W in zip(("plain", "averaged", "pocket"), kept, strict=True):
        model = Perceptron(variant, epochs=20, scale=False).fit(X, y, weight)
        coef, intercept = differences(W)
        assert (model.mistakes_, model.n_iter_) == (mistakes, epochs)
        np.testing.assert_allclose(model.coef_, coef, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(model.intercept_, intercept, rtol=1e-12, atol=1e-12)


def test_many_rows_with_few_mistakes_equal_the_rule() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(5000, 4))
    y = (X @ np.array([1.0, -1.0, 2.0, 0.5]) > 0.3).astype(int)
    W, _, _, mistakes, epochs = naive(X, y, 5)
    model = Perceptron(epochs=5, scale=False).fit(X, y)
    assert (model.mistakes_, model.n_iter_) == (mistakes, epochs)
    np.testing.assert_allclose(model.coef_, differences(W)[0], rtol=1e-12)


@pytest.mark.parametrize("labels", [[0, 0, 0, 1], [0, 1, 1, 1], [1, 1, 1, 0]])
@pytest.mark.parametrize("variant", ["plain", "pocket"])
def test_and_and_or_converge(labels: list[int], variant: str) -> None:
    model = Perceptron(variant, scale=False).fit(CORNERS, labels)
    assert model.converged_ and model.diagnostics_ == ()
    assert model.predict(CORNERS).tolist() == labels
    assert np.array_equal(model.coef_, np.round(model.coef_))  # sums of rows of zeros and ones


def test_and_takes_eleven_mistakes_as_in_the_sources() -> None:
    model = Perceptron(scale=False).fit(CORNERS, [0, 0, 0, 1])
    assert model.mistakes_ == 11
    assert model.coef_.tolist() == [[2.0, 1.0]] and model.intercept_.tolist() == [-3.0]
    assert model.decision_function([[1, 1]]).tolist() == [0.0] and model.predict([[1, 1]]).tolist() == [1]


@pytest.mark.parametrize("labels", [["a", "b"], [False, True]])
def test_a_score_of_zero_is_the_second_of_two_classes(labels: list[Any]) -> None:
    """Where folds are solved together as where they are refitted; equal rows bring the weights back to 0."""
    X, y = np.ones((12, 2)), np.array(labels)[[1, 1, 0] * 4]
    shared = evaluate(Perceptron(epochs=1), X, y, KFold(4))
    refitted = evaluate(Perceptron(epochs=1, start=np.zeros((1, 3))), X, y, KFold(4))
    assert shared.strategy == "path" and refitted.strategy == "refit"
    assert shared.predicted.tolist() == refitted.predicted.tolist()
    zero = shared.scores[:, 0] == shared.scores[:, 1]
    assert zero.any() and set(shared.predicted[zero].tolist()) == {labels[1]}


@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize("classes", [2, 3])
def test_starting_weights_are_in_the_units_of_the_columns(scale: bool, classes: int) -> None:
    X, y = load_wine(return_X_y=True)
    X, y = X[y < classes], y[y < classes]
    settled = Perceptron(scale=True).fit(X, y)
    start = np.column_stack([settled.coef_, settled.intercept_])
    again = Perceptron(scale=scale, start=start).fit(X, y)
    assert (again.mistakes_, again.n_iter_) == (0, 1)
    np.testing.assert_allclose(again.coef_, settled.coef_, rtol=1e-9)
    np.testing.assert_allclose(again.intercept_, settled.intercept_, rtol=1e-9)


def test_the_first_mistake_is_made_by_the_starting_weights() -> None:
    model = Perceptron(scale=False, epochs=1, start=[[0.5, -2.0, 0.25]]).fit(CORNERS, [0, 0, 0, 1])
    # (0, 0): 0.25 >= 0 takes it off; (0, 1): -2.75 is right; (1, 0): -0.25; (1, 1): -2.25 adds it
    assert model.mistakes_ == 2
    assert model.coef_.tolist() == [[1.5, -1.0]] and model.intercept_.tolist() == [0.25]


def test_sparse_enough_rows_begin_at_the_same_weights() -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(200, 30)) * (rng.random((200, 30)) < 0.1)
    y, start = rng.integers(0, 2, 200), rng.normal(size=(1, 31))
    for variant in ("plain", "averaged", "pocket"):
        model = Perceptron(variant, epochs=3, start=start).fit(X, y)
        mean, scale = X.mean(axis=0), X.std(axis=0)
        moved = np.column_stack([start[:, :-1] * scale, start[:, -1] + start[:, :-1] @ mean])
        plain = Perceptron(variant, epochs=3, scale=False, start=moved).fit((X - mean) / scale, y)
        assert model.mistakes_ == plain.mistakes_
        np.testing.assert_allclose(model.coef_, plain.coef_ / scale, rtol=1e-9, atol=1e-12)


def test_an_evaluation_honours_the_starting_weights() -> None:
    X, y = load_iris(return_X_y=True)
    model = Perceptron(epochs=1, start=np.arange(15.0).reshape(3, 5))
    found = evaluate(model, X, y, KFold(5))
    for train, test in KFold(5).split(X, y):
        labels = clone(model).fit(X[train], y[train]).predict(X[test])
        assert found.predicted[test].tolist() == labels.tolist()
    assert Note("S007", "Perceptron") in found.notes


@pytest.mark.parametrize("epochs", [1, 30])
def test_exclusive_or_is_reported_by_a_proof(epochs: int) -> None:
    model = Perceptron(epochs=epochs, scale=False).fit(CORNERS, [0, 1, 1, 0])
    assert not model.converged_ and model.n_iter_ == epochs
    (note,) = model.diagnostics_
    assert note.code == "M366" and note.values["proof"].code == "M367"


def test_running_out_of_epochs_is_no_proof() -> None:
    X, y = load_wine(return_X_y=True)
    model = Perceptron(epochs=1, scale=False).fit(X, y)
    assert len(model.diagnostics_) == 1 and noted(model.diagnostics_, "M370", epochs=1)
    scaled = Perceptron(scale=True).fit(X, y)
    assert scaled.converged_ and (scaled.predict(X) == y).all()
    assert (X @ scaled.coef_.T + scaled.intercept_).argmax(axis=1).tolist() == y.tolist()


def test_verdict_where_the_programme_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.solvers.separability.MOST_UNKNOWNS", 1)
    (sentence,) = Perceptron(epochs=3, scale=False).fit(CORNERS, [0, 1, 1, 0]).diagnostics_
    assert "not known" in sentence


def test_averages_and_pockets_help_where_classes_overlap() -> None:
    X, y = load_iris(return_X_y=True)
    errors = {
        v: int((Perceptron(v, epochs=200, scale=True).fit(X, y).predict(X) != y).sum())
        for v in ("averaged", "pocket")
    }
    assert max(errors.values()) <= 6


def test_the_learning_rate_moves_no_boundary() -> None:
    X, y = load_iris(return_X_y=True)
    one, eighth = (
        Perceptron(epochs=20, scale=False).fit(X, y),
        Perceptron(epochs=20, learning_rate=0.125, scale=False).fit(X, y),
    )
    assert one.mistakes_ == eighth.mistakes_
    np.testing.assert_array_equal(one.coef_, 8.0 * eighth.coef_)


def test_shuffling_is_decided_by_the_seed() -> None:
    X, y = load_iris(return_X_y=True)
    models = [Perceptron(epochs=5, shuffle=True, random_state=s, scale=False).fit(X, y) for s in (0, 0, 1)]
    assert np.array_equal(models[0].coef_, models[1].coef_)
    assert not np.array_equal(models[0].coef_, models[2].coef_)


def test_rows_of_weight_zero_are_absent() -> None:
    X, y = load_iris(return_X_y=True)
    weight = (np.arange(150) % 3 > 0).astype(float)
    spoiled = np.where(weight[:, None] > 0, X, 1e6)
    one = Perceptron(epochs=30, scale=False).fit(spoiled, y, weight)
    two = Perceptron(epochs=30, scale=False).fit(X[weight > 0], y[weight > 0])
    assert np.array_equal(one.coef_, two.coef_)
    told = [model.diagnostics_[0].partition("residual")[0] for model in (one, two)]
    assert told[0] == told[1]


def test_a_class_of_weight_zero_is_never_predicted() -> None:
    X, y = load_iris(return_X_y=True)
    model = Perceptron(epochs=30, scale=False).fit(X, y, (y != 2).astype(float))
    assert model.converged_ and set(model.predict(X)) == {0, 1}
    weighted = Perceptron(epochs=30, class_weight={2: 0.0}, scale=False).fit(X, y)
    assert np.array_equal(model.decision_function(X), weighted.decision_function(X))


def test_a_margin_model_has_no_posteriors() -> None:
    X, y = load_iris(return_X_y=True)
    model = Perceptron(epochs=5, scale=False).fit(X, y)
    assert not hasattr(model, "predict_proba")
    assert model.decision_function(X).shape == (150, 3)


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ({"variant": "best"}, Expected("M023", expectation="one of 'plain', 'averaged', 'pocket'")),
        ({"epochs": 0}, Expected("M023", name="epochs", value=0)),
        ({"learning_rate": 0.0}, Expected("M023", name="learning_rate", value=0.0)),
        ({"shuffle": "yes"}, Expected("M023", expectation="True or False")),
        ({"start": "zeros"}, Expected("M023", name="start", value="zeros")),
    ],
)
def test_bad_settings(setting: dict[str, object], expected: Expected) -> None:
    with raises(expected):
        Perceptron(**setting).fit(CORNERS, [0, 0, 0, 1])  # type: ignore[arg-type]


def test_bad_rows() -> None:
    with raises("N028", where="row 1, column 0"):
        Perceptron(scale=False).fit([[0.0], [np.nan]], [0, 1])
    with raises("M033"):
        Perceptron(scale=False).fit([[0.0], [1.0]], [1, 1])


def tables() -> dict[str, tuple[Array, Array]]:
    """Numbers; levels, whose scores are often equal; both, mostly zeros; three classes, one of them rare."""
    rng = np.random.default_rng(3)
    n = 400
    numbers = rng.normal(size=(n, 5)) * [1.0, 10.0, 0.01, 3.0, 1.0] + [0.0, 100.0, 0.0, -5.0, 0.0]
    levels = np.eye(9)[rng.integers(0, 9, n)]
    few = np.hstack([np.eye(30)[rng.integers(0, 30, n)], numbers[:, :2]])
    noise = rng.normal(size=n)
    rare = np.where(np.arange(n) % 100 == 0, 2, (numbers[:, 0] > 0).astype(int))
    return {
        "numbers": (numbers, (numbers[:, 0] + numbers[:, 3] + noise > -5.0).astype(int)),
        "levels": (levels, (levels[:, :4].sum(axis=1) + noise > 0.5).astype(int)),
        "mostly zeros": (few, (few[:, :12].sum(axis=1) + noise > 0.5).astype(int)),
        "three classes": (few, rare),
    }


STEPS: dict[str, list[object]] = {
    "alone": [],
    "scaled": [Standardize()],
    "chosen": [SelectColumns([1, 3, 4, 7]), Standardize()],
    "turned": [PCA(3)],
}


@pytest.mark.parametrize("table", ["numbers", "levels", "mostly zeros", "three classes"])
@pytest.mark.parametrize("steps", ["alone", "scaled", "chosen", "turned"])
@pytest.mark.parametrize("variant", ["plain", "averaged", "pocket"])
def test_folds_together_equal_refits(table: str, steps: str, variant: str) -> None:
    X, y = tables()[table]
    before = [SelectColumns([1, 3, 4]) if table == "numbers" and i == 0 and steps == "chosen" else step
              for i, step in enumerate(STEPS[steps])]  # fmt: skip
    model = make_pipeline(*before, Perceptron(variant, epochs=7, shuffle=variant == "plain", random_state=4))
    found = evaluate(model, X, y, KFold(4))
    assert found.strategy == "path"
    (partition,) = KFold(4).partitions(y.astype(np.int32), None)
    for f in range(4):
        train, test = partition.train_rows(f), partition.test_rows(f)
        alone = clone(model).fit(X[train], y[train])
        scores, margins = found.tested.scores[test], np.asarray(alone.decision_function(X[test]))
        margins = np.stack([-margins / 2, margins / 2], axis=1) if margins.ndim == 1 else margins
        np.testing.assert_allclose(scores, margins, rtol=1e-9, atol=1e-9)
        low, high = np.sort(scores, axis=1)[:, -2:].T
        clear = high - low > 1e-6
        assert clear.sum() > 50
        np.testing.assert_array_equal(found.predicted[test][clear], alone.predict(X[test])[clear])


def test_weighted_folds_equal_refits() -> None:
    X, y = tables()["mostly zeros"]
    weight = np.random.default_rng(1).integers(0, 3, len(y)).astype(float)
    found = evaluate(Perceptron("averaged", epochs=5), X, y, KFold(3), sample_weight=weight)
    (partition,) = KFold(3).partitions(y.astype(np.int32), None)
    for f in range(3):
        train, test = partition.train_rows(f), partition.test_rows(f)
        alone = Perceptron("averaged", epochs=5).fit(X[train], y[train], weight[train])
        np.testing.assert_allclose(
            2.0 * found.tested.scores[test, 1], alone.decision_function(X[test]), rtol=1e-9, atol=1e-9
        )


def test_folds_are_fitted_anew_where_rounding_would_tell() -> None:
    X, y = tables()["levels"]
    assert evaluate(Perceptron(epochs=3, scale=False), X, y, KFold(3)).strategy == "refit"


def test_folds_do_not_ask_why_there_was_no_last_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = load_wine(return_X_y=True)
    X, model = X[:, :2], Perceptron("averaged", epochs=5)
    before = evaluate(model, X, y, KFold(3))
    assert model.fit(X, y).diagnostics_

    def refused(*_: object) -> None:
        raise AssertionError("a linear programme inside a fold")

    monkeypatch.setattr(perceptron, "separation", refused)
    after = evaluate(model, X, y, KFold(3))
    np.testing.assert_array_equal(before.predicted, after.predicted)
    with pytest.raises(AssertionError, match="inside a fold"):
        model.fit(X, y)
