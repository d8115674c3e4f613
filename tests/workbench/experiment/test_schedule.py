"""The budget of a run: what is omitted before and after a pilot, by a clock that only fits move."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from assay import KFold
from assay.models.base.own_card import OwnCard
from assay.notes import as_note
from assay.numerics.interrupt import check_interrupt, stop_events
from assay.workbench.experiment.requested import requested_candidates
from assay.workbench.experiment.schedule import Schedule
from assay.workbench.experiment.setup import make_setup
from assay.workbench.problem import read_problem
from tests.commands.compare.purchases import mixed
from tests.raised import raises

TIME = {"now": 0.0, "fits": 0.0}


class Slow(ClassifierMixin, BaseEstimator):
    """Predicts the class of the first row; a fit takes `seconds` of the tests' clock."""

    def __init__(self, seconds: float = 1.0, stops: bool = False) -> None:
        self.seconds, self.stops = seconds, stops

    def fit(self, X: Any, y: Any) -> Slow:
        TIME["now"] += self.seconds
        TIME["fits"] += 1
        if self.stops:
            check_interrupt()
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return np.full(len(X), self.classes_[0])


def clock() -> float:
    return TIME["now"]


def run(entries: list[Any], budget: float | None) -> Schedule:
    TIME.update(now=0.0, fits=0.0)
    setup = make_setup(read_problem(mixed(), "bought"), KFold(4), None, None, 0, 1, "min", False)
    schedule = Schedule(setup, None, lambda doing, share: None, budget, 1, clock)
    schedule.run(
        [
            *requested_candidates(["baseline", "gaussian_nb"], False).for_table(setup.problem.features),
            *entries,
        ]
    )
    return schedule


def test_without_a_budget_everything_is_evaluated() -> None:
    schedule = run([OwnCard.of("slow", Slow(1000.0))], None)
    assert [result.name for result in schedule.results] == ["baseline", "gaussian_nb", "slow"]
    assert schedule.omitted == {}


def test_fits_of_a_pilot_count_and_are_kept() -> None:
    run([OwnCard.of("slow", Slow(1.0))], None)
    fits, seconds = TIME["fits"], TIME["now"]
    schedule = run([OwnCard.of("slow", Slow(1.0))], 2.0 * seconds)
    assert "slow" in [result.name for result in schedule.results]
    assert (TIME["fits"], TIME["now"]) == (fits, seconds)


def test_a_pilot_omits_what_would_take_too_long_after_a_few_fits() -> None:
    schedule = run([OwnCard.of("slow", Slow(5.0)), OwnCard.of("quick", Slow(0.1), position=1)], 30.0)
    reason = as_note(schedule.omitted["slow"])
    assert reason.code == "C152" and reason.values["budget"] == reason.values["left"] == 30.0
    assert reason.values["needed"] > 30.0
    assert TIME["now"] < 15.0 and "quick" in [result.name for result in schedule.results]


def test_candidates_with_a_bound_need_no_pilot() -> None:
    schedule = run([], 60.0)
    bounds = [schedule._bound(result.entry) for result in schedule.results]
    assert all(bound < 60.0 for bound in bounds) and not any(map(math.isinf, bounds))


def test_after_the_budget_nothing_is_begun() -> None:
    schedule = run([OwnCard.of("first", Slow(40.0)), OwnCard.of("second", Slow(0.1), position=1)], 30.0)
    assert as_note(schedule.omitted["first"]).code == "C150"
    assert as_note(schedule.omitted["second"]).code == "C151"
    assert TIME["fits"] == 1


def test_the_budget_stops_a_fit_that_asks_whether_to_go_on() -> None:
    schedule = run([OwnCard.of("slow", Slow(40.0, stops=True))], 30.0)
    assert as_note(schedule.omitted["slow"]).code == "C150"
    assert stop_events() == () and not schedule.interrupted


def test_nothing_finished_within_the_budget_is_an_error() -> None:
    TIME.update(now=0.0, fits=0.0)
    setup = make_setup(read_problem(mixed(), "bought"), KFold(4), None, None, 0, 1, "min", False)
    schedule = Schedule(setup, None, lambda doing, share: None, 1.0, 1, clock)
    with raises("C155", budget=1.0):
        schedule.run([OwnCard.of("slow", Slow(5.0))])


def test_progress_reaches_the_end_and_never_goes_back() -> None:
    shares: list[float] = []
    setup = make_setup(read_problem(mixed(), "bought"), KFold(4), None, None, 0, 1, "min", False)
    schedule = Schedule(setup, None, lambda doing, share: shares.append(share), 1e6, 1, clock)
    schedule.run([*requested_candidates(["baseline", "knn"], False).for_table(setup.problem.features)])
    assert shares == sorted(shares) and 0.9 < shares[-1] <= 1.0 + 1e-9
