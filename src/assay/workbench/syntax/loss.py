"""Losses and priors as people write them: a file, a line of text, or any form that Python knows.

A line names the pairs that differ from zero-one loss, ``true:action=cost``:

    good:bad=5,bad:good=1        a good case taken for bad costs five of the other mistake
    *:ask=0.2                    an action that is no class, at one price whatever the truth
    *:bad=never                  nobody is ever taken for bad
    "a:b":"c, d"=2               names that hold signs of the notation, as JSON strings
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Hashable, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from assay.decision import LossLike
from assay.decision.loss import LossMatrix, check_classes, plain
from assay.decision.priors import check_priors
from assay.notes import Note
from assay.notes.hints import name_hint
from assay.notes.names import spell_name
from assay.types import Array, Label, Labels
from assay.workbench.syntax.names import cuts, parts, read_name

ClassPriors: TypeAlias = Mapping[Hashable, str | float] | ArrayLike | None
EVERY, NEVER = "*", "never"
FILES = (".csv", ".tsv", ".json")


def parse_loss(loss: LossLike | PathLike[str], classes: ArrayLike) -> LossMatrix:
    """The loss matrix of a text, a file (CSV, TSV, JSON), or of anything `LossMatrix.of` takes.

    A table file has the true classes in its first column and the actions in its header; a JSON file is
    ``{true: {action: cost}}`` or a list of rows in the order of the classes.

    Examples
    --------
    >>> loss = parse_loss("ill:well=10,*:ask=0.5", ["ill", "well"])
    >>> loss.actions, loss.values.tolist()
    (('ill', 'well', 'ask'), [[0.0, 10.0, 0.5], [1.0, 0.0, 0.5]])
    """
    labels = check_classes(classes)
    if not isinstance(loss, str | PathLike):
        return LossMatrix.of(loss, labels)
    path = Path(fspath(loss))
    if _is_file(path):
        return _from_file(path, labels)
    if isinstance(loss, PathLike) or path.suffix.lower() in FILES or "=" not in loss:
        raise FileNotFoundError(Note("O003", loss=str(loss)))
    return _from_text(loss, labels)


def parse_priors(priors: ClassPriors, classes: ArrayLike, name: str = "priors") -> Array | None:
    """Class probabilities in the order of the classes, from ``yes=0.1,no=0.9``, a dict or an array; None stays.

    Examples
    --------
    >>> parse_priors("yes=0.1,no=0.9", ["no", "yes"])
    array([0.9, 0.1])
    """
    labels = check_classes(classes)
    if priors is None:
        return None
    if isinstance(priors, str):
        assigned = [_assignment(part, "yes=0.1,no=0.9") for part in parts(priors)]
        priors = {read_name(part): value for part, value in assigned}
    if not isinstance(priors, Mapping):
        return check_priors(priors, len(labels), name)
    known, given = spellings(labels), {}
    for key, value in priors.items():
        label = _class_of(key, known, "O704", name=name)
        given[label] = _number(value, "O705", label=label)
    for label in map(plain, labels):
        if label not in given:
            raise ValueError(Note("O011", name=name, label=label))
    return check_priors([given[plain(label)] for label in labels], len(labels), name)


def spellings(classes: ArrayLike) -> dict[Hashable, Label]:
    """From every text that may stand for a class to its label: 1, 1.0 and "1" are the same."""
    known: dict[Hashable, Label] = {}
    for label in map(plain, np.asarray(classes)):
        known[str(label)] = label
        if isinstance(label, float) and label.is_integer():
            known.setdefault(str(int(label)), label)
    return {**known, **{plain(label): plain(label) for label in np.asarray(classes)}}


def _from_text(text: str, labels: Labels) -> LossMatrix:
    known = spellings(labels)
    names = [plain(label) for label in labels]
    costs: dict[Label, dict[Hashable, float]] = {k: {a: float(a != k) for a in names} for k in names}
    for part in parts(text):
        pair, value = _assignment(part, "good:bad=5")
        true, action = _pair(pair, known, names)
        if value == NEVER:
            _take_away(action, costs, pair, len(true) == len(names))
            continue
        cost = _number(value, "O010", pair=pair)
        for label in true:
            costs[label][action] = cost
    for action in [a for k in names for a in costs[k] if a not in names]:
        for label in names:
            if action not in costs[label]:
                raise ValueError(_unknown_action(action, known, label))
    return LossMatrix.of(costs, labels)


def _unknown_action(action: Hashable, known: Mapping[Hashable, Label], label: Label) -> Note:
    """An action that is not a class needs a cost for every class, and has none for this one."""
    values = {"action": action, "label": label, "name": spell_name(str(action))}
    hint = name_hint(str(action), _texts(known))
    return Note("O706", values=values, hint=hint) if hint.code == "O700" else Note("O017", values=values)


def _take_away(
    action: Hashable, costs: dict[Label, dict[Hashable, float]], pair: str, everywhere: bool
) -> None:
    """An action that is not to be had, whatever the truth."""
    if not everywhere:
        raise ValueError(Note("O004", pair=pair))
    for row in costs.values():
        row.pop(action, None)
    if not any(costs.values()):
        raise ValueError(Note("O005"))


def _pair(pair: str, known: Mapping[Hashable, Label], names: list[Label]) -> tuple[list[Label], Hashable]:
    """(true classes, action); bare names may hold colons, so the cut that gives a class is taken."""
    halves = [(pair[:i].strip(), pair[i + 1 :].strip()) for i in cuts(pair, ":")]
    if not halves:
        raise ValueError(Note("O006", pair=pair))
    good = [(a, read_name(b)) for a, b in halves if (a == EVERY or read_name(a) in known) and b]
    for true, action in sorted(good, key=lambda half: half[1] not in known):
        return names if true == EVERY else [known[read_name(true)]], known.get(action, action)
    _class_of(read_name(halves[0][0]), known, "O002")
    raise ValueError(Note("O001", pair=pair))


def _from_file(path: Path, labels: Labels) -> LossMatrix:
    try:
        text = path.read_text(encoding="utf-8-sig")
        loss = json.loads(text) if path.suffix.lower() == ".json" else _rows(text, path)
    except UnicodeDecodeError as error:
        raise ValueError(Note("O012", path=str(path), byte=error.start)) from None
    except json.JSONDecodeError as error:
        raise ValueError(Note("O013", path=str(path), reason=error.msg, line=error.lineno)) from None
    if not isinstance(loss, Mapping):
        return LossMatrix.of(loss, labels)
    known = spellings(labels)
    named: dict[Label, dict[Hashable, float]] = {}
    for key, row in loss.items():
        if not isinstance(row, Mapping):
            raise ValueError(Note("O014", path=str(path), row=row, key=key))
        costs = {known.get(a, a): _number(c, "O010", pair=f"{key}:{a}") for a, c in row.items()}
        named[_class_of(key, known, "O703", path=str(path))] = costs
    return LossMatrix.of(named, labels)


def _rows(text: str, path: Path) -> dict[str, dict[str, str]]:
    """A table file as ``{true: {action: cost}}``; commas, semicolons or tabs, as the header has them."""
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    lines = [line for line in csv.reader(text.splitlines(), delimiter=delimiter) if any(line)]
    if len(lines) < 2 or len(lines[0]) < 2:
        raise ValueError(Note("O007", path=str(path)))
    actions = [name.strip() for name in lines[0][1:]]
    if len(set(actions)) < len(actions):
        twice = next(name for name in actions if actions.count(name) > 1)
        raise ValueError(Note("O008", path=str(path), action=twice))
    rows: dict[str, dict[str, str]] = {}
    for number, line in enumerate(lines[1:], start=2):
        if len(line) != len(lines[0]):
            raise ValueError(
                Note("O015", row=number, path=str(path), cells=len(line), expected=len(lines[0]))
            )
        if line[0].strip() in rows:
            raise ValueError(Note("O016", path=str(path), label=line[0].strip()))
        rows[line[0].strip()] = dict(zip(actions, line[1:], strict=True))
    return rows


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a long line of text is no name that a file system takes
        return False


def _assignment(part: str, example: str) -> tuple[str, str]:
    """Name and value around the last equals sign: bare names such as '<=50K' hold one too."""
    signs = cuts(part, "=")
    if not signs or not part[: signs[-1]].strip():
        raise ValueError(Note("O009", part=part, example=example))
    return part[: signs[-1]].strip(), part[signs[-1] + 1 :].strip()


def _number(value: str | float, code: str, **values: object) -> float:
    """A finite number; a note with this code and these values says whose value is not one."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if isinstance(value, bool) or not math.isfinite(number):
        raise ValueError(Note(code, values=values, value=value))
    return number


def _class_of(key: Hashable, known: Mapping[Hashable, Label], code: str, **values: object) -> Label:
    """The label that a text stands for; a note with this code and these values says where another text stands."""
    if key in known:
        return known[key]
    hint = name_hint(str(key), _texts(known))
    if hint.code == "O701":  # 1 and 1.0 are one class
        hint = Note("O707", classes=list(dict.fromkeys(known.values())))
    raise ValueError(Note(code, values=values, key=str(key), hint=hint))


def _texts(known: Mapping[Hashable, Label]) -> list[str]:
    return [text for text in known if isinstance(text, str)]
