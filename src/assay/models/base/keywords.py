"""Keywords that a constructor or a function does not have: old names are accepted with a warning, names of other
libraries are answered with what to write instead."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from assay.models.base.params import Param
from assay.models.base.sklearn_names import FUNCTIONS, MODELS
from assay.notes import Note

if TYPE_CHECKING:
    from assay.types import Parameters

P = ParamSpec("P")
R = TypeVar("R")


def advising(init: Callable[..., None]) -> Callable[..., None]:
    """A constructor that understands the old names of its parameters and explains unknown ones.

    `wraps` keeps the signature, which scikit-learn reads the parameters from.
    """
    parameters = signature(init).parameters.values()
    if any(param.kind is Parameter.VAR_KEYWORD for param in parameters):
        return init
    known = {param.name for param in parameters}

    @wraps(init)
    def construct(self: Any, *args: object, **keywords: object) -> None:
        if not known.issuperset(keywords):
            keywords = current_names(type(self).params, keywords, type(self).__name__)
            for name in keywords:
                if name not in known:
                    raise TypeError(unknown_parameter(type(self), name, known - {"self"}))
        init(self, *args, **keywords)

    return construct


def current_names(params: Iterable[Param], values: Parameters, owner: str = "") -> dict[str, object]:
    """Values by today's names of the parameters, nested ones (``model__l2``) too; with an `owner`, a warning."""
    today = {param.was: param.name for param in params if param.was}
    renamed: dict[str, object] = {}
    for name, value in values.items():
        first, nested, rest = name.partition("__")
        current = today.get(first, first) + nested + rest
        if current in renamed or (current != name and current in values):
            raise TypeError(Note("M501", owner=owner, name=first, today=today.get(first, first)))
        if first in today and owner:
            note = Note("M500", owner=owner, name=first, today=today[first])
            warnings.warn(note, FutureWarning, stacklevel=4)
        renamed[current] = value
    return renamed


def unknown_parameter(cls: type, name: str, known: Collection[str]) -> Note:
    """A class has no such parameter, and what to write instead."""
    owner, advice = cls.__name__, sklearn_advice(cls, name)
    if advice is not None:
        return Note("M510", owner=owner, name=name, advice=advice)
    near = get_close_matches(name, known, n=2, cutoff=0.5)
    if near:
        return Note("M511", owner=owner, name=name, near=near)
    if known:
        return Note("M512", owner=owner, name=name, known=sorted(known))
    return Note("M700", owner=owner, name=name)


def sklearn_advice(cls: type, name: str) -> str | None:
    """What to write for a parameter of scikit-learn's twin of a class; None where there is nothing to say."""
    for base in cls.__mro__:
        if name in MODELS.get(base.__name__, {}):
            return MODELS[base.__name__][name]
    return MODELS[""].get(name)


def explained(function: Callable[P, R]) -> Callable[P, R]:
    """A function that answers keywords of scikit-learn's functions with its own."""
    known = set(signature(function).parameters)

    @wraps(function)
    def call(*args: P.args, **keywords: P.kwargs) -> R:
        for name in keywords:
            if name in FUNCTIONS and name not in known:
                raise TypeError(Note("M510", owner=function.__name__, name=name, advice=FUNCTIONS[name]))
        return function(*args, **keywords)

    return call
