"""What is stored of a mixed naive Bayes, and whether its parts belong together; messages are clauses."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.models.base.stored import INPUT, Field
from assay.models.base.validation import feature_names
from assay.models.naive_bayes.mixed.column_kinds import FLAG, KINDS, TYPES
from assay.models.naive_bayes.mixed.column_models import parts_for
from assay.notes import Note
from assay.numerics.value_key import value_key

FIELDS = (
    *INPUT,
    Field("classes_", "labels", ("K",)),
    Field("schema_", "schema"),
    Field("kinds_", "kinds"),
    Field("notes_", "sentences"),
    Field("parts_", "parts"),
)


def check_stored(model: Any) -> None:
    """Raise a clause if columns, kinds and models do not fit."""
    kinds = model.kinds_
    if tuple(kinds) != model.schema_.names or len(kinds) > model.n_features_in_:
        raise ValueError(Note("M148"))
    for name, kind in kinds.items():
        if kind not in (*KINDS, FLAG) or model.schema_[name].type not in TYPES[kind]:
            raise ValueError(Note("M150", name=name[:80], kind=kind[:40]))
    parts = parts_for(kinds)
    if [part.key for part in parts] != list(model.parts_):
        raise ValueError(Note("M149"))
    weight = next(iter(model.parts_.values())).statistics_.weight
    for part in parts:
        part_model, fresh = model.parts_[part.key], part.new(model)
        if value_key(part_model) != value_key(fresh):
            raise ValueError(Note("M151", key=part.key[:80]))
        if list(feature_names(part_model, ())) != list(part.columns):
            raise ValueError(Note("M152", key=part.key[:80]))
        if part_model.classes_.tolist() != model.classes_.tolist() or not np.allclose(
            part_model.statistics_.weight, weight
        ):
            raise ValueError(Note("M153", key=part.key[:80]))
