"""The order of work, shares of the time left, and sizes of samples."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from assay.catalog import entry
from assay.workbench.experiment.time_shares import FEWEST, sample_size, time_share, work_order

LOGISTIC, FOREST, NETWORK, KNN = map(entry, ("logistic", "random_forest", "neural_network", "knn"))


def test_quick_ones_come_first_then_all_rounders_then_the_others_by_what_they_take() -> None:
    bounds = {"baseline": 0.5, "gaussian_nb": 0.1, "logistic": 90.0, "random_forest": math.inf, "knn": 30.0}
    bounds |= {"neural_network": math.inf, "lasso": 60.0}
    order = sorted(bounds, key=lambda name: work_order(entry(name), bounds[name]))
    assert order == [
        "baseline", "gaussian_nb", "logistic", "random_forest", "knn", "lasso", "neural_network"
    ]  # fmt: skip
    unknown = replace(KNN, complexity=4)
    assert work_order(unknown, 0.0) > work_order(NETWORK, math.inf)


def test_strong_all_rounders_have_twice_the_share_of_another() -> None:
    endless = [math.inf] * 3
    assert time_share(400.0, [FOREST, KNN, NETWORK], endless) == 200.0
    assert time_share(200.0, [KNN, NETWORK], endless[:2]) == 100.0
    assert time_share(math.inf, [KNN, NETWORK], endless[:2]) == math.inf


def test_what_quick_ones_do_not_need_goes_to_the_others() -> None:
    assert time_share(100.0, [KNN, NETWORK, NETWORK], [math.inf, 10.0, math.inf]) == 45.0
    assert (
        time_share(100.0, [KNN, NETWORK], [1.0, math.inf]) == 50.0
    )  # it is never more generous than an equal part


@pytest.mark.parametrize("needed", [101.0, 1000.0, 7000.0])
def test_a_sample_fits_into_the_share_and_has_a_round_number_of_rows(needed: float) -> None:
    rows = sample_size(92_962, needed, 100.0)
    assert rows is not None and FEWEST <= rows < 92_962
    assert needed * rows / 92_962 <= 100.0
    assert rows % 10 ** (len(str(rows)) - 2) == 0


def test_a_sample_of_too_few_rows_is_none() -> None:
    assert sample_size(10 * FEWEST, math.inf, 100.0) == FEWEST
    assert sample_size(FEWEST, 1000.0, 100.0) is None
    assert sample_size(FEWEST + 1, 1000.0, 100.0) is None
