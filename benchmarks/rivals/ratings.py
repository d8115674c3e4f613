"""Predicted ratings by others: scikit-surprise, and a formulation in NumPy with the products done by BLAS.

scikit-surprise holds several matrices of all pairs of users, which for all of Jester is more memory than most machines
have: it is given some of the users, and its time taken to grow with the pairs of them, as its loops do.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
REACH = 4000  # nearest users among whom the formulation in NumPy looks first for those who rated an item


def surprise_absent() -> str:
    """Why scikit-surprise cannot be measured, or an empty text."""
    return "" if find_spec("surprise") else "scikit-surprise is not installed"


def surprise_errors(R: Array, fold: Array, k: int) -> dict[str, float]:
    """RMSE of the first fold by both similarities: correlation, and 1 / (1 + mean squared difference)."""
    surprise = import_module("surprise")
    users, items = np.nonzero(~np.isnan(R))
    train = fold != 0
    trainset = trainset_of(surprise, users[train], items[train], R[users[train], items[train]])
    test = [(int(u), int(i), float(R[u, i])) for u, i in zip(users[~train], items[~train], strict=True)]
    found = {}
    for name in ("msd", "pearson"):
        model = surprise.KNNBasic(k=k, sim_options={"name": name}, verbose=False).fit(trainset)
        found[name] = float(surprise.accuracy.rmse(model.test(test), verbose=False))
    return found


def trainset_of(surprise: Any, users: Array, items: Array, values: Array) -> Any:
    reader = surprise.Reader(rating_scale=(float(values.min()), float(values.max())))
    raw = [(*each, None) for each in zip(users.tolist(), items.tolist(), values.tolist(), strict=True)]
    return surprise.Dataset(reader).construct_trainset(raw)


def numpy_predictions(R: Array, train: Array, asked: list[Array], k: int) -> dict[str, Array]:
    """What the k nearest say of the items that the first users ask for; `train` is R with the others left out."""
    there = ~np.isnan(train)
    M, X = there.astype(np.float64), np.where(there, train, 0.0)
    some = len(asked)
    m, x = M[:some], X[:some]
    n, ab, a, b = m @ M.T, x @ X.T, x @ M.T, m @ X.T
    aa, bb = (x * x) @ M.T, m @ (X * X).T
    with np.errstate(invalid="ignore", divide="ignore"):
        near = np.where(n > 0, 1 / (1 + np.sqrt(np.maximum(aa + bb - 2 * ab, 0))), 0.0)
        r = (n * ab - a * b) / np.sqrt((n * aa - a * a) * (n * bb - b * b))
    alike = np.where(np.isfinite(r), 1 + r, 0.0)
    found = {}
    for name, similarity in (("euclidean", near), ("pearson", alike)):
        np.fill_diagonal(similarity, 0.0)
        parts = []
        for u, items in enumerate(asked):
            order = np.argsort(-similarity[u], kind="stable")
            order = order[: np.count_nonzero(similarity[u])]
            for reach in (order[:REACH], order):
                rated = there[np.ix_(reach, items)]
                if len(reach) == len(order) or (rated.sum(axis=0) >= k).all():
                    break
            heard = np.where(rated & (np.cumsum(rated, axis=0) <= k), similarity[u, reach][:, None], 0.0)
            parts.append((heard * X[np.ix_(reach, items)]).sum(axis=0) / heard.sum(axis=0))
        found[name] = np.concatenate(parts)
    return found
