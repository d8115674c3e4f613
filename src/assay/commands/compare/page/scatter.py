"""Section: the rows projected on a plane, with the decision regions of the winner.

A table is encoded as numbers, and a point of the plane is decoded as the nearest row of the table: numeric values as
they are, categories by the nearest one-hot code. Texts are counts of the most informative words; on the plane all other
words keep their mean counts, and no count is below 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from assay.charts.document import Figure, Panel, Paragraph, Section, data_table
from assay.charts.scatter import Plane, plane_chart
from assay.commands.compare.page.context import PageContext
from assay.commands.compare.page.plane import MOST_CELLS, plane
from assay.data import MISSING, Column, Table
from assay.data.schema import Schema
from assay.models.features.one_hot import OneHot
from assay.models.features.table_encoder import Group, left_out
from assay.models.table.table_classifier import TableClassifier
from assay.notes.numbers import count, percent
from assay.notes.phrases import drawn_of, name_of, shorten
from assay.notes.phrases import page_plural as plural
from assay.numerics.blas import one_openmp_thread, single_threaded
from assay.types import Array, Labels

Codes = NDArray[np.intp]
SAMPLED = 20_000
TELLING_WORDS, WORD_ROWS = 200, 3000
FEWEST, MOST = 1_000, 28_800  # places that are asked about
TFIDF_COPIES = 8  # of a full row that are made while its words are weighed
MOST_SECONDS, ASKED_CELLS = 4.0, 200_000_000


class Design(NamedTuple):
    """Sampled rows as numbers, and the predictions of the winner for such rows.

    rows, codes, names : (n, D) numbers, (n,) classes, D names
    decide : from rows (m, D) to class codes (m,)
    rest, others : values of the other columns on a plane of two directions, and of two columns, for the caption
    places : number of points to predict at most
    """

    rows: Array
    codes: NDArray[np.int32]
    names: list[str]
    decide: Callable[[Array], Codes]
    rest: str
    others: str
    places: int


def scatter_section(s: PageContext) -> Section | None:
    """The rows along two directions, with the decision regions of the winner."""
    design = design_of(s)
    if design is None:
        return None
    view = plane(
        design.rows, design.codes, design.names, design.decide,
        seed=s.comparison.random_state, places=design.places,
    )  # fmt: skip
    if view is None:
        return None
    rest = design.others if view.kind == "columns" else design.rest
    text = (
        f"The rows projected on {_which(view)}. The coloured regions are the predictions of {s.titles[s.best]} on "
        f"this plane: {rest}. Predictions off the plane may differ; {percent(view.error)} of the sampled rows are in "
        "the region of another class."
    )
    chart = plane_chart(view, s.short_classes, s.coloured)
    grey = " Less frequent classes are grey." if len(s.coloured) < len(s.class_names) else ""
    stray = (
        f" {plural(view.outside, 'outlier is', 'outliers are')} outside the frame." if view.outside else ""
    )
    figure = Figure(
        "plane",
        (Panel(chart),),
        f"Scatter plot of {plural(len(view.points), 'row')} on the plane. {text}",
        f"{drawn_of(len(view.points) + view.outside, len(s.problem.codes))}{grey}{stray}",
        _class_places(s, view),
    )
    return Section("plane", "Projection and decision regions", "Projection", (Paragraph(text), figure))


def _which(view: Plane) -> str:
    first, second = (", ".join(shorten(name, 32) for name in names) for names in view.leading)
    if view.kind == "columns":
        return f"two columns, {first} and {second}, which explain more of the model's predictions than two directions"
    if view.kind == "variance":
        return (
            f"the first two principal components (mostly {first}; and {second}), because with so many columns for so "
            "few rows some directions separate any classes"
        )
    held = ", with a least variance within classes, because some columns hardly vary there" * (
        view.kind == "held"
    )
    if view.titles[1].startswith("Fisher"):
        return f"the two directions that separate the classes best (Fisher's{held}; mostly {first}; and {second})"
    return (
        f"the direction that separates the classes best (Fisher's{held}; mostly {first}) and the orthogonal "
        f"direction of largest variance (mostly {second})"
    )


def _class_places(s: PageContext, view: Plane) -> Any:
    rows = []
    for k, name in enumerate(s.class_names):
        points = view.points[view.codes == k]
        if len(points):
            (x, y), (dx, dy) = points.mean(axis=0), points.std(axis=0)
            rows.append((name, count(len(points)), f"{x:.2f} ± {dx:.2f}", f"{y:.2f} ± {dy:.2f}"))
    return data_table(
        "Mean and standard deviation per class", ("class", "rows shown", *view.titles), rows, (1, 2, 3)
    )


def design_of(s: PageContext) -> Design | None:
    """The rows as the plane shows them; None where there are no numbers, categories or words."""
    if s.winner.entry.reads_words:
        return _of_words(s)
    schema = s.problem.features.schema
    return None if all(left_out(column) for column in schema) else _of_table(s)


def _of_table(s: PageContext) -> Design:
    encoder = OneHot().fit(s.problem.features)
    names = [name_of(name) for name in encoder.get_feature_names_out()]
    table, codes = s.sampled(min(SAMPLED, max(MOST_CELLS // max(len(names), 1), 100)))
    model = s.model
    types = {column.type for column in table.schema}
    leveled, texts = bool(types & {"categorical", "binary"}), ", texts empty" * ("text" in types)
    rest = "columns that do not vary with the two directions are at their means"
    rest += ", categorical columns at the nearest category" * leveled + texts
    others = (
        "all other columns are at their means"
        + ", categorical columns at the most frequent category" * leveled
        + texts
    )

    def decide(rows: Array) -> Codes:
        with single_threaded(), one_openmp_thread():
            return _codes(model, model.predict(nearest_table(encoder, table.schema, rows)))

    return Design(encoder.transform(table), codes, names, decide, rest, others, _places(s, len(names)))


def _of_words(s: PageContext) -> Design:
    model: TableClassifier = s.model
    table, codes = s.sampled(WORD_ROWS)
    counts = csr_array(model.design(table), dtype=np.float64)
    mean = np.asarray(counts.mean(axis=0)).ravel()
    words = telling(counts, codes)
    names = [name_of(model.design_names_[j]) for j in words]

    def decide(rows: Array) -> Codes:
        full = np.tile(mean, (len(rows), 1))
        full[:, words] = np.maximum(rows, 0.0)
        with single_threaded(), one_openmp_thread():
            return _codes(model, model.predict_design(csr_array(full)))

    rest = f"all but the {len(words)} most informative words keep their mean counts, and no count is below 0"
    others = "all other words keep their mean counts"
    width = counts.shape[1] * (TFIDF_COPIES if s.winner.entry.encoding == "words-tfidf" else 1)
    return Design(counts[:, words].toarray(), codes, names, decide, rest, others, _places(s, width))


def _codes(model: TableClassifier, labels: Labels) -> Codes:
    return np.searchsorted(model.classes_, labels)


def _places(s: PageContext, width: int) -> int:
    """As many as a few seconds and some memory allow."""
    slow = MOST_SECONDS / max(float(s.winner.predict_seconds), 1e-9)
    return int(max(FEWEST, min(MOST, slow, ASKED_CELLS / max(width, 1))))


def telling(counts: csr_array, codes: NDArray[np.int32], most: int = TELLING_WORDS) -> NDArray[np.intp]:
    """The words whose counts vary most between the classes, as shares of their variance; in order."""
    n = counts.shape[0]
    mean = np.asarray(counts.mean(axis=0)).ravel()
    total = np.asarray((counts**2).mean(axis=0)).ravel() - mean**2
    between = np.zeros(len(mean))
    for k in np.unique(codes):
        rows = counts[np.flatnonzero(codes == k)]
        between += rows.shape[0] / n * (np.asarray(rows.mean(axis=0)).ravel() - mean) ** 2
    share = np.divide(between, total, out=np.zeros(len(mean)), where=total > 1e-12)
    return np.sort(np.argsort(-share, kind="stable")[:most])


def nearest_table(encoder: OneHot, schema: Schema, rows: Array) -> Table:
    """Rows of the encoder's numbers as rows of a table; columns that it leaves out are missing."""
    places = {group.column: group for group in encoder.groups_}
    columns = {column.name: _nearest(column, places.get(column.name), rows) for column in schema}
    return Table(schema, columns)


def _nearest(column: Column, place: Group | None, rows: Array) -> Any:
    """The values of one column."""
    if column.type in ("categorical", "binary"):
        if place is None:
            return np.full(len(rows), MISSING, dtype=np.int32)
        if column.type == "binary":
            return np.asarray(rows[:, place.first] > 0.5, dtype=np.int32)
        level = rows[:, place.slice].argmax(axis=1)
        return np.where(level < len(column.levels), level, MISSING).astype(np.int32)
    if column.type in ("numeric", "date"):
        return np.full(len(rows), np.nan) if place is None else np.ascontiguousarray(rows[:, place.first])
    import pyarrow as pa

    return pa.nulls(len(rows), pa.string())
