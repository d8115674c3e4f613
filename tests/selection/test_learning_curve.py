"""Learning curves: nested training parts of growing size, equal to refits of each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from assay import (
    BasisExpansion,
    BernoulliNB,
    Bootstrap,
    CategoricalNB,
    ChooseWords,
    ComplementNB,
    FisherDiscriminant,
    GaussianClassifier,
    GaussianNB,
    HoldOut,
    Impute,
    KFold,
    KNeighborsClassifier,
    LeastSquaresClassifier,
    LeaveOneOut,
    LogisticRegression,
    MixedNB,
    MultinomialNB,
    Standardize,
    TextCounts,
    evaluate,
    learning_curve,
    read,
)
from assay.models.base.estimators import weight_arguments
from assay.plans import ALWAYS_TRAIN, UNUSED, Partition
from assay.selection.learning_curve import check_sizes, piece_of
from assay.sharing.refit import take_rows
from tests.raised import Expected, raises
from tests.selection.grouped import MODELS_BY_STRATEGY, copied
from tests.selection.training_sizes import in_order, trained_on

X, y = load_wine(return_X_y=True)
SHARED = {
    "naive": GaussianNB(),
    "full": GaussianClassifier("full", shrinkage=0.1),
    "shared": GaussianClassifier("shared"),
    "fisher": FisherDiscriminant(),
    "squares": make_pipeline(Standardize(), LeastSquaresClassifier(l2=0.1)),
    "logistic": make_pipeline(Standardize(), LogisticRegression(l2=0.1)),
    "range": make_pipeline(Standardize("range"), GaussianClassifier("shared", shrinkage=0.1)),
    "products": make_pipeline(BasisExpansion("polynomial", degree=2), GaussianClassifier("diagonal")),
}
REFITTED = {"tree": DecisionTreeClassifier(random_state=0), "near": KNeighborsClassifier(3, fewer_rows="all")}


@pytest.mark.parametrize("plan", [KFold(5), KFold(3, repeats=2), HoldOut(0.3)])
def test_every_point_is_what_refits_give(plan: Any) -> None:
    models = {**SHARED, **REFITTED}
    shares = check_sizes([0.2, 0.45, 1.0])
    curves = learning_curve(models, X, y, plan, sizes=shares)
    partitions = plan.partitions(y)
    for s in range(3):
        splits = [
            (trained_on(partition, piece_of(partition, y, shares, 0), f, s), partition.test_rows(f))
            for partition in partitions
            for f in range(partition.n_folds)
        ]
        for name, model in models.items():
            refit = evaluate(model, X, y, splits)
            point = curves[name].evaluations[s]
            # Penalised paths are solved to a relative gradient of 1e-6 each.
            near = 1e-4 if name == "logistic" else 1e-8
            np.testing.assert_allclose(in_order(point), in_order(refit), atol=near)
            assert point.error == pytest.approx(refit.error)
            assert (point.strategy == "refit") == (name == "tree")
        assert curves["naive"].rows[s] == np.mean([len(train) for train, _ in splits])


def test_the_last_point_is_the_evaluation_itself() -> None:
    curve = learning_curve(GaussianNB(), X, y, KFold(5), sizes=4)
    whole = evaluate(GaussianNB(), X, y, KFold(5))
    assert len(curve.evaluations) == 4
    # The pieces of a fold are added up first: the last digits may differ.
    np.testing.assert_allclose(curve.evaluations[-1].posterior, whole.posterior, rtol=0, atol=1e-13)
    assert curve.errors[-1] == whole.error and curve.losses[-1] == whole.mean_loss()
    assert curve.standard_errors[-1] == whole.loss_standard_error
    assert curve.intervals[-1] == whole.error_interval
    assert "error of GaussianNB" in str(curve)


def test_gaps_weights_priors_and_losses_go_along() -> None:
    rows = X.copy()
    rows[::7, 2] = np.nan
    weight = np.linspace(0.5, 2.0, len(y))
    loss = 5.0 * (1 - np.eye(3))
    model = make_pipeline(Impute(), GaussianClassifier("shared"))
    shares = check_sizes([0.3])
    curve = learning_curve(
        model, rows, y, KFold(4), sizes=shares, sample_weight=weight, priors=[0.2, 0.3, 0.5], loss=loss
    )
    partition = KFold(4).partitions(y)[0]
    piece = piece_of(partition, y, shares, 0)
    splits = [(trained_on(partition, piece, f, 0), partition.test_rows(f)) for f in range(4)]
    refit = evaluate(model, rows, y, splits, sample_weight=weight, priors=[0.2, 0.3, 0.5], loss=loss)
    assert curve.losses[0] == pytest.approx(refit.mean_loss())
    assert curve.evaluations[0].log_loss == pytest.approx(refit.log_loss)


def rows_by_refits(model: Any, rows: Any, shares: Any, s: int, weight: Any) -> Any:
    """Scores of the rows at a size, each fold of four fitted by itself."""
    partition = KFold(4).partitions(y)[0]
    piece = piece_of(partition, y, shares, 0)
    splits = [(trained_on(partition, piece, f, s), partition.test_rows(f)) for f in range(4)]
    return in_order(evaluate(model, rows, y, splits, sample_weight=weight))


WEIGHTS: dict[str, Any] = {
    "none": None,
    "some": np.linspace(0.5, 2.0, len(y)),
    "zeros": np.where(np.arange(len(y)) % 5 == 0, 0.0, 1.5),
}


@pytest.mark.parametrize("weighted", WEIGHTS)
@pytest.mark.parametrize("name", ["naive", "full", "shared", "squares", "range"])
def test_weights_are_shared_by_all_sizes(name: str, weighted: str) -> None:
    weight, shares = WEIGHTS[weighted], check_sizes([0.3, 0.6])
    curve = learning_curve(SHARED[name], X, y, KFold(4), sizes=shares, sample_weight=weight)
    assert {each.strategy for each in curve.evaluations} == {"statistics"}
    for s in range(3):
        expected = rows_by_refits(SHARED[name], X, shares, s, weight)
        np.testing.assert_allclose(in_order(curve.evaluations[s]), expected, atol=1e-8)


@pytest.mark.parametrize("weighted", WEIGHTS)
def test_tables_wider_than_long_share_one_matrix_of_inner_products(weighted: str) -> None:
    rows = np.random.default_rng(0).normal(size=(len(y), 2 * len(y))) + y[:, None]
    weight, shares = WEIGHTS[weighted], check_sizes([0.3, 0.6])
    model = LeastSquaresClassifier(l2=0.1)
    curve = learning_curve(model, rows, y, KFold(4), sizes=shares, sample_weight=weight)
    assert {each.strategy for each in curve.evaluations} == {"gram"}
    for s in range(3):
        expected = rows_by_refits(model, rows, shares, s, weight)
        np.testing.assert_allclose(in_order(curve.evaluations[s]), expected, rtol=1e-6, atol=1e-8)


def test_a_range_behind_filled_gaps_is_that_of_the_filled_rows() -> None:
    rows = X.copy()
    rows[np.random.default_rng(3).random(X.shape) < 0.2] = np.nan
    model = make_pipeline(Impute(), Standardize("range"), GaussianNB())
    shares = check_sizes([0.4])
    curve = learning_curve(model, rows, y, KFold(4), sizes=shares)
    for s in range(2):
        expected = rows_by_refits(model, rows, shares, s, None)
        np.testing.assert_allclose(in_order(curve.evaluations[s]), expected, atol=1e-8)


def test_difficulties_are_counted_over_the_training_sets_of_all_sizes() -> None:
    labels = np.where(np.arange(len(y)) < 3, "rare", y.astype(str))
    curve = learning_curve(GaussianClassifier("full"), X, labels, KFold(3), sizes=[0.1, 1.0])
    for evaluation in curve.evaluations:
        singular = [note for note in evaluation.notes if "covariance" in note]
        assert singular and all("of 6 training sets" in note for note in singular)


LEVELS = (3 * (X - X.min(axis=0)) / np.ptp(X, axis=0)).astype(int)
WORDS = csr_array(np.random.default_rng(0).poisson(0.3 * LEVELS @ np.eye(13, 40)).astype(float))
TEXTS = np.array([" ".join(f"word{j}" for j in row.indices) or "nothing" for row in WORDS], dtype=object)
TABLE = read(
    pd.DataFrame(
        {
            "size": X[:, 0],
            "tone": np.array(["red", "blue", "green", "grey"])[LEVELS[:, 1]],
            "kind": LEVELS[:, 2] > 0,
            "shade": X[:, 3],
        }
    )
)
COUNTED: dict[str, tuple[Any, Any]] = {
    "levels": (CategoricalNB(), LEVELS),
    "words": (MultinomialNB(), WORDS),
    "dense words": (BernoulliNB(), WORDS.toarray()),
    "presence": (BernoulliNB(), WORDS),
    "complement": (ComplementNB(), WORDS),
    "chosen words": (make_pipeline(ChooseWords(min_documents=3), MultinomialNB()), WORDS),
    "texts": (make_pipeline(TextCounts(max_words=9), MultinomialNB()), TEXTS),
    "mixed": (MixedNB(), TABLE),
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("plan", [KFold(4), KFold(3, repeats=2), HoldOut(0.3)], ids=repr)
@pytest.mark.parametrize("name", COUNTED)
def test_models_of_counts_share_their_sizes_and_equal_refits(name: str, plan: Any, weighted: bool) -> None:
    model, rows = COUNTED[name]
    weight = np.random.default_rng(1).uniform(0.5, 2.0, len(y)) if weighted else None
    shares = check_sizes([0.3, 0.6])
    curve = learning_curve(model, rows, y, plan, sizes=shares, sample_weight=weight)
    assert {each.strategy for each in curve.evaluations} == {"counts"}
    for s in range(2):
        found = in_order(curve.evaluations[s])
        split = 0
        for partition in plan.partitions(y):
            piece = piece_of(partition, y, shares, 0)
            for f in range(partition.n_folds):
                train, test = trained_on(partition, piece, f, s), partition.test_rows(f)
                fitted = clone(model).fit(
                    take_rows(rows, train),
                    y[train],
                    **weight_arguments(model, None if weight is None else weight[train]),
                )
                mine = found[found[:, 0] == split]
                assert mine[:, 1].astype(int).tolist() == test.tolist()
                np.testing.assert_allclose(
                    mine[:, 2:], fitted.predict_proba(take_rows(rows, test)), atol=1e-9
                )
                split += 1


def near_by_refits(model: Any, rows: Any, plan: Any, shares: Any, s: int, weight: Any) -> Any:
    """Split, row and class shares of every pair, each split fitted by itself."""
    found, split = [], 0
    for partition in plan.partitions(y):
        piece = piece_of(partition, y, shares, 0)
        for f in range(partition.n_folds):
            train, test = trained_on(partition, piece, f, s), partition.test_rows(f)
            fitted = clone(model).fit(rows[train], y[train], None if weight is None else weight[train])
            proba = np.zeros((len(test), 3))
            proba[:, fitted.classes_] = fitted.predict_proba(rows[test])
            found.append(np.column_stack([np.full(len(test), split), test, proba]))
            split += 1
    return np.concatenate(found)


GRID = 1.0 + np.concatenate([LEVELS[:, :3], LEVELS[:, :3]], axis=1)  # full of ties and equal rows
TABLES = {"wine": (X, None), "ties": (GRID, None), "single precision": (X.astype(np.float32), None)}
TABLES["weights"] = (X, WEIGHTS["some"])


@pytest.mark.parametrize("plan", [KFold(4), KFold(3, repeats=2), HoldOut(0.3)], ids=repr)
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    "model",
    [
        KNeighborsClassifier(1),
        KNeighborsClassifier(7, weights="distance"),
        KNeighborsClassifier(5, metric="manhattan"),
        KNeighborsClassifier(5, metric="cosine"),
    ],
    ids=repr,
)
def test_neighbours_of_all_sizes_are_searched_once_and_equal_refits(
    model: Any, table: str, plan: Any
) -> None:
    shares, (rows, weight) = check_sizes([0.2, 0.21, 0.5]), TABLES[table]
    curve = learning_curve(model, rows, y, plan, sizes=shares, sample_weight=weight)
    assert {each.strategy for each in curve.evaluations} == {"neighbors"}
    for s in range(3):
        expected = near_by_refits(model, rows, plan, shares, s, weight)
        np.testing.assert_allclose(in_order(curve.evaluations[s]), expected, rtol=0, atol=1e-12)


def test_ties_between_rows_of_other_weights_go_to_the_first() -> None:
    model, shares, weight = KNeighborsClassifier(5), check_sizes([0.2, 0.5]), WEIGHTS["some"]
    curve = learning_curve(model, GRID, y, KFold(4), sizes=shares, sample_weight=weight)
    for s in range(3):
        expected = near_by_refits(model, GRID, KFold(4), shares, s, weight)
        np.testing.assert_allclose(in_order(curve.evaluations[s]), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("model", "weighted"),
    [
        (KNeighborsClassifier(40, fewer_rows="all"), "none"),  # more than the first size has
        (KNeighborsClassifier(3), "zeros"),
        (KNeighborsClassifier(3), "uneven"),
        (KNeighborsClassifier(3, metric="mahalanobis"), "none"),  # learns its space
        (KNeighborsClassifier(3, algorithm="tree"), "none"),
        (make_pipeline(Standardize(), KNeighborsClassifier(3)), "none"),
    ],
    ids=repr,
)
def test_other_neighbours_are_searched_size_by_size(model: Any, weighted: str) -> None:
    weight = np.geomspace(0.001, 10.0, len(y)) if weighted == "uneven" else WEIGHTS[weighted]
    shares = check_sizes([0.15, 0.5])
    curve = learning_curve(model, X, y, KFold(4), sizes=shares, sample_weight=weight)
    partition = KFold(4).partitions(y)[0]
    piece = piece_of(partition, y, shares, 0)
    for s in range(2):
        splits = [(trained_on(partition, piece, f, s), partition.test_rows(f)) for f in range(4)]
        refit = evaluate(model, X, y, splits, sample_weight=weight)
        np.testing.assert_allclose(in_order(curve.evaluations[s]), in_order(refit), atol=1e-12)


@settings(max_examples=40)
@given(st.integers(2, 6), st.integers(0, 10), st.lists(st.floats(0.05, 1.0), min_size=1, max_size=5))
def test_smaller_parts_lie_in_larger_ones_with_classes_in_proportion(
    folds: int, seed: int, sizes: list[float]
) -> None:
    codes = np.random.default_rng(seed).choice(3, size=120, p=[0.6, 0.3, 0.1]).astype(np.int32)
    partition = KFold(folds, random_state=seed).partitions(codes)[0]
    shares = check_sizes(sizes)
    piece = piece_of(partition, codes, shares, seed)
    assert (piece < len(shares)).all()  # the last size is everything
    for s, share in enumerate(shares):
        inside = piece <= s
        assert inside.sum() == np.ceil(share * len(codes) - 1e-9)
        for k in range(3):
            assert abs((inside & (codes == k)).sum() - share * (codes == k).sum()) <= 2
        spread = np.bincount(partition.fold[inside], minlength=folds)
        assert spread.max() - spread.min() <= 4  # at most one a class, and one of the fold sizes


def test_rows_of_no_fold_belong_to_no_piece() -> None:
    fold = np.array([0, 1, ALWAYS_TRAIN, UNUSED, 0, 1], dtype=np.int32)
    piece = piece_of(Partition(fold, 2), np.zeros(6, dtype=np.int32), np.array([0.5, 1.0]), 0)
    assert piece[3] == 2 and (piece[[0, 1, 2, 4, 5]] < 2).all()


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"sizes": 0}, Expected("S115", sizes=0)),
        ({"sizes": [0.5, 1.5]}, Expected("S114", shares=1.5)),
        ({"sizes": [-0.1]}, Expected("S113")),
        ({"sizes": []}, Expected("S113")),
        ({"sizes": "many"}, Expected("S113")),
        ({"sizes": True}, Expected("S113")),
        ({"plan": LeaveOneOut()}, Expected("S112", kind="LeaveOneOut")),
        ({"plan": Bootstrap()}, Expected("S112", kind="Bootstrap")),
    ],
)
def test_what_gives_no_curve_is_said(asked: dict[str, Any], expected: Expected) -> None:
    with raises(expected):
        learning_curve(GaussianNB(), *load_iris(return_X_y=True), **asked)


def test_a_size_without_two_classes_is_refused_in_words() -> None:
    labels = np.array([0] * 38 + [1] * 2)
    rows = np.arange(40.0)[:, None]
    with raises("S211"):
        learning_curve(GaussianNB(), rows, labels, KFold(2), sizes=[0.02, 1.0])


@pytest.mark.parametrize("name", MODELS_BY_STRATEGY)
def test_every_size_of_a_learning_curve_counts_groups(name: str) -> None:
    X, y, groups = copied()
    curve = learning_curve(
        MODELS_BY_STRATEGY[name], X, y, KFold(5), sizes=[0.5, 1.0], groups=groups, progress=False
    )
    for each in curve.evaluations:
        assert each.groups is not None and np.subtract(*each.error_interval[::-1]) > 0.1
