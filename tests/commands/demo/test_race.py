"""The bundled table and the race on it."""

from __future__ import annotations

from statistics import median

import numpy as np
import pytest
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

from assay import KFold
from assay.commands.demo.race import Race, check_rows, enlarge, entrants, load_cells, race
from tests.raised import raises


@pytest.fixture(scope="module")
def data() -> tuple[np.ndarray, np.ndarray]:
    X, y, _ = load_cells()
    return enlarge(X, y == "malignant", 1500)


@pytest.fixture(scope="module")
def run(data: tuple[np.ndarray, np.ndarray]) -> tuple[Race, list[tuple[str, float]]]:
    told: list[tuple[str, float]] = []
    return race(*data, lambda doing, share: told.append((doing, share))), told


def test_enlarged_data_are_the_same_every_time_and_keep_the_shares() -> None:
    X, y, _ = load_cells()
    large, codes = enlarge(X, y == "malignant", 20_000)
    again, _ = enlarge(X, y == "malignant", 20_000)
    assert large.shape == (20_000, 30) and np.array_equal(large, again)
    assert len(np.unique(large[:, 0])) == 20_000
    assert codes.mean() == pytest.approx((y == "malignant").mean(), abs=0.02)
    assert large.mean(axis=0) == pytest.approx(0.0, abs=0.05)


def test_both_sides_of_the_race_make_the_same_errors(run: tuple[Race, list[tuple[str, float]]]) -> None:
    result, _ = run
    assert len(result.entries) == 3
    for entry in result.entries:
        assert entry.wrong == entry.rival_wrong > 0
        assert entry.largest_fold_difference < 1e-12


@pytest.mark.parametrize("name", list(entrants()))
def test_both_sides_of_the_race_are_one_model(name: str, data: tuple[np.ndarray, np.ndarray]) -> None:
    ours, theirs = (model.fit(*data) for model in entrants()[name])
    # scikit-learn's naive Bayes adds a billionth of the largest variance to every variance.
    assert ours.predict_proba(data[0]) == pytest.approx(theirs.predict_proba(data[0]), abs=1e-6)


def test_the_rival_s_errors_are_those_of_its_own_predictions(
    data: tuple[np.ndarray, np.ndarray], run: tuple[Race, list[tuple[str, float]]]
) -> None:
    X, y = data
    wrong = 0
    for train, test in KFold(10).split(X, y):
        model = QuadraticDiscriminantAnalysis().fit(X[train], y[train])
        wrong += int((model.predict(X[test]) != y[test]).sum())
    entry = next(e for e in run[0].entries if e.rival == "QuadraticDiscriminantAnalysis")
    assert entry.rival_wrong == wrong


def test_sides_alternate_and_ratios_are_taken_round_by_round(
    run: tuple[Race, list[tuple[str, float]]],
) -> None:
    result, told = run
    ours_at = [i for i, (doing, _) in enumerate(told[1:]) if "Assay" in doing]
    assert ours_at == [0, 7, 8]
    shares = [share for _, share in told]
    assert shares == sorted(shares) and shares[-1] < 1
    assert len(result.ratios) == 3 and result.ratio == median(result.ratios)


@pytest.mark.parametrize("rows", [-1, 499, 1_000_001])
def test_a_race_of_no_sense_is_refused(rows: int) -> None:
    with raises("C034", rows=rows, fewest=500, most=1_000_000):
        check_rows(rows)
