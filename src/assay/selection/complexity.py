"""Training against validation error as a model grows more complex: where it is under-fitted and where over-fitted.

A setting is *about right* if its validation error is within one standard error of the least; of the others those
before the least are *under-fitted* and those after it *over-fitted*. The training error falls all the way and knows
nothing of that (Bishop, *Pattern Recognition and Machine Learning*, 1.1).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.labels import features_and_labels
from assay.models.base import clone
from assay.models.keywords import explained
from assay.models.sharing import Tested
from assay.models.sparse import compressed_rows
from assay.models.validation import check_row_weight, encode
from assay.plans import Bootstrap, KFold, LeaveOneOut, Plan, as_plan
from assay.selection.criteria import least, within_one_se
from assay.selection.drawn import Drawn
from assay.selection.evaluation import Evaluation
from assay.selection.progress import Meter, Progress
from assay.selection.strategies.refit import Split, refit_scores
from assay.selection.tune import settings_of

Array = NDArray[np.float64]
UNDER, RIGHT, OVER = "under-fitted", "about right", "over-fitted"


@dataclass(frozen=True, eq=False)
class ComplexityCurve(Drawn):
    """One parameter from simple to complex.

    Attributes
    ----------
    parameter : str
    values : list
        Of the parameter, the simplest model first.
    training : (S,)
        Error on the rows that each model was fitted to, mean over the splits.
    validation, standard_errors : (S,)
        Error on rows it was not fitted to, and its standard error.
    evaluations : list of Evaluation
        Behind the validation errors.
    """

    parameter: str
    values: list[Any]
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
    def labels(self) -> tuple[str, ...]:
        """What each setting is: "under-fitted", "about right" or "over-fitted"."""
        right, best = within_one_se(self.validation, self.standard_errors), self.best
        return tuple(
            RIGHT if fits else UNDER if place < best else OVER for place, fits in enumerate(right.tolist())
        )

    def __repr__(self) -> str:
        at = self.best
        return (
            f"ComplexityCurve({self.parameter}={self.values[at]!r} of {len(self.values)} values; validation error "
            f"{self.validation[at]:.4f}, training error {self.training[at]:.4f})"
        )

    def __str__(self) -> str:
        heads = (self.parameter, "training", "validation", "")
        lines = [
            (f"{value:.4g}" if isinstance(value, float) else str(value), f"{train:.4f}", f"{test:.4f}", label)
            for value, train, test, label in zip(
                self.values, self.training, self.validation, self.labels, strict=True
            )
        ]
        width = max(len(line[0]) for line in (heads, *lines))
        return "\n".join(f"{a:<{width}}  {b:>8}  {c:>10}  {d}".rstrip() for a, b, c, d in (heads, *lines))


@explained
def complexity_curve(
    model: Any,
    X: Any,
    y: Any,
    plan: Any = None,
    *,
    sample_weight: Any = None,
    groups: Any = None,
    n_jobs: int | None = None,
    progress: Progress = None,
    **ranges: Any,
) -> ComplexityCurve:
    """Training and validation error along one parameter.

    Parameters
    ----------
    model : estimator or pipeline
    X, y, plan, sample_weight, groups, n_jobs, progress
        As in `evaluate`; the plan's tests must be folds.
    **ranges
        One parameter with its values, the simplest model first: ``l2=path(20)``, ``max_depth=range(1, 12)``, or
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
        raise ValueError(
            f"A complexity curve has one parameter and {len(ranges)} were given; name one, with values."
        )
    X, y = features_and_labels(X, y)
    settings = settings_of(model, X, y, ranges)
    task = _Task.of(X, y, plan, sample_weight, groups, n_jobs)
    parameter = next(iter(settings[0]))
    with Meter(len(settings) * len(task.splits), parameter, progress) as meter:
        found = [task.fitted(clone(model).set_params(**setting), meter) for setting in settings]
    evaluations = [evaluation for _, evaluation in found]
    return ComplexityCurve(
        parameter=next(iter(ranges)),
        values=[setting[parameter] for setting in settings],
        training=np.array([error for error, _ in found]),
        validation=np.array([each.error for each in evaluations]),
        standard_errors=np.array([each.loss_standard_error for each in evaluations]),
        evaluations=evaluations,
    )


@dataclass(frozen=True, eq=False)
class _Task:
    """The rows, and which of them each model is fitted to."""

    X: Any
    codes: NDArray[np.int32]
    classes: NDArray[Any]
    weight: Array | None
    plan: Plan
    splits: list[Split]
    n_jobs: int | None

    @classmethod
    def of(cls, X: Any, y: Any, plan: Any, sample_weight: Any, groups: Any, n_jobs: int | None) -> _Task:
        plan = KFold(10) if plan is None else as_plan(plan)
        if isinstance(plan, LeaveOneOut | Bootstrap):
            raise ValueError(
                f"{type(plan).__name__} takes single rows; use folds, such as KFold(10), or a hold-out."
            )
        codes, classes = encode(y)
        X = compressed_rows(X)
        rows = X.shape[0] if hasattr(X, "shape") else len(X)
        if rows != len(codes):
            raise ValueError(f"X has {rows} rows and y has {len(codes)}: give one label for each row.")
        partitions = plan.partitions(codes, groups)
        splits = [(p.train_rows(f), p.test_rows(f)) for p in partitions for f in range(p.n_folds)]
        return cls(X, codes, classes, check_row_weight(sample_weight, rows), plan, splits, n_jobs)

    def fitted(self, model: Any, meter: Meter) -> tuple[float, Evaluation]:
        """Mean training error over the splits, and the evaluation on the tested rows: both of the same fits."""
        start = time.perf_counter()
        both = [(train, np.concatenate([train, test])) for train, test in self.splits]
        scored, probabilistic = refit_scores(
            model, self.X, self.codes, self.classes, both, self.weight, self.n_jobs, meter.advance
        )
        assert scored.rows is not None
        seen = np.concatenate(
            [np.repeat([True, False], [len(train), len(test)]) for train, test in self.splits]
        )
        rows = scored.rows[~seen]
        tested = Tested(
            rows,
            scored.split[~seen],
            scored.scores[~seen],
            scored.predicted[~seen],
            scored.priors,
            scored.notes,
        )
        evaluation = Evaluation(
            name=type(model).__name__,
            classes=self.classes,
            codes=self.codes,
            weight=self.weight,
            tested=tested,
            probabilistic=probabilistic,
            n_splits=len(self.splits),
            strategy="refit",
            seconds=time.perf_counter() - start,
            plan=self.plan,
            notes=scored.notes,
        )
        return self._training_error(scored, seen), evaluation

    def _training_error(self, scored: Tested, seen: NDArray[np.bool_]) -> float:
        """Error on the rows fitted to, a mean over the splits."""
        assert scored.rows is not None
        rows, split = scored.rows[seen], scored.split[seen]
        weight = np.ones(len(rows)) if self.weight is None else self.weight[rows]
        wrong = np.bincount(split, weight * (scored.predicted[seen] != self.codes[rows]), len(self.splits))
        return float((wrong / np.bincount(split, weight, len(self.splits))).mean())
