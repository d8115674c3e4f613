r"""Independent features: class scores are sums over features, so a feature more is a sum more.

    s_k(x) = ln P_k + Σ_j [ -½ ln 2πσ²_kj - (x_j - μ_kj)² / 2σ²_kj ]

The margins of every tested row, s_y - s_k for its class y, are kept for the chosen features; one pass adds each of the
other features to them and counts the rows that are right. Going back nothing is subtracted: the sums of the features
before and behind the one left out are added, so that no digits are lost.
"""

from __future__ import annotations

import numpy as np

from assay import _core
from assay.decision.priors import log_priors
from assay.models.gaussian.gaussian_classifier import GaussianClassifier
from assay.models.naive_bayes.gaussian import GaussianNB
from assay.selection.features.sorted_rows import SearchData
from assay.selection.features.stepwise import Moves
from assay.statistics.variances import LOG_2PI, alone_in, constant_in_class, variances, with_means
from assay.types import Array, Mask


class AdditiveScores:
    """Gaussian naive Bayes, and normal classes with diagonal covariances."""

    strategy = "sums over features"

    def __init__(self, model: GaussianNB | GaussianClassifier, data: SearchData) -> None:
        self.data, m = data, data.moments
        center, offset, _ = m.overall()
        self._x = data.rows.columns(data.X, center + offset, data.threads)
        self._start = data.rows.margins(log_priors(model.priors, m.weight))
        self._alike = constant_in_class(m) & (m.weight > 0)[..., None]
        v = variances(
            m,
            variance=model.variance,
            blend=getattr(model, "_own", 1.0),
            spherical=False,
            shrinkage=0.0,
            floor=model.variance_floor,
            alone=alone_in(m, np.zeros(m.weight.shape, dtype=bool), model.variance),
        )
        active, filled = (v.scale > 0)[..., None, :], with_means(m)
        mean = (filled.center - (center + offset)[..., None, :]) + filled.offset
        half = np.where(active, 0.5 / v.values, 0.0)
        constant = np.where(active, -0.5 * (LOG_2PI + np.log(v.values)), 0.0)
        self._terms = _by_feature(mean), _by_feature(half), _by_feature(constant)
        self._margin, self._have = self._start.copy(), set[int]()

    def hits(self, moves: Moves) -> Array:
        """Weight of the rows that are right in each subset; NaN for those that must be solved by themselves."""
        subset, features = set(moves.subset), moves.features
        leaving = features[0] in subset
        rest = subset.difference(features)
        if not self._have <= rest:
            self._margin, self._have = self._start.copy(), set()
        more = self.data.columns_of(sorted(rest - self._have))
        self._have = rest
        rows, threads, hits = self.data.rows.given, self.data.threads, np.empty(len(features))
        if len(more):
            _core.search.add_normals(rows, self._x, *self._terms, more, threads, self._margin)
        listed = self.data.listed(features)
        _core.search.try_normals(rows, self._x, *self._terms, *listed, leaving, self._margin, threads, hits)
        return np.where(self._borrowing(moves), np.nan, hits)

    def _borrowing(self, moves: Moves) -> Mask:
        """Subsets in which a class has rows that are alike in every feature: it borrows the variance of the others."""
        if not self._alike.any():
            return np.zeros(len(moves.features), dtype=bool)
        columns = [self.data.features.columns_of(subset) for subset in moves.subsets]
        return np.array([bool(self._alike[..., places].all(axis=-1).any()) for places in columns])


def _by_feature(values: Array) -> Array:
    """Values (splits, K, D) as the kernels take them, (splits, D, K)."""
    return np.ascontiguousarray(np.swapaxes(values, 1, 2))
