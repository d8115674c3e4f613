"""Predictions against all pairs in exact arithmetic: similarities that are equal are told apart by the users' order."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from assay import Recommender

Array = np.ndarray[Any, Any]
Key = tuple[int, Fraction]


def table(seed: int, top: int) -> Array:
    """Whole numbers, few items: most similarities occur more than once."""
    draw = np.random.default_rng(seed)
    R = draw.integers(1, top + 1, (30, 6)).astype(float)
    R[draw.random(R.shape) < 0.3] = np.nan
    R[0] = [1, 2, np.nan, 1, 2, 2]
    return R


def closeness(a: Array, b: Array, kind: str) -> tuple[Key, float] | None:
    """What orders the critics, exactly, and the similarity; None without evidence."""
    both = ~np.isnan(a) & ~np.isnan(b)
    x, y = ([int(value) for value in each[both]] for each in (a, b))
    n = len(x)
    if kind == "euclidean":
        squares = sum((p - q) ** 2 for p, q in zip(x, y, strict=True))
        return None if n == 0 else ((0, Fraction(squares)), 1 / (1 + np.sqrt(squares)))
    cross = n * sum(p * q for p, q in zip(x, y, strict=True)) - sum(x) * sum(y)
    spread = [n * sum(p * p for p in each) - sum(each) ** 2 for each in (x, y)]
    if n < 2 or 0 in spread:
        return None
    square = Fraction(cross * cross, spread[0] * spread[1])
    if cross < 0 and square == 1:
        return None
    sign = (cross > 0) - (cross < 0)
    return (-sign, -sign * square), 1 + sign * float(np.sqrt(float(square)))


def predicted(R: Array, user: int, item: int, kind: str, k: int | None) -> float:
    """The mean weighted by similarity of the k nearest critics, the first of equal ones."""
    heard = [
        (*found, v)
        for v, critic in enumerate(R)
        if v != user and not np.isnan(critic[item]) and (found := closeness(R[user], critic, kind))
    ]
    near = sorted(heard, key=lambda each: (each[0], each[2]))[:k]
    if not near:
        return float(np.nanmean(R[:, item]))
    weight = np.array([similarity for _, similarity, _ in near])
    return float(weight @ R[[v for *_, v in near], item] / weight.sum())


@pytest.mark.parametrize("kind", ["euclidean", "pearson"])
@pytest.mark.parametrize("k", [1, 3, 8, None])
@pytest.mark.parametrize("top", [2, 5])
def test_of_equal_similarities_the_first_users_are_heard(kind: str, k: int | None, top: int) -> None:
    for seed in range(4):
        R = table(seed, top)
        model = Recommender(similarity=kind, n_neighbors=k).fit(R)
        users, items = np.nonzero(np.isnan(R))
        found = model.predict(
            [model.ratings_.users[u] for u in users], [model.ratings_.items[i] for i in items]
        )
        wanted = [predicted(R, int(u), int(i), kind, k) for u, i in zip(users, items, strict=True)]
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
