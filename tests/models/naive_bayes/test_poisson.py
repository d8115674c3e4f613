"""Poisson naive Bayes: its closed form, its folds, and the tables that it is tried on."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import poisson

from assay import KFold, PoissonNB, compare, evaluate
from assay.data import Column, Schema, Table
from tests.raised import raises

RNG = np.random.default_rng(3)
Y = RNG.integers(0, 2, 120)
X = RNG.poisson(np.array([[2.0, 5.0, 1.0], [4.0, 5.0, 0.3]])[Y]).astype(np.float64)


def counts_table(values: np.ndarray) -> Table:
    schema = Schema(tuple(Column(f"n{j}", "numeric") for j in range(values.shape[1])))
    return Table(schema, {f"n{j}": values[:, j] for j in range(values.shape[1])})


def test_posteriors_are_those_of_poisson_densities() -> None:
    model = PoissonNB(smoothing=0.0).fit(X, Y)
    rates = np.stack([X[Y == k].mean(axis=0) for k in (0, 1)])
    assert model.rate_ == pytest.approx(rates)
    joint = poisson.logpmf(X[:, None], rates).sum(axis=2) + np.log(np.bincount(Y) / len(Y))
    expected = np.exp(joint - joint.max(axis=1, keepdims=True))
    assert model.predict_proba(X) == pytest.approx(expected / expected.sum(axis=1, keepdims=True))


def test_a_missing_count_is_left_out() -> None:
    gaps = X.copy()
    gaps[::4, 1] = np.nan
    model = PoissonNB(smoothing=0.0).fit(gaps, Y)
    assert model.rate_[0, 1] == pytest.approx(np.nanmean(gaps[Y == 0, 1]))
    rest = PoissonNB(smoothing=0.0).fit(X[:, [0, 2]], Y)
    assert model.predict_proba([[3.0, np.nan, 1.0]]) == pytest.approx(rest.predict_proba([[3.0, 1.0]]))


def test_folds_come_from_one_count() -> None:
    found = evaluate(PoissonNB(), X, Y, KFold(5))
    assert found.strategy == "counts"
    for train, test in KFold(5).split(X, Y):
        refit = PoissonNB().fit(X[train], Y[train])
        assert np.array_equal(found.predicted[test], refit.predict(X[test]))


def test_it_is_a_candidate_for_counts_alone() -> None:
    found = compare(
        counts_table(X), Y, plan=KFold(3), candidates={"default": None}, progress=False, budget="1m"
    )
    assert found.results["poisson_nb"].strategy == "counts"
    assert found.fit("poisson_nb").model_.rate_.shape == (2, 3)
    found = compare(
        counts_table(X + 0.5), Y, plan=KFold(3), candidates=["baseline", "poisson_nb"], progress=False
    )
    assert found.omitted["poisson_nb"].code == "M714"


def test_negative_numbers_are_refused() -> None:
    with raises("M156", value=-1.0, row=1):
        PoissonNB().fit([[1.0], [-1.0]], [0, 1])
