"""The functions and methods that the stub of the compiled core declares."""

from __future__ import annotations

import ast
from pathlib import Path

import assay

STUB = Path(assay.__file__).with_name("_core.pyi")


def declared() -> dict[str, list[str]]:
    """Names of the functions, and of the methods of classes, with their arguments."""
    found = {}
    for node in ast.parse(STUB.read_text()).body:
        parts = node.body if isinstance(node, ast.ClassDef) else [node]
        before = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for part in parts:
            if (
                isinstance(part, ast.FunctionDef)
                and not part.decorator_list
                and not part.name.startswith("_")
            ):
                names = [argument.arg for argument in part.args.args]
                found[before + part.name] = [name for name in names if name != "self"]
    return found
