"""Settings that share bases: mistakes are counted as the scores of every one of them have them, in every corner."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import TimeSeriesSplit
from sklearn.pipeline import make_pipeline

from assay import PCA, GaussianClassifier, GaussianNB, HoldOut, Impute, KFold, Standardize
from assay.engines.local import LocalEngine
from assay.models.base.validation import encode, read_numbers
from assay.plans import UNUSED, GivenPartitions, Partition, as_plan
from assay.sharing.dataset import InMemory
from assay.sharing.dispatch import solve
from assay.sharing.moments import SolvedMoments, mistakes
from assay.sharing.reductions import Losses, Several
from assay.sharing.settings import Settings
from assay.sharing.splits import splits_of
from assay.sharing.study import Study

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


def sums(
    models: list[Any],
    X: Any,
    y: Any,
    plan: Any,
    inner: int | None = None,
    sample_weight: Any = None,
    priors: Any = None,
    threads: int = 2,
) -> tuple[Any, Any]:
    """Sums of losses outside and inside of every split, by counts of mistakes and by scores."""
    codes, classes = encode(y)
    data = InMemory(X, codes, classes, sample_weight, None, LocalEngine(threads, False), read_numbers)
    splits = splits_of(plan, codes, inner=inner, nested=True)
    study = Study(data, splits).deeper()
    given = None if priors is None else np.asarray(priors, dtype=np.float64)
    keep = Losses(len(models), len(classes), study.splits.parent + 1, None, given)
    solved = solve(Settings.of(models), study)
    assert set(solved.ways) == {"statistics"}
    return solved.reduce(keep), solved.reduce(Several((keep,)))[0]


@pytest.fixture(autouse=True)
def counted(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether mistakes were counted, of every time that somebody asked."""
    found: list[bool] = []
    plain = SolvedMoments._counted

    def spied(self: Any, chains: Any, keep: Any) -> Any:
        result = plain(self, chains, keep)
        found.append(result is not None)
        return result

    monkeypatch.setattr(SolvedMoments, "_counted", spied)
    return found


def check(models: list[Any], X: Any, y: Any, plan: Any = None, **options: Any) -> None:
    mine, plain = sums(models, X, y, plan or KFold(4), **options)
    np.testing.assert_allclose(mine, plain, rtol=1e-10, atol=1e-14)


@pytest.fixture(autouse=True)
def _were_counted(counted: list[bool], request: pytest.FixtureRequest) -> Any:
    yield
    if "scores_are_taken" not in request.node.name:
        assert True in counted and False in counted  # once as asked, once with the scores


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
    mine, _ = sums(models, rows, y, GivenPartitions([Partition(fold, 3)]))
    assert np.array_equal(mine[:, :4, 1, 1], mine[:, :4, 1, 0]) and not mine[:, :4, 0, 1].any()


@pytest.mark.parametrize("plan", [HoldOut(0.3), KFold(2), KFold(12), TimeSeriesSplit(2)], ids=repr)
def test_every_scheme_of_one_layer(plan: Any) -> None:
    X, y = classes_of(16, rows=240)
    if isinstance(plan, TimeSeriesSplit):
        plan = [next(iter(plan.split(X)))]
    check(grid(*BOTH), X, y, as_plan(plan))


def test_same_bits_for_any_number_of_threads() -> None:
    X, y = classes_of(17, rows=3000)
    weight = np.random.default_rng(3).uniform(0.1, 2.0, len(y))
    found = [sums(grid(*BOTH), X, y, KFold(5), sample_weight=weight, threads=n)[0] for n in (1, 2, 8)]
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])


def test_scores_are_taken_where_counts_do_not_serve(counted: list[bool]) -> None:
    X, y = classes_of(18)
    for models, plan in (
        (grid(*BOTH), KFold(4, repeats=2)),
        ([GaussianNB(variance_floor=v) for v in (1e-9, 0.1)], KFold(4)),
        ([GaussianClassifier("diagonal", blend=b) for b in (0.5, 1.0)], KFold(4)),
        (grid(*BOTH, before=(Standardize("range"),)), KFold(4)),
    ):
        check(models, X, y, plan)
    assert True not in counted


@pytest.mark.parametrize("width", [5, 12])
def test_models_count_alike_together_and_one_by_one(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = classes_of(width, rows=90, width=width)
    X[30:, 1] = X[30:, 0]  # singular in some training parts of a class alone
    together, _ = sums(grid(*LINES[0]), X, y, KFold(5))
    for most, size in ((1, 1), (1 << 26, 2)):
        monkeypatch.setattr(mistakes, "BYTES", most)
        monkeypatch.setattr(mistakes, "TOGETHER", size)
        apart, _ = sums(grid(*LINES[0]), X, y, KFold(5))
        assert np.array_equal(apart, together)
