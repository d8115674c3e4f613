"""What moves in a search: single columns, or groups of columns that move together, each known by a name."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from assay.notes import Note
from assay.numerics.scalars import is_several, is_whole

# Columns that move together: by the name of the group, or a name for every column.
GroupsLike: TypeAlias = Mapping[Hashable, Iterable[Hashable]] | Iterable[Hashable] | None


@dataclass(frozen=True)
class FeatureColumns:
    """Features of a search: the name of each, and the positions of its columns."""

    names: tuple[Hashable, ...]
    columns: tuple[NDArray[np.int32], ...]
    column_names: tuple[Hashable, ...] | None  # of the table, None: columns are known by position

    def __len__(self) -> int:
        return len(self.names)

    def columns_of(self, features: Iterable[int]) -> NDArray[np.intp]:
        """Columns of these features, in the order of the table."""
        parts = [self.columns[feature] for feature in features]
        return np.sort(np.concatenate(parts)).astype(np.intp) if parts else np.empty(0, dtype=np.intp)

    def named(self, features: Iterable[int]) -> tuple[Hashable, ...]:
        return tuple(self.names[feature] for feature in features)

    def places(self, wanted: object, what: str) -> tuple[int, ...]:
        """Features by their names, or by the name or position of one of their columns; each once, in order."""
        if not is_several(wanted):
            raise TypeError(Note("S093", what=what, wanted=wanted))
        return tuple(sorted({self._place(name, what) for name in wanted}))

    def _place(self, wanted: Hashable, what: str) -> int:
        if isinstance(wanted, bool | np.bool_):
            raise ValueError(Note("S094", what=what, wanted=wanted))
        if wanted in self.names:
            return self.names.index(wanted)
        width = sum(map(len, self.columns))
        position = int(wanted) if is_whole(wanted) else None
        if self.column_names is not None and wanted in self.column_names:
            position = self.column_names.index(wanted)
        if position is not None and 0 <= position < width:
            return next(u for u, columns in enumerate(self.columns) if position in columns)
        raise ValueError(Note("S091", what=what, wanted=wanted, features=list(self.names)))


def feature_columns(
    width: int, column_names: Sequence[Hashable] | None, groups: GroupsLike
) -> FeatureColumns:
    """FeatureColumns of a table: every column by itself, but those of a group together.

    groups: None; a mapping from names to columns (names or positions), the columns that no group names being
    by themselves; or a name for every column, equal ones together.
    """
    names = None if column_names is None else tuple(column_names)
    single = names or tuple(range(width))
    if groups is None:
        return FeatureColumns(single, tuple(np.array([j], dtype=np.int32) for j in range(width)), names)
    if isinstance(groups, Mapping):
        label = _labels(groups, width, names, single)
    else:
        label = list(groups)
        if len(label) != width:
            raise ValueError(Note("S095", n_label=len(label), width=width))
    known = list(dict.fromkeys(label))
    columns = {name: [] for name in known}  # type: dict[Hashable, list[int]]
    for j, name in enumerate(label):
        columns[name].append(j)
    return FeatureColumns(
        tuple(known), tuple(np.array(columns[name], dtype=np.int32) for name in known), names
    )


def _labels(
    groups: Mapping[Hashable, Iterable[Hashable]],
    width: int,
    names: tuple[Hashable, ...] | None,
    single: tuple[Hashable, ...],
) -> list[Hashable]:
    label: list[Hashable] = list(single)
    taken: dict[int, Hashable] = {}
    for group, members in groups.items():
        if not is_several(members):
            raise TypeError(Note("S096", group=group, members=members))
        for column in members:
            position = names.index(column) if names is not None and column in names else column
            if not is_whole(position, 0) or not position < width:
                raise ValueError(Note("S097", group=group, column=column))
            position = int(position)
            if position in taken:
                raise ValueError(Note("S098", column=column, taken=taken[position], group=group))
            taken[position] = group
            label[position] = group
    clash = [name for j, name in enumerate(single) if j not in taken and name in groups]
    if clash:
        raise ValueError(Note("S092", clash=clash[0]))
    return label
