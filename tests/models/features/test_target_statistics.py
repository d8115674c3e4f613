"""Categories as proportions of the classes: learned inside folds, and out of fold for training rows."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

import assay
from assay import DecisionTreeClassifier, KFold, RandomForestClassifier, TargetStatistics, evaluate, read
from assay.catalog import entry
from assay.models.table.build import build
from assay.workbench.experiment.candidates import column_notes, columns_for
from tests.raised import raises

RNG = np.random.default_rng(0)
N = 400
CODES = RNG.integers(0, 40, N).astype(float)
LEVEL = RNG.random(40)
Y = np.where(RNG.random(N) < LEVEL[CODES.astype(int)], "yes", "no")
X = np.column_stack([RNG.normal(size=N), CODES])


def by_hand(
    rows: np.ndarray, labels: np.ndarray, new: np.ndarray, smoothing: float, least: int
) -> list[float]:
    prior, rare = (labels == "yes").mean(), labels[[(rows == value).sum() < least for value in rows]]
    out = []
    for value in new:
        same = labels[rows == value]
        same = same if len(same) >= least else rare
        out.append(((same == "yes").sum() + smoothing * prior) / (len(same) + smoothing))
    return out


@pytest.mark.parametrize(("smoothing", "least"), [(0.0, 1), (10.0, 3), (2.0, 12)])
def test_proportions_are_smoothed_and_rare_categories_count_together(smoothing: float, least: int) -> None:
    step = TargetStatistics([1], smoothing=smoothing, min_rows=least).fit(X, Y)
    new = np.column_stack([np.zeros(42), np.arange(42)])
    found = step.transform(new)
    assert found.shape == (42, 2)
    np.testing.assert_allclose(found[:40, 1], by_hand(CODES, Y, np.arange(40.0), smoothing, least))
    unknown = step.transform([[0.0, np.nan], [0.0, 99.0]])[:, 1]
    assert unknown[0] == unknown[1] == found[41, 1]
    assert step.get_feature_names_out(["age", "town"]).tolist() == ["age", "town=P(yes)"]


def test_training_rows_get_the_proportions_of_other_folds() -> None:
    noise = np.column_stack([RNG.integers(0, 300, N).astype(float)])
    labels = RNG.integers(0, 2, N)
    step = TargetStatistics([0], smoothing=1.0, min_rows=1)
    inside, again = step.fit_transform(noise, labels)[:, 0], step.transform(noise)[:, 0]
    # A category of one row would hold the row's own class; out of fold it says nothing.
    assert np.corrcoef(again, labels)[0, 1] > 0.5
    assert abs(np.corrcoef(inside, labels)[0, 1]) < 0.25
    np.testing.assert_array_equal(clone(step).fit_transform(noise, labels)[:, 0], inside)


def test_a_weight_of_two_counts_twice_and_one_of_zero_not_at_all() -> None:
    weight = RNG.integers(0, 3, N)
    step = TargetStatistics([1]).fit(X, Y, sample_weight=weight)
    rows = np.repeat(np.arange(N), weight)
    np.testing.assert_allclose(step.transform(X), TargetStatistics([1]).fit(X[rows], Y[rows]).transform(X))


def test_several_classes_have_a_column_each() -> None:
    labels = RNG.integers(0, 3, N)
    found = TargetStatistics([1]).fit(X, labels).transform(X)
    assert found.shape == (N, 4)
    np.testing.assert_allclose(found[:, 1:].sum(axis=1), 1.0)


def test_folds_learn_them_from_their_training_rows_alone() -> None:
    plan = KFold(4)
    model = make_pipeline(TargetStatistics([1]), DecisionTreeClassifier(max_depth=3))
    scores = evaluate(model, X, Y, plan).tested.scores
    for train, test in plan.split(X, Y):
        expected = clone(model).fit(X[train], Y[train]).predict_log_proba(X[test])
        np.testing.assert_allclose(scores[test], expected)
    useless = evaluate(
        make_pipeline(TargetStatistics([1]), RandomForestClassifier(30)), X, RNG.permutation(Y), plan
    )
    assert useless.error > 0.4  # nothing leaks where there is nothing to learn


def town() -> dict[str, list[object]]:
    towns = [f"t{i % 300}" for i in range(1800)]
    sick = [("no", "yes")[int((i % 300) % 2 == 0)] for i in range(1800)]
    return {"town": towns, "age": [float(i * 37 % 91) + 0.5 for i in range(1800)], "sick": sick}


def test_trees_use_columns_of_many_categories_and_others_say_that_they_do_not() -> None:
    table = read(town(), types={"town": "categorical"}, target="sick")
    features = table.without("sick") if "sick" in table.schema.names else table
    tree, logistic = entry("decision_tree"), entry("logistic")
    assert [column.name for column in columns_for(tree, features.schema)] == ["town", "age"]
    assert [column.name for column in columns_for(logistic, features.schema)] == ["age"]
    codes = [note.code for note in column_notes([tree, logistic], features)]
    assert codes == ["C165"]
    assert [note.code for note in column_notes([logistic], features)] == ["M410"]


def test_a_table_with_many_categories_is_fitted_and_stored(tmp_path: object) -> None:
    data = town()
    labels = data.pop("sick")
    table = read(data, types={"town": "categorical"})
    model = build(entry("decision_tree")).fit(table, labels)
    assert np.mean(model.predict(table) == np.asarray(labels)) > 0.9
    loaded = assay.load(assay.save(model, f"{tmp_path}/model.assay"))
    np.testing.assert_array_equal(loaded.predict_proba(table), model.predict_proba(table))
    plain = build(entry("decision_tree")).fit(read({"age": data["age"]}), labels)
    assert (
        type(plain.estimator_).__name__ == "DecisionTreeClassifier"
    )  # there is no step without such a column


def test_numbers_that_are_no_codes_are_refused() -> None:
    with raises("M425", column="column 0"):
        TargetStatistics([0]).fit([[0.5], [1.0]], [0, 1])
