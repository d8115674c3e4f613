"""Search for features: planted ones first, the same as refits, the same as scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import LogisticRegression as TheirLogistic
from sklearn.naive_bayes import GaussianNB as TheirGaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from assay import (
    Bootstrap,
    GaussianClassifier,
    GaussianNB,
    KFold,
    KNeighborsClassifier,
    LeastSquaresClassifier,
    LeaveOneOut,
    MixedNB,
    Standardize,
    evaluate,
    read,
    select_features,
)
from tests.noted import noted
from tests.raised import Expected, raises
from tests.selection.features.data import OPTIONS, correlated, planted
from tests.selection.features.select_refits import assert_same, refitted

QUICK: dict[str, Any] = {
    "naive": GaussianNB(),
    "naive, unbiased": GaussianNB(variance="unbiased", priors="uniform"),
    "diagonal": GaussianClassifier("diagonal", blend=0.5),
    "shared diagonal": GaussianClassifier("shared_diagonal"),
    "shared": GaussianClassifier("shared"),
    "shared, unbiased": GaussianClassifier("shared", variance="unbiased", priors="uniform"),
    "least squares": LeastSquaresClassifier(),
    "ridge": LeastSquaresClassifier(l2=0.3),
    "neighbours": KNeighborsClassifier(5),
    "manhattan": KNeighborsClassifier(4, metric="manhattan", weights="distance"),
    "full": GaussianClassifier("full"),
    "shrunk": GaussianClassifier("shared", shrinkage=0.2),
}
STRATEGIES = {
    "naive": "sums over features",
    "diagonal": "sums over features",
    "shared": "sweeps",
    "ridge": "sweeps",
    "full": "statistics",
}


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("search", ["forward", "backward", "floating"])
def test_every_way_equals_refits(name: str, search: str, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = correlated(0, n=150, width=6)
    found = select_features(QUICK[name], X, y, search=search)
    assert_same(found, refitted(monkeypatch, QUICK[name], X, y, search=search))
    assert found.strategy == STRATEGIES.get(name, found.strategy)


@pytest.mark.parametrize("name", ["naive", "shared", "ridge", "neighbours"])
@pytest.mark.parametrize("search", ["forward", "backward", "floating"])
@OPTIONS
def test_options_equal_refits(
    name: str, search: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = correlated(1, n=150, width=7)
    found = select_features(QUICK[name], X, y, search=search, **options)
    assert_same(found, refitted(monkeypatch, QUICK[name], X, y, search=search, **options))


@settings(max_examples=15, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from(["naive", "shared", "least squares"]),
    st.sampled_from(["forward", "backward"]),
)
def test_errors_of_the_path_are_those_of_evaluate(seed: int, name: str, search: str) -> None:
    X, y = correlated(seed, n=90, width=5, classes=2 + seed % 3)
    found = select_features(QUICK[name], X, y, search=search, plan=KFold(4))
    for step in found.path:
        assert step.error == pytest.approx(
            evaluate(QUICK[name], X[:, list(step.features)], y, KFold(4)).error
        )


@pytest.mark.parametrize("name", ["naive", "shared", "ridge", "neighbours"])
@pytest.mark.parametrize("search", ["forward", "floating"])
def test_planted_features_are_found_first(name: str, search: str) -> None:
    X, y = planted(2, n=600, width=20, told=(11, 4, 17))
    found = select_features(QUICK[name], X, y, search=search, n_features=3)
    assert set(found.features) == {4, 11, 17} and found.path[0].features == (11,)
    back = select_features(QUICK[name], X, y, search="backward", n_features=3)
    assert set(back.features) == {4, 11, 17}


THEIRS = {
    "naive": (GaussianNB(), TheirGaussianNB(var_smoothing=1e-12)),
    "tree": (DecisionTreeClassifier(random_state=0),) * 2,
}


@pytest.mark.parametrize("name", THEIRS)
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_the_same_features_as_scikit_learn(name: str, direction: str) -> None:
    ours, theirs = THEIRS[name]
    X, y = load_wine(return_X_y=True)
    X, y = X[:175, :8], y[:175]  # folds of one size: their mean of errors is ours
    plan = KFold(5)
    n = 4
    expected = SequentialFeatureSelector(theirs, n_features_to_select=n, direction=direction, cv=plan).fit(
        X, y
    )
    found = select_features(ours, X, y, search=direction, n_features=n, plan=plan)
    assert found.features == np.flatnonzero(expected.get_support()).tolist()


def test_the_same_features_as_scikit_learn_by_discriminants() -> None:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    X, y = correlated(3, n=400, width=10)
    plan = KFold(5)
    theirs = SequentialFeatureSelector(LinearDiscriminantAnalysis(), n_features_to_select=4, cv=plan).fit(
        X, y
    )
    ours = select_features(GaussianClassifier("shared", variance="unbiased"), X, y, n_features=4, plan=plan)
    assert ours.features == np.flatnonzero(theirs.get_support()).tolist()


def test_any_model_and_pipeline_is_searched() -> None:
    X, y = planted(4, n=120, width=4, told=(2,))
    for model in (
        TheirLogistic(),
        make_pipeline(Standardize(), KNeighborsClassifier(5)),
        DecisionTreeClassifier(),
    ):
        found = select_features(model, X, y, n_features=2)
        assert 2 in found.features and found.model.n_features_in_ == 2


@pytest.mark.parametrize("plan", [LeaveOneOut(), Bootstrap(5)], ids=["leave one out", "bootstrap"])
def test_plans_of_single_rows_are_evaluated(plan: Any) -> None:
    X, y = planted(5, n=60, width=3, told=(1,))
    found = select_features(GaussianNB(), X, y, n_features=2, plan=plan)
    assert found.path[0].features == (1,)
    assert found.path[0].error == evaluate(GaussianNB(), X[:, [1]], y, plan).error


def test_missing_values_are_left_out_by_naive_bayes(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = correlated(6, n=150, width=5)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    for search in ("forward", "backward"):
        found = select_features(GaussianNB(), X, y, search=search)
        assert found.strategy == "sums over features"
        assert_same(found, refitted(monkeypatch, GaussianNB(), X, y, search=search))


@pytest.mark.parametrize("search", ["forward", "backward", "floating"])
@pytest.mark.parametrize("name", ["naive", "naive, unbiased", "shared", "least squares"])
def test_constant_and_equal_columns_and_rows_alike(
    name: str, search: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A class whose rows are alike in a set borrows a variance; copies of a column cannot be swept."""
    X, y = correlated(7, n=120, width=4)
    X = np.column_stack([X, X[:, 1], np.full(120, 2.0), np.where(y == 0, 1.0, X[:, 0]), (y == 1) * 1.0])
    found = select_features(QUICK[name], X, y, search=search)
    assert_same(found, refitted(monkeypatch, QUICK[name], X, y, search=search))


def test_a_class_too_rare_for_every_fold_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = correlated(8, n=60, width=4, classes=2)
    y[0] = 5
    for name in ("naive", "shared", "ridge"):
        found = select_features(QUICK[name], X, y)
        assert noted(found.notes, "S208", label="5")
        assert_same(found, refitted(monkeypatch, QUICK[name], X, y))


def test_single_precision_and_columns_in_order_are_read_as_they_are() -> None:
    X, y = correlated(9)
    exact = X.astype(np.float32).astype(np.float64)
    for model in (GaussianNB(), GaussianClassifier("shared"), KNeighborsClassifier(3)):
        expected = select_features(model, exact, y)
        assert_same(select_features(model, np.asfortranarray(exact), y), expected)
        assert_same(select_features(model, exact.astype(np.float32), y), expected)


@pytest.mark.parametrize("name", ["naive", "shared", "neighbours"])
def test_threads_change_nothing(name: str) -> None:
    X, y = correlated(10, n=700)
    weight = None if name == "neighbours" else np.random.default_rng(0).random(700)
    one, four = (select_features(QUICK[name], X, y, n_jobs=n, sample_weight=weight) for n in (1, 4))
    assert [step.loss for step in one.path] == [step.loss for step in four.path]


def test_rules_choose_on_the_path() -> None:
    X, y = planted(11, n=200, width=8)
    least, simple = (select_features(GaussianNB(), X, y, rule=rule) for rule in ("min", "one_se"))
    losses = [step.loss for step in least.path]
    assert losses[least.chosen] == min(losses) and least.chosen == losses.index(min(losses))
    assert len(simple.features) <= len(least.features)
    best = least.path[least.chosen]
    assert simple.error <= best.loss + best.standard_error
    assert len(least.path) == 8 and simple.path == least.path


def test_floating_gives_up_a_feature_that_later_ones_replace() -> None:
    """Column 0 is best alone; 1 and 2 together tell everything, with 0 or without."""
    rng = np.random.default_rng(12)
    n = 600
    y = np.arange(n) % 2
    a, b = rng.normal(size=n), rng.normal(size=n)
    X = np.column_stack([1.6 * y + rng.normal(size=n), a + 1.2 * y, a + 0.1 * b, rng.normal(size=n)])
    model = GaussianClassifier("shared")
    found = select_features(model, X, y, search="floating")
    dropped = [step.dropped for step in found.path if step.dropped is not None]
    assert dropped == [0]
    best = {size: min(s.loss for s in found.path if len(s.features) == size) for size in (1, 2, 3)}
    forward = select_features(model, X, y)
    assert best[2] < forward.path[1].loss


def test_names_groups_and_the_fitted_model() -> None:
    X, y = planted(13, n=200, width=5, told=(3,))
    frame = pd.DataFrame(X, columns=list("abcde"))
    found = select_features(GaussianNB(), frame, y, n_features=2, groups={"both": ["c", "d"]}, fixed=["a"])
    assert found.features == ["a", "both"] and found.columns.tolist() == [0, 2, 3]
    assert found.path[-1].added == "both"
    assert np.array_equal(
        found.model.predict(found.take(frame)), GaussianNB().fit(X[:, [0, 2, 3]], y).predict(X[:, [0, 2, 3]])
    )
    labels = select_features(GaussianNB(), X, y, n_features=1, groups=["p", "q", "q", "r", "p"])
    assert labels.features == ["r"]


def test_typed_tables_move_by_their_columns() -> None:
    X, y = planted(14, n=150, width=2, told=(1,))
    frame = pd.DataFrame(X, columns=["a", "b"])
    frame["colour"] = np.where(np.random.default_rng(0).random(150) < 0.5, "red", "blue")
    found = select_features(MixedNB(), read(frame), y, n_features=2)
    assert found.path[0].features == ("b",)
    assert found.model.predict(found.take(read(frame))).shape == (150,)


def test_progress_is_told_in_trials() -> None:
    X, y = planted(15, n=60, width=4, told=(3,))
    told: list[tuple[str, int, int]] = []
    select_features(GaussianNB(), X, y, progress=lambda *what: told.append(what))
    assert told == [("forward search", done, 10) for done in (4, 7, 9, 10)]


BAD: list[tuple[dict[str, Any], type[Exception], Expected]] = [
    ({"search": "sideways"}, ValueError, Expected("S105", search="sideways")),
    ({"rule": "best"}, ValueError, Expected("S077", rule="best")),
    ({"n_features": 0}, ValueError, Expected("S110", name="n_features", value=0)),
    ({"n_features": 1.5}, ValueError, Expected("S110", name="n_features", value=1.5)),
    ({"n_features": True}, ValueError, Expected("S110", name="n_features", value=True)),
    ({"n_features": 11}, ValueError, Expected("S106", size=11, count=10)),
    ({"n_features": 1, "fixed": [0, 1]}, ValueError, Expected("S107", size=1, fixed=2)),
    ({"n_features": 1, "start": [0, 1]}, ValueError, Expected("S108", size=1, begun=2)),
    ({"n_features": 3, "start": [0, 1], "search": "backward"}, ValueError, Expected("S109", size=3, begun=2)),
    ({"start": ["age"]}, ValueError, Expected("S091", what="start", wanted="age", features=list(range(10)))),
    ({"start": [10]}, ValueError, Expected("S091", what="start", wanted=10)),
    ({"fixed": [True]}, ValueError, Expected("S094", what="fixed", wanted=True)),
    ({"fixed": "age"}, TypeError, Expected("S093", what="fixed", wanted="age")),
    ({"groups": ["a"]}, ValueError, Expected("S095", n_label=1, width=10)),
    ({"groups": {"a": [0, 12]}}, ValueError, Expected("S097", group="a", column=12)),
    ({"groups": {"a": [0], "b": [0]}}, ValueError, Expected("S098", column=0, taken="a", group="b")),
    ({"groups": {"a": 3}}, TypeError, Expected("S096", group="a", members=3)),
    ({"groups": {0: [1]}}, ValueError, Expected("S092", clash=0)),
    ({"y": np.zeros(400)}, ValueError, Expected("S084", n_classes=1)),
    ({"y": np.arange(300) % 2}, ValueError, Expected("M032", n_rows=400, n_labels=300)),
    (
        {"X": np.full((400, 2), np.nan), "model": GaussianClassifier("shared")},
        ValueError,
        Expected("N028", where="row 0, column 0"),
    ),
    (
        {"X": np.full((400, 2), np.inf), "model": KNeighborsClassifier()},
        ValueError,
        Expected("N026", where="row 0, column 0"),
    ),
    ({"X": pd.DataFrame(np.zeros((400, 2)), columns=["a", "a"])}, ValueError, Expected("S104", twice="a")),
    ({"model": GaussianNB}, TypeError, Expected("M008", kind="GaussianNB")),
    (
        {"model": GaussianNB(variance="none")},
        ValueError,
        Expected("M023", owner="GaussianNB", name="variance", value="none"),
    ),
    ({"plan": "ten"}, TypeError, Expected("S047", plan="ten")),
    (
        {"plan": [(np.arange(0, 400, 2), np.arange(1, 400, 2))]},
        ValueError,
        Expected("S211", split=0, label=0),
    ),
    (
        {"loss": [[0, 1, 2], [1, 0, 2]], "model": LeastSquaresClassifier()},
        ValueError,
        Expected("L030", shape=(2, 3), n_labels=2),
    ),
]


@pytest.mark.parametrize(("change", "kind", "expected"), BAD, ids=[str(i) for i in range(len(BAD))])
def test_bad_input_is_one_sentence(change: dict[str, Any], kind: type[Exception], expected: Expected) -> None:
    X, y = planted(16)
    arguments: dict[str, Any] = {"model": GaussianNB(), "X": X, "y": y, **change}
    with raises(expected, kind):
        select_features(arguments.pop("model"), arguments.pop("X"), arguments.pop("y"), **arguments)


def test_a_table_without_columns_is_refused() -> None:
    with pytest.raises(ValueError, match="0 feature"):  # scikit-learn's sentence
        select_features(GaussianNB(), np.empty((400, 0)), np.arange(400) % 2)


def test_the_result_tells_itself() -> None:
    X, y = load_iris(return_X_y=True)
    found = select_features(GaussianNB(), X, y, n_features=2)
    assert repr(found).startswith("FeatureSelection(2 features: ")


@pytest.mark.parametrize("name", ["gaussian_nb", "gaussian_shared", "knn", "logistic"])
def test_classifiers_of_tables_move_levels_together(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from assay.catalog import entry
    from assay.models.table.build import build

    X, y = correlated(15, n=120, width=3)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    numbers = read(frame.copy())
    frame["colour"] = np.array(["red", "green", "blue"])[(y + (np.arange(120) % 4 == 0)) % 3]
    for table in (read(frame), numbers):
        found = select_features(build(entry(name)), table, y)
        assert_same(found, refitted(monkeypatch, build(entry(name)), table, y))
        assert found.model.predict(found.take(table)).shape == (120,)
    quick = {"gaussian_nb": "sums over features", "gaussian_shared": "sweeps"}
    assert found.strategy == quick.get(name, found.strategy)


@pytest.mark.parametrize(
    "model", [GaussianNB(), GaussianClassifier("shared"), LeastSquaresClassifier()], ids=str
)
def test_scaling_is_nothing_to_models_without_units(model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = correlated(16, n=150, width=5)
    piped = make_pipeline(Standardize(), model)
    found = select_features(piped, X, y)
    assert found.strategy in ("sums over features", "sweeps")
    assert_same(found, refitted(monkeypatch, piped, X, y))


def test_tables_of_every_kind_give_the_same() -> None:
    import pyarrow as pa
    from scipy.sparse import csr_matrix

    from assay import MultinomialNB

    rng = np.random.default_rng(17)
    y = np.arange(80) % 2
    counts = rng.poisson(1.0, size=(80, 5)) + np.outer(3 * y, np.arange(5) == 2)
    frame = pd.DataFrame(counts.astype(np.float64), columns=list("abcde"))
    expected = select_features(GaussianNB(), frame, y)
    assert expected.path[0].features == ("c",)
    assert_same(select_features(GaussianNB(), pa.Table.from_pandas(frame), y), expected)
    losses = [step.loss for step in expected.path]
    assert [step.loss for step in select_features(GaussianNB(), frame.to_numpy().tolist(), y).path] == losses
    polars = pytest.importorskip("polars")
    other = polars.DataFrame({name: frame[name].to_numpy() for name in frame})
    assert_same(select_features(GaussianNB(), other, y), expected)
    sparse = select_features(MultinomialNB(), csr_matrix(counts), y, n_features=2)
    assert_same(sparse, select_features(MultinomialNB(), counts, y, n_features=2))
    other = select_features(MultinomialNB(), csr_matrix(counts).tocoo(), y, n_features=2)
    assert_same(other, sparse)  # of this format columns cannot be taken


def test_a_start_may_be_any_iterable() -> None:
    X, y = load_wine(return_X_y=True)
    found = select_features(
        GaussianNB(), X, y, search="backward", start=(place for place in (0, 1, 5)), plan=3
    )
    assert found.path[0].features == (0, 1, 5)
