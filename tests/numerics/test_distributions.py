"""Distributions of counts: SciPy's, sums of 1, worked numbers, and n of any size."""

from __future__ import annotations

from itertools import product
from math import comb, lgamma, log

import numpy as np
import pytest
from scipy import stats

from assay.numerics.distributions import (
    log_bernoulli,
    log_binomial,
    log_multinomial,
    log_multinomial_coefficient,
)
from tests.raised import Expected, raises


def test_hello_has_sixty_orders() -> None:
    word = "hello"
    counts = [word.count(letter) for letter in sorted(set(word))]
    assert np.exp(log_multinomial_coefficient(counts)) == pytest.approx(60.0)


def test_equal_to_scipy() -> None:
    k, n, p = np.arange(21)[:, None], 20, np.array([0.01, 0.3, 0.999])
    np.testing.assert_allclose(log_binomial(k, n, p), stats.binom.logpmf(k, n, p), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(
        log_bernoulli([[0], [1]], p), stats.bernoulli.logpmf([[0], [1]], p), rtol=1e-12
    )
    shares = np.array([0.2, 0.5, 0.3])
    for counts in ([0, 0, 0], [1, 2, 3], [40, 0, 7]):
        expected = stats.multinomial.logpmf(counts, sum(counts), shares)
        assert log_multinomial(counts, shares) == pytest.approx(expected, rel=1e-10, abs=1e-12)


def test_large_numbers_are_exact_to_the_digits_of_a_float() -> None:
    n = 10**6
    assert log_binomial(n // 2, n, 0.5) == pytest.approx(log(comb(n, n // 2)) - n * log(2), rel=1e-6)
    big = 10**12
    expected = lgamma(2 * big + 1) - 2 * lgamma(big + 1)
    assert log_multinomial_coefficient([big, big]) == pytest.approx(expected, rel=1e-12)
    assert np.isfinite(log_multinomial([big, big], [0.5, 0.5]))


def test_all_outcomes_sum_to_one() -> None:
    shares = np.array([0.1, 0.6, 0.3])
    outcomes = [c for c in product(range(6), repeat=3) if sum(c) == 5]
    assert np.exp(log_multinomial(outcomes, shares)).sum() == pytest.approx(1.0)
    assert np.exp(log_binomial(np.arange(8), 7, 0.2)).sum() == pytest.approx(1.0)


def test_what_cannot_be_is_minus_infinity() -> None:
    assert log_binomial(3, 2, 0.5) == -np.inf
    assert log_bernoulli(1, 0.0) == -np.inf and log_bernoulli(0, 0.0) == 0.0
    assert log_multinomial([1, 0], [0.0, 1.0]) == -np.inf
    assert log_multinomial([0, 2], [0.0, 1.0]) == 0.0


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: log_multinomial_coefficient([1, -2]), Expected("N014", name="counts", value=-2.0)),
        (lambda: log_multinomial([0.5, 1], [0.5, 0.5]), Expected("N014", name="counts", value=0.5)),
        (lambda: log_multinomial([1, 1], [0.5, 0.6]), Expected("N013", total=1.1)),
        (lambda: log_binomial(1, 2, 1.5), Expected("N015", value=1.5)),
        (lambda: log_binomial(1, np.nan, 0.5), Expected("N014", name="n")),
        (lambda: log_bernoulli(2, 0.5), Expected("N012", value=2.0)),
    ],
)
def test_bad_input_is_one_sentence(call: object, expected: Expected) -> None:
    with raises(expected):
        call()  # type: ignore[operator]
