"""Searches for features inside every training set of a study, at the same time: each tests rows it never saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeVar

import numpy as np

from assay.models.base import check_classifier
from assay.plans import UNUSED, Partition, as_plan
from assay.selection.features.judge import search
from assay.selection.features.select import choose_stop, read_table, walk_of
from assay.selection.features.sets import Figure, Sets
from assay.selection.features.units import units_of
from assay.selection.features.walks import Chosen
from assay.sharing.reductions import Part, Reduction
from assay.sharing.splits import Splits, drawn_inside
from assay.sharing.study import Study
from assay.statistics.solve_diagnostics import absences
from assay.types import Index, Mask

Result = TypeVar("Result")


def can_search_inside(plan: Any, splits: Splits) -> bool:
    """Whether folds are drawn inside training sets that see no row twice: a fit would part the copies of a row."""
    divides = plan is None or as_plan(plan).drawn
    return divides and not splits.row_by_row and bool((splits.copies <= 1).all())


@dataclass(frozen=True, eq=False)
class SearchedInside:
    """A `FeatureSearch` in every training set; a set of features is chosen as soon as its scores are asked for."""

    name: ClassVar[str] = "search"
    asked: Any  # the FeatureSearch
    study: Study
    chosen: dict[int, Chosen] = field(default_factory=dict)  # by model

    def reduce(self, keep: Reduction[Result], only: Mask | None = None) -> Result:
        """What the reduction keeps of all scores, or of those asked for: only (1, T)."""
        splits = self.study.splits
        tests = np.arange(splits.n_tests) if only is None else np.flatnonzero(only[0])
        sets = self._sets()
        self._search(sets, np.setdiff1d(splits.model[tests], list(self.chosen)))
        of_test = [self.chosen[int(m)] for m in splits.model[tests]]
        found = list(dict.fromkeys(of_test))
        asked = np.zeros((len(found), splits.n_tests), dtype=bool)
        asked[[found.index(each) for each in of_test], tests] = True
        kept: Result = sets.solved(found).reduce(_AsOne(keep), asked)
        return kept

    def _sets(self) -> Sets:
        """Sets of columns of the table as models take it."""
        self.asked._check_params()
        check_classifier(self.asked.estimator)
        dataset: Any = self.study.dataset
        _, table, names = read_table(dataset.source())
        units = units_of(table.shape[1], names, self.asked.groups)
        study = (
            self.study
            if table is dataset.source()
            else Study(replace(dataset, table=table), self.study.splits)
        )
        return Sets(self.asked.estimator, study, units, {}, None, None)

    def _search(self, sets: Sets, models: Index) -> None:
        """Choose the columns of some models."""
        if not len(models):
            return
        asked, dataset = self.asked, self.study.dataset
        walk = walk_of(
            sets.units, asked.search, asked.n_features, asked.most_features, asked.start, asked.fixed
        )
        deep = drawn_inside(self.study.splits, self._draw)
        tests = {int(m): (deep.parent == m) & (deep.series == deep.inside) for m in models}
        quiet: Any = replace(sets.study.dataset, engine=replace(dataset.engine, progress=False))  # type: ignore[type-var]
        plan = asked._plan(dataset.codes, dataset.groups)
        inner = replace(sets, study=Study(quiet, deep), tests=tests, plan=plan)
        with dataset.engine.meter(walk.trials * len(models), f"{asked.search} search") as meter:
            stops, _ = search(inner, dict.fromkeys(tests, walk), meter)
        for m, way in stops.items():
            losses = [Figure(stop.loss, np.nan, np.nan) for stop in way]
            figures = inner.figures(m, way) if asked.rule == "one_se" else losses
            self.chosen[m] = way[choose_stop(way, figures, asked.rule, asked.n_features)].chosen

    def _draw(self, rows: Index) -> Sequence[Partition]:
        """The folds of a training set as its fit would draw them: rows of weight 0 are not there."""
        data = self.study.dataset
        counted = np.ones(len(rows), dtype=bool) if data.weight is None else data.weight[rows] > 0
        codes = data.codes[rows[counted]]
        groups = None if data.groups is None else data.groups[rows[counted]]
        out = []
        for part in self.asked._plan(codes, groups).partitions(codes, groups):
            fold = np.full(len(rows), UNUSED, dtype=np.int32)
            fold[counted] = part.fold
            out.append(Partition(fold, part.n_folds))
        return out

    def difficulties(self, s: int) -> tuple[str, ...]:
        """Classes that training sets lack."""
        return absences(self.study.class_weight(), self.study.dataset.classes)


@dataclass(frozen=True)
class _AsOne:
    """A reduction to which sets of features that were chosen by different models are one setting."""

    keep: Reduction[Any]

    def add(self, part: Part) -> Any:
        return self.keep.add(part._replace(setting=0))

    def merge(self, a: Any, b: Any) -> Any:
        return self.keep.merge(a, b)

    def finish(self, total: Any) -> Any:
        return self.keep.finish(total)
