"""Searches for features inside every training set of a study, at the same time: each tests rows it never saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from assay.models.base.estimators import check_classifier
from assay.plans import UNUSED, Partition, as_plan
from assay.plans.foreign import PlanLike
from assay.selection.features.feature_columns import feature_columns
from assay.selection.features.select import read_table
from assay.selection.features.stepwise import StepwiseSearch, Subset, choose_point
from assay.selection.features.subset_search import search
from assay.selection.features.subsets import Subsets
from assay.sharing.reductions import BaseReduction, Kept, Part, Reduction
from assay.sharing.splits import Splits, drawn_inside
from assay.sharing.study import Study
from assay.statistics.solve_diagnostics import absences
from assay.types import Index, Mask

Result = TypeVar("Result")


def can_search_inside(plan: PlanLike | None, splits: Splits) -> bool:
    """Whether folds are drawn inside training sets that see no row twice: a fit would part the copies of a row."""
    divides = plan is None or as_plan(plan).drawn
    return divides and not splits.row_by_row and bool((splits.copies <= 1).all())


@dataclass(frozen=True, eq=False)
class NestedSearch:
    """A `FeatureSearch` in every training set; a subset is chosen as soon as its scores are asked for."""

    name: ClassVar[str] = "search"
    searcher: Any  # the FeatureSearch
    study: Study
    chosen: dict[int, Subset] = field(default_factory=dict)  # by model

    def reduce(self, keep: Reduction[Kept, Result], only: Mask | None = None) -> Result:
        """What the reduction keeps of all scores, or of those asked for: only (1, T)."""
        splits = self.study.splits
        tests = np.arange(splits.n_tests) if only is None else np.flatnonzero(only[0])
        subsets = self._subsets()
        self._search(subsets, np.setdiff1d(splits.model[tests], list(self.chosen)))
        of_test = [self.chosen[int(m)] for m in splits.model[tests]]
        settings = list(dict.fromkeys(of_test))
        chosen = np.zeros((len(settings), splits.n_tests), dtype=bool)
        chosen[[settings.index(subset) for subset in of_test], tests] = True
        result: Result = subsets.solved(settings).reduce(_SingleSetting(keep), chosen)
        return result

    def _subsets(self) -> Subsets:
        """Subsets of the columns of the table as models take it."""
        self.searcher._check_params()
        check_classifier(self.searcher.estimator)
        dataset: Any = self.study.dataset
        _, table, names = read_table(dataset.source())
        features = feature_columns(table.shape[1], names, self.searcher.groups)
        same = table is dataset.source()
        study = self.study if same else Study(replace(dataset, table=table), self.study.splits)
        return Subsets(self.searcher.estimator, study, features, {}, None, None)

    def _search(self, subsets: Subsets, models: Index) -> None:
        """Choose the columns of some models."""
        if not len(models):
            return
        searcher, dataset = self.searcher, self.study.dataset
        sizes = searcher.n_features, searcher.most_features
        stepwise = StepwiseSearch.of(
            subsets.features, searcher.search, *sizes, searcher.start, searcher.fixed
        )
        deep = drawn_inside(self.study.splits, self._draw)
        tests = {int(m): (deep.parent == m) & (deep.series == deep.inside) for m in models}
        quiet: Any = replace(subsets.study.dataset, engine=replace(dataset.engine, progress=False))  # type: ignore[type-var]
        plan = searcher._plan(dataset.codes, dataset.groups)
        inner = replace(subsets, study=Study(quiet, deep), tests=tests, plan=plan)
        with dataset.engine.meter(stepwise.trials * len(models), f"{searcher.search} search") as meter:
            paths, _ = search(inner, dict.fromkeys(tests, stepwise), meter)
        for m, path in paths.items():
            losses, errors = np.array([point.loss for point in path]), np.full(len(path), np.nan)
            if searcher.rule == "one_se":
                losses, errors, _ = np.array(inner.path_losses(m, path)).T
            place = choose_point(path, losses, errors, searcher.rule, searcher.n_features)
            self.chosen[m] = path[place].subset

    def _draw(self, rows: Index) -> Sequence[Partition]:
        """The folds of a training set as its fit would draw them: rows of weight 0 are not there."""
        data = self.study.dataset
        counted = np.ones(len(rows), dtype=bool) if data.weight is None else data.weight[rows] > 0
        codes = data.codes[rows[counted]]
        groups = None if data.groups is None else data.groups[rows[counted]]
        out = []
        for part in self.searcher._plan(codes, groups).partitions(codes, groups):
            fold = np.full(len(rows), UNUSED, dtype=np.int32)
            fold[counted] = part.fold
            out.append(Partition(fold, part.n_folds))
        return out

    def difficulties(self, s: int) -> tuple[str, ...]:
        """Classes that training sets lack."""
        return absences(self.study.class_weight(), self.study.dataset.classes)


@dataclass(frozen=True)
class _SingleSetting(BaseReduction, Generic[Kept, Result]):
    """A reduction to which the subsets that different models chose are one setting."""

    keep: Reduction[Kept, Result]

    def add(self, part: Part) -> Kept:
        return self.keep.add(part._replace(setting=0))

    def merge(self, a: Kept, b: Kept) -> Kept:
        return self.keep.merge(a, b)

    def finish(self, total: Kept | None) -> Result:
        return self.keep.finish(total)
