"""The chart of settings: its form follows from what varies, every setting is on it, the one in use is ringed."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import numpy as np
import pytest

from assay.charts.hyperparameters import MOST_SETTINGS, Axes, axes_of, setting_rows, settings_chart, varying


def grid(**ranges: Any) -> list[dict[str, Any]]:
    return [dict(zip(ranges, values, strict=True)) for values in product(*ranges.values())]


def drawn(settings: list[dict[str, Any]], **options: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The specification, checked against Vega-Lite's schema, and its rows."""
    losses = options.pop("losses", np.linspace(0.1, 0.2, len(settings)))
    look = {key: options.pop(key) for key in ("title", "shares", "small") if key in options}
    chart = settings_chart(settings, setting_rows(settings, losses, **options), **look)
    spec = chart.to_dict()
    return spec, chart.data["values"]


@pytest.mark.parametrize(
    ("ranges", "wanted"),
    [
        ({"l2": [0.1, 0.01]}, Axes("l2")),
        ({"l2": [0.1, 0.01], "kernel": ["rbf"]}, Axes("l2")),
        ({"n_neighbors": [1, 3, 5], "weights": ["uniform", "distance"]}, Axes("n_neighbors", "weights")),
        ({"l2": [1e-2, 1e-3, 1e-4], "gamma_factor": [0.1, 0.5, 2.0]}, Axes("l2", "gamma_factor")),
        ({"gamma": [0.1, 0.5], "C": [1, 10, 100]}, Axes("C", "gamma")),
        ({"max_depth": [2, 4, None], "min_samples_leaf": [20, 1]}, Axes("max_depth", "min_samples_leaf")),
        ({"fit_intercept": [True, False], "l2": [1.0, 2.0]}, Axes("l2", "fit_intercept")),
        ({"C": list(range(1, 8)), "gamma": list(range(1, 7))}, Axes("C", "gamma", map=True)),
        ({"kernel": ["rbf", "linear"]}, None),
        ({"a": [1, 2], "b": [1, 2], "c": [1, 2]}, None),
        ({"a": [1, 2], "b": list("abcdef")}, None),
        ({"a": [1, np.inf]}, None),
        ({"a": [1, None]}, None),
    ],
)
def test_what_varies_decides_the_form(ranges: dict[str, Any], wanted: Axes | None) -> None:
    settings = grid(**ranges)
    assert axes_of(settings, varying(settings)) == wanted
    assert drawn(settings, chosen=0)[1]


def test_two_numbers_are_a_line_for_each_value_of_one() -> None:
    settings = grid(l2=[1e-2, 1e-3, 1e-4], gamma_factor=[0.1, 0.5, 10.0])
    spec, rows = drawn(settings, standard_errors=np.full(9, 0.01), chosen=4, simplest=0, splits=[1] * 9)
    band, line, _, ring, diamond = spec["layer"]
    assert "0.5" in band["transform"][0]["filter"]
    assert line["encoding"]["color"]["scale"]["domain"] == ["0.1", "0.5", "10"]
    assert line["encoding"]["x"]["scale"]["type"] == "log"
    assert ring["transform"][0]["filter"] == "datum.final === true" and diamond["mark"]["shape"] == "diamond"
    assert [(row["line"], row["x"]) for row in rows if row["final"]] == [("0.5", 1e-3)]
    assert len(rows) == 9 and json.dumps(spec).count("gamma_factor = 0.5") == 3  # rows stand in it once


def test_values_that_look_alike_have_lines_and_labels_of_their_own() -> None:
    long = [np.arange(2000), np.where(np.arange(2000) == 1000, 0, np.arange(2000))]
    settings = grid(l2=[0.1, 0.2], columns=long)
    assert varying(settings) == ["l2", "columns"]
    assert len({row["line"] for row in drawn(settings)[1]}) == 2
    near = grid(l2=[0.1, 0.2, 0.4], gamma_factor=[0.5, 0.50000001])
    assert {row["line"] for row in drawn(near)[1]} == {"0.5", "0.50000001"}
    dots = grid(columns=long)
    assert len({row["label"] for row in drawn(dots)[1]}) == 2


def test_no_limit_stands_to_the_right_and_zero_to_the_left() -> None:
    spec, rows = drawn(grid(max_words=[100, 1000, 10_000, None]))
    places = {row["setting"].rpartition(" ")[2]: row["x"] for row in rows}
    assert places["None"] == pytest.approx(1e5)
    axis = spec["layer"][0]["encoding"]["x"]["axis"]
    assert "'none'" in axis["labelExpr"] and axis["values"] == [100, 1000, 10_000, pytest.approx(1e5)]
    spec, rows = drawn(grid(l2=[1.0, 0.1, 0.01, 0.0]))
    assert [row["x"] for row in rows] == pytest.approx([1e-3, 0.01, 0.1, 1.0])
    spec, rows = drawn(grid(max_depth=[2, 4, 8, None]))
    assert rows[-1]["x"] == 11.0 and spec["layer"][0]["encoding"]["x"]["axis"]["values"] == [2, 4, 8, 11]


def test_many_values_of_two_numbers_are_a_map_with_a_ring() -> None:
    settings = grid(C=[0.1, 1.0, 10.0, 100.0, 1000.0, 1e4], gamma=[0.01, 0.1, 1.0, 10.0, 100.0, 1e3])
    spec, rows = drawn(settings, chosen=7)
    cells, ring = spec["layer"]
    assert cells["mark"]["type"] == "rect" and ring["mark"]["type"] == "point" and len(rows) == 36
    assert cells["encoding"]["x"]["sort"] == ["0.1", "1", "10", "100", "1000", "10000"]
    assert cells["encoding"]["fillOpacity"]["scale"]["domain"] == [0.2, 0.1]  # the least is the darkest


def test_labels_of_settings_name_what_differs_and_break_into_lines() -> None:
    settings = grid(
        max_depth=[2, 4], min_samples_leaf=[1, 20], splitter=["best", "random"], criterion=["gini"]
    )
    spec, rows = drawn(settings, chosen=0)
    assert rows[1]["label"] == "max_depth = 2, min_samples_leaf = 1, splitter = random"
    axis = spec["layer"][0]["encoding"]["y"]["axis"]
    assert "split(datum.label, ', ')" in axis["labelExpr"] and axis["labelOverlap"] is False
    words = [{"kernel": f"k{at}"} for at in range(30)]
    _, rows = drawn(words, losses=np.arange(30.0), chosen=29)
    assert [row["value"] for row in rows] == [*map(float, range(MOST_SETTINGS)), 29.0]


def test_without_standard_errors_and_choice_there_is_neither_band_nor_ring() -> None:
    spec, _ = drawn(grid(l2=[1.0, 0.1]))
    assert [layer["mark"]["type"] for layer in spec["layer"]] == ["line", "point"]
    assert len(spec["layer"][1]["encoding"]["tooltip"]) == 2
