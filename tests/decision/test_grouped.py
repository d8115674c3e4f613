"""Figures of rows that belong together: copies tell no more than one row, and intervals hold what they promise."""

from __future__ import annotations

import numpy as np
import pytest

from assay.decision import delong, effective_units, independent_rows, several, t_interval, wilson
from tests.raised import raises


def test_groups_of_one_row_are_rows() -> None:
    rng = np.random.default_rng(0)
    values, weight, names = rng.normal(size=40), rng.uniform(1, 3, 40), rng.permutation(40)
    assert several(names, 40) is None
    assert t_interval(values, weight, groups=names) == t_interval(values, weight)
    truth, scores = np.arange(40) % 2, values
    assert delong(truth, scores, weight, groups=names) == delong(truth, scores, weight)
    assert effective_units(None, names, 40) == 40.0


@pytest.mark.parametrize("weighted", [False, True])
def test_copies_say_as_much_as_one_row(weighted: bool) -> None:
    rng = np.random.default_rng(1)
    values, weight = rng.normal(size=60), rng.uniform(1, 3, 60) if weighted else None
    five, groups = np.repeat(values, 5), np.repeat(np.arange(60), 5)
    again = None if weight is None else np.repeat(weight, 5)
    once, copied = t_interval(values, weight), t_interval(five, again, groups=groups)
    assert copied.standard_error == pytest.approx(once.standard_error)
    assert copied.interval == pytest.approx(once.interval)
    assert t_interval(five, again).standard_error < 0.5 * once.standard_error
    assert effective_units(again, groups, 300) == pytest.approx(effective_units(weight, None, 60))


def test_the_area_of_copies_has_the_error_of_single_rows() -> None:
    rng = np.random.default_rng(2)
    truth = np.arange(80) % 2
    scores = truth + rng.normal(size=80)
    once = delong(truth, scores)
    copied = delong(np.repeat(truth, 4), np.repeat(scores, 4), groups=np.repeat(np.arange(80), 4))
    assert copied.value == pytest.approx(once.value)
    assert copied.standard_error == pytest.approx(once.standard_error, rel=0.02)


def test_shares_that_do_not_vary_count_groups() -> None:
    right, groups = np.zeros(200), np.repeat(np.arange(20), 10)
    assert independent_rows(right, None, groups, 200.0) < 20.0
    spread = np.tile(np.arange(10) < 3, 20).astype(float)  # every group has three of ten: nothing is shared
    assert independent_rows(spread, None, groups, 200.0) == 200.0


def test_a_single_group_says_nothing_of_others() -> None:
    values, groups = np.array([0.1, 0.5, 0.2]), np.zeros(3, dtype=int)
    found = t_interval(values, groups=groups)
    assert np.isnan(found.standard_error) and found.interval == (-np.inf, np.inf)
    assert independent_rows(np.array([0.0, 1.0, 0.0]), None, groups, 3.0) == 1.0
    assert delong([0, 1, 0, 1], [0.1, 0.4, 0.5, 0.9], groups=[0, 0, 0, 0]).interval == (0.0, 1.0)


def test_groups_of_another_length_are_refused() -> None:
    with raises("L004", n_rows=3):
        t_interval([1.0, 2.0, 3.0], groups=[0, 1])


def test_intervals_of_an_error_cover_it_where_rows_of_a_group_are_alike() -> None:
    """Error 0.3, groups of ten rows with shares of their own: nine tenths of the intervals over rows would miss it less
    often than promised, those over groups keep the promise."""
    rng = np.random.default_rng(3)
    over_groups, over_rows = 0, 0
    for _ in range(400):
        shares = rng.beta(0.9, 2.1, 40)
        wrong = (rng.random((40, 10)) < shares[:, None]).astype(float).ravel()
        size = independent_rows(wrong, None, np.repeat(np.arange(40), 10), 400.0)
        low, high = wilson(wrong.mean() * size, size)
        over_groups += low <= 0.3 <= high
        low, high = wilson(wrong.sum(), 400)
        over_rows += low <= 0.3 <= high
    assert over_groups >= 0.92 * 400
    assert over_rows < 0.8 * 400
