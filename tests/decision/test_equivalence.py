"""The posterior of a difference: three probabilities."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from assay.decision import corrected_resampled_t, practical
from tests.raised import raises

differences = st.lists(st.floats(-0.5, 0.5), min_size=2, max_size=30)


@given(differences, st.floats(0, 0.3))
def test_they_are_the_areas_of_the_corrected_t(found: list[float], margin: float) -> None:
    test = corrected_resampled_t(found, 90, 10)
    three = practical(test.mean, test.standard_error, len(found) - 1, margin)
    assert sum(three[:3]) == pytest.approx(1.0)
    assert all(0.0 <= p <= 1.0 for p in three[:3])
    if test.standard_error > 1e-12:
        law = stats.t(len(found) - 1, loc=test.mean, scale=test.standard_error)
        assert three.below == pytest.approx(law.cdf(-margin), abs=1e-9)
        assert three.above == pytest.approx(law.sf(margin), abs=1e-9)


def test_no_margin_leaves_two_sides() -> None:
    """Without a region, P(above) is one minus the one-sided p-value."""
    test = corrected_resampled_t([0.1, 0.2, 0.3], 90, 10)
    three = practical(test.mean, test.standard_error, 2, 0.0)
    assert three.within == pytest.approx(0.0, abs=1e-15)
    assert three.above == pytest.approx(1 - test.p_value / 2)


def test_equal_differences_are_certain() -> None:
    assert practical(0.0, 0.0, 9, 0.01)[:3] == (0.0, 1.0, 0.0)
    assert practical(-0.02, 0.0, 9, 0.01)[:3] == (1.0, 0.0, 0.0)


@pytest.mark.parametrize("margin", [-0.1, float("nan"), float("inf")])
def test_a_margin_is_a_size(margin: float) -> None:
    with raises("L003"):
        practical(0.0, 0.1, 9, margin)
