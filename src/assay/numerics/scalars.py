"""What kind of single value something is: Python's numbers and NumPy's alike; truth values are no numbers."""

from __future__ import annotations

import numbers
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeGuard, overload

if TYPE_CHECKING:  # loads NumPy, which help does without
    from assay.types import Plain


def is_whole(value: object, least: float = float("-inf")) -> TypeGuard[int]:
    """Whether this is a whole number of at least so much.

    >>> is_whole(3, 1), is_whole(True), is_whole(2.0), is_whole(0, 1)
    (True, False, False, False)
    """
    return isinstance(value, numbers.Integral) and not isinstance(value, bool) and int(value) >= least


def is_number(value: object) -> TypeGuard[float]:
    """Whether this is a real number.

    >>> is_number(2.5), is_number(False), is_number("2.5")
    (True, False, False)
    """
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def is_text(value: object) -> TypeGuard[str]:
    """Whether this is a string."""
    return isinstance(value, str)


def is_plain(value: object) -> TypeGuard[Plain]:
    """Whether JSON holds the value as it is: nothing, a truth value, a number or text."""
    return value is None or isinstance(value, bool | int | float | str)


@overload
def are_texts(values: object) -> TypeGuard[list[str]]: ...
@overload
def are_texts(values: object, kind: type[tuple[object, ...]]) -> TypeGuard[tuple[str, ...]]: ...
@overload
def are_texts(values: object, kind: type[dict[str, object]]) -> TypeGuard[dict[str, object]]: ...
def are_texts(values: object, kind: type[Collection[object]] = list) -> bool:
    """Whether this is a list, or another kind of collection, of strings."""
    return isinstance(values, kind) and all(map(is_text, values))


def is_several(values: object) -> TypeGuard[Iterable[Hashable]]:
    """Whether this is a collection of values; a text is one value.

    >>> is_several(["age", "sex"]), is_several("age"), is_several(3)
    (True, False, False)
    """
    return isinstance(values, Iterable) and not is_text(values)


def names_of(given: str | Iterable[str]) -> tuple[str, ...]:
    """The names of a call that takes one name or several.

    >>> names_of("age"), names_of(["age", "sex"])
    (('age',), ('age', 'sex'))
    """
    return (given,) if isinstance(given, str) else tuple(given)


def is_list(value: object) -> TypeGuard[Sequence[object]]:
    """Whether this is a list or a tuple."""
    return isinstance(value, list | tuple)
