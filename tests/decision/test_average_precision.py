"""Average precision against scikit-learn, and what rows add to it against differences."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from assay.decision.average_precision import average_precision

theirs: Any = import_module("sklearn.metrics")


def scored(weighted: bool) -> tuple[Any, Any, Any]:
    generator = np.random.default_rng(3)
    positive = generator.random(120) < 0.2
    score = np.round(generator.normal(size=120) + positive, 1)  # with ties
    return positive, score, generator.uniform(0.1, 3.0, 120) if weighted else None


@pytest.mark.parametrize("weighted", [False, True])
def test_it_is_scikit_learns(weighted: bool) -> None:
    positive, score, weight = scored(weighted)
    expected = theirs.average_precision_score(positive, score, sample_weight=weight)
    assert average_precision(positive, score, weight).value == pytest.approx(expected, abs=1e-12)


def test_influences_are_derivatives_by_the_weight_of_a_row() -> None:
    positive, score, weight = scored(True)
    shares, step = weight / weight.sum(), 1e-6
    influence = average_precision(positive, score, weight).influence
    assert shares @ influence == pytest.approx(0.0, abs=1e-12)
    for row in range(0, 120, 7):
        change = np.zeros(120)
        change[row] = step
        up, down = (average_precision(positive, score, shares + sign * change).value for sign in (1, -1))
        assert influence[row] == pytest.approx((up - down) / (2 * step), abs=1e-6)


def test_without_positive_rows_there_is_none() -> None:
    assert np.isnan(average_precision(np.zeros(3, dtype=bool), np.arange(3.0)).value)


def test_rows_of_weight_zero_do_not_count() -> None:
    positive, score, _ = scored(False)
    weight = (np.arange(120) < 60).astype(float)
    half = average_precision(positive[:60], score[:60])
    assert average_precision(positive, score, weight).value == pytest.approx(half.value)
