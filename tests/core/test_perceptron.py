"""One pass of the perceptron's rule, against the rule written out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay import _core


def written_out(Z: Any, codes: Any, size: Any, order: Any, seen: float, W: Any, late: Any) -> tuple[int, Any]:
    mistakes, start, most, longest = 0, 0, -1, W.copy()
    for place, row in enumerate(order):
        scores = W @ Z[row]
        given = int(scores[0] > 0) if len(W) == 1 else int(scores.argmax())
        if given != codes[row]:
            if place - start > most:
                most, longest = place - start, W.copy()
            own = 0 if len(W) == 1 else codes[row]
            sign = 1.0 if len(W) > 1 or codes[row] == 1 else -1.0
            W[own] += sign * size[row] * Z[row]
            late[own] += sign * seen * size[row] * Z[row]
            if len(W) > 1:
                W[given] -= size[row] * Z[row]
                late[given] -= seen * size[row] * Z[row]
            mistakes, start = mistakes + 1, place + 1
        seen += size[row]
    return mistakes, W.copy() if len(order) - start > most else longest


@pytest.mark.parametrize("classes", [1, 3])
@pytest.mark.parametrize("shuffled", [False, True])
def test_equal_to_the_rule_written_out(classes: int, shuffled: bool) -> None:
    """Small whole numbers, so that sums are exact in any order."""
    rng = np.random.default_rng(classes)
    Z = rng.integers(-3, 4, (60, 11)).astype(float)
    codes = rng.integers(0, max(2, classes), 60).astype(np.int32)
    size = rng.integers(1, 4, 60).astype(float)
    order = rng.permutation(60) if shuffled else np.arange(60)
    W, late, longest = (np.zeros((classes, 11)) for _ in range(3))
    V, later = W.copy(), late.copy()
    mistakes = _core.perceptron_epoch(Z, codes, size, order if shuffled else None, 5.0, W, late, longest)
    assert (mistakes, longest.tolist()) == (
        (found := written_out(Z, codes, size, order, 5.0, V, later))[0],
        found[1].tolist(),
    )
    assert mistakes > 10 and np.array_equal(W, V) and np.array_equal(late, later)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"codes": np.array([0, 2], dtype=np.int32)}, "name a class"),
        ({"order": np.array([0, 2])}, "no such row"),
        ({"size": np.ones(3)}, "do not fit"),
        ({"late": np.zeros((1, 2))}, "do not fit"),
    ],
)
def test_arrays_that_do_not_fit(change: dict[str, Any], sentence: str) -> None:
    given = {
        "z": np.ones((2, 3)), "codes": np.array([0, 1], dtype=np.int32), "size": np.ones(2), "order": None,
        "seen": 0.0, "weights": np.zeros((1, 3)), "late": np.zeros((1, 3)), "longest": np.zeros((1, 3)),
    }  # fmt: skip
    with pytest.raises(ValueError, match=sentence):
        _core.perceptron_epoch(**{**given, **change})
