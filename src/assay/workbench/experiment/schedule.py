"""Evaluates candidates one after the other, cheap ones first, until all are done, time is up or a user stops it."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace

from assay.catalog import ModelCard, calibrated_names
from assay.engines.progress import ShareProgress
from assay.models.base.card import MOST_COMPLEX
from assay.models.base.own_card import OwnCard
from assay.models.base.validation import RangeError
from assay.notes import Note
from assay.notes.numbers import format_duration
from assay.numerics.interrupt import also_stop_with
from assay.workbench.experiment.candidates import why_not_applicable
from assay.workbench.experiment.evaluate_candidate import CandidateResult, evaluate_candidate
from assay.workbench.experiment.pilot import Clock, Pilot, TooLongError, time_bound
from assay.workbench.experiment.procedure import ranked
from assay.workbench.experiment.run_folder import RunFolder
from assay.workbench.experiment.setup import ExperimentSetup

# Codes of reasons that a further run removes.
OUT_OF_TIME = frozenset({"C150", "C151", "C152"})
CUT_OFF = frozenset({"C153", "C154"})
REFITTED = 5.0  # times the part of a progress bar that a candidate has whose folds share their work


class OutOfTimeError(Exception):
    """The budget ended while a candidate was being evaluated."""


@dataclass(frozen=True)
class Deadline:
    """Where the budget ends: compiled loops stop there, too."""

    clock: Clock
    end: float

    def is_set(self) -> bool:
        return self.clock() > self.end


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
    ) -> None:
        self.setup, self.folder, self.progress, self.threads = setup, folder, progress, threads
        self.budget, self.clock = budget, clock
        self.deadline = None if budget is None else Deadline(clock, clock() + budget)
        self.results: list[CandidateResult] = []
        self.omitted: dict[str, str] = {}
        self.interrupted = False
        self._late: set[str] = set()  # omitted for lack of time

    def run(self, entries: list[ModelCard]) -> None:
        unsuited = {entry.name: _why_unsuited(entry, self.setup) for entry in entries}
        # A candidate that is not evaluated needs no matrix, which may be as large as the reason to omit it.
        bounds = {entry.name: 0.0 if unsuited[entry.name] else self._bound(entry) for entry in entries}
        steps, done = _steps(bounds), 0.0
        try:
            # Whatever is finished after an interruption can be compared with the baseline.
            for entry in sorted(entries, key=lambda entry: (_stage(entry), bounds[entry.name])):
                self._try(entry, unsuited[entry.name], bounds[entry.name], done, steps[entry.name])
                done += steps[entry.name]
        except KeyboardInterrupt:
            if not any(result.entry.complexity > 0 for result in self.results):
                raise  # the baseline alone is not a result
            self.interrupted = True
            left = [entry.name for entry in entries if all(r.name != entry.name for r in self.results)]
            self.omitted |= {name: Note("C153") for name in left if name not in self.omitted}
        if not self.results:
            raise NoCandidateError(self._why_no_result())
        if self.folder is not None:
            self.folder.keep_omitted(self.omitted)

    def _why_no_result(self) -> Note:
        if self.budget is not None and set(self.omitted) == self._late:
            return Note("C155", budget=self.budget)
        return Note("C156", reasons=tuple(dict.fromkeys(self.omitted.values())))

    def _bound(self, entry: ModelCard) -> float:
        return time_bound(entry, self.setup.workload(entry))

    @property
    def _left(self) -> float:
        return math.inf if self.deadline is None else self.deadline.end - self.clock()

    def _try(self, entry: ModelCard, unsuited: str | None, bound: float, before: float, step: float) -> None:
        self.progress(entry.title, before)
        if self.folder is not None:
            stored = self.folder.load(entry, self.setup)
            if stored is not None:
                self.results.append(stored)
                self.folder.log(f"{entry.name}: taken from the interrupted run")
                return
        reason = unsuited or self._too_late(entry)
        if reason is None:
            reason = self._evaluate(entry, bound, before, step)
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
        self._late.add(entry.name)
        return Note("C151", budget=self.budget)

    def _evaluate(self, entry: ModelCard, bound: float, before: float, step: float) -> Note | None:
        """Evaluate a candidate; why it has no result, if it has none."""
        left, start = self._left, self.clock()
        try:
            with nullcontext() if self.deadline is None else also_stop_with(self.deadline):
                result = self._timed(entry, bound, before, step)
        except TooLongError as error:
            self._late.add(entry.name)
            return Note("C152", needed=error.needed, left=left, budget=self.budget)
        except OutOfTimeError:
            self._late.add(entry.name)
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
            self.folder.log(f"{entry.name}: finished in {format_duration(self.clock() - start)}")
        return None

    def _timed(self, entry: ModelCard, bound: float, before: float, step: float) -> CandidateResult:
        """The evaluation of a candidate, which ends with the budget, or after a pilot that shows it to be too long."""
        pilot = Pilot(self._left, self.threads, self.clock) if bound > self._left else None
        reached = 0.0

        def progress(label: str, done: int, of: int) -> None:
            nonlocal reached
            if self._left < 0:
                raise OutOfTimeError
            if pilot is not None:
                pilot(done, of)
            reached = max(
                reached, min(done / of, 1.0)
            )  # a candidate has stages, and each of them starts at 0
            self.progress(entry.title, before + step * reached)

        try:
            return evaluate_candidate(entry, self.setup, progress)
        except KeyboardInterrupt:  # of the deadline, inside a compiled loop, or of a user
            if self._left < 0:
                raise OutOfTimeError from None
            raise

    def _keep(self, result: CandidateResult) -> None:
        """Add a result. Only the best one keeps its fitted model, which may hold all rows; others can be refitted."""
        self.results.append(result)
        best = next(iter(ranked(self.results)))
        self.results = [
            candidate if candidate.name == best else replace(candidate, model=None)
            for candidate in self.results
        ]


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
    if setup.priors is None:
        return None
    return Note("C159", calibrated=calibrated_names()) if ours else Note("C411")


def _stage(entry: ModelCard) -> int:
    """The baseline comes first; estimators of which nobody knows what they will take come last."""
    return 0 if entry.complexity == 0 else 1 + (entry.complexity == MOST_COMPLEX)


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
