"""Complexity curves: both errors as plain fits give them, and the rule that names the settings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from assay import (
    Bootstrap,
    KFold,
    LeaveOneOut,
    LogisticRegression,
    Standardize,
    complexity_curve,
    evaluate,
    path,
)
from assay.models.features.basis import BasisExpansion
from assay.selection.complexity_curve import OVER, RIGHT, UNDER, ComplexityCurve
from tests.raised import Expected, raises


def wave(rows: int = 200, seed: int = 2) -> tuple[Any, Any]:
    """Two classes with a wave between them: a straight line is too simple."""
    draw = np.random.default_rng(seed)
    X = draw.uniform(-2, 2, size=(rows, 2))
    return X, (X[:, 1] + 0.35 * draw.normal(size=rows) > np.sin(2.5 * X[:, 0])).astype(int)


def curve_of(validation: Any, errors: float) -> ComplexityCurve:
    values = np.asarray(validation, dtype=float)
    return ComplexityCurve(
        "degree", list(range(len(values))), values, values, np.full(len(values), errors), []
    )


def test_both_errors_are_those_of_plain_fits() -> None:
    X, y = wave()
    tree = DecisionTreeClassifier(random_state=0)
    found = complexity_curve(tree, X, y, KFold(5), max_depth=[1, 3, None], progress=False)
    fold = KFold(5).partitions(y)[0]
    for place, depth in enumerate(found.values):
        train, test = [], np.zeros(len(y), dtype=bool)
        for f in range(5):
            rows, tested = fold.train_rows(f), fold.test_rows(f)
            model = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(X[rows], y[rows])
            train.append((model.predict(X[rows]) != y[rows]).mean())
            test[tested] = model.predict(X[tested]) != y[tested]
        assert found.training[place] == pytest.approx(np.mean(train))
        assert found.validation[place] == pytest.approx(test.mean())
        share = test.mean()
        assert found.standard_errors[place] == pytest.approx(np.sqrt(share * (1 - share) / (len(y) - 1)))
    assert found.training[-1] == 0.0 and found.parameter == "max_depth"


def test_the_validation_error_is_that_of_evaluate_with_repeats_and_weights() -> None:
    X, y = wave()
    weight = np.random.default_rng(0).uniform(0.5, 2.0, size=len(y))
    plan = KFold(4, repeats=2)
    model = LogisticRegression()
    found = complexity_curve(model, X, y, plan, l2=[1.0, 0.01], sample_weight=weight, progress=False)
    for l2, error, se in zip(found.values, found.validation, found.standard_errors, strict=True):
        wanted = evaluate(LogisticRegression(l2=l2), X, y, plan, sample_weight=weight)
        assert (error, se) == pytest.approx((wanted.error, wanted.standard_error))


def test_polynomials_go_from_under_to_over_fitted() -> None:
    X, y = wave(80)
    model = make_pipeline(Standardize(), BasisExpansion(), LogisticRegression(l2=1e-6))
    found = complexity_curve(model, X, y, KFold(10), basisexpansion__degree=range(1, 9), progress=False)
    assert found.labels[0] == UNDER and found.labels[found.best] == RIGHT and found.labels[-1] == OVER
    assert found.training[-1] < found.training[0]
    assert found.simplest <= found.best
    lines = str(found).splitlines()
    assert lines[0].split() == ["basisexpansion__degree", "training", "validation"]
    assert lines[1].endswith(UNDER) and len(lines) == 9


@pytest.mark.parametrize(
    ("validation", "wanted"),
    [
        ([0.3, 0.2, 0.1, 0.2], (UNDER, UNDER, RIGHT, OVER)),
        ([0.3, 0.105, 0.1, 0.108, 0.2], (UNDER, RIGHT, RIGHT, RIGHT, OVER)),
        ([0.1, 0.1], (RIGHT, RIGHT)),
        ([0.105, 0.2, 0.1], (RIGHT, UNDER, RIGHT)),
    ],
)
def test_the_rule_that_names_settings(validation: Any, wanted: Any) -> None:
    assert curve_of(validation, 0.01).labels == wanted


def test_a_path_of_penalties_begins_with_the_strongest() -> None:
    X, y = wave(60)
    found = complexity_curve(LogisticRegression(), X, y, 3, l2=path(3), progress=False)
    assert found.values == sorted(found.values, reverse=True) and len(found.evaluations) == 3


def test_progress_counts_fits() -> None:
    X, y = wave(60)
    told: list[tuple[str, int, int]] = []
    tree = DecisionTreeClassifier(random_state=0)
    complexity_curve(tree, X, y, 3, max_depth=[1, 2], progress=lambda *each: told.append(each))
    assert told[-1] == ("DecisionTreeClassifier", 6, 6) and len(told) == 6


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, Expected("S075", n_ranges=0)),
        ({"l2": [1.0], "tol": [1e-6]}, Expected("S075", n_ranges=2)),
        ({"l2": []}, Expected("M001", name="l2")),
        ({"depth": [1]}, Expected("S118", name="depth")),
        ({"l2": [1.0], "plan": LeaveOneOut()}, Expected("S076", kind="LeaveOneOut")),
        ({"l2": [1.0], "plan": Bootstrap(5)}, Expected("S076", kind="Bootstrap")),
        ({"l2": [1.0], "y": [0, 1]}, Expected("M032", n_rows=60, n_labels=2)),
    ],
)
def test_what_cannot_be_drawn_is_told(given: dict[str, Any], expected: Expected) -> None:
    X, y = wave(60)
    with raises(expected):
        complexity_curve(LogisticRegression(), X, given.pop("y", y), given.pop("plan", 3), **given)
