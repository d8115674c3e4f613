"""Which columns of a table to use: what `assay features` does.

Columns are ranked one by one, and searched for with a model. The error that is told for the search is that of doing the
whole search again inside every fold; the errors on its path are too good, since the columns were chosen by them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.catalog import Entry, entry
from assay.data.sources.database_address import source_name
from assay.data.table import Table
from assay.models.features.table_encoder import left_out
from assay.models.table.build import build
from assay.models.table.table_classifier import TableClassifier
from assay.notes import Note
from assay.notes.digits import percent
from assay.notes.phrases import listed, plural
from assay.plans import KFold
from assay.selection.criteria import RULES
from assay.selection.evaluate import evaluate
from assay.selection.evaluation import Evaluation
from assay.selection.features.estimator import FeatureSearch
from assay.selection.features.rank import WAYS, rank_features
from assay.selection.features.select import SEARCHES, FeatureSelection, select_features
from assay.types import Codes
from assay.workbench.diagnosis.dimensionality import dimension_findings
from assay.workbench.experiment.candidates import why_not_applicable
from assay.workbench.problem import Problem, pose
from assay.workbench.syntax.settings import read_settings

Report = Callable[[str, float], None]
KINDS = (*SEARCHES, "rank")
FOLDS, INNER = 5, 5
MANY = 50  # columns from which a way forward is not gone to its end


@dataclass(frozen=True)
class Ranked:
    """A column by itself."""

    column: str
    correlation: float
    correlation_ratio: float
    information: float


@dataclass(frozen=True, eq=False)
class Searched:
    """What is known about the columns of a table.

    Attributes
    ----------
    ranking : tuple of Ranked
        Best first, by `by`.
    selection : FeatureSelection or None
        The search; None where columns were only ranked.
    honest : Evaluation or None
        Of the whole search, done again inside every fold.
    everything : Evaluation or None
        Of the model with all columns.
    """

    name: str
    target: str
    rows: int
    columns: int
    classes: tuple[Any, ...]
    baseline: float
    by: str
    ranking: tuple[Ranked, ...]
    search: str
    model: str | None
    title: str | None
    selection: FeatureSelection | None
    honest: Evaluation | None
    everything: Evaluation | None
    notes: tuple[str, ...]
    groups: dict[str, Any] | None = None
    weights: dict[str, Any] | None = None


def search_features(
    source: Any,
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
    missing: Any = None,
    groups: Any = None,
    weights: Any = None,
    random_state: int = 0,
    progress: Report = lambda doing, share: None,
) -> Searched:
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
        How many columns; else as many as `rule` says.
    start, fixed : collection of str
        Columns that the search begins with, and columns that are always in.
    settings : collection of str
        Parameters of the model as text, such as ``l2=0.1``.
    groups, weights : str or array, optional
        Which rows belong together, and what each counts; as for `compare`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay.commands.features.job import search_features
    >>> found = search_features(load_iris(return_X_y=True, as_frame=True), n_features=2)
    >>> found.selection.features
    ['petal length (cm)', 'petal width (cm)']
    """
    _check_asked(search, by, rule, n_features is not None or bool(start or fixed))
    chosen = entry(model)
    setting = {**chosen.defaults, **read_settings(chosen.name, chosen.free_parameters(), settings)}
    progress("reading", 0.0)
    reading = {"types": types, "drop": drop, "query": query, "missing": missing}
    problem = pose(source, target, groups=groups, weights=weights, **reading)
    progress("ranking", 0.05)
    ranking, notes = _ranking(problem, by)
    found: dict[str, Any] = dict.fromkeys(("model", "title", "selection", "honest", "everything"))
    if search != "rank":
        way = {"search": search, "n_features": n_features, "rule": rule, "start": [*start], "fixed": [*fixed]}
        found, more = _searched(problem, chosen, setting, way, random_state, progress)
        notes += more
    baseline = _baseline(problem)
    notes = (*problem.notes, *_dimension(problem), *notes, *_blind(found["honest"], baseline))
    return Searched(
        name=source_name(source),
        target=problem.target,
        rows=problem.n_rows,
        columns=len(problem.features.schema),
        classes=tuple(problem.classes.tolist()),
        baseline=baseline,
        by=by,
        ranking=ranking,
        search=search,
        notes=tuple(dict.fromkeys(notes)),
        **problem.rows_told,
        **found,
    )


def _baseline(problem: Problem) -> float:
    """Error of always naming the most frequent class."""
    counts = np.bincount(problem.codes, problem.weight)
    return 1.0 - float(counts.max() / counts.sum())


def _blind(honest: Evaluation | None, baseline: float) -> tuple[str, ...]:
    """What to say of a search that is not clearly better than looking at no column."""
    if honest is None or honest.error_interval[1] < baseline:
        return ()
    return (
        f"On new rows the search is not clearly better than always naming the most frequent class "
        f"({percent(honest.error)} % against {percent(baseline)} % wrong): gather more rows or better columns before "
        "relying on what it chose.",
    )


def _check_asked(search: str, by: str, rule: str, bounded: bool) -> None:
    """Ways that exist; `bounded` is whether a number of columns, a start or fixed columns were given."""
    if search not in KINDS:
        raise ValueError(Note("C046", search=search))
    if by not in WAYS:
        raise ValueError(Note("C047", by=by))
    if rule not in RULES:
        raise ValueError(Note("C048", rule=rule))
    if search == "rank" and bounded:
        raise ValueError(Note("C049"))


def _dimension(problem: Problem) -> tuple[str, ...]:
    """What there is to warn of where columns are many."""
    found = dimension_findings(problem.features, problem.codes, problem.n_classes, problem.classes.tolist())
    return tuple(finding.sentence for finding in found if finding.warn)


def _ranking(problem: Problem, by: str) -> tuple[tuple[Ranked, ...], tuple[str, ...]]:
    usable = [column.name for column in problem.features.schema if not left_out(column)]
    if not usable:
        return (), ("No column holds numbers or categories, so none can be ranked.",)
    labels = problem.classes[problem.codes]
    table = problem.features.select(usable)
    weight = {way: None if way == "information" else problem.weight for way in WAYS}
    ways = {way: rank_features(table, labels, by=way, sample_weight=weight[way]) for way in WAYS}
    rows = tuple(
        Ranked(usable[j], *(float(ways[way].scores[j]) for way in WAYS)) for j in ways[by].order.tolist()
    )
    others = [name for name in problem.features.schema.names if name not in usable]
    note = f"Not ranked, for they hold neither numbers nor categories: {listed([repr(name) for name in others])}."
    weighed = (
        () if problem.weight is None else ("The information of columns counts rows without their weights.",)
    )
    return rows, (*((note,) if others else ()), *weighed)


def _searched(
    problem: Problem,
    chosen: Entry,
    setting: dict[str, Any],
    way: dict[str, Any],
    seed: int,
    progress: Report,
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The search that `way` asks for, as `select_features` takes it, and what to say of it."""
    model: TableClassifier = build(chosen, setting, seed)
    table, notes = _readable(problem, chosen, model)
    width, most = len(table.schema), None
    if way["n_features"] is None and way["search"] != "backward" and width > MANY:
        most = MANY
        notes += (
            f"With {width} columns the way forward ends at {MANY}; ask for more with n_features=, or search backward.",
        )
    labels = problem.classes[problem.codes]
    together, weight = problem.group_codes, problem.weight
    plan, inner = _folds(problem.codes, together, seed)
    options: dict[str, Any] = {**way, "most_features": most, "plan": inner}

    def inside(label: str, done: int, total: int) -> None:
        progress(f"{way['search']} search", 0.1 + 0.2 * done / max(total, 1))

    def outside(label: str, done: int, total: int) -> None:
        progress("searching again in every fold", 0.3 + 0.7 * done / max(total, 1))

    selection = select_features(
        model,
        table,
        labels,
        sample_weight=weight,
        row_groups=together,
        progress=inside,
        **options,
    )
    known = model.encoded(table)
    rows: dict[str, Any] = {"sample_weight": weight, "groups": together}
    everything = evaluate(known.matrix_estimator(), known.design(table), labels, plan, progress=False, **rows)
    whole = FeatureSearch(model, **options)  # the folds of its searches keep groups together
    honest, told = _honest(whole, selection, table, labels, plan, progress=outside, **rows)
    found = dict(
        model=chosen.name, title=chosen.title, selection=selection, honest=honest, everything=everything
    )
    return found, (*notes, *selection.notes, *told)


def _folds(codes: Codes, groups: Codes | None, seed: int) -> tuple[KFold, KFold]:
    """Folds of the test and of the search, fewer of them where groups are few."""
    if groups is None:
        return KFold(FOLDS, random_state=seed), KFold(INNER, random_state=seed)
    plan = KFold(min(FOLDS, len(np.unique(groups))), random_state=seed)
    partition = plan.partitions(codes, groups)[0]
    least = min(len(np.unique(groups[partition.train_rows(f)])) for f in range(partition.n_folds))
    return plan, KFold(max(2, min(INNER, least)), random_state=seed)


def _honest(
    whole: FeatureSearch,
    selection: FeatureSelection,
    table: Table,
    labels: Any,
    plan: KFold,
    **options: Any,
) -> tuple[Evaluation | None, tuple[str, ...]]:
    """The search tested on rows that it has not seen, and what to say of that; None where it cannot be."""
    try:
        found: Evaluation = evaluate(whole, table, labels, plan, **options)
    except ValueError as error:
        return None, (f"How wrong the chosen columns would be on new rows cannot be told: {error}",)
    if selection.error >= found.error_interval[0]:
        return found, ()
    return found, (
        "The path flatters: the chosen columns did better in the folds that chose them than a search does on rows "
        "that it has not seen.",
    )


def _readable(problem: Problem, chosen: Entry, model: TableClassifier) -> tuple[Table, tuple[str, ...]]:
    """The columns that the model reads."""
    if reason := why_not_applicable(chosen, problem.features.schema):
        raise ValueError(Note("C050", name=chosen.name, lower=reason[0].lower(), reason=reason[1:]))
    if chosen.encoding == "none":
        raise ValueError(Note("C051", name=chosen.name))
    names = model.encoded(problem.features).schema_.names
    others = [name for name in problem.features.schema.names if name not in names]
    note = (
        f"{chosen.title} does not read {plural(len(others), 'column')}: {listed([repr(n) for n in others])}."
    )
    return problem.features.select(names), (note,) if others else ()


def figures(found: Searched) -> dict[str, Any]:
    """Everything that is printed, as plain values."""
    chosen, honest, everything = found.selection, found.honest, found.everything
    plain = {
        "source": found.name,
        "target": found.target,
        "groups": found.groups,
        "weights": found.weights,
        "rows": found.rows,
        "classes": list(found.classes),
        "by": found.by,
        "ranking": found.ranking,
        "search": found.search,
        "name": found.model,
        "title": found.title,
        "baseline": found.baseline,
        "notes": found.notes,
    }
    if chosen is None:
        return plain
    return {
        **plain,
        "features": chosen.features,
        "path": chosen.path,
        "chosen": chosen.chosen,
        "rule": chosen.rule,
        "strategy": chosen.strategy,
        "path_error": chosen.error,
        "error": None if honest is None else honest.error,
        "error_interval": None if honest is None else tuple(honest.error_interval),
        "error_of_all_columns": None if everything is None else everything.error,
    }
