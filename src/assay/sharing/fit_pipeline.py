"""Pipelines fitted without copies: steps that only choose columns hand their choice on, not a matrix of its own.

The model is the same to the bit as that of `Pipeline.fit`: it reads the same numbers in the same order.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from assay.notes import Note
from assay.sharing.overrides import overrides
from assay.sharing.settings import parts_of

Array = NDArray[np.float64]


def fit_piped(model: Any, X: Any, y: Any, weight: Array | None) -> None:
    """Fit an estimator of any kind, in place; our own steps before a model that takes columns are not copied."""
    if not _takes_columns(model, X):
        fit_weighted(model, X, y, weight)
        return
    arguments = weight_arguments(model, weight)
    rows, columns = X, None
    for name, step in model.steps[:-1]:
        if columns is not None:
            rows = np.ascontiguousarray(rows[:, columns])
        step.fit(rows, y, **_own(arguments, name))
        columns = step.chosen(rows)
        if columns is None:
            rows = step.transform(rows)
    name, last = model.steps[-1]
    if columns is None:
        last.fit(rows, y, **_own(arguments, name))
    else:
        last.fit_columns(rows, columns, y, **_own(arguments, name))


def _takes_columns(model: Any, X: Any) -> bool:
    if type(model) is not Pipeline or overrides(model) is not None:
        return False
    if not isinstance(X, np.ndarray) or X.dtype != np.float64:
        return False
    ours = all(hasattr(step, "chosen") for _, step in model.steps[:-1])
    return ours and getattr(model, "memory", None) is None and hasattr(model.steps[-1][1], "fit_columns")


def _own(arguments: dict[str, Array], name: str) -> dict[str, Array]:
    """The weights, where this part takes them."""
    weight = arguments.get(f"{name}__sample_weight")
    return {} if weight is None else {"sample_weight": weight}


def weight_arguments(estimator: Any, weight: Array | None) -> dict[str, Array]:
    """The keywords that carry sample weights to an estimator, or to every step of a pipeline that takes them."""
    if weight is None:
        return {}
    parts = parts_of(estimator)
    last = parts[-1][1] if parts else estimator
    if not has_fit_parameter(last, "sample_weight"):
        raise ValueError(Note("S134", kind=type(last).__name__))
    if not parts:
        return {"sample_weight": weight}
    takers = [name for name, part in parts if has_fit_parameter(part, "sample_weight")]
    return {f"{name}__sample_weight": weight for name in takers}


def fit_weighted(estimator: Any, X: Any, y: Any, weight: Array | None) -> Any:
    """Fit an estimator in place; the weights reach every step of a pipeline that takes them.

    With scikit-learn's metadata routing they would reach no step that was not told to ask for them.
    """
    with config_context(enable_metadata_routing=False) if weight is not None else nullcontext():
        return estimator.fit(X, y, **weight_arguments(estimator, weight))


def fit_steps(pipeline: Any, X: Any, y: Any, weight: Array | None) -> tuple[Any, Any]:
    """The steps before the model of a pipeline, fitted, and what they make of the rows."""
    steps = clone(pipeline)[:-1]
    arguments = weight_arguments(pipeline, weight)
    of_steps = {
        name: given for name, given in arguments.items() if name.partition("__")[0] in steps.named_steps
    }
    with config_context(enable_metadata_routing=False) if weight is not None else nullcontext():
        return steps, steps.fit_transform(X, y, **of_steps)
