"""The reference level: which columns go, and that folds with different ones equal refits exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from assay import (
    PCA,
    Bootstrap,
    DropReference,
    GaussianClassifier,
    GaussianNB,
    Impute,
    KFold,
    LeastSquaresClassifier,
    LeaveOneOut,
    OneHot,
    SelectColumns,
    Standardize,
    evaluate,
)
from assay.sharing.forms import Linear
from assay.statistics import collect
from tests.contract.registry import shown, statistics_classifiers
from tests.models.features.mixed import mixed
from tests.raised import raises
from tests.sharing.tables import assert_same, refitted

FOLDS = KFold(5, random_state=1)
CHEAP = [GaussianNB(), GaussianClassifier("full", blend=0.5), LeastSquaresClassifier(l2=0.1)]


def design(gaps: bool = True, seed: int = 0) -> tuple[Any, Any, Any]:
    table, y = mixed(seed=seed, gaps=gaps)
    encoder = OneHot().fit(table)
    return encoder.transform(table), y, encoder.groups_


def test_the_most_frequent_and_the_absent_levels_go() -> None:
    X = np.array([[1, 0, 0, 0, 5.0], [0, 0, 1, 0, 6.0], [0, 0, 1, 0, 7.0], [0, 0, 0, 1, 8.0]])
    step = DropReference([(0, 4)]).fit(X)
    assert step.kept_.tolist() == [0, 3, 4] and step.reference_.tolist() == [2]
    assert step.transform(X).tolist() == X[:, [0, 3, 4]].tolist()
    assert step.get_feature_names_out(list("abcde")).tolist() == ["a", "d", "e"]
    weighted = DropReference([(0, 4)]).fit(X, sample_weight=[5.0, 1.0, 1.0, 0.0])
    assert weighted.kept_.tolist() == [2, 4] and weighted.reference_.tolist() == [0]


def test_the_first_of_equally_frequent_levels_goes() -> None:
    X = np.repeat(np.eye(3), 7, axis=0)[np.random.default_rng(0).permutation(21)]
    assert DropReference([(0, 3)]).fit(X).reference_.tolist() == [0]
    folds = np.repeat(np.arange(7, dtype=np.int32), 3)
    cells = collect(X, np.zeros(21, dtype=np.int32), 1, group=folds, n_groups=7)
    assert DropReference([(0, 3)])._mask(cells.together()[None])[1].tolist() == [[0]]


def test_something_is_always_kept() -> None:
    X = np.array([[0.0, 1.0], [0.0, 1.0]])
    assert DropReference([(0, 2)]).fit_transform(X).tolist() == [[1.0], [1.0]]


def test_groups_come_from_the_encoder_or_as_positions() -> None:
    X, _, groups = design(gaps=False)
    spans = [(group.first, group.last) for group in groups if group.type == "categorical"]
    one, two = DropReference(groups).fit(X), DropReference(spans).fit(X)
    assert one.kept_.tolist() == two.kept_.tolist() and X.shape[1] - len(one.kept_) >= 2
    np.testing.assert_array_equal(DropReference().fit_transform(X), X)
    with raises("M064", first=3, last=99, width=13):
        DropReference([(3, 99)]).fit(X)


@pytest.mark.parametrize("gaps", [True, False])
@pytest.mark.parametrize("weights", ["none", "whole", "any"])
@pytest.mark.parametrize("model", statistics_classifiers(), ids=shown)
def test_folds_equal_refits(model: Any, weights: str, gaps: bool) -> None:
    """Rare levels vanish from some training parts, and the most frequent one differs between them."""
    X, y, groups = design(gaps)
    rng = np.random.default_rng(1)
    weight = {"none": None, "whole": rng.integers(0, 3, len(y)) * 1.0, "any": rng.uniform(0.1, 3, len(y))}[
        weights
    ]
    pipeline = make_pipeline(Impute(indicator=True), DropReference(groups), model)
    result = evaluate(pipeline, X, y, FOLDS, sample_weight=weight)
    assert result.strategy == "statistics"
    assert_same(result, refitted(pipeline, X, y, FOLDS, weight), places=1e-8)


def test_references_differ_between_folds_of_the_test_table() -> None:
    X, y, groups = design()
    kept = set()
    for fold in range(5):
        rows = FOLDS.partitions(y)[0].train_rows(fold)
        kept.add(tuple(DropReference(groups).fit(np.nan_to_num(X[rows])).kept_))
    assert len(kept) > 1


@pytest.mark.parametrize("model", CHEAP, ids=shown)
@pytest.mark.parametrize("plan", [LeaveOneOut(), Bootstrap(4)], ids=["LeaveOneOut", "Bootstrap"])
def test_other_plans_equal_refits(model: Any, plan: Any) -> None:
    X, y, groups = design(gaps=False)
    X, y = (X[:40], y[:40]) if isinstance(plan, LeaveOneOut) else (X, y)
    pipeline = make_pipeline(DropReference(groups), model)
    assert_same(evaluate(pipeline, X, y, plan), refitted(pipeline, X, y, plan), places=1e-8)


@pytest.mark.parametrize("model", [*CHEAP, GaussianClassifier("shared_spherical")], ids=shown)
@pytest.mark.parametrize(
    "steps", [[Standardize()], [Standardize("range")], [PCA(n_components=3)]], ids=["zscore", "range", "pca"]
)
def test_steps_behind_it_equal_refits(steps: list[Any], model: Any) -> None:
    X, y, groups = design(gaps=False)
    pipeline = make_pipeline(DropReference(groups), *(clone(step) for step in steps), model)
    result = evaluate(pipeline, X, y, FOLDS)
    assert result.strategy == "statistics"
    assert_same(result, refitted(pipeline, X, y, FOLDS), places=1e-8)


def test_positions_behind_it_are_those_of_each_fold() -> None:
    X, y, groups = design(gaps=False)
    pipeline = make_pipeline(DropReference(groups), SelectColumns([0, 3]), GaussianNB())
    assert evaluate(pipeline, X, y, FOLDS).strategy == "refit"


def test_gaps_pass_through_to_models_that_leave_them_out() -> None:
    X, y, groups = design()
    for steps in ([DropReference(groups)], [SelectColumns([0, 3, 8])]):
        pipeline = make_pipeline(*steps, GaussianNB())
        result = evaluate(pipeline, X, y, FOLDS)
        assert result.strategy == "statistics"
        assert_same(result, refitted(pipeline, X, y, FOLDS), places=1e-8)


def test_a_determined_column_leaves_predictions_alike() -> None:
    """A number that follows from the levels: every covariance is singular, and the floor decides."""
    X, y, groups = design(gaps=False)
    X = np.hstack([X, X[:, 10:] @ np.array([[1.0], [2.0], [4.0]])])
    pipeline = make_pipeline(DropReference(groups), GaussianClassifier("shared"))
    result, (tested, _) = evaluate(pipeline, X, y, FOLDS), refitted(pipeline, X, y, FOLDS)
    order = np.argsort(tested.rows)
    assert (result.tested.predicted == tested.predicted[order]).mean() > 0.98


def test_dropped_levels_are_no_constant_features_to_report() -> None:
    X, y, groups = design(gaps=False)
    notes = evaluate(make_pipeline(DropReference(groups), GaussianClassifier("shared")), X, y, FOLDS).notes
    assert not any("onstant" in note for note in notes)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 4), st.sampled_from(["full", "shared", "diagonal"]))
def test_a_zero_column_is_an_absent_column(seed: int, zeros: int, covariance: str) -> None:
    """Bits of the solution: constant columns are in no determinant, no average and no count."""
    rng = np.random.default_rng(seed)
    X, codes = rng.normal(size=(40, 3)), rng.integers(0, 2, 40).astype(np.int32)
    wide = np.insert(X, rng.integers(0, 4, zeros), 0.0, axis=1)
    model = GaussianClassifier(covariance, shrinkage=0.2)
    one, two = (
        model.solve_moments(collect(rows, codes, 2, form=model.moments_form)[None]) for rows in (X, wide)
    )
    np.testing.assert_allclose(one.bias, two.bias, rtol=1e-12)
    assert isinstance(one, Linear) == (covariance == "shared")
    np.testing.assert_allclose(one.scores(X), two.scores(wide), rtol=1e-10)
