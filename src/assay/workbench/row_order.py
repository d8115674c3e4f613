"""Columns that say in which order rows came, or which of them are tested: they are set apart, and are not features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from assay.data.schema import unknown_column
from assay.data.table import label_codes
from assay.notes import Note
from assay.plans import Plan
from assay.types import Codes
from assay.workbench.problem import Problem, check_features


def with_time(problem: Problem, plan: object, time: str | None) -> Problem:
    """The problem whose rows a column of dates or numbers brings in order; the column is set apart."""
    if time is None:
        return problem
    if not isinstance(plan, Plan) or not plan.in_order:
        raise ValueError(Note("P150", time=time, plan="time:5"))
    _check_known(problem, time, "time column")
    column, values = problem.features.schema[time], problem.features[time]
    if column.type not in ("date", "numeric"):
        raise ValueError(Note("P151", time, kind=column.type))
    row = problem.kept + 1
    for i in np.flatnonzero(np.isnan(values))[:1]:
        raise ValueError(Note("P152", time, row=int(row[i]), rows=int(np.isnan(values).sum())))
    for i in np.flatnonzero(np.diff(values) < 0)[:1]:
        raise ValueError(Note("P153", time, row=int(row[i + 1]), before=int(row[i])))
    return _set_apart(problem, time)


def with_split(problem: Problem, plan: Plan) -> tuple[Problem, Plan]:
    """The problem and the plan whose tested rows a column of the table names; the column is set apart."""
    name = plan.split_column
    if name is None:
        return problem, plan
    _check_known(problem, name, "column of the split")
    values, codes = _values(problem, name)
    return _set_apart(problem, name), plan.of_rows(values, codes)


def _check_known(problem: Problem, name: str, role: str) -> None:
    if name not in problem.features.schema:
        raise unknown_column(name, problem.features.schema.names, role)


def _set_apart(problem: Problem, name: str) -> Problem:
    features = problem.features.without(name)
    check_features(features, problem.target)
    return replace(problem, table=problem.table.without(name), features=features)


def _values(problem: Problem, name: str) -> tuple[Sequence[object], Codes]:
    """The different values of a column, and the number of each row's, -1 where there is none."""
    column, values = problem.features.schema[name], problem.features[name]
    if column.type in ("categorical", "binary"):
        codes, levels = label_codes(column, np.asarray(values, dtype=np.int32))
        return levels, codes
    if column.type in ("numeric", "date"):
        known = ~np.isnan(values)
        numbers, place = np.unique(values[known], return_inverse=True)
        codes = np.full(len(values), -1, dtype=np.int32)
        codes[known] = place
        return [f"{number:g}" for number in numbers], codes
    encoded = values.dictionary_encode()
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int32)
    return encoded.dictionary.to_pylist(), codes
