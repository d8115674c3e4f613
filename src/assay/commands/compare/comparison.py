"""What a comparison found: the leaderboard, the winner, and what choosing it this way really costs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import catalog
from assay.commands.compare.verdict import BASELINE, beats_baseline, what_else, what_to_use
from assay.data import Schema
from assay.decision import Decision, Interval, LossMatrix
from assay.models.table.table_classifier import TableClassifier
from assay.notes import Note
from assay.notes.digits import percent, percent_range
from assay.notes.phrases import plural
from assay.numerics.blas import one_openmp_thread, single_threaded
from assay.plans import Plan
from assay.selection.combined import combine
from assay.selection.evaluation import Evaluation
from assay.selection.significance import significance
from assay.workbench.diagnosis.diagnose import Diagnosis
from assay.workbench.experiment.evaluate_candidate import CandidateResult
from assay.workbench.experiment.setup import ExperimentSetup
from assay.workbench.syntax.loss import read_loss
from assay.workbench.training_rows import fingerprint_of

Array = NDArray[np.float64]
CLEAR = 0.05  # p-value below which the tested rows tell two candidates apart


@dataclass(frozen=True)
class DifferenceTest:
    """A candidate's loss (its error, without costs) less another's, by a paired t-test over the tested rows.

    Beside it the other answers of `significance`: tests over splits and rows, and how probably it matters at all.
    """

    difference: float
    interval: tuple[float, float]
    p_value: float
    resampled_p: float | None = None  # corrected resampled t-test over the splits
    mcnemar_p: float | None = None
    better: float = 0.0  # probability to be better by more than `margin`
    same: float = 0.0
    worse: float = 0.0
    margin: float = 0.0
    kind: str = "unknown"  # as `Significance` has it
    simpler: bool = False
    verdict: str = ""

    @property
    def clear(self) -> bool:
        """Whether the rows show it to be worse than the other."""
        return self.p_value < CLEAR and self.difference > 0


@dataclass(frozen=True)
class LeaderboardRow:
    """One row of the leaderboard; figures of loss are those of the loss matrix, or errors without one.

    error, loss, log_loss and auc are nested; scored is what the best setting got on the same folds.
    """

    rank: int
    name: str
    title: str
    family: str
    setting: dict[str, Any]
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


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """The result of `compare`.

    Attributes
    ----------
    bench : ExperimentSetup
        The problem, plan and costs.
    results : dict of CandidateResult
        Best first.
    omitted : dict
        Candidates left out, and why.
    diagnosis : Diagnosis
        Leak suspects and dimension diagnostics.
    notes : tuple of str
    commands : tuple of str
        How to get this again.
    interrupted : bool
        Whether somebody stopped it; what had finished is here.
    folder : Path or None
    noise : str
        What the procedure scored on shuffled labels, where that was asked for.
    suspects : tuple of str
        Columns left out as leak suspects.
    with_suspects : Comparison or None
        The same comparison with these columns, on the same folds.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import compare
    >>> found = compare(load_iris(return_X_y=True), candidates=["baseline", "gaussian_nb", "fisher"])
    >>> [(standing.name, round(standing.error, 3)) for standing in found.leaderboard]
    [('fisher', 0.02), ('gaussian_nb', 0.053), ('baseline', 0.667)]
    """

    name: str
    bench: ExperimentSetup
    results: dict[str, CandidateResult]
    omitted: dict[str, str]
    diagnosis: Diagnosis
    notes: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    interrupted: bool = False
    folder: Path | None = None
    noise: str = ""
    suspects: tuple[str, ...] = ()
    with_suspects: Comparison | None = None
    _kept: dict[str, TableClassifier] = field(default_factory=dict)

    def __repr__(self) -> str:
        honest = self.honest
        return (
            f"<Comparison of {self.name}: {self.best_name} of {plural(len(self.results), 'candidate')}, "
            f"{plural(self.n_rows, 'row')}, "
            f"error {percent(honest.error)} % ({percent_range(honest.error_interval)})>"
        )

    # -- the question -------------------------------------------------------------------------------------

    @property
    def target(self) -> str:
        return self.bench.problem.target

    @property
    def classes(self) -> NDArray[Any]:
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
        return self.best_name if beats_baseline(self) else None

    @property
    def evaluations(self) -> dict[str, Evaluation]:
        """The nested evaluation of every candidate."""
        return {name: result.evaluation for name, result in self.results.items()}

    @cached_property
    def honest(self) -> Evaluation:
        """The whole procedure tested: in every fold the candidate and setting of least inner loss."""
        results = list(self.results.values())
        # Equal inner losses go to the simpler model, as the final choice does.
        results.sort(key=lambda result: catalog.names().index(result.name))
        inner = np.stack([r.inner[np.arange(len(r.chosen)), r.chosen] for r in results])
        took = inner.argmin(axis=0)
        return combine([results[i].evaluation for i in took])

    @property
    def honest_error(self) -> float:
        """Error of the procedure on rows that had no say in the choice."""
        return self.honest.error

    @property
    def optimism(self) -> float:
        """The procedure's loss less what the winner scored."""
        return self.honest.mean_loss() - self.results[self.best_name].scored

    @cached_property
    def best(self) -> TableClassifier:
        """The winner in its final setting, fitted to all rows."""
        return self.fit(self.best_name)

    def fit(self, name: str) -> TableClassifier:
        """A candidate in its final setting, fitted to all rows; it predicts under the comparison's priors."""
        if name not in self.results:
            raise ValueError(Note("C020", name=name, results=", ".join(self.results)))
        if name not in self._kept:
            problem = self.bench.problem
            model = self.bench.classifier(self.results[name].entry, self.results[name].setting)
            model.priors = None if self.priors is None else self.priors.tolist()
            labels = problem.classes[problem.codes]
            with (
                single_threaded(),
                one_openmp_thread(),
            ):  # the same bits as in the folds, for any machine load
                self._kept[name] = model.fit(
                    problem.features, labels, target=problem.target, sample_weight=problem.weight
                )
            fitted = self._kept[name]
            fitted.loss_ = self.loss
            if self.bench.fingerprint:
                fitted.fingerprint_ = fingerprint_of(fitted, problem)
        return self._kept[name]

    def predict(self, source: Any) -> NDArray[Any]:
        """Most probable class of each row of a new table, by the winner; costs are for `decide`."""
        return self.best.predict(source)

    def predict_proba(self, source: Any) -> Array:
        """Posteriors of the winner for a new table, (N, K), under the comparison's priors."""
        self._need_posteriors()
        return self.best.predict_proba(source)

    def decide(self, source: Any, loss: Any = None) -> Decision:
        """The winner's action of least expected loss for each row of a new table, under the comparison's priors.

        Parameters
        ----------
        loss : array, nested dict, table or text, optional
            ``loss[true, action]``; that of the comparison if not given.
        """
        self._need_posteriors()
        matrix = None if loss is None else read_loss(loss, self.classes)
        best: Any = self.best
        decision: Decision = best.decide(source, matrix)
        return decision

    def _need_posteriors(self) -> None:
        if "posterior" not in self.results[self.best_name].entry.capabilities:
            raise ValueError(
                Note(
                    "C021",
                    title=self.results[self.best_name].title,
                    calibrated_names=catalog.calibrated_names(),
                )
            )

    @cached_property
    def leaderboard(self) -> list[LeaderboardRow]:
        """Every candidate, best first."""
        return [self._standing(rank, each) for rank, each in enumerate(self.results.values(), 1)]

    def _standing(self, rank: int, result: CandidateResult) -> LeaderboardRow:
        found = result.evaluation
        return LeaderboardRow(
            rank=rank,
            name=result.name,
            title=result.title,
            family=result.entry.family,
            setting=result.setting,
            error=found.error,
            error_interval=_pair(found.error_interval),
            loss=found.mean_loss(),
            loss_interval=_pair(found.error_interval if self.loss is None else found.interval("loss")),
            scored=result.scored,
            optimism=result.optimism,
            log_loss=found.log_loss if found.probabilistic else None,
            auc=_auc(found),
            fit_seconds=result.fit_seconds,
            predict_seconds=result.predict_seconds,
            small_error=result.curve[0].error,
            small_rows=result.curve[0].rows,
            reading=result.entry.reading,
            interpretability=result.entry.interpretability,
            strategy=result.strategy,
            against_best=None if rank == 1 else self._against_best(result),
        )

    def _against_best(self, result: CandidateResult) -> DifferenceTest | None:
        """A candidate against the winner, both by their titles; with a word if it is the simpler one."""
        best = self.results[self.best_name]
        found = _against(result.evaluation, best.evaluation, (result.title, best.title))
        if found is None or found.clear or result.entry.complexity >= best.entry.complexity:
            return found
        return replace(
            found, simpler=True, verdict=f"{found.verdict.rstrip('.')}; {result.title} is simpler."
        )

    @cached_property
    def simplest(self) -> LeaderboardRow | None:
        """The simplest candidate that is clearly better than the baseline and not clearly worse than the winner.

        The winner itself where nothing is simpler; None if it is not clearly better than the baseline, or not
        recommended. Of equally simple ones the first on the leaderboard.
        """
        if self.recommended is None:
            return None
        found = [s for s in self.leaderboard if (s.rank == 1 or _near(s)) and self._beats_baseline(s.name)]
        if not found or found[0].rank != 1:
            return None
        return min(found, key=lambda standing: self.results[standing.name].entry.complexity)

    def _beats_baseline(self, name: str) -> bool:
        """Whether the tested rows show a candidate to be better than the baseline; True if that was not tried."""
        if name == BASELINE or BASELINE not in self.results:
            return name != BASELINE
        test = _against(self.evaluations[BASELINE], self.evaluations[name])
        return test is not None and test.clear

    @property
    def verdict(self) -> tuple[str, str]:
        """Two sentences: what to use and how wrong it will be, and what else would do."""
        return what_to_use(self), what_else(self)

    def report(self, path: Any) -> Path:
        """Write the report, one HTML file that needs no network."""
        import importlib

        # By name: the report lies above the workbench, which only hands itself over.
        return Path(importlib.import_module("assay.commands.compare.page.page").write(self, path))


def _near(standing: LeaderboardRow) -> bool:
    return standing.against_best is not None and not standing.against_best.clear


def _against(found: Evaluation, best: Evaluation, names: tuple[str, str] = ("", "")) -> DifferenceTest | None:
    """None where a single row was tested."""
    try:
        test = replace(significance(found, best), one=names[0], other=names[1])
    except ValueError:
        return None
    better, same, worse, margin = test.practical
    return DifferenceTest(
        difference=test.difference,
        interval=_pair(test.rows.interval),
        p_value=test.rows.p_value,
        resampled_p=None if test.splits is None else test.splits.p_value,
        mcnemar_p=None if test.mcnemar is None else test.mcnemar.p_value,
        better=better,
        same=same,
        worse=worse,
        margin=margin,
        kind=test.kind,
        verdict=test.verdict,
    )


def _auc(found: Evaluation) -> float | None:
    """The area, where both sides of every comparison have rows enough for its interval."""
    try:
        value = found.auc
    except ValueError:  # a class of one row
        return None
    return float(value) if np.isfinite(value) else None


def _pair(interval: Interval) -> tuple[float, float]:
    return float(interval.low), float(interval.high)
