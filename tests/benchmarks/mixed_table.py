"""A small table of numbers and categories."""

from __future__ import annotations

import numpy as np

from assay.data import Column, Schema, Table


def mixed(n_rows: int = 120) -> Table:
    """A number and a category, both with something to say about the class, and gaps in the category."""
    rng = np.random.default_rng(1)
    label = np.arange(n_rows, dtype=np.int32) % 2
    kind = (label + rng.integers(2, size=n_rows)).astype(np.int32)
    kind[::10] = -1
    columns = (
        Column("size", "numeric"),
        Column("kind", "categorical", ("a", "b", "c"), missing=n_rows // 10),
        Column("label", "binary", ("no", "yes")),
    )
    return Table(Schema(columns), {"size": rng.normal(size=n_rows) + label, "kind": kind, "label": label})
