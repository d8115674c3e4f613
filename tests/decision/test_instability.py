"""The recipe of the interval: what the variance between training sets adds, for rows, weights and groups."""

from __future__ import annotations

import numpy as np
import pytest

from assay.decision import (
    NOT_SEEN,
    Instability,
    error_spread,
    kappa_of_repeats,
    t_interval,
    unstable_wilson,
    variance_between,
    widened,
    wilson,
)


def test_a_stable_procedure_has_wilsons_interval() -> None:
    assert unstable_wilson(0.2, 50, Instability(2.25, {"error": 0.0})) == wilson(10, 50)


@pytest.mark.parametrize("error", [0.0, 0.1, 0.5, 1.0])
def test_the_recipe_as_it_is_written(error: float) -> None:
    n, u, kappa = 120, 0.03, 2.25
    s = (n * error + 1) / (n + 2)
    n_eff = n / (1 + kappa * u / (s * (1 - s)))
    assert unstable_wilson(error, n, Instability(kappa, {"error": u})) == wilson(error * n_eff, n_eff)


def test_where_nothing_is_seen_there_are_fewer_rows() -> None:
    assert unstable_wilson(0.25, 160, NOT_SEEN) == wilson(25, 100)
    assert NOT_SEEN.factor("log_loss", 0.0) == 1.6


def test_one_repeat_counts_as_pairs_do() -> None:
    assert [kappa_of_repeats(repeats) for repeats in (1, 2, 10)] == [2.25, 1.5, 0.9]


def test_the_variance_of_mistakes_is_that_of_the_share() -> None:
    losses = (np.arange(90).reshape(10, 9) % 7 < 3).astype(float)
    p = losses.mean(axis=1)
    assert variance_between(losses) == pytest.approx(9 / 8 * (p * (1 - p)).mean())


def test_weights_weigh_the_rows_whatever_their_scale() -> None:
    losses = np.random.default_rng(0).random((5, 9))
    weight = np.array([1.0, 2.0, 0.0, 1.0, 3.0])
    rows = np.repeat(np.arange(5), weight.astype(int))
    assert variance_between(losses, weight) == pytest.approx(variance_between(losses[rows]))
    assert variance_between(losses, 10 * weight) == pytest.approx(variance_between(losses, weight))


def test_copies_in_groups_bring_no_new_information() -> None:
    losses = (np.random.default_rng(1).random((40, 9)) < 0.4).astype(float)
    groups = np.repeat(np.arange(40), 3)
    copied = variance_between(np.repeat(losses, 3, axis=0), None, groups)
    assert copied == pytest.approx(variance_between(losses))


def test_rows_of_a_group_that_change_together_count_as_one() -> None:
    """Rows that are independent but for the training set: a group is as unstable as each of its rows."""
    generator = np.random.default_rng(2)
    level = generator.random((200, 5, 1))
    together = level + 0.1 * generator.normal(size=(200, 1, 9))
    alone = level + 0.1 * generator.normal(size=(200, 5, 9))
    groups = np.repeat(np.arange(200), 5)
    of_groups, of_rows = (variance_between(x.reshape(1000, 9), None, groups) for x in (together, alone))
    assert of_groups == pytest.approx(5 * of_rows, rel=0.3)
    assert of_rows == pytest.approx(variance_between(alone.reshape(1000, 9)), rel=0.3)


def test_no_error_leaves_a_variance() -> None:
    assert error_spread(0.0, 98) == pytest.approx(0.01 * 0.99)
    assert error_spread(1.0, 98) == pytest.approx(0.01 * 0.99)


def test_an_estimate_is_widened_about_its_value() -> None:
    estimate = t_interval([1.0, 2.0, 4.0, 9.0])
    low, high = widened(estimate, 4.0)
    assert high - estimate.value == pytest.approx(2 * (estimate.interval.high - estimate.value))
    assert estimate.value - low == pytest.approx(high - estimate.value)
