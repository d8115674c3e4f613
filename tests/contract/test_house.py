"""Rules of the house that no linter knows."""

from __future__ import annotations

import ast
import inspect
import operator
import re
import tomllib
from pathlib import Path

import pytest

import assay
import assay.plans
from tests.realdata import ROOT

SOURCES = sorted((ROOT / "src" / "assay").rglob("*.py"))
LINES_PER_FILE = 400
# The contract with scikit-learn lives in the first four; the race and boosting use its estimators.
KNOW_SCIKIT_LEARN = {
    "models/base/estimators.py",
    "models/base/validation.py",
    "models/base/splitters.py",
    "sharing/fit_pipeline.py",
    "sharing/overrides.py",
    "sharing/refit.py",
    "sharing/settings.py",
    "sharing/side_by_side.py",
    "commands/demo/race.py",
    "models/trees/gradient_boosting.py",
}


def shown(path: Path) -> str:
    return path.relative_to(ROOT / "src" / "assay").as_posix()


def imported_packages(source: str) -> set[str]:
    """Top-level packages that a module imports, inside functions and type-checking blocks too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module.partition(".")[0])
    return found


def public_names() -> list[str]:
    """Every public class and function; those of a public module as module.function."""
    modules = {name: value for name in assay.__all__ if inspect.ismodule(value := getattr(assay, name))}
    inside = [f"{name}.{function}" for name, value in modules.items() for function in value.__all__]
    return sorted({*assay.__all__} - {*modules}) + inside


@pytest.mark.parametrize("name", public_names())
def test_public_name_has_a_docstring_with_an_example(name: str) -> None:
    value = operator.attrgetter(name)(assay)
    if not (inspect.isclass(value) or inspect.isfunction(value)):
        pytest.fail(f"assay.{name} is neither a class nor a function: a reader finds no docstring on it")
    # vars() and not getdoc: an inherited docstring describes the parent.
    doc = inspect.cleandoc(vars(value).get("__doc__") if inspect.isclass(value) else value.__doc__ or "")
    assert doc, f"assay.{name} has no docstring"
    assert ">>> " in doc, f"the docstring of assay.{name} shows no example"


def test_public_names_are_listed_once_and_reachable() -> None:
    assert len(set(assay.__all__)) == len(assay.__all__)
    assert [name for name in dir(assay) if not name.startswith("__")] == assay.__all__


@pytest.mark.parametrize("path", SOURCES, ids=shown)
def test_file_is_short_enough_to_read(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LINES_PER_FILE


@pytest.mark.parametrize("path", [p for p in SOURCES if shown(p) not in KNOW_SCIKIT_LEARN], ids=shown)
def test_file_does_not_know_scikit_learn(path: Path) -> None:
    assert "sklearn" not in imported_packages(path.read_text(encoding="utf-8"))


def test_imports_are_found_wherever_they_stand() -> None:
    source = "def f():\n    from sklearn.base import clone\n    import scipy.linalg\nfrom . import sibling\n"
    assert imported_packages(source) == {"sklearn", "scipy"}


def canonical(requirement: str) -> str:
    """The name of a requirement, spelled as package indexes compare it."""
    name = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert name is not None, requirement
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def test_every_requirement_is_pinned() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = settings["project"]["optional-dependencies"].values()
    wanted = [*settings["build-system"]["requires"], *settings["project"]["dependencies"], *sum(extras, [])]
    pins = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if line[:1].isalnum()]
    assert all("==" in pin for pin in pins)
    assert {canonical(line) for line in wanted} <= {canonical(pin) for pin in pins}


@pytest.mark.parametrize(
    "name", ["constraints.txt", *(f"requirements/{n}.in" for n in ("build", "bench", "tools"))]
)
def test_pins_name_no_package_index(name: str) -> None:
    text = (ROOT / name).read_text()
    assert "://" not in text
    assert "--" not in text.replace("# ---", "")


def plan_tests(source: str) -> list[str]:
    """Plan classes that a module tests for: by isinstance, by its type, or by a class pattern."""
    found = []
    for node in ast.walk(ast.parse(source)):
        asked: list[ast.AST] = []
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            asked = list(node.args[1:])
        elif isinstance(node, ast.Compare) and any(_is_type(part) for part in (node.left, *node.comparators)):
            asked = [node.left, *node.comparators]
        elif isinstance(node, ast.MatchClass):
            asked = [node.cls]
        names = {part.id for each in asked for part in ast.walk(each) if isinstance(part, ast.Name)}
        names |= {part.attr for each in asked for part in ast.walk(each) if isinstance(part, ast.Attribute)}
        found += sorted(names & PLANS)
    return found


def _is_type(node: ast.AST) -> bool:
    """Whether an expression asks for the type of something."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type"


PLANS = {name for name, value in vars(assay.plans).items() if inspect.isclass(value)} - {"Plan", "Partition"}


@pytest.mark.parametrize("path", SOURCES, ids=shown)
def test_nothing_outside_plans_and_splits_asks_which_plan_it_has(path: Path) -> None:
    if not shown(path).startswith(("plans/", "sharing/splits/")):
        assert not plan_tests(path.read_text(encoding="utf-8"))


def test_questions_for_plans_are_found() -> None:
    assert {"KFold", "LeaveOneOut", "Bootstrap", "TrainValidationTest"} <= PLANS
    for source in (
        "isinstance(p, KFold | Bootstrap)",
        "type(p) is plans.KFold",
        "match p:\n  case KFold():\n    pass",
    ):
        assert "KFold" in plan_tests(source)
    assert not plan_tests("plan = KFold(5) if plan is None else plan")
