"""The functions and methods that the stub of the compiled core declares."""

from __future__ import annotations

import ast
from pathlib import Path

import assay

STUB = Path(assay.__file__).with_name("_core")


def declared() -> dict[str, list[str]]:
    """Names of the functions, and of the methods of classes, after that of their room, with their arguments."""
    found = {}
    for path in STUB.glob("*.pyi"):
        room = "" if path.stem == "__init__" else f"{path.stem}."
        for node in ast.parse(path.read_text()).body:
            inside = isinstance(node, ast.ClassDef)
            for part in node.body if isinstance(node, ast.ClassDef) else [node]:
                if isinstance(part, ast.FunctionDef) and _plain(part):
                    names = [argument.arg for argument in part.args.args]
                    owner = f"{node.name}." if inside else ""
                    found[room + owner + part.name] = [name for name in names if name != "self"]
    return found


def _plain(function: ast.FunctionDef) -> bool:
    """Whether it is called by its name: no property, nothing of Python's own."""
    decorators = {node.id for node in function.decorator_list if isinstance(node, ast.Name)}
    return decorators <= {"overload"} and not function.name.startswith("_")
