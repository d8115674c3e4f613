"""Weights of linear models, by the size of their effect."""

from __future__ import annotations

import numpy as np

from assay.models.inspection.linear_weights import (
    linear_weights,
)


def test_weights_are_ordered_by_effect() -> None:
    found = linear_weights(np.array([[1.0, -3.0, 0.0]]), np.array([10.0, 1.0, 5.0]), ["a", "b", "c"])
    assert found.columns == ["a", "b"]
    assert found.effects.tolist() == [[10.0, -3.0]]


def test_what_all_classes_share_is_no_effect() -> None:
    coef = np.array([[5.0, 1.0], [5.0, -1.0], [5.0, 0.0]])
    found = linear_weights(coef, np.ones(2), ["a", "b"])
    assert found.columns == ["b"]
    assert found.weights[:, 0].tolist() == [1.0, -1.0, 0.0]
