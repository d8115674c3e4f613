"""Alternating measurements: ours, then the rival, then ours again, in one process.

Seconds measured on a shared machine say little on their own.  A ratio of two runs that stood next to each
other in time says much more, so the unit of everything here is the *round*: each side once, order swapped
from round to round, and one ratio per round.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter
from typing import Any

Run = Callable[[], Any]
Case = Callable[[], Any]  # returns a row, or several

# A side quicker than this is repeated inside its round (and the median taken): a single 10 ms run would
# mostly measure the scheduler.
SHORT_SECONDS = 0.25
MOST_REPEATS = 9
# A rival slower than the slow limit is run this often in all, and the table says so.
SLOW_RUNS = 2


@dataclass(frozen=True)
class Settings:
    """What the command line decides: sizes, rounds, and when a rival counts as slow."""

    quick: bool = False
    rounds: int = 3
    slow_seconds: float = 15.0
    report: Callable[[str], None] = field(default=lambda line: None)
    ours_alone: bool = False  # a contest hands over our jobs instead of measuring them

    def rows(self, full: int) -> int:
        """Rows of a data set: the full number, or a twentieth of it for a smoke test."""
        return max(full // 20, 1) if self.quick else full


class OurJobs(Exception):  # noqa: N818 - nothing went wrong
    """What a contest would have run of ours, for whoever asked for that alone."""

    def __init__(self, jobs: Mapping[str, Run]) -> None:
        super().__init__("only our jobs were asked for")
        self.jobs = jobs


@dataclass(frozen=True)
class Part:
    """One rival's job under each setting it may choose from; `done` of `total` units are really run.

    `idle` is a setting's run without any unit: what it costs is paid once, however many units there are.
    """

    name: str
    settings: Mapping[str, Run]
    done: int = 1
    total: int = 1
    idle: Mapping[str, Run] = field(default_factory=dict)

    @property
    def factor(self) -> float:
        return self.total / self.done

    def whole(self, seconds: float, setting: str) -> float:
        """Seconds of the whole job, given those of the units that were run."""
        if self.done == self.total:
            return seconds
        once = min(timed(self.idle[setting])[0], seconds) if setting in self.idle else 0.0
        return once + (seconds - once) * self.factor


@dataclass
class PartTimes:
    """Seconds of one rival's rounds under its better setting, extrapolated to the whole job."""

    part: Part
    setting: str
    probes: dict[str, float]
    seconds: list[float]
    value: Any
    measured: float = 0.0  # seconds of the first run itself, which decide whether the rival is slow

    def at(self, round_: int) -> float:
        """Seconds in a round; a slow rival that sat the round out stands with its median."""
        return self.seconds[round_] if round_ < len(self.seconds) else median(self.seconds)


@dataclass
class Contest:
    """All that one comparison measured."""

    ours: list[float]
    value: Any
    parts: list[PartTimes]
    floors: dict[str, list[float]]

    @property
    def rival(self) -> list[float]:
        """Seconds of the rival's whole job in each round (the sum where it has several parts)."""
        return [sum(part.at(i) for part in self.parts) for i in range(len(self.ours))]

    @property
    def speedups(self) -> list[float]:
        return [theirs / mine for theirs, mine in zip(self.rival, self.ours, strict=True)]

    @property
    def fewest_runs(self) -> int:
        return min(len(part.seconds) for part in self.parts)


def timed(run: Run) -> tuple[float, Any]:
    """Median seconds of one side's turn, and what its last run returned."""
    gc.collect()
    return repeated(run)


def repeated(run: Run) -> tuple[float, Any]:
    """The same without freeing memory before."""
    seconds: list[float] = []
    while True:
        value = None  # the previous result is freed first, as it would be for a user who calls once
        start = perf_counter()
        value = run()
        seconds.append(perf_counter() - start)
        if sum(seconds) >= SHORT_SECONDS or len(seconds) == MOST_REPEATS:
            return median(seconds), value


def contest(
    settings: Settings, ours: Run, parts: Sequence[Part], floors: Mapping[str, Run] | None = None
) -> Contest:
    """Measure ours against the rival's parts (and the floors) in alternating rounds."""
    return contests(settings, {"": ours}, parts, floors)[""]


def contests(
    settings: Settings,
    ours: Mapping[str, Run],
    parts: Sequence[Part],
    floors: Mapping[str, Run] | None = None,
) -> dict[str, Contest]:
    """Several jobs of ours against one rival, which takes one turn per round for all of them."""
    if settings.ours_alone:
        raise OurJobs(ours)
    times: list[PartTimes] = []
    bases: dict[str, list[float]] = {name: [] for name in floors or {}}
    results = {name: Contest([], None, times, bases) for name in ours}
    for round_ in range(settings.rounds):
        ours_first = round_ % 2 == 0
        if ours_first:
            _run_ours(results, ours)
        if round_ == 0:
            times.extend(_probe(part, settings) for part in parts)
        else:
            for each in times:
                _run_again(each, settings)
        if not ours_first:
            _run_ours(results, ours)
        for name, floor in (floors or {}).items():
            bases[name].append(timed(floor)[0])
    return results


def together(results: Sequence[Contest]) -> Contest:
    """The sum of jobs that were measured against one rival in the same rounds."""
    ours = [sum(seconds) for seconds in zip(*(result.ours for result in results), strict=True)]
    return Contest(ours, None, results[0].parts, results[0].floors)


def _run_ours(results: Mapping[str, Contest], ours: Mapping[str, Run]) -> None:
    for name, run in ours.items():
        results[name].value = None
        seconds, results[name].value = timed(run)
        results[name].ours.append(seconds)


def _probe(part: Part, settings: Settings) -> PartTimes:
    """First round: run every setting once and keep the better one for the rounds to come."""
    probes: dict[str, float] = {}
    runs: dict[str, tuple[float, Any]] = {}
    for name, run in part.settings.items():
        runs[name] = timed(run)
        probes[name] = part.whole(runs[name][0], name)
        settings.report(f"{part.name}, {name}: {runs[name][0]:.3g} s")
    better = min(probes, key=lambda name: probes[name])
    measured, value = runs[better]
    return PartTimes(part, better, probes, [probes[better]], value, measured)


def _run_again(times: PartTimes, settings: Settings) -> None:
    if times.measured > settings.slow_seconds and len(times.seconds) >= SLOW_RUNS:
        return
    seconds, times.value = timed(times.part.settings[times.setting])
    times.seconds.append(times.part.whole(seconds, times.setting))
