"""Changes of one argument: some leave its content as it is, others put what does not fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.fuzz.kernels.calls import Arguments, Rng

GUARD = 64  # bytes on either side of an array
MARK = 0xA5
WHOLE = (-1, -2, -3, 0, 1, 2, 7, 64, 1000, 2**31 - 1, -(2**31), 2**31, 2**40, 2**62, -(2**62))
REAL = (np.nan, np.inf, -np.inf, 1e308, -1e308, -1.0, 0.0, 1e-320, 0.5)
COUNTS = {  # how often a loop goes round, and how many threads there are: nothing to follow, but long to wait for
    "threads": (-1, 0, 1, 5), "steps": (-1, 0, 1), "most_steps": (-1, 0, 1), "sweeps": (-1, 0, 1),
}  # fmt: skip


def guarded(array: Any) -> Any:
    """The same array between marked bytes."""
    if array.dtype.hasobject:
        return array.copy()
    room = np.full(array.nbytes + 2 * GUARD, MARK, np.uint8)
    inside = room[GUARD : GUARD + array.nbytes].view(array.dtype)
    order = "C" if array.flags.c_contiguous else "F"
    inside = inside.reshape(array.shape, order=order)
    inside[...] = array
    return inside


def untouched(array: Any) -> bool:
    """Whether the bytes around a guarded array are as they were."""
    room = array
    while isinstance(room.base, np.ndarray):
        room = room.base
    inside = array.nbytes
    if room.dtype != np.uint8 or room.nbytes != inside + 2 * GUARD:
        return True
    return bool((room[:GUARD] == MARK).all() and (room[-GUARD:] == MARK).all())


def strided(rng: Rng, array: Any) -> Any:
    wide = (
        np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
        if array.ndim
        else np.zeros(2, array.dtype)
    )
    out = wide[..., ::2] if array.ndim else wide[0]
    out[...] = array
    return out


def backwards(rng: Rng, array: Any) -> Any:
    return array[::-1].copy()[::-1] if array.ndim else array


def read_only(rng: Rng, array: Any) -> Any:
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def other_order(rng: Rng, array: Any) -> Any:
    return np.asfortranarray(array) if array.flags.c_contiguous else np.ascontiguousarray(array)


def swapped(rng: Rng, array: Any) -> Any:
    return array.astype(array.dtype.newbyteorder()) if array.dtype.kind in "iuf" else array


def wider(rng: Rng, array: Any) -> Any:
    return array.astype(np.int64) if array.dtype.kind in "iu" and array.dtype.itemsize < 8 else array


def narrower(rng: Rng, array: Any) -> Any:
    return array.astype(np.int32) if array.dtype == np.int64 else array


SAME = (strided, backwards, read_only, other_order, swapped, wider, narrower)


def put(rng: Rng, array: Any) -> Any:
    """Some numbers that may name nothing."""
    out = array.copy()
    if not out.size or out.dtype.kind not in "iuf":
        return out
    for _ in range(int(rng.integers(1, 4))):
        place = int(rng.integers(out.size))
        if out.dtype.kind == "f":
            out.flat[place] = rng.choice(REAL)
        else:
            ends = np.iinfo(out.dtype)
            choices = [*WHOLE, out.size, len(out), int(out.max()) + 1]
            out.flat[place] = min(max(int(choices[int(rng.integers(len(choices)))]), ends.min), ends.max)
    return out


def shorter(rng: Rng, array: Any) -> Any:
    return array[:-1].copy() if array.ndim and len(array) else array


def longer(rng: Rng, array: Any) -> Any:
    return np.concatenate([array, array[:1]]) if array.ndim and len(array) else np.zeros((3, 3), array.dtype)


def narrow(rng: Rng, array: Any) -> Any:
    return array[..., :-1].copy() if array.ndim else array


def emptied(rng: Rng, array: Any) -> Any:
    return array[:0].copy() if array.ndim else array


def flat(rng: Rng, array: Any) -> Any:
    return array.ravel().copy()


def deeper(rng: Rng, array: Any) -> Any:
    return array[None].copy() if rng.random() < 0.5 else array[..., None].copy()


def scalar(rng: Rng, array: Any) -> Any:
    return np.array(array.flat[0] if array.size else 0, array.dtype)


def turned(rng: Rng, array: Any) -> Any:
    return array.T.copy()


def reordered(rng: Rng, array: Any) -> Any:
    return rng.permutation(array) if array.ndim else array


def other_type(rng: Rng, array: Any) -> Any:
    kinds = (np.float64, np.float32, np.int64, np.int32, np.int16, np.uint8, np.bool_, np.complex128, object)
    kind = kinds[int(rng.integers(len(kinds)))]
    with np.errstate(all="ignore"):
        return np.zeros(array.shape, kind) if array.dtype.hasobject else array.astype(kind)


def nothing(rng: Rng, array: Any) -> Any:
    return None


def in_a_list(rng: Rng, array: Any) -> Any:
    return array.tolist()


OTHER: tuple[Callable[[Rng, Any], Any], ...] = (
    put, put, put, put, shorter, longer, narrow, emptied, flat, deeper, scalar, turned, reordered, other_type, nothing,
    in_a_list,
)  # fmt: skip


def changed_number(rng: Rng, name: str, value: Any) -> Any:
    if isinstance(value, float):
        return float(rng.choice(REAL))
    choices = COUNTS.get(name.rpartition(".")[2], WHOLE)
    return choices[int(rng.integers(len(choices)))]


def change(rng: Rng, arguments: Arguments) -> tuple[str, bool]:
    """Change one argument in place; what was done, and whether its content stays the same."""
    if not arguments:
        return "nothing", True
    name = list(arguments)[int(rng.integers(len(arguments)))]
    value = arguments[name]
    if isinstance(value, np.ndarray):
        same = rng.random() < 0.3
        kinds = SAME if same else OTHER
        kind = kinds[int(rng.integers(len(kinds)))]
        arguments[name] = kind(rng, value)
        return f"{name}: {kind.__name__}", same
    if isinstance(value, bool):
        arguments[name] = not value
    elif isinstance(value, int | float):
        arguments[name] = changed_number(rng, name, value)
    elif isinstance(value, str):
        arguments[name] = "no such name"
    elif value is None:
        arguments[name] = (np.zeros(3), np.zeros(3, np.int32), np.zeros((2, 2)))[int(rng.integers(3))]
    elif isinstance(value, list):
        arguments[name] = [*value, 3, b"\xff\xfe", "\udcff"]
    else:
        arguments[name] = None
    shown = (
        arguments[name]
        if isinstance(arguments[name], bool | int | float | str)
        else type(arguments[name]).__name__
    )
    return f"{name}: {shown}", False
