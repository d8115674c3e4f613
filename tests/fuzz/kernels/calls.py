"""What a call of a kernel is made of: a function that draws arguments which fit together, by name.

Arguments of an object that is made first are named ``object.argument``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

import numpy as np

from assay import _core

Rng = np.random.Generator
Arguments = dict[str, Any]
CALLS: dict[str, Call] = {}


@dataclass(frozen=True)
class Call:
    """A function of a room of `_core`, or a method of a class (``room.Class.method``), and how to draw arguments."""

    name: str
    draw: Callable[[Rng], Arguments]
    makers: dict[str, Callable[..., Any]] = field(default_factory=dict)  # of the objects among the arguments

    @property
    def room(self) -> str:
        """The module that draws the arguments."""
        return self.draw.__module__

    def run(self, arguments: Arguments) -> Any:
        """What the kernel returns; ValueError where an object that it needs cannot be made."""
        objects: dict[str, Arguments] = {name: {} for name in self.makers}
        plain: Arguments = {}
        for name, value in arguments.items():
            owner, _, part = name.rpartition(".")
            (objects[owner] if owner else plain)[part] = value
        made = {name: self.makers[name](**given) for name, given in objects.items()}
        if any(each is None for each in made.values()):
            raise ValueError("there is no such object")
        instance = made.pop("self", None)
        if instance is None:
            return attrgetter(self.name)(_core)(**plain, **made)
        return getattr(instance, self.name.rpartition(".")[2])(**plain, **made)


def call(name: str, **makers: Callable[..., Any]) -> Callable[[Callable[[Rng], Arguments]], Any]:
    """Names the kernel that a function draws arguments for."""

    def register(draw: Callable[[Rng], Arguments]) -> Callable[[Rng], Arguments]:
        CALLS[name] = Call(name, draw, makers)
        return draw

    return register


def few(rng: Rng, low: int = 1, high: int = 12) -> int:
    return int(rng.integers(low, high + 1))


def table(rng: Rng, rows: int, columns: int) -> Any:
    """Numbers in double or single precision, in either order."""
    values = rng.normal(size=(rows, columns)).astype(rng.choice([np.float64, np.float32]))
    return np.asfortranarray(values) if rng.random() < 0.3 else values


def codes(rng: Rng, count: int, end: int, low: int = 0) -> Any:
    return rng.integers(low, end, count).astype(np.int32)


def owned(owner: str, given: Arguments) -> Arguments:
    """Arguments of an object that is made first."""
    return {f"{owner}.{name}": value for name, value in given.items()}


def maybe(rng: Rng, value: Any) -> Any:
    """The value, or None."""
    return value if rng.random() < 0.5 else None


def pointers(rng: Rng, rows: int, most: int = 5) -> Any:
    """Where rows of entries begin, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(rng.integers(0, most + 1, rows))]).astype(np.int64)


def threads(rng: Rng) -> int:
    return few(rng, 1, 3)
