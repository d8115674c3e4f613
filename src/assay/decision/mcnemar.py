"""McNemar's test: of the rows that exactly one of two classifiers gets wrong, does one get more than its half?

Rows that both get right, or both wrong, say nothing about which is better. Of the n = b + c others, b are wrong by the
one alone; if neither were better, b would be binomial with n tries and probability 1/2.
"""

from __future__ import annotations

from typing import NamedTuple

from scipy import special

from assay.notes import Note


class McNemar(NamedTuple):
    """Rows wrong by one alone and by the other alone, chi-square without correction, and the exact p-value."""

    one_alone: int
    other_alone: int
    chi_square: float
    p_value: float


def mcnemar(one_alone: int, other_alone: int) -> McNemar:
    """The exact two-sided binomial test, and (b - c)² / (b + c) beside it.

    Parameters
    ----------
    one_alone, other_alone : int
        Rows that only the one, and only the other, gets wrong.

    Examples
    --------
    Approval of a prime minister by the same people twice (Agresti, *Categorical Data Analysis*, 10.1):

    >>> test = mcnemar(150, 86)
    >>> round(test.chi_square, 2), round(test.p_value, 6)
    (17.36, 3.7e-05)
    """
    for name, count in (("one_alone", one_alone), ("other_alone", other_alone)):
        if int(count) != count or count < 0:
            raise ValueError(Note("L034", name=name, count=count))
    b, c = int(one_alone), int(other_alone)
    if b + c == 0:
        return McNemar(0, 0, 0.0, 1.0)
    tail = float(special.bdtr(min(b, c), b + c, 0.5))
    return McNemar(b, c, (b - c) ** 2 / (b + c), min(1.0, 2.0 * tail))
