"""Fitted attributes that are models, or maps from scores to posteriors, checked like all that comes from a file."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from assay.models.pipelines import check_fitted
from assay.models.registry import HOMES, RECORDS, Field, name_of
from assay.statistics import Counts

ENCODERS = ("OneHot", "Levels", "Words", "Typed", "Unread")
ROUNDING = 1e-6  # of means that rise


def check_encoder(field: Field, value: Any) -> None:
    if name_of(value, HOMES) not in ENCODERS or not hasattr(value, "schema_"):
        raise field.wrong("a fitted encoder")


def check_model(field: Field, value: Any) -> None:
    if not hasattr(value, "get_params") or not hasattr(value, "predict") or not hasattr(value, "classes_"):
        raise field.wrong("a fitted classifier")
    if name_of(value, HOMES) == "Pipeline":
        check_fitted(value)


def check_models(field: Field, value: Any) -> None:
    """A list of classifiers of one class, all of which have posteriors or none."""
    if type(value) is not list or not value:
        raise field.wrong("a list of fitted classifiers")
    for part in value:
        check_model(field, part)
    for part, other in pairwise(value):
        if type(part) is not type(other) or _answers(part) != _answers(other):
            raise field.wrong("a list of classifiers of one kind")


def check_parts(field: Field, value: Any) -> None:
    """Classifiers by name; whether they belong together is told by `consistency`."""
    if type(value) is not dict or not value or not all(isinstance(name, str) for name in value):
        raise field.wrong("classifiers by name")
    for part in value.values():
        check_model(field, part)


def check_kinds(field: Field, value: Any) -> None:
    if type(value) is not dict or not value:
        raise field.wrong("what columns are")
    if not all(isinstance(name, str) and isinstance(kind, str) for name, kind in value.items()):
        raise field.wrong("what columns are, by name")


def _answers(model: Any) -> tuple[bool, bool]:
    return hasattr(model, "predict_proba"), hasattr(model, "decision_function")


def check_counts(field: Field, value: Any) -> None:
    """Counts of one group: finite, not negative, with rows where there is weight."""
    if not isinstance(value, Counts) or value.weight.ndim != 1:
        raise field.wrong("a set of counts")
    if value.n_classes == 0 or not all(np.isfinite(part).all() for part in (value.weight, value.counts)):
        raise ValueError("its counts are none, or not finite")
    if (value.weight < 0).any() or (value.rows < 0).any() or (value.counts < 0).any():
        raise ValueError("its counts are negative")
    if ((value.weight > 0) != (value.rows > 0)).any() or not (value.weight > 0).any():
        raise ValueError("its counts have weights without rows, or rows without weights, or neither")


def check_calibration(field: Field, value: Any) -> None:
    kind = name_of(value, RECORDS)
    if kind == "SigmoidMap":
        sound = _is_number(value.slope) and value.slope >= 0 and _is_vector(value.offset)
    elif kind == "IsotonicMap":
        sound = _is_rising(value.scores, value.values) and _is_number(value.least)
        sound = sound and 0.0 < value.least <= 0.5 / len(value.scores)
    else:
        raise field.wrong("a map from scores to posteriors")
    if not sound:
        raise field.wrong("a map from scores to posteriors that rises")


def _is_number(value: Any) -> bool:
    return type(value) is float and bool(np.isfinite(value))


def _is_vector(value: Any) -> bool:
    right = isinstance(value, np.ndarray) and value.dtype == np.float64 and value.ndim == 1
    return right and len(value) > 0 and bool(np.isfinite(value).all())


def _is_rising(scores: Any, values: Any) -> bool:
    """Knots of curves from 0 to 1, one a class."""
    if not isinstance(scores, tuple) or not isinstance(values, tuple) or not 0 < len(scores) == len(values):
        return False
    if not all(_is_vector(part) for part in (*scores, *values)):
        return False
    return all(
        len(x) == len(y)
        and bool((x[1:] > x[:-1]).all() and (y[1:] >= y[:-1] - ROUNDING).all())
        and bool((y >= -ROUNDING).all() and (y <= 1.0 + ROUNDING).all())
        for x, y in zip(scores, values, strict=True)
    )
