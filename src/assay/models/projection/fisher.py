r"""Fisher's discriminant: directions along which class means lie far apart, measured in spread within the classes.

    J(w) = (wᵀ S_b w) / (wᵀ S_w w),    S_b v = λ S_w v,    S_b = Σ n_k (μ_k - μ)(μ_k - μ)ᵀ

There are at most K-1 such directions; two classes have one, w ∝ S_w⁻¹(μ₊ - μ₋). Scaled so that the covariance
within classes is the identity, they give a view of the data, and a classifier: the nearest mean in that space,
with log priors. With all directions that is the shared-covariance Gaussian, with fewer its reduced-rank version
(Hastie, Tibshirani, Friedman, *The Elements of Statistical Learning*, 4.3.3).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from assay.decision.priors import log_priors
from assay.models.base.card import MOMENTS, ModelCard
from assay.models.base.estimators import Tags
from assay.models.base.from_moments import LabelledRows, NormalClassifier
from assay.models.base.linear_boundary import LinearBoundaries
from assay.models.base.params import FLOOR, PRIORS, VARIANCE, Param
from assay.models.projection.base import Projection, fix_signs, widened
from assay.models.projection.fisher_leave_one_out import FisherLeaveOneOut, within_divisor
from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.numerics.linalg import Whitening, whiten
from assay.sharing.forms import Linear, ScoreForm
from assay.statistics import AffineMap, Form, Moments
from assay.statistics.solve_diagnostics import SolveDiagnostics, no_difficulties
from assay.statistics.variances import LIKELIEST_FLOOR, LOG_2PI, between_root, deviations
from assay.types import Array, Labels, PriorsLike

# Means that agree along a direction to this share of the widest one differ there by rounding only.
NO_SPREAD = 1e-12
FISHER = (
    Param(
        "n_components",
        "int",
        None,
        "Number of directions, at most K-1 and at most D; None uses all.",
        low=1,
        optional=True,
    ),
    PRIORS,
    replace(VARIANCE, default="unbiased"),
    FLOOR,
)


@dataclass(frozen=True)
class Directions:
    """Directions of one group, best first: columns of `scalings` (D, r); `spread` is λ of each, times N."""

    scalings: Array
    spread: Array
    within: Whitening


@dataclass(frozen=True)
class FisherForm(Linear):
    """G solved models and their directions."""

    directions: tuple[Directions, ...]


class FisherDiscriminant(NormalClassifier, LinearBoundaries, Projection):
    """Fisher's linear discriminant, as a projection and as a classifier.

    Attributes
    ----------
    scalings_ : (D, q)
        Directions; along each the variance within classes is 1. The largest standardised loading is positive.
    explained_variance_ratio_ : (q,)
        Proportion of each direction in the trace of S_w⁻¹S_b.
    eigenvalues_ : (q,)
        λ of S_b v = λ S_w v: the ratio J of each direction, of the scatter between classes to that within.
    xbar_ : (D,)
        Mean of all rows, the origin of `transform`.
    classes_, class_count_, class_prior_, means_, coef_, intercept_, diagnostics_, statistics_

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = FisherDiscriminant().fit(X, y)
    >>> model.explained_variance_ratio_.round(4).tolist()
    [0.9912, 0.0088]
    >>> model.transform(X).shape, int((model.predict(X) != y).sum())
    ((150, 2), 3)
    """

    params: ClassVar[tuple[Param, ...]] = FISHER
    has_density = (
        False  # a rule in the space of the directions; the shared-covariance Gaussian is its density
    )

    def __init__(
        self,
        n_components: int | None = None,
        *,
        priors: PriorsLike = "ml",
        variance: str = "unbiased",
        variance_floor: float = 1e-9,
    ) -> None:
        self.n_components = n_components
        self.priors = priors
        self.variance = variance
        self.variance_floor = variance_floor

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # Fewer directions than the classes need confuse some of them: that is what was asked for.
        assert tags.classifier_tags is not None
        tags.classifier_tags.poor_score = self.n_components is not None
        return tags

    @property
    def moments_form(self) -> Form:
        return "pooled"

    def _width(self, m: Moments) -> int:
        """Number of directions q."""
        most = min(m.n_classes - 1, m.n_features)
        return most if self.n_components is None else min(int(self.n_components), most)

    def _learn(self, classes: Labels, m: Moments) -> Self:
        most = min(m.n_classes - 1, m.n_features)
        if self.n_components is not None and self.n_components > most:
            raise ValueError(
                Note(
                    "M180",
                    n_components=self.n_components,
                    n_classes=m.n_classes,
                    n_features=m.n_features,
                    most=most,
                )
            )
        return super()._learn(classes, m)

    def solve_moments(self, m: Moments) -> FisherForm:
        scale = deviations(m)
        directions = tuple(
            _directions(m[g], scale[g], self.variance, self.variance_floor) for g in range(len(scale))
        )
        scalings = np.stack([widened(one.scalings, self._width(m)) for one in directions])
        center, offset, away = m.overall()
        white = away @ scalings
        weights = white @ np.swapaxes(scalings, -1, -2)
        bias = log_priors(self.priors, m.weight) - 0.5 * (white**2).sum(axis=-1)
        floored = np.array([[one.within.floored] for one in directions])
        clean = no_difficulties(*m.center.shape)
        trouble = SolveDiagnostics(m.weight == 0, clean.borrowed, floored, scale == 0)
        return FisherForm(center + offset, weights, bias, directions, trouble=trouble)

    def _keep(self, m: Moments, form: ScoreForm) -> None:
        assert isinstance(form, FisherForm)
        directions, width = form.directions[0], self._width(m)
        self.means_ = m.mean
        self.xbar_ = form.center[0]
        self.scalings_ = widened(directions.scalings, width)
        shares = directions.spread / max(float(directions.spread.sum()), np.finfo(np.float64).tiny)
        self.explained_variance_ratio_ = widened(shares[None, :], width)[0]
        if len(directions.spread) < width:
            self.diagnostics_ += (
                Note("M316", rank=len(directions.spread), zero=width - len(directions.spread)),
            )
        self._keep_linear()

    @property
    def eigenvalues_(self) -> Array:
        """λ of S_b v = λ S_w v for each direction, in units of the scatters S_b = Σ n_k (μ_k - μ)(μ_k - μ)ᵀ and S_w."""
        m = self.statistics_.in_rows()
        between = m.weight @ ((self.means_ - self.xbar_) @ self.scalings_) ** 2
        return np.asarray(between / within_divisor(m, self.variance))

    def _projection(self) -> tuple[Array, Array]:
        return self.xbar_, self.scalings_

    def fold_map(self, m: Moments) -> AffineMap:
        """The projection that each group's training moments give."""
        center, offset, _ = m.overall()
        scale, width = deviations(m), self._width(m)
        directions = [
            _directions(m[g], scale[g], self.variance, self.variance_floor) for g in range(len(scale))
        ]
        matrix = np.stack([widened(one.scalings, width) for one in directions])
        return AffineMap(center + offset, np.zeros((len(directions), width)), matrix=matrix)

    def _joint_scores(self, X: NDArray[np.floating]) -> Array:
        """What means vary along the directions left out is covariance there, as in `log_likelihood_`."""
        m, q = self.statistics_.in_rows(), self.scalings_.shape[1]
        scale = deviations(m[None])[0]
        with single_threaded():
            directions = _directions(m, scale, self.variance, self.variance_floor)
            away = np.asarray(X, dtype=np.float64) - self.xbar_
            distance = ((away @ directions.within.whitener) ** 2).sum(axis=1)
            left_out = directions.spread[q:] / float(m.weight.sum())
            distance -= (away @ directions.scalings[:, q:]) ** 2 @ (left_out / (1.0 + left_out))
        volume = directions.within.log_determinant + float(np.log1p(left_out).sum())
        common = -0.5 * (distance + volume + LOG_2PI * int((scale > 0).sum()))
        return np.asarray(self._class_scores(X) + common[:, None])

    def loo_moments(self, m: Moments, rows: LabelledRows) -> Array | None:
        if rows.weight is not None:
            return None
        fast = FisherLeaveOneOut(m, self.priors, self.variance, self.variance_floor, self._width(m))
        return fast.scores(rows.X, rows.codes)

    @property
    def n_parameters_(self) -> int:
        """Means in a q-dimensional plane, one covariance, priors: D + q(D + K-1 - q) + D(D+1)/2 + K-1."""
        n_classes, width = self.means_.shape
        q = self.scalings_.shape[1]
        plane = width + q * (width + n_classes - 1 - q)
        return int(plane + width * (width + 1) // 2 + self._prior_parameters())

    @property
    def log_likelihood_(self) -> float:
        """Joint log likelihood of rows and labels at the maximum-likelihood fit of this number of directions.

        What the means vary along the directions left out becomes covariance: each adds ln(1 + λ) to the
        determinant, λ the eigenvalue of S_w⁻¹S_b.
        """
        m = self.statistics_.in_rows()
        scale, count = deviations(m[None])[0], float(m.weight.sum())
        with single_threaded():
            ml = _directions(m, scale, "ml", LIKELIEST_FLOOR)
        left_out = np.log1p(ml.spread[self.scalings_.shape[1] :] / count).sum()
        width = int((scale > 0).sum())
        density = width * (LOG_2PI + 1.0) + ml.within.log_determinant + float(left_out)
        return -0.5 * count * density + self._label_log_likelihood()


def _directions(m: Moments, scale: Array, variance: str, floor: float) -> Directions:
    """All directions of a single group: singular vectors of the whitened, weighted class means."""
    scatter, divisor = m.pooled().scatter, within_divisor(m, variance)
    within = whiten(scatter / divisor if divisor > 0 else np.zeros(scatter.shape), scale, floor)
    _, values, vectors = np.linalg.svd(between_root(m) @ within.whitener, full_matrices=False)
    most = max(int((m.weight > 0).sum()) - 1, 0)
    leading = np.flatnonzero((values > NO_SPREAD * values[0]) & (values > 0))[:most]
    scalings = within.whitener @ vectors[leading].T
    return Directions(fix_signs(scalings, scale), values[leading] ** 2, within)


CARDS = (
    ModelCard(
        name="fisher",
        title="Fisher's discriminant",
        estimator=FisherDiscriminant,
        family="projection",
        parameters=FISHER,
        encoding="onehot-reference",
        capabilities=MOMENTS,
        reading="directions, projection",
        interpretability="At most K-1 directions that separate the classes; can be drawn.",
    ),
)
