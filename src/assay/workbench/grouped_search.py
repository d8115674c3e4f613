"""A search for columns, tested by folds that keep rows together: so do the folds of the search inside each of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.schema import Column, Schema
from assay.data.table import Table
from assay.plans import KFold
from assay.selection.features.estimator import FeatureSearch

APART = "rows that belong together"


class GroupedSearch(FeatureSearch):
    """A `FeatureSearch` over tables whose last column says which rows belong together; it is not searched."""

    def _apart(self, X: Table) -> tuple[Table, NDArray[Any]]:
        """The other columns, whose positions are the same without the last one, and the groups."""
        *names, last = X.schema.names
        return X.select(names), X[last]


def searching(
    model: Any, table: Table, groups: NDArray[np.int32] | None, **options: Any
) -> tuple[FeatureSearch, Table]:
    """The search as a classifier, and the table that it takes: with a last column of groups where there are some."""
    if groups is None:
        return FeatureSearch(model, **options), table
    return GroupedSearch(model, **options), _with_groups(table, groups)


def _with_groups(table: Table, codes: NDArray[np.int32]) -> Table:
    """The table with a last column of groups, by number."""
    name = APART
    while name in table.schema:
        name += "_"
    column = Column(name, "numeric")
    return Table(Schema((*table.schema, column)), {**table.columns, name: codes.astype(np.float64)})


def folds_of(
    codes: NDArray[np.int32], groups: NDArray[np.int32] | None, outer: int, inner: int, seed: int
) -> tuple[KFold, KFold]:
    """Folds of the test and of the search, fewer of them where groups are few."""
    if groups is None:
        return KFold(outer, random_state=seed), KFold(inner, random_state=seed)
    plan = KFold(min(outer, len(np.unique(groups))), random_state=seed)
    partition = plan.partitions(codes, groups)[0]
    least = min(len(np.unique(groups[partition.train_rows(f)])) for f in range(partition.n_folds))
    return plan, KFold(max(2, min(inner, least)), random_state=seed)
