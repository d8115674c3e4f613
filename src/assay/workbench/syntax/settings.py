"""Plans, times, column types and settings as people write them on a command line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from assay.models.base.params import Param
from assay.notes import Note
from assay.numerics.scalars import is_number
from assay.workbench.syntax.names import read_name

if TYPE_CHECKING:
    from assay.plans import Plan

# Those that candidates can be tuned inside.
PLANS = "kfold:10, kfold:5x3 (repeated three times), holdout:0.3 or split:60/20/20 (training/validation/test)"
MOST_NUMBERS = 1000  # of groups to try
_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def read_plan(text: str, seed: int = 0) -> Plan:
    """The plan of ``kfold:10``, ``kfold:5x3``, ``loo``, ``holdout:0.3``, ``split:60/20/20`` or ``bootstrap:100``.

    Examples
    --------
    >>> read_plan("kfold:5x3")
    KFold(n_splits=5, repeats=3, stratified=True, random_state=0)
    """
    from assay.plans import Bootstrap, HoldOut, KFold, LeaveOneOut

    kind, _, size = text.strip().lower().partition(":")
    if kind == "loo" and not size:
        return LeaveOneOut()
    if kind == "kfold" and (found := re.fullmatch(r"(\d+)(?:x(\d+))?", size or "10")):
        folds, repeats = int(found[1]), int(found[2] or 1)
        if folds < 2 or repeats < 1:
            raise ValueError(Note("O031", text=text, plans=PLANS))
        return KFold(folds, repeats=repeats, random_state=seed)
    if kind == "holdout" and re.fullmatch(r"\d*\.\d+|\d(\.\d+)?e-\d+", size or "0.3"):
        share = float(size or "0.3")
        if not 0 < share < 1:
            raise ValueError(Note("O032", text=text, plans=PLANS))
        return HoldOut(share, random_state=seed)
    if kind == "split":
        return _read_parts(size or "60/20/20", seed)
    if kind == "bootstrap" and re.fullmatch(r"\d+", size or "100"):
        return Bootstrap(int(size or "100"), random_state=seed)
    raise ValueError(Note("O023", text=text, plans=PLANS))


def _read_parts(text: str, seed: int) -> Plan:
    """Training, validation and test part in per cent."""
    from assay.plans import TrainValidationTest

    sizes = text.split("/")
    if len(sizes) != 3 or not all(re.fullmatch(r"\d{1,2}(\.\d+)?", size) for size in sizes):
        raise ValueError(Note("O024", text=text))
    shares = [float(size) for size in sizes]
    if abs(sum(shares) - 100) > 1e-9 or min(shares) == 0:
        raise ValueError(Note("O025", text=text, shares=sum(shares)))
    return TrainValidationTest((shares[0] / 100, shares[1] / 100, shares[2] / 100), random_state=seed)


def spell_plan(plan: Plan) -> str:
    """The text that `read_plan` reads as this plan; the plan's own words if it has none.

    Examples
    --------
    >>> spell_plan(read_plan("kfold:5x3"))
    'kfold:5x3'
    """
    return plan_option(plan) or repr(plan)


def plan_option(plan: Plan) -> str | None:
    """The text that `read_plan` reads as this plan; None if there is none."""
    text = plan.option
    same = bool(text) and read_plan(text, getattr(plan, "random_state", 0)) == plan
    return text if same else None


def read_time(text: str) -> float:
    """Seconds of ``90``, ``90s``, ``10m``, ``1.5h`` or ``1h30m``.

    Examples
    --------
    >>> read_time("1h30m")
    5400.0
    """
    parts = re.findall(r"(\d+(?:\.\d+)?)\s*([a-z]*)", text.strip().lower())
    spelled = "".join(number + unit for number, unit in parts)
    seconds = sum(float(number) * _UNITS.get(unit, 0.0) for number, unit in parts)
    if (
        spelled != re.sub(r"\s+", "", text.lower())
        or any(unit not in _UNITS for _, unit in parts)
        or not seconds
    ):
        raise ValueError(Note("O026", text=text))
    return seconds


def read_budget(budget: Any) -> float | None:
    """Seconds, as a number or as `read_time` reads them; None, and the word none, set no limit.

    Examples
    --------
    >>> read_budget("10m"), read_budget(90), read_budget("none")
    (600.0, 90.0, None)
    """
    if budget is None or (isinstance(budget, str) and budget.strip().lower() == "none"):
        return None
    if isinstance(budget, str):
        return read_time(budget)
    if not is_number(budget) or not float(budget) > 0:
        raise ValueError(Note("O027", budget=budget))
    return float(budget)


def read_names(names: str | Iterable[str]) -> list[str]:
    """Names of a list, or of a text with commas between them.

    >>> read_names("fisher, baseline"), read_names(["fisher"])
    (['fisher', 'baseline'], ['fisher'])
    """
    if not isinstance(names, str):
        return list(names)
    return [name.strip() for name in names.split(",") if name.strip()]


def read_numbers(text: str | None) -> list[int] | None:
    """Numbers of groups: "3", or "2..8" for all from 2 to 8; None is passed on.

    Examples
    --------
    >>> read_numbers("2..5"), read_numbers("7")
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


def read_types(texts: Iterable[str]) -> dict[str, str]:
    """Column types from texts of the form ``zip=categorical``.

    Examples
    --------
    >>> read_types(["zip=categorical"])
    {'zip': 'categorical'}
    """
    types: dict[str, str] = {}
    for text in texts:
        spelled, kind = halves(text, "column=type, for example zip=categorical")
        name = read_name(spelled)
        if types.setdefault(name, kind) != kind:
            raise ValueError(Note("O033", name=name, types=types[name], kind=kind))
    return types


def read_settings(owner: str, params: Iterable[Param], texts: Iterable[str]) -> dict[str, Any]:
    """Parameter values from texts of the form ``l2=0.1``, each read and checked as its declaration says.

    Examples
    --------
    >>> read_settings("ridge", [Param("l2", "float", 0.0, "penalty", low=0.0)], ["l2=0.1"])
    {'l2': 0.1}
    """
    declared = {param.name: param for param in params}
    values: dict[str, Any] = {}
    for text in texts:
        name, value = halves(text, "name=value, for example l2=0.1")
        if name not in declared:
            raise ValueError(Note("O019", owner=owner, name=name, suggest=suggest(name, list(declared))))
        if name in values:
            raise ValueError(Note("O034", owner=owner, name=name))
        values[name] = value_of(declared[name], value)
        declared[name].check(owner, values[name])
    return values


def halves(text: str, form: str) -> tuple[str, str]:
    name, sign, value = text.rpartition("=")
    if not sign or not name.strip() or not value.strip():
        raise ValueError(Note("O030", text=text, form=form))
    return name.strip(), value.strip()


def value_of(param: Param, text: str) -> Any:
    """The text as the kind of value the parameter takes; left as text, which the check names, if it is none."""
    if text.lower() == "none" and param.optional:
        return None
    if param.kind == "bool":
        return {"true": True, "yes": True, "false": False, "no": False}.get(text.lower(), text)
    if param.kind in ("int", "seed", "float", "amount", "gamma"):
        try:
            # An amount is a number of rows, or with a point a share of them.
            return (
                int(text)
                if param.kind in ("int", "seed") or (param.kind == "amount" and "." not in text)
                else float(text)
            )
        except ValueError:
            return text
    if param.kind == "priors" and text not in param.choices:
        return _numbers(text)
    if param.kind == "blobs":
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


def _numbers(text: str) -> Any:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        return text


def suggest(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, n=2, cutoff=0.5)
    if near:
        return f"did you mean {' or '.join(map(repr, near))}?"
    return f"it has {', '.join(map(repr, known))}." if known else "it has none."


def reading(
    types: list[str] | None,
    drop: list[str] | None,
    query: str | None,
    missing: list[str] | None,
    **roles: str | None,
) -> dict[str, Any]:
    """What --type, --drop, --query, --missing, --groups and --weights say, as functions that read a source take it."""
    from assay.workbench.syntax.settings import read_types

    return {
        "types": read_types(types or ()),
        "drop": tuple(drop or ()),
        "query": query,
        "missing": missing,
        **roles,
    }
