"""Known error counts on the small sets that scikit-learn carries: on the training rows, and leaving one out."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from assay import GaussianClassifier, GaussianNB, KNeighborsClassifier, LeaveOneOut, evaluate
from tests.contract.registry import shown

SETS = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}
SHARED, FULL, NAIVE = GaussianClassifier("shared"), GaussianClassifier("full"), GaussianNB()
KNOWN = [
    ("iris", SHARED, 3, 3),
    ("iris", FULL, 3, 4),
    ("iris", NAIVE, 6, 7),
    ("wine", SHARED, 0, 2),
    ("wine", FULL, 1, 1),
    ("wine", NAIVE, 2, 4),
    ("wine", GaussianNB(variance="unbiased"), 2, 5),
    ("breast cancer", SHARED, 20, 24),
    ("breast cancer", FULL, 14, 25),
    ("breast cancer", GaussianClassifier("full", variance="unbiased"), 15, 25),
    ("breast cancer", NAIVE, 34, 38),
    ("iris", KNeighborsClassifier(1), 0, 6),
    ("iris", KNeighborsClassifier(5), 5, 5),
    ("wine", KNeighborsClassifier(1), 0, 41),
    ("breast cancer", KNeighborsClassifier(1), 0, 48),
    ("breast cancer", KNeighborsClassifier(5), 30, 38),
]


@pytest.mark.parametrize(
    ("name", "model", "resubstitution", "left_out"), KNOWN, ids=[f"{k[0]} {shown(k[1])}" for k in KNOWN]
)
def test_known_errors(name: str, model: Any, resubstitution: int, left_out: int) -> None:
    X, y = SETS[name](return_X_y=True)
    assert int((model.fit(X, y).predict(X) != y).sum()) == resubstitution
    result = evaluate(model, X, y, LeaveOneOut())
    assert int((result.predicted != result.truth).sum()) == left_out
    assert result.error == pytest.approx(left_out / len(y), abs=1e-12)


def test_neighbours_of_digits() -> None:
    X, y = load_digits(return_X_y=True)
    found = evaluate([KNeighborsClassifier(k) for k in (1, 3, 5)], X, y, LeaveOneOut())
    assert [round(result.error * 1797) for result in found.values()] == [21, 20, 22]


@pytest.mark.parametrize("name", SETS)
def test_diagonal_gaussians_are_naive_bayes(name: str) -> None:
    X, y = SETS[name](return_X_y=True)
    one, two = GaussianClassifier("diagonal").fit(X, y), GaussianNB().fit(X, y)
    assert (one.predict(X) == two.predict(X)).all()
    assert one.predict_log_proba(X) == pytest.approx(two.predict_log_proba(X), rel=1e-9, abs=1e-9)
