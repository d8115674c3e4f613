"""The vowel data of *The Elements of Statistical Learning* (table 4.1, figure 4.7): errors on its two parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay import GaussianClassifier, GaussianNB, KNeighborsClassifier, compare, evaluate
from assay.models.linear.logistic import LogisticRegression
from tests.realdata import load_csv

Part = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]


@pytest.fixture(scope="module")
def vowel() -> dict[str, Part]:
    frame = load_csv("vowel_esl")
    columns = [f"x.{j}" for j in range(1, 11)]
    parts = {name: frame[frame["split"] == name] for name in ("train", "test")}
    assert [len(part) for part in parts.values()] == [528, 462]
    return {name: (part[columns].to_numpy(), part["y"].to_numpy()) for name, part in parts.items()}


def errors(model: Any, vowel: dict[str, Part]) -> tuple[int, int]:
    model.fit(*vowel["train"])
    train, test = (int((model.predict(X) != y).sum()) for X, y in vowel.values())
    return train, test


@pytest.mark.parametrize(
    ("model", "known"),
    [
        (GaussianClassifier("shared"), (167, 257)),
        (GaussianClassifier("shared", variance="unbiased"), (167, 257)),
        (GaussianClassifier("full"), (6, 244)),
        (GaussianNB(), (148, 249)),
        (GaussianNB(variance="unbiased"), (146, 246)),
    ],
    ids=repr,
)
def test_known_errors(model: Any, known: tuple[int, int], vowel: dict[str, Part]) -> None:
    assert errors(model, vowel) == known


def test_nearest_neighbours(vowel: dict[str, Part]) -> None:
    found = [errors(KNeighborsClassifier(k), vowel) for k in (1, 3, 5, 7, 11)]
    assert [test for _, test in found] == [202, 201, 195, 184, 202] and found[0][0] == 0


def test_logistic_regression(vowel: dict[str, Part]) -> None:
    model = LogisticRegression()
    assert errors(model, vowel) == (118, 237)
    assert -model.log_likelihood_ == pytest.approx(338.49892, abs=5e-6)


@pytest.mark.parametrize(
    ("variance", "known"),
    [("unbiased", [257, 230, 214, 216, 209, 244]), ("ml", [257, 230, 215, 217, 209, 244])],
)
def test_blended_covariances(variance: str, known: list[int], vowel: dict[str, Part]) -> None:
    blends = (0.0, 0.25, 0.5, 0.75, 0.9, 1.0)
    found = [errors(GaussianClassifier("full", blend=a, variance=variance), vowel)[1] for a in blends]
    assert found == known


def test_the_two_parts_as_a_plan(vowel: dict[str, Part]) -> None:
    X = np.vstack([part[0] for part in vowel.values()])
    y = np.concatenate([part[1] for part in vowel.values()])
    split = [(np.arange(528), np.arange(528, 990))]
    models = {
        "shared": GaussianClassifier("shared"),
        "full": GaussianClassifier("full"),
        "naive": GaussianNB(),
    }
    found = evaluate(models, X, y, split)
    assert {name: round(result.error * 462) for name, result in found.items()} == {
        "shared": 257,
        "full": 244,
        "naive": 249,
    }


def test_speakers_that_are_new_are_not_known_by_their_own_vowels(vowel: dict[str, Part]) -> None:
    """Fifteen speakers say each vowel six times: folds of rows know the speaker, the book's test part does not."""
    X, y = (np.concatenate([part[at] for part in vowel.values()]) for at in (0, 1))
    speaker = np.arange(len(y)) // 66
    table = (X, np.array([f"vowel {k}" for k in y]))
    options: dict[str, Any] = {
        "candidates": ["knn"],
        "ranges": {"knn": {"n_neighbors": [1]}},
        "progress": False,
    }
    rows, speakers = (compare(table, plan=5, groups=groups, **options) for groups in (None, speaker))
    known = errors(KNeighborsClassifier(1), vowel)[1] / 462
    assert rows.nested_error < 0.03 and known > 0.4
    low, high = speakers.nested.error_interval
    assert speakers.nested_error > 0.35 and low < known < high
