"""Settings that share bases: the same figures as scores of every one, and as fits by hand, in every corner."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from assay import PCA, GaussianClassifier, GaussianNB, Impute, KFold, Standardize, nested, tune
from assay.models.sharing import folds, grids
from assay.models.validation import Encoded, encode
from assay.plans import UNUSED, GivenPartitions, Partition
from assay.selection import nested as nesting
from assay.selection.nested import nest

Array = np.ndarray


def classes_of(seed: int, rows: int = 400, width: int = 5, classes: int = 3) -> tuple[Array, Array]:
    """Overlapping classes, each with a covariance of its own."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, rows)
    maps = np.eye(width) + 0.5 * rng.normal(size=(classes, width, width)) / np.sqrt(width)
    means = rng.normal(size=(classes, width))
    return np.einsum("nd,nde->ne", rng.normal(size=(rows, width)), maps[y]) + means[y], y


def grid(blends: Any, shrinkages: Any, before: tuple[Any, ...] = (), **fixed: Any) -> list[Any]:
    models = [GaussianClassifier(blend=b, shrinkage=s, **fixed) for b, s in product(blends, shrinkages)]
    return [make_pipeline(*(clone(step) for step in before), model) if before else model for model in models]


BOTH = ((0.0, 0.3, 1.0), (0.0, 0.2, 1.0))
SIX, FIVE = (0.2, 0.0, 0.3, 0.9, 0.5, 1.0), (0.3, 0.0, 0.1, 0.9, 0.4)
LINES = (SIX, FIVE), (FIVE, SIX)  # bases that bound each other


def figures(
    models: list[Any], X: Any, y: Any, plan: Any, inner: int | None = None, **options: Any
) -> tuple[Any, Any]:
    """The same choice by counts of mistakes and by scores."""
    given = {"loss": None, "priors": None, "sample_weight": None, "n_jobs": 2, **options}
    labels = Encoded(*encode(y))
    inside = nesting.inner_folds(plan, labels, None, inner)
    choice = nesting._Choice(models, X, labels, plan, inside, None, given)
    meter = nesting.Meter(choice.n_parts, "", False)
    return choice.by_mistakes(meter), choice.by_scores(meter)


def check(models: list[Any], X: Any, y: Any, plan: Any = None, **options: Any) -> None:
    mine, plain = figures(models, X, y, plan or KFold(4), **options)
    assert mine is not None
    for name in ("losses", "errors", "inner", "standard_errors", "inner_errors"):
        np.testing.assert_allclose(
            getattr(mine, name), getattr(plain, name), rtol=1e-10, atol=1e-14, err_msg=name
        )


@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize(
    ("blends", "shrinkages"),
    [
        BOTH,
        *LINES,
        ((1.0,), (0.0, 0.3, 0.9)),
        ((0.1, 0.5), (0.0,)),
        ((0.0,), (0.0, 0.5, 1.0)),
        ((0.7,), (0.1,)),
    ],
    ids=["both", "lines of shrinkages", "lines of blends", "shrinkages", "blends", "linear", "single"],
)
def test_counts_equal_scores(classes: int, blends: Any, shrinkages: Any) -> None:
    X, y = classes_of(classes, classes=classes)
    check(grid(blends, shrinkages), X, y)


@pytest.mark.parametrize("inner", [2, 5])
def test_counts_equal_scores_in_inner_folds_of_their_own(inner: int) -> None:
    X, y = classes_of(5)
    weight = np.random.default_rng(2).choice([0.0, 0.5, 1.0, 3.0], len(y))
    fold = np.where(np.arange(len(y)) % 11 == 0, UNUSED, np.arange(len(y)) % 4).astype(np.int32)
    some = GivenPartitions([Partition(fold, 4)])
    check(grid(*BOTH), X, y, inner=inner)
    check(grid(*BOTH, before=(Standardize(), PCA(4))), X, y, some, inner=inner, sample_weight=weight)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    check(grid(*BOTH, before=(Impute(),)), X, y, inner=inner)


@pytest.mark.parametrize(
    "fixed",
    [
        {"variance": "unbiased"},
        {"priors": "uniform"},
        {"priors": [0.7, 0.2, 0.1]},
        {"variance_floor": 0.3},
    ],
)
def test_other_parameters_are_followed(fixed: dict[str, Any]) -> None:
    check(grid(*BOTH, **fixed), *classes_of(7))


def test_a_shared_covariance_is_shrunk_and_has_nothing_to_blend() -> None:
    check(grid((1.0,), BOTH[1], covariance="shared"), *classes_of(7))


@pytest.mark.parametrize("before", [(Standardize(),), (PCA(3),), (Standardize(), PCA(4))], ids=repr)
def test_steps_before_the_model_are_maps_of_the_basis(before: tuple[Any, ...]) -> None:
    X, y = classes_of(8)
    check(grid(*BOTH, before=before), X * [1.0, 1e4, 1e-4, 1.0, 10.0] + [0, 1e5, 0, 3, 0], y)


def test_columns_of_very_different_units() -> None:
    X, y = classes_of(9)
    for models in (grid(*BOTH), grid((0.5,), (0.0, 0.1))):
        check(models, X * [1e-9, 1.0, 1e7, 1e-3, 1e12] + [1.0, 1e6, 0.0, 5.0, 1e13], y)


def test_missing_values_are_filled_in_each_fold() -> None:
    X, y = classes_of(10)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    check(grid(*BOTH, before=(Impute(),)), X, y)


def test_weights_and_priors() -> None:
    X, y = classes_of(11)
    weight = np.random.default_rng(1).choice([0.0, 0.5, 1.0, 3.0], len(y))
    check(grid(*BOTH), X, y, sample_weight=weight)
    check(grid(*BOTH), X, y, priors=[0.6, 0.3, 0.1])
    check(grid(*BOTH), X, y, priors=[0.6, 0.4, 0.0], sample_weight=weight)


def test_singular_covariances_constant_columns_and_tiny_classes() -> None:
    X, y = classes_of(12)
    X[:, 2] = 4.0
    check(grid(*BOTH), X, y)
    X[y == 1, 0] = X[y == 1, 1]  # one class on a plane: the floor is needed for it where nothing is mixed in
    check(grid(*BOTH), X, y)
    check(grid((1.0,), (0.0, 0.4)), X, y)
    y[y == 2] = 0
    y[[3, 77]] = 2  # two rows, so that some training parts have one and some have none
    fold = np.arange(len(y), dtype=np.int32) % 4
    check(grid(*BOTH), X, y, GivenPartitions([Partition(fold, 4)]))


def test_floats_other_orders_and_unequal_folds() -> None:
    X, y = classes_of(13)
    check(grid(*BOTH), X.astype(np.float32), y)
    check(grid(*BOTH), np.asfortranarray(X), y)
    fold = np.random.default_rng(2).choice([0, 1, 1, 1, 2, UNUSED], len(y)).astype(np.int32)
    check(grid(*BOTH), X, y, GivenPartitions([Partition(fold, 3)]))


def test_many_columns() -> None:
    check(grid((0.5, 0.9), (0.2,)), *classes_of(14, rows=2600, width=200, classes=2), KFold(3))


def test_ties_go_to_the_first_class() -> None:
    """Rows that come twice, once for each class: every score is equal, and nothing decides but the order."""
    X, _ = classes_of(15, rows=90)
    rows, y = np.repeat(X, 2, axis=0), np.tile([0, 1], len(X))
    fold = np.repeat(np.arange(len(X)) % 3, 2).astype(np.int32)
    models = grid((1.0,), (0.0, 0.5)) + grid((0.0,), (0.0, 0.5))
    mine, _ = figures(models, rows, y, GivenPartitions([Partition(fold, 3)]))
    assert np.all(mine.inner == 0.5) and np.all(mine.losses == 0.5)


def test_equal_to_fits_by_hand() -> None:
    X, y = classes_of(16, rows=240)
    models, plan = grid(*BOTH), KFold(4)
    found = nest("", models, X, y, plan, progress=False)
    fold = plan.partitions(y)[0].fold
    for s, model in enumerate(models):

        def wrong(train: Array, test: Array, model: Any = model) -> int:
            return int((clone(model).fit(X[train], y[train]).predict(X[test]) != y[test]).sum())

        assert found.losses[s] * len(y) == pytest.approx(sum(wrong(fold != f, fold == f) for f in range(4)))
        for f in range(4):
            inside = sum(wrong((fold != f) & (fold != g), fold == g) for g in range(4) if g != f)
            assert found.inner[f, s] * (fold != f).sum() == pytest.approx(inside)
    outer = tune(GaussianClassifier(), X, y, plan=plan, blend=BOTH[0], shrinkage=BOTH[1])
    np.testing.assert_array_equal(outer.losses, found.losses)


def test_same_bits_for_any_number_of_threads() -> None:
    X, y = classes_of(17, rows=3000)
    weight = np.random.default_rng(3).uniform(0.1, 2.0, len(y))
    one, two = (
        nest("", grid(*BOTH), X, y, KFold(5), sample_weight=weight, n_jobs=n, progress=False) for n in (1, 3)
    )
    assert np.array_equal(one.inner, two.inner) and np.array_equal(one.standard_errors, two.standard_errors)


def test_scores_are_taken_where_counts_do_not_serve() -> None:
    X, y = classes_of(18)
    loss = [[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [1.0, 3.0, 0.0]]
    for models, options in (
        (grid(*BOTH), {"loss": loss}),
        ([GaussianNB(variance_floor=v) for v in (1e-9, 0.1)], {}),
        ([GaussianClassifier("diagonal", blend=b) for b in (0.5, 1.0)], {}),
    ):
        mine, plain = figures(models, X, y, KFold(4), **options)
        assert mine is None and np.isfinite(plain.inner).all()


def test_rows_beyond_all_numbers_are_told() -> None:
    X, y = classes_of(19)
    X[5] = 1e300
    with pytest.raises(ValueError, match="overflow|large|rescale"):
        nest("", grid(*BOTH), X, y, KFold(4), progress=False)


def test_the_evaluation_is_that_of_the_chosen_settings() -> None:
    X, y = classes_of(20)
    found = nested(GaussianClassifier(), X, y, plan=KFold(5), blend=[0.0, 0.5, 1.0], shrinkage=[0.0, 0.3])
    split = found.evaluation.split
    for f, s in enumerate(found.chosen):
        model = GaussianClassifier(**found.settings[s]).fit(X[split != f], y[split != f])
        there = split == f
        np.testing.assert_allclose(
            found.evaluation.posterior[there], model.predict_proba(X[there]), atol=1e-9
        )


def test_rows_are_read_once_for_the_choice_and_its_test(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    plain = folds.collect
    monkeypatch.setattr(folds, "collect", lambda *args, **options: asked.append(1) or plain(*args, **options))
    nest("m", grid(*BOTH), *classes_of(3), KFold(4), progress=False)
    assert asked == [1]


@pytest.mark.parametrize("width", [5, 12])
def test_models_count_alike_together_and_one_by_one(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = classes_of(width, rows=90, width=width)
    X[30:, 1] = X[30:, 0]  # singular in some training parts of a class alone
    together, _ = figures(grid(*LINES[0]), X, y, KFold(5))
    for most, size in ((1, 1), (1 << 26, 2)):
        monkeypatch.setattr(grids, "BYTES", most)
        monkeypatch.setattr(grids, "TOGETHER", size)
        apart, _ = figures(grid(*LINES[0]), X, y, KFold(5))
        assert np.array_equal(apart.inner, together.inner) and np.array_equal(apart.losses, together.losses)
