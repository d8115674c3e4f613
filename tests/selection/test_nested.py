"""Choosing inside the folds: the same as doing it by hand, honest on noise, the same bits for any thread count."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from assay import (
    Bootstrap,
    GaussianClassifier,
    GaussianNB,
    HoldOut,
    Impute,
    KernelSVM,
    KFold,
    KNeighborsClassifier,
    LeastSquaresClassifier,
    LeaveOneOut,
    SelectColumns,
    Standardize,
    TrainValidationTest,
    nested,
    tune,
)
from assay.plans import Partition
from assay.selection.nested import combine
from assay.sharing.splits import splits_of
from tests.contract.registry import blobs
from tests.nesting import nest
from tests.raised import Expected, raises
from tests.selection.grouped import copied
from tests.selection.two_classes import true_error, two_classes
from tests.sharing.refits import inner_splits

LOSS = [[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [1.0, 3.0, 0.0]]


def by_hand(models: list[Any], X: Any, y: Any, plan: Any) -> tuple[Any, Any]:
    """Chosen setting of every outer fold and the predictions, by plain fits; inner folds are the other outer ones."""
    fold = plan.partitions(y)[0].fold
    return by_hand_inside(
        models, X, y, fold, [np.where(fold > f, fold - 1, fold) for f in range(fold.max() + 1)]
    )


def by_hand_inside(models: list[Any], X: Any, y: Any, fold: Any, inside: list[Any]) -> tuple[Any, Any]:
    """The same with given inner folds of every outer fold."""
    chosen, predicted = [], np.empty(len(y), dtype=y.dtype)
    for f, place in enumerate(inside):
        errors = []
        for model in models:
            wrong = 0
            for g in range(place[fold != f].max() + 1):
                train, test = (fold != f) & (place != g), (fold != f) & (place == g)
                wrong += (clone(model).fit(X[train], y[train]).predict(X[test]) != y[test]).sum()
            errors.append(wrong)
        chosen.append(int(np.argmin(errors)))
        best = clone(models[chosen[-1]]).fit(X[fold != f], y[fold != f])
        predicted[fold == f] = best.predict(X[fold == f])
    return chosen, predicted


@pytest.mark.parametrize(
    "models",
    [
        [GaussianClassifier("full", blend=b) for b in (0.0, 0.3, 1.0)],
        [make_pipeline(Standardize(), LeastSquaresClassifier(l2)) for l2 in (10.0, 0.1, 0.0)],
        [make_pipeline(Standardize("range"), LeastSquaresClassifier(l2)) for l2 in (10.0, 0.1, 0.0)],
        [make_pipeline(Standardize(), KNeighborsClassifier(k)) for k in (1, 5, 15)],
        [make_pipeline(Standardize(), KernelSVM(gamma=1.0, l2=l2)) for l2 in (1.0, 0.01)],
        [DecisionTreeClassifier(max_depth=d, random_state=0) for d in (1, 3, None)],
    ],
    ids=["blend", "ridge", "ridge behind ranges", "neighbours", "kernel", "tree"],
)
@pytest.mark.parametrize("folds", [4, 5])
def test_equals_nesting_by_hand(models: list[Any], folds: int) -> None:
    X, y = blobs(rows=150)
    plan = KFold(folds)
    found = nest("model", models, X, y, plan, progress=False)
    chosen, predicted = by_hand(models, X, y, plan)
    assert found.chosen.tolist() == chosen
    assert np.array_equal(found.evaluation.predicted, predicted)


@pytest.mark.parametrize("plan", [KFold(5), KFold(2), HoldOut(0.3)], ids=repr)
@pytest.mark.parametrize(
    "models",
    [
        [GaussianClassifier("full", blend=b, shrinkage=s) for b in (0.0, 0.3, 1.0) for s in (0.0, 0.3)],
        [make_pipeline(Standardize(), LeastSquaresClassifier(l2)) for l2 in (10.0, 0.1, 0.0)],
        [make_pipeline(Standardize(), KNeighborsClassifier(k)) for k in (1, 5, 15)],
        [DecisionTreeClassifier(max_depth=d, random_state=0) for d in (1, 3, None)],
    ],
    ids=["grid", "ridge behind a scaler", "neighbours behind a scaler", "tree"],
)
def test_as_many_inner_folds_as_asked_equal_nesting_by_hand(models: list[Any], plan: Any) -> None:
    X, y = blobs(rows=150)
    found = nest("model", models, X, y, plan, inner=4, progress=False)
    partition = plan.partitions(y)[0]
    splits = splits_of(plan, y.astype(np.int32), inner=4, nested=True)
    inside = [np.full(len(y), -1) for _ in range(partition.n_folds)]
    for f, place in enumerate(inside):
        for g, (_, test) in enumerate(inner_splits(splits, f)):
            place[test] = g
    chosen, predicted = by_hand_inside(models, X, y, partition.fold, inside)
    assert found.chosen.tolist() == chosen
    assert np.array_equal(found.evaluation.predicted, predicted[found.evaluation.rows])


@pytest.mark.parametrize(
    ("inner", "plan", "expected"),
    [
        (1, KFold(5), Expected("S039", name="inner", least=2, value=1)),
        (2.5, KFold(5), Expected("S039", name="inner", least=2, value=2.5)),
        (3, TrainValidationTest(), Expected("S139")),
        (100, KFold(5), Expected("S138", inner=100, units=72, kind="rows")),
        (46, KFold(2), Expected("S138", units=45, kind="rows")),
        (3, LeaveOneOut(), Expected("S140", kind="LeaveOneOut")),
    ],
)
def test_inner_folds_that_cannot_be(inner: Any, plan: Any, expected: Expected) -> None:
    X, y = blobs(rows=90)
    with raises(expected):
        nest("m", [GaussianNB()], X, y, plan, inner=inner, progress=False)


def test_bits_do_not_depend_on_threads() -> None:
    X, y = blobs(rows=120)
    for models in (
        [GaussianClassifier("full", blend=b) for b in (0.2, 1.0)],
        [DecisionTreeClassifier(max_depth=d, random_state=0) for d in (1, 3)],
    ):
        one, two = (nest("m", models, X, y, KFold(4), loss=LOSS, n_jobs=n, progress=False) for n in (1, 3))
        assert np.array_equal(one.inner, two.inner)
        assert np.array_equal(one.evaluation.scores, two.evaluation.scores)


def test_loss_and_weights_steer_the_choice() -> None:
    X, y = blobs(rows=150)
    models = [GaussianClassifier("full", blend=b) for b in (0.0, 0.5, 1.0)]
    weight = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
    found = nest("m", models, X, y, KFold(5), loss=LOSS, sample_weight=weight, progress=False)
    assert found.losses[found.final] == found.losses.min()
    assert found.evaluation.loss is not None
    rows = [np.repeat(part, weight.astype(int), axis=0) for part in (X, y, KFold(5).partitions(y)[0].fold)]
    repeated = Partition(rows[2], 5)
    from assay.plans import GivenPartitions

    again = nest("m", models, rows[0], rows[1], GivenPartitions([repeated]), loss=LOSS, progress=False)
    assert again.inner == pytest.approx(found.inner, rel=1e-9)


@pytest.mark.parametrize("plan", [HoldOut(0.3), KFold(2), KFold(3, repeats=2)], ids=repr)
def test_every_plan_of_folds_has_inner_folds(plan: Any) -> None:
    X, y = blobs(rows=90)
    models = [GaussianClassifier("full", blend=b) for b in (0.0, 1.0)]
    found = nest("m", models, X, y, plan, progress=False)
    assert found.inner.shape == (plan.get_n_splits(X, y), 2)
    assert np.isfinite(found.inner).all()


@pytest.mark.parametrize("plan", [LeaveOneOut(), Bootstrap(5)], ids=repr)
def test_plans_of_single_rows_are_refused(plan: Any) -> None:
    X, y = blobs()
    with raises("S140"):
        nest("m", [GaussianNB()], X, y, plan)


def test_progress_is_told_and_can_end_the_work() -> None:
    X, y = blobs()
    told: list[tuple[int, int]] = []
    models = [DecisionTreeClassifier(random_state=0)]
    nest("tree", models, X, y, KFold(4), progress=lambda name, done, total: told.append((done, total)))
    assert told[-1] == (10, 10) and [done for done, _ in told] == list(range(1, 11))  # four folds, six pairs

    def stop(name: str, done: int, total: int) -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        nest("tree", models, X, y, KFold(4), progress=stop)


def test_margins_and_posteriors_combine_as_decisions() -> None:
    X, y = blobs(rows=150)
    plan = KFold(4)
    posterior = nest("p", [GaussianNB()], X, y, plan, loss=LOSS, progress=False).evaluation
    margin = nest("m", [LeastSquaresClassifier()], X, y, plan, loss=LOSS, progress=False).evaluation
    mixed = combine([posterior, margin, posterior, margin])
    assert not mixed.probabilistic
    expected = np.where(np.isin(mixed.split, [0, 2]), posterior.losses(), margin.losses())
    assert np.array_equal(mixed.losses(), expected)
    # Decisions under a loss are not the most probable classes, of which the error is.
    assert not np.array_equal(mixed.decided_codes, mixed.predicted_codes)
    predicted = np.where(np.isin(mixed.split, [0, 2]), posterior.predicted_codes, margin.predicted_codes)
    assert mixed.error == np.mean(predicted != mixed.truth_codes)


def test_a_nested_choice_of_margins_and_posteriors_has_the_error_of_predictions() -> None:
    X, y = blobs(rows=60)
    plan = KFold(4, random_state=0)
    parts = [
        nest("p", [model], X, y, plan, loss=LOSS, progress=False).evaluation
        for model in (GaussianNB(), LeastSquaresClassifier())
    ]
    mixed = nest("m", [GaussianNB(), LeastSquaresClassifier()], X, y, plan, loss=LOSS, progress=False)
    assert set(mixed.chosen.tolist()) == {0, 1}  # folds differ in what they choose
    of_each = [part.predicted_codes for part in parts]
    chosen = mixed.chosen[mixed.evaluation.split]
    assert np.array_equal(mixed.evaluation.predicted_codes, np.choose(chosen, of_each))
    assert np.array_equal(mixed.evaluation.losses(), np.choose(chosen, [part.losses() for part in parts]))


def test_little_memory_changes_nothing_but_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = blobs(rows=160)
    X[::7, 1] = np.nan
    models = [make_pipeline(Impute(indicator=True), GaussianClassifier("full", blend=b)) for b in (0.2, 1.0)]
    weight = np.random.default_rng(1).random(len(y)) + 0.5
    paired = nest("m", models, X, y, KFold(5), loss=LOSS, sample_weight=weight, progress=False)
    monkeypatch.setenv("ASSAY_MEMORY", "4K")
    single = nest("m", models, X, y, KFold(5), loss=LOSS, sample_weight=weight, progress=False)
    assert paired.inner == pytest.approx(single.inner, rel=1e-12)
    assert paired.losses == pytest.approx(single.losses, rel=1e-12)
    assert np.array_equal(paired.evaluation.predicted, single.evaluation.predicted)


@pytest.mark.parametrize("model", [GaussianNB(), DecisionTreeClassifier()], ids=["shared", "refitted"])
def test_too_few_rows_are_told_in_terms_of_what_was_asked(model: Any) -> None:
    X, y = np.arange(10.0).reshape(5, 2), np.array(["a", "a", "a", "b", "b"])
    with raises("S137", plan="2 folds", unit="rows", total=5, count=2, label="b"):
        nest("m", [model], X, y, KFold(2), progress=False)
    with raises("S137"):
        nest("m", [model], X, y, HoldOut(0.6), progress=False)


def test_few_rows_are_divided_into_fewer_inner_folds() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 4)
    found = nest("m", [GaussianNB()], rng.normal(size=(8, 2)) + y[:, None], y, KFold(2), progress=False)
    assert np.isfinite(found.inner).all()


def test_the_simplest_setting_within_one_standard_error_is_known() -> None:
    X, y = blobs(rows=150)
    models = [GaussianClassifier("shared", shrinkage=s) for s in (1.0, 0.3, 0.1, 0.0)]
    found = nest("model", models, X, y, KFold(5), progress=False)
    wrong = found.losses
    assert found.standard_errors == pytest.approx(np.sqrt(wrong * (1 - wrong) / (len(y) - 1)))
    limit = wrong.min() + found.standard_errors[wrong.argmin()]
    assert found.one_se == next(i for i, loss in enumerate(wrong) if loss <= limit) <= found.final
    assert replace(found, standard_errors=np.zeros(0)).one_se is None


def test_on_pure_noise_the_nested_estimate_is_chance_and_the_naive_one_is_not() -> None:
    """Balanced labels that no column knows, thirty settings to be fooled by, twenty times over."""
    models = [make_pipeline(SelectColumns([j]), GaussianNB()) for j in range(30)]
    naive, honest, misses = [], [], 0
    for seed in range(20):
        generator = np.random.default_rng(seed)
        X, y = generator.normal(size=(80, 30)), generator.permutation(np.repeat([0, 1], 40))
        found = nest("noise", models, X, y, KFold(5, random_state=seed), progress=False)
        low, high = found.evaluation.error_interval
        misses += not low <= 0.5 <= high
        honest.append(found.evaluation.error)
        naive.append(found.scored)
        assert found.optimism == pytest.approx(honest[-1] - naive[-1])
    assert misses <= 4
    error = np.std(honest, ddof=1) / np.sqrt(len(honest))
    assert abs(np.mean(honest) - 0.5) <= 3 * error
    assert max(naive) < 0.5 and np.mean(naive) < 0.40  # every time, the best of thirty settings is biased


def test_nested_intervals_hold_the_true_error_of_what_was_chosen() -> None:
    held, runs = 0, 100
    for seed in range(runs):
        X, y = two_classes(seed, 2.0)
        model, plan = GaussianClassifier("shared", priors=[0.5, 0.5]), KFold(5, random_state=seed)
        found = nested(model, X, y, plan=plan, shrinkage=[0.0, 0.1, 0.3, 0.6], progress=False)
        low, high = found.evaluation.error_interval
        held += low <= true_error(found.model, 2.0) <= high
    assert held >= 0.92 * runs


def test_nested_in_one_call_is_the_choice_by_hand() -> None:
    X, y = load_wine(return_X_y=True)
    blends = [0.0, 0.3, 1.0]
    found = nested(GaussianClassifier(), X, y, plan=KFold(5), blend=blends)
    models = [GaussianClassifier(blend=blend) for blend in blends]
    same = nest("m", models, X, y, KFold(5))
    assert found.error == same.evaluation.error and found.chosen.tolist() == same.chosen.tolist()
    assert found.wins == [int((same.chosen == s).sum()) for s in range(3)]
    assert found.optimism == same.optimism and found.setting == {"blend": blends[same.final]}
    expected = GaussianClassifier(blend=blends[same.final]).fit(X, y).predict_proba(X)
    assert np.array_equal(found.model.predict_proba(X), expected)
    assert "nested error" in repr(found)


def test_nested_equals_scikit_learns_own_on_the_same_folds() -> None:
    """GridSearchCV on each training part, its inner folds the other outer ones put together to three."""
    X, y = load_wine(return_X_y=True)
    fold = KFold(5, random_state=0).partitions(y)[0].fold
    tree, depths = DecisionTreeClassifier(random_state=0), [1, 2, 4]
    found = nested(tree, X, y, plan=KFold(5, random_state=0), max_depth=depths)
    for f in range(5):
        train = np.flatnonzero(fold != f)
        place = np.where(fold > f, fold - 1, fold)[train] % 3
        inner = [(np.flatnonzero(place != g), np.flatnonzero(place == g)) for g in range(3)]
        search = GridSearchCV(tree, {"max_depth": depths}, cv=inner, scoring=minus_mistakes)
        search.fit(X[train], y[train])
        assert depths[found.chosen[f]] == search.best_params_["max_depth"]
        assert np.array_equal(found.evaluation.predicted[fold == f], search.predict(X[fold == f]))


def test_choices_keep_their_groups() -> None:
    X, y, groups = copied()
    names = np.array([f"row {g}" for g in groups], dtype=object)
    given: dict[str, Any] = {
        "plan": KFold(5),
        "groups": names,
        "variance_floor": [0.5, 0.01],
        "progress": False,
    }
    chosen, inside = tune(GaussianNB(), X, y, **given), nested(GaussianNB(), X, y, **given)
    for found in (*chosen.evaluations, inside.evaluation):
        assert found.row_groups is not None and len(np.unique(found.row_groups)) == 60
    assert np.array_equal(chosen.losses, inside.losses) and chosen.chosen == inside.final


def minus_mistakes(model: Any, X: Any, y: Any) -> float:
    """Rows count alike; a mean over folds of their accuracies would weigh small folds more."""
    return -float((model.predict(X) != y).sum())
