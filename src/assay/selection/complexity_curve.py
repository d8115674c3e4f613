"""Complexity curves: training and validation error as a model grows more complex, from under- to over-fitted.

A setting is *about right* if its validation error is within one standard error of the least; of the others those
before the least are *under-fitted* and those after it *over-fitted*. The training error falls all the way and does not
show it (Bishop, *Pattern Recognition and Machine Learning*, 1.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from assay.data.labels import features_and_labels
from assay.engines.local import LocalEngine
from assay.engines.progress import ShowProgress as Progress
from assay.models.base.estimators import clone
from assay.models.base.keywords import explained
from assay.notes import Note
from assay.notes.numbers import in_digits
from assay.plans.foreign import PlanLike
from assay.selection.criteria import least, within_one_se
from assay.selection.evaluate import evaluations, plan_of, study_of
from assay.selection.evaluation import Evaluation
from assay.selection.parameter_grid import parameter_grid
from assay.sharing.settings import Settings
from assay.sharing.splits import with_training
from assay.sharing.study import Study
from assay.types import Array, MatrixLike, RowClassifier

if TYPE_CHECKING:
    from assay.charts.drawing import Drawing

UNDER, RIGHT, OVER = "under-fitted", "about right", "over-fitted"


@dataclass(frozen=True, eq=False)
class ComplexityCurve:
    """Training and validation error of one hyperparameter, from the simplest model to the most complex.

    Attributes
    ----------
    parameter : str
    values : list
        Values of the hyperparameter, the simplest model first.
    training : (S,)
        Training error of each setting, mean over the splits.
    validation, standard_errors : (S,)
        Cross-validated error of each setting, and its standard error.
    evaluations : list of Evaluation
        Behind the validation errors.
    """

    parameter: str
    values: list[object]
    training: Array
    validation: Array
    standard_errors: Array
    evaluations: list[Evaluation]

    @property
    def best(self) -> int:
        """Place of the least validation error, the simplest of equals."""
        return least(self.validation)

    @property
    def simplest(self) -> int:
        """Place of the simplest setting that is about right."""
        return self.labels.index(RIGHT)

    @property
    def right(self) -> list[bool]:
        """Whether each setting is about right."""
        mask: list[bool] = within_one_se(self.validation, self.standard_errors).tolist()
        return mask

    @property
    def labels(self) -> tuple[str, ...]:
        """What each setting is: "under-fitted", "about right" or "over-fitted"."""
        best = self.best
        return tuple(
            RIGHT if fits else UNDER if place < best else OVER for place, fits in enumerate(self.right)
        )

    def chart(self) -> Drawing:
        """The picture: shown by a notebook, and kept by ``save("curve.svg")`` (or .png, .html, .json)."""
        from assay.charts.complexity import complexity_drawing  # loads Altair, which only a picture needs

        return complexity_drawing(self)

    def __repr__(self) -> str:
        at = self.best
        return (
            f"ComplexityCurve({self.parameter}={self.values[at]!r} of {len(self.values)} values; validation error "
            f"{self.validation[at]:.4f}, training error {self.training[at]:.4f})"
        )

    def __str__(self) -> str:
        heads = (self.parameter, "training", "validation", "")
        lines = [
            (in_digits(value, 4), f"{train:.4f}", f"{test:.4f}", label)
            for value, train, test, label in zip(
                self.values, self.training, self.validation, self.labels, strict=True
            )
        ]
        width = max(len(line[0]) for line in (heads, *lines))
        return "\n".join(f"{a:<{width}}  {b:>8}  {c:>10}  {d}".rstrip() for a, b, c, d in (heads, *lines))


@explained
def complexity_curve(
    model: RowClassifier,
    X: MatrixLike,
    y: ArrayLike,
    plan: PlanLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
    **ranges: object,
) -> ComplexityCurve:
    """Training and validation error along one hyperparameter: where a model is under-fitted, where over-fitted.

    Parameters
    ----------
    model : estimator or pipeline
    X, y, plan, sample_weight, groups, n_jobs, progress
        As in `evaluate`; the plan's tests must be folds.
    **ranges
        One hyperparameter with its values, the simplest model first: ``l2=path(20)``, ``max_depth=range(1, 12)``, or
        ``basisexpansion__degree=[1, 2, 3]`` of a pipeline's step.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from assay import KFold, complexity_curve
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> curve = complexity_curve(tree, X, y, KFold(5), max_depth=[1, 2, 3, 8])
    >>> curve.labels[0], float(curve.training[-1])
    ('under-fitted', 0.0)
    """
    if len(ranges) != 1:
        raise ValueError(Note("S075", n_ranges=len(ranges)))
    X, y = features_and_labels(X, y)
    grid, plan = parameter_grid(model, X, y, ranges), plan_of(plan)
    study = study_of(X, y, plan, sample_weight, groups, LocalEngine(n_jobs, progress))
    if study.splits.row_by_row or study.splits.copies.max() > 1:
        raise ValueError(Note("S076", kind=type(plan).__name__))
    models = [clone(model).set_params(**setting) for setting in grid]
    results = evaluations(Settings.of(models), Study(study.dataset, with_training(study.splits)), plan)
    return ComplexityCurve(
        parameter=next(iter(ranges)),
        values=[value for setting in grid for value in setting.values()],
        training=_training_errors(results),
        validation=np.array([result.error for result in results]),
        standard_errors=np.array([result.loss_standard_error for result in results]),
        evaluations=results,
    )


def _training_errors(evaluations: list[Evaluation]) -> Array:
    """Error of each model on the rows that it was fitted to, a mean over the splits."""
    errors = []
    for result in evaluations:
        seen, n_splits = result.training, result.n_splits
        assert seen is not None and seen.rows is not None
        weight = np.ones(len(seen.rows)) if result.weight is None else result.weight[seen.rows]
        wrong = np.bincount(seen.split, weight * (seen.predicted != result.codes[seen.rows]), n_splits)
        errors.append(float((wrong / np.bincount(seen.split, weight, n_splits)).mean()))
    return np.array(errors)
