"""The call itself: any estimator, frames, many models, plans, progress, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from assay import (
    Bootstrap,
    GaussianClassifier,
    GaussianNB,
    KFold,
    LeastSquaresClassifier,
    LeaveOneOut,
    Standardize,
    evaluate,
)
from tests.contract.registry import blobs
from tests.raised import Expected, raises
from tests.sharing.tables import in_order, refitted

FOREIGN = [
    LogisticRegression(),
    make_pipeline(StandardScaler(), LogisticRegression()),
    KNeighborsClassifier(3),
    DecisionTreeClassifier(random_state=0),
    GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3]}, cv=2),
    make_pipeline(Standardize(), KNeighborsClassifier(3)),
]


@pytest.mark.parametrize("model", FOREIGN, ids=lambda m: type(m).__name__)
def test_any_estimator(model: Any) -> None:
    X, y = blobs(rows=60, seed=40)
    labels = np.array(["low", "mid", "top"])[y]
    plan = KFold(4)
    result = evaluate(model, X, labels, plan)
    assert result.strategy == "refit" and result.probabilistic
    expected = cross_val_predict(model, X, labels, cv=plan, method="predict_proba")
    np.testing.assert_allclose(result.posterior, expected, atol=1e-9)
    assert result.classes.tolist() == ["low", "mid", "top"]
    predicted = cross_val_predict(model, X, labels, cv=plan)
    assert (result.predicted == predicted).all()


def test_margins_of_two_classes() -> None:
    X, y = blobs(rows=60, classes=2, seed=41)
    result = evaluate(Perceptron(), X, y, KFold(4))
    margin = cross_val_predict(Perceptron(), X, y, cv=KFold(4), method="decision_function")
    np.testing.assert_allclose(result.scores[:, 1] - result.scores[:, 0], margin, rtol=1e-9)


@pytest.mark.parametrize("width", [4, 90], ids=["long", "wide"])
@pytest.mark.parametrize(
    "plan", [KFold(4, repeats=2), LeaveOneOut(), Bootstrap(3)], ids=lambda plan: type(plan).__name__
)
@pytest.mark.parametrize(
    "model",
    [
        LeastSquaresClassifier(),
        LeastSquaresClassifier(0.3),
        make_pipeline(Standardize(), LeastSquaresClassifier(0.3)),
    ],
    ids=["plain", "ridge", "scaled"],
)
def test_margins_of_two_classes_do_not_depend_on_the_way(model: Any, plan: Any, width: int) -> None:
    X, y = blobs(rows=40, width=width, classes=2, seed=43)
    shared = evaluate(model, X, y, plan)
    assert shared.strategy != "refit"
    refits, _ = refitted(model, X, y, plan)
    np.testing.assert_allclose(in_order(shared.tested)[2], in_order(refits)[2], atol=1e-9)


def test_frames_with_text_columns() -> None:
    X, y = blobs(rows=60, seed=42)
    frame = pd.DataFrame({"size": X[:, 0], "colour": np.array(["red", "green", "blue"])[(X[:, 1] > 3) + 1]})
    encode = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), ["colour"]), remainder="passthrough"
    )
    pipeline = make_pipeline(encode, LogisticRegression())
    result = evaluate(pipeline, frame, y, KFold(4))
    expected = cross_val_predict(pipeline, frame, y, cv=KFold(4), method="predict_proba")
    np.testing.assert_allclose(result.posterior, expected, atol=1e-9)


def test_tables_of_every_kind_give_the_same_scores() -> None:
    X, y = blobs(rows=40, seed=43)
    expected = evaluate(GaussianNB(), X, y, KFold(4)).scores
    kinds = {
        "pandas": pd.DataFrame(X),
        "shuffled index": pd.DataFrame(X, index=np.random.default_rng(0).permutation(40)),
        "polars": pl.DataFrame(X),
        "list": X.tolist(),
        "fortran": np.asfortranarray(X),
    }
    for name, table in kinds.items():
        for model in (GaussianNB(), make_pipeline(StandardScaler(), GaussianNB())):
            result = evaluate(model, table, y, KFold(4))
            np.testing.assert_allclose(result.scores, expected, rtol=1e-6, atol=1e-6, err_msg=name)
    labels = pd.Series(y, index=np.arange(40)[::-1])
    np.testing.assert_array_equal(evaluate(GaussianNB(), X, labels, KFold(4)).scores, expected)


def test_sparse_tables_go_to_models_that_take_them() -> None:
    X, y = blobs(rows=40, seed=44)
    dense = evaluate(LogisticRegression(), X, y, KFold(4)).posterior
    np.testing.assert_allclose(
        evaluate(LogisticRegression(), sparse.csr_array(X), y, KFold(4)).posterior, dense, atol=1e-4
    )
    with pytest.raises(TypeError, match="(?i)sparse"):
        evaluate(GaussianNB(), sparse.csr_array(X), y, KFold(4))


def test_one_many_named() -> None:
    X, y = blobs(rows=40)
    assert evaluate(GaussianNB(), X, y).name == "GaussianNB"
    listed = evaluate([GaussianNB(), GaussianNB(variance="unbiased"), GaussianNB()], X, y, KFold(3))
    assert list(listed) == ["GaussianNB()", "GaussianNB(variance='unbiased')", "GaussianNB() #3"]
    named = evaluate({"a": GaussianNB(), "b": LogisticRegression()}, X, y, KFold(3))
    assert {name: result.strategy for name, result in named.items()} == {"a": "statistics", "b": "refit"}
    assert [result.name for result in named.values()] == ["a", "b"]
    np.testing.assert_array_equal(named["a"].rows, named["b"].rows)
    assert isinstance(evaluate([GaussianNB()], X, y, KFold(3)), dict)


def test_models_are_not_touched() -> None:
    X, y = blobs(rows=40)
    model, other = GaussianNB(), LogisticRegression()
    frame = pd.DataFrame(X, columns=list("abcd"))
    evaluate([model, other, make_pipeline(Standardize(), model)], frame, y, KFold(3))
    assert vars(model) == vars(GaussianNB()) and vars(other) == vars(LogisticRegression())


def test_default_plan_is_ten_folds() -> None:
    X, y = blobs(rows=90)
    result = evaluate(GaussianNB(), X, y)
    np.testing.assert_array_equal(result.scores, evaluate(GaussianNB(), X, y, KFold(10)).scores)
    assert result.n_splits == 10


def test_scikit_learn_splitters_keep_their_folds() -> None:
    X, y = blobs(rows=60)
    cv = StratifiedKFold(5, shuffle=True, random_state=0)
    result = evaluate(GaussianNB(), X, y, cv)
    for fold, (_, test) in enumerate(cv.split(X, y)):
        np.testing.assert_array_equal(np.flatnonzero(result.split == fold), test)


@pytest.mark.parametrize("n_jobs", [1, 2, 5])
@pytest.mark.parametrize("model", [GaussianNB(), GaussianClassifier("full"), LogisticRegression()], ids=repr)
def test_threads_change_no_bit(model: Any, n_jobs: int) -> None:
    X, y = blobs(rows=200, seed=45)
    expected = evaluate(model, X, y, KFold(4)).scores
    np.testing.assert_array_equal(evaluate(model, X, y, KFold(4), n_jobs=n_jobs).scores, expected)


def test_weights_reach_estimators_that_take_them_and_others_are_named() -> None:
    X, y = blobs(rows=60, seed=46)
    weight = np.random.default_rng(0).uniform(0.1, 3.0, 60)
    result = evaluate(LogisticRegression(), X, y, KFold(3), sample_weight=weight)
    train, test = next(KFold(3).split(X, y))
    scaled = weight[train] / weight[train].mean()
    by_hand = LogisticRegression().fit(X[train], y[train], scaled).predict_proba(X[test])
    np.testing.assert_allclose(result.posterior[test], by_hand, atol=1e-9)
    for model in (KNeighborsClassifier(), make_pipeline(StandardScaler(), KNeighborsClassifier())):
        with raises("S134", kind="KNeighborsClassifier"):
            evaluate(model, X, y, KFold(3), sample_weight=weight)


@pytest.mark.parametrize("show", [True, False, None])
def test_progress_goes_to_stderr_only(
    show: bool | None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import assay.engines.progress

    monkeypatch.setattr(assay.engines.progress, "PATIENCE", -1.0)
    monkeypatch.setenv("FORCE_COLOR", "1")  # or Rich draws nothing where there is no terminal
    X, y = blobs(rows=40)
    evaluate({"a neighbour": KNeighborsClassifier(1)}, X, y, KFold(3), progress=show)
    written = capsys.readouterr()
    assert written.out == ""
    assert ("a neighbour" in written.err) == (show is True)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"model": GaussianNB}, Expected("M008", kind="GaussianNB")),
        ({"model": []}, Expected("S083")),
        ({"model": "GaussianNB"}, Expected("M009")),
        ({"y": np.zeros(40)}, Expected("S084", n_classes=1)),
        ({"y": np.zeros(39)}, Expected("S084")),
        ({"y": np.arange(39) % 2}, Expected("M032", n_rows=40, n_labels=39)),
        ({"plan": "ten"}, Expected("S047")),
        ({"plan": 1}, Expected("S039", name="n_splits")),
        ({"plan": KFold}, Expected("S048", kind="KFold")),
        ({"plan": [([0, 1], [1, 2])]}, Expected("S051", row=1)),
        ({"loss": [[0, 1], [1, 0]]}, Expected("L030", n_labels=3)),
        ({"loss": [[0, 1, np.nan], [1, 0, 1], [1, 1, 0]]}, Expected("L019")),
        ({"priors": [0.5, 0.5]}, Expected("L048", n_classes=3)),
        ({"priors": [0.5, 0.6, 0.1]}, Expected("L050")),
        ({"priors": [1.5, -0.5, 0.0]}, Expected("L049", position=1, name="priors", value=-0.5)),
        ({"sample_weight": np.ones(3)}, Expected("M037", n_rows=40)),
        ({"sample_weight": -np.ones(40)}, Expected("M038", row=0, weight=-1.0)),
        ({"sample_weight": np.zeros(40)}, Expected("M039")),
        ({"groups": np.zeros(3)}, Expected("S037", name="groups", n_rows=40)),
        ({"groups": np.zeros(40)}, Expected("S063")),
        ({"n_jobs": 0}, Expected("O200")),
    ],
)
@pytest.mark.parametrize("model", [GaussianNB(), LogisticRegression()], ids=repr)
def test_wrong_calls_are_told_in_one_sentence(change: dict[str, Any], expected: Expected, model: Any) -> None:
    X, y = blobs(rows=40)
    arguments: dict[str, Any] = {"model": model, "X": X, "y": y, "plan": KFold(3), **change}
    with raises(expected, (ValueError, TypeError)) as caught:
        evaluate(**arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("plan", [KFold(3), LeaveOneOut()], ids=["KFold", "LeaveOneOut"])
@pytest.mark.parametrize("model", [GaussianClassifier("full"), GaussianClassifier("shared")], ids=repr)
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.nan, Expected("N028", where="row 7, column 'c'")),
        (np.inf, Expected("N026", where="row 7, column 'c'")),
        (1e300, Expected("N700", largest=1e300, column="column 'c'")),
    ],
)
def test_bad_values_are_named_by_row_and_column(
    plan: Any, model: Any, value: float, expected: Expected
) -> None:
    X, y = blobs(rows=40)
    X[7, 2] = value
    with raises(expected):
        evaluate(model, pd.DataFrame(X, columns=list("abcd")), y, plan)


def test_parameters_are_checked_before_any_work() -> None:
    X, y = blobs(rows=40)
    with raises("M023", name="blend", value=2.0):
        evaluate([GaussianNB(), GaussianClassifier(blend=2.0)], X, y, KFold(3))
    with raises("M023", name="method", value="log"):
        evaluate(make_pipeline(Standardize("log"), GaussianNB()), X, y, KFold(3))
    with raises("L048", n_classes=3):
        evaluate(GaussianNB(priors=[0.5, 0.5]), X, y, KFold(3))


def test_missing_values_are_left_out_by_naive_bayes_inside_folds() -> None:
    from tests.sharing.tables import assert_same, refitted

    X, y = blobs(rows=60, seed=47)
    X[np.random.default_rng(1).random(X.shape) < 0.15] = np.nan
    for plan in (KFold(4), LeaveOneOut(), Bootstrap(5)):
        assert_same(evaluate(GaussianNB(), X, y, plan), refitted(GaussianNB(), X, y, plan))
        assert evaluate(GaussianNB(), X, y, plan).strategy == "statistics"
