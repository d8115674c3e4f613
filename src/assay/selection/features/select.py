"""Search for the features to use, by cross-validation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.labels import column_names, features_and_labels
from assay.data.table import Table
from assay.engines.progress import Meter, Progress
from assay.models.base import Model, check_classifier, fit_weighted
from assay.models.keywords import explained
from assay.models.sparse import compressed_rows, is_sparse
from assay.models.validation import check_cells, check_row_weight, check_rows, encode
from assay.numerics.random_state import RandomState, as_seed
from assay.plans import Bootstrap, KFold, LeaveOneOut, Plan, as_plan
from assay.selection.criteria import check_rule, least, tied, within_one_se
from assay.selection.drawn import Drawn
from assay.selection.features.judges import judge_of
from assay.selection.features.refits import on_columns, take_columns
from assay.selection.features.steps import Stop, Walk
from assay.selection.features.task import Chosen, Task
from assay.selection.features.units import Units, units_of
from assay.selection.features.word_counts import count_words, is_texts

Array = NDArray[np.float64]
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
        How sets were judged: "sums over features", "sweeps", "sums of distances", "statistics", "refit", ...
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
        Assay's, scikit-learn's, or a pipeline. Naive Bayes of numbers, levels, words and mixed columns, shared
        covariance, least squares and nearest neighbours are not refitted: one pass over the rows tries every candidate
        of a step, with the same result.
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
    if words is not None:
        model, X = words.model, words.rows
    start = start if isinstance(start, str) or not isinstance(start, Iterable) else list(start)
    task = _task(
        model, X, y, search, plan, loss, groups, sample_weight, row_groups, as_seed(random_state), n_jobs
    )
    if words is not None:
        task = replace(task, units=units_of(X.shape[1], words.names, groups))
    units = task.units
    kept = units.found(fixed, "fixed")
    begun = tuple(sorted({*units.found(start, "start"), *kept}))
    if search == "backward" and not start:
        begun = tuple(range(len(units)))
    target = _target(n_features, most_features, search, len(units), len(kept), len(begun))
    found = _found(task, search, rule, n_features is None, begun, kept, target, progress)
    return found if words is None else replace(found, counter=words.counter)


def check_search(search: str, rule: str) -> None:
    if search not in SEARCHES:
        raise ValueError(f"search={search!r} is unknown; give 'forward', 'backward' or 'floating'.")
    check_rule(rule)


def _found(
    task: Task,
    search: str,
    rule: str,
    by_rule: bool,
    begun: Chosen,
    kept: Chosen,
    target: int,
    progress: Progress,
) -> FeatureSelection:
    import time

    first = time.perf_counter()
    judge = judge_of(task)
    with Meter(_trials(search, len(task.units), len(begun), target), f"{search} search", progress) as meter:
        walk = Walk(judge, len(task.units), kept, target, _teller(meter))
        stops: list[Stop] = getattr(walk, search)(begun)
    place = _choose(stops, rule) if by_rule else _of_size(stops, target)
    chosen = stops[place].chosen
    columns = task.units.columns_of(chosen)
    fitted, part = on_columns(task.model, task.table, columns)
    fit_weighted(fitted, part, task.y, task.weight)
    return FeatureSelection(
        features=list(task.units.named(chosen)),
        columns=columns,
        path=[_step(stop, task.units) for stop in stops],
        chosen=place,
        model=fitted,
        strategy=judge.strategy,
        search=search,
        rule=rule,
        seconds=time.perf_counter() - first,
        notes=judge.notes,
    )


def _step(stop: Stop, units: Units) -> Step:
    def name(unit: int | None) -> Any:
        return None if unit is None else units.names[unit]

    figure = stop.figure
    return Step(
        units.named(stop.chosen),
        figure.error,
        figure.standard_error,
        figure.loss,
        name(stop.added),
        name(stop.dropped),
    )


def _choose(stops: list[Stop], rule: str) -> int:
    """The place of the set to use; of equally good ones the smallest."""
    losses = np.array([stop.figure.loss for stop in stops])
    sizes = np.array([len(stop.chosen) for stop in stops])
    errors = np.array([stop.figure.standard_error for stop in stops])
    good = np.flatnonzero(tied(losses) if rule == "min" else within_one_se(losses, errors))
    smallest = good[sizes[good] == sizes[good].min()]
    return int(smallest[least(losses[smallest])])


def _of_size(stops: list[Stop], size: int) -> int:
    """The best set of this size."""
    places = [place for place, stop in enumerate(stops) if len(stop.chosen) == size]
    return min(places, key=lambda place: stops[place].figure.loss)


def _trials(search: str, count: int, begun: int, target: int) -> int:
    """How many sets a search will try; floating, at least."""
    if search == "backward":
        return sum(range(target + 1, begun + 1))
    return sum(range(count - target + 1, count - begun + 1))


def _teller(meter: Meter) -> Any:
    total = [0]

    def done(trials: int) -> None:
        total[0] += trials
        meter.total = max(meter.total, total[0])
        meter.move(meter.label, total[0])

    return done


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


def _task(
    model: Any,
    X: Any,
    y: Any,
    search: str,
    plan: Any,
    loss: Any,
    groups: Any,
    sample_weight: Any,
    row_groups: Any,
    seed: int,
    n_jobs: int | None,
) -> Task:
    check_classifier(model)
    X = X.to_pandas() if hasattr(X, "to_pylist") and hasattr(X, "to_pandas") else X  # Arrow
    X = compressed_rows(X)
    rows, names = _table(X)
    codes, classes = encode(y)
    height = rows.shape[0] if hasattr(rows, "shape") else len(rows)
    if height != len(codes):
        raise ValueError(f"X has {height} rows and y has {len(codes)}: give one label for each row.")
    if len(classes) < 2:
        raise ValueError(f"y has {len(classes)} class; a search for features needs at least two.")
    checked = _plan(plan, seed)
    single = isinstance(checked, Bootstrap | LeaveOneOut)
    partitions = [] if single else checked.partitions(codes, row_groups)
    weight = check_row_weight(sample_weight, height)
    units = units_of(rows.shape[1], names, groups)
    both = search == "floating"
    return Task(
        model, X, rows, y, codes, classes, weight, checked, partitions, row_groups, loss, units, both, n_jobs
    )


def _plan(plan: Any, seed: int) -> Plan:
    if plan is None or (isinstance(plan, int | np.integer) and not isinstance(plan, bool)):
        return KFold(5 if plan is None else int(plan), random_state=seed)
    return as_plan(plan)


def _table(X: Any) -> tuple[Any, list[Any] | None]:
    """The table as models take it, numbers as an array, and the names of its columns."""
    if isinstance(X, Table):
        return X, list(X.schema.names)
    if is_sparse(X):
        return X, None
    names = column_names(X)
    twice = [name for place, name in enumerate(names or ()) if name in (names or ())[:place]]
    if twice:
        raise ValueError(f"Two columns are called {twice[0]!r}; name them apart.")
    if names is not None and not _numeric(X):
        return X, names
    if names is None and np.asarray(X).dtype.kind in "OUS":  # levels as text
        return check_cells(Model(), X, reset=True), None
    return check_rows(Model(), X, reset=True), names


def _numeric(frame: Any) -> bool:
    """Whether every column of a frame holds numbers."""
    if not hasattr(frame, "iloc"):  # polars, whose types have names of their own
        return all(str(kind).startswith(("Float", "Int", "UInt", "Boolean")) for kind in frame.dtypes)
    kinds = {getattr(kind, "kind", None) for kind in frame.dtypes}
    return kinds <= {"f", "i", "u", "b"}
