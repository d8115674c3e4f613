"""Rows that belong together and rows that count more, through everything that a comparison does."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from assay import HoldOut, KFold, KNeighborsClassifier, compare, evaluate, load, nested, significance
from assay.commands.compare.comparison import Comparison
from assay.commands.compare.reopen import reopen
from assay.commands.compare.tune_job import curve_figures, tune_table
from assay.commands.features.job import search_features
from assay.models.base.validation import Encoded
from assay.selection.learning_curve import piece_of
from assay.sharing.settings import Settings
from assay.sharing.study import Study
from assay.workbench.experiment.learning_curve import learning_curve
from assay.workbench.experiment.shuffled_labels import check_shuffled_labels, shuffle_labels
from tests.nesting import nest
from tests.raised import codes, raises
from tests.sharing.refits import inner_splits

QUICK = ["baseline", "gaussian_nb", "knn"]


def visits(patients: int = 40, seed: int = 0, copies: bool = False) -> pd.DataFrame:
    """Patients of one to five rows; the class is the patient's, and rows of one are alike."""
    rng = np.random.default_rng(seed)
    who = np.repeat(np.arange(patients), 5 if copies else rng.integers(1, 6, patients))
    sick = rng.permutation(np.arange(patients) % 2)
    level = sick + rng.normal(0, 1.2, patients)
    noise = 0.0 if copies else 0.2
    return pd.DataFrame(
        {
            "level": level[who] + noise * rng.normal(size=len(who)),
            "other": rng.normal(size=patients)[who] + noise * rng.normal(size=len(who)),
            "patient": [f"p{i:02d}" for i in who],
            "w": rng.integers(1, 4, len(who)),
            "class": np.where(sick, "sick", "well")[who],
        }
    )


def run(source: Any, **more: Any) -> Comparison:
    options = {"candidates": QUICK, "plan": KFold(5), "progress": False, **more}
    return compare(source, "class", **options)


def test_copies_flatter_neighbours_unless_they_stay_together() -> None:
    table = visits(copies=True)
    apart = run(table, drop=["patient", "w"], candidates=["knn"], split_repeats=True)
    together = run(table, groups="patient", drop=["w"], candidates=["knn"])
    assert apart.nested_error < 0.02  # a copy of every tested row is trained on
    assert together.nested_error > 0.2
    low, high = apart.nested.error_interval
    wide = np.subtract(*together.nested.error_interval[::-1])
    assert wide > 5 * (high - low)


@pytest.mark.parametrize("name", ["gaussian_nb", "knn", "logistic", "decision_tree"])
def test_a_comparison_is_the_nested_choice_on_the_encoded_table(name: str) -> None:
    table = visits()
    found = run(table, groups="patient", weights="w", candidates=[name])
    result, problem, entry = found.results[name], found.bench.problem, found.results[name].entry
    X, weight = found.bench.design(entry), table["w"].to_numpy(dtype=float)
    labels = Encoded(problem.codes, problem.classes)
    models = [found.bench.classifier(entry, setting).matrix_estimator() for setting in entry.settings()]
    again = nest(
        name,
        models,
        X,
        labels,
        KFold(5),
        sample_weight=weight,
        groups=table["patient"].to_numpy(),
        progress=False,
    )
    assert np.array_equal(again.chosen, result.chosen) and again.final == result.nested.final
    assert np.array_equal(again.evaluation.scores, result.evaluation.scores)
    assert again.inner == pytest.approx(result.inner)
    assert again.evaluation.error == result.evaluation.error
    assert again.evaluation.error_interval == result.evaluation.error_interval
    assert result.evaluation.weight is not None and result.evaluation.groups is not None


def test_the_public_nested_choice_gives_the_same_figures() -> None:
    table = visits()
    found = tune_table(
        table, "class", "gaussian_nb", ranges={"variance_floor": [0.5, 0.01]}, groups="patient", weights="w",
        plan=KFold(5), progress=False,
    )  # fmt: skip
    result = found.results["gaussian_nb"]
    model = found.bench.classifier(result.entry, {"variance_floor": 0.5}).matrix_estimator()
    again = nested(
        model, found.bench.design(result.entry), table["class"], plan=KFold(5), groups=table["patient"],
        sample_weight=table["w"], variance_floor=[0.5, 0.01], progress=False,
    )  # fmt: skip
    assert again.error == result.evaluation.error and again.losses == pytest.approx(result.cv_loss)
    plain = curve_figures(found, "gaussian_nb")
    assert plain["groups"] == {"column": "patient", "groups": 40, "smallest": 1, "largest": 5}
    assert plain["weights"]["column"] == "w" and plain["weights"]["sum"] == table["w"].sum()


@pytest.mark.parametrize("plan", [KFold(5), KFold(4, repeats=2), HoldOut(0.3), "split:60/20/20"], ids=str)
def test_no_row_is_tested_or_chosen_by_models_of_its_group(plan: Any) -> None:
    table = visits(60)
    found = run(table, groups="patient", drop=["w"], candidates=["gaussian_nb"], plan=plan)
    groups = found.bench.problem.group_codes
    assert groups is not None
    splits = found.bench.splits
    for f in range(found.bench.n_splits):
        outside = set(groups[splits.test_rows(f)])
        assert outside and not outside & set(groups[splits.train_rows(int(splits.model[f]))])
        inside = inner_splits(splits, f)
        assert inside
        for train, test in inside:
            tested, trained = set(groups[test]), set(groups[train])
            assert tested and trained and not tested & trained and not outside & (tested | trained)


FIXED: dict[str, dict[str, list[Any]]] = {
    "gaussian_nb": {"variance_floor": [0.01]},
    "logistic": {"l2": [0.1]},
    "knn": {"n_neighbors": [5]},
    "decision_tree": {"max_depth": [2]},
}


@pytest.mark.parametrize("name", FIXED)
def test_a_weight_of_two_is_a_row_twice(name: str) -> None:
    """In the model of all rows, and in the folds where these are the same: those of whole patients."""
    table = visits()
    twice = table.loc[np.repeat(table.index, table["w"])].drop(columns="w")
    more: dict[str, Any] = {"groups": "patient", "candidates": [name], "ranges": {name: FIXED[name]}}
    weighted, repeated = run(table, weights="w", **more), run(twice, **more)
    features = table[["level", "other"]]
    one, other = (each.best.predict_proba(features) for each in (weighted, repeated))
    if name != "knn":  # which counts neighbours, and a row that counts twice is one of them
        assert one == pytest.approx(other)
    criteria = weighted.results[name].criteria
    if criteria is not None:
        assert criteria == pytest.approx(repeated.results[name].criteria)


def test_the_baseline_and_the_noise_check_count_weights() -> None:
    table = visits()
    table["w"] = np.where(table["class"] == "sick", 3, 1)
    found = run(table, groups="patient", weights="w", candidates=["baseline", "gaussian_nb"])
    well = float((table["class"] == "well").sum())
    share = well / (well + 3 * (len(table) - well))
    assert found.evaluations["baseline"].error == pytest.approx(share)
    assert check_shuffled_labels(found.bench, found.cards).passed


def test_labels_are_shuffled_from_group_to_group() -> None:
    found = run(visits(copies=True), groups="patient", drop=["w"], candidates=["baseline", "knn"])
    problem, moved = found.bench.problem, shuffle_labels(found.bench).problem
    groups = problem.group_codes
    assert groups is not None
    assert not np.array_equal(problem.codes, moved.codes)
    assert np.bincount(problem.codes).tolist() == np.bincount(moved.codes).tolist()
    assert (
        len(np.unique(np.stack([groups, moved.codes]), axis=1)[0]) == problem.groups.count
    )  # one class a group
    uneven = run(visits(), groups="patient", drop=["w"], candidates=["baseline"]).bench
    assert (
        np.bincount(shuffle_labels(uneven).problem.codes).tolist()
        == np.bincount(uneven.problem.codes).tolist()
    )


def test_shuffled_labels_catch_who_knows_a_group_again() -> None:
    """They move with their groups: folds that take copies apart score far below chance on them, whole groups do not."""
    found = run(visits(copies=True), groups="patient", drop=["w"], candidates=["baseline", "knn"])
    assert check_shuffled_labels(found.bench, found.cards).passed
    moved, X = shuffle_labels(found.bench), found.bench.design(found.results["knn"].entry)
    apart = evaluate(KNeighborsClassifier(1), X, moved.labels, KFold(5), progress=False)
    groups = moved.problem.group_codes
    together = evaluate(KNeighborsClassifier(1), X, moved.labels, KFold(5), groups=groups, progress=False)
    assert apart.error < 0.02 and together.error > 0.3


def test_the_learning_curve_adds_whole_groups_and_counts_weights() -> None:
    table = visits(80)
    found = run(table, groups="patient", weights="w", candidates=["gaussian_nb"])
    bench, result = found.bench, found.results["gaussian_nb"]
    assert result.curve[-1].error == pytest.approx(result.evaluation.error)
    assert len(result.curve) > 1 and all(point.low < point.error < point.high for point in result.curve)
    entry, groups, weight = result.entry, bench.problem.group_codes, bench.problem.weight
    models = [bench.classifier(entry, setting).matrix_estimator() for setting in entry.settings()]
    study = Study(bench.study(entry).dataset, bench.splits)
    candidate = Settings.of(models)
    again = learning_curve(candidate, result.nested, study, bench.partitions[0], bench.random_state)
    assert again == result.curve
    assert groups is not None and weight is not None
    piece = piece_of(bench.partitions[0], bench.problem.codes, np.array([0.25, 0.5]), 0, groups)
    assert all(len(np.unique(piece[groups == g])) == 1 for g in range(int(groups.max()) + 1))


def test_tests_count_groups() -> None:
    table = visits(copies=True)
    found = run(table, groups="patient", drop=["w"])
    test = significance(found.evaluations["knn"], found.evaluations["baseline"])
    once = run(table.iloc[::5], drop=["patient", "w"])
    single = significance(once.evaluations["knn"], once.evaluations["baseline"])
    assert test.mcnemar is None and test.unit == "groups" and single.unit == "rows"
    assert test.rows.standard_error > 0.6 * single.rows.standard_error


def test_a_run_is_resumed_with_the_same_groups_and_weights_alone(tmp_path: Path) -> None:
    source = tmp_path / "visits.csv"
    visits().to_csv(source, index=False)
    out = tmp_path / "run"
    found = run(source, groups="patient", weights="w", out=out)
    for other in ({"groups": "patient"}, {"weights": "w"}, {}, {"groups": "level", "weights": "w"}):
        with raises("C007"):
            run(source, out=out, resume=True, **other)
    again = run(source, groups="patient", weights="w", out=out, resume=True)
    opened = reopen(out)
    for each in (again, opened):
        assert each.commands == found.commands
        assert [s.error_interval for s in each.leaderboard] == [s.error_interval for s in found.leaderboard]
        assert each.nested.interval("auc") == found.nested.interval("auc")
    model = load(out / "model.assay")
    assert model.schema_.names == ("level", "other")
    new = visits(seed=5)[["level", "other"]]
    assert np.array_equal(model.predict(new), found.predict(new))
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "stay in one fold: 40 groups of 1 to 5 rows" in page
    assert "Rows count by their sample weights." in page


def test_changed_groups_are_other_data(tmp_path: Path) -> None:
    source, out, table = tmp_path / "visits.csv", tmp_path / "run", visits()
    table.to_csv(source, index=False)
    run(source, groups="patient", weights="w", out=out)
    table["w"] = table["w"][::-1].to_numpy()
    table.to_csv(source, index=False)
    with raises("C196"):
        run(source, groups="patient", weights="w", out=out, resume=True)


def test_arrays_are_asked_for_again(tmp_path: Path) -> None:
    table, out = visits(), tmp_path / "run"
    who, X = table["patient"].to_numpy(), table[["level", "other"]].to_numpy()
    pair = (X, table["class"].to_numpy())
    found = compare(
        pair, groups=who, weights=table["w"], candidates=QUICK, plan=KFold(5), out=out, progress=False
    )
    assert "groups=groups, weights=weights" in found.commands[0] and len(found.commands) == 1
    with raises("C026", role="groups"):
        reopen(out, pair)
    again = reopen(out, pair, groups=who, weights=table["w"])
    assert again.nested_error == found.nested_error
    by_name = run(table, groups="patient", weights="w")
    assert by_name.nested_error == found.nested_error


def test_the_commands_say_groups_and_weights(tmp_path: Path) -> None:
    source = tmp_path / "visits.csv"
    visits().to_csv(source, index=False)
    found = run(source, groups="patient", weights="w")
    words = shlex.split(found.commands[0])
    assert words[words.index("--groups") + 1] == "patient" and words[words.index("--weights") + 1] == "w"
    assert "groups='patient', weights='w'" in found.commands[1]


@pytest.mark.filterwarnings("ignore:The groups parameter is ignored")
def test_plans_that_need_more_groups_say_so() -> None:
    few = visits(4)
    with raises("C197", n_folds=5, groups="'patient'", n_groups=4):
        run(few, groups="patient", drop=["w"])
    with raises("S137", unit="groups"):
        run(few, groups="patient", drop=["w"], plan=KFold(2), candidates=["gaussian_nb"])
    with raises("C011", n_parts=3, parts="sets"):
        run(visits(2), groups="patient", drop=["w"], plan="split:60/20/20")
    with raises("P027"):
        from sklearn.model_selection import StratifiedKFold

        run(visits(), groups="patient", drop=["w"], plan=StratifiedKFold(3))


def test_a_search_for_columns_keeps_rows_together() -> None:
    table = visits(copies=True)
    apart = search_features(table, "class", model="knn", settings=["n_neighbors=1"], drop=["patient", "w"])
    together = search_features(
        table, "class", model="knn", settings=["n_neighbors=1"], groups="patient", weights="w"
    )
    assert apart.nested is not None and together.nested is not None
    assert apart.nested.error < 0.02 and together.nested.error > 0.2
    assert together.columns == 2 and together.groups == {
        "column": "patient",
        "groups": 40,
        "smallest": 5,
        "largest": 5,
    }
    assert together.selection is not None and together.selection.error > 0.2
    assert "C323" in codes(together.notes) and "C323" not in codes(apart.notes)
    weight = table["w"].to_numpy()
    sick = float(weight[table["class"] == "sick"].sum() / weight.sum())
    assert together.baseline == pytest.approx(min(sick, 1 - sick))


def test_few_groups_take_fewer_folds_in_a_search() -> None:
    found = search_features(visits(6, copies=True), "class", groups="patient", drop=["w"])
    assert found.nested is not None and found.nested.plan.n_splits == 5
    kept = search_features(visits(), "class", groups="patient", drop=["w"], fixed=["other"], n_features=1)
    assert kept.selection is not None and kept.selection.features == ["other"] and kept.nested is not None
    assert search_features(
        visits(3, copies=True), "class", groups="patient", drop=["w"], search="rank"
    ).ranking
