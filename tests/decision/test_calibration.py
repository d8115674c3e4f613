"""Calibration tables by hand, by brute force, and on posteriors that are right or wrong by construction."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.decision import calibration_table, wilson
from tests.raised import raises


def test_confidence_by_hand() -> None:
    posterior = [[0.95, 0.05], [0.92, 0.08], [0.1, 0.9], [0.7, 0.3], [0.55, 0.45]]
    table = calibration_table([0, 1, 1, 0, 1], posterior)
    np.testing.assert_allclose(table.lower, [0.5, 0.7, 0.9])
    np.testing.assert_allclose(table.upper, [0.6, 0.8, 1.0])
    np.testing.assert_array_equal(table.count, [1, 1, 3])
    np.testing.assert_allclose(table.mean_predicted, [0.55, 0.7, (0.95 + 0.92 + 0.9) / 3])
    np.testing.assert_allclose(table.observed, [0, 1, 2 / 3])
    assert (table.low[2], table.high[2]) == pytest.approx(wilson(2, 3))
    assert (table.low[0], table.high[1]) == (0.0, 1.0)
    gap = 0.55 * 1 + 0.3 * 1 + abs(2 / 3 - (0.95 + 0.92 + 0.9) / 3) * 3
    assert table.expected_error == pytest.approx(gap / 5)
    last = table.rows[2]
    assert (last.lower, last.upper, last.count) == (0.9, 1.0, 3.0)


def test_one_class_by_hand() -> None:
    table = calibration_table([0, 1, 1], [[1.0, 0.0], [0.0, 1.0], [0.6, 0.4]], bins=5, of=1)
    np.testing.assert_allclose(table.lower, [0, 0.4, 0.8])
    np.testing.assert_allclose(table.observed, [0, 1, 1])
    np.testing.assert_allclose(table.mean_predicted, [0, 0.4, 1])


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.sampled_from([None, 0, 2]))
def test_weight_is_repetition_and_bins_are_what_they_say(seed: int, bins: int, of: int | None) -> None:
    rng = np.random.default_rng(seed)
    posterior = rng.dirichlet(np.ones(3), size=30).round(1)
    posterior[:, 2] = 1 - posterior[:, 0] - posterior[:, 1]
    posterior = np.abs(posterior)
    posterior /= posterior.sum(axis=1, keepdims=True)
    codes = rng.integers(0, 3, 30)
    weight = rng.integers(1, 4, 30)
    table = calibration_table(codes, posterior, bins, of=of, weight=weight)
    again = calibration_table(np.repeat(codes, weight), np.repeat(posterior, weight, axis=0), bins, of=of)
    for name in ("lower", "upper", "count", "mean_predicted", "observed"):
        np.testing.assert_allclose(getattr(table, name), getattr(again, name), atol=1e-12)
    assert table.expected_error == pytest.approx(again.expected_error, abs=1e-12)
    predicted = posterior.max(axis=1) if of is None else posterior[:, of]
    happened = codes == (posterior.argmax(axis=1) if of is None else of)
    for line in table.rows:
        inside = (predicted >= line.lower) & ((predicted < line.upper) | (line.upper == 1.0))
        assert line.count == weight[inside].sum()
        assert line.observed == pytest.approx(np.average(happened[inside], weights=weight[inside]))
        assert line.low <= line.observed <= line.high
    assert table.count.sum() == weight.sum()


def test_a_true_posterior_is_calibrated_and_a_sharpened_one_is_not() -> None:
    rng = np.random.default_rng(11)
    posterior = rng.dirichlet([1, 1, 1], size=60_000)
    codes = np.minimum((posterior.cumsum(axis=1) < rng.random((60_000, 1))).sum(axis=1), 2)
    honest = calibration_table(codes, posterior)
    assert honest.expected_error < 0.01
    inside = (honest.low <= honest.mean_predicted) & (honest.mean_predicted <= honest.high)
    assert inside.sum() >= len(inside) - 1
    sharp = posterior**4
    sharp /= sharp.sum(axis=1, keepdims=True)
    boasting = calibration_table(codes, sharp)
    assert boasting.expected_error > 0.1
    assert (boasting.observed[-1] < boasting.mean_predicted[-1]) and (boasting.high[-1] < 0.95)


def test_scale_of_weights_does_not_matter() -> None:
    posterior, codes = [[0.9, 0.1], [0.8, 0.2], [0.85, 0.15]], [0, 1, 0]
    plain = calibration_table(codes, posterior, bins=2)
    for factor in (1e-200, 1e200):
        scaled = calibration_table(codes, posterior, bins=2, weight=np.full(3, factor))
        np.testing.assert_allclose(scaled.low, plain.low)
        np.testing.assert_allclose(scaled.observed, plain.observed)
        assert scaled.expected_error == pytest.approx(plain.expected_error)


def test_bad_input_is_one_sentence() -> None:
    posterior = [[0.5, 0.5]]
    for bins in (0, 2.5, True):
        with raises("L001"):
            calibration_table([0], posterior, bins)  # type: ignore[arg-type]
    with raises("L002", class_code=2):
        calibration_table([0], posterior, of=2)
    with raises("L010", confidence=2):
        calibration_table([0], posterior, level=2)
