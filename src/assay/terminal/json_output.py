"""Figures as one JSON object: plain values, and null where a figure does not exist (never NaN)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import typer

from assay import __version__
from assay.notes.wording import in_shell_words


def print_json(figures: Mapping[str, Any]) -> None:
    """The figures, behind the version that found them, on standard output; ASCII whatever the locale."""
    typer.echo(
        json.dumps({"assay": __version__, **in_shell_words(plain(figures))}, indent=2, allow_nan=False)
    )


def plain(value: Any) -> Any:
    """Dataclasses, tuples and NumPy values as what JSON knows."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(item) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if hasattr(value, "tolist"):  # NumPy arrays and scalars, without importing it
        return plain(value.tolist())
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    return str(value)
