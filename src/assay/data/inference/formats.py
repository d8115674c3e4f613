"""Numbers and dates as people write them: `1.234,5`, `$1,234.5`, `47,9 %`, `31.12.2024`.

A way of writing is told by an example, which is what the schema of a table keeps: `1.234,5 €` for numbers with a
decimal comma, points between thousands and a sign behind, `dd.mm.yyyy` for dates. Every value of a column is written
its column's way or is an error: `1.234` must not be one number here and another one there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay.data.convert import days, first_misfit
from assay.data.missing_values import MISSING_MARKERS, clean

if TYPE_CHECKING:
    import pyarrow as pa

CURRENCIES = "$€£¥₹₽₩₺₫₪₱฿₴¢"
SIGNS = CURRENCIES + "%"
BLANKS = " \u00a0\u2009\u202f"
# What divides thousands, by the character that an example has.
DIVIDERS = {"": "", ",": ",", ".": ".", " ": BLANKS, "'": "'\u2019"}
PLAIN = "1234.5"
_NUMBERS = re.compile(
    rf"(?P<front>[{re.escape(SIGNS)}])? ?1(?P<thousands>[,.' ]?)234(?P<decimal>[.,])5 ?(?P<back>[{re.escape(SIGNS)}])?"
)
_DATES = re.compile(r"(?P<order>dd(?P<a>[./-])mm(?P=a)|mm(?P<b>[./-])dd(?P=b))yyyy|yyyy(?P<c>[./])mm(?P=c)dd")
_TIME = r"(?:[ T]+([0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?))?"


@dataclass(frozen=True)
class NumberFormat:
    """One way of writing numbers."""

    decimal: str = "."
    thousands: str = ""
    sign: str = ""
    front: bool = False

    @property
    def example(self) -> str:
        number = f"1{self.thousands}234{self.decimal}5"
        if not self.sign:
            return number
        return f"{self.sign}{number}" if self.front else f"{number} {self.sign}"

    @cached_property
    def pattern(self) -> str:
        """What a value matches from end to end; Python and Arrow read it alike."""
        blank, divider = f"[{BLANKS}]?", DIVIDERS[self.thousands]
        groups = f"[1-9][0-9]{{0,2}}(?:[{re.escape(divider)}][0-9]{{3}})+|" if divider else ""
        point = re.escape(self.decimal)
        # No zeros in front, which are a key's and no quantity's.
        number = f"(?:(?:{groups}[1-9][0-9]*|0)(?:{point}[0-9]+)?|{point}[0-9]+)(?:[eE][+-]?[0-9]+)?"
        if not self.sign:
            return f"[+-]?{number}"
        sign = re.escape(self.sign)
        if self.front:
            return f"(?:[+-]?{sign}{blank}|{sign}{blank}[+-]){number}"
        return f"[+-]?{number}{blank}{sign}"

    def fits(self, text: str) -> bool:
        return re.fullmatch(self.pattern, text) is not None

    def parse(self, array: pa.Array, markers: Sequence[str] = MISSING_MARKERS) -> NDArray[np.float64]:
        """A column of text as float64 with NaN for missing values, or `MisfitError`."""
        import pyarrow as pa
        import pyarrow.compute as pc

        values = _matching(array, self, markers)
        # Sign by sign: several times as quick as one regular expression.
        for sign in self.sign + DIVIDERS[self.thousands].strip(BLANKS):
            values = pc.replace_substring(values, sign, "")
        if self.sign or self.thousands == " ":
            values = pc.replace_substring_regex(values, f"[{BLANKS}]", "")
        if self.decimal == ",":
            values = pc.replace_substring(values, ",", ".")
        bare = pc.utf8_ltrim(values, characters="+")
        return np.asarray(pc.cast(bare, pa.float64()).to_numpy(zero_copy_only=False), dtype=np.float64)


@dataclass(frozen=True)
class DateFormat:
    """One way of writing dates: the order of day, month and year, and what stands between them."""

    order: str
    between: str

    @property
    def example(self) -> str:
        return self.between.join({"d": "dd", "m": "mm", "y": "yyyy"}[part] for part in self.order)

    @cached_property
    def pattern(self) -> str:
        digits = {"d": "([0-9]{1,2})", "m": "([0-9]{1,2})", "y": "([0-9]{4})"}
        return re.escape(self.between).join(digits[part] for part in self.order) + _TIME

    def fits(self, text: str) -> bool:
        match = re.fullmatch(self.pattern, text)
        if match is None:
            return False
        parts = dict(zip(self.order, map(int, match.groups()[:3]), strict=True))
        try:
            date(parts["y"], parts["m"], parts["d"])
        except ValueError:
            return False
        time = [int(part) for part in (match[4] or "0").split(":")]
        return time[0] < 24 and max(time) < 60

    def parse(self, array: pa.Array, markers: Sequence[str] = MISSING_MARKERS) -> NDArray[np.float64]:
        """A column of text as days since 1970-01-01 with NaN for missing values, or `MisfitError`."""
        import pyarrow as pa
        import pyarrow.compute as pc

        values = _matching(array, self, markers)
        if pc.any(pc.not_equal(pc.binary_length(values), len(self.example))).as_py():
            values = pc.replace_substring_regex(values, r"\b([0-9])\b", r"0\1")
        year, month, day = (self.order.index(part) + 1 for part in "ymd")
        iso = pc.replace_substring_regex(values, f"^{self.pattern}$", rf"\{year}-\{month}-\{day} \4")
        try:
            stamps = pc.cast(pc.utf8_trim_whitespace(iso), pa.timestamp("us"))
        except pa.ArrowInvalid:  # such as the 30th of February
            raise first_misfit(clean(array, markers), self.fits) from None
        counts = days(stamps.cast(pa.int64()), "us")
        return np.asarray(counts.to_numpy(zero_copy_only=False), dtype=np.float64)


ValueFormat = NumberFormat | DateFormat


def _matching(array: pa.Array, written: ValueFormat, markers: Sequence[str]) -> pa.Array:
    """The column of text, cleaned if it has to be; `MisfitError` if a value of it is written otherwise."""
    import pyarrow.compute as pc

    pattern = f"^(?:{written.pattern})$"
    if pc.all(pc.match_substring_regex(array, pattern), min_count=0).as_py():
        return array
    cleaned = clean(array, markers)
    if pc.all(pc.match_substring_regex(cleaned, pattern), min_count=0).as_py():
        return cleaned
    raise first_misfit(cleaned, written.fits)


def parse_format(example: str) -> ValueFormat | None:
    """The way of writing that an example shows; None if it is none.

    Examples
    --------
    >>> parse_format("1.234,5 €")
    NumberFormat(decimal=',', thousands='.', sign='€', front=False)
    >>> parse_format("mm/dd/yyyy")
    DateFormat(order='mdy', between='/')
    """
    if _DATES.fullmatch(example):
        between = next(sign for sign in example if sign in "./-")
        return DateFormat("".join(part[0] for part in example.split(between)), between)
    match = _NUMBERS.fullmatch(example)
    if match is None or match["thousands"] == match["decimal"] or (match["front"] and match["back"]):
        return None
    sign = match["front"] or match["back"] or ""
    return NumberFormat(match["decimal"], match["thousands"], sign, bool(match["front"]))
