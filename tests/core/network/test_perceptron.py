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
        given = int(scores[0] >= 0) if len(W) == 1 else int(scores.argmax())
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
    mistakes = _core.network.perceptron_epoch(
        Z, codes, size, order if shuffled else None, 5.0, W, late, longest
    )
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
        _core.network.perceptron_epoch(**{**given, **change})


def lean(rng: np.random.Generator, count: int, width: int) -> tuple[Any, Any]:
    """Rows of few entries, their columns turned around, halved or doubled and shifted; the same in full."""
    X = rng.integers(1, 4, (count, width)) * (rng.random((count, width)) < 0.25).astype(float)
    filled = _core.base.fill_rows(
        X, None, None, None, np.arange(width), np.ones(width), np.ones(width), np.inf, X.size
    )
    assert filled is not None
    which, columns = np.sort(rng.choice(count, count // 2, replace=False)), np.arange(width)[::-2].copy()
    factor, shift = rng.choice([0.5, 1.0, 2.0], len(columns)), rng.integers(-2, 3, len(columns)).astype(float)
    Z = np.column_stack([(X[which][:, columns] - 1.0) * factor + shift, np.ones(len(which))])
    return _core.network.lean_rows(_core.base.map_filled(filled, which, columns, factor, shift)), Z


@pytest.mark.parametrize("classes", [1, 3])
@pytest.mark.parametrize("shuffled", [False, True])
def test_rows_of_few_entries_equal_the_same_rows_in_full(classes: int, shuffled: bool) -> None:
    """Small multiples of a quarter, so that sums are exact in any order."""
    rng = np.random.default_rng(classes)
    rows, Z = lean(rng, 120, 23)
    assert rows.shape == Z.shape
    codes = rng.integers(0, max(2, classes), 60).astype(np.int32)
    size = rng.integers(1, 4, 60).astype(float)
    W, late, longest = (np.zeros((classes, Z.shape[1])) for _ in range(3))
    V, later, run = W.copy(), late.copy(), longest.copy()
    base, out = np.empty(Z.shape[1] - 1), np.empty(60)
    rows.base(base)

    def whole(U: Any) -> Any:
        return np.column_stack([U[:, :-1] + U[:, -1:] * base, U[:, -1]])

    for epoch in range(3):
        order = rng.permutation(60) if shuffled else None
        mistakes = rows.epoch(codes, size, order, 5.0 * epoch, W, late, longest)
        assert (
            mistakes == _core.network.perceptron_epoch(Z, codes, size, order, 5.0 * epoch, V, later, run) > 5
        )
        for some, same in ((W, V), (late, later), (longest, run)):
            np.testing.assert_array_equal(whole(some), same)
    rows.scores(whole(W)[0], out)
    np.testing.assert_array_equal(out, Z @ V[0])


def test_scores_that_rounding_parts_are_equal() -> None:
    """0.1 + 0.2 - 0.3 is not 0 in binary numbers: of two classes the second wins all the same, of more the first."""
    Z, codes = np.array([[0.1], [0.2], [-0.3]]), np.array([1, 1, 1], dtype=np.int32)
    weights = -np.array([[1.0, 1.0, 1.0]])
    row, late, longest = np.ascontiguousarray(Z.T), np.zeros((1, 3)), np.zeros((1, 3))
    assert (row @ weights.T).item() < 0.0
    assert (
        _core.network.perceptron_epoch(row, codes[:1], np.ones(1), None, 0.0, weights, late, longest, 0.3)
        == 0
    )
    codes[0] = 0
    assert (
        _core.network.perceptron_epoch(row, codes[:1], np.ones(1), None, 0.0, weights, late, longest, 0.3)
        == 1
    )
    codes[0] = 1
    both = np.array([[1.0, 1.0, 0.0], [0.0, 0.0, -1.0]])  # the second is better by rounding
    row = np.array([[-0.1, -0.2, 0.3]]) * -1.0
    scores = both @ row[0]
    assert scores.argmax() == 0 and scores[0] > scores[1]
    swapped, late, longest = both[::-1].copy(), np.zeros((2, 3)), np.zeros((2, 3))
    assert (
        _core.network.perceptron_epoch(row, codes[:1], np.ones(1), None, 0.0, swapped, late, longest, 0.3)
        == 1
    )


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"which": np.array([4])}, "no such row"),
        ({"columns": np.array([0, 3])}, "no such column"),
        ({"columns": np.array([1, 1])}, "twice"),
        ({"factor": np.ones(3)}, "do not fit"),
    ],
)
def test_entries_that_do_not_fit(change: dict[str, Any], sentence: str) -> None:
    X = np.eye(4, 3)
    filled = _core.base.fill_rows(X, None, None, None, np.arange(3), np.zeros(3), np.ones(3), np.inf, 12)
    given = {"which": np.arange(4), "columns": np.arange(2), "factor": np.ones(2), "shift": np.zeros(2)}
    with pytest.raises(ValueError, match=sentence):
        _core.base.map_filled(filled, **{**given, **change})
