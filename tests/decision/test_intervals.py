"""Intervals against published figures, definitions by brute force, and simulated coverage."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from assay.decision import (
    auc,
    corrected_resampled_t,
    delong,
    effective_size,
    t_interval,
    wilson,
)
from tests.raised import Expected, raises

FloatArray = npt.NDArray[np.float64]


@pytest.mark.parametrize(
    ("errors", "n", "low", "high"),
    # Newcombe, Statistics in Medicine 17 (1998), table I, score method without continuity correction.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_published(errors: int, n: int, low: float, high: float) -> None:
    assert wilson(errors, n) == pytest.approx((low, high), abs=5e-5)
    mirrored = wilson(n - errors, n)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=5e-5)


@settings(deadline=None)
@given(st.floats(0, 1), st.floats(1, 1e6), st.floats(0.5, 0.999))
def test_wilson_ends_solve_the_score_equation(share: float, n: float, level: float) -> None:
    interval = wilson(share * n, n, level)
    z = stats.norm.ppf(0.5 + level / 2)
    share = share * n / n
    assert 0 <= interval.low <= share <= interval.high <= 1 or np.isclose(share, interval, atol=1e-12).any()
    for end in interval:
        assert (share - end) ** 2 == pytest.approx(z**2 * end * (1 - end) / n, abs=1e-10)


def test_wilson_covers() -> None:
    rng = np.random.default_rng(1)
    for n, p in [(50, 0.1), (100, 0.3), (200, 0.02), (1000, 0.15)]:
        errors = rng.binomial(n, p, size=4000)
        interval = {int(e): wilson(int(e), n) for e in np.unique(errors)}
        covered = np.mean([interval[int(e)].low <= p <= interval[int(e)].high for e in errors])
        assert 0.92 <= covered <= 0.99


def test_t_interval_matches_the_textbook() -> None:
    values = np.random.default_rng(0).exponential(size=37)
    estimate = t_interval(values, level=0.9)
    assert estimate.value == pytest.approx(values.mean())
    assert estimate.standard_error == pytest.approx(stats.sem(values))
    assert estimate.interval == pytest.approx(stats.t.interval(0.9, 36, values.mean(), stats.sem(values)))


def test_t_interval_covers_mean_log_loss() -> None:
    rng = np.random.default_rng(2)

    # Log losses of two overlapping Gaussians: skewed, all above 0.
    def losses(n: int) -> FloatArray:
        y = rng.integers(0, 2, n)
        margin = (2 * y - 1) * (2 * rng.normal(2.0 * y - 1.0, 1.0))
        result: FloatArray = np.log1p(np.exp(-margin))
        return result

    truth = losses(2_000_000).mean()
    hits = []
    for _ in range(2000):
        low, high = t_interval(losses(150)).interval
        hits.append(low <= truth <= high)
    assert 0.92 <= np.mean(hits) <= 0.98


def test_t_interval_with_weights() -> None:
    values = [1.0, 2.0, 4.0, 8.0]
    plain = t_interval(values)
    for factor in (2, 0.01, 1e200):
        scaled = t_interval(values, np.full(4, factor))
        assert scaled.value == pytest.approx(plain.value)
        assert scaled.standard_error == pytest.approx(plain.standard_error)
        assert scaled.interval == pytest.approx(plain.interval)
    dropped = t_interval([*values, 1e9], [1, 1, 1, 1, 0])
    assert dropped.interval == pytest.approx(plain.interval)
    assert effective_size([1, 1, 2]) == pytest.approx(16 / 6)


def test_t_interval_with_weights_covers() -> None:
    rng = np.random.default_rng(4)
    hits = []
    for _ in range(2000):
        low, high = t_interval(rng.normal(size=80), rng.uniform(0.2, 2, size=80)).interval
        hits.append(low <= 0 <= high)
    assert 0.92 <= np.mean(hits) <= 0.98


def test_t_interval_of_huge_and_of_equal_values() -> None:
    huge = t_interval([1e300, 0.0, 5e299])
    small = t_interval([1.0, 0.0, 0.5])
    assert huge.standard_error == pytest.approx(1e300 * small.standard_error)
    assert t_interval([0.25, 0.25, 0.25]) == (0.25, 0.0, (0.25, 0.25))


def delong_by_definition(positive: npt.NDArray[np.bool_], score: FloatArray) -> tuple[float, float]:
    """Area and variance from all m x n pairs."""
    above = score[positive][:, None] - score[~positive][None, :]
    kernel = (above > 0) + 0.5 * (above == 0)
    m, n = kernel.shape
    v10, v01 = kernel.mean(axis=1), kernel.mean(axis=0)
    return float(kernel.mean()), float(v10.var(ddof=1) / m + v01.var(ddof=1) / n)


@settings(deadline=None)
@given(st.lists(st.integers(0, 8), min_size=4, max_size=40), st.randoms(use_true_random=False))
def test_delong_is_its_definition(scores: list[int], random: Any) -> None:
    codes = np.array([0, 0, 1, 1] + [random.randint(0, 1) for _ in scores[4:]])
    score = np.array(scores, dtype=np.float64)
    area, variance = delong_by_definition(codes == 1, score)
    estimate = delong(codes, score)
    assert estimate.value == pytest.approx(area, abs=1e-12)
    assert estimate.standard_error**2 == pytest.approx(variance, abs=1e-12)
    z = stats.norm.ppf(0.975)
    reach = z * np.sqrt(variance)
    assert estimate.interval == pytest.approx((max(area - reach, 0), min(area + reach, 1)), abs=1e-9)
    both = delong(codes, np.column_stack([-score, score]))
    assert both == estimate
    assert delong(codes, score, np.full(len(codes), 3.0)).standard_error == pytest.approx(
        estimate.standard_error, abs=1e-12
    )


def test_delong_covers() -> None:
    rng = np.random.default_rng(7)
    truth = float(stats.norm.cdf(1 / np.sqrt(2)))
    codes = np.repeat([0, 1], [60, 40])
    hits = []
    for _ in range(1500):
        low, high = delong(codes, rng.normal(size=100) + codes).interval
        hits.append(low <= truth <= high)
    assert 0.92 <= np.mean(hits) <= 0.98


def test_delong_of_many_classes_has_the_spread_of_the_mean_area() -> None:
    rng = np.random.default_rng(8)
    codes = np.repeat([0, 1, 2], [50, 40, 60])
    areas, errors = [], []
    for _ in range(800):
        scores = rng.normal(size=(150, 3)) + 1.2 * np.eye(3)[codes]
        estimate = delong(codes, scores)
        assert estimate.value == pytest.approx(auc(codes, scores))
        areas.append(estimate.value)
        errors.append(estimate.standard_error)
    assert np.mean(errors) == pytest.approx(np.std(areas), rel=0.08)


def test_delong_of_perfect_order() -> None:
    assert delong([0, 0, 1, 1], [0.1, 0.2, 0.3, 0.4]) == (1.0, 0.0, (1.0, 1.0))


def test_corrected_resampled_t_by_hand() -> None:
    differences = np.array([0.02, 0.05, -0.01, 0.04, 0.03])
    test = corrected_resampled_t(differences, n_train=90, n_test=10)
    s2 = differences.var(ddof=1)
    error = np.sqrt((1 / 5 + 1 / 9) * s2)
    assert test.standard_error == pytest.approx(error)
    assert test.t == pytest.approx(0.026 / error)
    assert test.p_value == pytest.approx(2 * stats.t.sf(0.026 / error, 4))
    assert test.interval == pytest.approx(stats.t.interval(0.95, 4, 0.026, error))
    mirrored = corrected_resampled_t(-differences, 90, 10)
    assert (mirrored.t, mirrored.p_value) == pytest.approx((-test.t, test.p_value))
    # Without test rows beside it, the correction vanishes and the ordinary test is left.
    plain = stats.ttest_1samp(differences, 0)
    assert corrected_resampled_t(differences, 1e15, 1).t == pytest.approx(plain.statistic)


def test_corrected_resampled_t_without_spread() -> None:
    assert corrected_resampled_t([0, 0, 0], 9, 1) == (0.0, 0.0, 0.0, 1.0, (0.0, 0.0))
    same = corrected_resampled_t([-0.1, -0.1, -0.1], 9, 1)
    assert same.t == -np.inf and same.p_value == 0
    assert same.interval == pytest.approx((-0.1, -0.1))


BAD: dict[str, tuple[Any, Expected]] = {
    "no rows": (lambda: wilson(0, 0), Expected("L005", n=0)),
    "too many errors": (lambda: wilson(3, 2), Expected("L006", errors=3)),
    "nan errors": (lambda: wilson(float("nan"), 2), Expected("L006")),
    "level": (lambda: wilson(1, 2, 95), Expected("L010", confidence=95)),
    "one value": (lambda: t_interval([1.0]), Expected("L007")),
    "no value": (lambda: t_interval([]), Expected("L011")),
    "nan value": (lambda: t_interval([1.0, np.nan]), Expected("L012", row=1, name="values")),
    "one weight": (lambda: t_interval([1.0, 2.0], [1, 0]), Expected("L007")),
    "one positive": (lambda: delong([0, 0, 1], [1.0, 2.0, 3.0]), Expected("L013", class_code=1)),
    "one class": (lambda: delong([0, 0, 0], [1.0, 2.0, 3.0]), Expected("L046", label=0)),
    "one split": (lambda: corrected_resampled_t([0.1], 9, 1), Expected("L008")),
    "no test rows": (lambda: corrected_resampled_t([0.1, 0.2], 9, 0), Expected("L009", n_test=0)),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_sentence(case: str) -> None:
    call, expected = BAD[case]
    with raises(expected) as raised:
        call()
    assert "\n" not in str(raised.value) and str(raised.value).endswith(".")
