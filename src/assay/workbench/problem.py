"""The problem of a table: which column is to be predicted from which others, in which rows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.data import read
from assay.data.labels import column_names, label_name
from assay.data.read import Markers, with_labels
from assay.data.schema import Column, unknown_column
from assay.data.sources.database_address import is_address
from assay.data.table import MISSING, Table, category_array
from assay.notes import Note
from assay.numerics.scalars import names_of
from assay.types import Labels
from assay.workbench.diagnosis.dimensionality import MOST_CATEGORIES, usable
from assay.workbench.diagnosis.label_checks import doubt_findings, label_findings
from assay.workbench.diagnosis.missing_markers import marker_notes
from assay.workbench.repeated_rows import Repeats
from assay.workbench.row_roles import (
    RowGroups,
    RowWeights,
    check_counting,
    check_roles,
    role_columns,
    take_groups,
    take_weights,
    weightless_note,
)
from assay.workbench.target import labels, present_classes, quantity_note

USUAL_NAMES = ("class", "target", "label", "y")
MOST_CLASSES = 1000
FEW_ROWS = 10


@dataclass(frozen=True, eq=False)
class Problem:
    """A table, the column to be predicted, and its labels as codes.

    Attributes
    ----------
    table : Table
        The rows that have a label and count, all columns but those of groups and weights.
    target : str
    target_column : Column
        The target as it was read; its levels are the classes.
    features : Table
        The same rows without the target.
    codes : array of int32, shape (n_rows,)
        Position of each row's label in `classes`.
    classes : array
        The labels that occur, sorted, in the type of the source.
    notes : tuple of str
        Notes about the rows, for readers of a result.
    n_dropped : int
        Rows left out because they have no label.
    kept : array, shape (n_rows,)
        Positions in the source of the rows that are there.
    groups : RowGroups or None
        Which rows belong together.
    weights : RowWeights or None
        Sample weights; all above 0.
    repeats : Repeats or None
        Rows that repeat others, where that cannot be chance.
    """

    table: Table
    target: str
    target_column: Column
    features: Table
    codes: NDArray[np.int32]
    classes: Labels
    notes: tuple[str, ...]
    n_dropped: int
    kept: NDArray[np.int64]
    groups: RowGroups | None = None
    weights: RowWeights | None = None
    repeats: Repeats | None = None

    @property
    def copies(self) -> bool:
        """Whether the rows that stay together are copies."""
        return self.repeats is not None and self.repeats.together

    @property
    def group_codes(self) -> NDArray[np.int32] | None:
        """The group of each row, where rows belong together or are copies."""
        together = self.repeats if self.copies else self.groups
        return None if together is None else together.codes

    @property
    def weight(self) -> NDArray[np.float64] | None:
        """What each row counts, where rows do not count alike."""
        return None if self.weights is None else self.weights.values

    @property
    def row_roles(self) -> dict[str, Any]:
        """What was said of the rows, as plain values: None where nothing was."""
        roles = {"groups": self.groups, "weights": self.weights}
        return {name: None if role is None else role.figures for name, role in roles.items()}

    @property
    def n_rows(self) -> int:
        return len(self.codes)

    @property
    def n_classes(self) -> int:
        return len(self.classes)


def read_problem(
    source: object,
    target: ArrayLike | None = None,
    *,
    types: Mapping[str, str] | None = None,
    drop: Collection[str] = (),
    query: str | None = None,
    missing: Markers = None,
    groups: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> Problem:
    """Read a source and state what is to be predicted; anything that is not a classification problem is an error.

    Parameters
    ----------
    source : Table, or anything that `assay.data.read` accepts
    target : str or array, optional
        The column to predict, or one label for each row of the source. Without it, the only column called class,
        target, label or y, in any case.
    types, drop, query, missing
        As for `assay.data.read`.
    groups : str or array, optional
        The column, or an array of one value for each row of the source, by which rows belong together.
    weights : str or array, optional
        The column or array of sample weights; a weight of 2 counts the row twice, and rows of weight 0 are left out.

    Examples
    --------
    >>> import numpy as np
    >>> from assay.data import Column, Schema, Table
    >>> schema = Schema((Column("size", "numeric"), Column("kind", "categorical", ("cat", "dog"))))
    >>> size, kind = np.array([1.0, 2.0, 8.0, 9.0, 5.0]), np.array([0, 0, 1, 1, -1], dtype=np.int32)
    >>> problem = read_problem(Table(schema, {"size": size, "kind": kind}), "kind")
    >>> problem.classes.tolist(), problem.codes.tolist(), problem.n_dropped
    (['cat', 'dog'], [0, 0, 1, 1], 1)
    """
    source, target = _together(source, target)
    if target is not None and target in drop:
        raise ValueError(Note("P003", target=target))
    check_roles(target, groups, weights)
    apart = role_columns(groups, weights)
    table, name = _table_and_target(source, target, types, drop, query, missing, apart)
    check_roles(name, groups, weights)
    if name not in table.schema:
        raise unknown_column(name, table.schema.names, "target column")
    column, codes = labels(table.schema[name], table[name])
    labelled = np.flatnonzero(codes >= 0)
    n_dropped = table.n_rows - len(labelled)
    weighed = take_weights(weights, table, labelled)
    used_rows = labelled if weighed is None else labelled[weighed[1] > 0]
    if weighed is not None:
        check_counting(name, column, codes[labelled], *weighed)
    together = take_groups(groups, table, used_rows)
    column, codes = present_classes(column, codes[used_rows], n_dropped)
    check_classes(column, len(codes))
    columns = {**table.columns, name: _whole(codes, used_rows, table.n_rows)}
    whole = Table(table.schema.with_column(column), columns).without(*apart)
    whole = whole if len(used_rows) == table.n_rows else whole.take(used_rows)
    features = whole.without(name)
    check_features(features, name)
    check_finite(table.without(name, *apart))
    classes = category_array(column.levels)
    counting = None if weighed is None else RowWeights(weighed[0], weighed[1][weighed[1] > 0])
    notes = (
        *marker_notes(whole.schema),
        *_dropped_note(name, n_dropped, table.n_rows),
        *weightless_note(weighed, len(labelled) - len(used_rows)),
        *(role.note for role in (together, counting) if role is not None),
        *quantity_note(column),
        *_small_classes(name, classes, codes),
        *(finding.sentence for finding in label_findings(name, column.levels, np.bincount(codes).tolist())),
        *(finding.sentence for finding in doubt_findings(features.schema)),
    )
    return Problem(
        whole, name, column, features, codes, classes, notes, n_dropped, used_rows, together, counting
    )


def _together(source: object, target: ArrayLike | None) -> tuple[Any, str | None]:
    """The source that holds the labels too, and the name of their column if it is known."""
    if target is None or isinstance(target, str):
        return source, target
    if is_address(source):
        raise ValueError(Note("P009", source=str(source)))
    name = label_name(target)
    return (with_labels(source, target) if isinstance(source, Table) else (source, target)), name


def _table_and_target(
    source: object,
    target: str | None,
    types: Mapping[str, str] | None,
    drop: Collection[str],
    query: str | None,
    missing: Markers,
    apart: tuple[str, ...],
) -> tuple[Table, str]:
    """The whole table, and the name of its target: it is not guessed among the columns that are set apart."""
    left = tuple(name for name in names_of(drop) if name not in apart)
    # Known before reading, so that its labels keep the type they have in the frame.
    known = [str(name) for name in column_names(source) or ()]
    target = target or usual_name([name for name in known if name not in (*left, *apart)])
    table = read_table(source, target, types, left, query, missing)
    target = target or _own_target(source, table)
    return table, target or guess_target([name for name in table.schema.names if name not in apart])


def read_table(
    source: object,
    target: str | None,
    types: Mapping[str, str] | None,
    drop: Collection[str],
    query: str | None,
    missing: Markers = None,
) -> Table:
    """The table of a source; one that is typed already keeps its types."""
    if isinstance(source, Table) and not types and missing is None:
        for name in drop:
            source.schema[name]
        return source.without(*drop)
    return read(source, types=types, drop=tuple(drop), target=target, query=query, missing=missing)


def _own_target(source: object, table: Table) -> str | None:
    """The target that a source names itself: a pair (X, y), or a folder of class folders."""
    if isinstance(source, tuple):
        return label_name(source[1])
    folder = is_address(source) and Path(source).is_dir()
    return "class" if folder and "class" in table.schema else None


def usual_name(names: Sequence[str]) -> str | None:
    """The only column with a usual name for a target; None if there is not just one."""
    usual = [name for name in names if name.lower() in USUAL_NAMES]
    return usual[0] if len(usual) == 1 else None


def guess_target(names: Sequence[str]) -> str:
    """The only column with a usual name for a target; an error that lists the columns if there is not just one."""
    usual = [name for name in names if name.lower() in USUAL_NAMES]
    name = usual_name(names)
    if name is not None:
        return name
    if usual:
        raise ValueError(Note("P720", candidates=usual))
    raise ValueError(Note("P007", columns=list(names)))


def check_classes(column: Column, n_rows: int) -> None:
    name, n_classes = column.name, len(column.levels)
    if n_rows == 0:
        raise ValueError(Note("P010", name))
    if n_classes == 1:
        raise ValueError(Note("P011", name, label=column.levels[0]))
    if n_classes == n_rows or (n_classes > 2 and 2 * n_classes > n_rows):
        raise ValueError(Note("P012", name, n_classes=n_classes, n_rows=n_rows))
    if n_classes > MOST_CLASSES:
        raise ValueError(Note("P013", name, n_classes=n_classes, most=MOST_CLASSES))


def check_features(features: Table, target: str) -> None:
    if any(usable(column) or column.type == "text" for column in features.schema):
        return
    if not len(features.schema):
        raise ValueError(Note("P014", target=target))
    reasons = [f"{column.name!r} ({_unusable(column)})" for column in features.schema]
    raise ValueError(Note("P008", target=target, reasons=reasons))


def _unusable(column: Column) -> str:
    """Why models do not read a column, in a word or three."""
    if column.type == "categorical":
        return f"more than {MOST_CATEGORIES} categories"
    return "no values" if column.empty else column.type


def check_finite(features: Table, before: int = 0) -> None:
    """No infinite number anywhere; `before` counts the rows that came earlier."""
    for column in features.schema:
        if column.type == "numeric":
            for row in np.flatnonzero(np.isinf(features[column.name]))[:1]:
                raise ValueError(Note("P015", column.name, row=int(before + row + 1)))


def _whole(codes: NDArray[np.int32], used_rows: NDArray[np.int64], n_rows: int) -> NDArray[np.int32]:
    """Codes of the kept rows, among all rows."""
    every = np.full(n_rows, MISSING, dtype=np.int32)
    every[used_rows] = codes
    return every


def _dropped_note(target: str, n_dropped: int, n_rows: int) -> tuple[Note, ...]:
    return (Note("P133", target, dropped=n_dropped, rows=n_rows),) if n_dropped else ()


def _small_classes(target: str, classes: Labels, codes: NDArray[np.int32]) -> tuple[Note, ...]:
    counts = np.bincount(codes, minlength=len(classes))
    # A class of one row has a note of its own.
    small = sorted(np.flatnonzero((counts > 1) & (counts < FEW_ROWS)), key=lambda k: int(counts[k]))
    if not small:
        return ()
    named = [f"{str(classes[k])!r} ({counts[k]})" for k in small]
    return (Note("P134", target, fewest=FEW_ROWS, classes=named),)
