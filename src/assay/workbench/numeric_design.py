"""A table as numbers: comparable columns for clusters, a design with classes for projections.

Clusters: numbers get standard deviation 1, missing values the mean. A category becomes one column of 0 and 1 per value,
all divided by one number, so that their variances add up to 1: two rows of different categories are then about as far
apart as two rows of different numbers. Projections: columns become numbers as the models of the catalog read them,
zero-one columns less the most frequent category, missing values filled with means and flagged, everything standardised.
A table of texts alone is read by its most frequent words.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data import Table
from assay.data.read import Markers, open_stream
from assay.data.schema import unknown_column
from assay.data.table import category_array
from assay.models.base.validation import LARGEST, Encoded
from assay.models.baseline.prior import PriorClassifier
from assay.models.features.drop_reference import DropReference
from assay.models.features.impute import Impute
from assay.models.features.one_hot import OneHot
from assay.models.features.scale import Standardize
from assay.models.features.table_encoder import TableEncoder, left_out
from assay.models.features.text_columns import Words
from assay.models.table.table_classifier import TableClassifier
from assay.notes import Note
from assay.types import Array, Labels, RowTransformer
from assay.workbench.diagnosis.missing_markers import marker_notes
from assay.workbench.problem import check_finite, read_problem, read_table, usual_name
from assay.workbench.target import labels

MOST_WORDS = 300
FEWEST_TEXTS = 2  # that contain a word
LARGEST_PROJECTED = 1e150


@dataclass(frozen=True, eq=False)
class NumericDesign:
    """A table as a matrix of comparable columns.

    Attributes
    ----------
    points : (N, D)
        Centred and scaled, without missing values.
    values : (N, D)
        The same in the units of the table, with missing values.
    names, kinds : (D,)
        Of the columns; kinds are "number", "date" and "share" (of rows in a category).
    target : str or None
        The column that was left out to be compared with.
    codes, classes
        Its classes; None without one.
    categories : tuple of tuples
        The zero-one columns of each categorical column.
    """

    points: Array
    values: Array
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    target: str | None
    codes: NDArray[np.int32] | None
    classes: Labels | None
    notes: tuple[str, ...]
    categories: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, eq=False)
class LabelledDesign:
    """A table as a matrix before anything is learned from it, with its classes where it has any.

    Attributes
    ----------
    design : (N, D)
        Numbers with missing values.
    numbers : (N,)
        Position of each row in the source, from 1.
    codes, classes
        Labels; None without a target.
    """

    design: Array
    encoder: TableEncoder
    names: tuple[str, ...]
    steps: tuple[RowTransformer, ...]
    numbers: NDArray[np.int64]
    target: str | None
    codes: NDArray[np.int32] | None
    classes: Labels | None
    notes: tuple[str, ...]

    @property
    def labels(self) -> Encoded | None:
        return None if self.codes is None or self.classes is None else Encoded(self.codes, self.classes)

    def estimator(self, *parts: Any) -> Any:
        """Steps that prepare the design, then the parts, not fitted, as one estimator on the design."""
        steps = [*self.steps, *parts]
        return (
            TableClassifier(self.encoder, steps[:-1], steps[-1]).with_encoder(self.encoder).matrix_estimator()
        )


def read_design(
    source: object,
    target: str | None,
    *,
    types: Mapping[str, str] | None = None,
    drop: Collection[str] = (),
    query: str | None = None,
    missing: Markers = None,
) -> NumericDesign:
    """A source as comparable numbers, less the target, if one is named or the source has one of its own."""
    if target is not None and target in drop:
        raise ValueError(Note("P003", target=target))
    target = target or open_stream(source, query).target
    table = read_table(source, target, types, drop, query, missing)
    codes, classes = None, None
    if target is not None:
        if target not in table.schema:
            raise unknown_column(target, table.schema.names, "target column")
        column, codes = labels(table.schema[target], table[target])
        classes = category_array(column.levels)
        table = table.without(target)
    check_finite(table)
    if table.n_rows < 2:
        raise ValueError(Note("P004", rows=table.n_rows))
    design, names, kinds, slices, encoding_notes = _comparable_columns(table)
    notes = (*marker_notes(table.schema), *encoding_notes)
    _check_size(design, names, LARGEST)
    points, used = _scaled(design, slices)
    incomplete = int(np.isnan(design[:, used]).any(axis=1).sum())
    if incomplete:
        notes += (Note("C304", rows=incomplete, total=len(design)),)
    return NumericDesign(
        points[:, used], design[:, used], tuple(names[j] for j in used), tuple(kinds[j] for j in used), target, codes,
        classes, notes, _categories(kinds, slices, used),
    )  # fmt: skip


def read_labelled_design(
    source: object,
    target: str | None,
    *,
    types: Mapping[str, str] | None = None,
    drop: Collection[str] = (),
    query: str | None = None,
    missing: Markers = None,
) -> LabelledDesign:
    """A source as numbers; without `target`, classes are those that the source names itself, if it does."""
    target = target or _own_target(source, drop, query)
    if target is not None:
        problem = read_problem(source, target, types=types, drop=drop, query=query, missing=missing)
        return _labelled_design(
            problem.features, problem.kept + 1, problem.notes, problem.target, problem.codes, problem.classes
        )
    table = read_table(source, None, types, drop, query, missing)
    check_finite(table)
    return _labelled_design(table, np.arange(1, table.n_rows + 1), marker_notes(table.schema))


def _own_target(source: object, drop: Collection[str], query: str | None) -> str | None:
    stream = open_stream(source, query)
    return stream.target or usual_name([name for name in stream.names if name not in drop])


def _labelled_design(
    table: Table,
    numbers: NDArray[np.int64],
    notes: tuple[str, ...],
    target: str | None = None,
    codes: NDArray[np.int32] | None = None,
    classes: Labels | None = None,
) -> LabelledDesign:
    """The table through the encoder that suits it."""
    if table.n_rows < 2:
        raise ValueError(Note("P016", rows=table.n_rows))
    if not all(left_out(column) for column in table.schema):
        encoder: TableEncoder = OneHot().fit(table)
        names = tuple(map(str, encoder.get_feature_names_out()))
        steps: tuple[RowTransformer, ...] = (Impute(indicator=True), DropReference(), Standardize())
        design, encoding_notes = encoder.transform(table), encoder.notes_
    elif any(column.type == "text" for column in table.schema):
        words, steps = Words(), (Standardize(),)
        design, names, encoding_notes = count_words(words, table)
        encoder = words
    else:
        raise ValueError(Note("P018", columns=list(table.schema.names)))
    _check_size(design, names, LARGEST_PROJECTED)
    return LabelledDesign(
        design, encoder, names, steps, numbers, target, codes, classes, (*notes, *encoding_notes)
    )


_Columns = tuple[Array, list[str], list[str], list[slice], tuple[str, ...]]


def _comparable_columns(table: Table) -> _Columns:
    """The design, the names and kinds of its columns, the places of those that belong together, and notes."""
    if not all(left_out(column) for column in table.schema):
        encoder = OneHot().fit(table)
        kinds: list[str] = []
        for group in encoder.groups_:
            kind = {"numeric": "number", "date": "date"}.get(group.type, "share")
            kinds += [kind] * group.width
        names = [str(name) for name in encoder.get_feature_names_out()]
        slices = [group.slice for group in encoder.groups_]
        return encoder.transform(table), names, kinds, slices, encoder.notes_
    if any(column.type == "text" for column in table.schema):
        design, words, notes = count_words(Words(), table)
        slices = [slice(j, j + 1) for j in range(len(words))]
        return design, list(words), ["number"] * len(words), slices, notes
    raise ValueError(Note("P002", columns=list(table.schema.names)))


def _categories(kinds: list[str], slices: list[slice], used: NDArray[np.intp]) -> tuple[tuple[int, ...], ...]:
    """The places, among the columns used, of the zero-one columns of each categorical column."""
    place = {int(column): at for at, column in enumerate(used)}
    blocks = [
        tuple(place[j] for j in range(group.start, group.stop) if j in place)
        for group in slices
        if kinds[group.start] == "share"
    ]
    return tuple(block for block in blocks if block)


def _check_size(design: Array, names: Collection[str], limit: float) -> None:
    """No number so large that its square overflows."""
    with np.errstate(invalid="ignore"):
        largest = np.fmax.reduce(np.abs(design), axis=0, initial=0.0)
    for j in np.flatnonzero(largest > limit)[:1]:
        raise ValueError(Note("P005", list(names)[j], largest=largest[j]))


def _scaled(design: Array, slices: list[slice]) -> tuple[Array, NDArray[np.intp]]:
    """The design centred and scaled, missing values at the mean; and the columns that vary."""
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


def linear_columns(features: Table) -> tuple[Array, list[str]]:
    """The columns as linear models read them before any scaling, without missing values; and their names."""
    encoder = OneHot()
    design = encoder.fit_transform(features)
    steps = [Impute(indicator=True), DropReference()]
    ready = TableClassifier(encoder, steps, PriorClassifier()).with_encoder(encoder).matrix_estimator()[:-1]
    X, names = ready.fit_transform(design), encoder.get_feature_names_out()
    for step in ready:
        names = step.get_feature_names_out(names)
    return X, [str(name) for name in names]


def count_words(encoder: Words, table: Table) -> tuple[Array, tuple[str, ...], tuple[str, ...]]:
    """Log counts of the words that most texts contain, their names, and notes; labels are not used."""
    counts = encoder.fit_transform(table)
    texts = np.bincount(counts.indices, minlength=counts.shape[1])
    order = np.argsort(-texts, kind="stable")
    # A word of all texts separates none by being there, but by its count: it stays.
    used = np.sort(order[: min(MOST_WORDS, int((texts >= FEWEST_TEXTS).sum()))])
    if not len(used):
        raise ValueError(Note("P017"))
    names = encoder.get_feature_names_out()
    note = Note("C305", words=len(used), vocabulary=len(names))
    design = np.log1p(counts[:, used].toarray().astype(np.float64))
    return design, tuple(str(names[j]) for j in used), (*encoder.notes_, note)
