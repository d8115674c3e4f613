"""Tables of any finite numbers, and the sentence with which a model may refuse one."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

LABELS: list[list[Any]] = [[0, 1, 2, 3], ["d", "a", "c", "b"], [-5, 10**15, 3, 7], [0.0, 1.0, 2.0, -1.0]]
NUMBERS = [
    st.integers(-3, 3).map(float),  # ties, constant columns, equal rows
    st.floats(-1e6, 1e6, allow_nan=False),
    st.floats(-1e3, 1e3, width=32),
    st.sampled_from([0.0, -0.0, 1e-300, 1e-20, 1.0, 1e8, 1e100, -1e100]),
]


@st.composite
def tables(draw: Any, ordinary: bool = False) -> tuple[Any, Any, Any]:
    """A table of any finite numbers, labels of any type, and weights or None."""
    rows, width = draw(st.integers(2, 14)), draw(st.integers(1, 4))
    numbers = NUMBERS[0] if ordinary else draw(st.sampled_from(NUMBERS))
    X = draw(hnp.arrays(np.float64, (rows, width), elements=numbers))
    names = draw(st.sampled_from(LABELS))
    classes = draw(st.integers(2, 4))
    y = [names[k] for k in draw(st.lists(st.integers(0, classes - 1), min_size=rows, max_size=rows))]
    weight = draw(
        st.none() | hnp.arrays(np.float64, rows, elements=st.sampled_from([0.0, 0.25, 1.0, 2.0, 3.5]))
    )
    return (
        X.astype(draw(st.sampled_from([np.float64, np.float32])) if abs(X).max() < 1e30 else np.float64),
        y,
        weight,
    )


def told(error: Exception) -> None:
    text = str(error)
    assert text and "\n" not in text, text
    assert len(text) < 400, text
