"""Evaluate one model or many under a plan; models that can share a pass over the data do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from assay.data.labels import features_and_labels
from assay.decision import LossLike, LossMatrix, check_priors
from assay.decision.metric_names import MetricLike, metric_of, positive_class
from assay.decision.metrics import Metric
from assay.engines.local import LocalEngine
from assay.engines.progress import ShowProgress as Progress
from assay.models.base.estimators import check_classifier
from assay.models.base.keywords import explained
from assay.models.base.sparse import compressed_rows
from assay.models.base.validation import check_row_weight, encode, read_numbers
from assay.notes import Note
from assay.plans import KFold, Plan, as_plan
from assay.plans.base import encode as group_codes
from assay.plans.foreign import PlanLike
from assay.selection.evaluation import Evaluation
from assay.selection.prior_shift import untested
from assay.selection.scored_pairs import split_scores_of
from assay.sharing.dataset import Dataset, InMemory
from assay.sharing.dispatch import Dispatched, solve
from assay.sharing.reductions import AllScores, Scored
from assay.sharing.settings import Settings
from assay.sharing.splits import splits_of
from assay.sharing.study import Study
from assay.types import Array, Label, Labels, Mask, MatrixLike, ModelsLike, PriorsLike, RowClassifier


@explained
def evaluate(
    model: ModelsLike,
    X: MatrixLike,
    y: ArrayLike,
    plan: PlanLike | None = None,
    *,
    loss: LossLike = None,
    priors: PriorsLike = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> Any:
    """Cross-validate a model, or several models in one pass over the data.

    Parameters
    ----------
    model : estimator, list or dict of estimators
        Models of Assay or scikit-learn, or pipelines. Models that are solved from moments share one pass; Assay refits
        the others.
    X : array, frame, Arrow table, typed table, sparse matrix or list of texts
    y : one label per row, or the name of the column of X that holds the labels
    plan : plan, int, scikit-learn splitter or list of (train, test), default KFold(10)
        Validation scheme.
    loss : loss matrix, optional
        Default of `Evaluation.mean_loss`: ``loss[true, action]``.
    priors : array, optional
        Class prevalence at deployment, if it differs from that of the data. Posteriors and tested rows are re-weighted,
        so that every metric is that of a population with this prevalence.
    sample_weight : array, optional
        Sample weights, in training and in every metric. A weight of 2 counts the row twice; weights that are not whole
        numbers are importance weights, scaled in each training set to its number of rows.
    groups : array, optional
        Rows with the same value stay together; intervals and tests count groups instead of rows. `LeaveOneOut` leaves
        out one group at a time, `Bootstrap` draws groups.
    n_jobs : int, optional
        Threads; the results have the same bits for any number.
    progress : bool or callable, optional
        Show a progress bar; by default on a terminal, after two seconds. A function is called with
        (model, splits done, number of splits) instead, counting the splits of all models that are refitted.

    Returns
    -------
    Evaluation, or a dict of them by name for a list or dict of models.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import GaussianNB, LeaveOneOut, evaluate
    >>> X, y = load_iris(return_X_y=True)
    >>> round(evaluate(GaussianNB(), X, y, LeaveOneOut()).error * 150)
    7
    """
    models, plan = named_models(model), plan_of(plan)
    study = study_of(X, y, plan, sample_weight, groups, LocalEngine(n_jobs, progress))
    results = evaluations(Settings.of(models), study, plan, *decision_of(loss, priors, study.dataset.classes))
    return dict(zip(models, results, strict=True)) if several_models(model) else results[0]


def named_models(model: Any) -> dict[str, RowClassifier]:
    """The models of a call by name, checked; equal names are told apart by their parameters, then by number."""
    if isinstance(model, Mapping):
        models = dict(model)
    else:
        listed = list(model) if several_models(model) else [model]
        models = {}
        for estimator in listed:
            name = type(estimator).__name__ if len(listed) == 1 else " ".join(repr(estimator).split())
            models[name if name not in models else f"{name} #{len(models) + 1}"] = estimator
    if not models:
        raise ValueError(Note("S083"))
    for estimator in models.values():
        check_classifier(estimator)
    return models


def several_models(model: ModelsLike) -> bool:
    """Whether a call is about models by name, or a list of them, whose results come by name."""
    return isinstance(model, Mapping | list | tuple)


def plan_of(plan: PlanLike | None) -> Plan:
    """The validation scheme of a call."""
    return KFold(10) if plan is None else as_plan(plan)


def decision_of(
    loss: LossLike, priors: PriorsLike, classes: Labels
) -> tuple[LossMatrix | None, Array | None]:
    """The loss matrix and the priors of a call, checked."""
    matrix = None if loss is None else LossMatrix.of(loss, classes)
    return matrix, None if priors is None else check_priors(priors, len(classes))


def chosen_metric(
    metric: MetricLike | None, positive: Label | None, data: Dataset, loss: LossMatrix | None
) -> Metric | None:
    """The metric that a call chooses by; None: by the loss."""
    if metric is None and positive is not None:
        raise ValueError(Note("S302"))
    if metric is None:
        return None
    if loss is not None:
        raise ValueError(Note("S301"))
    return metric_of(metric, data.classes, positive_class(positive, data.codes, data.classes))


def study_of(
    X: MatrixLike,
    y: ArrayLike,
    plan: Plan,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
    engine: LocalEngine,
    **nesting: Any,
) -> Study:
    """The rows of a call under its plan; `nesting` as `splits_of` takes it."""
    data = dataset_of(*features_and_labels(X, y), sample_weight, groups, engine)
    return Study(data, splits_of(plan, data.codes, data.groups, classes=data.classes, **nesting))


def dataset_of(
    X: Any,
    y: ArrayLike,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
    engine: LocalEngine,
) -> InMemory:
    """Labelled rows, checked."""
    codes, classes = encode(y)
    if len(classes) < 2:
        raise ValueError(Note("S084", n_classes=len(classes)))
    X = compressed_rows(X)
    rows = X.shape[0] if hasattr(X, "shape") else len(X)
    if rows != len(codes):
        raise ValueError(Note("M032", n_rows=rows, n_labels=len(codes)))
    row_groups = None if groups is None else group_codes(groups, "groups", len(codes))
    return InMemory(
        X, codes, classes, check_row_weight(sample_weight, rows), row_groups, engine, read_numbers
    )


def evaluations(
    settings: Settings,
    study: Study,
    plan: Plan,
    loss: LossMatrix | None = None,
    priors: Array | None = None,
    *,
    solved: Dispatched | None = None,
    only: Mask | None = None,
    inside: bool = False,
) -> list[Evaluation]:
    """Every setting under the splits of the study, by its cheapest way; or those whose tests are asked for, (S, T)."""
    solved = solve(settings, study) if solved is None else solved
    scored = solved.reduce(AllScores(study.splits, len(settings), study.dataset.n_rows), only)
    return [
        evaluation_of(scores, study, plan, loss, priors, inside=inside, **description(settings, solved, s))
        for s, scores in enumerate(scored)
        if scores is not None
    ]


def description(settings: Settings, solved: Dispatched, s: int) -> dict[str, Any]:
    """What an evaluation says of the model of a setting."""
    return {
        "name": settings.names[s],
        "strategy": solved.ways[s],
        "seconds": solved.seconds[s],
        "notes": solved.difficulties(s),
    }


def evaluation_of(
    scored: Scored,
    study: Study,
    plan: Plan,
    loss: LossMatrix | None,
    priors: Array | None,
    *,
    name: str,
    strategy: str,
    seconds: float,
    notes: tuple[str, ...],
    inside: bool = False,
) -> Evaluation:
    """Scores of the tests of a plan as an evaluation; or those of the tests inside its training sets."""
    data = study.dataset
    tested, training = split_scores_of(scored, study.splits, notes)
    if inside:
        assert training is not None
        tested, training = training, None
    return Evaluation(
        name=name,
        classes=data.classes,
        codes=data.codes,
        weight=data.weight,
        tested=tested,
        probabilistic=scored.posterior,
        n_splits=len(tested.priors),
        strategy=strategy,
        seconds=seconds,
        plan=plan,
        loss=loss,
        priors=priors,
        notes=(*tested.notes, *untested(data.codes, tested.rows, data.classes, priors)),
        training=training,
        groups=data.groups,
    )
