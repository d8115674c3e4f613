"""Column types, hyperparameters and lists as command lines spell them: ``zip=categorical``, ``l2=0.1``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from assay.models.base.keywords import current_names
from assay.models.base.params import Param
from assay.notes import Note
from assay.notes.hints import name_hint
from assay.workbench.syntax.names import read_name

MOST_NUMBERS = 1000  # of clusters to try
# What a text is read as, the first that fits. An amount is a number of rows, or with a point a proportion of them.
_NUMBERS: dict[str, tuple[Callable[[str], float], ...]] = {
    "int": (int,),
    "seed": (int,),
    "amount": (int, float),
    "float": (float,),
    "gamma": (float,),
}


def parse_names(names: str | Iterable[str]) -> list[str]:
    """Names of a list, or of a text with commas between them.

    >>> parse_names("fisher, baseline"), parse_names(["fisher"])
    (['fisher', 'baseline'], ['fisher'])
    """
    if not isinstance(names, str):
        return list(names)
    return [name.strip() for name in names.split(",") if name.strip()]


def parse_cluster_counts(text: str | None) -> list[int] | None:
    """Numbers of clusters: "3", or "2..8" for all from 2 to 8; None is passed on.

    Examples
    --------
    >>> parse_cluster_counts("2..5"), parse_cluster_counts("7")
    ([2, 3, 4, 5], [7])
    """
    if text is None:
        return None
    ends = text.strip().split("..")
    if len(ends) > 2 or not all(end.isdecimal() and end.isascii() and len(end) < 10 for end in ends):
        raise ValueError(Note("O028", text=text))
    first, last = int(ends[0]), int(ends[-1])
    if last < first or last - first >= MOST_NUMBERS:
        raise ValueError(Note("O029", text=text))
    return list(range(first, last + 1))


def parse_types(texts: Iterable[str]) -> dict[str, str]:
    """Column types from texts of the form ``zip=categorical``.

    Examples
    --------
    >>> parse_types(["zip=categorical"])
    {'zip': 'categorical'}
    """
    types: dict[str, str] = {}
    for text in texts:
        spelled, kind = split_assignment(text, "column=type", "zip=categorical")
        name = read_name(spelled)
        if types.setdefault(name, kind) != kind:
            raise ValueError(Note("O033", name=name, first=types[name], second=kind))
    return types


def parse_settings(owner: str, params: Iterable[Param], texts: Iterable[str]) -> dict[str, object]:
    """Parameter values from texts of the form ``l2=0.1``, each read and checked as its declaration says.

    Examples
    --------
    >>> parse_settings("ridge", [Param("l2", "float", 0.0, "penalty", low=0.0)], ["l2=0.1"])
    {'l2': 0.1}
    """
    declared = {param.name: param for param in params}
    values: dict[str, object] = {}
    for text in texts:
        name, value = split_assignment(text, "name=value", "l2=0.1")
        (name,) = current_names(declared.values(), {name: value}, owner)
        if name not in declared:
            raise ValueError(Note("M510", owner=owner, name=name, advice=name_hint(name, list(declared))))
        if name in values:
            raise ValueError(Note("O034", owner=owner, name=name))
        values[name] = parse_value(declared[name], value)
        declared[name].check(owner, values[name])
    return values


def assigned_names(texts: Iterable[str]) -> list[str]:
    """The names in texts of the form ``l2=0.1``, whatever their values are.

    >>> assigned_names(["kernel=polynomial", "degree=2"])
    ['kernel', 'degree']
    """
    return [text.partition("=")[0].strip() for text in texts]


def split_assignment(text: str, form: str, example: str) -> tuple[str, str]:
    name, sign, value = text.rpartition("=")
    if not sign or not name.strip() or not value.strip():
        raise ValueError(Note("O030", text=text, form=form, example=example))
    return name.strip(), value.strip()


def parse_value(param: Param, text: str) -> object:
    """The text as the kind of value the parameter takes; left as text, which the check names, if it is none."""
    if text.lower() == "none" and param.optional:
        return None
    if param.kind == "bool":
        return {"true": True, "yes": True, "false": False, "no": False}.get(text.lower(), text)
    if param.kind in _NUMBERS:
        for number in _NUMBERS[param.kind]:
            with suppress(ValueError):
                return number(text)
        return text
    if param.kind == "priors" and text not in param.choices:
        return _numbers(text)
    if param.kind == "components":
        return int(text) if text.isdecimal() else text
    if param.kind == "sizes":
        sizes = [part.strip() for part in text.split(",") if part.strip()]
        return tuple(map(int, sizes)) if all(part.isdigit() for part in sizes) else text
    if param.kind == "weights":  # rows apart by semicolons
        rows = [_numbers(row) for row in text.split(";")]
        return text if any(isinstance(row, str) for row in rows) else rows
    if param.kind == "columns":
        return [int(part) if part.strip().isdigit() else part.strip() for part in text.split(",")]
    return text


def _numbers(text: str) -> object:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        return text


def source_options(
    types: list[str] | None,
    drop: list[str] | None,
    query: str | None,
    missing: list[str] | None,
    **roles: str | None,
) -> dict[str, Any]:
    """What --type, --drop, --query, --missing, --groups and --weights say, as functions that read a source take it."""
    return {
        "types": parse_types(types or ()),
        "drop": tuple(drop or ()),
        "query": query,
        "missing": missing,
        **roles,
    }
