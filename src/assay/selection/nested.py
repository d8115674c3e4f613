"""Nested choice: settings are chosen inside every training set, and the chosen one is tested on the fold.

In the outer fold f, the setting s(f) has the least loss in a cross-validation of the *other* rows, whose folds follow
from the plan and the data alone (`splits_of`). Tests inside training sets are tests of the same study, so that whatever
models share serves both.

Three figures per candidate: the loss of its best setting on the outer folds, the loss of the settings chosen inside
(the nested estimate), and their difference, the selection bias.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from assay.data.labels import features_and_labels
from assay.decision import LossLike, LossMatrix
from assay.decision.metric_names import MetricLike
from assay.decision.metrics import Metric
from assay.engines.local import LocalEngine
from assay.engines.progress import ShowProgress as Progress
from assay.models.base.estimators import clone
from assay.models.base.keywords import explained
from assay.notes.phrases import chosen_on
from assay.plans import Plan, choosing_plan
from assay.plans.foreign import PlanLike
from assay.selection.criteria import check_rule, choose, within_one_se
from assay.selection.evaluate import chosen_metric, decision_of, evaluation_of, study_of
from assay.selection.evaluation import Evaluation
from assay.selection.instability import instability_of
from assay.selection.pair_losses import PairLosses, among, pair_losses
from assay.selection.parameter_grid import parameter_grid, setting_text
from assay.selection.setting_losses import metric_choice, setting_losses
from assay.selection.train_validation_test import ValidationChoice, choose_on_validation
from assay.sharing.dispatch import Dispatched, solve
from assay.sharing.fit_pipeline import fit_weighted
from assay.sharing.reductions import AllParts, AllScores, Part, Parts, Scored, decided_of
from assay.sharing.settings import Settings, model_of
from assay.sharing.study import Study
from assay.types import Array, Codes, Index, Label, MatrixLike, PriorsLike, RowClassifier

if TYPE_CHECKING:
    from assay.charts.drawing import Drawing


@dataclass(frozen=True, eq=False)
class Nested:
    """A candidate whose setting is chosen inside every split.

    Attributes
    ----------
    evaluation : Evaluation
        Out-of-sample scores, each by the setting chosen without the row.
    inner : (splits, settings)
        Mean loss of each setting in the inner folds of each outer split.
    chosen : (splits,)
        Setting that each outer split took, by the rule: the first of those with least inner loss, or the simplest
        within one standard error of it.
    losses, errors : (settings,)
        Mean loss and error of each setting on the outer splits themselves.
    final : int
        The one to use, by the same rule on these losses.
    seconds : float
    standard_errors : (settings,)
        Of the losses; empty where a run of an older version was read.
    pairs : PairLosses, optional
        What is chosen without pairs of folds, and its losses by row; None where inner folds are not the other folds.
    """

    evaluation: Evaluation
    inner: Array
    chosen: Index
    losses: Array
    errors: Array
    final: int
    seconds: float
    standard_errors: Array = field(default_factory=lambda: np.zeros(0))
    pairs: PairLosses | None = None

    @property
    def one_se(self) -> int | None:
        """The simplest setting whose loss is within one standard error of the least, None where it is unknown."""
        if len(self.standard_errors) != len(self.losses):
            return None
        return int(within_one_se(self.losses, self.standard_errors).argmax())

    @property
    def scored(self) -> float:
        """Loss of the final setting on the folds it was chosen on."""
        return float(self.losses[self.final])

    @property
    def optimism(self) -> float:
        """Selection bias: the nested loss less the loss of the final setting."""
        return self.evaluation.mean_loss() - self.scored


@dataclass(frozen=True, eq=False, kw_only=True)
class NestedTuning(Nested):
    """A choice among settings, and its nested estimate.

    Attributes
    ----------
    settings : list of dict
        Hyperparameters of each setting.
    evaluation : Evaluation
        Every row tested by a setting that was chosen without it.
    chosen : (splits,)
        Setting that each outer split chose.
    losses, errors, standard_errors : (S,)
        Each setting on the outer folds.
    final : int
        The setting to use, by the rule on these.
    model : estimator
        The final setting, fitted to all rows.
    optimism : float
        Selection bias: loss of the evaluation less that of the final setting.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from assay import GaussianClassifier, KFold, nested
    >>> X, y = load_wine(return_X_y=True)
    >>> result = nested(GaussianClassifier(), X, y, plan=KFold(5), blend=[0.0, 0.5, 1.0])
    >>> result.wins, result.error
    ([1, 4, 0], 0.0)
    """

    settings: list[dict[str, object]]
    model: RowClassifier

    @property
    def setting(self) -> dict[str, object]:
        """The final hyperparameters."""
        return self.settings[self.final]

    @property
    def wins(self) -> list[int]:
        """How many of the outer splits chose each setting."""
        return [int(count) for count in np.bincount(self.chosen, minlength=len(self.settings))]

    @property
    def error(self) -> float:
        """Nested estimate of the error: that of the whole procedure."""
        return self.evaluation.error

    def chart(self) -> Drawing:
        """The picture: shown by a notebook, and kept by ``save("curve.svg")`` (or .png, .html, .json)."""
        from assay.charts.tuning import error_on, tuning_drawing  # loads Altair, which only a picture needs

        tested = self.evaluation
        return tuning_drawing(
            type(model_of(self.model)).__name__,
            self.settings,
            self.losses,
            self.standard_errors,
            final=self.final,
            simplest=choose(self.losses, self.standard_errors, "one_se"),
            chosen_by=self.wins,
            shares=tested.by_error,
            where=f"on {chosen_on(tested.plan.in_parts)}",
            more=error_on("new rows, the nested estimate", tested.error, tested.error_interval),
        )

    def __repr__(self) -> str:
        count = f"{len(self.settings)} setting{'s' if len(self.settings) != 1 else ''}"
        return f"NestedTuning({setting_text(self.setting)}; nested error {self.error:.4f}, {count})"


@explained
def nested(
    model: RowClassifier,
    X: MatrixLike,
    y: ArrayLike,
    *,
    plan: PlanLike | None = None,
    loss: LossLike = None,
    priors: PriorsLike = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    rule: str = "min",
    metric: MetricLike | None = None,
    positive: Label | None = None,
    inner: int | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
    **ranges: object,
) -> NestedTuning:
    """Nested cross-validation: select hyperparameters inside every fold, and test the selection on the fold.

    The inner folds depend on the validation scheme and the data only: the other outer folds if these are three to ten,
    expanding windows if training rows precede the tested ones, and five drawn folds otherwise.

    Parameters
    ----------
    model, X, y, loss, priors, sample_weight, groups, n_jobs, progress, **ranges
        As in `tune`.
    rule : "min" or "one_se"
        As in `tune`; it is followed inside every fold, too.
    metric, positive
        As in `tune`; inside a fold the metric is that of the tested rows of all inner folds together.
    plan : plan, default KFold(10, stratified="rare")
        As in `tune`: any validation scheme whose tests are folds, a hold-out, or `TrainValidationTest`, whose
        validation set replaces the inner folds. Leave-one-out and the bootstrap are rejected.
    inner : int, optional
        Number of inner folds, drawn once for all outer ones, instead of those above.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import LogisticRegression, nested, path
    >>> result = nested(LogisticRegression(), *load_iris(return_X_y=True), l2=path(8))
    >>> round(result.error, 3), sum(result.wins)
    (0.027, 10)
    """
    check_rule(rule)
    X, y = features_and_labels(X, y)
    grid, plan = parameter_grid(model, X, y, ranges), choosing_plan(plan)
    models = [clone(model).set_params(**setting) for setting in grid]
    engine = LocalEngine(n_jobs, progress)
    study = study_of(X, y, plan, sample_weight, groups, engine, inner=inner, nested=True)
    decision = decision_of(loss, priors, study.dataset.classes)
    chosen_by = chosen_metric(metric, positive, study.dataset, decision[0])
    result = nest_in(study, Settings.called(type(model).__name__, models), plan, *decision, rule, chosen_by)
    weight = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    best = fit_weighted(models[result.final], X, y, weight)
    return NestedTuning(**vars(result), settings=grid, model=best)


def nest_in(
    study: Study,
    settings: Settings,
    plan: Plan,
    loss: LossMatrix | None = None,
    priors: Array | None = None,
    rule: str = "min",
    metric: Metric | None = None,
) -> Nested:
    """A candidate with the choice among its settings nested in a study whose splits have tests inside.

    The choice is by a metric where one is given, else by the loss.

    Under `TrainValidationTest` the validation part takes the place of the inner folds, and only the chosen setting is
    tested on the test part.
    """
    start = time.perf_counter()
    if study.splits.chosen_only:
        return _on_validation(choose_on_validation(study, settings, plan, loss, priors, rule, metric), start)
    deep = study.deeper()
    solved = solve(settings, deep)
    choice = None if metric is None else metric_choice(metric, deep, len(settings), priors, rule)
    figures = setting_losses(solved, deep, len(settings), loss, priors, choice)
    inside = zip(figures.inner, figures.inner_errors, strict=True)
    chosen = np.array([choose(*losses, rule) for losses in inside], dtype=np.intp)
    pairs = None if figures.pairs is None else pair_losses(solved, figures.pairs, rule, priors)
    scored, decided = _chosen_scores(solved, study, chosen, figures.parts, loss, priors)
    used = np.unique(chosen).tolist()
    seconds = time.perf_counter() - start
    evaluation = evaluation_of(
        scored, study, plan, loss, priors, name=settings.names[0], strategy=solved.ways[used[0]], seconds=seconds,
        notes=(*dict.fromkeys(note for s in used for note in solved.difficulties(s)), *figures.notes),
    )  # fmt: skip
    evaluation = replace(evaluation, metric=metric, tested=replace(evaluation.tested, decided=decided))
    return Nested(
        evaluation=with_instability(evaluation, [pairs]),
        inner=figures.inner,
        chosen=chosen,
        losses=figures.losses,
        errors=figures.errors,
        final=choose(figures.losses, figures.standard_errors, rule),
        seconds=seconds,
        standard_errors=figures.standard_errors,
        pairs=pairs,
    )


def with_instability(evaluation: Evaluation, candidates: Sequence[PairLosses | None]) -> Evaluation:
    """The evaluation of a choice among candidates, whose intervals count how unstable it is."""
    known = [pairs for pairs in candidates if pairs is not None]
    if len(known) < len(candidates):
        return replace(evaluation, instability=instability_of(evaluation))
    return replace(evaluation, instability=instability_of(evaluation, known[0].rows, among(known)))


def _on_validation(choice: ValidationChoice, start: float) -> Nested:
    """A choice on the validation part, and its test."""
    return Nested(
        evaluation=choice.test,
        inner=choice.losses[None, :],
        chosen=np.array([choice.chosen]),
        losses=choice.losses,
        errors=np.array([evaluation.error for evaluation in choice.validation]),
        final=choice.chosen,
        seconds=time.perf_counter() - start,
        standard_errors=choice.standard_errors,
    )


def _chosen_scores(
    solved: Dispatched,
    study: Study,
    chosen: Index,
    stored: Parts,
    loss: LossMatrix | None,
    priors: Array | None,
) -> tuple[Scored, Codes | None]:
    """Scores of every split by the setting that was chosen for it: those in store, the others are made.

    Where some give margins only, the whole has no posteriors; beside its predictions are the decisions of each.
    """
    splits = study.splits
    only = np.zeros((len(solved.ways), study.deeper().splits.n_tests), dtype=bool)
    only[chosen, splits.outer] = True
    parts = {s: stored[s] for s in np.unique(chosen).tolist() if s in stored}
    missing = only.copy()
    missing[list(parts)] = False
    if missing.any():
        parts |= solved.reduce(AllParts(), missing)
    chosen_parts = [part.take(only[s][part.test]) for s in sorted(parts) for part in parts[s]]
    outer = [part._replace(priors=part.priors[: splits.n_tests]) for part in chosen_parts if len(part.row)]
    scored = _together(comparable(outer, None, priors), study)
    mixed = loss is not None and len({part.posterior for part in outer}) > 1
    return scored, _together(comparable(outer, loss, priors), study).predicted if mixed else None


def _together(parts: list[Part], study: Study) -> Scored:
    """Parts of all splits as one."""
    scores = AllScores(study.splits, 1, study.dataset.n_rows).finish({0: parts})[0]
    assert scores is not None
    return scores


def comparable(parts: list[Part], loss: LossMatrix | None, priors: Array | None) -> list[Part]:
    """Where some give margins only, the whole has no posteriors: predictions are the least-risk actions of each."""
    if len({part.posterior for part in parts}) < 2:
        return parts
    classes = None if loss is None else loss.class_of_action

    def decisions(part: Part) -> Part:
        actions = decided_of(part, loss, priors)
        return part._replace(predicted=actions if classes is None else classes[actions].astype(np.int32))

    return [decisions(part) if part.posterior else part for part in parts]


def combine(by_split: Sequence[Evaluation]) -> Evaluation:
    """One evaluation whose split i is that of by_split[i]; all must have been tested on the same splits.

    Where some give margins only, the whole has no posteriors, and keeps the decisions of each beside its predictions.
    """
    first = by_split[0]
    used = list({id(result): result for result in by_split}.values())
    if len(used) == 1:
        return first
    which = np.array([next(i for i, other in enumerate(used) if other is result) for result in by_split])
    at = which[first.split]
    pairs = np.arange(len(at))
    probabilistic = all(result.probabilistic for result in used)
    predicted = [result.tested.predicted if probabilistic else result.predicted_codes for result in used]
    decided = None if probabilistic else np.stack([_decisions(result) for result in used])[at, pairs]
    tested = replace(
        first.tested,
        scores=np.stack([result.tested.scores for result in used])[at, pairs],
        predicted=np.stack(predicted)[at, pairs],
        priors=np.stack([result.tested.priors for result in used])[which, np.arange(len(which))],
        notes=tuple(dict.fromkeys(note for result in used for note in result.notes)),
        decided=decided,
    )
    return replace(first, tested=tested, probabilistic=probabilistic, notes=tested.notes)


def _decisions(result: Evaluation) -> Codes:
    """The class that each pair's least-risk action names; the predicted one without posteriors or loss matrix."""
    if not result.probabilistic or result.loss is None:
        return result.predicted_codes
    decision = result.decide()
    return np.asarray(decision.loss.class_of_action[decision.action_codes], dtype=np.int32)
