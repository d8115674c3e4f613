"""Expanding windows: nothing is tested by a model of later rows, at any depth."""

from __future__ import annotations

import numpy as np
import pytest

from assay import GaussianNB, TimeSeries, evaluate, nested, tune
from assay.sharing.splits import deeper_of, splits_of
from tests.raised import raises


def series(n: int = 90) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(0)
    y = np.arange(n) % 2
    return generator.normal(size=(n, 3)) + y[:, None], y


def test_windows_expand() -> None:
    pairs = list(TimeSeries(3, gap=2).split(np.zeros((11, 1))))
    assert [test.tolist() for _, test in pairs] == [[5, 6], [7, 8], [9, 10]]
    assert [train.tolist() for train, _ in pairs] == [list(range(3)), list(range(5)), list(range(7))]
    assert TimeSeries(3).get_n_splits() == 3 and TimeSeries(3, gap=2).option == "time:3:2"


@pytest.mark.parametrize("gap", [0, 1, 4, 5])
def test_every_model_is_trained_on_rows_before_the_gap(gap: int) -> None:
    _, y = series()
    splits = deeper_of(splits_of(TimeSeries(4, gap=gap), y.astype(np.int32), nested=True))
    inner = 0
    for t in range(splits.n_tests):
        test, train = splits.test_rows(t), splits.train_rows(int(splits.model[t]))
        assert len(train) and train.max() < test.min() - gap
        inner += splits.parent[t] >= 0
        if splits.parent[t] >= 0:  # inside the training set of the model that it is for
            assert set(test) | set(train) <= set(splits.train_rows(int(splits.parent[t])))
            assert set(train) == set(range(test.min() - gap))
    assert inner == 4 * 5


@pytest.mark.parametrize("gap", [0, 3])
def test_shared_folds_equal_refits(gap: int) -> None:
    X, y = series()
    plan = TimeSeries(4, gap=gap)
    result = evaluate(GaussianNB(), X, y, plan)
    for f, (train, test) in enumerate(plan.split(X, y)):
        refit = GaussianNB().fit(X[train], y[train])
        np.testing.assert_array_equal(result.predicted[result.split == f], refit.predict(X[test]))
    chosen = nested(GaussianNB(), X, y, plan=plan, variance_floor=[0.01, 1.0], metric="mcc")
    assert chosen.inner.shape == (4, 2) and np.isfinite(chosen.standard_errors).all()
    tuned = tune(GaussianNB(), X, y, plan=plan, variance_floor=[0.01, 1.0], metric="mcc")
    np.testing.assert_allclose(chosen.losses, tuned.losses)


def test_a_group_that_was_trained_on_is_not_tested() -> None:
    groups = np.repeat(np.arange(10), 3)
    for train, test in TimeSeries(3).split(np.zeros((30, 1)), groups=groups):
        assert not set(groups[train]) & set(groups[test])


def test_bad_input() -> None:
    with raises("S039", name="n_splits"):
        TimeSeries(0)
    with raises("S039", name="gap"):
        TimeSeries(3, gap=-1)
    with raises("S303", n_splits=5, n_rows=5):
        TimeSeries(5).partitions(np.zeros(5, dtype=int))
    with raises("S303", gap=40):
        TimeSeries(5, gap=40).partitions(np.zeros(60, dtype=int))
    with raises("S304"):
        TimeSeries(2).partitions(np.zeros(9, dtype=int), np.zeros(9, dtype=int))
