"""Products and functions of single rows in front of a model are a fixed map: they are made once, for all folds.

`BasisExpansion` of such a kind learns nothing, so that a fold's training rows get the columns that the whole table
gets. What stands behind it then shares its passes, as it would on a table that had these columns from the start.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from assay.models.base import Pipeline, clone, parts_of
from assay.models.features.basis import BasisExpansion
from assay.models.sharing import chain_of
from assay.models.sparse import is_sparse
from assay.sharing.overrides import overrides
from assay.sharing.value_key import value_key


def expansion_of(model: Any, X: Any) -> tuple[BasisExpansion, Any] | None:
    """The expansion at the beginning of a pipeline and what is behind it, if that can share passes; else None."""
    parts = parts_of(model)
    if len(parts) < 2 or is_sparse(X):
        return None
    first, rest = parts[0][1], parts[1:]
    if not isinstance(first, BasisExpansion) or not first.data_free or overrides(model) is not None:
        return None
    behind = rest[0][1] if len(rest) == 1 else Pipeline(rest)
    return None if chain_of(behind) is None else (first, behind)


def by_expansion(models: dict[str, Any], X: Any) -> list[tuple[dict[str, Any], Any]]:
    """Models together with the rows that they read: those behind the same expansion with its columns, once made."""
    plain: dict[str, Any] = {}
    behind: dict[Hashable, tuple[BasisExpansion, dict[str, Any]]] = {}
    for name, model in models.items():
        found = expansion_of(model, X)
        if found is None:
            plain[name] = model
        else:
            behind.setdefault(value_key(found[0]), (found[0], {}))[1][name] = found[1]
    groups = [(group, clone(first).fit_transform(X)) for first, group in behind.values()]
    return [(plain, X), *groups] if plain else groups
