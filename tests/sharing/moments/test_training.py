"""One pass for all folds is exact: every model under every plan equals fitting each training part anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn import model_selection as sk
from sklearn.base import clone

from assay import Bootstrap, GaussianClassifier, HoldOut, KFold, LeaveOneOut, RandomSubsampling, evaluate
from assay.statistics import collect
from tests.contract.registry import normal_classifiers, shown, statistics_classifiers
from tests.noted import codes, noted
from tests.raised import raises
from tests.sharing.tables import TABLES, assert_same, plain, refitted

LISTED = [
    (np.arange(0, 40), np.arange(40, 60)),
    (np.arange(20, 72), np.arange(0, 20)),
    (np.arange(9, 72), np.arange(4)),
]
PLANS: dict[str, Any] = {
    "4 folds": 4,
    "KFold": KFold(5),
    "repeated": KFold(3, repeats=2, random_state=5),
    "unstratified": KFold(4, stratified=False),
    "HoldOut": HoldOut(0.3),
    "RandomSubsampling": RandomSubsampling(0.2, repeats=3),
    "LeaveOneOut": LeaveOneOut(),
    "Bootstrap": Bootstrap(8),
    "StratifiedKFold": sk.StratifiedKFold(4, shuffle=True, random_state=1),
    "ShuffleSplit": sk.ShuffleSplit(3, test_size=0.25, train_size=0.5, random_state=2),
    "TimeSeriesSplit": sk.TimeSeriesSplit(4),
    "PredefinedSplit": sk.PredefinedSplit(np.arange(72) % 4 - 1),
    "RepeatedStratifiedKFold": sk.RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=3),
    "list": LISTED,
}


@pytest.mark.parametrize("model", statistics_classifiers(), ids=shown)
@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_every_model_under_every_plan(model: Any, plan: Any) -> None:
    X, y = plain()
    result = evaluate(model, X, y, plan)
    assert result.strategy == "statistics"
    assert_same(result, refitted(model, X, y, plan))


@pytest.mark.parametrize("model", statistics_classifiers(), ids=shown)
@pytest.mark.parametrize("plan", ["KFold", "repeated", "LeaveOneOut", "Bootstrap", "TimeSeriesSplit"])
def test_with_weights(model: Any, plan: str) -> None:
    X, y = plain()
    weight = np.random.default_rng(0).uniform(0.2, 3.0, len(y))
    weight[::9] = 0.0
    result = evaluate(model, X, y, PLANS[plan], sample_weight=weight)
    assert result.strategy == "statistics"
    assert_same(result, refitted(model, X, y, PLANS[plan], weight))


@pytest.mark.parametrize("model", statistics_classifiers(), ids=shown)
@pytest.mark.parametrize("plan", [KFold(4), HoldOut(0.3), sk.GroupKFold(3), sk.LeaveOneGroupOut()], ids=repr)
def test_with_groups(model: Any, plan: Any) -> None:
    X, y = plain()
    groups = np.array(["a", "b", "c", "d", "e", "f"])[np.arange(len(y)) // 12]
    result = evaluate(model, X, y, plan, groups=groups)
    assert_same(result, refitted(model, X, y, plan, groups=groups))
    for split in range(result.n_splits):
        tested = set(groups[result.rows[result.split == split]])
        others = np.setdiff1d(np.arange(len(y)), result.rows[result.split == split])
        assert not tested & set(groups[others])


@pytest.mark.parametrize("model", statistics_classifiers(), ids=shown)
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("plan", [KFold(5), Bootstrap(6, random_state=1)], ids=["KFold", "Bootstrap"])
def test_difficult_tables(model: Any, table: str, plan: Any) -> None:
    X, y = TABLES[table]()
    result = evaluate(model, X, y, plan)
    assert result.strategy == "statistics"
    assert np.isfinite(result.error)
    # Coordinates a million deviations from zero carry ten digits into a refit's own sums.
    assert_same(result, refitted(model, X, y, plan), places=1e-9)


@pytest.mark.parametrize("model", statistics_classifiers(), ids=shown)
@pytest.mark.parametrize("table", ["plain", "few_rows", "rare_class", "constant_features"])
def test_parameters_of_the_fold_models(model: Any, table: str) -> None:
    X, y = TABLES[table]()
    fold = KFold(5).partitions(y)[0]
    classes, codes = np.unique(y, return_inverse=True)
    cells = collect(
        X, codes.astype(np.int32), len(classes), form=model.moments_form, group=fold.fold, n_groups=5
    )
    others = cells.complement(5)
    for f in range(5):
        train = fold.train_rows(f)
        if set(codes[train]) != set(codes):
            continue
        refit = clone(model).fit(X[train], y[train])
        merged = clone(model)
        merged.n_features_in_ = X.shape[1]
        merged._learn(classes, others[f])
        for name in vars(refit):
            value = getattr(refit, name)
            if name.endswith("_") and isinstance(value, np.ndarray) and value.dtype.kind == "f":
                scale = np.abs(value).max() + 1e-300
                np.testing.assert_allclose(
                    getattr(merged, name) / scale, value / scale, rtol=1e-9, atol=1e-9, err_msg=name
                )
        assert merged.diagnostics_ == refit.diagnostics_


@pytest.mark.parametrize("model", statistics_classifiers(), ids=shown)
def test_many_models_in_one_call_equal_single_calls(model: Any) -> None:
    X, y = plain()
    for plan in (KFold(3), LeaveOneOut(), Bootstrap(5)):
        together = evaluate([model, *statistics_classifiers()], X, y, plan)
        alone = evaluate(model, X, y, plan)
        first = next(iter(together.values()))
        np.testing.assert_allclose(first.scores, alone.scores, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("model", statistics_classifiers(), ids=shown)
@pytest.mark.parametrize("dtype", [np.float32, np.int64])
def test_other_number_types(model: Any, dtype: Any) -> None:
    X, y = plain()
    X = (10 * X).astype(dtype)
    for plan in (KFold(3), LeaveOneOut(), Bootstrap(5)):
        assert_same(evaluate(model, X, y, plan), refitted(model, X, y, plan), places=1e-8)


def test_a_rare_class_is_reported() -> None:
    from assay import GaussianClassifier

    X, y = TABLES["one_row_class"]()
    result = evaluate(GaussianClassifier("full"), X, y, KFold(5))
    lone = int(np.flatnonzero(y == 2)[0])
    assert result.posterior[lone, 2] == 0.0
    assert result.n_clipped == 1
    assert noted(result.notes, "S200", label="2", count=1, total=5)
    assert noted(result.notes, "S201", label="2", count=4, total=5)
    loo = evaluate(GaussianClassifier("full"), X, y, LeaveOneOut())
    assert loo.n_clipped == 1
    assert noted(loo.notes, "S200", label="2")


@pytest.mark.parametrize(
    "plan", [KFold(5), Bootstrap(6), LeaveOneOut()], ids=["KFold", "Bootstrap", "LeaveOneOut"]
)
def test_singular_covariances_are_reported(plan: Any) -> None:
    from assay import GaussianClassifier

    X, y = TABLES["few_rows"]()
    result = evaluate(GaussianClassifier("full"), X, y, plan)
    assert any("singular" in note for note in result.notes)


@pytest.mark.parametrize(
    "plan", [KFold(5), Bootstrap(6), LeaveOneOut()], ids=["KFold", "Bootstrap", "LeaveOneOut"]
)
def test_constant_features_are_reported(plan: Any) -> None:
    from assay import GaussianNB

    X, y = TABLES["constant_features"]()
    assert noted(evaluate(GaussianNB(), X, y, plan).notes, "S204")


def test_a_training_part_with_one_class_is_refused() -> None:
    from assay import GaussianNB

    X, y = plain()
    first = np.flatnonzero(y == 0)
    splits = [(first[:5], first[5:])]
    with raises("S211", split=0, label=0):
        evaluate(GaussianNB(), X, y, splits)


UNUSABLE = {"S084", "S211", "S212", "M039"}  # a training set is empty or has one class, a class has no weight
SINGULAR = {"S201", "S202", "S203"}  # a class has no covariance of its own, or some covariance is singular


@st.composite
def tables(draw: Any) -> tuple[Any, Any, Any]:
    rows, width = draw(st.integers(4, 14)), draw(st.integers(1, 3))
    X = draw(hnp.arrays(np.float64, (rows, width), elements=st.integers(-3, 3).map(float)))
    y = draw(hnp.arrays(np.int64, rows, elements=st.integers(0, 2)))
    weight = draw(st.none() | hnp.arrays(np.float64, rows, elements=st.sampled_from([0.0, 0.5, 1.0, 2.0])))
    return X, y, weight


@pytest.mark.parametrize("model", normal_classifiers(), ids=shown)
@given(
    data=tables(), plan=st.sampled_from([KFold(2), KFold(4, stratified=False), LeaveOneOut(), Bootstrap(3)])
)
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
def test_shared_passes_equal_refits(model: Any, data: Any, plan: Any) -> None:
    X, y, weight = data
    try:
        result = evaluate(model, X, y, plan, sample_weight=weight)
    except ValueError as error:
        assert codes([error.args[0]])[0] in UNUSABLE
        return
    np.testing.assert_allclose(result.posterior.sum(axis=1), 1.0)
    # A variance raised to the floor of 1e-9 magnifies rounding by as much, and two such terms may cancel.
    singular = SINGULAR & set(codes(result.notes))
    assert_same(result, refitted(model, X, y, plan, weight), places=1e-4 if singular else 1e-8)


def test_weights_of_a_class_that_add_up_to_one_row() -> None:
    """Its unbiased variance has no divisor; rounding must not decide that."""
    X, y = np.zeros((10, 1)), np.array([1, 1, 1, 1, 0, 1, 0, 1, 0, 1])
    X[8] = 1.0
    weight = np.array([0.0, 0.0, 2.0, 0.0, 0.5, 2.0, 0.5, 0.5, 0.5, 0.5])
    model = GaussianClassifier(blend=0.25, shrinkage=0.2, variance="unbiased")
    for scale in (1.0, 0.3, 1.0 / 7):
        found = evaluate(model, X, y, LeaveOneOut(), sample_weight=scale * weight)
        assert_same(found, refitted(model, X, y, LeaveOneOut(), scale * weight))
