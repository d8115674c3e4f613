"""The table of methods: one row per test, links that lead somewhere, commands that exist, every public name."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer

import assay
from assay.catalog import entry
from assay.main import app
from assay.workbench.syntax.plan import parse_plan
from assay.workbench.syntax.ranges import parse_ranges
from assay.workbench.syntax.settings import assigned_names, parse_settings
from tests.program import Run
from tests.realdata import ROOT

PAGE = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8")
TESTS = ROOT / "tests" / "oracles" / "test_methods.py"
ROWS = re.findall(r"^\| ([A-H]\d+) \| (.+) \|$", PAGE, re.MULTILINE)
FURTHER = re.findall(r"^\| .+ \| `(test_\w+)` \|$", PAGE.partition("## Further methods")[2], re.MULTILINE)
LINKS = sorted(set(re.findall(r"\]\(([^)]+)\)", PAGE)))
ASSAY = sorted(set(re.findall(r"`(assay [^`]+)`", PAGE)))


def anchors(text: str) -> set[str]:
    """Anchors of a page's headings, as GitHub makes them."""
    heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_the_rows_are_the_tests() -> None:
    functions = [node.name for node in ast.parse(TESTS.read_text()).body if isinstance(node, ast.FunctionDef)]
    tests = [name for name in functions if name.startswith("test_")]
    assert tests[:61] == [f"test_{row.lower()}" for row, _ in ROWS]
    assert tests[61:] == FURTHER and len(FURTHER) == 5
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


TABLES = {
    "ratings": "user,item,rating\n" + "".join(
        f"{user},{item},{(3 * i + 7 * j) % 5 + 1}\n"
        for i, user in enumerate(("ann", "bob", "eve", "joe"))
        for j, item in enumerate("pqrst")
        if (i + j) % 4
    ),
    "texts": "text,target\n" + "".join(
        f"the team won {i} goals,sport\n{i} votes for the party,politics\n" for i in range(12)
    ),
    "words": "colour,size,target\n" + "red,small,yes\nblue,large,no\nred,large,yes\ngreen,small,no\n" * 8,
    "posteriors": "P(good),P(bad)\n0.7,0.3\n0.9,0.1\n",
}  # fmt: skip
DECISION = {
    "good": "no",
    "bad": "yes",
}  # classes of the table of numbers, where a command speaks of good and bad


def numbers() -> str:
    """Two columns of numbers and two overlapping classes."""
    rng = np.random.default_rng(0)
    classes = np.arange(40) % 2
    X = rng.normal(size=(40, 2)) + classes[:, None]
    lines = [f"{a:.2f},{b:.2f},{('no', 'yes')[k]}" for (a, b), k in zip(X, classes, strict=True)]
    return "\n".join(["a,b,target", *lines, ""])


def table_for(command: str) -> str:
    """The table that a command of the page fits."""
    if "recommend" in command:
        return "ratings"
    if "multinomial_nb" in command or "bernoulli_nb" in command:
        return "texts"
    return "words" if "categorical_nb" in command else "numbers"


@pytest.mark.parametrize("command", [command for command in ASSAY if "compare" not in command])
def test_a_command_runs(command: str, run: Run) -> None:
    for name, text in {**TABLES, "numbers": numbers()}.items():
        Path(f"{name}.csv").write_text(text)
    if " m.assay" in command and "--out" not in command:
        assert (
            run("fit", "numbers.csv", "--target", "target", "--model", "gaussian_nb", "--out", "m.assay").code
            == 0
        )
    places = {"T": f"{table_for(command)}.csv", "P": "posteriors.csv"}
    words = [places.get(word, word) for word in command.split()[1:]]
    if words[0] == "evaluate" and "--loss" in words:
        words = [word.replace("good", DECISION["good"]).replace("bad", DECISION["bad"]) for word in words]
    done = run(*words)
    assert done.code == 0, done.err
