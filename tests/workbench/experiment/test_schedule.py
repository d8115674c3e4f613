"""The budget of a run: what is omitted before and after a pilot, by a clock that only fits move."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from assay import KFold
from assay.models.base.own_card import OwnCard
from assay.notes import as_note
from assay.numerics.interrupt import check_interrupt, stop_events
from assay.workbench.experiment.requested import requested_candidates
from assay.workbench.experiment.run_folder import RunFolder
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


class Growing(Slow):
    """The first fits take a second, later ones a hundred."""

    def fit(self, X: Any, y: Any) -> Slow:
        TIME["now"] += 0.0 if TIME["fits"] < 8 else 99.0
        return super().fit(X, y)


class SlowPerRow(Slow):
    """A fit takes `seconds` for every thousand rows."""

    def fit(self, X: Any, y: Any) -> Slow:
        TIME["now"] += self.seconds * (len(X) / 1000.0 - 1.0)
        return super().fit(X, y)


def clock() -> float:
    return TIME["now"]


def run(entries: list[Any], budget: float | None, rows: int = 240) -> Schedule:
    TIME.update(now=0.0, fits=0.0)
    setup = make_setup(read_problem(mixed(rows), "bought"), KFold(4), None, None, 0, 1, "min", False)
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


def test_a_candidate_that_does_not_fit_into_its_share_is_trained_on_a_sample_and_tested_on_all_rows() -> None:
    schedule = run(
        [OwnCard.of("slow", SlowPerRow(3.0)), OwnCard.of("late", Slow(0.1), position=1)], 60.0, 3000
    )
    slow, naive = schedule.results[2], schedule.results[1]
    assert slow.name == "slow" and slow.sample_rows is not None and 500 <= slow.sample_rows < 3000
    assert naive.sample_rows is None and schedule.omitted == {}
    assert TIME["now"] <= 1.2 * 60.0
    np.testing.assert_array_equal(slow.evaluation.rows, naive.evaluation.rows)
    assert slow.label == f"slow (sample of {slow.sample_rows:,})".replace(",", " ")


def test_what_takes_several_times_its_forecast_is_stopped_and_named() -> None:
    growing = OwnCard.of("slow", Growing())
    schedule = run([growing, OwnCard.of("late", Slow(0.1), position=1)], 200.0)
    reason = as_note(schedule.omitted["slow"])
    assert reason.code == "C198" and "late" in [result.name for result in schedule.results]
    assert reason.values["taken"] > 3.0 * reason.values["forecast"] and reason.values["budget"] == 200.0


def test_a_fit_that_cannot_be_interrupted_and_exceeds_the_budget_is_said() -> None:
    schedule = run([OwnCard.of("slow", Slow(40.0))], 30.0)
    assert [(note.code, note.values) for note in schedule.notes] == [
        ("C199", {"budget": 30.0, "taken": TIME["now"]})
    ]
    assert run([OwnCard.of("slow", Slow(0.1))], 30.0).notes == ()


def test_what_a_run_has_already_takes_no_share_of_the_time(tmp_path: Path) -> None:
    setup = make_setup(read_problem(mixed(), "bought"), KFold(4), None, None, 0, 1, "min", False)
    entries = [OwnCard.of("done", Slow(0.1)), OwnCard.of("open", Slow(0.1), position=1)]
    folder = RunFolder(tmp_path)
    (tmp_path / "candidates").mkdir()
    first = Schedule(setup, folder, lambda doing, share: None, 100.0, 1, clock)
    first.run(entries[:1])
    second = Schedule(setup, folder, lambda doing, share: None, 100.0, 1, clock)
    second.run(entries)
    assert second._bounds == {"done": 0.0, "open": math.inf}
    assert [result.name for result in second.results] == ["done", "open"]
