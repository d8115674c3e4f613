"""A model fitted again in every split of a validation scheme, and tested on the rows that the split leaves out."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from os import PathLike
from typing import Any

from assay.catalog import calibrated_names
from assay.commands.evaluate.job import clipped_note, measured, row_counts
from assay.commands.evaluate.result import ResampledResult
from assay.data.read import Markers
from assay.data.sources.database_address import source_name
from assay.decision import LossLike
from assay.engines.progress import Progress, silent
from assay.notes import Note
from assay.plans import Plan
from assay.selection.evaluate import evaluate
from assay.selection.evaluation import Evaluation
from assay.types import has_posteriors
from assay.workbench.experiment.setup import with_repeats
from assay.workbench.named_model import NamedModel, named_model
from assay.workbench.problem import Problem, read_problem
from assay.workbench.syntax.loss import ClassPriors, parse_loss, parse_priors
from assay.workbench.syntax.plan import EVERY_PLAN, format_plan, parse_plan

MOST_SPLITS = 1000  # whose errors are listed


def evaluate_under_plan(
    model: str,
    source: object,
    target: str | None,
    plan: str,
    *,
    settings: Collection[str] = (),
    loss: LossLike | PathLike[str] = None,
    priors: ClassPriors = None,
    types: Mapping[str, str] | None = None,
    drop: Collection[str] = (),
    query: str | None = None,
    missing: Markers = None,
    groups: str | None = None,
    weights: str | None = None,
    split_repeats: bool = False,
    random_state: int = 0,
    n_jobs: int | None = None,
    progress: Progress = silent,
) -> ResampledResult:
    """Metrics of a model under a validation scheme.

    Parameters
    ----------
    model : str
        A name in the catalog, or a model file whose settings are refitted.
    source, target, types, drop, query, missing, groups, weights
        As for `compare`.
    plan : str
        Such as ``kfold:10``, ``loo``, ``bootstrap:200`` or ``subsample:10x0.1``.
    settings : collection of str
        Hyperparameters such as ``l2=0.1``.
    loss, priors
        As `parse_loss` and `parse_priors` take them; without a loss, the one stored in the model file.
    """
    scheme = parse_plan(plan, random_state, EVERY_PLAN)
    named = named_model(model, settings, random_state)
    progress("reading", 0.0)
    saved = named.reading(source, target, query)
    reading = {"target": target, "types": types, **saved, "drop": (*drop, *saved.get("drop", ()))}
    roles = [name for name in (groups, weights) if name is not None]
    reading["drop"] = tuple(name for name in reading["drop"] if name not in roles)
    problem = read_problem(source, query=query, missing=missing, groups=groups, weights=weights, **reading)
    problem = with_repeats(problem, scheme, split_repeats)
    classifier, rows, labels = named.on(problem)
    prevalence = parse_priors(priors, problem.classes)
    if prevalence is not None and not has_posteriors(classifier):
        raise ValueError(Note("C037", models=calibrated_names()))
    evaluation = evaluate(
        classifier,
        rows,
        labels,
        scheme,
        loss=named.loss if loss is None else parse_loss(loss, problem.classes),
        priors=prevalence,
        sample_weight=problem.weight,
        groups=problem.group_codes,
        n_jobs=n_jobs,
        progress=lambda _, done, total: progress("testing", done / total),
    )
    return _result(named, source, problem, scheme, evaluation)


def _result(
    named: NamedModel, source: object, problem: Problem, plan: Plan, evaluation: Evaluation
) -> ResampledResult:
    decided = evaluation.loss if evaluation.probabilistic else None
    refitted = (Note("C758", path=named.name),) if named.fitted is not None else ()
    return ResampledResult(
        source=source_name(source),
        target=problem.target,
        rows=problem.n_rows,
        classes=tuple(problem.classes.tolist()),
        **measured(evaluation, evaluation.loss is not None),
        confusion=row_counts(evaluation, evaluation.confusion),
        notes=(*problem.notes, *refitted, *evaluation.notes, *clipped_note(evaluation)),
        actions=None if decided is None else decided.actions,
        decisions=None if decided is None else row_counts(evaluation, evaluation.decision_matrix),
        **problem.row_roles,
        repeats=None if problem.repeats is None else problem.repeats.figures,
        model=named.name,
        title=named.title,
        setting=named.setting,
        plan=format_plan(plan),
        strategy=evaluation.strategy,
        seconds=evaluation.seconds,
        standard_error=evaluation.standard_error if problem.n_rows > 1 else None,
        split_errors=_split_errors(evaluation),
        **_bootstrap_errors(evaluation),
    )


def _split_errors(evaluation: Evaluation) -> list[float | None] | None:
    """Errors of the splits; none of schemes with a split per row."""
    if evaluation.n_splits >= min(len(evaluation.codes), MOST_SPLITS):
        return None
    return [None if math.isnan(error) else error for error in evaluation.split_errors.tolist()]


def _bootstrap_errors(evaluation: Evaluation) -> dict[str, Any]:
    """The .632 estimates and what they are made of."""
    if evaluation.training is None:
        return {}
    names = ("training_error", "no_information_error", "error_632", "error_632_plus")
    return {name: getattr(evaluation, name) for name in names}
