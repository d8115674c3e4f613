"""Learning curves: the error of a model trained on ever more rows, tested on the same folds.

The rows stand in a fixed random order, classes in proportion and folds in turn. At share q, the training part of a
fold is what the first q of all rows hold of the other folds: smaller parts lie inside larger ones, and folds share
their pieces, so that one pass over the data serves every fold of every size for models solved from moments.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.decision import Interval
from assay.engines.local import memory_limit
from assay.models.base import Model
from assay.models.sharing import Chain, Labels, Tested, can_grow, chain_of, growing_neighbors, growing_scores
from assay.models.validation import TrainingData, check_rows, encode
from assay.numerics.blas import single_threaded
from assay.plans import (
    UNUSED,
    Bootstrap,
    GivenPartitions,
    KFold,
    LeaveOneOut,
    Partition,
    as_plan,
)
from assay.selection.drawn import Drawn
from assay.selection.evaluate import evaluate
from assay.selection.evaluation import Evaluation
from assay.selection.progress import Progress
from assay.selection.strategies.statistics import join
from assay.statistics import cells_bytes

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

    def __str__(self) -> str:
        lines = [
            f"{rows:>10.0f}  {each.error:.4f} ({low:.4f} to {high:.4f})"
            for rows, each, (low, high) in zip(self.rows, self.evaluations, self.intervals, strict=True)
        ]
        return "\n".join([f"{'rows':>10}  error of {self.name}", *lines])


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
    random_state: int = 0,
) -> Any:
    """Error against training rows, on the same tested rows throughout.

    Parameters
    ----------
    model : estimator, list or dict of estimators
        As in `evaluate`; models solved from moments share one pass for all sizes.
    X, y, plan, loss, priors, sample_weight, groups, n_jobs, progress
        As in `evaluate`; the plan's tests must be folds, or a hold-out.
    sizes : int or list of float
        How many sizes, evenly spaced in their logarithm from 1/32 to all; or shares of the training rows.
    random_state : int
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
    if isinstance(plan, LeaveOneOut | Bootstrap):
        raise ValueError(
            f"{type(plan).__name__} takes single rows; draw a learning curve over folds, such as KFold(10)."
        )
    shares = check_sizes(sizes)
    options = {
        "loss": loss, "priors": priors, "sample_weight": sample_weight, "groups": groups, "n_jobs": n_jobs,
        "progress": progress,
    }  # fmt: skip
    whole = evaluate(model if isinstance(model, Mapping | list | tuple) else [model], X, y, plan, **options)
    models = _by_name(model, whole)
    codes, _ = encode(y)
    partitions = plan.partitions(codes, groups)
    pieces = [piece_of(partition, codes, shares, random_state) for partition in partitions]
    task = _Task(X, whole, partitions, pieces, len(shares) - 1, options)
    smaller = task.solved(models)
    rows = task.rows()
    curves = {name: LearningCurve(name, rows, [*smaller[name], whole[name]]) for name in models}
    return curves if isinstance(model, Mapping | list | tuple) else next(iter(curves.values()))


def _by_name(model: Any, whole: dict[str, Evaluation]) -> dict[str, Any]:
    if isinstance(model, Mapping):
        return dict(model)
    return dict(zip(whole, model if isinstance(model, list | tuple) else [model], strict=True))


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
    partition: Partition, codes: NDArray[np.int32], shares: Array, random_state: int
) -> NDArray[np.int32]:
    """The smallest size, by its number, in which each row is trained on; rows that are not used have none."""
    used = np.flatnonzero(partition.fold != UNUSED)
    order = proportional_order(used, codes, random_state, partition.fold)
    piece = np.full(len(codes), len(shares), dtype=np.int32)
    piece[order] = np.searchsorted(np.ceil(shares * len(order) - 1e-9), np.arange(len(order)), side="right")
    return piece


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
    place = np.empty(len(rows))
    for k in np.unique(codes[rows]):
        mine = np.flatnonzero(codes[shuffled] == k)
        if fold is not None:
            mine = mine[_in_turn(fold[shuffled[mine]])]
        place[mine] = np.arange(len(mine)) / len(mine)  # the first row of every class comes first
    return np.asarray(shuffled[_stable_order(place)])


def _stable_order(values: Array) -> NDArray[np.intp]:
    """The order of a stable sort, by two quick ones: of the values, and of (rank, place) as one number each.

    >>> _stable_order(np.array([0.5, 0.0, 0.5, 0.0])).tolist()
    [1, 3, 0, 2]
    """
    order = np.argsort(values)
    rank = np.cumsum(np.diff(values[order], prepend=values[order[:1]]) > 0)
    return np.asarray(np.sort(rank * len(values) + order) % max(len(values), 1))


def _in_turn(fold: NDArray[np.int32]) -> NDArray[np.intp]:
    """An order that takes one row of each fold in turn.

    >>> _in_turn(np.array([1, 1, 0, 0, 1], dtype=np.int32)).tolist()
    [0, 2, 1, 3, 4]
    """
    n = len(fold)
    by_fold = np.sort(fold.astype(np.int64) * n + np.arange(n)) % max(n, 1)
    counts = np.bincount(fold - fold.min(initial=0))
    turn = np.empty(n, dtype=np.intp)
    turn[by_fold] = np.arange(n) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.asarray(np.sort(turn * n + np.arange(n)) % max(n, 1))


@dataclass(frozen=True, eq=False)
class _Task:
    """The sizes below the whole, for models by name."""

    X: Any
    whole: dict[str, Evaluation]
    partitions: list[Partition]
    pieces: list[NDArray[np.int32]]
    n_sizes: int
    options: dict[str, Any]

    def rows(self) -> Array:
        """Mean number of rows trained on at each size and in the whole."""
        found = np.zeros((self.n_sizes + 1,))
        splits = 0
        for partition, piece in zip(self.partitions, self.pieces, strict=True):
            splits += partition.n_folds
            used = partition.fold != UNUSED
            for f in range(partition.n_folds):
                counts = np.bincount(piece[used & (partition.fold != f)], minlength=self.n_sizes + 1)
                found += np.cumsum(counts[: self.n_sizes + 1])
        return found / splits

    def solved(self, models: dict[str, Any]) -> dict[str, list[Evaluation]]:
        """Evaluations of every model at every size, shared where moments carry it."""
        if self.n_sizes == 0:
            return {name: [] for name in models}
        chains = {name: chain for name, model in models.items() if (chain := self._chain(name, model))}
        found = self._shared(chains) if chains else {}
        return {
            name: found[name] if name in found else self._near(name, model) or self._refitted(name, model)
            for name, model in models.items()
        }

    def _chain(self, name: str, model: Any) -> Chain | None:
        """The model as a chain whose cells fit into memory; what its folds could not share, sizes cannot."""
        if self.whole[name].strategy not in ("statistics", "closed form", "path"):
            return None
        chain = chain_of(model)
        if chain is None or chain.needs_extremes:
            return None
        groups = max(partition.n_folds + 1 for partition in self.partitions) * self.n_sizes
        classes = len(self.whole[name].classes)
        need = 3 * cells_bytes(chain.form(True), groups, classes, self.X.shape[1])
        return chain if need <= memory_limit() else None

    def _shared(self, chains: dict[str, Chain]) -> dict[str, list[Evaluation]]:
        first = self.whole[next(iter(chains))]
        reader = Model()
        data = TrainingData(check_rows(reader, self.X, reset=True), first.codes, first.classes, first.weight)
        with single_threaded():
            found = [
                growing_scores(
                    list(chains.values()), data, partition, piece, self.n_sizes, self.options["n_jobs"]
                )
                for partition, piece in zip(self.partitions, self.pieces, strict=True)
            ]
        return {
            name: [
                replace(self.whole[name], tested=join([each[c][s] for each in found], self.partitions))
                for s in range(self.n_sizes)
            ]
            for c, name in enumerate(chains)
        }

    def _near(self, name: str, model: Any) -> list[Evaluation] | None:
        """Neighbours, from one search for all sizes; None where that does not go."""
        whole = self.whole[name]
        if whole.strategy != "neighbors" or not can_grow(model, whole.weight):
            return None
        labels = Labels(whole.codes, whole.classes, None)
        with single_threaded():
            found = [
                growing_neighbors(
                    model, self.X, labels, partition, piece, self.n_sizes, self.options["n_jobs"]
                )
                for partition, piece in zip(self.partitions, self.pieces, strict=True)
            ]
        parts = [each for each in found if each is not None]
        if len(parts) < len(found):
            return None
        tested = [join([each[s] for each in parts], self.partitions) for s in range(self.n_sizes)]
        return [replace(whole, tested=each) for each in tested]

    def _refitted(self, name: str, model: Any) -> list[Evaluation]:
        """Every size by itself: the same folds, of which only the first pieces are trained on."""
        given = [
            Partition(partition.fold, partition.n_folds, piece > s)
            for s in range(self.n_sizes)
            for partition, piece in zip(self.partitions, self.pieces, strict=True)
        ]
        options = {key: value for key, value in self.options.items() if key != "groups"}
        found = evaluate({name: model}, self.X, self._labels(name), GivenPartitions(given), **options)[name]
        splits = self.whole[name].n_splits
        return [self._size(found, s, splits) for s in range(self.n_sizes)]

    def _labels(self, name: str) -> Any:
        whole = self.whole[name]
        return whole.classes[whole.codes]

    def _size(self, found: Evaluation, s: int, splits: int) -> Evaluation:
        """The pairs of one size; every size tests the same rows in the same order as the whole."""
        whole = self.whole[found.name]
        each = len(whole.tested.split)
        mine, own = slice(s * each, (s + 1) * each), slice(s * splits, (s + 1) * splits)
        tested = Tested(
            whole.tested.rows,
            whole.tested.split,
            found.tested.scores[mine],
            found.tested.predicted[mine],
            found.tested.priors[own],
            found.tested.notes,
        )
        return replace(found, tested=tested, n_splits=splits, plan=whole.plan)
