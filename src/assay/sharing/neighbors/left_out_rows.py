r"""Leave-one-out behind scalers: the scales of all training sets at once, for rows whose neighbours leave no doubt.

The moments of all rows less one give the scale of every column without that row, but for rounding. Distances under it
differ by less than a factor from those that a fit measures. So wherever the k-th candidate is nearer than the next one
and than every row that is not listed by more than that, a fit has the same k neighbours, and their votes are the same.
The other rows, and votes that count by distances, need the fit's own digits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from assay.numerics.neighbors import Near
from assay.numerics.votes import Voters
from assay.sharing.dataset import Block
from assay.sharing.moments.row_by_row import DOWNDATE_LIMIT, single_rows
from assay.sharing.moments.training import Reading, whole
from assay.sharing.neighbors.query import NeighborQuery
from assay.sharing.protocols import offered
from assay.sharing.settings import model_of, steps_of
from assay.sharing.steps import TrainingStatistics, mapped, named, needs_extremes, unordered
from assay.types import Array, Codes, Floats, Index, Mask

CLOSE = 1e-8  # more than the relative error of distances under scales from moments less a row
BATCH_NUMBERS = 1 << 22


class LeftOutScales(NamedTuple):
    """What columns are multiplied by without each row, (N, D), and which of them have all their digits."""

    weights: Array
    sure: Mask


def left_out_scales(query: NeighborQuery, X: Floats) -> LeftOutScales | None:
    """The scales of all training sets but for rounding; None where digits matter or steps do more than scale."""
    study, steps = query.study, steps_of(query.longest)
    if not study.splits.row_by_row or any(rule != "uniform" for _, rule in query.votes):
        return None
    if unordered(steps) is not None or needs_extremes(steps) or any(_mixes(step) for step in steps):
        return None
    everyone = whole(study, Reading("diagonal"))
    block = Block(0, X, study.dataset.codes, None)
    out = LeftOutScales(np.zeros(X.shape), np.zeros(len(X), dtype=np.bool_))
    size = max(1, BATCH_NUMBERS // max(1, everyone.scatter.size))
    for start in range(0, len(X), size):
        rows = np.arange(start, min(start + size, len(X)))
        left, error = everyone[None].without(single_rows(block, everyone, rows, None))
        path = mapped(named(steps, study.dataset.names), TrainingStatistics(left.in_rows())).path
        if path is None or path.columns is None or path.scale is None:
            return None
        out.weights[np.ix_(rows, path.columns)] = path.scale
        out.sure[rows] = error.max(axis=-1) <= DOWNDATE_LIMIT
    return out


def _mixes(step: object) -> bool:
    return bool(offered(step, "mixes_features"))


def certain_votes(
    query: NeighborQuery, X: Floats, scales: LeftOutScales, near: Near, slack: float
) -> tuple[Codes, list[Array]]:
    """Tests of the rows whose neighbours leave no doubt, and their shares in every setting.

    near : candidates of every row, nearest first by a distance that none exceeds
    slack : what distances may be wrong by
    """
    test = query.study.splits.cell[0]
    rows_tested = np.flatnonzero(np.isin(test, query.tests) & scales.sure)
    size = max(1, BATCH_NUMBERS // (near.rows.shape[1] * X.shape[1]))
    parts = [
        _nearest(query, X, scales, near, slack, rows_tested[at : at + size])
        for at in range(0, len(rows_tested), size)
    ]
    if not parts:
        return np.zeros(0, dtype=np.int32), []
    sure = np.concatenate([part.sure for part in parts])
    rows, distances = (
        np.concatenate(arrays)[sure]
        for arrays in zip(*((part.near.rows, part.near.distances) for part in parts), strict=True)
    )
    data = query.study.dataset
    voters = Voters(data.codes, data.n_classes, None)
    shares, _ = model_of(query.longest).votes(voters, Near(rows, distances), query.votes, data.engine.threads)
    return test[rows_tested[sure]].astype(np.int32), shares


class _Nearest(NamedTuple):
    near: Near
    sure: Mask


def _nearest(
    query: NeighborQuery, X: Floats, scales: LeftOutScales, near: Near, slack: float, rows: Index
) -> _Nearest:
    """The k nearest candidates of these rows, and whether those of every setting are told from the next ones."""
    candidates = near.rows[rows]
    apart = (X[candidates].astype(np.float64) - X[rows][:, None, :]) * scales.weights[rows][:, None, :]
    distance = np.sqrt(np.einsum("nld,nld->nl", apart, apart))
    order = np.argsort(distance, axis=1, kind="stable")
    distance = np.take_along_axis(distance, order, axis=1)
    beyond = near.distances[rows, -1:]
    if candidates.shape[1] == len(X) - 1:  # nothing is left out of the list
        beyond = np.full(beyond.shape, np.inf)
    following = np.minimum(np.append(distance[:, 1:], beyond, axis=1), beyond)
    last = [int(k) - 1 for k, _ in query.votes]
    sure = (distance[:, last] * (1.0 + CLOSE) + slack < following[:, last] * (1.0 - CLOSE)).all(axis=1)
    nearest = np.take_along_axis(candidates, order, axis=1)[:, : query.k]
    lists = Near(np.ascontiguousarray(nearest), np.ascontiguousarray(distance[:, : query.k]))
    return _Nearest(lists, sure)
