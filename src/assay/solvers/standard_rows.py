"""Rows z = (x - center) · unit of a table, without the columns that do not vary, in the precision of the solver.

With a limit L, what lies farther out than L - 1 is drawn in towards ±L: sign(z) (L - 1 / (|z| - L + 2)). The curve is
smooth and keeps the order, and no column can shout the others down.

Compiled code standardises the rows it reads. For passes in Python, and for tables that do not lie row by row, a
standardised copy is made once where memory allows; otherwise rows are standardised as they are read. All give the same
bits. Of a table of which at most a share FILLED is not zero (more precisely, does not become what zeros become), the
entries that are not can be kept instead: products with them round otherwise, in the last digits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import DTypeLike, NDArray

from assay import _core
from assay.types import Array, Floats

Places = NDArray[np.intp]
BLOCK = 1 << 17  # numbers standardised at a time: they stay in the second-level cache
FILLED = 0.2  # share of entries up to which products with single ones take less time than whole products


@dataclass(frozen=True)
class StandardRows:
    """Standardised rows of X (N, D); `columns` are the ones that vary, `center` and `unit` belong to these."""

    X: NDArray[np.floating]
    columns: Places
    center: Array
    unit: Array
    dtype: DTypeLike
    copy: Floats | None = None
    limit: float = np.inf
    filled: _core.base.FilledRows | _core.base.NarrowFilledRows | None = None

    def __len__(self) -> int:
        return int(self.X.shape[0])

    @property
    def width(self) -> int:
        return len(self.columns)

    def kept(self) -> StandardRows:
        """The same rows, standardised once and for all."""
        copy = np.empty((len(self), self.width), dtype=self.dtype)
        self._standard(self.X, copy)
        return replace(self, copy=copy)

    def sparsely(self) -> StandardRows:
        """The same rows with their filled entries, if these are few."""
        make = _core.base.fill_rows if np.dtype(self.dtype) == np.float64 else _core.base.fill_narrow_rows
        most = int(FILLED * len(self) * self.width)
        filled = make(self.X, None, None, None, self.columns, self.center, self.unit, self.limit, most)
        return self if filled is None else replace(self, filled=filled)

    @property
    def copy_bytes(self) -> int:
        """Memory that `kept` takes."""
        return len(self) * self.width * int(np.dtype(self.dtype).itemsize)

    @property
    def source(self) -> dict[str, object] | None:
        """What compiled code reads rows from: a table, columns of it, center and unit; None if it cannot."""
        if self.copy is not None:
            return plain_source(self.copy)
        if self.X.strides[1] != self.X.itemsize:
            return None
        return {
            "x": self.X, "columns": self.columns, "center": self.center, "unit": self.unit, "limit": self.limit
        }  # fmt: skip

    def take(self, which: Places, out: Floats) -> None:
        """The rows of these numbers."""
        if self.copy is None:
            self._standard(self.X[which], out)
        else:
            np.take(self.copy, which, axis=0, out=out, mode="clip")

    def span(self, start: int, stop: int) -> Floats:
        """Rows start..stop; not to be written to."""
        if self.copy is not None:
            return self.copy[start:stop]
        out = np.empty((stop - start, self.width), dtype=self.dtype)
        self._standard(self.X[start:stop], out)
        return out

    def _standard(self, raw: NDArray[np.floating], out: Floats) -> None:
        # In float64, whatever comes in: a large origin costs float32 its digits.
        step = max(1, BLOCK // max(1, raw.shape[1]))
        scratch = np.empty((min(step, len(raw)), self.width))
        for start in range(0, len(raw), step):
            chosen = raw[start : start + step]
            if self.width < raw.shape[1]:
                chosen = np.take(chosen, self.columns, axis=1)
            part = scratch[: len(chosen)]
            np.subtract(chosen, self.center, out=part)
            part *= self.unit
            draw_in(part, self.limit)
            out[start : start + step] = part


def draw_in(Z: Array, limit: float) -> None:
    """Draw what lies far out in towards ±limit, in place; infinite numbers stay."""
    if limit < np.inf:
        size = np.abs(Z)
        far = (size > limit - 1.0) & (size < np.inf)
        Z[far] = np.copysign(limit - 1.0 / (size[far] - (limit - 2.0)), Z[far])


def plain_source(Z: Floats) -> dict[str, object]:
    """Rows that are standardised already, for compiled code."""
    width = Z.shape[1]
    plain = {"center": np.zeros(width), "unit": np.ones(width), "limit": np.inf}
    return {"x": Z, "columns": np.arange(width), **plain}
