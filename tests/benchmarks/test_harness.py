"""The harness alternates, picks the rival's better setting, and extrapolates by the stated factor.

Time is a counter that each pretended run moves on, so that every figure is exact.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from benchmarks import harness
from benchmarks.harness import Part, Settings, contest, contests, together


class Pretence:
    """A clock and a log: runs that write their name and take as long as they say."""

    def __init__(self) -> None:
        self.now = 0.0
        self.log: list[str] = []

    def run(self, name: str, seconds: float) -> Callable[[], str]:
        def run() -> str:
            self.log.append(name)
            self.now += seconds
            return name

        return run


@pytest.fixture
def pretence(monkeypatch: pytest.MonkeyPatch) -> Pretence:
    made = Pretence()
    monkeypatch.setattr(harness, "perf_counter", lambda: made.now)
    return made


def test_the_sides_take_turns_and_swap_their_order(pretence: Pretence) -> None:
    part = Part("rival", {"only": pretence.run("rival", 8.0)})
    result = contest(Settings(), pretence.run("ours", 2.0), [part])
    assert pretence.log == ["ours", "rival", "rival", "ours", "ours", "rival"]
    assert (result.ours, result.rival, result.speedups) == ([2.0] * 3, [8.0] * 3, [4.0] * 3)
    assert result.value == "ours"


def test_every_setting_is_tried_once_and_the_better_one_kept(pretence: Pretence) -> None:
    part = Part("rival", {"slower": pretence.run("slower", 4.0), "better": pretence.run("better", 3.0)})
    result = contest(Settings(), pretence.run("ours", 1.0), [part])
    assert (pretence.log.count("slower"), pretence.log.count("better")) == (1, 3)
    assert result.parts[0].setting == "better"
    assert result.parts[0].probes == {"slower": 4.0, "better": 3.0}
    assert result.parts[0].value == "better"
    assert result.speedups == [3.0] * 3


def test_a_slow_rival_is_run_twice_and_stands_with_its_median(pretence: Pretence) -> None:
    lasting = iter([20.0, 30.0])

    def rival() -> None:
        pretence.log.append("rival")
        pretence.now += next(lasting)

    result = contest(Settings(rounds=4), pretence.run("ours", 1.0), [Part("rival", {"only": rival})])
    assert (pretence.log.count("ours"), pretence.log.count("rival")) == (4, 2)
    assert result.rival == [20.0, 30.0, 25.0, 25.0]
    assert result.fewest_runs == 2


def test_slowness_is_judged_before_extrapolation(pretence: Pretence) -> None:
    part = Part("rival", {"only": pretence.run("rival", 14.0)}, done=10, total=200)
    times = contest(Settings(), pretence.run("ours", 1.0), [part]).parts[0]
    assert times.seconds == [280.0] * 3
    assert times.probes == {"only": 280.0}


def test_what_is_paid_once_is_not_multiplied(pretence: Pretence) -> None:
    runs, idle = {"two": pretence.run("rival", 14.0)}, {"two": pretence.run("idle", 4.0)}
    part = Part("rival", runs, done=10, total=200, idle=idle)
    assert contest(Settings(), pretence.run("ours", 1.0), [part]).rival == [204.0] * 3
    assert pretence.log.count("idle") == 3


def test_parts_of_a_rival_are_added_up(pretence: Pretence) -> None:
    parts = [Part("a", {"only": pretence.run("a", 1.0)}), Part("b", {"only": pretence.run("b", 2.0)}, 1, 5)]
    assert contest(Settings(), pretence.run("ours", 1.0), parts).rival == [11.0] * 3


def test_floors_are_measured_in_every_round(pretence: Pretence) -> None:
    part = Part("rival", {"only": pretence.run("rival", 1.0)})
    result = contest(Settings(), pretence.run("ours", 1.0), [part], {"read": pretence.run("read", 0.5)})
    assert result.floors == {"read": [0.5] * 3}


def test_a_short_turn_is_repeated_until_it_is_long_enough(pretence: Pretence) -> None:
    seconds, value = harness.timed(pretence.run("ours", 0.1))
    assert (seconds, value) == (pytest.approx(0.1), "ours")
    assert pretence.log == ["ours"] * 3


def test_a_very_short_turn_is_not_repeated_for_ever(pretence: Pretence) -> None:
    harness.timed(pretence.run("ours", 0.001))
    assert pretence.log == ["ours"] * harness.MOST_REPEATS


def test_progress_names_the_rival_and_its_setting(pretence: Pretence) -> None:
    told: list[str] = []
    part = Part("rival", {"n_jobs=2": pretence.run("rival", 1.0)})
    contest(Settings(report=told.append), pretence.run("ours", 1.0), [part])
    assert told == ["rival, n_jobs=2: 1 s"]


def test_quick_takes_a_twentieth_of_the_rows() -> None:
    assert Settings(quick=True).rows(500_000) == 25_000
    assert Settings().rows(500_000) == 500_000


def test_several_jobs_share_the_turns_of_one_rival(pretence: Pretence) -> None:
    jobs = {"a": pretence.run("a", 1.0), "b": pretence.run("b", 3.0)}
    results = contests(Settings(), jobs, [Part("rival", {"only": pretence.run("rival", 6.0)})])
    assert pretence.log == ["a", "b", "rival", "rival", "a", "b", "a", "b", "rival"]
    assert (results["a"].speedups, results["b"].speedups) == ([6.0] * 3, [2.0] * 3)
    whole = together(list(results.values()))
    assert (whole.ours, whole.rival, whole.speedups) == ([4.0] * 3, [6.0] * 3, [1.5] * 3)
