"""The bootstrap: unique rows, .632 and .632+ by hand, and where .632 breaks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from assay import Bootstrap, GaussianClassifier, GaussianNB, KFold, LeastSquaresClassifier, evaluate
from tests.contract.registry import blobs, shown


def test_a_replicate_holds_about_63_percent_of_the_rows() -> None:
    counts = Bootstrap(400).multiplicities(500)
    assert (counts.sum(axis=1) == 500).all()
    assert (counts > 0).mean() == pytest.approx(1 - np.exp(-1), abs=0.002)


@pytest.mark.parametrize(
    "model", [GaussianNB(), GaussianClassifier("full"), LeastSquaresClassifier()], ids=shown
)
@pytest.mark.parametrize("weighted", [False, True])
def test_estimates_by_hand(model: Any, weighted: bool) -> None:
    X, y = blobs(rows=60, seed=30)
    weight = np.random.default_rng(0).uniform(0.5, 1.5, 60) if weighted else None
    plan = Bootstrap(20, random_state=4)
    result = evaluate(model, X, y, plan, sample_weight=weight)
    wrong = np.full((20, 60), np.nan)
    for b, (drawn, left) in enumerate(plan.split(X)):
        fitted = model.fit(X[drawn], y[drawn], None if weight is None else weight[drawn])
        wrong[b, left] = fitted.predict(X[left]) != y[left]
    tested = ~np.isnan(wrong).all(axis=0)
    out_of_bag = np.average(
        np.nanmean(wrong[:, tested], axis=0), weights=None if weight is None else weight[tested]
    )
    whole = model.fit(X, y, weight)
    guess = whole.predict(X)
    train = np.average(guess != y, weights=weight)
    p = np.array([np.average(y == k, weights=weight) for k in range(3)])
    q = np.array([np.average(guess == k, weights=weight) for k in range(3)])
    chance = (p * (1 - q)).sum()
    assert result.error == pytest.approx(out_of_bag)
    assert result.training_error == pytest.approx(train)
    assert result.no_information_error == pytest.approx(chance)
    assert result.error_632 == pytest.approx(0.368 * train + 0.632 * out_of_bag)
    rate = np.clip((min(out_of_bag, chance) - train) / (chance - train), 0, 1)
    share = 0.632 / (1 - 0.368 * rate)
    assert result.error_632_plus == pytest.approx((1 - share) * train + share * min(out_of_bag, chance))


def test_one_nearest_neighbour_breaks_632_and_not_632_plus() -> None:
    """Labels that are noise: the truth is one half, and the training error of one neighbour is zero."""
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(100, 5)), np.repeat([0, 1], 50)
    result = evaluate(KNeighborsClassifier(1), X, y, Bootstrap(60))
    assert result.training_error == 0.0
    assert result.error_632 < 0.36
    assert abs(result.error_632_plus - 0.5) < 0.08


def test_other_plans_have_no_632() -> None:
    X, y = blobs()
    result = evaluate(GaussianNB(), X, y, KFold(3))
    with pytest.raises(ValueError, match="plan=Bootstrap"):
        _ = result.error_632
    with pytest.raises(ValueError, match="plan=Bootstrap"):
        _ = result.error_632_plus


def test_replicates_that_draw_every_row_test_nothing() -> None:
    """With four rows some replicates leave none out."""
    X, y = np.array([[0.0], [1.0], [5.0], [6.0]]), np.array([0, 0, 1, 1])
    plan = Bootstrap(60, random_state=1)
    kept = [(drawn, left) for drawn, left in plan.split(X) if len(set(y[drawn])) == 2]
    assert any(len(left) == 0 for _, left in kept)
    seed = next(
        s for s in range(200)
        if all(len(set(y[d])) == 2 for d, _ in Bootstrap(4, random_state=s).split(X))
        and any(len(left) == 0 for _, left in Bootstrap(4, random_state=s).split(X))
    )  # fmt: skip
    for model in (GaussianNB(), KNeighborsClassifier(1)):
        result = evaluate(model, X, y, Bootstrap(4, random_state=seed))
        assert 0.0 <= result.error_632_plus <= 1.0
        assert np.isnan(result.split_errors).any()


def test_groups_are_drawn_as_a_whole() -> None:
    X, y = blobs(rows=30)
    groups = np.arange(30) // 3
    for model in (GaussianNB(), KNeighborsClassifier(1)):
        result = evaluate(model, X, y, Bootstrap(5), groups=groups)
        assert 0.0 <= result.error_632_plus <= 1.0
        for b, (drawn, left) in enumerate(Bootstrap(5).split(X, groups=groups)):
            assert np.array_equal(result.rows[result.split == b], left)
            assert not set(groups[drawn]) & set(groups[left])
