"""Pipelines fitted with weights that reach every step which takes them."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from numpy.typing import ArrayLike
from sklearn import config_context
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from assay.notes import Note
from assay.sharing.settings import parts_of
from assay.types import Array, MatrixLike


def weight_arguments(estimator: object, weight: Array | None) -> dict[str, Array]:
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


def fit_weighted(estimator: Any, X: MatrixLike, y: ArrayLike | None, weight: Array | None) -> Any:
    """Fit an estimator in place; the weights reach every step of a pipeline that takes them.

    With scikit-learn's metadata routing they would reach no step that was not told to ask for them.
    """
    with config_context(enable_metadata_routing=False) if weight is not None else nullcontext():
        return estimator.fit(X, y, **weight_arguments(estimator, weight))


def fit_steps(pipeline: Any, X: MatrixLike, y: ArrayLike, weight: Array | None) -> tuple[Any, Any]:
    """The steps before the model of a pipeline, fitted, and what they make of the rows."""
    steps = clone(pipeline)[:-1]
    arguments = weight_arguments(pipeline, weight)
    of_steps = {
        name: given for name, given in arguments.items() if name.partition("__")[0] in steps.named_steps
    }
    with config_context(enable_metadata_routing=False) if weight is not None else nullcontext():
        return steps, steps.fit_transform(X, y, **of_steps)
