r"""The multivariate normal distribution as a density of its own.

    ln p(x) = -½ [ D ln 2π + ln det Σ + (x - μ)ᵀ Σ⁻¹ (x - μ) ]

Mean and covariance are read off the moments of the rows: maximum likelihood (divisor N) or unbiased (N - 1).
Correlations are the covariances in units of the deviations (Anderson, *An Introduction to Multivariate
Statistical Analysis*, 3.2).
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from assay.engines.local import thread_count
from assay.models.base.column_notes import column_keys
from assay.models.base.estimators import DensityMixin, check_is_fitted
from assay.models.base.from_moments import UnlabelledModel
from assay.models.base.params import FLOOR, VARIANCE, Param
from assay.models.base.validation import check_rows, explain_rows, feature_names
from assay.models.gaussian.covariance import Rule
from assay.notes import Note
from assay.numerics.linalg import Whitening, whiten
from assay.numerics.random_state import RandomState, as_seed
from assay.numerics.scalars import is_whole
from assay.sharing.forms import Quadratic
from assay.statistics import Moments
from assay.statistics.variances import LIKELIEST_FLOOR, LOG_2PI, deviations, draw
from assay.types import Array, MatrixLike


class MultivariateNormal(DensityMixin, UnlabelledModel):
    """Fit a normal density to rows; it gives log densities, samples and correlations.

    Attributes
    ----------
    mean_ : (D,)
    covariance_, correlation_ : (D, D)
        A constant feature has correlation 0 with all others and is left out of the density.
    n_parameters_, log_likelihood_
        Of the maximum-likelihood fit, as AIC and BIC require.
    diagnostics_, statistics_

    Examples
    --------
    >>> import numpy as np
    >>> model = MultivariateNormal().fit(np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]]))
    >>> model.mean_.tolist(), model.covariance_.tolist()
    ([1.0, 1.0], [[1.0, 0.0], [0.0, 1.0]])
    >>> model.log_pdf([[1.0, 1.0]]).round(4).tolist()
    [-1.8379]
    """

    params: ClassVar[tuple[Param, ...]] = (
        VARIANCE,
        Param(
            "shrinkage",
            "float",
            0.0,
            "Weight of a sphere of the same average variance that is mixed into the covariance.",
            low=0.0,
            high=1.0,
        ),
        FLOOR,
    )

    def __init__(self, *, variance: str = "ml", shrinkage: float = 0.0, variance_floor: float = 1e-9) -> None:
        self.variance = variance
        self.shrinkage = shrinkage
        self.variance_floor = variance_floor

    def _lost_freedom(self) -> float:
        return 1.0 if self.variance == "unbiased" else 0.0

    def _learn(self, m: Moments) -> None:
        rule = Rule(self.variance, 0.0, self.shrinkage, self.variance_floor)
        scale = deviations(m[None])[0]
        self.mean_ = m.mean[0]
        self.covariance_ = rule.shrink(rule.shared(m), scale)
        self.correlation_ = _correlation(self.covariance_, scale)
        self._varies = scale > 0
        self._white = whiten(self.covariance_, scale, self.variance_floor)
        self.diagnostics_ = self._notes(self._white)

    def _notes(self, white: Whitening) -> tuple[Note, ...]:
        keys = column_keys(self)
        constant = tuple(Note("M309", column=keys[j]) for j in np.flatnonzero(~self._varies))
        if not white.floored:
            return constant
        return (*constant, Note("M310", singular=int(white.floored), n_columns=len(self.mean_)))

    def log_pdf(self, X: MatrixLike) -> Array:
        """Logarithm of the density at each row, (N,)."""
        check_is_fitted(self)
        rows = check_rows(self, X, reset=False)
        constant = -0.5 * (self._white.log_determinant + LOG_2PI * int(self._varies.sum()))
        form = Quadratic(
            self.mean_[None, None],
            self._white.whitener[None, None],
            np.full((1, 1), constant),
            triangular=True,
        )
        logs = form.scores(rows, threads=thread_count())[:, 0]
        if not np.isfinite(logs).all():
            raise explain_rows(feature_names(self), rows) or ValueError(Note("M106"))
        return logs

    def pdf(self, X: MatrixLike) -> Array:
        """Density at each row, (N,)."""
        return np.asarray(np.exp(self.log_pdf(X)))

    def score_samples(self, X: MatrixLike) -> Array:
        """The same as `log_pdf`, under scikit-learn's name."""
        return self.log_pdf(X)

    def score(self, X: MatrixLike, y: ArrayLike | None = None) -> float:
        """Mean log density of the rows."""
        return float(self.log_pdf(X).mean())

    def sample(self, n_samples: int = 1, random_state: RandomState = None) -> Array:
        """Rows drawn from the density, (n_samples, D); the same for the same integer `random_state`."""
        check_is_fitted(self)
        if not is_whole(n_samples, 1):
            raise ValueError(Note("M105", n_samples=n_samples))
        noise = np.random.default_rng(as_seed(random_state)).standard_normal((n_samples, len(self.mean_)))
        return draw(self.mean_, self._white.whitener, noise)

    @property
    def n_parameters_(self) -> int:
        """D means and D(D+1)/2 covariances."""
        width = len(self.mean_)
        return width + width * (width + 1) // 2

    @property
    def log_likelihood_(self) -> float:
        """Log likelihood of the training rows at the maximum-likelihood fit."""
        m = self.statistics_.in_rows()
        scale, count = deviations(m[None])[0], float(m.weight[0])
        ml = whiten(m.scatter / count, scale, LIKELIEST_FLOOR)
        return -0.5 * count * (int((scale > 0).sum()) * (LOG_2PI + 1.0) + ml.log_determinant)


def _correlation(covariance: Array, scale: Array) -> Array:
    """Covariances in units of the deviations; 1 on the diagonal, 0 beside constant features."""
    root = np.where(scale > 0, np.sqrt(np.diag(covariance)), np.inf)
    out = np.clip(covariance / root[:, None] / root[None, :], -1.0, 1.0)
    np.fill_diagonal(out, 1.0)
    return out
