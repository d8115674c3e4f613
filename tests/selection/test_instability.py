"""What intervals of nested estimates count: by pairs of folds, by repeats, and where neither shows anything."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay import GaussianNB, HoldOut, KFold, KNeighborsClassifier, nested
from assay.decision import NOT_SEEN, variance_between, wilson
from tests.contract.registry import blobs
from tests.raised import raises

SETTINGS = {"n_neighbors": [1, 5, 15]}


def noise(n: int = 120) -> tuple[Any, Any]:
    generator = np.random.default_rng(3)
    return generator.normal(size=(n, 4)), generator.integers(0, 2, n)


def test_noise_is_unstable_and_a_clear_case_is_not() -> None:
    unclear = nested(KNeighborsClassifier(), *noise(), **SETTINGS).evaluation
    X, y = blobs(120, 3, 2)
    clear = nested(GaussianNB(), X + 20.0 * y[:, None], y, variance_floor=[0.0, 0.1]).evaluation
    assert unclear.variance_factor() > 1.3 and clear.variance_factor() == 1.0
    low, high = unclear.error_interval
    inside = unclear.interval("error", method="wilson")
    assert low < inside.low < inside.high < high
    assert inside == wilson(unclear.error * 120, 120)
    assert unclear.interval("error") == unclear.error_interval


def test_other_measures_are_widened_too() -> None:
    result = nested(KNeighborsClassifier(), *noise(), **SETTINGS).evaluation
    for measure in ("loss", "brier", "auc"):
        low, high = result.interval(measure)
        rows = result.interval(measure, method="wilson")
        assert low < rows.low and rows.high < high, measure
    half = {m: np.ptp(result.interval("auc", method=m)) for m in ("effective", "wilson")}
    assert half["effective"] == pytest.approx(half["wilson"] * np.sqrt(result.variance_factor("auc")))
    assert result.variance_factor("auc") == result.variance_factor("f1") == result.variance_factor()


def test_repeats_show_how_much_a_row_varies() -> None:
    result = nested(KNeighborsClassifier(), *noise(), plan=KFold(5, repeats=4), **SETTINGS).evaluation
    assert result.instability is not None and result.instability.kappa == 0.75 + 1.5 / 4
    of_rows = result.wrong[np.argsort(result.rows, kind="stable")].reshape(120, 4)
    p = of_rows.mean(axis=1)
    assert result.instability.variance["error"] == pytest.approx(4 / 3 * (p * (1 - p)).mean())
    assert result.instability.variance["error"] == variance_between(of_rows)


@pytest.mark.parametrize(
    ("plan", "expected"), [(KFold(2), NOT_SEEN), (KFold(12), NOT_SEEN), (HoldOut(0.3), None)]
)
def test_other_plans(plan: Any, expected: Any) -> None:
    result = nested(KNeighborsClassifier(), *noise(), plan=plan, **SETTINGS).evaluation
    assert result.instability == expected
    if expected is None:
        assert result.error_interval == result.interval("error", method="wilson")


def test_groups_and_weights_are_units() -> None:
    X, y = noise(60)
    plan = KFold(10, stratified="rare")
    once = nested(KNeighborsClassifier(), X, y, n_neighbors=[3], plan=plan).evaluation
    doubled = nested(
        KNeighborsClassifier(), X, y, n_neighbors=[3], plan=plan, sample_weight=np.full(60, 2.0)
    ).evaluation
    assert doubled.error_interval.high - doubled.error_interval.low > 0.9 * np.ptp(once.error_interval)
    members = np.repeat(np.arange(30), 2)
    grouped = nested(KNeighborsClassifier(), X, y, n_neighbors=[3], plan=plan, groups=members).evaluation
    assert grouped.instability is not None and grouped.instability.kappa == 2.25


def test_a_method_that_there_is_not() -> None:
    result = nested(GaussianNB(), *noise(), variance_floor=[0.1]).evaluation
    with raises("S150", method="exact"):
        result.interval("error", method="exact")
