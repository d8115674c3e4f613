r"""Independent features: class scores are sums over features, so a feature more is a sum more.

    s_k(x) = ln P_k + Σ_j [ -½ ln 2πσ²_kj - (x_j - μ_kj)² / 2σ²_kj ]

The margins of every tested row, s_y - s_k for its class y, are kept for the chosen features; one pass adds each of the
other features to them and counts the rows that are right. Going back nothing is subtracted: the sums of the features
before and behind the one left out are added, so that no digits are lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.decision.priors import log_priors
from assay.engines.local import thread_count
from assay.models.normal import LOG_2PI, alike, alone_in, variances, with_means
from assay.selection.features.from_moments import MomentsJudge, Trained
from assay.selection.features.layout import SortedRows, listed
from assay.selection.features.task import Array, Chosen, Task

Flags = NDArray[np.bool_]


class SumsJudge(MomentsJudge):
    """Gaussian naive Bayes, and normal classes with diagonal covariances."""

    strategy = "sums over features"

    def __init__(self, task: Task, trained: Trained) -> None:
        super().__init__(task, trained)
        m, data = trained.moments, trained.data
        self.rows = SortedRows.of(trained.pairs, data)
        center, offset, _ = m.overall()
        self._center = center + offset
        self._x = self.rows.columns(data.X, self._center, task.n_jobs)
        self._start = self.rows.margins(log_priors(self.model.priors, m.weight))
        self._alike = alike(m)
        self._kinds = [self._parameters(np.zeros(m.weight.shape, dtype=bool))]
        if self._alike.any():
            self._kinds.append(self._parameters(np.ones(m.weight.shape, dtype=bool)))
        self._reset(self._status(()))

    def _parameters(self, all_alike: Flags) -> tuple[Array, Array, Array]:
        """Mean, half the precision and the constant of every split, feature and class, as the kernels take them.

        Where the rows of a class are alike in all features of the set, it borrows the shared variance.
        """
        m = self.trained.moments
        own = getattr(self.model, "_own", 1.0)
        floor, variance = self.model.variance_floor, self.model.variance
        alone = alone_in(m, all_alike, variance)
        v = variances(m, variance=variance, own=own, spherical=False, shrinkage=0.0, floor=floor, alone=alone)
        active = (v.scale > 0)[..., None, :]
        filled = with_means(m)
        mean = (filled.center - self._center[..., None, :]) + filled.offset
        half = np.where(active, 0.5 / v.values, 0.0)
        constant = np.where(active, -0.5 * (LOG_2PI + np.log(v.values)), 0.0)
        return tuple(np.ascontiguousarray(np.swapaxes(each, 1, 2)) for each in (mean, half, constant))  # type: ignore[return-value]

    # -- classes whose rows are alike -----------------------------------------------------------------------

    def _status(self, chosen: Sequence[int]) -> Flags:
        """Classes whose rows are alike in every feature of a set, (splits, K); False for the empty set."""
        columns = self.task.units.columns_of(chosen)
        if len(columns) == 0 or not self._alike.any():
            return np.zeros(self._alike.shape[:2], dtype=bool)
        return np.asarray(self._alike[..., columns].all(axis=-1))

    def _mixed(self, status: Flags) -> tuple[Array, Array, Array]:
        """Parameters under a status (splits, K), or one of each feature (splits, features, K)."""
        if not status.any():
            return self._kinds[0]
        borrowed = status[:, None, :] if status.ndim == 2 else status
        return tuple(np.where(borrowed, other, own) for own, other in zip(*self._kinds, strict=True))

    # -- the passes -----------------------------------------------------------------------------------------

    def _reset(self, status: Flags) -> None:
        self._margin, self._have, self._now = self._start.copy(), set[int](), status

    def _reach(self, chosen: Chosen) -> None:
        """The margins of the chosen features."""
        status = self._status(chosen)
        if not self._have <= set(chosen) or not np.array_equal(status, self._now):
            self._reset(status)
        more = [unit for unit in chosen if unit not in self._have]
        self._add(self._margin, status, more)
        self._have = set(chosen)

    def _add(self, margin: Array, status: Flags, units: Sequence[int]) -> None:
        if units:
            _, columns = listed([self.task.units.columns[unit] for unit in units])
            threads = thread_count(self.task.n_jobs)
            _core.add_normals(self.rows.given, self._x, *self._mixed(status), columns, threads, margin)

    def _hits(self, margin: Array, status: Flags, units: Sequence[int], without: bool) -> Array:
        start, columns = listed([self.task.units.columns[unit] for unit in units])
        hits, threads = np.empty(len(units)), thread_count(self.task.n_jobs)
        _core.try_normals(
            self.rows.given, self._x, *self._mixed(status), start, columns, without, margin, threads, hits
        )
        return hits

    def adding(self, chosen: Chosen, candidates: Sequence[int]) -> Array:
        if not self._countable:
            return super().adding(chosen, candidates)
        self._reach(chosen)
        status = self._now if chosen else self._single(candidates)
        losses = self._losses(self._hits(self._margin, status, candidates, False))
        return self._checked(losses, chosen, ((*chosen, unit) for unit in candidates))

    def dropping(self, chosen: Chosen, candidates: Sequence[int]) -> Array:
        if not self._countable or len(chosen) == 1:
            return super().dropping(chosen, candidates)
        status, margin = self._status(chosen), self._start.copy()
        tried = set(candidates)
        self._add(margin, status, [unit for unit in chosen if unit not in tried])
        losses = self._losses(self._hits(margin, status, candidates, True))
        return self._checked(losses, chosen, (tuple(u for u in chosen if u != unit) for unit in candidates))

    def _single(self, candidates: Sequence[int]) -> Flags:
        """The status of every feature when its unit is the whole set, (splits, features, K)."""
        status = np.zeros((self._alike.shape[0], self._alike.shape[2], self._alike.shape[1]), dtype=bool)
        if self._alike.any():
            for unit in candidates:
                status[:, self.task.units.columns[unit]] = self._status((unit,))[:, None, :]
        return status

    def _checked(self, losses: Array, chosen: Chosen, sets: Iterable[Chosen]) -> Array:
        """Sets in which another class borrows its variance are solved by themselves; else nobody needs to list them."""
        if chosen and self._alike.any():
            now = self._status(chosen)
            for place, other in enumerate(sets):
                if not np.array_equal(self._status(other), now):
                    losses[place] = self._solved(other).loss
        return losses
