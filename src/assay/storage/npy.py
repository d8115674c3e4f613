"""Arrays as `.npy` bytes, read as data: plain numbers only, and nothing is allocated before sizes agree.

NumPy's own reader evaluates the header as Python and believes its shape; this one matches the header against one
pattern, the listing in ``model.json`` and the length of the member first.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from math import prod
from typing import BinaryIO

import numpy as np

from assay.notes import Note
from assay.storage.damaged_file import DamagedFileError, required
from assay.types import Cells, JsonObject

DTYPES = ("|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f4", "<f8")
MOST_AXES = 8
MOST_PLACES = 2**40  # axes of length 0 counted as 1, so that an empty array has a sane shape too
LONGEST_HEADER = 1024
_HEADER = re.compile(
    r"\{'descr': '([^']{1,12})', 'fortran_order': (True|False), 'shape': \(((?:\d{1,13}, ?)*(?:\d{1,13},?)?)\), \} *\n"
)


@dataclass(frozen=True)
class ArrayLayout:
    """What an array is, said before it is read."""

    dtype: str
    shape: tuple[int, ...]

    @property
    def n_bytes(self) -> int:
        return prod(self.shape) * np.dtype(self.dtype).itemsize


def storable(array: Cells) -> Cells:
    """The array as it is written: little-endian, in C or Fortran order."""
    little = array.astype(array.dtype.newbyteorder("<"), copy=False)
    if little.dtype.str not in DTYPES:
        raise ValueError(Note("F027", dtype=str(array.dtype)))
    # Fortran order is kept: products of matrices may differ in the last bit with the order of their elements.
    return little if little.flags.c_contiguous or little.flags.f_contiguous else np.ascontiguousarray(little)


def to_bytes(array: Cells) -> bytes:
    """The member that holds a storable array."""
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, version=(1, 0), allow_pickle=False)
    return buffer.getvalue()


def layout(data: JsonObject, name: str) -> ArrayLayout:
    """The layout that ``model.json`` lists for an array."""
    dtype, shape = data.get("dtype"), data.get("shape")
    wrong_type = f"array {name!r} has the type {dtype!r}, which is not one of numbers or booleans"
    wrong_shape = f"array {name!r} has the shape {str(shape)[:80]}, which no array has"
    if dtype not in DTYPES:
        raise DamagedFileError(wrong_type)
    listed = required(shape, list, wrong_shape)
    lengths = tuple(length for length in listed if type(length) is int and length >= 0)
    whole = len(lengths) == len(listed) <= MOST_AXES
    if not whole or prod(max(1, length) for length in lengths) > MOST_PLACES:
        raise DamagedFileError(wrong_shape)
    return ArrayLayout(required(dtype, str, wrong_type), lengths)


def check_length(name: str, expected: ArrayLayout, length: int) -> None:
    """Refuse a member whose length cannot be that of the array it is said to be; nothing is read yet."""
    header = length - expected.n_bytes
    if not 10 < header <= LONGEST_HEADER + 10:
        raise DamagedFileError(
            f"array {name!r} of shape {expected.shape} takes {expected.n_bytes} bytes, not {length}"
        )


def read_array(file: BinaryIO, name: str, expected: ArrayLayout, length: int) -> Cells:
    """The array of a member of `length` bytes; header, listing and length must say the same."""
    fortran, used = _read_header(file, name, expected)
    if used + expected.n_bytes != length:
        raise DamagedFileError(
            f"array {name!r} of shape {expected.shape} takes {expected.n_bytes} bytes, not {length - used}"
        )
    data = file.read(expected.n_bytes + 1)
    if len(data) != expected.n_bytes:
        raise DamagedFileError(f"array {name!r} is not {expected.n_bytes} bytes long")
    flat = np.frombuffer(data, dtype=expected.dtype)
    if expected.dtype == "|b1" and (flat.view(np.uint8) > 1).any():
        raise DamagedFileError(f"array {name!r} holds bytes that are neither true nor false")
    native = flat.astype(
        flat.dtype.newbyteorder("="), copy=True
    )  # writable, aligned, in this machine's order
    return native.reshape(expected.shape, order="F" if fortran else "C")


def _read_header(file: BinaryIO, name: str, expected: ArrayLayout) -> tuple[bool, int]:
    """Whether the array is in Fortran order, and the bytes before its first number."""
    start = file.read(10)
    if start[:8] != b"\x93NUMPY\x01\x00" or len(start) < 10:
        raise DamagedFileError(f"member {name!r} is not an array in NumPy's format 1.0")
    size = int.from_bytes(start[8:], "little")
    text = file.read(size).decode("latin-1") if size <= LONGEST_HEADER else ""
    match = _HEADER.fullmatch(text)
    if match is None:
        raise DamagedFileError(f"array {name!r} has a header that is not one of plain numbers")
    shape = tuple(int(part) for part in match[3].replace(" ", "").split(",") if part)
    if match[1] != expected.dtype or shape != expected.shape:
        raise DamagedFileError(
            f"array {name!r} is {match[1]} of shape {shape}, but model.json lists "
            f"{expected.dtype} of {expected.shape}"
        )
    return match[2] == "True", 10 + size
