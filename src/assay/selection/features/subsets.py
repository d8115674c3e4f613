"""Subsets of features as settings of one model: tests of a study say how good they are, whatever the model shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.data.labels import column_names
from assay.data.table import Table
from assay.decision import LossMatrix
from assay.models.base.estimators import Pipeline, clone, parts_of
from assay.models.base.sparse import is_sparse
from assay.models.features.select_columns import SelectColumns
from assay.models.naive_bayes.categorical import CategoricalNB, flag_places
from assay.models.naive_bayes.mixed.mixed_nb import MixedNB
from assay.models.table.table_classifier import TableClassifier
from assay.notes import Note
from assay.selection.features.feature_columns import FeatureColumns
from assay.selection.features.stepwise import PathPoint, Subset
from assay.selection.setting_losses import RowMeans
from assay.sharing.dispatch import Dispatched, solve
from assay.sharing.overrides import overrides
from assay.sharing.reductions import Losses, Part, Several
from assay.sharing.settings import Settings
from assay.sharing.study import Study
from assay.statistics.solve_diagnostics import absences
from assay.types import Array, Mask, RowClassifier


class SubsetLoss(NamedTuple):
    """How good a subset is: what the search goes by, its standard error, and the error."""

    loss: float
    standard_error: float
    error: float


@dataclass(frozen=True, eq=False)
class Subsets:
    """Subsets of the features of a table, judged by the tests of one or several searches.

    Attributes
    ----------
    model : estimator
    study : Study of the table that the model reads
    features : FeatureColumns
    tests : dict
        The tests that judge the subsets of each search, (T,): those of a plan, or those inside a training set.
    plan : Plan
        From which these tests come: it says how their losses are averaged.
    loss : LossMatrix, optional
    """

    model: Any
    study: Study
    features: FeatureColumns
    tests: dict[int, Mask]
    plan: Any
    loss: LossMatrix | None

    @property
    def table(self) -> Any:
        """The rows as the model takes them."""
        return self.study.dataset.source()

    @cached_property
    def numbers(self) -> bool:
        """Whether the table is an array of numbers: then columns are chosen by a step before the model."""
        return isinstance(self.table, np.ndarray) and self.table.dtype.kind == "f"

    @cached_property
    def times(self) -> dict[int, NDArray[np.intp]]:
        """How often each search tests each row, (N,)."""
        times = {}
        for key, tests in self.tests.items():
            rows, test = self.study.splits.pairs(self.study.splits.cell, tests)
            rows = np.arange(len(test)) if rows is None else rows
            times[key] = np.bincount(rows, minlength=self.study.dataset.n_rows)
        return times

    def evenly(self, key: int) -> bool:
        """Whether all rows that are tested are tested equally often, and all tests count by their rows."""
        times = self.times[key][self.times[key] > 0]
        return not self.plan.averages_splits and bool((times == times[:1]).all())

    def notes(self, key: int) -> tuple[str, ...]:
        """Classes that training sets lack, and why something cheaper did not serve, in words."""
        changed = overrides(self.model)
        models = self.study.splits.model[self.tests[key]]
        missing = absences(self.study.class_weight()[models], self.study.dataset.classes)
        return (*(() if changed is None else (str(changed),)), *missing)

    # -- settings -----------------------------------------------------------------------------------------

    def solved(self, subsets: Sequence[Subset]) -> Dispatched:
        """The model on the columns of each subset."""
        columns = [self.features.columns_of(subset) for subset in subsets]
        if self.numbers and not isinstance(self.model, TableClassifier):
            return solve(Settings.of([self._behind_columns(places) for places in columns]), self.study)
        return one_by_one([self._alone(places) for places in columns])

    def _behind_columns(self, columns: NDArray[np.intp]) -> Any:
        model = model_on(self.model, self.table, columns)
        return Pipeline(
            [("columns", SelectColumns(columns.tolist())), *(parts_of(model) or [("model", model)])]
        )

    def _alone(self, columns: NDArray[np.intp]) -> Dispatched:
        """The model on a table of these columns only."""
        model, X = model_on(self.model, self.table, columns), take_columns(self.table, columns)
        if isinstance(model, TableClassifier) and isinstance(X, Table) and overrides(model) is None:
            encoded = model.encoded(X)  # its columns are known before the folds
            model, X = encoded.matrix_estimator(), encoded.design(X)
        return solve(Settings.of([model]), self.study_of(X))

    def study_of(self, table: Any) -> Study:
        """The same study of other columns."""
        dataset: Any = replace(self.study.dataset, table=table)  # type: ignore[type-var]
        return Study(dataset, self.study.splits)

    # -- losses -------------------------------------------------------------------------------------------

    def mean_losses(self, requests: Sequence[tuple[int, Subset]]) -> tuple[Array, str]:
        """The mean loss of each subset in the tests of a search, and how it was computed."""
        place = {subset: s for s, subset in enumerate(dict.fromkeys(subset for _, subset in requests))}
        group = {key: g for g, key in enumerate(self.tests)}
        of = np.full(self.study.splits.n_tests, -1)
        only = np.zeros((len(place), len(of)), dtype=bool)
        for key, subset in requests:
            of[self.tests[key]] = group[key]
            only[place[subset]] |= self.tests[key]
        solved = self.solved(list(place))
        sums = solved.reduce(self._reduction(len(place), of), only).sum(axis=2)
        at = [place[subset] for _, subset in requests], [group[key] for key, _ in requests]
        weight, lost = sums[*at, 0], sums[*at, 1]
        if not weight.all():
            raise ValueError(Note("S111"))
        return np.asarray(lost / weight), solved.ways[0]

    def _reduction(self, count: int, of: NDArray[np.intp]) -> Losses:
        rest = (count, self.study.dataset.n_classes, of.astype(np.int32), self.loss)
        if all(self.evenly(key) for key in self.tests):
            return Losses(*rest)
        times = np.stack([np.maximum(times, 1) for times in self.times.values()])
        if not self.plan.averages_splits:
            return _WeighedLosses(*rest, per_row=1.0 / times, per_test=np.ones(len(of)))
        per_test = np.sum([self._row_means(key).factor for key in self.tests], axis=0)
        return _WeighedLosses(*rest, per_row=np.ones(times.shape), per_test=per_test)

    def _row_means(self, key: int) -> RowMeans:
        return RowMeans(self.study, np.flatnonzero(self.tests[key]), self.plan.averages_splits, None)

    def path_losses(self, key: int, path: Sequence[PathPoint]) -> list[SubsetLoss]:
        """Loss, standard error and error of each subset on the path of a search."""
        dataset, tested = self.study.dataset, self.times[key]
        if self.loss is None and dataset.weight is None and self.evenly(key) and tested.max() == 1:
            return [_of_error(point.loss, int(tested.sum())) for point in path]
        rows = self._row_means(key)
        only = np.tile(self.tests[key], (len(path), 1))
        reduction = Several(tuple(rows.reductions(len(path), self.loss)))
        figures = rows.figures(self.solved([point.subset for point in path]).reduce(reduction, only))
        return [SubsetLoss(*map(float, values)) for values in zip(*figures, strict=True)]


def one_by_one(parts: Sequence[Dispatched]) -> Dispatched:
    """Settings that went to a dispatcher each, as one."""
    whole = Dispatched.nothing(len(parts))
    for place, part in enumerate(parts):
        whole.adopt([place], part)
    return whole


def _of_error(error: float, count: int) -> SubsetLoss:
    """Of an error in so many rows, each tested once."""
    spread = float(np.sqrt(error * (1.0 - error) / (count - 1.0))) if count > 1 else float("nan")
    return SubsetLoss(error, spread, error)


@dataclass(frozen=True)
class _WeighedLosses(Losses):
    """Losses of which a row's, or a test's, add up to one whole, however often it is tested or how many rows it has."""

    per_row: Array = field(kw_only=True)  # (groups, N)
    per_test: Array = field(kw_only=True)  # (T,)
    counts_mistakes: ClassVar[bool] = False  # pairs must be weighed one by one

    def add(self, part: Part) -> dict[int, Array]:
        share = self.per_row[self.of[part.test], part.row] * self.per_test[part.test]
        return super().add(part._replace(weight=share if part.weight is None else share * part.weight))


def model_on(model: RowClassifier, X: Any, columns: NDArray[np.intp]) -> RowClassifier:
    """A copy of a model for some columns of a table."""
    copy = clone(model)
    names = column_names(X)
    if isinstance(copy, MixedNB) and copy.kinds:
        after = [f"x{j}" for j in columns] if names is None else [names[j] for j in columns]
        now = {old: f"x{place}" if names is None else old for place, old in enumerate(after)}
        copy.kinds = {now[name]: kind for name, kind in copy.kinds.items() if name in now} or None
    if isinstance(copy, MixedNB | CategoricalNB) and copy.flags is not None:
        flags = flag_places(copy.flags, X.shape[1] if names is None else len(names))
        copy.flags = [place for place, column in enumerate(columns.tolist()) if column in flags] or None
    return copy


def take_columns(X: Any, columns: NDArray[np.intp]) -> Any:
    """Some columns of an array, a frame, a sparse matrix, an Arrow or a typed table."""
    if is_sparse(X):
        return X.tocsr()[:, columns]  # of some formats columns cannot be taken
    if hasattr(X, "iloc"):
        return X.iloc[:, columns]
    names = column_names(X)
    if names is not None:  # polars, Arrow, typed tables
        return X.select([names[j] for j in columns])
    return X[:, columns] if hasattr(X, "shape") else [[row[j] for j in columns] for row in X]
