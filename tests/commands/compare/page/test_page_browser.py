"""The page in a real browser: every chart drawn, nothing asked of the network, nothing wider than a telephone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay.charts.confusion import confusion_chart
from assay.charts.document import Figure, Panel, Section, data_table
from assay.charts.hyperparameters import setting_rows, settings_chart
from assay.commands.compare.page.context import PageContext
from assay.commands.compare.page.page import render, write
from tests.browser import Opened
from tests.commands.compare.page import cases
from tests.commands.compare.page.cases import penalised, simplest_is

BOXES = """[...document.querySelectorAll('.chart')].map(chart => {
    const box = chart.querySelector('svg').getBoundingClientRect();
    return [box.width, box.height, box.right, chart.querySelectorAll('svg path, svg line').length];
})"""


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("report")
    found = {"iris": cases.iris(), "cancer": cases.cancer(), "odd": cases.odd(), "many": cases.many()}
    found["texts"] = cases.texts()
    found["penalised"] = simplest_is(penalised(), 1)
    return {name: write(each, folder / f"{name}.html", date="2026-07-01") for name, each in found.items()}


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", ["iris", "cancer", "odd", "many", "penalised", "texts"])
def test_every_chart_is_drawn_and_nothing_is_asked_for(
    browser: Any, pages: dict[str, Path], name: str, width: int
) -> None:
    with Opened(browser, pages[name], width, "light") as opened:
        for scheme in ("light", "dark"):
            opened.page.emulate_media(color_scheme=scheme)
            boxes = opened.page.evaluate(BOXES)
            assert len(boxes) >= 8
            for across, down, right, marks in boxes:
                assert across > 100 and down > 50 and right <= width + 1 and marks > 5
            assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
        assert opened.complaints == []
        assert opened.requests == [pages[name].as_uri()]


def test_dark_and_light_differ_in_charts_too(browser: Any, pages: dict[str, Path]) -> None:
    with Opened(browser, pages["iris"], 1280, "light") as opened:
        ink = "getComputedStyle(document.querySelector('.chart svg text')).fill"
        light = opened.page.evaluate(ink)
        opened.page.emulate_media(color_scheme="dark")
        dark = opened.page.evaluate(ink)
        assert light != dark
        opened.page.emulate_media(color_scheme="dark", media="print")
        assert opened.page.evaluate(ink) == light


def test_it_prints(browser: Any, pages: dict[str, Path]) -> None:
    with Opened(browser, pages["cancer"], 1280, "dark") as opened:
        printed = opened.page.pdf(format="A4")
        assert printed.startswith(b"%PDF") and len(printed) > 30_000
        opened.page.set_viewport_size({"width": 680, "height": 900})  # A4 between its margins
        opened.page.emulate_media(media="print")
        wide = "[...document.querySelectorAll('.chart svg')].filter(s => s.getBoundingClientRect().right > innerWidth)"
        assert opened.page.evaluate(f"{wide}.length") == 0


def test_charts_follow_the_width_of_the_window(browser: Any, pages: dict[str, Path]) -> None:
    with Opened(browser, pages["iris"], 1280, "light") as opened:
        opened.page.set_viewport_size({"width": 390, "height": 900})
        opened.page.wait_for_function("document.querySelector('.chart svg').getAttribute('width') < 390")
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_keyboard_reaches_the_verdict_and_the_tables(browser: Any, pages: dict[str, Path]) -> None:
    with Opened(browser, pages["iris"], 1280, "light") as opened:
        opened.page.keyboard.press("Tab")
        assert opened.page.evaluate("document.activeElement.className") == "skip"
        opened.page.keyboard.press("Enter")
        assert opened.page.url.endswith("#verdict")
        opened.page.focus("figure summary")
        opened.page.keyboard.press("Enter")
        assert opened.page.locator("figure details[open] table").first.is_visible()


def test_tooltips_show_names_as_text(browser: Any, pages: dict[str, Path]) -> None:
    with Opened(browser, pages["odd"], 1280, "light") as opened:
        opened.page.locator("#figure-confusion .mark-rect path").first.hover()
        tooltip = opened.page.locator("#vg-tooltip-element")
        tooltip.wait_for(state="visible")
        assert "<script>" in tooltip.inner_text()
        assert opened.complaints == []


def test_without_scripts_the_numbers_are_still_there(browser: Any, pages: dict[str, Path]) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(pages["iris"].as_uri())
    assert page.locator(".noscript").is_visible()
    assert page.locator("figure details table").count() >= 8
    context.close()


SHOWN = """[...document.querySelectorAll('%s svg text')].map(text => {
    const box = text.getBoundingClientRect();
    return [text.textContent, box.left, box.right];
})"""


@pytest.mark.parametrize("width", [390, 1280])
def test_every_class_of_a_large_matrix_and_every_setting_is_named_in_full(
    browser: Any, tmp_path: Path, width: int
) -> None:
    names = [f"category {k:02d}" for k in range(20)]
    counts = np.full((20, 20), 3.0) + 1500 * np.eye(20)
    labels = [f"max_depth = {depth}, min_samples_leaf = {leaf}" for depth in (2, 4) for leaf in (1, 20)]
    settings = [dict(part.split(" = ") for part in label.split(", ")) for label in labels]
    dots = settings_chart(settings, setting_rows(settings, [0.1] * 4, [0.1] * 4), title="error")
    data = data_table("numbers", ("a",), [])
    figures = (
        Figure("confusion", (Panel(confusion_chart(counts, names)),), "Confusion.", "", data),
        Figure("tuning", (Panel(dots),), "Settings.", "", data),
    )
    text = render(PageContext(cases.iris()), [Section("charts", "Charts", "Charts", figures)])
    path = tmp_path / "charts.html"
    path.write_text(text, encoding="utf-8")
    with Opened(browser, path, width, "light") as opened:
        for figure, wanted in (("confusion", 2 * names), ("tuning", labels)):
            found = opened.page.evaluate(SHOWN % f"#figure-{figure}")
            assert all(left >= -1 and right <= width + 1 for _, left, right in found)
            said = [text for text, _, _ in found]
            assert not [text for text in said if "…" in text]
            if figure == "confusion":
                assert sorted(text for text in said if text.startswith("category")) == sorted(wanted)
            else:
                assert "".join(said).count("min_samples_leaf = 20") == 2


def test_legends_are_not_cut_on_a_telephone(browser: Any, pages: dict[str, Path]) -> None:
    with Opened(browser, pages["iris"], 390, "light") as opened:
        found = opened.page.evaluate(SHOWN % "#figure-learning")
        assert all(right <= 391 for _, _, right in found)
        assert "Gaussian, shared covariance" in [text for text, _, _ in found]


def test_captions_of_wide_tables_fit_the_page(browser: Any, pages: dict[str, Path]) -> None:
    with Opened(browser, pages["cancer"], 390, "light") as opened:
        ends = "[...document.querySelectorAll('#leaderboard caption span')].map(s => s.getBoundingClientRect().right)"
        assert max(opened.page.evaluate(ends)) <= 390
