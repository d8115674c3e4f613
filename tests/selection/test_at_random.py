"""Shared passes against refits on random small tables of whole numbers: ties, constants, equal rows, rare classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from assay import Bootstrap, GaussianClassifier, KFold, LeaveOneOut, evaluate
from tests.contract.registry import normal_classifiers, shown
from tests.selection.tables import assert_same, refitted


@st.composite
def tables(draw: Any) -> tuple[Any, Any, Any]:
    rows, width = draw(st.integers(4, 14)), draw(st.integers(1, 3))
    X = draw(hnp.arrays(np.float64, (rows, width), elements=st.integers(-3, 3).map(float)))
    y = draw(hnp.arrays(np.int64, rows, elements=st.integers(0, 2)))
    weight = draw(st.none() | hnp.arrays(np.float64, rows, elements=st.sampled_from([0.0, 0.5, 1.0, 2.0])))
    return X, y, weight


@pytest.mark.parametrize("model", normal_classifiers(), ids=shown)
@given(
    data=tables(), plan=st.sampled_from([KFold(2), KFold(4, stratified=False), LeaveOneOut(), Bootstrap(3)])
)
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
def test_shared_passes_equal_refits(model: Any, data: Any, plan: Any) -> None:
    X, y, weight = data
    try:
        result = evaluate(model, X, y, plan, sample_weight=weight)
    except ValueError as error:
        assert any(word in str(error) for word in ("class", "fold", "zero", "empty"))
        return
    np.testing.assert_allclose(result.posterior.sum(axis=1), 1.0)
    # A variance raised to the floor of 1e-9 magnifies rounding by as much, and two such terms may cancel.
    singular = any("singular" in note for note in result.notes)
    assert_same(result, refitted(model, X, y, plan, weight), places=0.05 if singular else 1e-8)


def test_weights_of_a_class_that_add_up_to_one_row() -> None:
    """Its unbiased variance has no divisor; rounding must not decide that."""
    X, y = np.zeros((10, 1)), np.array([1, 1, 1, 1, 0, 1, 0, 1, 0, 1])
    X[8] = 1.0
    weight = np.array([0.0, 0.0, 2.0, 0.0, 0.5, 2.0, 0.5, 0.5, 0.5, 0.5])
    model = GaussianClassifier(blend=0.25, shrinkage=0.2, variance="unbiased")
    for scale in (1.0, 0.3, 1.0 / 7):
        found = evaluate(model, X, y, LeaveOneOut(), sample_weight=scale * weight)
        assert_same(found, refitted(model, X, y, LeaveOneOut(), scale * weight))
