"""Learning curves: the error of a model trained on ever more rows, tested on the same folds.

The rows stand in a fixed random order, classes in proportion and folds in turn. At share q, the training part of a
fold is what the first q of all rows hold of the other folds: smaller parts lie inside larger ones, and folds share
their pieces, so that one pass over the data serves every fold of every size for models solved from moments.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.data.labels import features_and_labels
from assay.decision import Interval
from assay.engines.local import LocalEngine
from assay.engines.progress import ShowProgress as Progress
from assay.models.base.keywords import explained
from assay.numerics.random_state import RandomState, as_seed
from assay.plans import UNUSED, KFold, Partition, Plan, as_plan
from assay.selection.drawn import Drawn
from assay.selection.evaluation import Evaluation
from assay.selection.named_models import named
from assay.selection.studies import dataset_of, deciding, evaluation_of
from assay.sharing.dispatch import solve
from assay.sharing.reductions import AllParts, AllScores, Part, Parts, Scored
from assay.sharing.settings import Settings
from assay.sharing.splits import Splits, joined, pieces
from assay.sharing.study import Study
from assay.types import Codes

Array = NDArray[np.float64]
SIZES = 8
LEAST_SHARE = 1 / 32  # of the smallest size, unless asked otherwise


@dataclass(frozen=True, eq=False)
class LearningCurve(Drawn):
    """One model at every size.

    Attributes
    ----------
    name : str
    rows : (S,)
        Rows trained on, mean over the splits.
    evaluations : list of Evaluation
        The last one is that of the whole training parts.

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
        return np.array([each.error for each in self.evaluations])

    @property
    def losses(self) -> Array:
        """Mean loss at each size."""
        return np.array([each.mean_loss() for each in self.evaluations])

    @property
    def standard_errors(self) -> Array:
        """Standard error of each loss."""
        return np.array([each.loss_standard_error for each in self.evaluations])

    @property
    def intervals(self) -> list[Interval]:
        """Wilson interval of each error."""
        return [each.error_interval for each in self.evaluations]

    def __repr__(self) -> str:
        return (
            f"LearningCurve({self.name}: error {self.errors[0]:.4f} with {self.rows[0]:.0f} rows, "
            f"{self.errors[-1]:.4f} with {self.rows[-1]:.0f}; {len(self.rows)} sizes)"
        )

    def __str__(self) -> str:
        lines = [
            f"{rows:>10.0f}  {each.error:.4f} ({low:.4f} to {high:.4f})"
            for rows, each, (low, high) in zip(self.rows, self.evaluations, self.intervals, strict=True)
        ]
        return "\n".join([f"{'rows':>10}  error of {self.name}", *lines])


@explained
def learning_curve(
    model: Any,
    X: Any,
    y: Any,
    plan: Any = None,
    *,
    sizes: Any = SIZES,
    loss: Any = None,
    priors: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    n_jobs: int | None = None,
    progress: Progress = None,
    random_state: RandomState = 0,
) -> Any:
    """Error against training rows, on the same tested rows throughout.

    Parameters
    ----------
    model : estimator, list or dict of estimators
        As in `evaluate`; models solved from moments share one pass for all sizes.
    X, y, plan, loss, priors, sample_weight, groups, n_jobs, progress
        As in `evaluate`; the plan's tests must be folds, or a hold-out. Rows of a group are tested together, and added
        one by one.
    sizes : int or list of float
        How many sizes, evenly spaced in their logarithm from 1/32 to all; or shares of the training rows.
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
    plan = KFold(10) if plan is None else as_plan(plan)
    shares, seed = check_sizes(sizes), as_seed(random_state)
    models = named(model)
    X, y = features_and_labels(X, y)
    data = dataset_of(X, y, sample_weight, groups, LocalEngine(n_jobs, progress))
    study = Study(data, growing_splits(plan, data.codes, shares, seed, data.groups))
    matrix, others = deciding(loss, priors, data.classes)
    settings = Settings.of(models)
    solved = solve(settings, study)
    scored = solved.reduce(ScoresBySize(study.splits, len(settings), data.n_rows))
    studies = [Study(data, splits_of_size(study.splits, s)) for s in range(len(shares))]
    rows = training_rows(study.splits).reshape(-1, len(shares)).mean(axis=0)
    curves = {}
    for s, name in enumerate(settings.names):
        told = (name, solved.ways[s], solved.seconds[s], solved.difficulties(s))
        points = [
            evaluation_of(each, sized, plan, *told, matrix, others)
            for each, sized in zip(scored[s], studies, strict=True)
        ]
        curves[name] = LearningCurve(name, rows, points)
    return curves if isinstance(model, Mapping | list | tuple) else next(iter(curves.values()))


def growing_splits(
    plan: Plan, codes: Codes, shares: Array, seed: int, groups: NDArray[Any] | None = None
) -> Splits:
    """The splits of a plan, trained on ever larger shares of their rows."""
    if plan.single_rows:
        raise ValueError(
            f"{type(plan).__name__} takes single rows; draw a learning curve over folds, such as KFold(10)."
        )
    partitions = plan.partitions(codes, groups)
    return joined([pieces(each, piece_of(each, codes, shares, seed), len(shares)) for each in partitions])


def training_rows(splits: Splits) -> NDArray[np.int64]:
    """Rows that each model is trained on, (M,)."""
    counts = np.stack([np.bincount(cell[cell >= 0], minlength=splits.n_cells) for cell in splits.cell])
    return np.asarray((splits.copies.astype(np.int64) * counts[splits.layer]).sum(axis=1))


@dataclass(frozen=True)
class ScoresBySize(AllParts):
    """Every score of S settings, apart by size: what `AllScores` gives of the splits of each size."""

    takes_turns: ClassVar[bool] = True

    splits: Splits
    settings: int
    n_rows: int

    def finish(self, total: Parts | None) -> list[list[Scored]]:
        parts = total or {}
        return [self._of_setting(parts[s]) for s in range(self.settings)]

    def _of_setting(self, parts: list[Part]) -> list[Scored]:
        n = self.splits.n_sizes
        by_size: list[list[Part]] = [[] for _ in range(n)]
        for part in (each for each in parts if len(each.test)):
            split, size = np.divmod(part.test, np.int32(n))
            sizes = [int(size[0])] if (size == size[0]).all() else range(n)
            for s in sizes:
                own = part._replace(test=split, priors=part.priors[s::n])
                by_size[s].append(own if len(sizes) == 1 else own.take(size == s))
        return [self._scored(own, s) for s, own in enumerate(by_size)]

    def _scored(self, parts: list[Part], size: int) -> Scored:
        scored = AllScores(splits_of_size(self.splits, size), 1, self.n_rows).finish({0: parts})[0]
        assert scored is not None
        return scored


def splits_of_size(splits: Splits, size: int) -> Splits:
    """The tests of one size."""
    tests = slice(size, None, splits.n_sizes)
    return replace(
        splits, model=splits.model[tests], parent=splits.parent[tests], series=splits.series[tests],
        tested=splits.tested[tests], n_sizes=1, deeper=None,
    )  # fmt: skip


def check_sizes(sizes: Any) -> Array:
    """Ascending shares of the training rows, 1 the last of them."""
    if isinstance(sizes, bool):
        sizes = ()
    if isinstance(sizes, int | np.integer):
        if sizes < 1:
            raise ValueError(f"sizes={sizes} gives no curve; ask for at least one size.")
        return np.geomspace(LEAST_SHARE, 1.0, int(sizes)) if sizes > 1 else np.ones(1)
    try:
        shares = np.unique(np.asarray(sizes, dtype=np.float64))
    except (TypeError, ValueError):
        shares = np.zeros(0)
    if shares.ndim != 1 or not len(shares) or not (np.isfinite(shares).all() and (shares > 0).all()):
        raise ValueError(
            f"These are no sizes: {sizes!r}; give a whole number, or shares above 0 and up to 1."
        )
    if shares[-1] > 1.0:
        raise ValueError(f"A size of {shares[-1]:g} is more than all training rows; give shares up to 1.")
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
    names, first, own = np.unique(groups[rows], return_index=True, return_inverse=True)
    size = int(codes.max()) + 1
    counts = np.bincount(own * size + codes[rows], minlength=len(names) * size).reshape(-1, size)
    most = counts.argmax(axis=1).astype(np.int32)
    order = proportional_order(np.arange(len(names)), most, seed, fold[rows[first]])
    place = np.empty(len(names), dtype=np.intp)
    place[order] = np.arange(len(names))
    return rows[np.argsort(place[own], kind="stable")]


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
    own = None if fold is None else fold[shuffled] - fold.min(initial=0)
    order = np.empty(len(rows), dtype=np.int64)
    sizes = [0 if each is None else int(each.max(initial=0)) + 1 for each in (codes, own)]
    _core.proportional_order(
        codes[shuffled].astype(np.int32, copy=False), own, sizes[0], max(sizes[1], 1), order
    )
    return np.asarray(shuffled[order])
