"""The models of one call by name, checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from assay.models.base.estimators import check_classifier


def named(model: Any) -> dict[str, Any]:
    """Models by name; equal names are told apart by their parameters, then by number."""
    if isinstance(model, Mapping):
        models = dict(model)
    else:
        listed = list(model) if isinstance(model, list | tuple) else [model]
        models = {}
        for estimator in listed:
            name = type(estimator).__name__ if len(listed) == 1 else " ".join(repr(estimator).split())
            models[name if name not in models else f"{name} #{len(models) + 1}"] = estimator
    if not models:
        raise ValueError("There is no model to evaluate; give at least one.")
    for estimator in models.values():
        check_classifier(estimator)
    return models


def check_two(classes: NDArray[Any]) -> None:
    """An evaluation is about telling classes apart."""
    if len(classes) < 2:
        count = f"{len(classes)} class{'' if len(classes) == 1 else 'es'}"
        raise ValueError(f"y has {count}; an evaluation needs at least two.")
