"""Pipelines as data: named steps, and where they are fitted each takes what the one before it gives.

A pipeline has no state of its own: it is fitted where its parts are. One that is a parameter of another model need
not be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from assay.models.base.stored import UnusableModelError
from assay.notes import Note
from assay.types import Names

if TYPE_CHECKING:
    from assay.models.base.estimators import Pipeline


class FittedStep(Protocol):
    """A part of a pipeline, which knows its columns and what becomes of them."""

    n_features_in_: int

    def get_feature_names_out(self) -> Names: ...


def check_steps(pipeline: Pipeline) -> None:
    """Steps have different names, and nothing is cached."""
    steps = pipeline.steps
    if not isinstance(steps, list) or not steps or not all(_is_step(step) for step in steps):
        raise UnusableModelError("its steps are not named models")
    if len({name for name, _ in steps}) != len(steps) or pipeline.memory is not None:
        raise UnusableModelError("its steps have the same names, or it keeps a cache, which cannot be stored")


def is_fitted(pipeline: Pipeline) -> bool:
    """Whether every part knows its columns."""
    return _unfitted(pipeline) is None


def check_fitted(pipeline: Pipeline) -> None:
    """The parts are fitted, and each takes as many columns as the one before it gives."""
    parts, unfitted = _parts(pipeline), _unfitted(pipeline)
    if unfitted is not None:
        raise ValueError(Note("F164", kind=type(unfitted).__name__))
    for part, after in zip(parts, parts[1:], strict=False):
        width = _width(part)
        if after.n_features_in_ != width:
            raise UnusableModelError(
                f"its {type(after).__name__} takes {after.n_features_in_} columns and gets {width}"
            )


def _parts(pipeline: Pipeline) -> list[FittedStep]:
    return [part for _, part in pipeline.steps if part is not None and part != "passthrough"]


def _unfitted(pipeline: Pipeline) -> FittedStep | None:
    """The first part that does not know its columns."""
    return next((part for part in _parts(pipeline) if not hasattr(part, "n_features_in_")), None)


def _width(step: FittedStep) -> int:
    """Columns that a fitted step gives."""
    known = getattr(step, "n_features_out_", None)
    return len(step.get_feature_names_out()) if known is None else int(known)


def _is_step(step: object) -> bool:
    if not isinstance(step, tuple) or len(step) != 2 or not isinstance(step[0], str):
        return False
    return step[1] is None or step[1] == "passthrough" or hasattr(step[1], "get_params")
