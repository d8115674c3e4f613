"""For which tables a candidate is not tried, and why: one function per reason, called before any matrix is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assay.notes import Note

# The reason, or None where the candidate is tried; the argument is the schema of the features.
Unsuited = Callable[[Any], Note | None]
MOST_PRODUCTS = 500  # of 31 columns; beyond, few tables have the rows that so many weights need


def products_unsuited(schema: Any) -> Note | None:
    """Products need numbers to multiply, and grow with the square of their number.

    >>> from assay.data import Column, Schema
    >>> products_unsuited(Schema((Column("age", "numeric"),)))
    >>> products_unsuited(Schema((Column("sex", "binary", ("f", "m")),))).code
    'M422'
    """
    numbers = sum(column.type == "numeric" for column in schema)
    if numbers == 0:
        return Note("M422")
    products = numbers * (numbers + 1) // 2
    if products > MOST_PRODUCTS:
        return Note("M423", n_columns=numbers, products=products, most=MOST_PRODUCTS)
    return None


def no_numbers(schema: Any) -> Note | None:
    """Mixture components need numbers; codes of categories lie on the corners of a cube.

    >>> from assay.data import Column, Schema
    >>> no_numbers(Schema((Column("age", "numeric"), Column("sex", "binary", ("f", "m")))))
    >>> no_numbers(Schema((Column("sex", "binary", ("f", "m")),))).code
    'M424'
    """
    if any(column.type in ("numeric", "date") for column in schema):
        return None
    return Note("M424")


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
