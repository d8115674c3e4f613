"""Columns of a table ranked one by one, and selected by a search with a model.

The errors on the path of a search are optimistically biased, because columns are selected by them. The error of the
search is therefore estimated by nested cross-validation: the whole search is repeated inside every fold.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from assay.catalog import ModelCard, entry
from assay.commands.features.result import FeaturesResult, RankedColumn
from assay.data.read import Markers
from assay.data.sources.database_address import source_name
from assay.data.table import Table
from assay.engines.progress import Progress, silent
from assay.models.features.table_encoder import left_out
from assay.models.table.build import build
from assay.models.table.table_classifier import TableClassifier
from assay.notes import Note, note_of
from assay.plans import KFold
from assay.selection.criteria import RULES
from assay.selection.evaluate import evaluate
from assay.selection.evaluation import Evaluation
from assay.selection.features.estimator import FeatureSearch
from assay.selection.features.rank import WAYS, rank_features
from assay.selection.features.select import FeatureSelection, select_features
from assay.selection.features.stepwise import SEARCHES
from assay.types import Codes, Labels
from assay.workbench.diagnosis.dimensionality import dimension_findings, sparse_warning
from assay.workbench.experiment.candidates import why_not_applicable
from assay.workbench.problem import Problem, read_problem
from assay.workbench.syntax.settings import assigned_names, parse_settings

KINDS = (*SEARCHES, "rank")
FOLDS, INNER = 5, 5
MANY = 50  # columns at which a forward search of a wider table stops


def search_features(
    source: object,
    target: str | None = None,
    *,
    search: str = "forward",
    model: str = "gaussian_nb",
    n_features: int | None = None,
    rule: str = "min",
    start: Collection[str] = (),
    fixed: Collection[str] = (),
    by: str = "correlation",
    settings: Collection[str] = (),
    types: Mapping[str, str] | None = None,
    drop: Collection[str] = (),
    query: str | None = None,
    missing: Markers = None,
    groups: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    random_state: int = 0,
    progress: Progress = silent,
) -> FeaturesResult:
    """Rank the columns of a source, and search for the best ones with a model of the catalog.

    Parameters
    ----------
    source : anything `assay.read` takes
    target : str, optional
        The column to predict; as for `compare`.
    search : "forward", "backward", "floating", or "rank" for the ranking alone
    model : str
        A name in the catalog.
    n_features : int, optional
        How many columns; default: as many as `rule` selects.
    start, fixed : collection of str
        Columns that the search begins with, and columns that are always in.
    settings : collection of str
        Parameters of the model as text, such as ``l2=0.1``.
    groups, weights : str or array, optional
        Groups of rows, and sample weights; as for `compare`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay.commands.features.job import search_features
    >>> result = search_features(load_iris(return_X_y=True, as_frame=True), n_features=2)
    >>> result.selection.features
    ['petal length (cm)', 'petal width (cm)']
    """
    _check_options(search, by, rule, n_features is not None or bool(start or fixed))
    card = entry(model).freed(assigned_names(settings))
    setting = {**card.defaults, **parse_settings(card.name, card.free_parameters(), settings)}
    progress("reading", 0.0)
    problem = read_problem(
        source, target, types=types, drop=drop, query=query, missing=missing, groups=groups, weights=weights
    )
    progress("ranking", 0.05)
    ranking, notes = _ranking(problem, by)
    searched: dict[str, Any] = dict.fromkeys(("model", "title", "selection", "nested", "everything"))
    if search != "rank":
        request = dict(search=search, n_features=n_features, rule=rule, start=[*start], fixed=[*fixed])
        searched, more = _search(problem, card, setting, request, random_state, progress)
        notes += more
    return _result(
        problem, notes, name=source_name(source), by=by, ranking=ranking, search=search, **searched
    )


def _result(problem: Problem, notes: tuple[str, ...], **searched: Any) -> FeaturesResult:
    """The ranking and the search, beside what the problem itself tells."""
    baseline = _baseline(problem)
    notes = (*problem.notes, *_dimension(problem), *notes, *_no_better(searched["nested"], baseline))
    return FeaturesResult(
        target=problem.target,
        rows=problem.n_rows,
        columns=len(problem.features.schema),
        classes=tuple(problem.classes.tolist()),
        baseline=baseline,
        notes=tuple(dict.fromkeys(notes)),
        **problem.row_roles,
        **searched,
    )


def _baseline(problem: Problem) -> float:
    """Error of always predicting the most frequent class."""
    counts = np.bincount(problem.codes, problem.weight)
    return 1.0 - float(counts.max() / counts.sum())


def _no_better(nested: Evaluation | None, baseline: float) -> tuple[Note, ...]:
    """A warning where the search is not clearly better than the most frequent class."""
    if nested is None or nested.error_interval[1] < baseline:
        return ()
    return (Note("C320", error=nested.error, baseline=baseline),)


def _check_options(search: str, by: str, rule: str, bounded: bool) -> None:
    """Options that exist; `bounded` is whether a number of columns, start or fixed columns were given."""
    if search not in KINDS:
        raise ValueError(Note("C046", search=search))
    if by not in WAYS:
        raise ValueError(Note("C047", by=by))
    if rule not in RULES:
        raise ValueError(Note("C048", rule=rule))
    if search == "rank" and bounded:
        raise ValueError(Note("C049"))


def _dimension(problem: Problem) -> tuple[str, ...]:
    """Warnings about many columns."""
    measured = dimension_findings(
        problem.features, problem.codes, problem.n_classes, problem.classes.tolist()
    )
    findings = (*sparse_warning(problem.features, measured), *measured)
    return tuple(finding.sentence for finding in findings if finding.warn)


def _ranking(problem: Problem, by: str) -> tuple[tuple[RankedColumn, ...], tuple[str, ...]]:
    usable = [column.name for column in problem.features.schema if not left_out(column)]
    if not usable:
        return (), (Note("C321"),)
    labels = problem.classes[problem.codes]
    table = problem.features.select(usable)
    weight = {measure: None if measure == "information" else problem.weight for measure in WAYS}
    rankings = {
        measure: rank_features(table, labels, by=measure, sample_weight=weight[measure]) for measure in WAYS
    }
    ranking = tuple(
        RankedColumn(usable[j], *(float(rankings[measure].scores[j]) for measure in WAYS))
        for j in rankings[by].order.tolist()
    )
    others = tuple(name for name in problem.features.schema.names if name not in usable)
    notes = [Note("C322", columns=others)] if others else []
    if problem.weight is not None:
        notes.append(Note("C323"))
    return ranking, tuple(notes)


def _search(
    problem: Problem,
    chosen: ModelCard,
    setting: dict[str, object],
    request: dict[str, Any],
    seed: int,
    progress: Progress,
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The search that is requested, as `select_features` takes it, and notes."""
    model: TableClassifier = build(chosen, setting, seed)
    table, notes = _readable(problem, chosen, model)
    width, most = len(table.schema), None
    if request["n_features"] is None and request["search"] != "backward" and width > MANY:
        most = MANY
        notes += (Note("C324", columns=width, limit=MANY),)
    labels = problem.classes[problem.codes]
    row_groups, weight = problem.group_codes, problem.weight
    plan, inner = _folds(problem.codes, row_groups, seed)
    options: dict[str, Any] = {**request, "most_features": most, "plan": inner}

    def inside(label: str, done: int, total: int) -> None:
        progress(f"{request['search']} search", 0.1 + 0.2 * done / max(total, 1))

    def outside(label: str, done: int, total: int) -> None:
        progress("repeating the search in every fold", 0.3 + 0.7 * done / max(total, 1))

    selection = select_features(
        model, table, labels, sample_weight=weight, row_groups=row_groups, progress=inside, **options
    )
    encoded = model.encoded(table)
    rows: dict[str, Any] = {"sample_weight": weight, "groups": row_groups}
    everything = evaluate(
        encoded.matrix_estimator(), encoded.design(table), labels, plan, progress=False, **rows
    )
    search = FeatureSearch(model, **options)  # the folds of its searches keep groups together
    nested, nested_notes = _nested(search, selection, table, labels, plan, progress=outside, **rows)
    record = dict(
        model=chosen.name, title=chosen.title, selection=selection, nested=nested, everything=everything
    )
    return record, (*notes, *selection.notes, *nested_notes)


def _folds(codes: Codes, groups: Codes | None, seed: int) -> tuple[KFold, KFold]:
    """Folds of the test and of the search, fewer of them where groups are few."""
    if groups is None:
        return KFold(FOLDS, random_state=seed), KFold(INNER, random_state=seed)
    plan = KFold(min(FOLDS, len(np.unique(groups))), random_state=seed)
    partition = plan.partitions(codes, groups)[0]
    least = min(len(np.unique(groups[partition.train_rows(f)])) for f in range(partition.n_folds))
    return plan, KFold(max(2, min(INNER, least)), random_state=seed)


def _nested(
    search: FeatureSearch,
    selection: FeatureSelection,
    table: Table,
    labels: Labels,
    plan: KFold,
    **options: Any,
) -> tuple[Evaluation | None, tuple[Note, ...]]:
    """The nested estimate of the search, and a note about it; None where it cannot be computed."""
    try:
        nested: Evaluation = evaluate(search, table, labels, plan, **options)
    except ValueError as error:
        return None, (Note("C325", reason=note_of(error) or str(error)),)
    if selection.error >= nested.error_interval[0]:
        return nested, ()
    return nested, (Note("C326", error=selection.error, nested_error=nested.error),)


def _readable(problem: Problem, chosen: ModelCard, model: TableClassifier) -> tuple[Table, tuple[str, ...]]:
    """The columns that the model reads."""
    if reason := why_not_applicable(chosen, problem.features.schema):
        raise ValueError(Note("C050", model=chosen.name, reason=reason))
    if chosen.encoding == "none":
        raise ValueError(Note("C051", model=chosen.name))
    names = model.encoded(problem.features).schema_.names
    others = tuple(name for name in problem.features.schema.names if name not in names)
    note = (Note("C327", title=chosen.title, columns=others),) if others else ()
    return problem.features.select(names), note
