"""Keys of values: two parameters have equal keys where they are the same value, however long they are.

The text of an estimator or an array does not serve: it leaves out what is long. Numbers are told apart by type, since
1 may be a count where 1.0 is a share. Functions, classes and generators of random numbers are the same only as objects:
what they will do cannot be read off them.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from assay.types import Cells, Estimator

ATOMS = (bool, int, str, bytes, type(None))
BY_IDENTITY = (
    type, FunctionType, BuiltinFunctionType, ModuleType, np.ufunc,
    np.random.Generator, np.random.RandomState, np.random.BitGenerator, random.Random,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Identity:
    """An object that equals itself alone; held, so that no other takes its address meanwhile."""

    value: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


def value_key(value: object) -> Hashable:
    """Equal for equal values: of one class, with equal parameters, items or content.

    Arrays are equal by dtype, shape and content, NaN included; estimators by what a clone of them keeps; other objects
    by what a copy of them would be made of.

    Examples
    --------
    >>> import numpy as np
    >>> value_key(np.arange(5000)) == value_key(np.arange(5000)), value_key([1, 2]) == value_key([1, 2.0])
    (True, False)
    >>> value_key({"weight": float("nan")}) == value_key({"weight": float("nan")})
    True
    """
    return _key(value, ())


def value_key_but(estimator: Estimator, names: Collection[str]) -> Hashable:
    """The key of an estimator that leaves out these parameters."""
    return _estimator_key(estimator, (), names) if names else value_key(estimator)


def _key(value: Any, inside: tuple[object, ...]) -> Hashable:
    """`inside`: the objects that the value is a part of, the outermost first."""
    kind = type(value)
    if kind in ATOMS:
        return kind, value
    if kind is float:
        return kind, value.hex()  # NaN equals itself, 0.0 is not -0.0
    if isinstance(value, BY_IDENTITY):
        return Identity(value)
    for depth, outer in enumerate(inside):
        if outer is value:
            return "part of itself", depth
    inside = (*inside, value)
    if isinstance(value, np.ndarray | np.generic) and not isinstance(value, np.ma.MaskedArray):
        return kind, value.dtype, value.shape, _content(value, inside)
    if kind in (list, tuple):
        return kind, tuple(_key(item, inside) for item in value)
    if kind in (set, frozenset):
        return kind, frozenset(_key(item, inside) for item in value)
    if kind is dict:
        return kind, _items(value, inside)
    if hasattr(value, "get_params"):
        return _estimator_key(value, inside)
    return _object_key(value, inside)


def _items(value: Mapping[Any, object], inside: tuple[object, ...]) -> Hashable:
    """In their order, on which the meaning may rest."""
    return tuple((_key(name, inside), _key(item, inside)) for name, item in value.items())


def _content(array: Cells | np.generic, inside: tuple[object, ...]) -> Hashable:
    return _key(array.tolist(), inside) if array.dtype.hasobject else array.tobytes()


def _estimator_key(estimator: Estimator, inside: tuple[object, ...], but: Collection[str] = ()) -> Hashable:
    """Parameters, and what else a clone keeps (the kind of its output, requests for metadata), not what was fitted."""
    params = estimator.get_params(deep=False)
    # A clone takes time; it is made where the object holds more than parameters and results, or clones in its own way.
    more = any(name not in params and not name.endswith("_") for name in vars(estimator))
    clone = getattr(estimator, "__sklearn_clone__", None)
    if clone is not None and (more or clone.__module__ != "sklearn.base"):
        twin = clone()
        if twin is estimator:
            return Identity(estimator)
        params = {**vars(twin), **params}
    left = {name: value for name, value in sorted(params.items()) if name not in but}
    return type(estimator), _items(left, inside)


def _object_key(value: object, inside: tuple[object, ...]) -> Hashable:
    """What `copy` and `pickle` take an object apart into; what cannot be taken apart is the same as an object only."""
    try:
        made_of = value.__reduce_ex__(4)
    except Exception:  # whatever an object raises that cannot be copied
        return Identity(value)
    if isinstance(made_of, str):  # a name that stands for the one object
        return Identity(value)
    maker, arguments, *state = made_of
    items = [tuple(part) if n > 0 and part is not None else part for n, part in enumerate(state[:3])]
    return type(value), tuple(_key(part, inside) for part in (maker, arguments, *items))
