"""Trying candidates one after the other, cheap ones first, until they are all tried or time or patience ends."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from assay.catalog import Entry, calibrated_names
from assay.models.base.validation import RangeError
from assay.workbench.experiment.candidates import why_not_applicable
from assay.workbench.experiment.evaluate_candidate import CandidateResult, evaluate_candidate
from assay.workbench.experiment.run_folder import RunFolder
from assay.workbench.experiment.setup import ExperimentSetup

Tell = Callable[[str, float], None]
LEAST_STEP = 0.03  # of a progress bar: cheap candidates end before the first per cent of the cost is spent


class OutOfTimeError(Exception):
    """The budget ended while a candidate was being tried."""


class NothingTriedError(ValueError):
    """No candidate has a result."""


class Runner:
    """Tries candidates one after the other, cheap ones first, until time or patience ends."""

    def __init__(
        self, setup: ExperimentSetup, folder: RunFolder | None, tell: Tell, budget: float | None, threads: int
    ) -> None:
        self.setup, self.folder, self.tell, self.threads = setup, folder, tell, threads
        self.budget, self.start = budget, time.monotonic()
        self.results: list[CandidateResult] = []
        self.omitted: dict[str, str] = {}
        self.interrupted = False
        self._late: set[str] = set()  # omitted for want of time

    def run(self, entries: list[Entry]) -> None:
        unfit = {entry.name: _unfit(entry, self.setup) for entry in entries}
        # What is not tried needs no matrix, which may be as large as the reason not to try it.
        costs = {entry.name: 0.0 if unfit[entry.name] else self._cost(entry) for entry in entries}
        shares, done = _shares(costs), 0.0
        try:
            # The baseline comes first: whatever is finished when patience ends can be held against it.
            for entry in sorted(entries, key=lambda entry: (entry.complexity > 0, costs[entry.name])):
                self._try(entry, unfit[entry.name], costs[entry.name], done, shares[entry.name])
                done += shares[entry.name]
        except KeyboardInterrupt:
            if not any(result.entry.complexity > 0 for result in self.results):
                raise  # of the baseline alone there is nothing to tell
            self.interrupted = True
            left = [e.name for e in entries if all(r.name != e.name for r in self.results)]
            self.omitted |= {
                name: "Interrupted before it was finished." for name in left if name not in self.omitted
            }
        if not self.results:
            raise NothingTriedError(self._nothing())
        if self.folder is not None:
            self.folder.keep_omitted(self.omitted)

    def _nothing(self) -> str:
        """Why there is no result at all."""
        if self.budget is not None and set(self.omitted) == self._late:
            return (
                f"The budget of {span(self.budget)} ended before any candidate was finished; give more time, or fewer "
                "candidates."
            )
        return f"No candidate could be tried: {' '.join(dict.fromkeys(self.omitted.values()))}"

    def _cost(self, entry: Entry) -> float:
        cost = entry.cost(self.setup.workload(entry))
        return cost if {"statistics", "counts"} & entry.capabilities else cost / self.threads

    @property
    def _left(self) -> float:
        return np.inf if self.budget is None else self.budget - (time.monotonic() - self.start)

    def _try(self, entry: Entry, unfit: str | None, cost: float, before: float, share: float) -> None:
        self.tell(entry.title, before)
        if self.folder is not None:
            kept = self.folder.load(entry.name, self.setup)
            if kept is not None:
                self.results.append(kept)
                self.folder.log(f"{entry.name}: taken from the interrupted run")
                return
        reason = unfit or self._too_long(entry, cost)
        if reason is None:
            reason = self._assess(entry, before, share)
        if reason is not None:
            self._omit(entry, reason)

    def _omit(self, entry: Entry, reason: str) -> None:
        self.omitted[entry.name] = reason
        if self.folder is not None:
            self.folder.keep_omitted(self.omitted)
            self.folder.log(f"{entry.name}: omitted. {reason}")

    def _too_long(self, entry: Entry, cost: float) -> str | None:
        left = self._left
        if cost <= left:
            return None
        assert self.budget is not None
        self._late.add(entry.name)
        if left <= 0:
            return f"The budget of {span(self.budget)} had ended before its turn."
        return (
            f"It would take about {span(cost)}, which is more than is left of the budget of {span(self.budget)} "
            f"({span(left)})."
        )

    def _assess(self, entry: Entry, before: float, share: float) -> str | None:
        reached = 0.0

        def progress(label: str, done: int, of: int) -> None:
            nonlocal reached
            if self._left < 0:
                raise OutOfTimeError
            reached = max(
                reached, min(done / of, 1.0)
            )  # a candidate has several stages, and each counts its own
            self.tell(entry.title, before + share * reached)

        start = time.monotonic()
        try:
            result = evaluate_candidate(entry, self.setup, progress)
        except OutOfTimeError:
            assert self.budget is not None
            self._late.add(entry.name)
            return f"The budget of {span(self.budget)} ended before it was finished."
        except RangeError as error:  # trees are at home where squares overflow or vanish
            return f"It cannot learn from this table: {error.named(self.setup.design_names(entry))}"
        except ValueError as error:
            if not entry.home.startswith("sklearn."):
                raise
            # What another library cannot take is no reason to give up the candidates that can.
            return f"It cannot learn from this table: {' '.join(str(error).split())}"
        self.results.append(result)
        if self.folder is not None:
            self.folder.store(result)
            self.folder.log(f"{entry.name}: finished in {span(time.monotonic() - start)}")
        return None


def _unfit(entry: Entry, setup: ExperimentSetup) -> str | None:
    """Why a candidate cannot answer this question, or is not for this table; else None."""
    if reason := why_not_applicable(entry, setup.problem.features.schema):
        return reason
    if entry.unsuited is not None:
        reason = entry.unsuited(setup.problem.features.schema)
        if reason is not None:
            return reason
    if setup.loss is not None and "posterior" not in entry.capabilities:
        classes = {action for action in setup.loss.class_of_action.tolist() if action >= 0}
        if len(classes) < len(setup.problem.classes) or -1 in setup.loss.class_of_action:
            return f"It gives no probabilities, which actions that are no classes need; {calibrated_names()} does."
    if setup.priors is not None and "posterior" not in entry.capabilities:
        return f"It gives no probabilities, which other priors need; {calibrated_names()} does."
    return None


def _shares(costs: dict[str, float]) -> dict[str, float]:
    """The part of a progress bar for each candidate: its part of the cost, and a step that can be seen at least."""
    total = sum(costs.values()) or 1.0  # nothing at all, where no candidate can be tried
    seen = {name: max(cost, LEAST_STEP * total) for name, cost in costs.items()}
    return {name: cost / sum(seen.values()) for name, cost in seen.items()}


def span(seconds: float) -> str:
    """A span of time for people.

    >>> span(0.001), span(0.2), span(75), span(7300)
    ('1 ms', '0.2 s', '75 s', '2.0 h')
    """
    if seconds < 0.1:
        return f"{1e3 * seconds:.2g} ms"
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
