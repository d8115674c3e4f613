"""The rows of a projection: a table as numbers, with its classes where it has any.

Columns become numbers as models of the catalog read them: levels as columns of 0 and 1 less the most frequent one, gaps
filled with means and flagged, everything standardised. A table of texts alone is read by its most frequent words.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data import Table
from assay.data.read import open_stream
from assay.models.base.validation import Encoded
from assay.models.features.drop_reference import DropReference
from assay.models.features.impute import Impute
from assay.models.features.one_hot import OneHot
from assay.models.features.scale import Standardize
from assay.models.features.table_encoder import TableEncoder, left_out
from assay.models.features.text_columns import Words
from assay.models.table.table_classifier import TableClassifier
from assay.notes import Note
from assay.notes.phrases import listed, plural
from assay.workbench.diagnosis.missing_markers import marker_notes
from assay.workbench.problem import check_finite, read_problem, read_table, usual_name

Array = NDArray[np.float64]
MOST_WORDS = 300
LARGEST = 1e150
FEWEST_TEXTS = 2  # that hold a word


@dataclass(frozen=True, eq=False)
class Rows:
    """A table as a matrix.

    Attributes
    ----------
    design : (N, D)
        Numbers with gaps, before anything is learned from them.
    encoder : TableEncoder
    numbers : (N,)
        Position of each row in the source, from 1.
    target : str or None
    codes, classes
        Labels; None without a target.
    notes : tuple of str
    """

    design: Array
    encoder: TableEncoder
    names: tuple[str, ...]
    steps: tuple[Any, ...]
    numbers: NDArray[np.int64]
    target: str | None
    codes: NDArray[np.int32] | None
    classes: NDArray[Any] | None
    notes: tuple[str, ...]

    @property
    def labels(self) -> Encoded | None:
        return None if self.codes is None or self.classes is None else Encoded(self.codes, self.classes)

    def estimator(self, *parts: Any) -> Any:
        """Steps that make the design ready, then the parts, not fitted, as one estimator on the design."""
        steps = [*self.steps, *parts]
        return (
            TableClassifier(self.encoder, steps[:-1], steps[-1]).with_encoder(self.encoder).matrix_estimator()
        )


def read_rows(
    source: Any,
    target: str | None,
    *,
    types: Mapping[str, str] | None = None,
    drop: Collection[str] = (),
    query: str | None = None,
    missing: Any = None,
) -> Rows:
    """A source as numbers; without `target`, classes are those that the source names itself, if it does."""
    found = target or _own_target(source, drop, query)
    if found is not None:
        problem = read_problem(source, found, types=types, drop=drop, query=query, missing=missing)
        return _encoded(
            problem.features, problem.kept + 1, problem.notes, problem.target, problem.codes, problem.classes
        )
    table = read_table(source, None, types, drop, query, missing)
    check_finite(table)
    return _encoded(table, np.arange(1, table.n_rows + 1), marker_notes(table.schema))


def _own_target(source: Any, drop: Collection[str], query: str | None) -> str | None:
    stream = open_stream(source, query)
    return stream.target or usual_name([name for name in stream.names if name not in drop])


def _encoded(
    table: Table,
    numbers: NDArray[np.int64],
    notes: tuple[str, ...],
    target: str | None = None,
    codes: NDArray[np.int32] | None = None,
    classes: NDArray[Any] | None = None,
) -> Rows:
    """The table through the encoder that suits it."""
    if table.n_rows < 2:
        raise ValueError(Note("P016", n_rows=plural(table.n_rows, "row")))
    reasons = [left_out(column) for column in table.schema]
    if not all(reasons):
        encoder: TableEncoder = OneHot().fit(table)
        names = tuple(map(str, encoder.get_feature_names_out()))
        steps: tuple[Any, ...] = (Impute(indicator=True), DropReference(), Standardize())
        design, told = encoder.transform(table), encoder.notes_
    elif any(column.type == "text" for column in table.schema):
        words, steps = Words(), (Standardize(),)
        design, names, told = count_words(words, table)
        encoder = words
    else:
        raise ValueError(Note("P018", schema=listed([repr(c.name) for c in table.schema])))
    _check_size(design, names)
    return Rows(design, encoder, names, steps, numbers, target, codes, classes, (*notes, *told))


def _check_size(design: Array, names: tuple[str, ...]) -> None:
    """No number so large that its square has no float64."""
    with np.errstate(invalid="ignore"):
        largest = np.fmax.reduce(np.abs(design), axis=0, initial=0.0)
    for j in np.flatnonzero(largest > LARGEST)[:1]:
        raise ValueError(Note("P005", names=names[j], largest=largest[j]))


def count_words(encoder: Words, table: Table) -> tuple[Array, tuple[str, ...], tuple[str, ...]]:
    """Logarithms of the counts of the words that most texts hold; no label is looked at."""
    counts = encoder.fit_transform(table)
    texts = np.bincount(counts.indices, minlength=counts.shape[1])
    order = np.argsort(-texts, kind="stable")
    # A word of all texts tells nothing apart by being there, but by how often: it stays.
    kept = np.sort(order[: min(MOST_WORDS, int((texts >= FEWEST_TEXTS).sum()))])
    if not len(kept):
        raise ValueError(Note("P017"))
    names = encoder.get_feature_names_out()
    told = (
        f"Texts are placed by the logarithms of the counts of {plural(len(kept), 'word')}, those of most texts "
        f"among {plural(len(names), 'word')}; labels had no part in choosing them.",
    )
    design = np.log1p(counts[:, kept].toarray().astype(np.float64))
    return design, tuple(str(names[j]) for j in kept), (*encoder.notes_, *told)
