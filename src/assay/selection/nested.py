"""Choosing honestly: settings are chosen inside every fold, and the chosen one is tested on the fold.

In the outer fold f, the setting s(f) has the least loss in a cross-validation of the *other* rows. Where a plan
has three folds or more, the inner folds are the other outer folds: models solved from moments then need no pass
of their own. Models that must be refitted take the same folds, put together to three.

Three figures per candidate: the loss of its best setting on the outer folds (what the winner scored), the loss
of the settings chosen inside (nested), and their difference, the optimism.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.models.sharing import Chain, Tested, chain_of
from assay.models.validation import Encoded, encode
from assay.plans import (
    ALWAYS_TRAIN,
    UNUSED,
    Bootstrap,
    GivenPartitions,
    KFold,
    LeaveOneOut,
    Partition,
    Plan,
    TrainValidationTest,
)
from assay.selection.criteria import choose, within_one_se
from assay.selection.evaluate import evaluate
from assay.selection.evaluation import Evaluation
from assay.selection.progress import Progress
from assay.selection.strategies.counts import counted_once
from assay.selection.strategies.statistics import inner_figures
from assay.selection.three_parts import choose_in_parts

Array = NDArray[np.float64]
REFIT_FOLDS = 3  # inner folds of models that must be refitted
DRAWN_FOLDS = 5  # inner folds where the plan itself has too few


@dataclass(frozen=True, eq=False)
class Nested:
    """A candidate whose setting is chosen inside every split.

    Attributes
    ----------
    evaluation : Evaluation
        Out-of-sample scores, each by the setting chosen without the row.
    inner : (splits, settings)
        Mean loss of each setting in the inner folds of each outer split.
    chosen : (splits,)
        Setting that each outer split took, by the rule: the first of those with least inner loss, or the simplest
        within one standard error of it.
    losses, errors : (settings,)
        Mean loss and error of each setting on the outer splits themselves.
    final : int
        The one to use, by the same rule on these losses.
    seconds : float
    standard_errors : (settings,)
        Of the losses; empty where a run of an older version was read.
    """

    evaluation: Evaluation
    inner: Array
    chosen: NDArray[np.intp]
    losses: Array
    errors: Array
    final: int
    seconds: float
    standard_errors: Array = field(default_factory=lambda: np.zeros(0))

    @property
    def one_se(self) -> int | None:
        """The simplest setting whose loss is within one standard error of the least, None where it is unknown."""
        if len(self.standard_errors) != len(self.losses):
            return None
        return int(within_one_se(self.losses, self.standard_errors).argmax())

    @property
    def scored(self) -> float:
        """Loss of the final setting on the folds it was chosen on."""
        return float(self.losses[self.final])

    @property
    def optimism(self) -> float:
        """How much the choice flatters itself: the nested loss less the loss of the final setting."""
        return self.evaluation.mean_loss() - self.scored


def nest(
    name: str,
    models: Sequence[Any],
    X: Any,
    y: Any,
    plan: Plan,
    *,
    loss: Any = None,
    priors: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    n_jobs: int | None = None,
    progress: Progress = None,
    rule: str = "min",
) -> Nested:
    """Evaluate one candidate with the choice among its settings nested in the plan.

    Parameters
    ----------
    name : str
    models : sequence of estimators
        One for each setting, the simplest first.
    X, y, loss, priors, sample_weight, groups, n_jobs, progress
        As in `evaluate`.
    plan : Plan
        Any plan whose tests are folds; leave-one-out and the bootstrap are refused. Under `TrainValidationTest` the
        validation part takes the place of the folds, and only the chosen setting is tested on the test part.
    rule : "min" or "one_se"
        As in `tune`; it is followed inside every split, too.
    """
    if isinstance(plan, LeaveOneOut | Bootstrap):
        raise ValueError(
            f"A choice cannot be nested in {type(plan).__name__}; use folds, such as KFold(10), or a hold-out."
        )
    start = time.perf_counter()
    options = {"loss": loss, "priors": priors, "sample_weight": sample_weight, "n_jobs": n_jobs}
    models, X = counted_once(models, X)
    if isinstance(plan, TrainValidationTest):
        return _in_parts(name, models, X, y, plan, rule, start, groups=groups, progress=progress, **options)
    choice = _Choice(models, X, Encoded(*encode(y)), plan, groups, options)
    count = _Count(name, progress, choice.n_parts)
    results = choice.outer(count)
    inner, inner_errors = choice.inner(results, count)
    chosen = np.array([choose(*each, rule) for each in zip(inner, inner_errors, strict=True)], dtype=np.intp)
    losses = np.array([result.mean_loss() for result in results])
    errors = np.array([result.loss_standard_error for result in results])
    return Nested(
        evaluation=replace(combine([results[s] for s in chosen]), name=name),
        inner=inner,
        chosen=chosen,
        losses=losses,
        errors=np.array([result.error for result in results]),
        final=choose(losses, errors, rule),
        seconds=time.perf_counter() - start,
        standard_errors=errors,
    )


def _in_parts(
    name: str,
    models: Sequence[Any],
    X: Any,
    y: Any,
    plan: TrainValidationTest,
    rule: str,
    start: float,
    **options: Any,
) -> Nested:
    """The choice on the validation part, and its test."""
    found = choose_in_parts(models, X, y, plan, rule, **options)
    return Nested(
        evaluation=replace(found.test, name=name),
        inner=found.losses[None, :],
        chosen=np.array([found.chosen]),
        losses=found.losses,
        errors=np.array([each.error for each in found.validation]),
        final=found.chosen,
        seconds=time.perf_counter() - start,
        standard_errors=found.standard_errors,
    )


@dataclass(frozen=True, eq=False)
class _Choice:
    """The settings of one candidate, and the rows they are chosen on."""

    models: list[Any]
    X: Any
    labels: Encoded
    plan: Plan
    groups: Any
    options: dict[str, Any]

    @cached_property
    def chains(self) -> list[Chain] | None:
        """The settings as chains, if moments carry them all."""
        found = [chain for model in self.models if (chain := chain_of(model)) is not None]
        return found if len(found) == len(self.models) else None

    @cached_property
    def partitions(self) -> list[Partition]:
        return self.plan.partitions(self.labels.codes, self.groups)

    @cached_property
    def inside(self) -> list[Partition]:
        """The inner folds of every outer split."""
        merged, codes = REFIT_FOLDS if self.chains is None else None, self.labels.codes
        found = []
        for partition in self.partitions:
            for f in range(partition.n_folds):
                inner = inner_partition(partition, f, codes, self.groups, merged)
                if inner is None or not _can_train(inner, codes):
                    raise self._too_few()
                found.append(inner)
        return found

    def _too_few(self) -> ValueError:
        plan, counts = self.plan, np.bincount(self.labels.codes)
        asked = f"{plan.n_splits} folds were" if isinstance(plan, KFold) else f"{plan!r} was"
        rare = int(counts.argmin())
        return ValueError(
            f"{asked} asked for, and the training rows of each split are divided again to choose a setting: "
            f"{counts.sum()} rows, {counts[rare]} of them of class {self.labels.classes.tolist()[rare]!r}, are too few "
            "for that; give more, or leave fewer of them out."
        )

    @property
    def n_parts(self) -> int:
        """Parts of the work to count: fits, or splits where moments serve."""
        splits = len(self.inside)
        if self.chains is None:
            splits += sum(partition.n_folds for partition in self.inside)
        return len(self.models) * splits

    def outer(self, count: _Count) -> list[Evaluation]:
        """Every setting on the outer splits."""
        return [replace(result, plan=self.plan) for result in self._evaluated(self.partitions, count)]

    def inner(self, outer: list[Evaluation], count: _Count) -> tuple[Array, Array]:
        """Mean loss of every setting (columns) inside every outer split (rows), and the standard errors."""
        found = self._pairwise(outer[0], count)
        if found is None:
            found = self._by_passes(count)
        return found[..., 0], found[..., 1]

    def _by_passes(self, count: _Count) -> Array:
        """Inner figures by evaluations of the inner folds."""
        # Shared passes go split by split, which keeps memory low; refits together, which keeps all threads busy.
        batches = [self.inside] if self.chains is None else [[partition] for partition in self.inside]
        return np.concatenate(
            [_figures_by_partition(self._evaluated(batch, count), batch) for batch in batches]
        )

    def _evaluated(self, partitions: list[Partition], count: _Count) -> list[Evaluation]:
        settings = {str(s): model for s, model in enumerate(self.models)}
        plan = GivenPartitions(partitions)
        found = evaluate(settings, self.X, self.labels, plan, progress=count.within, **self.options)
        return [found[key] for key in settings]

    def _pairwise(self, outer: Evaluation, count: _Count) -> Array | None:
        """Inner figures from pairs of folds; None where pairs do not serve or would not fit into memory."""
        if self.chains is None:
            return None

        def loss_of(chain: Chain, tested: Tested) -> tuple[float, float]:
            count.one()
            splits, posterior = len(tested.priors), chain.model.probabilistic
            return replace(outer, tested=tested, probabilistic=posterior, n_splits=splits).loss_and_error

        found = []
        for partition in self.partitions:
            losses = inner_figures(self.chains, self.X, outer, partition, loss_of, self.options["n_jobs"])
            if losses is None:
                return None
            found.append(losses)
        return np.concatenate(found)


class _Count:
    """Adds up the splits of several evaluations for a caller that wants to be told of progress."""

    def __init__(self, name: str, progress: Progress, total: int) -> None:
        self.name, self.progress, self.total = name, progress, total
        self.done, self._lock = 0, threading.Lock()

    def one(self, *_: Any) -> None:
        with self._lock:
            self.done += 1
            if callable(self.progress):
                self.progress(self.name, self.done, self.total)

    @property
    def within(self) -> Progress:
        """What an evaluation is given: a counter, or the caller's own wish."""
        return self.one if callable(self.progress) else self.progress


def inner_partition(
    partition: Partition, f: int, codes: NDArray[np.int32], groups: Any, merged: int | None
) -> Partition | None:
    """How the training rows of fold f are divided; its tested rows are unused. None if they cannot be divided."""
    fold, others = partition.fold, partition.n_folds - 1
    if others >= 2 and not (fold == ALWAYS_TRAIN).any():
        place = np.where(fold > f, fold - 1, fold)
        count = others if merged is None else min(merged, others)
        return Partition(np.where((fold == f) | (fold == UNUSED), UNUSED, place % count), count)
    train = partition.train_rows(f)
    inside = None if groups is None else np.asarray(groups)[train]
    units = len(train) if inside is None else len(np.unique(inside))
    if units < 2:
        return None
    drawn = KFold(min(DRAWN_FOLDS, units)).partitions(codes[train], inside)[0]
    division = np.full(len(codes), UNUSED, dtype=np.int32)
    division[train] = drawn.fold
    return Partition(division, drawn.n_folds)


def _can_train(partition: Partition, codes: NDArray[np.int32]) -> bool:
    """Whether every training part has at least two classes."""
    used = partition.fold != UNUSED
    size = int(codes.max()) + 1
    cells = (partition.fold[used] - ALWAYS_TRAIN) * size + codes[used]
    counts = np.bincount(cells, minlength=(partition.n_folds + 1) * size).reshape(-1, size)
    return bool((((counts.sum(axis=0) - counts[1:]) > 0).sum(axis=1) >= 2).all())


def _figures_by_partition(results: list[Evaluation], batch: list[Partition]) -> Array:
    """Mean loss, and its standard error, of every setting (second axis) over the tested rows of each partition."""
    of_split = np.repeat(np.arange(len(batch)), [partition.n_folds for partition in batch])
    size = len(results[0].classes)
    columns = []
    for result in results:
        at = of_split[result.split]
        weight = np.ones(len(at)) if result.weight is None else result.weight[result.rows]
        if result.priors is not None:
            # Shares are those of the rows tested in the same partition.
            cell = at * size + result.truth
            amount = np.bincount(cell, weight, len(batch) * size)
            weight = weight * result.priors[result.truth] / np.where(amount > 0, amount, 1.0)[cell]
        columns.append(_weighted_means(at, weight, result.losses(), len(batch)))
    return np.stack(columns, axis=1)


def _weighted_means(at: NDArray[np.intp], weight: Array, values: Array, groups: int) -> Array:
    """Weighted mean of the values of each group and its standard error, (groups, 2), as `t_interval` has them."""
    total = np.bincount(at, weight, groups)
    if not total.all():
        raise ValueError(
            "No tested row counts inside a fold: every one has weight or prior zero; use other folds."
        )
    share = weight / total[at]
    mean = np.bincount(at, weight * values, groups) / total  # whole numbers of mistakes stay exact
    n = 1.0 / np.bincount(at, share**2, groups)
    spread = np.bincount(at, (share * (values - mean[at])) ** 2, groups)
    error = np.sqrt(spread * np.divide(n, n - 1, out=np.full(groups, np.nan), where=n > 1))
    return np.stack([mean, error], axis=1)


def combine(by_split: Sequence[Evaluation]) -> Evaluation:
    """One evaluation whose split i is that of by_split[i]; all must have been tested on the same splits.

    Where some give margins only, the whole has no posteriors, and its predictions are the decisions of each.
    """
    first = by_split[0]
    used = list({id(result): result for result in by_split}.values())
    if len(used) == 1:
        return first
    which = np.array([next(i for i, other in enumerate(used) if other is result) for result in by_split])
    at = which[first.split]
    pairs = np.arange(len(at))
    probabilistic = all(result.probabilistic for result in used)
    predicted = [result.tested.predicted if probabilistic else decided(result) for result in used]
    tested = replace(
        first.tested,
        scores=np.stack([result.tested.scores for result in used])[at, pairs],
        predicted=np.stack(predicted)[at, pairs],
        priors=np.stack([result.tested.priors for result in used])[which, np.arange(len(which))],
        notes=tuple(dict.fromkeys(note for result in used for note in result.notes)),
    )
    return replace(first, tested=tested, probabilistic=probabilistic, notes=tested.notes)


def decided(result: Evaluation) -> NDArray[np.int32]:
    """The class that each pair's least-risk action names; the predicted one without posteriors or loss matrix."""
    if not result.probabilistic or result.loss is None:
        return result.predicted
    codes = result.decide()
    return np.asarray(codes.loss.class_of_action[codes.action_codes], dtype=np.int32)
