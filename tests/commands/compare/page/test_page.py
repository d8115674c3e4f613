"""The page: complete, escaped, in order, and the same for the same results."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from assay.charts.document import Figure
from assay.charts.html import as_json, policy
from assay.commands.compare.page.context import PageContext
from assay.commands.compare.page.page import page, sections, write
from assay.notes.phrases import last_part
from tests.commands.compare.page import cases
from tests.raised import raises

VOID = {"meta", "img", "br", "link", "rect", "line"}


class Reader(HTMLParser):
    """Elements in order, text by element, and whether every element is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append((dict(attrs), ""))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts[-1] = (self.scripts[-1][0], self.scripts[-1][1] + data)
        elif self.open and self.open[-1] != "style":
            self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


@cache
def text_of(case: Callable[[], Any]) -> str:
    return page(case())


def read(found: Any) -> Reader:
    reader = Reader()
    reader.feed(text_of(found) if callable(found) else page(found))
    assert reader.open == []
    return reader


def chapters(reader: Reader) -> list[str | None]:
    return [attributes["id"] for attributes in reader.all("section")]


def test_sections_stand_in_order() -> None:
    expected = [
        "data",
        "leaderboard",
        "learning",
        "confusion",
        "calibration",
        "roc",
        "precision-recall",
        "costs",
        "plane",
        "separable",
        "uses",
    ]
    assert chapters(read(cases.cancer))[:11] == expected
    assert chapters(read(cases.cancer))[-1] == "reproduce"


def test_headings_are_in_order_and_names_are_unique() -> None:
    reader = read(cases.iris)
    levels = [int(tag[1]) for tag, _ in reader.elements if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1 and set(levels[1:]) == {2}
    ids = [attributes["id"] for _, attributes in reader.elements if attributes.get("id")]
    assert len(ids) == len(set(ids))
    targets = {a["href"] for a in reader.all("a")}
    assert targets <= {f"#{name}" for name in ids}


def test_every_chart_has_words_a_caption_and_a_table() -> None:
    reader = read(cases.iris)
    figures, charts = reader.all("figure"), [a for a in reader.all("div") if a.get("class") == "chart"]
    assert len(figures) >= 8
    assert len(reader.all("figcaption")) == len(figures)
    assert all(a["role"] == "img" and len(str(a["aria-label"]).split()) >= 8 for a in charts)
    specs = {a["id"] for a, _ in reader.scripts if str(a.get("id", "")).startswith("spec-")}
    assert {a["data-spec"] for a in charts} == specs
    assert len(reader.all("details")) >= len(figures)


@pytest.mark.parametrize("case", [cases.iris, cases.cancer, cases.tree, cases.many])
def test_charts_obey_the_schema_of_vega_lite(case: Callable[[], Any]) -> None:
    parts = [part for section in sections(PageContext(case())) for part in section.parts]
    panels = [panel for part in parts if isinstance(part, Figure) for panel in part.panels]
    assert len(panels) >= 8
    for panel in panels:
        panel.chart.to_dict(validate=True)


def test_the_page_names_no_place_to_load_from() -> None:
    reader = read(cases.iris)
    for tag, attributes in reader.elements:
        assert not attributes.get("src") and not str(attributes.get("href") or "#").startswith("http"), tag
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
    (policy_text,) = [str(a["content"]) for a in reader.all("meta") if a.get("http-equiv")]
    assert "unsafe" not in policy_text and policy_text.startswith("default-src 'none'")
    scripts = tuple(body for a, body in reader.scripts if a.get("type") != "application/json")
    assert len(scripts) == 2
    style = re.search(r"<style>(.*?)</style>", text_of(cases.iris), re.DOTALL)
    assert style is not None
    assert policy(scripts, (style[1],)) == policy_text


def test_the_page_is_of_bearable_size() -> None:
    for found in (cases.iris, cases.many):
        assert 0.8e6 < len(text_of(found).encode()) < 1.5e6


def test_names_stay_text() -> None:
    reader = read(cases.odd)
    assert len(reader.scripts) == 3 + len([a for a in reader.all("div") if a.get("class") == "chart"])
    assert not reader.all("img") and not reader.all("b")
    assert cases.SCRIPT in "".join(reader.text)
    for attributes, body in reader.scripts:
        if attributes.get("type") == "application/json":
            assert "<" not in body and "\u2028" not in body and "\u2029" not in body
            json.loads(body)


def test_many_classes_show_the_most_confused_pairs() -> None:
    reader = read(cases.many)
    assert "The most confused pairs" in "".join(reader.text)
    specs = {a["id"]: body for a, body in reader.scripts if a.get("id")}
    assert "other classes" in specs["spec-plane-0"]


def test_a_tree_is_explained_by_importances() -> None:
    assert cases.tree().best_name == "decision_tree"
    specs = {a.get("id") for a, _ in read(cases.tree).scripts}
    assert "spec-importances-0" in specs and "spec-weights-0" not in specs


def test_omitted_candidates_and_warnings_are_told() -> None:
    told = replace(
        cases.iris(), omitted={"random_forest": "would take 3 hours"}, notes=("12 rows have no label.",)
    )
    text = "".join(read(told).text)
    assert "would take 3 hours" in text and "12 rows have no label." in text


def test_equal_results_give_equal_pages_and_the_date_is_given() -> None:
    assert page(cases.iris()) == text_of(cases.iris)
    assert "2026-07-01" not in text_of(cases.iris)
    assert "2026-07-01" in page(cases.iris(), date="2026-07-01")


def test_a_page_is_written_whole(tmp_path: Path) -> None:
    path = cases.iris().report(tmp_path / "report.html")
    assert path.read_text(encoding="utf-8") == text_of(cases.iris)
    with raises("F718", FileNotFoundError):
        write(cases.iris(), tmp_path / "absent" / "report.html")
    assert [each.name for each in tmp_path.iterdir()] == ["report.html"]


def test_json_in_a_script_ends_nothing() -> None:
    text = as_json({"a": "</script><!-- \u2028 \u2029 & ü"})
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == {"a": "</script><!-- \u2028 \u2029 & ü"}


def test_addresses_lose_their_passwords() -> None:
    assert last_part("postgresql://me:secret@host/sales") == "sales"
    assert last_part("/home/me/data/adult.csv.gz") == "adult.csv.gz"
