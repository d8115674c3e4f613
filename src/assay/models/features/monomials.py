r"""Products of columns: all monomials x_1^a x_2^b ... up to a degree, or only those of different columns.

Each product is one of a degree less times a column, so a row costs one multiplication for each product.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np

from assay.types import Array

Terms = list[tuple[int, ...]]


def count_terms(width: int, degree: int, *, powers: bool) -> int:
    """How many products of two columns or more there are; with `powers` a column may occur again.

    >>> count_terms(3, 2, powers=True), count_terms(3, 2, powers=False)
    (6, 3)
    """
    if powers:
        return comb(width + degree, degree) - 1 - width
    return sum(comb(width, d) for d in range(2, min(degree, width) + 1))


def terms(width: int, degree: int, *, powers: bool) -> Terms:
    """Columns of each product of two or more, by degree, then in the order of the columns.

    >>> terms(2, 2, powers=True)
    [(0, 0), (0, 1), (1, 1)]
    """
    choose = combinations_with_replacement if powers else combinations
    return [term for d in range(2, degree + 1) for term in choose(range(width), d)]


def products(X: Array, wanted: Terms) -> Array:
    """The products (N, terms); too large ones are infinite."""
    out = np.empty((len(X), len(wanted)), order="F")
    place: dict[tuple[int, ...], int] = {}
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        for at, term in enumerate(wanted):
            place[term] = at
            before = X[:, term[0]] if len(term) == 2 else out[:, place[term[:-1]]]
            np.multiply(before, X[:, term[-1]], out=out[:, at])
    return out


def term_name(term: tuple[int, ...], names: Sequence[str]) -> str:
    """
    >>> term_name((0, 0, 2), ["a", "b", "c"])
    'a^2 c'
    """
    parts = []
    for column in dict.fromkeys(term):
        power = term.count(column)
        parts.append(names[column] if power == 1 else f"{names[column]}^{power}")
    return " ".join(parts)
