"""A CSV file of any size, written about as quickly as the disk takes it.

Formatting numbers one by one would take minutes; here the digits of a block are computed as one array of bytes.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]

COLUMNS = 20
LABELS = (b"ash", b"elm", b"oak")
# 12.345678 and the comma after it.
DIGITS, DECIMALS = 8, 6
CELL = DIGITS + 2
ROW = COLUMNS * CELL + len(LABELS[0]) + 1
BLOCK_ROWS = 20_000
MEAN, SPREAD = 50.0, 10.0


def write(path: Path, size: int) -> int:
    """Write about `size` bytes: 20 numeric columns and the class column `y`; returns the number of rows."""
    rng = np.random.default_rng(7)
    n_rows = max(len(LABELS), size // ROW)
    shifts = rng.normal(scale=0.5 * SPREAD, size=(len(LABELS), COLUMNS))
    with path.open("wb") as file:
        file.write(b",".join([*(f"x{i}".encode() for i in range(COLUMNS)), b"y"]) + b"\n")
        for start in range(0, n_rows, BLOCK_ROWS):
            _write_block(file, rng, shifts, min(BLOCK_ROWS, n_rows - start))
    return n_rows


def _write_block(file: BinaryIO, rng: np.random.Generator, shifts: NDArray[np.float64], n_rows: int) -> None:
    """Correlated Gaussian numbers around the mean of each row's class, every block with numbers of its own."""
    codes = rng.integers(len(LABELS), size=n_rows)
    values = rng.standard_normal((n_rows, COLUMNS), dtype=np.float32) * SPREAD
    values[:, 1:] = 0.8 * values[:, 1:] + 0.6 * values[:, :1]
    values += MEAN + shifts[codes]
    largest = 10**DIGITS - 1
    whole = np.clip(values * 10.0**DECIMALS, 0, largest).astype(np.uint32)
    text = np.empty((n_rows, ROW), dtype=np.uint8)
    text[:, : COLUMNS * CELL] = _cells(whole).reshape(n_rows, -1)
    text[:, COLUMNS * CELL : -1] = np.frombuffer(b"".join(LABELS), np.uint8).reshape(len(LABELS), -1)[codes]
    text[:, -1] = ord("\n")
    file.write(text.data)


def _cells(whole: NDArray[np.uint32]) -> Bytes:
    """Millionths as decimal numbers, each followed by a comma."""
    cells = np.empty((*whole.shape, CELL), dtype=np.uint8)
    cells[..., DIGITS - DECIMALS] = ord(".")
    cells[..., -1] = ord(",")
    places = [at for at in range(CELL - 1) if at != DIGITS - DECIMALS]
    for at in reversed(places):
        whole, digit = np.divmod(whole, np.uint32(10))
        cells[..., at] = digit + ord("0")
    return cells
