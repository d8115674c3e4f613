r"""Gaussian mixtures: the density of each class is a sum of normal components, then Bayes.

    p(x | C_k) = Σ_b P(b | C_k) N(x; μ_b, Σ_b),    P(C_k | x) ∝ P(C_k) p(x | C_k)

For classes that are not a single ellipse: one that lies on both sides of another, or that has several subtypes.
Components are found by EM from starts of k-means. With one component per class this is `GaussianClassifier` (McLachlan
and Peel, *Finite Mixture Models*; Hastie and Tibshirani, 1996, for classification).
"""

from __future__ import annotations

import copy
import warnings
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import solve_triangular

from assay.decision.priors import class_priors, estimates_priors, log_priors
from assay.engines.local import thread_count
from assay.models.base.card import POSTERIOR, ModelCard, Range
from assay.models.base.estimators import GenerativeClassifier, check_is_fitted
from assay.models.base.params import FLOOR, PRIORS, Param
from assay.models.base.stored import INPUT, NOTES, SHARES, Field
from assay.models.base.suitability import no_numbers
from assay.models.base.validation import check_training, check_two_classes, unequal_deviations
from assay.models.mixture.component_notes import component_notes
from assay.models.mixture.em_starts import MixtureOptions, parameters
from assay.models.mixture.per_class import learn, mixture_problem
from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.numerics.random_state import RandomState, as_seed
from assay.numerics.scalars import is_whole
from assay.sharing.forms import Diagonal, Quadratic, normalize
from assay.solvers.component_shapes import whitened
from assay.statistics.variances import LOG_2PI
from assay.types import Array, MatrixLike, PriorsLike, RowWeights

SHAPES = ("full", "diagonal", "spherical", "tied")
GAUSSIAN_MIXTURE = (
    Param(
        "n_components",
        "components",
        2,
        'Number of components per class; "bic" selects it for each class, up to `max_components`.',
        was="n_blobs",
    ),
    Param(
        "covariance",
        "choice",
        "full",
        'Covariance of the components; "tied": one for all components of a class.',
        choices=SHAPES,
    ),
    Param(
        "shared",
        "choice",
        "none",
        (
            "Separate components for each class; or components of all rows, with other proportions in "
            "every class."
        ),
        choices=("none", "all"),
    ),
    Param(
        "max_components",
        "int",
        5,
        "Most components of a class.",
        low=1,
        was="max_blobs",
        only_if=(("n_components", ("bic",)),),
    ),
    Param("n_starts", "int", 3, "Starts by k-means; the best after a few steps is continued.", low=1),
    Param("max_iter", "int", 200, "Most steps of EM.", low=1),
    Param(
        "tol", "float", 1e-4, "EM stops when the log likelihood per row gains less.", low=0.0, was="tolerance"
    ),
    PRIORS,
    # Lower ones would let the density of a few equal rows outweigh everything else.
    replace(FLOOR, default=1e-6, low=1e-9),
    Param("random_state", "seed", 0, "Seed of the starts."),
)


class GaussianMixtureClassifier(GenerativeClassifier):
    """Classify by class densities that are mixtures of normal components.

    Attributes
    ----------
    classes_, class_count_, class_prior_, diagnostics_
    n_components_ : (K,) number of components per class
    shares_ : (K, B) proportion of each component in each class; sorted by class, the largest first
    means_ : (B, D)
    covariances_ : (B, D, D), or variances_ : (B, D) of diagonal and spherical components
    n_iter_, history_ : steps of EM, and (T,) log likelihood Σ ln p(x | class) after each step; it never falls
    n_parameters_, log_likelihood_ : for AIC and BIC

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[-3.0], [-2.5], [-2.0], [-0.5], [0.0], [0.5], [2.0], [2.5], [3.0]])
    >>> y = ["out", "out", "out", "in", "in", "in", "out", "out", "out"]
    >>> model = GaussianMixtureClassifier(n_components=2).fit(X, y)
    >>> model.n_components_.tolist(), model.predict([[-2.2], [0.1], [2.7]]).tolist()
    ([1, 2], ['out', 'in', 'out'])
    >>> model.diagnostics_
    ('Class in has 3 distinct rows, too few for 2 components; it has 1.',)
    """

    params: ClassVar[tuple[Param, ...]] = GAUSSIAN_MIXTURE
    stored: ClassVar[tuple[Field, ...]] = (
        *INPUT,
        Field("classes_", "labels", ("K",)),
        Field("class_count_", "amounts", ("K",)),
        SHARES,
        Field("scale_", "amounts", ("D",)),
        Field("shares_", "amounts", ("K", "B")),
        Field("means_", "numbers", ("B", "D")),
        Field("covariances_", "numbers", ("B", "D", "D"), optional=True),  # of crossed shapes
        Field("variances_", "amounts", ("B", "D"), optional=True),  # of the others
        Field("history_", "numbers", ("T",)),
        NOTES,
    )
    covariances_: Array
    variances_: Array

    def __init__(
        self,
        n_components: Any = 2,
        *,
        covariance: str = "full",
        shared: str = "none",
        max_components: int = 5,
        n_starts: int = 3,
        max_iter: int = 200,
        tol: float = 1e-4,
        priors: PriorsLike = "ml",
        variance_floor: float = 1e-6,
        random_state: RandomState = 0,
    ) -> None:
        self.n_components = n_components
        self.covariance = covariance
        self.shared = shared
        self.max_components = max_components
        self.n_starts = n_starts
        self.max_iter = max_iter
        self.tol = tol
        self.priors = priors
        self.variance_floor = variance_floor
        self.random_state = random_state

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights = None) -> Self:
        """Find the components.

        Parameters
        ----------
        X : array (N, D)
            float64 or float32.
        y : array (N,)
            Labels of any type.
        sample_weight : array (N,), optional
            How many rows each one counts for.
        """
        self._check_params()
        data = check_training(self, X, y, sample_weight)
        check_two_classes(data)
        with single_threaded():
            problem = mixture_problem(data, self.covariance)
            options = MixtureOptions(
                self.covariance,
                float(self.variance_floor),
                int(self.n_starts),
                int(self.max_iter),
                float(self.tol),
                as_seed(self.random_state),
                data.X.shape[1],
            )
            mixture = learn(
                problem, self.n_components, int(self.max_components), self.shared == "all", options
            )
        self.classes_, self.class_count_ = data.classes, problem.counts
        self.class_prior_ = np.array(class_priors(self.priors, problem.counts))
        self.scale_, self.shares_, self.means_ = problem.scale, mixture.shares, mixture.means
        for name in ("covariances_", "variances_"):
            self.__dict__.pop(name, None)
        setattr(self, "covariances_" if mixture.covariances.ndim == 3 else "variances_", mixture.covariances)
        self.history_ = mixture.history
        self.diagnostics_ = component_notes(self, mixture)
        if self.covariance == "spherical":
            self.diagnostics_ += unequal_deviations(self.scale_, data.names)
        self._restored()
        return self

    @property
    def n_components_(self) -> NDArray[np.intp]:
        """Components of each class, (K,)."""
        return np.asarray((self.shares_ > 0).sum(axis=1))

    @property
    def n_blobs_(self) -> NDArray[np.intp]:
        """The old name of `n_components_`."""
        note = Note("M504", type(self).__name__, name="n_blobs_", today="n_components_")
        warnings.warn(note, FutureWarning, stacklevel=2)
        return self.n_components_

    @property
    def n_iter_(self) -> int:
        """Steps of EM, of the class that took most."""
        return len(self.history_)

    def _restored(self) -> None:
        """What follows from shares, means and covariances: how rows are scored."""
        active = np.flatnonzero(self.scale_ > 0)
        flat = -0.5 * LOG_2PI * len(active)
        if hasattr(self, "variances_"):
            values = self.variances_[:, active]
            precision = np.zeros(self.variances_.shape)
            precision[:, active] = 1.0 / values
            bias = flat - 0.5 * np.log(values).sum(axis=1)
            self._form: Diagonal | Quadratic = Diagonal(self.means_[None], precision[None], bias[None])
            return
        unit = self.scale_[active]
        whiteners, bias = np.zeros(self.covariances_.shape), np.empty(len(self.means_))
        for b, covariance in enumerate(self.covariances_):
            inner = covariance[np.ix_(active, active)] / unit[:, None] / unit[None, :]
            _, whitener, log_determinant, _ = whitened(inner, 0.0)
            whiteners[b][np.ix_(active, active)] = whitener / unit[:, None]
            bias[b] = flat - 0.5 * log_determinant - np.log(unit).sum()
        self._form = Quadratic(self.means_[None], whiteners[None], bias[None], triangular=True)

    # -- densities ----------------------------------------------------------------------------------------

    def _class_scores(self, X: NDArray[np.floating]) -> Array:
        return self._given_class(X) + log_priors(self.priors, self.class_count_)

    def _given_class(self, X: NDArray[np.floating]) -> Array:
        """ln p(x | class), (N, K)."""
        densities = self._form.scores(X, threads=thread_count())
        out = np.full((len(X), len(self.classes_)), -np.inf)
        for k, shares in enumerate(self.shares_):
            components = np.flatnonzero(shares > 0)
            if len(components):
                out[:, k] = log_sums(densities[:, components] + np.log(shares[components]))
        return out

    def responsibilities(self, X: MatrixLike) -> Array:
        """P(component | x): how far each component answers for each row, whatever its class, (N, B)."""
        check_is_fitted(self)
        rows = self._read(X)
        with np.errstate(divide="ignore"):
            logs = np.log(self.class_prior_ @ self.shares_)
        scores = self._form.scores(rows, threads=thread_count()) + logs
        if normalize(scores, threads=thread_count())[1]:
            raise self._explain(rows)
        return np.asarray(np.exp(scores))

    def score_samples(self, X: MatrixLike) -> Array:
        """ln p(x) of each row, all classes together, (N,)."""
        return log_sums(self._checked_scores(X))

    def sample(self, n_samples: int = 1, random_state: RandomState = None) -> tuple[Array, NDArray[Any]]:
        """Rows drawn from the model and their classes; the same for the same integer `random_state`."""
        check_is_fitted(self)
        if not is_whole(n_samples, 1):
            raise ValueError(Note("M105", n_samples=n_samples))
        draw = np.random.default_rng(as_seed(random_state))
        present = np.where(self.class_count_ > 0, self.class_prior_, 0.0)
        codes = draw.choice(len(present), int(n_samples), p=present / present.sum())
        components = np.empty(len(codes), dtype=np.intp)
        for k in np.unique(codes):
            in_class = codes == k
            components[in_class] = draw.choice(len(self.means_), int(in_class.sum()), p=self.shares_[k])
        noise = draw.standard_normal((len(codes), self.means_.shape[1]))
        return self._moved(noise, components), np.asarray(self.classes_[codes])

    def _draw(self, k: int, count: int, generator: np.random.Generator) -> Array:
        components = generator.choice(len(self.means_), count, p=self.shares_[k])
        return self._moved(generator.standard_normal((count, self.means_.shape[1])), components)

    def _moved(self, noise: Array, components: NDArray[np.intp]) -> Array:
        """Standard normal rows as rows of their components."""
        if isinstance(self._form, Diagonal):
            return np.asarray(self.means_[components] + noise * np.sqrt(self.variances_[components]))
        out, active = self.means_[components], np.flatnonzero(self.scale_ > 0)
        for b in np.unique(components) if len(active) else ():
            rows = np.flatnonzero(components == b)
            inner = self._form.whitener[0, b][np.ix_(active, active)]  # W Wᵀ = Σ⁻¹
            out[np.ix_(rows, active)] += solve_triangular(inner, noise[np.ix_(rows, active)].T, trans="T").T
        return out

    # -- likelihood ---------------------------------------------------------------------------------------

    def with_priors(self, priors: PriorsLike) -> Self:
        """A copy of the fitted model under other class probabilities; nothing is refitted."""
        check_is_fitted(self)
        other = copy.copy(self)
        other.priors = priors
        other.class_prior_ = np.array(class_priors(priors, self.class_count_))
        return other

    @property
    def n_rows_(self) -> float:
        """Sum of the weights of the training rows."""
        return float(self.class_count_.sum())

    @property
    def n_parameters_(self) -> int:
        """Free parameters: shares, means and covariances of the components, and priors."""
        width = self.means_.shape[1]
        given = len(self.classes_) - 1 if estimates_priors(self.priors) else 0
        if self.shared == "all":
            present = int((self.class_count_ > 0).sum())
            return given + parameters(self.covariance, len(self.means_), width, present)
        return given + sum(parameters(self.covariance, int(n), width, 1) for n in self.n_components_ if n)

    @property
    def log_likelihood_(self) -> float:
        """Joint log likelihood of the training rows and their labels."""
        seen = self.class_count_ > 0
        labels = (self.class_count_[seen] * np.log(self.class_prior_[seen])).sum()
        return float(self.history_[-1] + labels)


def log_sums(scores: Array) -> Array:
    """ln Σ exp of each row, (N,), without overflow.

    >>> log_sums(np.array([[-1000.0, -1000.0], [0.0, -np.inf]])).round(4).tolist()
    [-999.3069, 0.0]
    """
    if scores.shape[1] == 1:
        return scores[:, 0]
    top = scores.max(axis=1)
    base = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(base + np.log(np.exp(scores - base[:, None]).sum(axis=1)))


CARDS = (
    ModelCard(
        name="gaussian_mixture",
        title="Gaussian mixtures",
        estimator=GaussianMixtureClassifier,
        family="mixture",
        parameters=GAUSSIAN_MIXTURE,
        encoding="onehot-reference",
        capabilities=POSTERIOR,
        reading="several ellipses per class",
        interpretability="A few ellipses per class: subtypes of a class are interpretable, "
        "single contributions are not.",
        complexity=2,
        # A lower floor lets components collapse onto categories that all of their rows share.
        defaults={"variance_floor": 0.01, "n_starts": 1},
        tuning=(Range("n_components", (1, 2, 4)), Range("covariance", ("diagonal", "full"))),
        unsuited=no_numbers,
    ),
)
