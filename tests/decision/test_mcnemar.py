"""McNemar's test against published tables and SciPy's binomial test."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from assay.decision import mcnemar
from tests.raised import raises


@pytest.mark.parametrize(
    ("one", "other", "chi_square", "p_value"),
    [
        (150, 86, 17.3559, 3.716e-5),  # Agresti, Categorical Data Analysis, 10.1
        (121, 59, 21.3556, 4.434e-6),  # a treatment and a disease, before and after
        (
            6,
            16,
            4.5455,
            0.052479,
        ),  # Fleiss, Statistical Methods for Rates and Proportions: small counts are exact
    ],
)
def test_published_tables(one: int, other: int, chi_square: float, p_value: float) -> None:
    test = mcnemar(one, other)
    assert test.chi_square == pytest.approx(chi_square, abs=1e-4)
    assert test.p_value == pytest.approx(p_value, rel=1e-3)


@given(st.integers(0, 3000), st.integers(0, 3000))
def test_it_is_the_two_sided_binomial_test(one: int, other: int) -> None:
    test = mcnemar(one, other)
    expected = stats.binomtest(one, one + other, 0.5).pvalue if one + other else 1.0
    assert test.p_value == pytest.approx(expected, rel=1e-9)
    assert mcnemar(other, one).p_value == test.p_value
    assert np.isfinite(test.chi_square)


@pytest.mark.parametrize("bad", [-1, 0.5])
def test_counts_are_whole(bad: float) -> None:
    with raises("L034", name="one_alone"):
        mcnemar(bad, 3)  # type: ignore[arg-type]
