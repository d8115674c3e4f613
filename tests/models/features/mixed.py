"""Typed tables with every difficulty that an encoder can meet."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from assay.data import MISSING, UNSEEN, Column, Schema, Table

Array = np.ndarray[Any, Any]


def mixed(rows: int = 160, seed: int = 0, *, gaps: bool = True) -> tuple[Table, Array]:
    """Numbers, a binary column, two categorical ones; level "t" in one row, "u" in two, a missing one in one."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, rows)
    age, income = rng.normal(size=rows) + y, rng.normal(size=rows) * 50 + 1000 - 20 * y
    work = np.where(rng.random(rows) < 0.3, y, rng.integers(0, 4, rows)).astype(np.int32)
    work[5], work[[9, 10]], work[11] = 4, 5, MISSING
    member = rng.integers(0, 2, rows).astype(np.int32)
    if gaps:
        age[rng.random(rows) < 0.1] = np.nan
        income[3] = np.nan
        member[rng.random(rows) < 0.05] = MISSING
    place = rng.integers(0, 3, rows).astype(np.int32)
    schema = Schema(
        (
            Column("age", "numeric", missing=int(np.isnan(age).sum())),
            Column("work", "categorical", tuple("pqrstu"), missing=1),
            Column("income", "numeric", missing=int(np.isnan(income).sum())),
            Column("member", "binary", ("no", "yes"), missing=int((member < 0).sum())),
            Column("place", "categorical", (10, 20, 30)),
        )
    )
    columns = {"age": age, "work": work, "income": income, "member": member, "place": place}
    return Table(schema, columns), y


@st.composite
def tables(draw: Any) -> Table:
    """Any few columns of the kinds that encoders use, gaps and unseen levels among them."""
    rows, columns, arrays = draw(st.integers(1, 12)), [], {}
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    for j in range(draw(st.integers(1, 5))):
        kind = draw(st.sampled_from(["numeric", "date", "binary", "categorical"]))
        levels: tuple[Any, ...] = ()
        if kind in ("numeric", "date"):
            values: Array = rng.normal(size=rows)
            values[rng.random(rows) < 0.2] = np.nan
            missing = int(np.isnan(values).sum())
        else:
            count = 2 if kind == "binary" else draw(st.integers(1, 6))
            levels = tuple(f"l{i}" for i in range(count))
            values = rng.integers(UNSEEN, count, rows).astype(np.int32)
            missing = int((values == MISSING).sum()) if draw(st.booleans()) else 0
        columns.append(Column(f"c{j}", kind, levels, missing))
        arrays[f"c{j}"] = values
    return Table(Schema(tuple(columns)), arrays)
