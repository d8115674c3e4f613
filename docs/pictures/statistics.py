"""Correct digits of a variance as the data move away from zero."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from assay.statistics import collect
from docs.pictures.style import BLUE, ORANGE, VERMILION, table

Array = NDArray[np.float64]
N = 1000
POWERS = range(15)
DIGITS = 16.0  # of a double; an error below that is drawn there


def one_pass(x: Array) -> float:
    """Assay's moments."""
    m = collect(x[:, None], np.zeros(len(x), dtype=np.int32), 1, form="diagonal")
    return float(m.scatter[0, 0] / m.weight[0])


def running(x: Array) -> float:
    """Welford's update, a row at a time."""
    mean = squares = 0.0
    for n, value in enumerate(x.tolist(), start=1):
        away = value - mean
        mean += away / n
        squares += away * (value - mean)
    return squares / len(x)


def textbook(x: Array) -> float:
    """Mean of the squares less the square of the mean."""
    return float(np.mean(x * x) - np.mean(x) ** 2)


METHODS: dict[str, tuple[Callable[[Array], float], str, str]] = {
    "one pass, as Assay does it": (one_pass, BLUE, "circle"),
    "mean and squares updated row by row": (running, ORANGE, "square"),
    "mean of squares less square of mean": (textbook, VERMILION, "triangle-up"),
}


def variance(x: Array) -> Fraction:
    """The variance without any rounding."""
    values = [Fraction(value) for value in x.tolist()]
    mean = sum(values, Fraction()) / len(values)
    return sum(((value - mean) ** 2 for value in values), Fraction()) / len(values)


def digits(found: float, exact: Fraction) -> float:
    """Correct decimal digits, from 0 to `DIGITS`."""
    error = abs(Fraction(found) - exact) / exact
    return DIGITS if error == 0 else float(min(DIGITS, max(0.0, -np.log10(float(error)))))


def measured() -> list[dict[str, Any]]:
    """Digits of each method at each distance from zero."""
    x = np.random.default_rng(0).normal(size=N)
    rows = []
    for k in POWERS:
        moved = x + 10.0**k
        exact = variance(moved)  # of the numbers as stored: what adding 10^k rounded away is nobody's fault
        rows += [
            {"power": k, "digits": digits(method(moved), exact), "method": name}
            for name, (method, _, _) in METHODS.items()
        ]
    return rows


def chart() -> Any:
    """A line a method."""
    names = list(METHODS)
    legend = alt.Legend(title=None, orient="top", symbolOpacity=1)
    return (
        alt.Chart(table(measured()))
        .mark_line(strokeWidth=2.2, point={"filled": True, "size": 65, "opacity": 1})
        .encode(
            x=alt.X(
                "power:Q",
                title="mean of the data, in standard deviations",
                axis=alt.Axis(values=list(POWERS), labelExpr="'1e' + datum.value"),
            ),
            y=alt.Y(
                "digits:Q",
                title="correct digits of the variance",
                scale=alt.Scale(domain=[0, 16]),
                axis=alt.Axis(values=[0, 4, 8, 12, 16], grid=True, gridColor="#E4E4E4"),
            ),
            color=alt.Color(
                "method:N",
                legend=legend,
                scale=alt.Scale(domain=names, range=[c for _, c, _ in METHODS.values()]),
            ),
            shape=alt.Shape(
                "method:N",
                legend=legend,
                scale=alt.Scale(domain=names, range=[s for _, _, s in METHODS.values()]),
            ),
        )
        .properties(width=620, height=260)
    )
