"""Penalties to tune over: their units, and what is not a range."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from assay import (
    KFold,
    LogisticRegression,
    OneHot,
    Standardize,
    path,
    tune,
)
from tests.raised import raises

PLAN = KFold(5, random_state=0)


def test_penalties_are_measured_by_the_columns() -> None:
    X, y = load_iris(return_X_y=True)
    small, large = (tune(LogisticRegression(), X * s, y, l2=path(4), plan=PLAN) for s in (1e-3, 1e3))
    ratio = large.settings[0]["l2"] / small.settings[0]["l2"]
    assert ratio == pytest.approx(1e12)
    np.testing.assert_array_equal(small.errors, large.errors)


@pytest.mark.parametrize(
    ("n", "options"), [(0, {}), (2.5, {}), (True, {}), (3, {"most": 1.0, "least": 2.0}), (3, {"least": 0.0})]
)
def test_bad_paths(n: Any, options: dict[str, float]) -> None:
    with raises("S122" if options else "S121"):
        path(n, **options)


def test_penalties_are_in_units_of_the_rows_as_steps_hand_them_on() -> None:
    """Whoever scales the columns: their variance is 1, and not that of the raw table."""
    X, y = load_wine(return_X_y=True)
    ours, theirs = (
        tune(make_pipeline(step, LogisticRegression()), X, y, l2=path(3), plan=KFold(3))
        for step in (Standardize(variance="ml"), StandardScaler())
    )
    for one, other in zip(ours.settings, theirs.settings, strict=True):
        assert other["logisticregression__l2"] == pytest.approx(one["logisticregression__l2"], rel=1e-12)
    levels = pd.DataFrame({"colour": ["red", "green", "blue"] * 20})
    words = make_pipeline(OneHot(), LogisticRegression())
    found = tune(words, levels, np.arange(60) % 3 > 0, l2=path(1, most=1.0), plan=KFold(3))
    assert found.setting["logisticregression__l2"] == pytest.approx(2 / 9)
    with raises("M045", value="red"):
        tune(LogisticRegression(), levels, np.arange(60) % 3 > 0, l2=path(3))


def test_l1_penalties_are_measured_by_deviations() -> None:
    X = np.array([[0.0], [2.0]])
    assert path(1, most=1.0).values(X * 10, False, "l1") == pytest.approx((10.0,))
    assert path(1, most=1.0).values(X * 10, False, "l2") == pytest.approx((100.0,))
