"""Learning curves: the error of a model against the size of its training set, tested on the same folds.

The rows stand in a fixed random order, classes in proportion and folds in turn. At proportion q, the training set of a
fold is what the first q of all rows hold of the other folds: smaller sets lie inside larger ones, and folds share
their pieces, so that one pass over the data serves every fold of every size for models solved from moments.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay import _core
from assay.data.labels import features_and_labels
from assay.decision import Interval, LossLike, LossMatrix
from assay.engines.local import LocalEngine
from assay.engines.progress import ShowProgress as Progress
from assay.models.base.keywords import explained
from assay.notes import Note
from assay.numerics.random_state import RandomState, as_seed
from assay.plans import UNUSED, Partition, Plan
from assay.plans.foreign import PlanLike
from assay.selection.evaluate import (
    dataset_of,
    decision_of,
    description,
    evaluation_of,
    named_models,
    plan_of,
    several_models,
)
from assay.selection.evaluation import Evaluation
from assay.sharing.dispatch import solve
from assay.sharing.reductions import AllParts, AllScores, Part
from assay.sharing.settings import Settings
from assay.sharing.splits import Splits, joined, pieces
from assay.sharing.study import Study
from assay.types import Array, Codes, Mask, MatrixLike, ModelsLike, PriorsLike

if TYPE_CHECKING:
    from assay.charts.drawing import Drawing

SIZES = 8
LEAST_SHARE = 1 / 32  # of the smallest size, unless asked otherwise


@dataclass(frozen=True, eq=False)
class LearningCurve:
    """The cross-validated error of one model at every size of its training set.

    Attributes
    ----------
    name : str
    rows : (S,)
        Rows of the training set, mean over the splits.
    evaluations : list of Evaluation
        One per size; the last one trains on all rows of the training sets.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import GaussianNB, learning_curve
    >>> curve = learning_curve(GaussianNB(), *load_iris(return_X_y=True), sizes=[0.1, 0.3, 1.0])
    >>> curve.rows.tolist(), curve.errors.round(3).tolist()
    ([13.5, 40.5, 135.0], [0.08, 0.053, 0.053])
    """

    name: str
    rows: Array
    evaluations: list[Evaluation]

    @property
    def errors(self) -> Array:
        """Error at each size."""
        return np.array([evaluation.error for evaluation in self.evaluations])

    @property
    def losses(self) -> Array:
        """Mean loss at each size."""
        return np.array([evaluation.mean_loss() for evaluation in self.evaluations])

    @property
    def standard_errors(self) -> Array:
        """Standard error of each loss."""
        return np.array([evaluation.loss_standard_error for evaluation in self.evaluations])

    @property
    def intervals(self) -> list[Interval]:
        """Wilson interval of each error."""
        return [evaluation.error_interval for evaluation in self.evaluations]

    def chart(self) -> Drawing:
        """The picture: shown by a notebook, and kept by ``save("curve.svg")`` (or .png, .html, .json)."""
        return draw_curves({self.name: self})

    def __repr__(self) -> str:
        return (
            f"LearningCurve({self.name}: error {self.errors[0]:.4f} with {self.rows[0]:.0f} rows, "
            f"{self.errors[-1]:.4f} with {self.rows[-1]:.0f}; {len(self.rows)} sizes)"
        )

    def __str__(self) -> str:
        lines = [
            f"{rows:>10.0f}  {error:.4f} ({low:.4f} to {high:.4f})"
            for rows, error, (low, high) in zip(self.rows, self.errors, self.intervals, strict=True)
        ]
        return "\n".join([f"{'rows':>10}  error of {self.name}", *lines])


def draw_curves(curves: Mapping[str, LearningCurve]) -> Drawing:
    """Several curves in one picture, by their names."""
    from assay.charts.learning_curve import learning_drawing  # loads Altair, which only a picture needs

    return learning_drawing(
        {
            str(name): list(zip(curve.rows.tolist(), curve.errors.tolist(), curve.intervals, strict=True))
            for name, curve in curves.items()
        }
    )


@explained
def learning_curve(
    model: ModelsLike,
    X: MatrixLike,
    y: ArrayLike,
    plan: PlanLike | None = None,
    *,
    sizes: ArrayLike = SIZES,
    loss: LossLike = None,
    priors: PriorsLike = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
    random_state: RandomState = 0,
) -> Any:
    """Cross-validated error against the size of the training set; the tested rows are the same at every size.

    Parameters
    ----------
    model : estimator, list or dict of estimators
        As in `evaluate`; models solved from moments share one pass for all sizes.
    X, y, plan, loss, priors, sample_weight, groups, n_jobs, progress
        As in `evaluate`; the plan's tests must be folds, or a hold-out. Rows of a group are tested together, and added
        one by one.
    sizes : int or list of float
        Number of sizes, evenly spaced on a logarithmic scale from 1/32 of the training rows to all of them; or
        proportions of the training rows.
    random_state : int, None, RandomState or Generator
        Order in which rows are added.

    Returns
    -------
    LearningCurve, or a dict of them by name for a list or dict of models.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from assay import GaussianClassifier, GaussianNB, learning_curve
    >>> models = {"naive": GaussianNB(), "full": GaussianClassifier()}
    >>> curves = learning_curve(models, *load_wine(return_X_y=True), sizes=[0.2, 1.0])
    >>> {name: curve.errors.round(3).tolist() for name, curve in curves.items()}
    {'naive': [0.045, 0.034], 'full': [0.287, 0.006]}
    """
    plan, shares, seed = plan_of(plan), check_sizes(sizes), as_seed(random_state)
    settings = Settings.of(named_models(model))
    data = dataset_of(*features_and_labels(X, y), sample_weight, groups, LocalEngine(n_jobs, progress))
    study = Study(data, growing_splits(plan, data.codes, shares, seed, data.groups))
    decision = decision_of(loss, priors, data.classes)
    solved = solve(settings, study)
    parts = solved.reduce(_PartsInTurns())
    rows = study.splits.trained.reshape(-1, len(shares)).mean(axis=0)
    curves = {}
    for s, name in enumerate(settings.names):
        points = evaluations_by_size(parts[s], study, plan, *decision, **description(settings, solved, s))
        curves[name] = LearningCurve(name, rows, points)
    return curves if several_models(model) else next(iter(curves.values()))


def growing_splits(plan: Plan, codes: Codes, shares: Array, seed: int, groups: Codes | None = None) -> Splits:
    """The splits of a plan, trained on ever larger shares of their rows."""
    if plan.single_rows:
        raise ValueError(Note("S112", kind=type(plan).__name__))
    partitions = plan.partitions(codes, groups)
    return joined([pieces(part, piece_of(part, codes, shares, seed), len(shares)) for part in partitions])


class _PartsInTurns(AllParts):
    """All parts, if possible one for each size."""

    takes_turns: ClassVar[bool] = True


def growing_parts(settings: Settings, study: Study, only: Mask) -> list[Part]:
    """Scores of the tests that are asked for, (S, T), whichever setting makes them."""
    parts = solve(settings, study).reduce(_PartsInTurns(), only)
    return [part for s in sorted(parts) for part in parts[s]]


def evaluations_by_size(
    parts: list[Part], study: Study, plan: Plan, loss: LossMatrix | None, priors: Array | None, **about: Any
) -> list[Evaluation]:
    """The scores of a model apart by size: an evaluation under the splits of each."""
    n, data = study.splits.n_sizes, study.dataset
    by_size: list[list[Part]] = [[] for _ in range(n)]
    for part in (part for part in parts if len(part.test)):
        split, size = np.divmod(part.test, np.int32(n))
        sizes = [int(size[0])] if (size == size[0]).all() else range(n)
        for s in sizes:
            sized = part._replace(test=split, priors=part.priors[s::n])
            by_size[s].append(sized if len(sizes) == 1 else sized.take(size == s))
    evaluations = []
    for s, sized_parts in enumerate(by_size):
        splits = splits_of_size(study.splits, s)
        scored = AllScores(splits, 1, data.n_rows).finish({0: sized_parts})[0]
        assert scored is not None
        evaluations.append(evaluation_of(scored, Study(data, splits), plan, loss, priors, **about))
    return evaluations


def splits_of_size(splits: Splits, size: int) -> Splits:
    """The tests of one size."""
    tests = slice(size, None, splits.n_sizes)
    return replace(
        splits, model=splits.model[tests], parent=splits.parent[tests], series=splits.series[tests],
        tested=splits.tested[tests], n_sizes=1, deeper=None,
    )  # fmt: skip


def check_sizes(sizes: ArrayLike) -> Array:
    """Ascending shares of the training rows, 1 the last of them."""
    if isinstance(sizes, bool):
        sizes = ()
    if isinstance(sizes, int | np.integer):
        if sizes < 1:
            raise ValueError(Note("S115", sizes=sizes))
        return np.geomspace(LEAST_SHARE, 1.0, int(sizes)) if sizes > 1 else np.ones(1)
    try:
        shares = np.unique(np.asarray(sizes, dtype=np.float64))
    except (TypeError, ValueError):
        shares = np.zeros(0)
    if shares.ndim != 1 or not len(shares) or not (np.isfinite(shares).all() and (shares > 0).all()):
        raise ValueError(Note("S113", sizes=sizes))
    if shares[-1] > 1.0:
        raise ValueError(Note("S114", shares=shares[-1]))
    return shares if shares[-1] == 1.0 else np.append(shares, 1.0)


def piece_of(
    partition: Partition, codes: Codes, shares: Array, seed: int, groups: NDArray[np.int32] | None = None
) -> Codes:
    """The smallest size, by its number, in which each row is trained on; rows that are not used have none.

    groups : (N,), optional
        Rows that are added together, so that a size may hold somewhat more than its share.
    """
    used = np.flatnonzero(partition.fold != UNUSED)
    if groups is None:
        order = proportional_order(used, codes, seed, partition.fold)
    else:
        order = _grouped_order(used, codes, seed, partition.fold, groups)
    piece = np.full(len(codes), len(shares), dtype=np.int32)
    ends = np.ceil(shares * len(order) - 1e-9).astype(np.intp)
    piece[order] = np.searchsorted(ends, np.arange(len(order)), side="right")
    if groups is not None:
        np.minimum.at(
            first := np.full(int(groups.max()) + 1, len(shares), dtype=np.int32), groups[used], piece[used]
        )
        piece[used] = first[groups[used]]
    return piece


def _grouped_order(
    rows: NDArray[np.intp], codes: Codes, seed: int, fold: Codes, groups: NDArray[np.int32]
) -> NDArray[np.intp]:
    """The rows group by group; groups in proportion by their most frequent classes."""
    names, first, group = np.unique(groups[rows], return_index=True, return_inverse=True)
    size = int(codes.max()) + 1
    counts = np.bincount(group * size + codes[rows], minlength=len(names) * size).reshape(-1, size)
    majority = counts.argmax(axis=1).astype(np.int32)
    order = proportional_order(np.arange(len(names)), majority, seed, fold[rows[first]])
    place = np.empty(len(names), dtype=np.intp)
    place[order] = np.arange(len(names))
    return rows[np.argsort(place[group], kind="stable")]


def proportional_order(
    rows: NDArray[np.intp],
    codes: NDArray[np.int32],
    seed: int,
    fold: NDArray[np.int32] | None = None,
) -> NDArray[np.intp]:
    """The rows in an order whose every beginning holds the classes in proportion, each class at once.

    With folds, the rows of a class come from one fold after the other, so that every beginning is spread over them.
    """
    shuffled = np.random.default_rng(seed).permutation(rows)
    part = None if fold is None else fold[shuffled] - fold.min(initial=0)
    order = np.empty(len(rows), dtype=np.int64)
    n_classes, n_folds = int(codes.max(initial=0)) + 1, 1 if part is None else int(part.max(initial=0)) + 1
    _core.folds.proportional_order(
        codes[shuffled].astype(np.int32, copy=False), part, n_classes, n_folds, order
    )
    return np.asarray(shuffled[order])
