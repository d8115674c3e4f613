"""Search for the features to use, by cross-validation."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.data.labels import column_names, features_and_labels
from assay.data.table import Table
from assay.decision import LossLike
from assay.engines.local import LocalEngine
from assay.engines.progress import Meter
from assay.engines.progress import ShowProgress as Progress
from assay.models.base.estimators import Model, check_classifier
from assay.models.base.keywords import explained
from assay.models.base.sparse import compressed_rows, is_sparse
from assay.models.base.validation import check_cells, check_rows
from assay.models.features.text_counts import TextCounts
from assay.notes import Note
from assay.notes.phrases import name_of
from assay.numerics.random_state import RandomState, as_seed
from assay.numerics.scalars import is_whole
from assay.plans import KFold, as_plan
from assay.plans.foreign import PlanLike
from assay.selection.evaluate import dataset_of, decision_of
from assay.selection.features.feature_columns import FeatureColumns, GroupsLike, feature_columns
from assay.selection.features.stepwise import PathPoint, StepwiseSearch, check_search, choose_point
from assay.selection.features.subset_search import search as search_subsets
from assay.selection.features.subsets import SubsetLoss, Subsets, model_on, take_columns
from assay.selection.features.word_counts import count_words, is_texts
from assay.sharing.dataset import InMemory
from assay.sharing.fit_pipeline import fit_weighted
from assay.sharing.splits import ROOT, splits_of
from assay.sharing.study import Study
from assay.types import MatrixLike, RowClassifier

if TYPE_CHECKING:
    from assay.charts.drawing import Drawing


@dataclass(frozen=True)
class Step:
    """A subset of the features on the path of a search.

    `loss` is what the search goes by, the error unless a loss matrix was given, and `standard_error` that of the loss.
    """

    features: tuple[Hashable, ...]
    error: float
    standard_error: float
    loss: float
    added: Hashable = None
    dropped: Hashable = None

    @property
    def n_features(self) -> int:
        return len(self.features)

    @property
    def move(self) -> str:
        """Which feature was added or dropped, in a few characters."""
        if self.added is not None:
            return f"+ {name_of(self.added)}"
        return "start" if self.dropped is None else f"- {name_of(self.dropped)}"


@dataclass(frozen=True, eq=False)
class FeatureSelection:
    """The result of a search for features.

    Attributes
    ----------
    features : list
        Names of the chosen features, in the order of the table; positions where the columns have no names.
    columns : array
        Positions of their columns.
    path : list of Step
        Every subset on the path.
    chosen : int
        Place of the chosen subset in the path.
    model : estimator
        Fitted to all rows of the chosen columns, `take(X)`.
    strategy : str
        How subsets were judged: "sums over features", "sweeps", or as in `evaluate`: "statistics", "refit", ...
    seconds : float
    counter : TextCounts or None
        Where X holds texts: what counted their words, which are the features.

    The error of the chosen subset was used for its selection, so it is optimistically biased:
    `evaluate(FeatureSearch(...), X, y)` searches inside the folds and gives the nested estimate.
    """

    features: list[Hashable]
    columns: NDArray[np.intp]
    path: list[Step]
    chosen: int
    model: RowClassifier
    strategy: str
    search: str
    rule: str
    seconds: float
    notes: tuple[str, ...] = ()
    counter: TextCounts | None = None

    @property
    def error(self) -> float:
        """Cross-validated error of the chosen subset, in the folds of the search."""
        return self.path[self.chosen].error

    def take(self, X: MatrixLike) -> Any:
        """The chosen columns of a table like the one searched; of texts, the counts of the chosen words."""
        return take_columns(X if self.counter is None else self.counter.transform(X), self.columns)

    def chart(self) -> Drawing:
        """The picture: shown by a notebook, and kept by ``save("curve.svg")`` (or .png, .html, .json)."""
        from assay.charts.features import path_drawing  # loads Altair, which only a picture needs

        return path_drawing(self.path, self.chosen, self.search)

    def __repr__(self) -> str:
        names = ", ".join(map(str, self.features[:6])) + (", ..." if len(self.features) > 6 else "")
        count = f"{len(self.features)} feature{'s' if len(self.features) > 1 else ''}"
        return f"FeatureSelection({count}: {names}; error {self.error:.4f}, {self.search})"


@explained
def select_features(
    model: RowClassifier,
    X: MatrixLike,
    y: ArrayLike,
    *,
    search: str = "forward",
    n_features: int | None = None,
    most_features: int | None = None,
    plan: PlanLike | None = None,
    rule: str = "min",
    loss: LossLike = None,
    start: Iterable[Hashable] = (),
    fixed: Iterable[Hashable] = (),
    groups: GroupsLike = None,
    sample_weight: ArrayLike | None = None,
    row_groups: ArrayLike | None = None,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> FeatureSelection:
    """Stepwise feature selection: search for the subset of features with the least cross-validated loss.

    Parameters
    ----------
    model : classifier
        A model of Assay or scikit-learn, or a pipeline. For Gaussian naive Bayes, shared covariance and least squares
        one pass over the rows evaluates every candidate of a step; for other models subsets share what `evaluate`
        shares. The result is the same.
    X : array, frame, Arrow table, typed table, sparse matrix or list of texts
        The features of texts are words, counted by the `TextCounts` that a pipeline begins with, or by a plain one.
    y : array or str
        One label per row, or the name of the column of X that holds the labels.
    search : "forward", "backward" or "floating"
    n_features : int, optional
        Size of the subset; None: search the whole path, and select one of its subsets by `rule`.
    most_features : int, optional
        Size at which a forward search ends if `n_features` is None.
    plan : plan, int, scikit-learn splitter or list of (train, test), default KFold(5)
    rule : "min" or "one_se"
        The subset of least loss, or the smallest one within one standard error of it.
    loss : loss matrix, optional
        ``loss[true, action]``; the error when not given.
    start : list of features
        Initial subset; by default no feature, backward all of them.
    fixed : list of features
        Features that are always in the subset.
    groups : mapping or list, optional
        Columns that are added and dropped together: names with their columns, or one name per column.
    sample_weight, row_groups, n_jobs, progress
        As in `evaluate`, where `row_groups` are called groups.
    random_state : int, None, RandomState or Generator
        Seed of the folds if `plan` is None or a number.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import GaussianNB, select_features
    >>> X, y = load_iris(return_X_y=True)
    >>> result = select_features(GaussianNB(), X, y)
    >>> result.features, [round(step.error * 150) for step in result.path]
    ([3], [6, 6, 6, 8])
    """
    check_search(search, rule)
    X, y = features_and_labels(X, y)
    words = count_words(model, X) if is_texts(X) else None
    reader, X = (model, X) if words is None else (cast(RowClassifier, words.model), words.rows)
    check_classifier(reader)
    begun = time.perf_counter()
    X, table, names = read_table(X)
    data = dataset_of(table, y, sample_weight, row_groups, LocalEngine(n_jobs, False))
    features = feature_columns(table.shape[1], names if words is None else words.names, groups)
    stepwise = StepwiseSearch.of(features, search, n_features, most_features, start, fixed)
    subsets = _subsets(reader, data, features, plan, as_seed(random_state), loss)
    with Meter(stepwise.trials, f"{search} search", progress) as meter:
        paths, strategy = search_subsets(subsets, {ROOT: stepwise}, meter)
    place, steps = _choice(subsets, paths[ROOT], rule, n_features)
    columns = features.columns_of(paths[ROOT][place].subset)
    fitted = fit_weighted(model_on(reader, X, columns), take_columns(X, columns), y, data.weight)
    return FeatureSelection(
        list(steps[place].features), columns, steps, place, fitted, strategy, search, rule, time.perf_counter() - begun,
        subsets.notes(ROOT), None if words is None else words.counter,
    )  # fmt: skip


def _subsets(
    model: RowClassifier,
    data: InMemory,
    features: FeatureColumns,
    plan: PlanLike | None,
    seed: int,
    loss: LossLike,
) -> Subsets:
    """Subsets of the features, judged by the tests of the plan."""
    if plan is None or is_whole(plan):
        plan = KFold(5 if plan is None else int(plan), random_state=seed)
    plan, matrix = as_plan(plan), decision_of(loss, None, data.classes)[0]
    study = Study(data, splits_of(plan, data.codes, data.groups))
    return Subsets(model, study, features, {ROOT: study.splits.parent == ROOT}, plan, matrix)


def _choice(subsets: Subsets, path: list[PathPoint], rule: str, size: int | None) -> tuple[int, list[Step]]:
    """The place of the chosen subset on the path, and the path as the result tells it."""
    figures = subsets.path_losses(ROOT, path)
    losses, errors, _ = np.array(figures).T
    steps = [_step(point, figure, subsets.features) for point, figure in zip(path, figures, strict=True)]
    return choose_point(path, losses, errors, rule, size), steps


def _step(point: PathPoint, figure: SubsetLoss, features: FeatureColumns) -> Step:
    added, dropped = (
        None if feature is None else features.names[feature] for feature in (point.added, point.dropped)
    )
    return Step(
        features.named(point.subset), figure.error, figure.standard_error, figure.loss, added, dropped
    )


def read_table(X: MatrixLike) -> tuple[Any, Any, list[Hashable] | None]:
    """The table as columns are taken from it, as models take it, numbers as an array, and the names of its columns."""
    X = X.to_pandas() if hasattr(X, "to_pylist") and hasattr(X, "to_pandas") else compressed_rows(X)  # Arrow
    names = None if is_sparse(X) else column_names(X)
    if isinstance(X, Table) or is_sparse(X):
        return X, X, names
    twice = [name for place, name in enumerate(names or ()) if name in (names or ())[:place]]
    if twice:
        raise ValueError(Note("S104", twice=twice[0]))
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
