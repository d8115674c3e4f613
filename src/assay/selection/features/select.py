"""Search for the features to use, by cross-validation."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.labels import column_names, features_and_labels
from assay.data.table import Table
from assay.decision import LossMatrix
from assay.engines.local import LocalEngine
from assay.engines.progress import Meter
from assay.engines.progress import ShowProgress as Progress
from assay.models.base.estimators import Model, check_classifier, fit_weighted
from assay.models.base.keywords import explained
from assay.models.base.sparse import compressed_rows, is_sparse
from assay.models.base.validation import check_cells, check_row_weight, check_rows, encode, read_numbers
from assay.numerics.random_state import RandomState, as_seed
from assay.plans import KFold, Plan, as_plan
from assay.plans.base import encode as group_codes
from assay.selection.criteria import check_rule, least, tied, within_one_se
from assay.selection.drawn import Drawn
from assay.selection.features.judge import search as search_sets
from assay.selection.features.sets import Figure, Sets, model_on, take_columns
from assay.selection.features.units import Units, units_of
from assay.selection.features.walks import Stop, Walk
from assay.selection.features.word_counts import count_words, is_texts
from assay.sharing.dataset import InMemory
from assay.sharing.splits import ROOT, Splits
from assay.sharing.study import Study
from assay.types import Codes, Floats, Labels

SEARCHES = ("forward", "backward", "floating")


@dataclass(frozen=True)
class Step:
    """A set of features on the way of a search.

    `loss` is what the search goes by, the error unless a loss matrix was given, and `standard_error` that of the loss.
    """

    features: tuple[Any, ...]
    error: float
    standard_error: float
    loss: float
    added: Any = None
    dropped: Any = None


@dataclass(frozen=True, eq=False)
class FeatureSelection(Drawn):
    """What a search found.

    Attributes
    ----------
    features : list
        Names of the chosen features, in the order of the table; positions where the columns have no names.
    columns : array
        Positions of their columns.
    path : list of Step
        Every set on the way.
    chosen : int
        Place of the chosen set in the path.
    model : estimator
        Fitted to all rows of the chosen columns, `take(X)`.
    strategy : str
        How sets were judged: "sums over features", "sweeps", or as in `evaluate`: "statistics", "refit", ...
    seconds : float
    counter : TextCounts or None
        Where X holds texts: what counted their words, which are the features.

    The error of the chosen set is too good, since the set was chosen by it: `evaluate(FeatureSearch(...), X, y)`
    searches inside the folds and says what to expect.
    """

    features: list[Any]
    columns: NDArray[np.intp]
    path: list[Step]
    chosen: int
    model: Any
    strategy: str
    search: str
    rule: str
    seconds: float
    notes: tuple[str, ...] = ()
    counter: Any = None

    @property
    def error(self) -> float:
        """Error of the chosen set in the folds of the search."""
        return self.path[self.chosen].error

    def take(self, X: Any) -> Any:
        """The chosen columns of a table like the one searched; of texts, the counts of the chosen words."""
        return take_columns(X if self.counter is None else self.counter.transform(X), self.columns)

    def __repr__(self) -> str:
        told = ", ".join(map(str, self.features[:6])) + (", ..." if len(self.features) > 6 else "")
        count = f"{len(self.features)} feature{'s' if len(self.features) > 1 else ''}"
        return f"FeatureSelection({count}: {told}; error {self.error:.4f}, {self.search})"


@explained
def select_features(
    model: Any,
    X: Any,
    y: Any,
    *,
    search: str = "forward",
    n_features: int | None = None,
    most_features: int | None = None,
    plan: Any = None,
    rule: str = "min",
    loss: Any = None,
    start: Any = (),
    fixed: Any = (),
    groups: Any = None,
    sample_weight: Any = None,
    row_groups: Any = None,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> FeatureSelection:
    """Search for the features with which a model does best in cross-validation.

    Parameters
    ----------
    model : classifier
        Assay's, scikit-learn's, or a pipeline. For naive Bayes of numbers, shared covariance and least squares one pass
        over the rows tries every candidate of a step; for others sets share what `evaluate` shares. The result is the
        same.
    X : array, frame, Arrow table, typed table, sparse matrix or list of texts
        The features of texts are words, counted by the `TextCounts` that a pipeline begins with, or by a plain one.
    y : array or str
        One label per row, or the name of the column of X that holds the labels.
    search : "forward", "backward" or "floating"
    n_features : int, optional
        How many; None: the whole way, and of its sets the one that `rule` says.
    most_features : int, optional
        Where the whole way forward ends.
    plan : plan, int, scikit-learn splitter or list of (train, test), default KFold(5)
    rule : "min" or "one_se"
        The set of least loss, or the smallest one within one standard error of it.
    loss : loss matrix, optional
        ``loss[true, action]``; the error when not given.
    start : list of features
        Where the search begins; nothing forward, everything backward, when not given.
    fixed : list of features
        Always in.
    groups : mapping or list, optional
        Columns that move together: a name and its columns, or a name for each column.
    sample_weight, row_groups, n_jobs, progress
        As in `evaluate`, where `row_groups` are called groups.
    random_state : int, None, RandomState or Generator
        Seed of the folds where the plan is None or a number.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import GaussianNB, select_features
    >>> X, y = load_iris(return_X_y=True)
    >>> found = select_features(GaussianNB(), X, y)
    >>> found.features, [round(step.error * 150) for step in found.path]
    ([3], [6, 6, 6, 8])
    """
    check_search(search, rule)
    X, y = features_and_labels(X, y)
    words = count_words(model, X) if is_texts(X) else None
    model, X = (model, X) if words is None else (words.model, words.rows)
    check_classifier(model)
    first, rows = time.perf_counter(), SearchedRows.of(X, y, sample_weight)
    units = units_of(rows.table.shape[1], rows.names if words is None else words.names, groups)
    walk = walk_of(units, search, n_features, most_features, start, fixed)
    checked = _plan(plan, as_seed(random_state))
    study = rows.study(checked, row_groups, n_jobs)
    sets = Sets(model, study, units, {ROOT: study.splits.parent == ROOT}, checked, rows.loss(loss))
    with Meter(walk.trials, f"{search} search", progress) as meter:
        found, strategy = search_sets(sets, {ROOT: walk}, meter)
    stops = found[ROOT]
    figures = sets.figures(ROOT, stops)
    place = choose_stop(stops, figures, rule, n_features)
    columns = units.columns_of(stops[place].chosen)
    return FeatureSelection(
        features=list(units.named(stops[place].chosen)),
        columns=columns,
        path=[_step(stop, figure, units) for stop, figure in zip(stops, figures, strict=True)],
        chosen=place,
        model=_fitted(model, rows, columns, y),
        strategy=strategy,
        search=search,
        rule=rule,
        seconds=time.perf_counter() - first,
        notes=sets.notes(ROOT),
        counter=None if words is None else words.counter,
    )


def _fitted(model: Any, rows: SearchedRows, columns: Any, y: Any) -> Any:
    """The model of the chosen columns, fitted to all rows."""
    fitted = model_on(model, rows.given, columns)
    return fit_weighted(fitted, take_columns(rows.given, columns), y, rows.weight)


def check_search(search: str, rule: str) -> None:
    if search not in SEARCHES:
        raise ValueError(f"search={search!r} is unknown; give 'forward', 'backward' or 'floating'.")
    check_rule(rule)


def _step(stop: Stop, figure: Figure, units: Units) -> Step:
    added, dropped = (None if unit is None else units.names[unit] for unit in (stop.added, stop.dropped))
    return Step(units.named(stop.chosen), figure.error, figure.standard_error, figure.loss, added, dropped)


def choose_stop(stops: Sequence[Stop], figures: Sequence[Figure], rule: str, size: int | None) -> int:
    """The place of the set to use: the best of a size, or the one of the rule, the smallest of equally good ones."""
    losses = np.array([figure.loss for figure in figures])
    sizes = np.array([len(stop.chosen) for stop in stops])
    if size is not None:
        places = np.flatnonzero(sizes == size)
        return int(places[losses[places].argmin()])
    errors = np.array([figure.standard_error for figure in figures])
    good = np.flatnonzero(tied(losses) if rule == "min" else within_one_se(losses, errors))
    smallest = good[sizes[good] == sizes[good].min()]
    return int(smallest[least(losses[smallest])])


def walk_of(
    units: Units, search: str, n_features: int | None, most_features: int | None, start: Any, fixed: Any
) -> Walk:
    """The way through the units, checked."""
    start = start if isinstance(start, str) or not isinstance(start, Iterable) else list(start)
    kept = units.found(fixed, "fixed")
    begun = tuple(sorted({*units.found(start, "start"), *kept}))
    if search == "backward" and not start:
        begun = tuple(range(len(units)))
    target = _target(n_features, most_features, search, len(units), len(kept), len(begun))
    return Walk(search, len(units), kept, begun, target)


def _target(n_features: int | None, most: int | None, search: str, count: int, fixed: int, begun: int) -> int:
    """The size at which the search ends, checked."""
    for name, value in (("n_features", n_features), ("most_features", most)):
        if value is not None and (
            isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1
        ):
            raise ValueError(
                f"{name}={value!r} is no number of features; give a whole number of at least 1, or leave it out "
                "for the whole way."
            )
    if n_features is None:
        end = count if most is None else max(begun, min(int(most), count))
        return max(fixed, 1) if search == "backward" else end
    if n_features > count:
        raise ValueError(
            f"n_features={n_features} is more than the {count} features there are; give at most {count}."
        )
    if n_features < fixed:
        raise ValueError(f"n_features={n_features} is less than the {fixed} fixed features; fix fewer.")
    if search != "backward" and n_features < begun:
        raise ValueError(
            f"n_features={n_features} is less than the {begun} features that the search starts from; use 'backward', "
            "or start from fewer."
        )
    if search == "backward" and n_features > begun:
        raise ValueError(
            f"n_features={n_features} is more than the {begun} features that the search starts from; use 'forward', "
            "or start from more."
        )
    return int(n_features)


@dataclass(frozen=True)
class SearchedRows:
    """A table and its labels, checked; `given` is the table as it came, `table` the same with numbers as an array."""

    given: Any
    table: Any
    names: list[Any] | None
    codes: Codes
    classes: Labels
    weight: Floats | None

    @classmethod
    def of(cls, X: Any, y: Any, sample_weight: Any) -> SearchedRows:
        X, table, names = read_table(X)
        codes, classes = encode(y)
        height = table.shape[0]
        if height != len(codes):
            raise ValueError(f"X has {height} rows and y has {len(codes)}: give one label for each row.")
        if len(classes) < 2:
            raise ValueError(f"y has {len(classes)} class; a search for features needs at least two.")
        return cls(X, table, names, codes, classes, check_row_weight(sample_weight, height))

    def loss(self, given: Any) -> LossMatrix | None:
        """A loss matrix over the classes, where there is one."""
        return None if given is None else LossMatrix.of(given, self.classes)

    def study(self, plan: Plan, row_groups: Any, n_jobs: int | None) -> Study:
        """The rows under a plan."""
        groups = None if row_groups is None else group_codes(row_groups, "groups", len(self.codes))
        engine = LocalEngine(n_jobs, False)
        rows = InMemory(self.table, self.codes, self.classes, self.weight, groups, engine, read_numbers)
        return Study(rows, Splits.of(plan, self.codes, groups))


def _plan(plan: Any, seed: int) -> Plan:
    if plan is None or (isinstance(plan, int | np.integer) and not isinstance(plan, bool)):
        return KFold(5 if plan is None else int(plan), random_state=seed)
    return as_plan(plan)


def read_table(X: Any) -> tuple[Any, Any, list[Any] | None]:
    """The table as columns are taken from it, as models take it, numbers as an array, and the names of its columns."""
    X = X.to_pandas() if hasattr(X, "to_pylist") and hasattr(X, "to_pandas") else compressed_rows(X)  # Arrow
    names = None if is_sparse(X) else column_names(X)
    if isinstance(X, Table) or is_sparse(X):
        return X, X, names
    twice = [name for place, name in enumerate(names or ()) if name in (names or ())[:place]]
    if twice:
        raise ValueError(f"Two columns are called {twice[0]!r}; name them apart.")
    if names is not None and not _numeric(X):
        return X, X, names
    if names is None and np.asarray(X).dtype.kind in "OUS":  # levels as text
        return X, check_cells(Model(), X, reset=True), None
    return X, check_rows(Model(), X, reset=True), names


def _numeric(frame: Any) -> bool:
    """Whether every column of a frame holds numbers."""
    if not hasattr(frame, "iloc"):  # polars, whose types have names of their own
        return all(str(kind).startswith(("Float", "Int", "UInt", "Boolean")) for kind in frame.dtypes)
    kinds = {getattr(kind, "kind", None) for kind in frame.dtypes}
    return kinds <= {"f", "i", "u", "b"}
