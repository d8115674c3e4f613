r"""Normal class densities: p(x | C_k) = N(x; μ_k, Σ_k), then Bayes.

    ln P(C_k | x) = ln P(C_k) - ½ ln det Σ_k - ½ (x - μ_k)ᵀ Σ_k⁻¹ (x - μ_k) + const

A covariance of its own for each class gives quadratic boundaries, a shared one linear boundaries; diagonal and
spherical ones need fewer rows. Use `blend` and `shrinkage` in between (Friedman, 1989).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from assay.decision.priors import log_priors
from assay.engines.local import thread_count
from assay.models.base.card import MOMENTS, POSTERIOR, ModelCard, Range
from assay.models.base.diagonal_form import diagonal_form
from assay.models.base.diagonal_leave_one_out import DiagonalLeaveOneOut
from assay.models.base.from_moments import LabelledRows, NormalClassifier
from assay.models.base.linear_boundary import LinearBoundaries
from assay.models.base.params import FLOOR, PRIORS, VARIANCE, Param
from assay.models.base.validation import feature_names, unequal_deviations
from assay.models.gaussian.covariance import (
    Rule,
    diagonal_linear_form,
    shared_densities,
    solve_linear,
    solve_quadratic,
)
from assay.models.gaussian.grid import Setting, solve_grid
from assay.models.gaussian.leave_one_out import FullLeaveOneOut
from assay.numerics.blas import single_threaded
from assay.numerics.linalg import whiten
from assay.sharing.forms import Diagonal, Linear, Quadratic, ScoreForm
from assay.sharing.moments.bases import Bases
from assay.statistics import Form, Moments
from assay.statistics.variances import LIKELIEST_FLOOR, LOG_2PI, Variances, deviations, variances
from assay.types import Array, PriorsLike

COVARIANCES = ("full", "shared", "diagonal", "shared_diagonal", "spherical", "shared_spherical")
GAUSSIAN = (
    Param(
        "covariance",
        "choice",
        "full",
        (
            'Shape of the class covariances. "shared" is linear discriminant analysis, "full" quadratic; '
            '"shared_spherical" with equal priors is the nearest class mean.'
        ),
        choices=COVARIANCES,
    ),
    Param(
        "blend",
        "float",
        1.0,
        (
            "Weight of a class's own covariance; the rest is the weight of the shared one. 1 uses the "
            "class covariances only."
        ),
        low=0.0,
        high=1.0,
        only_if=(("covariance", ("full", "diagonal", "spherical")),),
    ),
    Param(
        "shrinkage",
        "float",
        0.0,
        "Weight of a sphere of the same average variance that is mixed into each covariance.",
        low=0.0,
        high=1.0,
        only_if=(("covariance", ("full", "shared", "diagonal", "shared_diagonal")),),
    ),
    VARIANCE,
    PRIORS,
    FLOOR,
)


class GaussianClassifier(NormalClassifier, LinearBoundaries):
    """Classify by normal class densities with full, diagonal or spherical covariances, per class or shared.

    Attributes
    ----------
    classes_, class_count_, class_prior_, means_, covariance_, diagnostics_, statistics_
        `covariance_` is (K, D, D), or (D, D) when shared; diagonal and spherical ones are given as `var_` (K, D).
    coef_, intercept_
        If the boundaries are linear.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GaussianClassifier(covariance="shared").fit(X, y)
    >>> int((model.predict(X) != y).sum())
    3
    """

    params: ClassVar[tuple[Param, ...]] = GAUSSIAN

    def __init__(
        self,
        covariance: str = "full",
        *,
        blend: float = 1.0,
        shrinkage: float = 0.0,
        variance: str = "ml",
        priors: PriorsLike = "ml",
        variance_floor: float = 1e-9,
    ) -> None:
        self.covariance = covariance
        self.blend = blend
        self.shrinkage = shrinkage
        self.variance = variance
        self.priors = priors
        self.variance_floor = variance_floor

    @property
    def _structure(self) -> str:
        return self.covariance.removeprefix("shared_").replace("shared", "full")

    @property
    def _own(self) -> float:
        """Weight of each class's own covariance."""
        return 0.0 if self.covariance.startswith("shared") else self.blend

    def _rule(self) -> Rule:
        return Rule(self.variance, self._own, self.shrinkage, self.variance_floor)

    @property
    def moments_form(self) -> Form:
        if self._structure != "full":
            return "diagonal"
        return "pooled" if self._own == 0.0 else "full"

    def _variances(self, m: Moments) -> Variances:
        return variances(
            m,
            variance=self.variance,
            blend=self._own,
            spherical=self._structure == "spherical",
            shrinkage=self.shrinkage,
            floor=self.variance_floor,
        )

    def solve_moments(self, m: Moments) -> ScoreForm:
        log_prior = log_priors(self.priors, m.weight)
        if self._structure == "full":
            solve = solve_linear if self._own == 0.0 else solve_quadratic
            return solve(m, log_prior, self._rule())
        v = self._variances(m)
        if self._own > 0.0:
            return replace(diagonal_form(m, v, log_prior), trouble=v.trouble)
        roots = np.where(v.scale > 0, 1.0 / np.sqrt(v.values[:, 0]), 0.0)
        return replace(diagonal_linear_form(m, log_prior, roots), trouble=v.trouble)

    def has_basis(self) -> bool:
        return self._structure == "full"

    @classmethod
    def solve_grid(cls, models: Sequence[Self], m: Moments, priors: Array | None) -> Bases:
        settings = []
        for model in models:
            log_prior = log_priors(model.priors, m.weight)
            if priors is not None:
                with np.errstate(divide="ignore"):
                    log_prior = np.where(np.isfinite(log_prior), np.log(priors), -np.inf)
            settings.append(Setting(model._rule(), log_prior))
        return solve_grid(settings, m)

    def _keep(self, m: Moments, form: ScoreForm) -> None:
        self.means_ = m.mean
        for name in ("covariance_", "var_", "coef_", "intercept_"):
            self.__dict__.pop(name, None)
        rule = self._rule()
        if self._structure != "full":
            self.var_ = self._variances(m[None]).values[0]
        elif self._own == 0.0:
            self.covariance_ = rule.shrink(rule.shared(m), deviations(m[None])[0])
        else:
            scale = deviations(m[None])[0]
            self.covariance_ = rule.shrink(rule.of_classes(m), np.broadcast_to(scale, m.center.shape))
        if isinstance(form, Linear):
            self._keep_linear()
        if self._structure == "spherical":
            names = feature_names(self)
            self.diagnostics_ += unequal_deviations(deviations(m[None])[0], names)

    def _density_form(self) -> Diagonal | Quadratic:
        if not isinstance(self._score_form, Linear):
            return super()._density_form()
        m = self.statistics_.in_rows()[None]
        log_prior = log_priors(self.priors, m.weight)
        if self._structure != "full":
            return diagonal_form(m, self._variances(m), log_prior)
        with single_threaded():
            return shared_densities(m, log_prior, self._rule())

    def _joint_scores(self, X: NDArray[np.floating]) -> Array:
        return self._density_form().scores(X, threads=thread_count())

    def loo_moments(self, m: Moments, rows: LabelledRows) -> Array | None:
        if self._structure == "full":
            return FullLeaveOneOut(m, self.priors, self._rule()).scores(rows.X, rows.codes)
        spherical = self._structure == "spherical"
        fast = DiagonalLeaveOneOut(
            m, self.priors, self.variance, self._own, spherical, self.shrinkage, self.variance_floor
        )
        return fast.scores(rows.X, rows.codes)

    @property
    def n_parameters_(self) -> int:
        """Free parameters of the maximum-likelihood model: means, (co)variances and priors."""
        n_classes, width = self.means_.shape
        per_covariance = {"full": width * (width + 1) // 2, "diagonal": width, "spherical": 1}[
            self._structure
        ]
        sets = 1 if self._own == 0.0 else n_classes
        return int(n_classes * width + sets * per_covariance + self._prior_parameters())

    @property
    def log_likelihood_(self) -> float:
        """Joint log likelihood of the training rows at the maximum-likelihood fit of this covariance shape.

        Regularisation (blend, shrinkage, variance_floor) moves a model away from its maximum; the figure is that of
        the maximum, as AIC and BIC require. With blend=0 that is the maximum under one shared covariance.
        """
        blend = 0.0 if self._own == 0.0 else 1.0
        ml = GaussianClassifier(
            self.covariance, blend=blend, priors=self.priors, variance_floor=LIKELIEST_FLOOR
        )
        m = self.statistics_.in_rows()
        form = ml.moments_form
        m = m.pooled() if form == "pooled" and m.form == "full" else m
        seen = m.weight > 0
        width = int((deviations(m[None])[0] > 0).sum())
        constant = -0.5 * float(m.weight.sum()) * width * (LOG_2PI + 1.0)
        return (
            constant
            - 0.5 * float((m.weight * ml._log_determinants(m))[seen].sum())
            + self._label_log_likelihood()
        )

    def _log_determinants(self, m: Moments) -> Array:
        """ln det Σ_k of each class at the fit, (K,)."""
        scale = deviations(m[None])[0]
        if self._structure != "full":
            values = self._variances(m[None]).values[0]
            return np.asarray(np.where(scale > 0, np.log(values), 0.0).sum(axis=1))
        rule = self._rule()
        with single_threaded():
            covariances = [rule.shared(m)] if self._own == 0.0 else rule.of_classes(m)
            values = np.array(
                [whiten(covariance, scale, rule.floor).log_determinant for covariance in covariances]
            )
        return np.broadcast_to(values, m.n_classes)


CARDS = (
    ModelCard(
        name="nearest_mean",
        title="Nearest class mean",
        estimator=GaussianClassifier,
        family="gaussian",
        parameters=GAUSSIAN,
        encoding="onehot-reference",
        capabilities=MOMENTS,
        reading="one mean per class",
        interpretability="One mean per class; a row is assigned to the nearest, on standardised columns.",
        fixed={"covariance": "shared_spherical"},
        scaled=True,
    ),
    ModelCard(
        name="gaussian_shared",
        title="Gaussian, shared covariance",
        estimator=GaussianClassifier,
        family="gaussian",
        parameters=GAUSSIAN,
        encoding="onehot-reference",
        capabilities=MOMENTS,
        reading="sum over columns",
        interpretability="A weighted sum of the columns per class (linear discriminant analysis).",
        fixed={"covariance": "shared"},
        tuning=(Range("shrinkage", (0.3, 0.1, 0.03, 0.0)),),
        scaled=True,
    ),
    ModelCard(
        name="gaussian_full",
        title="Gaussian, covariance per class",
        estimator=GaussianClassifier,
        family="gaussian",
        parameters=GAUSSIAN,
        encoding="onehot-reference",
        capabilities=POSTERIOR | {"statistics"},
        reading="one ellipse per class",
        interpretability="One ellipse per class: means and covariances are interpretable, "
        "single contributions are not.",
        complexity=2,
        fixed={"covariance": "full"},
        tuning=(Range("shrinkage", (0.1, 0.0)), Range("blend", (0.1, 0.4, 1.0))),
        scaled=True,
    ),
)
