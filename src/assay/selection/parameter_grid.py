"""Hyperparameter grids: every combination of the ranges that `tune` is given."""

from __future__ import annotations

from itertools import product, takewhile
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from assay.models.base.estimators import check_classifier, parts_of
from assay.models.base.keywords import current_names, sklearn_advice
from assay.notes import Note
from assay.notes.hints import name_hint
from assay.numerics.scalars import is_several
from assay.selection.penalty_path import PenaltyPath
from assay.types import Estimator, MatrixLike, Parameters, RowClassifier, RowTransformer


def parameter_grid(
    model: RowClassifier, X: MatrixLike, y: ArrayLike, ranges: Parameters
) -> list[dict[str, object]]:
    """Every combination of the ranges, by the names that `set_params` takes."""
    check_classifier(model)
    if not hasattr(model, "get_params"):
        raise TypeError(Note("S116", kind=type(model).__name__))
    if not ranges:
        raise ValueError(Note("S117"))
    parts = parts_of(model)
    known = model.get_params()
    last = parts[-1][1] if parts else model
    grid = {}
    for name, values in current_names(getattr(last, "params", ()), ranges, type(last).__name__).items():
        full = f"{parts[-1][0]}__{name}" if parts and "__" not in name else name
        if full not in known:
            raise ValueError(
                Note(
                    "S118",
                    kind=type(model).__name__,
                    name=name,
                    hint=sklearn_advice(type(last), name) or _known_parameters(known, parts, name),
                )
            )
        if isinstance(values, PenaltyPath):
            values = values.before(_steps_before(parts, full), X, y, name)
        if not is_several(values):
            raise ValueError(Note("S119", name=name, given=values))
        grid[full] = [value.item() if isinstance(value, np.generic) else value for value in values]
        if not grid[full]:
            raise ValueError(Note("M001", name=name))
    return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]


def _steps_before(parts: list[tuple[str, Estimator]], full: str) -> list[RowTransformer]:
    """The steps before the part that a parameter is of."""
    before = takewhile(lambda part: not full.startswith(f"{part[0]}__"), parts)
    return [cast(RowTransformer, part) for _, part in before]


def _known_parameters(known: Parameters, parts: list[tuple[str, Estimator]], name: str) -> Note:
    """Parameters of the model: those of a similar spelling, else all."""
    last = f"{parts[-1][0]}__" if parts and "__" not in name else ""
    names = sorted(key.removeprefix(last) for key in known if key.startswith(last))
    hint = name_hint(name, names)
    return hint if hint.code == "O700" else name_hint(name, [key for key in names if "__" not in key])


def setting_text(setting: Parameters) -> str:
    """Hyperparameters in words.

    >>> setting_text({"l2": 0.1, "penalty": "l2"})
    "l2=0.1, penalty='l2'"
    """
    return ", ".join(f"{name}={value!r}" for name, value in setting.items())
