"""Grids of Gaussian settings: their mistakes are those of fits."""

from __future__ import annotations

from importlib import import_module
from itertools import product
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from assay import GaussianClassifier, KFold, nested, tune
from tests.nesting import nest
from tests.raised import raises

Array = np.ndarray


BOTH = ((0.0, 0.3, 1.0), (0.0, 0.2, 1.0))


def classes_of(seed: int, rows: int = 400, width: int = 5, classes: int = 3) -> tuple[Array, Array]:
    """Overlapping classes, each with a covariance of its own."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, rows)
    maps = np.eye(width) + 0.5 * rng.normal(size=(classes, width, width)) / np.sqrt(width)
    means = rng.normal(size=(classes, width))
    return np.einsum("nd,nde->ne", rng.normal(size=(rows, width)), maps[y]) + means[y], y


def grid(blends: Any, shrinkages: Any) -> list[Any]:
    return [GaussianClassifier(blend=b, shrinkage=s) for b, s in product(blends, shrinkages)]


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


def test_rows_beyond_all_numbers_are_told() -> None:
    X, y = classes_of(19)
    X[5] = 1e300
    with raises("N700"):
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
    asked: list[int] = []
    training = import_module("assay.sharing.moments.training")
    plain = training.collect
    monkeypatch.setattr(
        training, "collect", lambda *args, **options: asked.append(1) or plain(*args, **options)
    )
    nest("m", grid(*BOTH), *classes_of(3), KFold(4), progress=False)
    assert asked == [1]
