"""Rows that stay together are one unit of every interval and test, whichever way they were evaluated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from assay import (
    GaussianNB,
    KFold,
    KNeighborsClassifier,
    LogisticRegression,
    evaluate,
    learning_curve,
    nested,
    significance,
    tune,
)

MODELS: dict[str, Any] = {
    "statistics": GaussianNB(),
    "neighbors": KNeighborsClassifier(3),
    "path": LogisticRegression(l2=0.1),
    "refit": DecisionTreeClassifier(max_depth=2, random_state=0),
}


def copied(times: int = 4) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sixty rows, each so many times, and which they are copies of."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 2)) + y[:, None]
    return np.repeat(X, times, axis=0), np.repeat(y, times), np.repeat(np.arange(60), times)


@pytest.mark.parametrize("name", MODELS)
def test_copies_that_stay_together_have_the_intervals_of_single_rows(name: str) -> None:
    X, y, groups = copied()
    together = evaluate(MODELS[name], X, y, KFold(5), groups=groups, progress=False)
    errors = np.bincount(groups, together.predicted != together.truth) / 4
    share = errors.mean()
    low, high = together.error_interval
    assert low < share < high
    alone = np.sqrt(share * (1 - share) / 60)
    assert 2 * 1.9 * alone < high - low < 2 * 2.2 * alone
    apart = evaluate(MODELS[name], X, y, KFold(5), progress=False)
    assert np.subtract(*apart.error_interval[::-1]) < 0.7 * (high - low)
    for measure in ("loss", "brier", "auc"):
        inside, outside = together.interval(measure), apart.interval(measure)
        assert np.subtract(*inside[::-1]) > 1.3 * np.subtract(*outside[::-1])


@pytest.mark.parametrize("name", MODELS)
def test_every_size_of_a_learning_curve_counts_groups(name: str) -> None:
    X, y, groups = copied()
    curve = learning_curve(MODELS[name], X, y, KFold(5), sizes=[0.5, 1.0], groups=groups, progress=False)
    for each in curve.evaluations:
        assert each.groups is not None and np.subtract(*each.error_interval[::-1]) > 0.1


def test_choices_keep_their_groups() -> None:
    X, y, groups = copied()
    names = np.array([f"row {g}" for g in groups], dtype=object)
    given: dict[str, Any] = {
        "plan": KFold(5),
        "groups": names,
        "variance_floor": [0.5, 0.01],
        "progress": False,
    }
    chosen, inside = tune(GaussianNB(), X, y, **given), nested(GaussianNB(), X, y, **given)
    for found in (*chosen.evaluations, inside.evaluation):
        assert found.row_groups is not None and len(np.unique(found.row_groups)) == 60
    assert np.array_equal(chosen.losses, inside.losses) and chosen.chosen == inside.final


def test_differences_are_tested_by_groups() -> None:
    X, y, groups = copied()
    models = {"naive": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=1, random_state=0)}
    together = evaluate(models, X, y, KFold(5), groups=groups, progress=False)
    once = {name: each.losses()[::4] for name, each in together.items()}
    test = significance(*together.values())
    single = once["naive"] - once["tree"]
    assert test.difference == pytest.approx(single.mean())
    assert test.rows.standard_error == pytest.approx(single.std(ddof=1) / np.sqrt(60))
    assert test.mcnemar is None


def test_a_tested_part_of_one_group_has_no_interval_to_speak_of() -> None:
    X, y, groups = copied()
    one = [(np.flatnonzero(groups > 0), np.flatnonzero(groups == 0))]
    found = evaluate(GaussianNB(), X, y, one, progress=False)
    from dataclasses import replace

    alone = replace(found, groups=groups)
    assert np.subtract(*alone.error_interval[::-1]) > 0.6
    assert alone.interval("loss") == (0.0, 1.0)
    with pytest.raises(ValueError, match="All tested rows are of one group"):
        significance(alone, alone)
