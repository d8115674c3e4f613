r"""Bias and variance of a classifier's error, from predictions of the same rows by models of different training sets.

With p_k(x) the proportion of the models that predict class k for row x, tested without it, and y the class of x,

    error(x) = 1 - p_y = bias²(x) + variance(x),
    bias²(x) = ½ Σ_k ([k = y] - p_k)² - correction,    variance(x) = ½ (1 - Σ_k p_k²) + correction

R models show less variance than there is: the correction, ½ (1 - Σ_k p_k²) / (R - 1), makes both unbiased, so that
bias² of a single row may be below 0 (Kohavi and Wolpert, *Bias plus variance decomposition for zero-one loss
functions*, ICML 1996). Noise, the error of the best rule, is part of bias².
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.engines.progress import ShowProgress as Progress
from assay.notes import Note
from assay.plans import RandomSubsampling
from assay.plans.foreign import PlanLike
from assay.selection.evaluate import evaluate, several_models
from assay.selection.evaluation import Evaluation
from assay.types import Array, Index, MatrixLike, ModelsLike

if TYPE_CHECKING:
    from assay.charts.drawing import Drawing


@dataclass(frozen=True, eq=False)
class BiasVariance:
    """The error of a model and its parts.

    Attributes
    ----------
    error : float
        Mean over rows of how often each was misclassified: bias plus variance.
    bias, variance : float
        The squared bias, with the noise; and the variance over training sets.
    rows : (M,)
        Rows that at least two models have tested; the others do not count.
    row_bias, row_variance : (M,)
        Of each of them.
    evaluation : Evaluation
        The tests behind it.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import KFold, PriorClassifier, bias_variance
    >>> bias_variance(PriorClassifier(), *load_iris(return_X_y=True), KFold(5, repeats=3)).error
    0.6666666666666666
    """

    error: float
    bias: float
    variance: float
    rows: Index
    row_bias: Array
    row_variance: Array
    evaluation: Evaluation

    def chart(self) -> Drawing:
        """The picture, of all rows and of those of each class; `draw` puts several models side by side."""
        from assay.charts.bias_variance import (
            bias_variance_drawing,
        )  # loads Altair, which only a picture needs

        found = self.evaluation
        parts = {"all rows": (self.bias, self.variance)}
        for k, label in enumerate(found.classes.tolist()):
            of_class = found.codes[self.rows] == k
            if of_class.any():
                parts[f"class {label}"] = _means(found, self.rows, self.row_bias, self.row_variance, of_class)
        return bias_variance_drawing(parts, "class")

    def __repr__(self) -> str:
        return (
            f"BiasVariance(error {self.error:.4f} = bias {self.bias:.4f} + variance {self.variance:.4f}; "
            f"{len(self.rows)} rows)"
        )


def bias_variance(
    model: ModelsLike,
    X: MatrixLike,
    y: ArrayLike,
    plan: PlanLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> Any:
    """Bias and variance of the error, by fits to many training sets.

    Parameters
    ----------
    model : estimator, list or dict of estimators
        As in `evaluate`.
    X, y, sample_weight, groups, n_jobs, progress
        As in `evaluate`.
    plan : plan, default RandomSubsampling(0.3, repeats=50)
        A scheme that tests rows several times: random subsampling, repeated folds or the bootstrap.

    Returns
    -------
    BiasVariance, or a dict of them by name for a list or dict of models.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from assay import GaussianClassifier, bias_variance
    >>> models = {"shared": GaussianClassifier("shared"), "full": GaussianClassifier("full")}
    >>> parts = bias_variance(models, *load_breast_cancer(return_X_y=True))
    >>> parts["full"].variance > parts["shared"].variance  # more parameters, less stable
    True
    """
    plan = RandomSubsampling(0.3, repeats=50) if plan is None else plan
    results = evaluate(
        model, X, y, plan, sample_weight=sample_weight, groups=groups, n_jobs=n_jobs, progress=progress
    )
    if not several_models(model):
        return _parts(results)
    assert isinstance(results, Mapping)
    return {name: _parts(result) for name, result in results.items()}


def _parts(evaluation: Evaluation) -> BiasVariance:
    """The decomposition of one evaluation."""
    n, K = len(evaluation.codes), len(evaluation.classes)
    cells = evaluation.rows * K + evaluation.predicted_codes
    counts = np.bincount(cells, minlength=n * K).reshape(n, K).astype(np.float64)
    tests = counts.sum(axis=1)
    rows = np.flatnonzero(tests > 1)
    if not len(rows):
        raise ValueError(Note("S255", kind=type(evaluation.plan).__name__))
    p = counts[rows] / tests[rows, None]
    truth = np.eye(K)[evaluation.codes[rows]]
    spread = 0.5 * (1.0 - (p**2).sum(axis=1))
    variance = spread * tests[rows] / (tests[rows] - 1.0)
    bias = 0.5 * ((truth - p) ** 2).sum(axis=1) - (variance - spread)
    mean_bias, mean_variance = _means(evaluation, rows, bias, variance, np.ones(len(rows), dtype=bool))
    return BiasVariance(mean_bias + mean_variance, mean_bias, mean_variance, rows, bias, variance, evaluation)


def _means(
    evaluation: Evaluation, rows: Index, bias: Array, variance: Array, among: NDArray[np.bool_]
) -> tuple[float, float]:
    """Means of both parts over some of the rows, by their weights."""
    weight = None if evaluation.weight is None else evaluation.weight[rows][among]
    return float(np.average(bias[among], weights=weight)), float(np.average(variance[among], weights=weight))


def draw_parts(results: Mapping[object, BiasVariance]) -> Drawing:
    """Bias and variance of several models side by side."""
    from assay.charts.bias_variance import bias_variance_drawing  # loads Altair

    return bias_variance_drawing(
        {str(name): (found.bias, found.variance) for name, found in results.items()}, "model"
    )
