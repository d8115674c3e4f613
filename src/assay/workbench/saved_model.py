"""Model files whose model knows the columns it was fitted with."""

from __future__ import annotations

from os import PathLike
from typing import Any

from assay.decision import LossMatrix
from assay.notes import Note
from assay.types import has_posteriors


def load_table_model(path: str | PathLike[str]) -> Any:
    """A model file whose model knows the columns it was fitted with."""
    from assay.storage.model_file import load

    model = load(path)
    if not hasattr(model, "schema_"):
        raise ValueError(Note("P030", path=str(path), kind=type(model).__name__))
    return model


def loss_of(model: object) -> LossMatrix | None:
    """The loss that decides what a model does with a row; None without posteriors or costs."""
    return getattr(model, "loss_", None) if has_posteriors(model) else None
