"""The rows of a table as numbers to be grouped: every column counts the same.

Numbers are brought to deviation 1, gaps filled with the mean. A category becomes a column of 0 and 1 for each of its
levels, all divided by one number, so that their variances add up to 1: two rows of different levels are then about as
far apart as two rows of a number are. A table of texts alone is grouped by its most frequent words.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data import Table
from assay.data.read import open_stream
from assay.data.schema import unknown_column
from assay.data.table import category_array
from assay.models.base.validation import LARGEST
from assay.models.features.one_hot import OneHot
from assay.models.features.table_encoder import left_out
from assay.models.features.text_columns import Words
from assay.notes import Note
from assay.notes.phrases import listed, plural
from assay.workbench.diagnosis.missing_markers import marker_notes
from assay.workbench.problem import check_finite, read_table
from assay.workbench.projection_rows import count_words
from assay.workbench.target import labels

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GroupedRows:
    """A table as a matrix of comparable columns.

    Attributes
    ----------
    points : (N, D)
        Centred and scaled, without gaps.
    design : (N, D)
        The same in the units of the table, with gaps.
    names, kinds : (D,)
        Of the columns; kinds are "number", "date" and "share" (of rows with a level).
    target : str or None
        The column that was left out to be compared with.
    codes, classes
        Its levels; None without one.
    """

    points: Array
    design: Array
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    target: str | None
    codes: NDArray[np.int32] | None
    classes: NDArray[Any] | None
    notes: tuple[str, ...]
    levels: tuple[tuple[int, ...], ...] = ()  # columns of each category


def read_rows(
    source: Any,
    target: str | None,
    *,
    types: Mapping[str, str] | None = None,
    drop: Collection[str] = (),
    query: str | None = None,
    missing: Any = None,
) -> GroupedRows:
    """A source as comparable numbers, less the target, if one is named or the source has one of its own."""
    if target is not None and target in drop:
        raise ValueError(Note("P003", target=target))
    found = target or open_stream(source, query).target
    table = read_table(source, found, types, drop, query, missing)
    codes, classes = None, None
    if found is not None:
        if found not in table.schema:
            raise unknown_column(found, table.schema.names, "target column")
        column, codes = labels(table.schema[found], table[found])
        classes = category_array(column.levels)
        table = table.without(found)
    check_finite(table)
    if table.n_rows < 2:
        raise ValueError(Note("P004", n_rows=plural(table.n_rows, "row")))
    design, names, kinds, slices, told = _encoded(table)
    notes = (*marker_notes(table.schema), *told)
    _check_size(design, names)
    points, kept = _comparable(design, slices)
    gaps = int(np.isnan(design[:, kept]).any(axis=1).sum())
    if gaps:
        notes += (
            f"{plural(gaps, 'row')} of {len(design)} had gaps, which were filled with the means of their columns.",
        )
    return GroupedRows(
        points[:, kept], design[:, kept], tuple(names[j] for j in kept), tuple(kinds[j] for j in kept), found, codes,
        classes, notes, _categories(kinds, slices, kept),
    )  # fmt: skip


def _categories(kinds: list[str], slices: list[slice], kept: NDArray[np.intp]) -> tuple[tuple[int, ...], ...]:
    """The places, among the columns kept, of the levels of each category."""
    place = {int(column): at for at, column in enumerate(kept)}
    blocks = [
        tuple(place[j] for j in range(group.start, group.stop) if j in place)
        for group in slices
        if kinds[group.start] == "share"
    ]
    return tuple(block for block in blocks if block)


_Encoded = tuple[Array, list[str], list[str], list[slice], tuple[str, ...]]


def _encoded(table: Table) -> _Encoded:
    """The design, the names and kinds of its columns, the places of those that belong together, and notes."""
    reasons = [left_out(column) for column in table.schema]
    if not all(reasons):
        encoder = OneHot().fit(table)
        kinds: list[str] = []
        for group in encoder.groups_:
            kind = {"numeric": "number", "date": "date"}.get(group.type, "share")
            kinds += [kind] * group.width
        names = [str(name) for name in encoder.get_feature_names_out()]
        slices = [group.slice for group in encoder.groups_]
        return encoder.transform(table), names, kinds, slices, _told(encoder.notes_)
    if any(column.type == "text" for column in table.schema):
        design, words, told = count_words(Words(), table)
        slices = [slice(j, j + 1) for j in range(len(words))]
        return design, list(words), ["number"] * len(words), slices, told
    raise ValueError(Note("P002", schema=listed([repr(c.name) for c in table.schema])))


def _told(notes: tuple[str, ...]) -> tuple[str, ...]:
    """Notes of the encoder, which speaks of classes."""
    return tuple(note.replace("it cannot tell the classes apart", "it tells no rows apart") for note in notes)


def _check_size(design: Array, names: list[str]) -> None:
    """No number so large that its square has no float64."""
    largest = np.fmax.reduce(np.abs(design), axis=0, initial=0.0)
    for j in np.flatnonzero(largest > LARGEST)[:1]:
        raise ValueError(Note("P005", names=names[j], largest=largest[j]))


def _comparable(design: Array, slices: list[slice]) -> tuple[Array, NDArray[np.intp]]:
    """The design centred and scaled, gaps at the mean; and the columns that vary."""
    known = ~np.isnan(design)
    count = np.maximum(known.sum(axis=0), 1)
    mean = np.where(known, design, 0.0).sum(axis=0) / count
    away = np.where(known, design - mean, 0.0)
    variance = (away * away).sum(axis=0) / count
    varies = np.sqrt(variance) > 1e-12 * np.abs(mean)
    unit = np.ones(design.shape[1])
    for group in slices:
        whole = float(variance[group][varies[group]].sum())
        unit[group] = np.sqrt(whole) if whole > 0 else 1.0
    if not varies.any():
        raise ValueError(Note("P006"))
    return np.asarray(away / unit), np.flatnonzero(varies)
