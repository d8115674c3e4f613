"""Whether the parts of a mixed naive Bayes that was stored belong together; messages are clauses."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.models.base.validation import feature_names
from assay.models.naive_bayes.mixed.column_kinds import FLAG, KINDS, TYPES
from assay.models.naive_bayes.mixed.column_models import parts_for
from assay.numerics.value_key import value_key


def check_stored(model: Any) -> None:
    """Raise a clause if columns, kinds and models do not fit."""
    kinds = model.kinds_
    if tuple(kinds) != model.schema_.names or len(kinds) > model.n_features_in_:
        raise ValueError("its columns and their kinds differ")
    for name, kind in kinds.items():
        if kind not in (*KINDS, FLAG) or model.schema_[name].type not in TYPES[kind]:
            raise ValueError(f"its column {name[:80]!r} cannot be {kind[:40]!r}")
    parts = parts_for(kinds)
    if [part.key for part in parts] != list(model.parts_):
        raise ValueError("its parts are not those of its columns")
    weight = next(iter(model.parts_.values())).statistics_.weight
    for part in parts:
        own, fresh = model.parts_[part.key], part.new(model)
        if value_key(own) != value_key(fresh):
            raise ValueError(f"its part {part.key[:80]!r} is not a model of such columns with its parameters")
        if list(feature_names(own, ())) != list(part.columns):
            raise ValueError(f"its part {part.key[:80]!r} knows other columns")
        if own.classes_.tolist() != model.classes_.tolist() or not np.allclose(
            own.statistics_.weight, weight
        ):
            raise ValueError(f"its part {part.key[:80]!r} knows other classes, or other rows")
