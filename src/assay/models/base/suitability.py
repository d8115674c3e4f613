"""For which tables a candidate is not tried, and why: one function per reason, called before any matrix is made."""

from __future__ import annotations

from collections.abc import Callable

from assay.data import Table
from assay.notes import Note

# The reason, or None where the candidate is tried; the argument is the table of the features.
Unsuited = Callable[[Table], Note | None]
MOST_PRODUCTS = 500  # of 31 columns; beyond, few tables have the rows that so many weights need


def products_unsuited(table: Table) -> Note | None:
    """Products need numbers to multiply, and grow with the square of their number.

    >>> from assay import read
    >>> products_unsuited(read({"age": [21.5, 30.0, 52.1]}))
    >>> products_unsuited(read({"sex": ["f", "m", "f"]})).code
    'M422'
    """
    numbers = sum(column.type == "numeric" for column in table.schema)
    if numbers == 0:
        return Note("M422")
    products = numbers * (numbers + 1) // 2
    if products > MOST_PRODUCTS:
        return Note("M423", n_columns=numbers, products=products, most=MOST_PRODUCTS)
    return None


def no_numbers(table: Table) -> Note | None:
    """Mixture components need numbers; codes of categories lie on the corners of a cube.

    >>> from assay import read
    >>> no_numbers(read({"age": [21.5, 30.0, 52.1], "sex": ["f", "m", "f"]}))
    >>> no_numbers(read({"sex": ["f", "m", "f"]})).code
    'M424'
    """
    if any(column.type in ("numeric", "date") for column in table.schema):
        return None
    return Note("M424")


KIND_OF_TYPE = {
    "numeric": "numbers",
    "date": "numbers",
    "categorical": "levels",
    "binary": "levels",
    "text": "texts",
}


def single_kind(table: Table) -> bool:
    """Whether a model of all kinds of columns would only repeat one of a single kind.

    >>> from assay import read
    >>> single_kind(read({"age": [21.5, 30.0, 52.1], "sex": ["f", "m", "f"]}))
    False
    >>> single_kind(read({"age": [21.5, 30.0, 52.1], "size": [1.8, 1.6, 1.7]}))
    True
    """
    return len({KIND_OF_TYPE[column.type] for column in table.schema if column.type in KIND_OF_TYPE}) < 2
