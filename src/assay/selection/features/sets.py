"""Sets of features as settings of one model: tests of a study say how good they are, whatever the model shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
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
from assay.selection.evaluation import Evaluation
from assay.selection.features.units import Units
from assay.selection.features.walks import Chosen, Stop
from assay.selection.tested import Tested
from assay.sharing.dispatch import Dispatched, solve
from assay.sharing.overrides import overrides
from assay.sharing.reductions import AllScores, Losses, Part
from assay.sharing.settings import Settings
from assay.sharing.study import Study
from assay.statistics.solve_diagnostics import absences
from assay.types import Floats, Mask


class Figure(NamedTuple):
    """How good a set of features is: what is searched by, its standard error, and the error."""

    loss: float
    standard_error: float
    error: float


@dataclass(frozen=True, eq=False)
class Sets:
    """Sets of units of a table, judged by the tests of one or several searchers.

    Attributes
    ----------
    model : estimator
    study : Study of the table that the model reads
    tests : dict
        The tests that judge the sets of each searcher, (T,): those of a plan, or those inside a training set.
    plan : Plan
        From which these tests come: it says how their losses are averaged.
    """

    model: Any
    study: Study
    units: Units
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
        """How often each searcher tests each row, (N,)."""
        found = {}
        for key, tests in self.tests.items():
            rows, test = self.study.splits.pairs(self.study.splits.cell, tests)
            rows = np.arange(len(test)) if rows is None else rows
            found[key] = np.bincount(rows, minlength=self.study.dataset.n_rows)
        return found

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

    def solved(self, sets: Sequence[Chosen]) -> Dispatched:
        """The model on the columns of each set."""
        columns = [self.units.columns_of(chosen) for chosen in sets]
        if self.numbers and not isinstance(self.model, TableClassifier):
            return solve(Settings.of([self._piped(each) for each in columns]), self.study)
        return as_one([self._alone(some) for some in columns])

    def _piped(self, columns: NDArray[np.intp]) -> Any:
        model = model_on(self.model, self.table, columns)
        return Pipeline(
            [("columns", SelectColumns(columns.tolist())), *(parts_of(model) or [("model", model)])]
        )

    def _alone(self, columns: NDArray[np.intp]) -> Dispatched:
        """The model on a table of these columns only."""
        model, X = model_on(self.model, self.table, columns), take_columns(self.table, columns)
        if isinstance(model, TableClassifier) and isinstance(X, Table) and overrides(model) is None:
            known = model.encoded(X)  # its columns are known before the folds
            model, X = known.matrix_estimator(), known.design(X)
        return solve(Settings.of([model]), self.study_of(X))

    def study_of(self, table: Any) -> Study:
        """The same study of other columns."""
        dataset: Any = replace(self.study.dataset, table=table)  # type: ignore[type-var]
        return Study(dataset, self.study.splits)

    # -- figures ------------------------------------------------------------------------------------------

    def mean_losses(self, asked: Sequence[tuple[int, Chosen]]) -> tuple[Floats, str]:
        """The mean loss of each set in the tests of a searcher, and how it was computed."""
        sets = list(dict.fromkeys(chosen for _, chosen in asked))
        place, group = {each: s for s, each in enumerate(sets)}, {key: g for g, key in enumerate(self.tests)}
        of = np.full(self.study.splits.n_tests, -1)
        only = np.zeros((len(sets), len(of)), dtype=bool)
        for key, chosen in asked:
            of[self.tests[key]] = group[key]
            only[place[chosen]] |= self.tests[key]
        solved = self.solved(sets)
        sums = solved.reduce(self._keep(len(sets), of), only).sum(axis=2)
        at = [place[chosen] for _, chosen in asked], [group[key] for key, _ in asked]
        weight, lost = sums[*at, 0], sums[*at, 1]
        if not weight.all():
            raise ValueError(
                "No tested row counts: every one has weight zero, or none was tested; use other splits."
            )
        return np.asarray(lost / weight), solved.ways[0]

    def _keep(self, count: int, of: NDArray[np.intp]) -> Losses:
        dataset, splits = self.study.dataset, self.study.splits
        rest = (count, dataset.n_classes, of.astype(np.int32), self.loss)
        if all(self.evenly(key) for key in self.tests):
            return Losses(*rest)
        times = np.stack([np.maximum(each, 1) for each in self.times.values()])
        if not self.plan.averages_splits:
            return _Shared(*rest, per_row=1.0 / times, per_test=np.ones(len(of)))
        weight = np.ones(dataset.n_rows) if dataset.weight is None else dataset.weight
        total = np.array([weight[splits.test_rows(t)].sum() if g >= 0 else 0.0 for t, g in enumerate(of)])
        per_test = np.divide(1.0, total, out=np.zeros(len(of)), where=total > 0)
        return _Shared(*rest, per_row=np.ones(times.shape), per_test=per_test)

    def figures(self, key: int, stops: Sequence[Stop]) -> list[Figure]:
        """Loss, standard error and error of each set on the way of a searcher."""
        dataset, tested = self.study.dataset, self.times[key]
        if self.loss is None and dataset.weight is None and self.evenly(key) and tested.max() == 1:
            return [_of_losses(stop.loss, int(tested.sum())) for stop in stops]
        only = np.tile(self.tests[key], (len(stops), 1))
        keep = AllScores(self.study.splits, len(stops), dataset.n_rows)
        out = []
        for scored in self.solved([stop.chosen for stop in stops]).reduce(keep, only):
            assert scored is not None
            found = Evaluation(
                name=type(self.model).__name__,
                classes=dataset.classes,
                codes=dataset.codes,
                weight=dataset.weight,
                tested=Tested(scored.row, scored.test, scored.scores, scored.predicted, scored.priors),
                probabilistic=scored.posterior,
                n_splits=self.study.splits.n_tests,
                strategy="",
                seconds=0.0,
                plan=self.plan,
                loss=self.loss,
            )
            out.append(Figure(*found.loss_and_error, found.error))
        return out


def as_one(each: Sequence[Dispatched]) -> Dispatched:
    """Settings that went to dispatchers of their own."""
    found = Dispatched.nothing(len(each))
    for place, one in enumerate(each):
        found.adopt([place], one)
    return found


def _of_losses(error: float, count: int) -> Figure:
    """Of an error in so many rows, each tested once."""
    spread = float(np.sqrt(error * (1.0 - error) / (count - 1.0))) if count > 1 else float("nan")
    return Figure(error, spread, error)


@dataclass(frozen=True)
class _Shared(Losses):
    """Losses of which a row's, or a test's, add up to one whole, however often it is tested or how many rows it has."""

    per_row: Any = None  # (groups, N)
    per_test: Any = None  # (T,)
    counts_mistakes: ClassVar[bool] = False  # pairs must be weighed one by one

    def add(self, part: Part) -> dict[int, Floats]:
        share = self.per_row[self.of[part.test], part.row] * self.per_test[part.test]
        return super().add(part._replace(weight=share if part.weight is None else share * part.weight))


def model_on(model: Any, X: Any, columns: NDArray[np.intp]) -> Any:
    """A copy of a model for some columns of a table."""
    own = clone(model)
    names = column_names(X)
    if isinstance(own, MixedNB) and own.kinds:
        after = [f"x{j}" for j in columns] if names is None else [names[j] for j in columns]
        now = {old: f"x{place}" if names is None else old for place, old in enumerate(after)}
        own.kinds = {now[name]: kind for name, kind in own.kinds.items() if name in now} or None
    if isinstance(own, MixedNB | CategoricalNB) and own.flags is not None:
        flags = flag_places(own.flags, X.shape[1] if names is None else len(names))
        own.flags = [place for place, column in enumerate(columns.tolist()) if column in flags] or None
    return own


def take_columns(X: Any, columns: NDArray[np.intp]) -> Any:
    """Some columns of an array, a frame, a sparse matrix, an Arrow or a typed table."""
    if is_sparse(X):
        return X.tocsr()[:, columns]  # of some formats columns cannot be taken
    if hasattr(X, "iloc"):
        return X.iloc[:, columns]
    if isinstance(X, Table):
        return X.select([X.schema.names[j] for j in columns])
    if hasattr(X, "to_pylist"):  # Arrow
        return X.select([X.column_names[j] for j in columns])
    if hasattr(X, "columns") and hasattr(X, "select"):  # polars
        return X.select([X.columns[j] for j in columns])
    return X[:, columns] if hasattr(X, "shape") else [[row[j] for j in columns] for row in X]
