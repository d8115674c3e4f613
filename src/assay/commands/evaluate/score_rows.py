"""Labelled rows through a saved model, block by block: classes, predictions, scores, weights."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.data import MISSING, UNSEEN, Column, Schema, Table, scan
from assay.data.read import Markers, open_stream
from assay.data.schema import unknown_column
from assay.data.table import take_rows
from assay.data.unseen_categories import UnseenValues, counted_here
from assay.models.table.table_classifier import TableClassifier
from assay.notes import Note
from assay.types import Array, Codes, Label, has_posteriors
from assay.workbench.repeated_rows import Repeats, repeated_rows, row_keys
from assay.workbench.row_hashes import Hashes
from assay.workbench.row_roles import RowGroups, RowWeights, check_roles, take_weights


class _ScoredBlock(NamedTuple):
    """The rows of a block that have a class and count."""

    codes: Codes
    predicted: Codes
    scores: Array
    weight: Array
    groups: Codes
    keys: Hashes


@dataclass(frozen=True, eq=False)
class ScoredRows:
    """Rows that have a class and count, and how many do not."""

    codes: Codes
    predicted: Codes
    scores: Array
    weights: RowWeights | None
    groups: RowGroups | None
    repeats: Repeats | None
    unlabelled: int
    weightless: int
    unseen: tuple[str, ...]  # notes about values that are not in the training data
    known: tuple[str, ...]  # a note about rows that the model was trained on
    target: str

    @property
    def group_codes(self) -> Codes | None:
        """The group of each row, where rows belong together or are copies."""
        together = self.repeats if self.repeats is not None and self.repeats.together else self.groups
        return None if together is None else together.codes

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes about the rows."""
        notes: list[str] = []
        if self.unlabelled:
            notes.append(Note("C332", target=self.target, rows=self.unlabelled))
        if self.weightless and self.weights is not None:
            notes.append(Note("P141", weights=self.weights.called, rows=self.weightless))
        if self.groups is not None:
            notes.append(Note("C334", groups=self.groups.count, column=self.groups.called))
        if self.repeats is not None:
            notes.append(self.repeats.in_test)
        notes += (*self.unseen, *self.known)
        return (*notes, *(() if self.weights is None else (self.weights.in_test,)))


def score_rows(
    model: TableClassifier,
    source: object,
    target: str,
    query: str | None,
    missing: Markers,
    groups: str | None,
    weights: str | None,
    split_repeats: bool = False,
) -> ScoredRows:
    """The labelled rows of a source, scored by a fitted model."""
    names = open_stream(source, query).names
    schema = _schema(model, names, target, groups, weights)
    if weights is not None:  # read as in training: numbers may be written in many ways
        others = [name for name in names if name != weights]
        schema = Schema((*schema, scan(source, drop=others, query=query, missing=missing).schema[weights]))
    stream, unseen = scan(source, schema=schema, query=query, missing=missing), UnseenValues(model.schema_)
    whole, unlabelled, weightless = _read_blocks(model, stream.blocks(), unseen, target, groups, weights)
    blocks = (table.take(np.flatnonzero(table[target] != MISSING)) for table in stream.blocks())
    copies = repeated_rows(whole.keys, model.schema_, blocks)
    return ScoredRows(
        whole.codes,
        whole.predicted,
        whole.scores,
        None if weights is None else RowWeights(weights, whole.weight),
        None if groups is None else RowGroups(groups, whole.groups),
        None if copies is None else Repeats(copies, together=groups is None and not split_repeats),
        unlabelled,
        weightless,
        unseen.sentences,
        _known_rows(model, whole.keys),
        target,
    )


def _read_blocks(
    model: TableClassifier,
    tables: Iterable[Table],
    unseen: UnseenValues,
    target: str,
    groups: str | None,
    weights: str | None,
) -> tuple[_ScoredBlock, int, int]:
    """All rows that have a class and count; how many have no class, and how many a weight of 0."""
    known: dict[Hashable, int] = {}  # groups by number
    parts: list[_ScoredBlock] = []
    read, unlabelled, weightless = 0, 0, 0
    for table in tables:
        labelled = _labelled(table, target, model.classes_.tolist(), read)
        weighed = take_weights(weights, table, labelled, read)
        weight = np.ones(len(labelled)) if weighed is None else weighed[1]
        counted = labelled[weight > 0]
        unlabelled += table.n_rows - len(labelled)
        weightless += len(labelled) - len(counted)
        unseen.add(table)
        if len(counted):
            group_codes = _numbered(table, groups, known, counted, read)
            parts.append(_block(model, table.take(counted), target, weight[weight > 0], group_codes))
        read += table.n_rows
    if not parts:
        if weightless:
            raise ValueError(Note("C337", target=target, column=weights))
        raise ValueError(Note("C038", target=target))
    return (
        _ScoredBlock(*(np.concatenate(column) for column in zip(*parts, strict=True))),
        unlabelled,
        weightless,
    )


def _known_rows(model: TableClassifier, keys: NDArray[np.uint64]) -> tuple[str, ...]:
    """A warning about rows that the model was trained on, where its file has their hashes."""
    fingerprint = getattr(model, "fingerprint_", None)
    share = None if fingerprint is None else fingerprint.known_share(fingerprint.salted(keys))
    if share is None:
        return ()
    return (Note("C335", percent=round(100 * share)) if share >= 0.01 else Note("C336"),)


def _block(model: TableClassifier, rows: Table, target: str, weight: Array, groups: Codes) -> _ScoredBlock:
    """Rows that have a class and a positive weight, scored."""
    with counted_here():
        predicted, scores = _scored(model, rows)
    keys = row_keys(rows.select(model.schema_.names), rows[target], model.classes_.tolist())
    return _ScoredBlock(rows[target], predicted, scores, weight, groups, keys)


def _schema(
    model: TableClassifier, names: tuple[str, ...], target: str, groups: str | None, weights: str | None
) -> Schema:
    """The columns to read, but for the weights: those of the model, the true classes, and the groups."""
    check_roles(target, groups, weights)
    roles = ((target, "target column"), (groups, "group column"), (weights, "weight column"))
    for name, what in roles:
        if name is not None and name in model.schema_:
            role = "the true classes" if name == target else "groups" if name == groups else "weights"
            raise ValueError(Note("C040", column=name, role=role))
        if name is not None and name not in names:
            raise unknown_column(name, names, what)
    further = [Column(target, "categorical", tuple(model.classes_.tolist()))]
    further += [] if groups is None else [Column(groups, "identifier")]
    return Schema((*model.schema_, *further))


def _labelled(table: Table, target: str, classes: list[Label], read: int) -> NDArray[np.int64]:
    """Positions of the rows that have a class; one that the model does not know is an error."""
    for i in np.flatnonzero(table[target] == UNSEEN)[:1]:
        raise ValueError(
            Note(
                "C039",
                row=int(read + i + 1),
                target=target,
                classes=tuple(classes),
            )
        )
    return np.flatnonzero(table[target] != MISSING)


def _numbered(
    table: Table, groups: str | None, known: dict[Hashable, int], rows: NDArray[np.int64], read: int
) -> Codes:
    """The group of each of these rows, by its number among all that were read; 0 without groups."""
    if groups is None:
        return np.zeros(len(rows), dtype=np.int32)
    values = take_rows(table[groups], rows).to_pylist()
    for place, value in enumerate(values):
        if value is None:
            raise ValueError(Note("C041", column=groups, row=int(read + rows[place] + 1)))
    return np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int32)


def _scored(model: TableClassifier, table: Table) -> tuple[Codes, Array]:
    """Predicted codes, and log posteriors or margins with a column for each class."""
    position = {label: code for code, label in enumerate(model.classes_.tolist())}
    predicted = np.array([position[label] for label in model.predict(table).tolist()], dtype=np.int32)
    posteriors = has_posteriors(model)
    if posteriors:
        return predicted, np.asarray(model.predict_log_proba(table))
    margins = np.asarray(model.decision_function(table))
    return predicted, np.column_stack([-margins, margins]) / 2.0 if margins.ndim == 1 else margins
