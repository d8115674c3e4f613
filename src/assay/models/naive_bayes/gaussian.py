r"""Gaussian naive Bayes: features independent and normal given the class.

    ln P(C_k | x) = ln P(C_k) - Σ_j [ ½ ln 2πσ²_kj + (x_j - μ_kj)² / 2σ²_kj ] + const

Fast, hard to overfit, at home with few rows and many features; missing values are left out of the product.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from assay.decision.priors import log_priors
from assay.models.base.card import MOMENTS, ModelCard, Range
from assay.models.base.diagonal_form import diagonal_form
from assay.models.base.diagonal_leave_one_out import DiagonalLeaveOneOut
from assay.models.base.estimators import Tags
from assay.models.base.from_moments import LabelledRows, NormalClassifier
from assay.models.base.params import FLOOR, PRIORS, VARIANCE, Param
from assay.sharing.forms import Diagonal, ScoreForm
from assay.statistics import Form, Moments
from assay.statistics.variances import LIKELIEST_FLOOR, LOG_2PI, Variances, variances, with_means
from assay.types import Array, PriorsLike

GAUSSIAN_NB = (VARIANCE, PRIORS, FLOOR)


class GaussianNB(NormalClassifier):
    """Gaussian naive Bayes: features are independent and normal within each class.

    Attributes
    ----------
    classes_, class_count_, class_prior_, theta_, var_, diagnostics_, statistics_
        Means and variances, (K, D).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> int((GaussianNB().fit(X, y).predict(X) != y).sum())
    6
    """

    params: ClassVar[tuple[Param, ...]] = GAUSSIAN_NB
    missing_ok = True

    _score_form: Diagonal

    def __init__(
        self, *, variance: str = "ml", priors: PriorsLike = "ml", variance_floor: float = 1e-9
    ) -> None:
        self.variance = variance
        self.priors = priors
        self.variance_floor = variance_floor

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    @property
    def moments_form(self) -> Form:
        return "diagonal"

    def _variances(self, m: Moments) -> Variances:
        return variances(
            m, variance=self.variance, blend=1.0, spherical=False, shrinkage=0.0, floor=self.variance_floor
        )

    def solve_moments(self, m: Moments) -> Diagonal:
        v = self._variances(m)
        form = diagonal_form(with_means(m), v, log_priors(self.priors, m.weight), marginal=True)
        return replace(form, trouble=v.trouble)

    def _keep(self, m: Moments, form: ScoreForm) -> None:
        self.theta_ = with_means(m).mean
        self.var_ = self._variances(m[None]).values[0]

    def loo_moments(self, m: Moments, rows: LabelledRows) -> Array | None:
        if m.present is not None:
            return None
        fast = DiagonalLeaveOneOut(m, self.priors, self.variance, 1.0, False, 0.0, self.variance_floor)
        return fast.scores(rows.X, rows.codes)

    @property
    def n_parameters_(self) -> int:
        """2KD + K - 1: means, variances, priors."""
        return 2 * self.theta_.size + self._prior_parameters()

    @property
    def log_likelihood_(self) -> float:
        """Joint log likelihood of the training rows at the maximum-likelihood fit, whatever the floor."""
        m = self.statistics_.in_rows()
        v = GaussianNB(variance_floor=LIKELIEST_FLOOR)._variances(m[None])
        varies = v.scale[0] > 0
        weight = m.feature_weight()[:, varies]
        densities = weight * (LOG_2PI + 1.0 + np.log(v.values[0][:, varies]))
        return float(-0.5 * densities.sum()) + self._label_log_likelihood()


CARDS = (
    ModelCard(
        name="gaussian_nb",
        title="Gaussian naive Bayes",
        estimator=GaussianNB,
        family="naive Bayes",
        parameters=GAUSSIAN_NB,
        encoding="onehot-flags",
        capabilities=MOMENTS | {"missing"},
        reading="sum over columns",
        interpretability="Columns are independent given the class: their contributions add up.",
        # A category that a class never shows has no variance there; the floor says how surprising it may be.
        tuning=(Range("variance_floor", (0.3, 0.1, 0.01, 1e-9)),),
    ),
)
