"""The mechanism is one: what sharers call on models is listed, and no file of theirs names a scheme."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from pathlib import Path
from typing import Any

import pytest
from sklearn.base import BaseEstimator

import assay
from assay import plans
from assay.sharing import protocols
from tests.realdata import ROOT

SHARING = sorted((ROOT / "src" / "assay" / "sharing").rglob("*.py"))
# What any estimator of scikit-learn has.
METHODS = "fit predict predict_proba predict_log_proba decision_function transform fit_transform"
EVERYBODY = {*dir(BaseEstimator), *METHODS.split(), "classes_", "class_prior_"}
SCHEMES = [
    name
    for name in plans.__all__
    if inspect.isclass(getattr(plans, name)) and name not in ("Plan", "Partition")
]


def shown(path: Path) -> str:
    return path.relative_to(ROOT / "src" / "assay").as_posix()


def names_used(path: Path) -> set[str]:
    """Attributes that a module reads, by name or by a constant text."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.Call) and len(node.args) > 1 and isinstance(node.args[1], ast.Constant):
            found.add(str(node.args[1].value))
    return found


def names_set(path: Path) -> set[str]:
    """Attributes that a module gives to its own objects."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    stored = [n for n in ast.walk(tree) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)]
    return {node.attr for node in stored}


def names_of_estimators() -> set[str]:
    """Every name that a public estimator has."""
    kinds = [getattr(assay, name) for name in assay.__all__]
    ours = [kind for kind in kinds if inspect.isclass(kind) and issubclass(kind, BaseEstimator)]
    return {name for kind in ours for name in dir(kind)}


def names_below() -> set[str]:
    """Every name that a class of the mechanism itself, or of what lies below it, has."""
    found: set[str] = set()
    for room in ("sharing", "statistics", "engines", "plans", "notes", "numerics", "solvers"):
        package = importlib.import_module(f"assay.{room}")
        for info in pkgutil.walk_packages(package.__path__, f"assay.{room}."):
            module = importlib.import_module(info.name)
            for kind in vars(module).values():
                if inspect.isclass(kind) and kind.__module__ == info.name and kind not in listed_protocols():
                    found |= set(dir(kind)) | set(getattr(kind, "__annotations__", {}))
    return found


def listed_protocols() -> list[Any]:
    kinds = [kind for kind in vars(protocols).values() if inspect.isclass(kind)]
    own = [kind for kind in kinds if kind.__module__ == protocols.__name__]
    return [
        kind
        for kind in own
        if getattr(kind, "_is_protocol", False) and kind.__name__ not in ("Solved", "Sharer")
    ]


def listed() -> set[str]:
    names = {name for kind in listed_protocols() for name in (*vars(kind), *kind.__annotations__)}
    return {name for name in names if not name.startswith("_")} | set(protocols.OPTIONAL)


@pytest.mark.parametrize("path", SHARING, ids=shown)
def test_what_sharers_call_on_models_is_listed(path: Path) -> None:
    strange = (names_used(path) & names_of_estimators()) - EVERYBODY - names_below() - names_set(path)
    strange -= listed()
    assert not {name for name in strange if not name.startswith("__")}


def test_what_is_listed_is_called() -> None:
    used = set().union(*(names_used(path) for path in SHARING))
    assert listed() <= used | EVERYBODY


def test_hooks_of_models_have_public_names() -> None:
    assert not [name for name in listed() if name.startswith("_")]


@pytest.mark.parametrize("path", [p for p in SHARING if "splits" not in p.parts], ids=shown)
def test_sharers_name_no_scheme(path: Path) -> None:
    words = {
        node.id
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Name)
    }
    assert not words & set(SCHEMES)
