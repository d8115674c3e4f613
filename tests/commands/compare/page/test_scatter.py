"""The plane is asked of the winner: rows that it can read, and the regions of what it predicts there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_iris

from assay.charts.document import Figure
from assay.commands.compare.page import scatter
from assay.commands.compare.page.context import PageContext
from assay.commands.compare.page.plane import plane
from assay.commands.compare.page.scatter import design_of, nearest_table, telling
from assay.data import MISSING, Column, Schema, Table
from assay.models.features.one_hot import OneHot
from tests.commands.compare.page import cases
from tests.commands.compare.page.section_words import words


def test_the_plane_goes_through_the_means_of_three_classes() -> None:
    X, y = load_iris(return_X_y=True)
    asked: list[Any] = []

    def decide(rows: Any) -> Any:
        asked.append(rows)
        return np.zeros(len(rows), dtype=np.intp)

    view = plane(X, y.astype(np.int32), list("abcd"), decide)
    assert view is not None
    rows = asked[0]  # those of the points, in order
    for k in range(3):
        np.testing.assert_allclose(rows[view.codes == k].mean(axis=0), X[y == k].mean(axis=0), rtol=1e-6)


def test_places_become_rows_of_the_table() -> None:
    table = cases.tree().bench.problem.features
    encoder = OneHot().fit(table)
    rows = encoder.transform(table)
    back = nearest_table(encoder, table.schema, rows)
    for column in table.schema:
        assert np.array_equal(back.columns[column.name], table.columns[column.name])
    between = rows[:1].copy()
    place = next(group for group in encoder.groups_ if group.column == "colour")
    between[:, place.slice] = [0.4, 0.6] if place.width == 2 else 0.6
    assert nearest_table(encoder, table.schema, between).columns["colour"].tolist() == [1]


def test_columns_that_are_no_numbers_are_missing_on_the_plane() -> None:
    levels = tuple(f"v{i}" for i in range(300))
    schema = Schema((Column("a", "numeric"), Column("many", "categorical", levels), Column("words", "text")))
    codes = np.arange(4, dtype=np.int32)
    table = Table(schema, {"a": np.arange(4.0), "many": codes, "words": pa.array(["x y"] * 4)})
    encoder = OneHot().fit(table)
    places = nearest_table(encoder, table.schema, encoder.transform(table)[:3])
    assert places.columns["words"].null_count == 3 and places.columns["many"].tolist() == [MISSING] * 3


@pytest.mark.parametrize("case", [cases.iris, cases.cancer, cases.tree, cases.texts])
def test_the_regions_are_those_of_the_winner(case: Any) -> None:
    s = PageContext(case())
    design = design_of(s)
    assert design is not None
    table, codes = s.sampled(min(len(s.problem.codes), len(design.rows)))
    if design.rows.shape[1] <= 200:
        # Rows as they are, not on a plane: what is region_bands is what the winner predicts of them.
        known = np.isfinite(design.rows).all(axis=1)
        predicted = np.searchsorted(s.comparison.best.classes_, s.comparison.best.predict(table))
        agreed = (design.decide(design.rows) == predicted)[known]
        assert agreed.mean() > (0.9 if s.winner.entry.reads_words else 0.999)
    section = scatter.scatter_section(s)
    text = words(section)
    assert f"The coloured regions are the predictions of {s.titles[s.best]} on this plane" in text
    assert "mean" in text and any(isinstance(part, Figure) for part in section.parts)  # type: ignore[union-attr]
    assert codes.tolist() == design.codes.tolist()


def test_a_tree_is_seen_in_the_two_columns_that_it_splits_by() -> None:
    """Its classes are the signs of a product, which no direction shows."""
    s = PageContext(cases.tree())
    design = design_of(s)
    assert design is not None
    view = plane(design.rows, design.codes, design.names, design.decide)
    assert view is not None and view.kind == "columns" and set(view.titles) == {"a", "b"}
    assert view.error < 0.15
    text = words(scatter.scatter_section(s))
    assert "two columns, a and b" in text and "all other columns are at their means" in text
    linear = PageContext(cases.iris())
    other = design_of(linear)
    assert other is not None
    view = plane(other.rows, other.codes, other.names, other.decide)
    assert view is not None and view.kind == "fisher"
    few = plane(design.rows, design.codes, design.names, design.decide, places=100)
    assert few is not None and few.kind == "fisher"  # too few places to try columns


def test_a_slow_winner_is_asked_about_fewer_places() -> None:
    s = PageContext(cases.iris())
    design = design_of(s)
    slow = replace(s.winner, predict_seconds=0.001)
    other = PageContext(replace(cases.iris(), results={**cases.iris().results, s.best: slow}))
    less = design_of(other)
    assert design is not None and less is not None and less.places == 4_000 < design.places


def test_telling_words_vary_between_the_classes() -> None:
    codes = np.repeat([0, 1], 50).astype(np.int32)
    draw = np.random.default_rng(0)
    counts = draw.poisson(1.0, size=(100, 6))
    counts[:, 2] += 3 * codes
    counts[:, 5] = 1
    assert telling(csr_array(counts), codes, 1).tolist() == [2]
    assert 5 not in telling(csr_array(counts), codes, 5).tolist()
