"""For which tables a candidate is not tried, and why: one function a reason, asked before any matrix is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# The sentence that is told, or None where the candidate is tried; the argument is the schema of the features.
Unsuited = Callable[[Any], str | None]
MOST_PRODUCTS = 500  # of 31 columns; beyond, few tables have the rows that so many weights need


def products_unsuited(schema: Any) -> str | None:
    """Products need numbers to multiply, and grow with the square of their number.

    >>> from assay.data import Column, Schema
    >>> products_unsuited(Schema((Column("age", "numeric"),)))
    >>> products_unsuited(Schema((Column("sex", "binary", ("f", "m")),)))
    'There is no numeric column whose square or products could be added.'
    """
    numbers = sum(column.type == "numeric" for column in schema)
    if numbers == 0:
        return "There is no numeric column whose square or products could be added."
    products = numbers * (numbers + 1) // 2
    if products > MOST_PRODUCTS:
        return (
            f"The {numbers} numeric columns have {products} squares and products, more than the {MOST_PRODUCTS} that "
            "are tried; drop columns, or fit it by name."
        )
    return None


def no_numbers(schema: Any) -> str | None:
    """Blobs are shapes of numbers; codes of levels lie on the corners of a cube.

    >>> from assay.data import Column, Schema
    >>> no_numbers(Schema((Column("age", "numeric"), Column("sex", "binary", ("f", "m")))))
    >>> no_numbers(Schema((Column("sex", "binary", ("f", "m")),)))
    'There is no column of numbers in which rows could form blobs.'
    """
    if any(column.type in ("numeric", "date") for column in schema):
        return None
    return "There is no column of numbers in which rows could form blobs."


KIND_OF_TYPE = {
    "numeric": "numbers",
    "date": "numbers",
    "categorical": "levels",
    "binary": "levels",
    "text": "texts",
}


def single_kind(schema: Any) -> bool:
    """Whether a model of all kinds of columns would only repeat one of a single kind.

    >>> from assay.data import Column, Schema
    >>> single_kind(Schema((Column("age", "numeric"), Column("note", "text"))))
    False
    >>> single_kind(Schema((Column("age", "numeric"), Column("day", "date"))))
    True
    """
    return len({KIND_OF_TYPE[column.type] for column in schema if column.type in KIND_OF_TYPE}) < 2
