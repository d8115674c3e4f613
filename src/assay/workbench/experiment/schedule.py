"""Evaluates candidates one after the other until all are done, time is up or a user stops it.

Quick ones come first, then strong all-rounders. A candidate that does not fit into its share of the budget is trained
on a sample of the rows.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace

from assay.catalog import ModelCard, calibrated_names
from assay.engines.progress import ShareProgress
from assay.models.base.own_card import OwnCard
from assay.models.base.validation import RangeError
from assay.notes import Note, as_note
from assay.notes.numbers import format_duration
from assay.numerics.interrupt import also_stop_with
from assay.workbench.experiment.candidates import why_not_applicable
from assay.workbench.experiment.evaluate_candidate import CandidateResult, evaluate_candidate
from assay.workbench.experiment.pilot import (
    OVERRUN,
    PATIENCE,
    UNSEEN,
    Clock,
    Deadline,
    OverrunError,
    Pilot,
    TooLongError,
    time_bound,
)
from assay.workbench.experiment.procedure import ranked
from assay.workbench.experiment.run_folder import RunFolder
from assay.workbench.experiment.setup import ExperimentSetup
from assay.workbench.experiment.time_shares import sample_size, time_share, work_order

# Codes of reasons that a further run removes.
OUT_OF_TIME = frozenset({"C150", "C151", "C152", "C198"})
CUT_OFF = frozenset({"C153", "C154"})
REFITTED = 5.0  # times the part of a progress bar that a candidate has whose folds share their work


class OutOfTimeError(Exception):
    """The budget ended while a candidate was being evaluated."""


Finished = Callable[[CandidateResult], None]  # hears of each candidate that has a result
LATE = 1.2  # times the budget, from which on a run says that it took longer


class NoCandidateError(ValueError):
    """No candidate has a result."""


class Schedule:
    """The candidates of one run: their results, and why others were omitted."""

    def __init__(
        self,
        setup: ExperimentSetup,
        folder: RunFolder | None,
        progress: ShareProgress,
        budget: float | None,
        threads: int,
        clock: Clock = time.monotonic,
        finished: Finished | None = None,
    ) -> None:
        self.setup, self.folder, self.progress, self.threads = setup, folder, progress, threads
        self.budget, self.clock, self.finished = budget, clock, finished
        self.deadline = None if budget is None else Deadline(clock, clock() + budget)
        self.results: list[CandidateResult] = []
        self.omitted: dict[str, str] = {}
        self.notes: tuple[Note, ...] = ()
        self.interrupted = False
        self._bounds: dict[str, float] = {}
        self._to_come: list[ModelCard] = []  # the candidate that is evaluated, and those after it

    def run(self, entries: list[ModelCard]) -> None:
        start = self.clock()
        unsuited = {entry.name: _why_unsuited(entry, self.setup) for entry in entries}
        # A candidate that is not evaluated needs no matrix, which may be as large as the reason to omit it.
        self._bounds = {
            entry.name: 0.0 if unsuited[entry.name] or self._is_stored(entry) else self._bound(entry)
            for entry in entries
        }
        steps, done = _steps(self._bounds), 0.0
        in_turn = sorted(entries, key=lambda entry: work_order(entry, self._bounds[entry.name]))
        try:
            # Whatever is finished after an interruption can be compared with the baseline.
            for place, entry in enumerate(in_turn):
                self._to_come = in_turn[place:]
                self._try(entry, unsuited[entry.name], done, steps[entry.name])
                done += steps[entry.name]
        except KeyboardInterrupt:
            if not any(result.entry.complexity > 0 for result in self.results):
                raise  # the baseline alone is not a result
            self.interrupted = True
            left = [entry.name for entry in entries if all(r.name != entry.name for r in self.results)]
            self.omitted |= {name: Note("C153") for name in left if name not in self.omitted}
        if not self.results:
            raise NoCandidateError(self._why_no_result())
        if self.budget is not None and (taken := self.clock() - start) > LATE * self.budget:
            self.notes = (Note("C199", budget=self.budget, taken=taken),)
        if self.folder is not None:
            self.folder.keep_omitted(self.omitted)

    def _why_no_result(self) -> Note:
        if self.budget is not None and all(
            as_note(reason).code in OUT_OF_TIME for reason in self.omitted.values()
        ):
            return Note("C155", budget=self.budget)
        return Note("C156", reasons=tuple(dict.fromkeys(self.omitted.values())))

    def _is_stored(self, entry: ModelCard) -> bool:
        return self.folder is not None and self.folder.has(entry.name)

    def _bound(self, entry: ModelCard) -> float:
        return time_bound(entry, self.setup.workload(entry))

    @property
    def _left(self) -> float:
        return math.inf if self.deadline is None else self.deadline.end - self.clock()

    def _try(self, entry: ModelCard, unsuited: str | None, before: float, step: float) -> None:
        self.progress(entry.title, before)
        if self.folder is not None:
            stored = self.folder.load(entry, self.setup)
            if stored is not None:
                self._keep(stored)
                self.folder.log(f"{entry.name}: taken from the interrupted run")
                return
        reason = unsuited or self._too_late(entry)
        if reason is None:
            reason = self._evaluate(entry, before, step)
        if reason is not None:
            self._omit(entry, reason)

    def _omit(self, entry: ModelCard, reason: str) -> None:
        self.omitted[entry.name] = reason
        if self.folder is not None:
            self.folder.keep_omitted(self.omitted)
            self.folder.log(f"{entry.name}: omitted. {reason}")

    def _too_late(self, entry: ModelCard) -> Note | None:
        if self._left > 0:
            return None
        return Note("C151", budget=self.budget)

    def _evaluate(self, entry: ModelCard, before: float, step: float) -> Note | None:
        """Evaluate a candidate; why it has no result, if it has none."""
        left, start = self._left, self.clock()
        try:
            with nullcontext() if self.deadline is None else also_stop_with(self.deadline):
                result = self._within_share(entry, before, step)
        except OverrunError as error:
            return Note("C198", forecast=error.forecast, taken=error.taken, budget=self.budget)
        except TooLongError as error:
            return Note("C152", needed=error.needed, left=left, budget=self.budget)
        except OutOfTimeError:
            return Note("C150", budget=self.budget)
        except RangeError as error:  # trees can be trained where squares overflow or vanish
            return Note("C157", reason=error.named(self.setup.design_names(entry)))
        except Exception as error:
            if not entry.foreign:
                raise
            # What another library rejects, or a user's own code raises, is no reason to give up the other candidates.
            return _why_raised(error)
        self._keep(result)
        if self.folder is not None:
            self.folder.store(result)
            rows = "" if result.sample_rows is None else f", trained on {result.sample_rows} rows"
            self.folder.log(f"{entry.name}: finished in {format_duration(self.clock() - start)}{rows}")
        return None

    def _within_share(self, entry: ModelCard, before: float, step: float) -> CandidateResult:
        """The evaluation of a candidate, on as many of the training rows as its share of the time left allows."""
        start, rows, sample = self.clock(), self.setup.problem.features.n_rows, None
        share = time_share(self._left, self._to_come, [self._bounds[other.name] for other in self._to_come])
        while True:
            smallest = sample_size(rows, math.inf, 1.0) is None
            rest = max(share - (self.clock() - start), 0.5 * share)
            try:
                return self._timed(entry, rest, self._left if smallest else rest, sample, before, step)
            except TooLongError as error:
                rest = max(share - (self.clock() - start), 0.5 * share)
                smaller = sample_size(rows, error.needed, rest)
                if smaller is None:
                    raise
                rows = sample = smaller

    def _timed(
        self, entry: ModelCard, share: float, most: float, sample: int | None, before: float, step: float
    ) -> CandidateResult:
        """The evaluation of a candidate, which ends with the budget, or as soon as it is known to take too long.

        share : seconds that are its own, after which it is stopped if it takes far longer than expected
        most : seconds that it may be expected to take
        """
        start, bound = self.clock(), self._bounds[entry.name]
        pilot = Pilot(most, self.threads, self.clock) if bound > most else None
        forecast = bound if pilot is None else most
        # Solvers of all folds together report nothing before the end; on a sample they are given their time.
        impatient = pilot is not None and sample is None
        limit = Deadline(
            self.clock, start + (PATIENCE * most if impatient else max(share, OVERRUN * forecast))
        )
        reached = 0.0

        def progress(label: str, done: int, of: int) -> None:
            nonlocal reached
            if self._left < 0:
                raise OutOfTimeError
            if pilot is not None:
                pilot(done, of)
                limit.end = start + max(share, OVERRUN * pilot.needed)
            if limit.is_set():
                raise self._too_long(pilot, bound, start)
            # A candidate has stages, and each of them starts at 0.
            reached = max(reached, min(done / of, 1.0))
            self.progress(entry.title, before + step * reached)

        try:
            with also_stop_with(limit):
                return evaluate_candidate(entry, self.setup, progress, sample)
        except KeyboardInterrupt:  # of the deadline, of the limit, inside a compiled loop, or of a user
            if self._left < 0:
                raise OutOfTimeError from None
            if limit.is_set():
                raise self._too_long(pilot, bound, start) from None
            raise

    def _too_long(self, pilot: Pilot | None, bound: float, start: float) -> TooLongError:
        """Why a candidate was stopped: its first fit took too long, or it took far longer than expected."""
        taken = self.clock() - start
        forecast = bound if pilot is None else pilot.needed
        return OverrunError(taken, forecast) if forecast else TooLongError(UNSEEN * taken)

    def _keep(self, result: CandidateResult) -> None:
        """Add a result. Only the best one keeps its fitted model, which may hold all rows; others can be refitted."""
        self.results.append(result)
        best = next(iter(ranked(self.results)))
        self.results = [
            candidate if candidate.name == best else replace(candidate, model=None)
            for candidate in self.results
        ]
        if self.finished is not None:
            self.finished(result)


def _why_unsuited(entry: ModelCard, setup: ExperimentSetup) -> str | None:
    """Why a candidate cannot answer this question, or is not for this table; else None."""
    schema = setup.problem.features.schema
    reason: str | None = why_not_applicable(entry, schema)
    if reason is None and entry.unsuited is not None:
        reason = entry.unsuited(setup.problem.features)
    if reason is not None:
        return reason
    if "posterior" in entry.capabilities:
        return None
    ours = not isinstance(entry, OwnCard)
    if setup.loss is not None:
        classes = {action for action in setup.loss.class_of_action.tolist() if action >= 0}
        if len(classes) < len(setup.problem.classes) or -1 in setup.loss.class_of_action:
            return Note("C158", calibrated=calibrated_names()) if ours else Note("C410")
    metric = setup.metrics.metric
    if metric is not None and metric.reads != "decisions":
        calibrated = {"calibrated": calibrated_names()} if ours else {}
        return Note("C201" if ours else "C202", values=calibrated, metric=metric.title)
    if setup.priors is None:
        return None
    return Note("C159", calibrated=calibrated_names()) if ours else Note("C411")


def _why_raised(error: Exception) -> Note:
    """Why a candidate of another library has no result."""
    reason = " ".join(str(error).split())
    if isinstance(error, ValueError):
        return Note("C157", reason=reason)
    return Note("C412", kind=type(error).__name__, reason=reason)


def _steps(bounds: Mapping[str, float]) -> dict[str, float]:
    """Each candidate's part of a progress bar: refitted ones take longer."""
    parts = {name: REFITTED if math.isinf(bound) else 1.0 for name, bound in bounds.items()}
    return {name: part / sum(parts.values()) for name, part in parts.items()}
