"""A fitted model as data, and back: its name, its parameters, and the attributes that are the whole of it.

What follows from moments is solved again from them when a model is rebuilt, so that it predicts the same bits on the
same machine and can go on learning. Messages are clauses: whoever reads or writes a file completes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from assay.models.base.keywords import current_names
from assay.models.base.stored import Field, UnusableModelError
from assay.notes import Note, as_note
from assay.statistics import Counts
from assay.storage.consistency import check_consistency
from assay.storage.field_checks import check_fields
from assay.storage.pipeline_steps import check_fitted, check_steps, is_fitted
from assay.storage.registry import HOMES
from assay.storage.stored_fields import load, name_of

if TYPE_CHECKING:
    from assay.models.base.estimators import Model, Pipeline
    from assay.models.features.table_encoder import TableEncoder
    from assay.models.table.table_classifier import TableClassifier

SAME = 1e-9  # relative difference up to which a rebuilt attribute is the stored one


@dataclass(frozen=True)
class StoredPart:
    """A model, or a part of one, as data; `state` is None where it is not fitted."""

    name: str
    parameters: dict[str, object]
    state: dict[str, object] | None


def part_of(model: Model) -> StoredPart:
    """A model of ours as data; parts inside it stay models."""
    name = name_of(model, HOMES)
    if name is None:
        raise ValueError(Note("F130", kind=type(model).__name__))
    if name == "Pipeline":
        pipeline = cast("Pipeline", model)
        check_steps(pipeline)
        return StoredPart(name, dict(model.get_params(deep=False)), {} if is_fitted(pipeline) else None)
    return StoredPart(name, dict(model.get_params(deep=False)), _state(model))


def check_is_fitted(model: object, state: object) -> None:
    """A clause for whoever stores a model that has learned nothing."""
    if state is not None:
        return
    if name_of(model, HOMES) == "Pipeline":
        check_fitted(cast("Pipeline", model))
    raise ValueError(Note("F129"))


def _state(model: Model) -> dict[str, object] | None:
    """What is stored of a fitted model; None where a part is not fitted."""
    for fields in (model.solved_from, model.stored):
        values = {field.name: getattr(model, field.name, None) for field in fields}
        stored = {name: value for name, value in values.items() if value is not None}
        if fields and all(field.name in stored or field.optional for field in fields):
            return stored
    return None


def check_rebuilt(model: object, part: StoredPart) -> None:
    """What is stored can be loaded; a model that is solved again must become the same, so parameters that were changed
    after fitting are told."""
    if part.state is None:
        return
    try:
        rebuilt = rebuild(part)
    except ValueError as error:
        raise UnusableModelError(f"{_clause(error)}; fit it again") from None
    if "statistics_" not in part.state:
        return
    for name, value in vars(model).items():
        if not isinstance(value, np.ndarray) or value.dtype.kind != "f":
            continue
        other = np.asarray(getattr(rebuilt, name, None))
        if other.shape != value.shape or not np.allclose(other, value, rtol=SAME, atol=0, equal_nan=True):
            raise ValueError(Note("F139", name=name))


def rebuild(part: StoredPart) -> object:
    """The model that a part describes; one clause says what about it cannot be."""
    home = HOMES.get(part.name)
    if home is None:
        raise ValueError(Note("F131", name=part.name[:80]))
    try:
        with np.errstate(all="ignore"):  # what comes of it is checked
            return _rebuild(load(home), part)
    except ValueError as error:
        raise UnusableModelError(f"the {part.name} in it cannot be used: {_clause(error)}") from None
    except (ArithmeticError, AttributeError, LookupError, TypeError, AssertionError):
        # Damage that no check foresaw must not end in a traceback of another kind.
        raise UnusableModelError(
            f"the {part.name} in it cannot be used: its parts do not fit together"
        ) from None


def _clause(error: ValueError) -> str:
    return " ".join(str(error).split()).removesuffix(".")


def _rebuild(cls: Any, part: StoredPart) -> object:
    parameters = current_names(getattr(cls, "params", ()), part.parameters)
    unknown = sorted(set(parameters) - set(cls._get_param_names()))
    if unknown:
        raise UnusableModelError(f"it has no parameter {unknown[0][:80]!r}")
    model = cls(**parameters)
    if hasattr(model, "_check_declared"):
        model._check_declared()
    if part.name == "Pipeline":
        check_steps(cast("Pipeline", model))
        if part.state is not None:
            check_fitted(cast("Pipeline", model))
            check_fields((), part.state)
    elif part.state is not None:
        _set_state(model, part.state)
    return model


def _set_state(model: Model, state: dict[str, object]) -> None:
    fields = model.solved_from if "statistics_" in state else model.stored
    check_fields(fields, state)
    state = _with_notes(fields, state)
    if "encoder_" in state:
        _adopt(cast("TableClassifier", model), state)
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
        _check_groups(cast("TableEncoder", model))


def _with_notes(fields: tuple[Field, ...], state: dict[str, object]) -> dict[str, object]:
    """The state with notes in place of the sentences that format 1 has."""
    named = {field.name for field in fields if field.kind == "sentences"}
    return {
        name: tuple(map(as_note, cast("tuple[str, ...]", value))) if name in named else value
        for name, value in state.items()
    }


def _solve(model: Any, state: dict[str, Any]) -> None:
    """Learn from the stored moments, or counts, instead of rows."""
    moments = state["statistics_"]
    if isinstance(moments, Counts):
        model._learn_again(state["classes_"], moments)
        return
    wanted = getattr(model, "moments_form", "pooled")
    if moments.form != wanted:
        raise UnusableModelError(f"it is solved from {wanted} moments and has {moments.form} ones")
    if moments.present is not None and not getattr(model, "missing_ok", False):
        raise UnusableModelError("it has counts of missing values, which it does not know")
    if "classes_" in state:
        model._learn(state["classes_"], moments)
    elif moments.n_classes == 1:
        model._take(moments)
    else:
        raise UnusableModelError("it has moments of several classes but no classes")
    for name, value in vars(model).items():
        if isinstance(value, np.ndarray) and value.dtype.kind == "f" and np.isnan(value).any():
            raise UnusableModelError(f"its moments give no finite {name}")


def _check_groups(encoder: TableEncoder) -> None:
    """Design columns of an encoder follow one another, as wide as the columns of the schema make them."""
    end = 0
    if len(encoder.schema_) == 0 or len(encoder.schema_) != len(encoder.groups_):
        raise UnusableModelError("its columns and their groups differ in number")
    for column, group in zip(encoder.schema_, encoder.groups_, strict=True):
        width = encoder._width(column)
        if (group.column, group.type, group.first, group.last) != (
            column.name,
            column.type,
            end,
            end + width,
        ):
            raise UnusableModelError(f"its group of column {column.name[:80]!r} is not where it should be")
        end = group.last


def _adopt(model: TableClassifier, state: dict[str, Any]) -> None:
    """A classifier of tables from its fitted encoder and its fitted estimator."""
    encoder, estimator, column = state["encoder_"], state["estimator_"], state.get("target_column_")
    model.with_encoder(encoder)
    if estimator.n_features_in_ != encoder.n_features_out_:
        raise UnusableModelError(
            f"its model takes {estimator.n_features_in_} columns and gets {encoder.n_features_out_}"
        )
    prior = state.get("trained_prior_", state.get("class_prior_"))
    if prior is not None and len(prior) != len(estimator.classes_):
        raise UnusableModelError(f"it has {len(prior)} priors for {len(estimator.classes_)} classes")
    model.with_fitted(estimator, target=state.get("target_"), target_column=column, class_prior=prior)
    if "loss_" in state:
        if state["loss_"].classes.tolist() != model.classes_.tolist():
            raise UnusableModelError("its loss is one of other classes")
        model.loss_ = state["loss_"]
    model.fingerprint_ = state.get("fingerprint_")
    if "_gathered" in state:
        if len(state["_gathered"].filling.values) != encoder.n_features_out_:
            raise UnusableModelError("its moments are not those of its columns")
        model._gathered = state["_gathered"]
