"""What a prompt shows of a result: one short line that names it and its figures, never its arrays."""

from __future__ import annotations

import re

import pytest
from sklearn.datasets import load_iris

from assay import (
    GaussianNB,
    KFold,
    KNeighborsClassifier,
    PriorClassifier,
    choose_clusters,
    complexity_curve,
    evaluate,
    learning_curve,
    nested,
    rank_features,
    select_features,
    significance,
    tune,
)

X, Y = load_iris(return_X_y=True)
PLAN = KFold(3)


def results() -> dict[str, tuple[object, str]]:
    both = list(evaluate([GaussianNB(), PriorClassifier()], X, Y, PLAN).values())
    near = KNeighborsClassifier()
    return {
        "evaluation": (
            both[0],
            f"Evaluation(GaussianNB(): error {both[0].error:.4f} (",
        ),
        "significance": (
            significance(*both),
            "Significance(GaussianNB() is better than PriorClassifier(), by more than 1 percentage point with "
            "probability >99 %)",
        ),
        "learning": (
            learning_curve(GaussianNB(), X, Y, PLAN, sizes=[0.5, 1.0]),
            " with 100; 2 sizes)",
        ),
        "complexity": (
            complexity_curve(near, X, Y, PLAN, n_neighbors=[9, 3]),
            " of 2 values; validation error ",
        ),
        "clusters": (choose_clusters(X, range(1, 5)), " by bic, of 1 to 4 tried)"),
        "tuned": (tune(near, X, Y, plan=PLAN, n_neighbors=[9, 3]), "2 settings, min)"),
        "nested": (nested(near, X, Y, plan=PLAN, n_neighbors=[9, 3]), "; nested error 0."),
        "search": (
            select_features(GaussianNB(), X, Y, plan=PLAN, n_features=2),
            "FeatureSelection(2 features: ",
        ),
        "ranking": (rank_features(X, Y), "FeatureRanking("),
    }


@pytest.fixture(scope="module")
def found() -> dict[str, tuple[object, str]]:
    return results()


def test_results_are_shown_in_one_line(found: dict[str, tuple[object, str]]) -> None:
    for result, part in found.values():
        shown = repr(result)
        assert part in shown, shown
        assert shown.startswith(f"{type(result).__name__}(") and shown.endswith(")")
        assert len(shown) < 160 and "\n" not in shown
        assert not re.search(r"array\(|\[", shown)


def test_a_verdict_is_printed_as_its_sentence(found: dict[str, tuple[object, str]]) -> None:
    said = found["significance"][0]
    assert str(said) == said.verdict  # type: ignore[attr-defined]
