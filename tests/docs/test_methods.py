"""The table of methods: one row per test, links that lead somewhere, commands that exist, every public name."""

from __future__ import annotations

import ast
import re
from typing import Any

import pytest
import typer

import assay
from assay.catalog import entry
from assay.main import app
from assay.workbench.syntax.plan import parse_plan
from assay.workbench.syntax.ranges import parse_ranges
from assay.workbench.syntax.settings import assigned_names, parse_settings
from tests.realdata import ROOT

PAGE = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8")
TESTS = ROOT / "tests" / "oracles" / "test_methods.py"
ROWS = re.findall(r"^\| ([A-H]\d+) \| (.+) \|$", PAGE, re.MULTILINE)
LINKS = sorted(set(re.findall(r"\]\(([^)]+)\)", PAGE)))
ASSAY = sorted(set(re.findall(r"`(assay [^`]+)`", PAGE)))


def anchors(text: str) -> set[str]:
    """Anchors of a page's headings, as GitHub makes them."""
    heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_the_rows_are_the_tests() -> None:
    functions = [node.name for node in ast.parse(TESTS.read_text()).body if isinstance(node, ast.FunctionDef)]
    tests = [name for name in functions if name.startswith("test_")]
    assert tests == [f"test_{row.lower()}" for row, _ in ROWS] and len(tests) == 61
    for row, cells in ROWS:
        assert cells.endswith(f"| `test_{row.lower()}`"), row
        assert len(cells.split("|")) == 5, row


def test_the_tests_use_public_names_only() -> None:
    modules = [node for node in ast.walk(ast.parse(TESTS.read_text())) if isinstance(node, ast.ImportFrom)]
    imported = {node.module: [alias.name for alias in node.names] for node in modules}
    assert [module for module in imported if module and module.startswith(("assay.", "tests"))] == []
    assert set(imported["assay"]) <= set(assay.__all__)


@pytest.mark.parametrize("link", LINKS)
def test_a_link_leads_to_a_page_and_a_heading(link: str) -> None:
    path, _, anchor = link.partition("#")
    page = ROOT / "docs" / path
    assert page.is_file(), link
    assert not anchor or anchor in anchors(page.read_text(encoding="utf-8")), link


@pytest.mark.parametrize("name", assay.__all__)
def test_every_public_name_occurs(name: str) -> None:
    assert re.search(rf"`{name}[`.]", PAGE), name


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([A-Za-z]\w*(?:\.\w+)?)`", PAGE))))
def test_a_name_in_the_table_exists(name: str) -> None:
    first, _, rest = name.partition(".")
    if first in assay.__all__:
        assert not rest or rest in getattr(assay, first).__all__


def valued(words: list[str], option: str) -> list[str]:
    """What a command gives to an option, each time."""
    return [words[i + 1] for i, word in enumerate(words) if word == option]


@pytest.mark.parametrize("command", ASSAY)
def test_a_command_exists_with_its_options_and_settings(command: str) -> None:
    words = command.split()
    program: Any = typer.main.get_command(app)
    known = {name for parameter in program.commands[words[1]].params for name in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= known
    settings, ranges = valued(words, "--set"), valued(words, "--range")
    for model in valued(words, "--model"):
        card = entry(model).freed(assigned_names([*settings, *ranges]))
        parse_settings(model, card.free_parameters(), settings)
        parse_ranges(model, card.free_parameters(), ranges)
    for plan in valued(words, "--plan"):
        parse_plan(plan)
