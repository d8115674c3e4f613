"""A fitted model as data, and back: its name, its parameters, and the attributes that are the whole of it.

What follows from moments is solved again from them when a model is rebuilt, so that it predicts the same bits on the
same machine and can go on learning. Messages are clauses: whoever reads or writes a file completes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.models.base.keywords import current_names
from assay.notes import Note
from assay.statistics import Counts
from assay.storage.consistency import check_consistency
from assay.storage.field_checks import check_fields
from assay.storage.pipeline_steps import check_fitted, check_steps, is_fitted
from assay.storage.registry import HOMES, STORABLE
from assay.storage.stored_fields import Field, Storable, name_of

SAME = 1e-9  # relative difference up to which a rebuilt attribute is the stored one


@dataclass(frozen=True)
class Part:
    """A model, or a part of one, as data; `state` is None where it is not fitted."""

    name: str
    parameters: dict[str, Any]
    state: dict[str, Any] | None


def part_of(model: Any) -> Part:
    """A model of ours as data; parts inside it stay models."""
    name = name_of(model, HOMES)
    if name is None:
        raise ValueError(Note("F130", kind=type(model).__name__))
    if name == "Pipeline":
        check_steps(model)
        return Part(name, dict(model.get_params(deep=False)), {} if is_fitted(model) else None)
    return Part(name, dict(model.get_params(deep=False)), _state(STORABLE[name], model))


def check_is_fitted(model: Any, state: Any) -> None:
    """A clause for whoever stores a model that has learned nothing."""
    if state is not None:
        return
    if name_of(model, HOMES) == "Pipeline":
        check_fitted(model)
    raise ValueError(Note("F129"))


def _state(storable: Storable, model: Any) -> dict[str, Any] | None:
    """What is stored of a fitted model; None where a part is not fitted."""
    for fields in (storable.solved, storable.fields):
        found = {field.name: getattr(model, field.name, None) for field in fields}
        kept = {name: value for name, value in found.items() if value is not None}
        if fields and all(field.name in kept or field.optional for field in fields):
            return kept
    return None


def check_rebuilt(model: Any, part: Part) -> None:
    """What is stored can be loaded; a model that is solved again must become the same, so parameters that were changed
    after fitting are told."""
    if part.state is None:
        return
    try:
        rebuilt = rebuild(part)
    except ValueError as error:
        raise ValueError(Note("F138", error=error)) from None
    if "statistics_" not in part.state:
        return
    for name, value in vars(model).items():
        if not isinstance(value, np.ndarray) or value.dtype.kind != "f":
            continue
        other: Any = getattr(rebuilt, name, None)
        if np.shape(other) != value.shape or not np.allclose(other, value, rtol=SAME, atol=0, equal_nan=True):
            raise ValueError(Note("F139", name=name))


def rebuild(part: Part) -> Any:
    """The model that a part describes; one clause says what about it cannot be."""
    storable = STORABLE.get(part.name)
    if storable is None:
        raise ValueError(Note("F131", name=part.name[:80]))
    try:
        with np.errstate(all="ignore"):  # what comes of it is checked
            return _rebuild(storable, part)
    except ValueError as error:
        raise ValueError(Note("F140", name=part.name, clause=_clause(error))) from None
    except (ArithmeticError, AttributeError, LookupError, TypeError, AssertionError):
        # Damage that no check foresaw must not end in a traceback of another kind.
        raise ValueError(Note("F141", name=part.name)) from None


def _clause(error: ValueError) -> str:
    return " ".join(str(error).split()).removesuffix(".")


def _rebuild(storable: Storable, part: Part) -> Any:
    cls = storable.load()
    parameters = current_names(getattr(cls, "params", ()), part.parameters)
    unknown = sorted(set(parameters) - set(cls._get_param_names()))
    if unknown:
        raise ValueError(Note("F132", unknown=unknown[0][:80]))
    model = cls(**parameters)
    if hasattr(model, "_check_declared"):
        model._check_declared()
    if part.name == "Pipeline":
        check_steps(model)
        if part.state is not None:
            check_fitted(model)
    if part.state is not None:
        _set_state(storable, model, part.state)
    return model


def _set_state(storable: Storable, model: Any, state: dict[str, Any]) -> None:
    fields: tuple[Field, ...] = storable.solved if "statistics_" in state else storable.fields
    check_fields(fields, state)
    if "encoder_" in state:
        _adopt(model, state)
        return
    for name, value in state.items():
        if name != "statistics_" and not (name == "classes_" and "statistics_" in state):
            setattr(model, name, value)
    check_consistency(type(model).__name__, model)
    if "statistics_" in state:
        _solve(model, state)
    elif hasattr(model, "_restored"):
        model._restored()
    if "groups_" in state:
        _check_groups(model)


def _solve(model: Any, state: dict[str, Any]) -> None:
    """Learn from the stored moments, or counts, instead of rows."""
    moments = state["statistics_"]
    if isinstance(moments, Counts):
        model._learn_again(state["classes_"], moments)
        return
    wanted = getattr(model, "moments_form", "pooled")
    if moments.form != wanted:
        raise ValueError(Note("F133", wanted=wanted, form=moments.form))
    if moments.present is not None and not getattr(model, "missing_ok", False):
        raise ValueError(Note("F134"))
    if "classes_" in state:
        model._learn(state["classes_"], moments)
    elif moments.n_classes == 1:
        model._take(moments)
    else:
        raise ValueError(Note("F142"))
    for name, value in vars(model).items():
        if isinstance(value, np.ndarray) and value.dtype.kind == "f" and np.isnan(value).any():
            raise ValueError(Note("F143", name=name))


def _check_groups(encoder: Any) -> None:
    """Design columns of an encoder follow one another, as wide as the columns of the schema make them."""
    end = 0
    if len(encoder.schema_) == 0 or len(encoder.schema_) != len(encoder.groups_):
        raise ValueError(Note("F135"))
    for column, group in zip(encoder.schema_, encoder.groups_, strict=True):
        width = encoder._width(column)
        if (group.column, group.type, group.first, group.last) != (
            column.name,
            column.type,
            end,
            end + width,
        ):
            raise ValueError(Note("F144", name=column.name[:80]))
        end = group.last


def _adopt(model: Any, state: dict[str, Any]) -> None:
    """A classifier of tables from its fitted encoder and its fitted estimator."""
    encoder, estimator, column = state["encoder_"], state["estimator_"], state.get("target_column_")
    model.with_encoder(encoder)
    if estimator.n_features_in_ != encoder.n_features_out_:
        raise ValueError(
            Note("F136", n_features_in=estimator.n_features_in_, n_features_out=encoder.n_features_out_)
        )
    prior = state.get("trained_prior_", state.get("class_prior_"))
    if prior is not None and len(prior) != len(estimator.classes_):
        raise ValueError(Note("F137", n_prior=len(prior), n_classes=len(estimator.classes_)))
    model.with_fitted(estimator, target=state.get("target_"), target_column=column, class_prior=prior)
    if "loss_" in state:
        if state["loss_"].classes.tolist() != model.classes_.tolist():
            raise ValueError(Note("F145"))
        model.loss_ = state["loss_"]
    model.fingerprint_ = state.get("fingerprint_")
    if "_gathered" in state:
        if len(state["_gathered"].filling.values) != encoder.n_features_out_:
            raise ValueError(Note("F146"))
        model._gathered = state["_gathered"]
