"""Every example that a reader can see runs: in the docs, in the README, in every docstring."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

from tests.realdata import ROOT

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def has_example(path: Path) -> bool:
    return ">>> " in path.read_text(encoding="utf-8")


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT / "src").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = [path for path in sorted((ROOT / "src" / "assay").rglob("*.py")) if has_example(path)]


def without_fences(text: str) -> str:
    """The page with its code fences, which would be read as output, blanked; lines keep their numbers."""
    return re.sub(r"^ *(```|~~~).*$", "", text, flags=re.MULTILINE)


def run_examples(test: doctest.DocTest) -> int:
    """Run one page's examples in order; returns how many there were, fails with doctest's own report."""
    report: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=FLAGS)
    results = runner.run(test, out=report.append)
    if results.failed:
        pytest.fail("".join(report), pytrace=False)
    return results.attempted


@pytest.mark.parametrize("page", [page for page in PAGES if has_example(page)], ids=shown)
def test_examples_of_page(page: Path) -> None:
    text = without_fences(page.read_text(encoding="utf-8"))
    test = doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, shown(page), str(page), 0)
    assert run_examples(test) > 0


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_examples_of_module(path: Path) -> None:
    module = importlib.import_module(module_name(path))
    attempted = [run_examples(test) for test in doctest.DocTestFinder(exclude_empty=True).find(module)]
    assert sum(attempted) > 0


def test_a_failing_example_is_seen() -> None:
    page = "```python\n>>> 1 + 1\n3\n```\n"
    test = doctest.DocTestParser().get_doctest(without_fences(page), {}, "page", None, 0)
    with pytest.raises(pytest.fail.Exception, match="Expected"):
        run_examples(test)


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_relative_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    absent = [target for target in targets if "://" not in target and not (page.parent / target).exists()]
    assert absent == []


def test_the_readme_has_an_example() -> None:
    assert has_example(ROOT / "README.md")
