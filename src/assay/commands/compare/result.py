"""The record of a comparison: leaderboard, difference tests, nested estimate, and which candidate to use.

Text, page, JSON and notebook read it; `Comparison` adds what can be done with the winner.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from assay.catalog import ModelCard
from assay.commands.compare.difference import DifferenceTest, difference_test
from assay.data import Schema
from assay.decision import Interval, LossMatrix
from assay.decision.metrics import Metric
from assay.models.table.table_classifier import TableClassifier
from assay.notes import Note, as_note
from assay.plans import Plan
from assay.selection.evaluation import Evaluation
from assay.selection.metric_rows import estimate_of
from assay.types import Array, Labels
from assay.workbench.diagnosis.diagnose import Diagnosis
from assay.workbench.experiment.evaluate_candidate import CandidateResult
from assay.workbench.experiment.procedure import BASELINE, baseline_evaluation, nested_estimate
from assay.workbench.experiment.setup import ExperimentSetup

ROUNDING = 1e-12  # of a mean over the same rows in another order


@dataclass(frozen=True)
class ShownMetric:
    """A nested metric with its interval; None where it is not defined."""

    title: str
    value: float | None
    interval: tuple[float, float] | None


@dataclass(frozen=True)
class LeaderboardRow:
    """One row of the leaderboard; losses are those of the loss matrix, or errors without one.

    error, loss, log_loss and auc are nested; scored is the CV loss of the final setting, and optimism its selection
    bias.
    """

    rank: int
    name: str
    title: str
    family: str
    setting: dict[str, object]
    error: float
    error_interval: tuple[float, float]
    loss: float
    loss_interval: tuple[float, float]
    scored: float
    optimism: float
    log_loss: float | None
    auc: float | None
    fit_seconds: float
    predict_seconds: float
    small_error: float  # with the smallest training set of the learning curve
    small_rows: int
    reading: str
    interpretability: str
    strategy: str
    against_best: DifferenceTest | None
    sample_rows: int | None = None  # trained on a sample of so many rows
    metrics: dict[str, ShownMetric] = field(default_factory=dict)  # by name, those that are shown

    @property
    def close_to_best(self) -> bool:
        """Whether the comparison with the winner does not conclude that it is worse."""
        return self.against_best is not None and not self.against_best.clear


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonResult:
    """What a comparison found; the attributes are described in `Comparison`."""

    name: str
    bench: ExperimentSetup
    results: dict[str, CandidateResult]
    omitted: dict[str, str]
    diagnosis: Diagnosis
    notes: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    interrupted: bool = False
    folder: Path | None = None
    kept: bool = False
    noise: str = ""
    suspects: tuple[str, ...] = ()
    with_suspects: ComparisonResult | None = None
    fitted: dict[str, TableClassifier] = field(default_factory=dict)

    # -- the question -------------------------------------------------------------------------------------

    @property
    def target(self) -> str:
        return self.bench.problem.target

    @property
    def classes(self) -> Labels:
        return self.bench.problem.classes

    @property
    def schema(self) -> Schema:
        """The columns that may be learned from."""
        return self.bench.problem.features.schema

    @property
    def n_rows(self) -> int:
        return self.bench.problem.features.n_rows

    @property
    def plan(self) -> Plan:
        return self.bench.plan

    @property
    def loss(self) -> LossMatrix | None:
        return self.bench.loss

    @property
    def metric(self) -> Metric | None:
        """What candidates are chosen by, in place of the loss."""
        return self.bench.metrics.metric

    @property
    def priors(self) -> Array | None:
        return self.bench.priors

    @property
    def random_state(self) -> int:
        return self.bench.random_state

    # -- the answer ---------------------------------------------------------------------------------------

    @property
    def best_name(self) -> str:
        return next(iter(self.results))

    @cached_property
    def recommended(self) -> str | None:
        """The candidate to use: the best one, None where the nested loss of the choice is not below the baseline's."""
        return self.best_name if self._choice_beats_baseline() else None

    @property
    def sampled(self) -> Note | None:
        """Which candidates are trained on a sample."""
        samples = tuple(result.label for result in self.results.values() if result.sample_rows is not None)
        return Note("C192", samples=samples, total=self.n_rows) if samples else None

    def omitted_by(self, codes: Collection[str]) -> list[str]:
        """Candidates that were omitted for a reason of these codes."""
        return [name for name, reason in self.omitted.items() if as_note(reason).code in codes]

    @property
    def cards(self) -> list[ModelCard]:
        """What the candidates are, best first."""
        return [result.entry for result in self.results.values()]

    @property
    def evaluations(self) -> dict[str, Evaluation]:
        """The nested evaluation of every candidate."""
        return {name: result.evaluation for name, result in self.results.items()}

    @cached_property
    def baseline(self) -> Evaluation:
        """The baseline's evaluation on the same folds, also where it was not among the candidates."""
        found = self.results.get(BASELINE)
        return baseline_evaluation(self.bench) if found is None else found.evaluation

    @cached_property
    def nested(self) -> Evaluation:
        """The nested estimate of the whole procedure: in every fold the candidate and setting of least inner loss."""
        return nested_estimate(self.results.values())

    @property
    def nested_error(self) -> float:
        """Error rate of the procedure on rows that took no part in the choice."""
        return self.nested.error

    @property
    def optimism(self) -> float:
        """Selection bias: the nested loss less the CV loss of the winner."""
        return self.nested.mean_loss() - self.results[self.best_name].final_cv_loss

    @cached_property
    def leaderboard(self) -> list[LeaderboardRow]:
        """Every candidate, best first."""
        return [self._row(rank, result) for rank, result in enumerate(self.results.values(), 1)]

    @cached_property
    def simplest(self) -> LeaderboardRow | None:
        """The simplest candidate that is clearly better than the baseline and not clearly worse than the winner.

        The winner itself where nothing is simpler; None if it is not clearly better than the baseline, or not
        recommended. Of equally simple ones the first on the leaderboard.
        """
        if self.recommended is None:
            return None
        rows = [row for row in self.leaderboard if row.rank == 1 or row.close_to_best]
        rows = [row for row in rows if self._beats_baseline(row.name)]
        if not rows or rows[0].rank != 1:
            return None
        return min(rows, key=lambda row: self.results[row.name].entry.complexity)

    def _choice_beats_baseline(self) -> bool:
        """Whether the nested loss of the choice is below the baseline's."""
        baseline, choice = self.baseline.mean_loss(), self.nested.mean_loss()
        return self.best_name != BASELINE and baseline - choice > ROUNDING * max(abs(baseline), 1.0)

    def _beats_baseline(self, name: str) -> bool:
        """Whether the tested rows show a candidate to be better than the baseline."""
        if name == BASELINE:
            return False
        test = difference_test(self.baseline, self.evaluations[name])
        return test is not None and test.significant

    def _row(self, rank: int, result: CandidateResult) -> LeaderboardRow:
        evaluation = result.evaluation
        by_error = self.loss is None and self.metric is None
        interval = evaluation.error_interval if by_error else evaluation.interval("loss")
        return LeaderboardRow(
            rank=rank,
            name=result.name,
            title=result.title,
            family=result.entry.family,
            setting=result.setting,
            error=evaluation.error,
            error_interval=_pair(evaluation.error_interval),
            loss=evaluation.mean_loss(),
            loss_interval=_pair(interval),
            scored=result.final_cv_loss,
            optimism=result.selection_bias,
            log_loss=evaluation.log_loss if evaluation.probabilistic else None,
            auc=_auc(evaluation),
            fit_seconds=result.fit_seconds,
            predict_seconds=result.predict_seconds,
            small_error=result.curve[0].error,
            small_rows=result.curve[0].rows,
            reading=result.entry.reading,
            interpretability=result.entry.interpretability,
            strategy=result.strategy,
            against_best=None if rank == 1 else self._against_best(result),
            sample_rows=result.sample_rows,
            metrics={metric.name: _shown(evaluation, metric) for metric in self.bench.metrics.shown},
        )

    def _against_best(self, result: CandidateResult) -> DifferenceTest | None:
        """A candidate against the winner, both by their titles; with a note if it is the simpler one."""
        best = self.results[self.best_name]
        test = difference_test(result.evaluation, best.evaluation, (result.title, best.title))
        if test is None or test.clear or result.entry.complexity >= best.entry.complexity:
            return test
        return test.with_simpler(result.title)


def _shown(evaluation: Evaluation, metric: Metric) -> ShownMetric:
    if metric.reads == "posterior" and not evaluation.probabilistic:
        return ShownMetric(metric.title, None, None)
    value, _, interval = estimate_of(evaluation, metric)
    if not np.isfinite(value):
        return ShownMetric(metric.title, None, None)
    return ShownMetric(metric.title, float(value), _pair(interval))


def _auc(evaluation: Evaluation) -> float | None:
    """The area, where both sides of every comparison have rows enough for its interval."""
    try:
        value = evaluation.auc
    except ValueError:  # a class of one row
        return None
    return float(value) if np.isfinite(value) else None


def _pair(interval: Interval) -> tuple[float, float]:
    return float(interval.low), float(interval.high)
