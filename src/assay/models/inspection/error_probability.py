r"""P(error) of a fitted density model itself: how often its own rule is wrong if its densities are the truth.

    P(error) = Σ_k P(C_k) ∫_{x not decided as k} p(x | C_k) dx = E_x [ 1 - max_k P(C_k | x) ]

Normal classes on a line have regions between the roots of pairwise quadratics, and the integrals are values of the
normal distribution function. Two classes with one covariance are a line too: along their discriminant. Otherwise the
expectation is taken over rows drawn from the densities, class by class. A model that fits badly can be wrong far more
often than it believes: compare with `evaluate`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy.special import ndtr, softmax

from assay.models.base.estimators import GenerativeClassifier, check_is_fitted
from assay.models.base.from_moments import NormalClassifier
from assay.notes import Note
from assay.numerics.random_state import RandomState, as_seed
from assay.numerics.scalars import is_whole
from assay.sharing.forms import Diagonal, Linear
from assay.types import Array, PriorsLike

BLOCK = 1 << 20  # numbers in a block of drawn rows
FEWEST = 256  # rows of a block, however wide
REACH = 40.0  # deviations beyond which a normal tail is 0 in double precision


@dataclass(frozen=True)
class ErrorProbability:
    """P(error) of a density model under its own rule.

    Attributes
    ----------
    value, standard_error : float
        The error, and the uncertainty that drawing rows leaves in it (0 when exact).
    exact : bool
    confusion : (K, K)
        Probability that a row is of the class of the line and decided as the class of the column; sums to 1.
    """

    value: float
    standard_error: float
    exact: bool
    confusion: Array


def error_probability(
    model: Any, priors: PriorsLike = None, n_samples: int = 100_000, random_state: RandomState = 0
) -> ErrorProbability:
    """The error probability that the fitted densities of a model imply.

    Parameters
    ----------
    model : fitted GaussianClassifier, GaussianMixtureClassifier or naive Bayes model
        A multinomial model does not model the length of documents: they are drawn with the average length of the
        training documents. Rows are drawn without missing values.
    priors : array, optional
        Class prevalence, for the decisions and for the rows; that of the model when not given.
    n_samples : int
        Number of rows to draw if there is no exact solution.
    random_state : int, None, RandomState or Generator

    Returns
    -------
    ErrorProbability
        `value`, its `standard_error` (0 where it is exact), `exact` and the `confusion` probabilities.

    Examples
    --------
    >>> import numpy as np
    >>> from assay import BernoulliNB, GaussianClassifier
    >>> X = np.array([[-1.0], [1.0], [1.0], [3.0]])  # two unit Gaussians a distance 2 apart
    >>> model = GaussianClassifier("shared").fit(X, [0, 0, 1, 1])
    >>> round(error_probability(model).value, 4)
    0.1587
    >>> coins = BernoulliNB(smoothing=0.0).fit([[0], [0], [0], [1], [0], [1], [1], [1]], [0, 0, 0, 0, 1, 1, 1, 1])
    >>> drawn = error_probability(coins)  # each side shows up in a quarter of the wrong rows
    >>> round(drawn.value, 2), drawn.exact
    (0.25, False)
    """
    _check(model, n_samples)
    model = model if priors is None else model.with_priors(priors)
    strange = np.flatnonzero((model.class_prior_ > 0) & (model.class_count_ == 0))
    if len(strange):
        raise ValueError(Note("M111", label=model.classes_[strange[0]]))
    line = _as_line(model) if isinstance(model, NormalClassifier) else None
    if line is not None:
        confusion = _exact(*line, model.class_prior_)
        return ErrorProbability(_off_diagonal(confusion), 0.0, True, confusion)
    return _by_sampling(model, int(n_samples), np.random.default_rng(as_seed(random_state)))


def _check(model: Any, n_samples: int) -> None:
    if not isinstance(model, GenerativeClassifier) or not model.has_density:
        raise TypeError(Note("M112", kind=type(model).__name__))
    check_is_fitted(model)
    if not is_whole(n_samples, 2):
        raise ValueError(Note("M113", n_samples=n_samples))


def _as_line(model: NormalClassifier) -> tuple[Array, Array] | None:
    """Means and deviations of the classes on a line, where the problem is one-dimensional."""
    form = model._density_form()
    means = form.mean[0]
    if isinstance(form, Diagonal):
        roots = np.sqrt(form.precision[0])
    else:
        roots = np.diagonal(form.whitener[0], axis1=-2, axis2=-1)
    active = np.flatnonzero((roots > 0).any(axis=0))
    seen = roots[:, active].all(axis=1)  # a class without rows has no density; its prior is 0
    if len(active) <= 1:
        column = int(active[0]) if len(active) else 0
        deviation = 1.0 / np.where(seen & (len(active) > 0), roots[:, column], 1.0)
        return (means[:, column] if len(active) else np.zeros(len(means))), deviation
    if isinstance(model._score_form, Linear) and len(means) == 2:
        apart = means[1] - means[0]
        white = apart * roots[0] if isinstance(form, Diagonal) else apart @ form.whitener[0, 0]
        return np.array([0.0, float(np.linalg.norm(white))]), np.ones(2)
    return None


def _exact(mean: Array, deviation: Array, priors: Array) -> Array:
    """Confusion probabilities of normal classes on a line."""
    used = np.flatnonzero(priors > 0).tolist()
    with np.errstate(divide="ignore"):
        constant = np.log(priors) - np.log(deviation)
    crossings = [
        _crossings(mean[i], mean[j], deviation[i], deviation[j], constant[i] - constant[j])
        for i, j in combinations(used, 2)
    ]
    edges = np.unique(np.concatenate([np.empty(0), *crossings]))
    # Nearly equal deviations put a second crossing at 1e16, where no score has digits and no class has mass.
    edges = edges[(edges > (mean - REACH * deviation).min()) & (edges < (mean + REACH * deviation).max())]
    inner = 0.5 * (edges[1:] + edges[:-1])
    ends = edges[[0, -1]] + [-deviation.max(), deviation.max()] if len(edges) else mean[:1]
    points = np.sort(np.concatenate([inner, ends]))  # one point of each interval
    scores = constant - 0.5 * ((points[:, None] - mean) / deviation) ** 2
    winner = scores.argmax(axis=1)
    low, high = np.concatenate([[-np.inf], edges]), np.concatenate([edges, [np.inf]])
    mass = _between((low[:, None] - mean) / deviation, (high[:, None] - mean) / deviation)
    confusion = np.zeros((len(mean), len(mean)))
    np.add.at(confusion.T, winner, mass * priors)
    return confusion


def _crossings(m_i: float, m_j: float, s_i: float, s_j: float, constant: float) -> Array:
    """Where two weighted normal densities are equal: real roots of a quadratic, of t = x - m_i."""
    d = (m_j - m_i) / s_j
    a, b, c = 0.5 * (1.0 / s_j**2 - 1.0 / s_i**2), -d / s_j, 0.5 * d**2 + constant
    square = b * b - 4.0 * a * c
    if square < 0.0:
        return np.empty(0)
    q = -0.5 * (b + np.copysign(np.sqrt(square), b))  # no difference of nearly equal numbers
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        roots = np.array([np.divide(q, a), np.divide(c, q)])
    return np.asarray(m_i + roots[np.isfinite(roots)])


def _between(low: Array, high: Array) -> Array:
    """Normal probability of an interval; right tails by symmetry, where 1 - tail would lose them."""
    right = low > 0
    return np.asarray(np.where(right, ndtr(-low) - ndtr(-high), ndtr(high) - ndtr(low)))


def _by_sampling(
    model: GenerativeClassifier, n_samples: int, generator: np.random.Generator
) -> ErrorProbability:
    """Rows of each class in proportion to its prior; posteriors instead of hits, which vary less."""
    priors = model.class_prior_
    n_classes, block = len(priors), max(FEWEST, BLOCK // max(1, model.n_features_in_))
    confusion, square = np.zeros((n_classes, n_classes)), 0.0
    for k in np.flatnonzero(priors > 0).tolist():
        count = max(2, int(np.ceil(priors[k] * n_samples)))
        joint, doubts = np.zeros((n_classes, n_classes)), []
        for start in range(0, count, block):
            scores = model._drawn_scores(k, min(count - start, block), generator)
            posterior = softmax(scores, axis=1)
            np.add.at(joint.T, posterior.argmax(axis=1), posterior)
            doubts.append(1.0 - posterior.max(axis=1))
        confusion += priors[k] * joint / count
        square += priors[k] ** 2 * float(np.concatenate(doubts).var(ddof=1)) / count
    return ErrorProbability(_off_diagonal(confusion), float(np.sqrt(square)), False, confusion)


def _off_diagonal(confusion: Array) -> float:
    """The share that is wrong; added up, because 1 less the share that is right loses small ones."""
    return float(confusion[~np.eye(len(confusion), dtype=bool)].sum())
