"""What a candidate will take: at most, by counting operations; else about, by its first fits on this machine.

Candidates whose folds share their work have a bound: rows, columns, classes and settings say how much there is to do at
the most. Whoever is refitted has none. A candidate whose bound exceeds its share of the budget starts with a pilot: the
first fits of its evaluation are timed. Where all of them together would take longer than that, the evaluation ends
there; otherwise it goes on, and these fits are a part of it. One that takes several times as long as expected is
stopped.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from assay.catalog import ModelCard

Clock = Callable[[], float]

# On a slow core, and generously: a bound that is too large costs nothing but a look at the clock.
PER_OPERATION = 2e-9  # seconds
PER_MODEL = 2e-3  # seconds of each model's calls, however small the table
PASSES = 100  # over the rows, that an iterative solver needs for a model
WARM_UP = 2.0  # seconds of a first fit that the others do not take: libraries are loaded, processes started
ENOUGH = 5.0, 0.1  # a pilot lasts so many seconds, and no longer than this proportion of the time left


PATIENCE = 0.5  # proportion of its share within which a candidate shows how long it will take
UNSEEN = 6.0  # times as long as it had is what a candidate is taken to need whose first fit did not end
OVERRUN = 3.0  # times its forecast, and its share, after which a candidate is stopped


class TooLongError(Exception):
    """A candidate would take, or takes, longer than its share of the time: `needed` seconds."""

    def __init__(self, needed: float) -> None:
        super().__init__(needed)
        self.needed = needed


class OverrunError(TooLongError):
    """A candidate took several times as long as it was expected to: `forecast` seconds."""

    def __init__(self, taken: float, forecast: float) -> None:
        super().__init__(2.0 * taken)
        self.taken, self.forecast = taken, forecast


@dataclass
class Deadline:
    """A time at which compiled loops stop, too."""

    clock: Clock
    end: float

    def is_set(self) -> bool:
        return self.clock() > self.end


@dataclass(frozen=True)
class Workload:
    """What a nested evaluation has to do.

    width is that of the encoded matrix, filled the number of its entries that are not 0; models are those of the outer
    splits and of the inner ones.
    """

    rows: int
    width: int
    filled: int
    classes: int
    splits: int
    settings: int
    models: int


def time_bound(entry: ModelCard, work: Workload) -> float:
    """Seconds that a nested evaluation takes at most; infinite where every model is fitted by itself."""
    operations = math.inf if entry.foreign else _operations(entry.capabilities, work)
    return operations * PER_OPERATION + work.settings * work.models * work.classes * PER_MODEL


def _operations(capabilities: frozenset[str], w: Workload) -> float:
    """Multiplications of all folds together, by what they share."""
    columns = w.width + 1
    entries = w.filled + w.rows
    each = w.settings * w.models * w.classes
    if "statistics" in capabilities:  # scatter once; a factorisation per model; a quadratic form per score
        scores = w.settings * w.splits * w.classes * w.rows * columns**2
        return float(entries * columns + each * columns**3 + scores)
    if "counts" in capabilities:  # counts once; a table of logarithms per model; a sum per score
        return float(entries * w.splits * (1 + w.settings * w.classes) + each * columns)
    if "path" in capabilities:
        return float(each * (PASSES * entries + (columns * w.classes) ** 3))
    if "neighbors" in capabilities:  # all pairs of rows in each split
        return float(w.splits * w.rows**2 * (columns + w.settings))
    if "gram" in capabilities:  # all pairs of rows for each model
        return float(each * w.rows**2 * (columns + PASSES))
    return math.inf


@dataclass
class Pilot:
    """Times the first fits of an evaluation, and ends it by a `TooLongError` if the rest would take too long.

    It hears of progress. An evaluation has stages, each of which reports its own numbers (done, total); what a stage
    will take is the least that the evaluation does.
    """

    left: float
    threads: int
    clock: Clock
    stage: _Stage | None = field(default=None, init=False)
    over: bool = field(default=False, init=False)
    needed: float = field(default=0.0, init=False)  # as far as it is known

    def __post_init__(self) -> None:
        self.start = self.clock()

    def __call__(self, done: int, total: int) -> None:
        """So many of the parts of the current stage are done."""
        if self.over:
            return
        now = self.clock() - self.start
        if self.stage is None:
            self.stage = _Stage(0.0)
        elif not self.stage.goes_on(done, total):
            self.stage = _Stage(self.stage.last)
        stage = self.stage
        stage.hear(now, done, total)
        self.needed = stage.forecast(self.threads)
        if self.needed > self.left:
            raise TooLongError(self.needed)
        seconds, share = ENOUGH
        self.over = stage.reports > self.threads and now - stage.first >= min(seconds, share * self.left)


@dataclass
class _Stage:
    """Reports of one stage: when the first and the last came, in seconds since the evaluation began."""

    begin: float
    first: float = 0.0
    last: float = 0.0
    reports: int = 0
    done: int = 0
    total: int = 0

    def goes_on(self, done: int, total: int) -> bool:
        """Whether a report is about this stage."""
        return total == self.total and done > self.done

    def hear(self, now: float, done: int, total: int) -> None:
        self.reports += 1
        self.first = self.first if self.reports > 1 else now
        self.last, self.done, self.total = now, done, total

    def forecast(self, threads: int) -> float:
        """Seconds from the beginning of the evaluation to the end of the stage."""
        parts = self.reports * self.total / self.done if self.done else 1.0
        if self.reports > threads:  # several are under way at a time, and the first ones end together
            return self.last + (parts - self.reports) * (self.last - self.first) / (self.reports - 1)
        usual = max(self.first - self.begin - WARM_UP, 0.0)
        return self.first + max(math.ceil(parts / threads) - 1, 0) * usual
