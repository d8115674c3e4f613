"""Many models under three plans, one call a plan, and the figures side by side."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.plans import Bootstrap, KFold, LeaveOneOut, Plan
from assay.selection.criteria import Criteria, criteria
from assay.selection.evaluate import evaluate
from assay.selection.evaluation import Evaluation

Report = Callable[[str, float], None]  # what is being done, and the share of the section that is done
PLANS: dict[str, Plan] = {"10-fold": KFold(10), "leave-one-out": LeaveOneOut(), "bootstrap": Bootstrap(200)}


@dataclass(frozen=True)
class Candidate:
    """A model with the name it is shown under.

    `by_likelihood` says that its fit maximises a likelihood, so that AIC and BIC mean something.
    """

    name: str
    model: Any
    by_likelihood: bool = True


@dataclass(frozen=True)
class Comparison:
    """Error of one model less that of another on the same folds: corrected resampled t-test."""

    name: str
    other: str
    difference: float
    interval: tuple[float, float]
    p_value: float

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out zero."""
        return not self.interval[0] <= 0.0 <= self.interval[1]


@dataclass(frozen=True)
class Standing:
    """One model's line of the leaderboard; errors are shares, None stands where a model has no such figure."""

    name: str
    model: str
    error: float
    error_interval: tuple[float, float]
    log_loss: float | None
    leave_one_out_error: float
    error_632_plus: float
    aic: float | None
    bic: float | None
    against_best: Comparison | None
    like_best: bool  # predicts for every tested row what the best model predicts


@dataclass(frozen=True)
class PlanTime:
    """Seconds that one call took for all models, and how many fits it stands for."""

    plan: str
    splits: int
    models: int
    fits: int
    seconds: float


@dataclass(frozen=True)
class Leaderboard:
    """Models by 10-fold error, best first."""

    key: ClassVar[str] = "leaderboard"
    standings: tuple[Standing, ...]
    times: tuple[PlanTime, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Results:
    """Evaluations by plan and name, and the seconds of each plan's call."""

    evaluations: dict[str, dict[str, Evaluation]]
    seconds: dict[str, float]

    @property
    def by_error(self) -> list[str]:
        """Names by 10-fold error; equal errors by log loss, models without one last."""
        folds = self.evaluations["10-fold"]
        return sorted(folds, key=lambda name: (folds[name].error, _rank_of_loss(folds[name])))

    @property
    def best_posterior(self) -> Evaluation:
        """The 10-fold evaluation whose posteriors are best, by log loss."""
        folds = [e for e in self.evaluations["10-fold"].values() if e.probabilistic]
        return min(folds, key=_rank_of_loss)


def log_loss(evaluation: Evaluation) -> float | None:
    """Mean log loss, or None for a model that gives margins only."""
    return evaluation.log_loss if evaluation.probabilistic else None


def _rank_of_loss(evaluation: Evaluation) -> float:
    """Log loss to rank by, without the last digits: equal models keep the order in which they were given."""
    loss = log_loss(evaluation)
    return float("inf") if loss is None else round(loss, 9)


def run_plans(candidates: tuple[Candidate, ...], X: Any, y: Any, report: Report) -> Results:
    """Evaluate all candidates under each plan, one timed call a plan."""
    models = {candidate.name: candidate.model for candidate in candidates}
    evaluations, seconds = {}, {}
    for done, (name, plan) in enumerate(PLANS.items()):
        report(f"{len(models)} models, {name}", done / len(PLANS))
        start = time.perf_counter()
        evaluations[name] = evaluate(models, X, y, plan, progress=False)
        seconds[name] = time.perf_counter() - start
    return Results(evaluations, seconds)


def leaderboard(candidates: tuple[Candidate, ...], results: Results, X: Any, y: Any) -> Leaderboard:
    """The table of all figures; AIC and BIC come from a fit to all rows."""
    by_name = {candidate.name: candidate for candidate in candidates}
    fitted = {name: candidate.model.fit(X, y) for name, candidate in by_name.items()}
    order = results.by_error
    standings = tuple(_standing(by_name[name], fitted[name], results, order[0]) for name in order)
    return Leaderboard(standings, _times(results), _notes(fitted, results))


def _standing(candidate: Candidate, fitted: Any, results: Results, best: str) -> Standing:
    name, by_plan = candidate.name, results.evaluations
    folds = by_plan["10-fold"]
    figures = criteria(fitted) if candidate.by_likelihood else None
    low, high = folds[name].error_interval
    return Standing(
        name=name,
        model=" ".join(repr(candidate.model).split()),
        error=folds[name].error,
        error_interval=(low, high),
        log_loss=log_loss(folds[name]),
        leave_one_out_error=by_plan["leave-one-out"][name].error,
        error_632_plus=by_plan["bootstrap"][name].error_632_plus,
        aic=figures.aic if isinstance(figures, Criteria) else None,
        bic=figures.bic if isinstance(figures, Criteria) else None,
        against_best=None if name == best else _compare(folds, name, best),
        like_best=bool((folds[name].predicted_codes == folds[best].predicted_codes).all()),
    )


def _compare(folds: Mapping[str, Evaluation], name: str, best: str) -> Comparison:
    test = folds[name].compare(folds[best])
    return Comparison(name, best, test.mean, (test.interval.low, test.interval.high), test.p_value)


def _times(results: Results) -> tuple[PlanTime, ...]:
    times = []
    for plan, by_name in results.evaluations.items():
        splits = next(iter(by_name.values())).n_splits
        times.append(PlanTime(plan, splits, len(by_name), splits * len(by_name), results.seconds[plan]))
    return tuple(times)


def _notes(fitted: Mapping[str, Any], results: Results) -> tuple[str, ...]:
    """Every difficulty that a fit or an evaluation reported, once."""
    found = [f"{name}: {line}" for name, model in fitted.items() for line in model.diagnostics_]
    for plan, by_name in results.evaluations.items():
        found += [f"{name}, {plan}: {note}" for name, each in by_name.items() for note in each.notes]
    return tuple(dict.fromkeys(found))
