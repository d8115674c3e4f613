"""Values to tune over, as people write them on a command line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from assay.models.base.card import ModelCard
from assay.models.base.keywords import current_names
from assay.models.base.params import Param
from assay.notes import Note
from assay.notes.hints import name_hint
from assay.numerics.scalars import is_whole
from assay.numerics.value_key import value_key
from assay.workbench.syntax.settings import parse_value, split_assignment

MOST_VALUES = 1000


def parse_ranges(owner: str, params: Iterable[Param], texts: Iterable[str]) -> dict[str, list[object]]:
    """Values to tune over from texts: ``l2=0.1,1,10``, ``n_neighbors=1..25``, ``l2=1e-4..10:6`` or ``blend=0..1:5``.

    Values of a span are even by logarithm, or, where it begins at 0 or below, as they are.

    Examples
    --------
    >>> penalty = Param("l2", "float", 0.0, "penalty", low=0.0)
    >>> parse_ranges("ridge", [penalty], ["l2=0.01..1:3"])
    {'l2': [0.01, 0.1, 1.0]}
    >>> parse_ranges("ridge", [penalty], ["l2=0..1:3"])
    {'l2': [0.0, 0.5, 1.0]}
    >>> parse_ranges("knn", [Param("n_neighbors", "int", 5, "neighbours", low=1)], ["n_neighbors=1..4"])
    {'n_neighbors': [1, 2, 3, 4]}
    """
    declared = {param.name: param for param in params}
    ranges: dict[str, list[object]] = {}
    for text in texts:
        name, values = split_assignment(text, "name=values", "n_neighbors=1..25")
        (name,) = current_names(declared.values(), {name: values}, owner)
        if name not in declared:
            raise ValueError(Note("M510", owner=owner, name=name, advice=name_hint(name, list(declared))))
        if name in ranges:
            raise ValueError(Note("O020", owner=owner, name=name))
        ranges[name] = _spanned(declared[name], values) or _listed(declared[name], values)
        for value in ranges[name]:
            declared[name].check(owner, value)
    return ranges


def _listed(param: Param, text: str) -> list[object]:
    """The values of ``0.1,1,10``, each once."""
    parts = [part.strip() for part in text.split(",")]
    if not all(parts):
        raise ValueError(Note("O018", name=param.name, text=text))
    values = [parse_value(param, part) for part in parts]
    return list({value_key(value): value for value in values}.values())


def _spanned(param: Param, text: str) -> list[object]:
    """The values of ``low..high`` (whole numbers) or ``low..high:n``; nothing if the text is no such span."""
    ends, colon, count = text.partition(":")
    low, dots, high = ends.partition("..")
    if not dots:
        return []
    try:
        first, last = float(low), float(high)
        n = int(count) if colon else int(last - first) + 1
        # An amount is a number of rows, or with a point a proportion of them.
        whole = param.kind in ("int", "seed", "components") or (
            param.kind == "amount" and "." not in low + high
        )
        if n > MOST_VALUES:
            raise OverflowError
        if not (np.isfinite([first, last]).all() and first < last and 1 < n and (whole or colon)):
            raise ValueError
    except OverflowError:
        raise ValueError(Note("O021", name=param.name, text=text, most_values=MOST_VALUES)) from None
    except ValueError:
        raise ValueError(Note("O022", name=param.name, text=text, most_values=MOST_VALUES)) from None
    if not colon:
        return list(range(int(first), int(last) + 1))
    values = np.geomspace(first, last, n) if first > 0 else np.linspace(first, last, n)
    return (
        sorted({round(v) for v in values.tolist()})
        if whole
        else [float(f"{v:.12g}") for v in values.tolist()]
    )


def simple_first(chosen: ModelCard, name: str, values: list[Any]) -> list[Any]:
    """Numbers in the direction of the catalog's own range, which begins with the simplest model."""
    own = next((tuning_range for tuning_range in chosen.tuning if tuning_range.name == name), None)
    if own is None or len(own.values) < 2:
        return values
    numeric = all(isinstance(value, int | float) for value in (*own.values, *values))
    return sorted(values, reverse=own.falls) if numeric else values


def format_range(name: str, values: Sequence[Any], of: ModelCard | None = None) -> str:
    """The text that `parse_ranges` reads as these values; with `of`, as these in the order of `simple_first`.

    >>> format_range("n_neighbors", [1, 2, 3, 4])
    'n_neighbors=1..4'
    >>> format_range("l2", [0.1, 1.0])
    'l2=0.1,1.0'
    """
    whole = all(is_whole(value) for value in values)
    if of is not None and whole and simple_first(of, name, sorted(values)) == list(values):
        values = sorted(values)
    if whole and len(values) > 2 and list(values) == list(range(values[0], values[-1] + 1)):
        return f"{name}={values[0]}..{values[-1]}"
    return f"{name}={','.join(map(str, values))}"
