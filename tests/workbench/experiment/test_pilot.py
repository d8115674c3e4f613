"""Bounds of what a candidate takes, and forecasts from its first fits, by a clock that the tests set."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assay.catalog import ModelCard, cards
from assay.workbench.experiment.pilot import Pilot, TooLongError, Workload, time_bound

WORK = Workload(rows=1000, width=10, filled=10_000, classes=2, splits=10, settings=4, models=55)


class Clock:
    """Seconds that a test lets pass."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def reports(pilot: Pilot, clock: Clock, seconds: list[float], total: int) -> None:
    """Report the end of a part after each of these seconds."""
    for done, taken in enumerate(seconds, 1):
        clock.now += taken
        pilot(done, total)


@pytest.mark.parametrize("entry", cards(), ids=lambda entry: entry.name)
def test_a_bound_grows_with_everything_that_there_is_to_do(entry: ModelCard) -> None:
    bound = time_bound(entry, WORK)
    assert bound > 0
    shares = {"statistics", "counts", "path", "neighbors", "gram"} & entry.capabilities
    assert (bound < float("inf")) == bool(shares)
    for name, value in vars(WORK).items():
        assert time_bound(entry, replace(WORK, **{name: 10 * value})) >= bound


def test_nothing_is_promised_for_code_of_others() -> None:
    logistic = next(card for card in cards() if card.name == "logistic")
    other = replace(logistic, estimator="sklearn.linear_model:LogisticRegression")
    assert time_bound(logistic, WORK) < time_bound(other, WORK) == float("inf")


def test_fits_that_take_too_long_together_end_the_evaluation() -> None:
    clock = Clock()
    with pytest.raises(TooLongError) as raised:
        reports(Pilot(60.0, 1, clock), clock, [3.0, 1.0, 1.0], 100)
    # The first fit is taken for one of 3 s less 2 s of warming up; 99 further ones are known to be too many.
    assert raised.value.needed == 3.0 + 99 * 1.0
    assert clock.now == 103.0


def test_what_only_the_first_fit_takes_is_not_expected_of_the_others() -> None:
    clock = Clock()
    pilot = Pilot(60.0, 1, clock)
    reports(pilot, clock, [1.9, *[0.5] * 12], 100)
    assert pilot.over and clock.now == pytest.approx(107.9)
    with pytest.raises(TooLongError) as raised:
        reports(Pilot(50.0, 1, clock), clock, [1.9, *[0.5] * 12], 100)
    assert raised.value.needed == pytest.approx(1.9 + 99 * 0.5)


def test_fits_of_several_threads_end_together() -> None:
    clock = Clock()
    pilot = Pilot(30.0, 2, clock)
    reports(pilot, clock, [1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0], 40)  # 20 s in pairs
    assert pilot.over


def test_a_pilot_is_short_and_later_fits_are_not_judged() -> None:
    clock = Clock()
    pilot = Pilot(1000.0, 1, clock)
    reports(pilot, clock, [1.0] * 6, 100)
    assert pilot.over
    reports(pilot, clock, [500.0], 100)


def test_every_stage_is_forecast_by_itself() -> None:
    clock = Clock()
    pilot = Pilot(100.0, 1, clock)
    reports(pilot, clock, [0.1] * 5, 5)  # a short stage says nothing about the next
    with pytest.raises(TooLongError) as raised:
        reports(pilot, clock, [5.0, 5.0, 5.0], 50)
    assert raised.value.needed == pytest.approx(5.5 + 49 * 3.0)
