"""Known error counts on the small sets that scikit-learn carries: on the training rows, and leaving one out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB as SklearnNB
from sklearn.neighbors import KNeighborsClassifier as SklearnKNN

from assay import (
    GaussianClassifier,
    GaussianNB,
    KNeighborsClassifier,
    LeaveOneOut,
    RandomSubsampling,
    evaluate,
    tune,
)
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


def test_random_subsampling_averages_the_validation_errors() -> None:
    """A tenth of iris, ten times: .0333 is the mean of the errors of the ten parts, .0309 that over distinct rows."""
    X, y = load_iris(return_X_y=True)
    result = evaluate(NAIVE, X, y, RandomSubsampling(0.1, repeats=10))
    theirs = 1.0 - cross_val_score(SklearnNB(), X, y, cv=RandomSubsampling(0.1, repeats=10))
    assert result.error == pytest.approx(theirs.mean(), abs=1e-12) == pytest.approx(0.0333, abs=5e-5)
    assert result.row_error == pytest.approx(0.0309, abs=5e-5)


def test_random_subsampling_chooses_by_the_validation_errors() -> None:
    X, y = load_wine(return_X_y=True)
    plan, sizes = RandomSubsampling(0.1, repeats=10), [1, 3, 9, 27]
    found = tune(KNeighborsClassifier(), X, y, plan=plan, n_neighbors=sizes)
    theirs = [1.0 - cross_val_score(SklearnKNN(k), X, y, cv=plan).mean() for k in sizes]
    assert found.losses == pytest.approx(theirs) and found.chosen == int(np.argmin(theirs))


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
