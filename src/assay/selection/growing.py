"""Models on training parts of growing size: every kind shares between sizes what it shares between folds.

Moments are collected for each (fold, piece, class) and merged, rows of counts are read once, pairs of rows are measured
once, Gram matrices serve all sizes. Models that share nothing are fitted size by size.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import memory_limit
from assay.engines.progress import Progress
from assay.models.sharing import Chain, Tested, growing_scores
from assay.models.validation import Encoded
from assay.numerics.blas import single_threaded
from assay.plans import UNUSED, GivenPartitions, Partition
from assay.selection.evaluate import Found, Task
from assay.selection.evaluation import Evaluation
from assay.selection.strategies.statistics import join
from assay.sharing.dispatch import solve
from assay.sharing.reductions import AllScores, Scored
from assay.sharing.settings import Settings, model_of
from assay.sharing.splits import folds, joined
from assay.sharing.study import Study
from assay.statistics import cells_bytes
from assay.statistics.solve_diagnostics import absences

Array = NDArray[np.float64]
Sizes = list[Found]  # of one model, the smallest first


@dataclass(frozen=True, eq=False)
class Growing:
    """All sizes, the last of which is the whole, for models by name."""

    task: Task
    models: dict[str, Any]
    pieces: list[NDArray[np.int32]]  # of each partition, the smallest size in which a row is trained on
    n_sizes: int
    loss: Any
    priors: Any
    progress: Progress

    def rows(self) -> Array:
        """Mean number of rows trained on at each size."""
        found, splits = np.zeros(self.n_sizes), 0
        for partition, piece in self._parts():
            used = partition.fold != UNUSED
            # Those that are always trained on are group 1, folds follow.
            group = partition.fold[used] - UNUSED
            cell = group.astype(np.intp) * (self.n_sizes + 1) + piece[used]
            size = (partition.n_folds - UNUSED) * (self.n_sizes + 1)
            counts = np.bincount(cell, minlength=size).reshape(-1, self.n_sizes + 1)[:, : self.n_sizes]
            splits += partition.n_folds
            found += np.cumsum(partition.n_folds * counts.sum(axis=0) - counts[-UNUSED:].sum(axis=0))
        return found / splits

    def evaluations(self) -> dict[str, list[Evaluation]]:
        """Evaluations of every model at every size."""
        decided = self.task.deciding(self.loss, self.priors)
        found: dict[str, list[Evaluation]] = {}
        for strategy in (self._solved, self._of_machines):
            start = time.perf_counter()
            sizes = strategy()
            seconds = time.perf_counter() - start
            for name, own in sizes.items():
                timed = [replace(each, seconds=seconds) for each in own]
                found[name] = [self.task.evaluation(name, each, *decided) for each in timed]
        rest = {name: model for name, model in self.models.items() if name not in found}
        return found | self._one_by_one(rest)

    def _parts(self) -> list[tuple[Partition, NDArray[np.int32]]]:
        return list(zip(self.task.partitions, self.pieces, strict=True))

    @cached_property
    def _plans(self) -> list[list[Partition]]:
        """The same folds at every size, of which only the first pieces are trained on; at last in whole."""
        smaller = [
            [Partition(partition.fold, partition.n_folds, piece > s) for partition, piece in self._parts()]
            for s in range(self.n_sizes - 1)
        ]
        return [*smaller, self.task.partitions]

    def _solved(self) -> dict[str, Sizes]:
        """Chains whose sizes rest on the cells of one pass."""
        task = replace(
            self.task, chains={n: each for n, each in self.task.chains.items() if self._fits(each)}
        )
        if not task.chains:
            return {}
        data, chains = task.chained()
        with single_threaded():
            rounds = [
                growing_scores(chains, data, partition, piece, self.n_sizes, task.n_jobs)
                for partition, piece in self._parts()
            ]
        return {
            name: _found(
                self._joined([each[c] for each in rounds]), chain.strategy, chain.model.probabilistic
            )
            for c, (name, chain) in enumerate(task.chains.items())
        }

    def _fits(self, chain: Chain) -> bool:
        """Whether the cells of a chain fit into memory."""
        groups = (1 + max(partition.n_folds for partition in self.task.partitions)) * self.n_sizes
        width = self.task.X.shape[1]
        return 3 * cells_bytes(chain.form(True), groups, len(self.task.classes), width) <= memory_limit()

    def _joined(self, repeats: list[list[Tested]]) -> list[Tested]:
        """The repeats of a plan as one, at every size."""
        return [join([each[s] for each in repeats], self.task.partitions) for s in range(self.n_sizes)]

    def _of_machines(self) -> dict[str, Sizes]:
        """Models of counts, inner products and neighbours, whose rows, matrices and lists serve all sizes."""
        models = {
            name: model
            for name, model in self.models.items()
            if name not in self.task.chains
            and any(hasattr(model_of(model), name) for name in ("solve_gram", "solve_counts", "near_apart"))
        }
        if not models:
            return {}
        splits = joined([folds(partition) for partitions in self._plans for partition in partitions])
        study = replace(self.task.study(self.progress), splits=splits, store={})
        solved = solve(Settings.of(models), study)
        scored = solved.reduce(AllScores(splits, len(models), len(self.task.codes)))
        return {
            name: [Found(each, result.posterior, solved.ways[s], 0.0) for each in self._sizes(result, study)]
            for s, (name, result) in enumerate(zip(models, scored, strict=True))
            if result is not None
        }

    def _sizes(self, scored: Scored, study: Study) -> Iterator[Tested]:
        """The pairs of every size, whose splits follow each other."""
        splits, weight = self.task.n_splits, study.class_weight()
        rows = np.arange(len(scored.test)) if scored.row is None else scored.row
        for s in range(self.n_sizes):
            own, mine = slice(s * splits, (s + 1) * splits), scored.test // splits == s
            once = np.array_equal(rows[mine], np.arange(len(self.task.codes)))
            yield Tested(
                None if once else rows[mine],
                (scored.test[mine] % splits).astype(np.int32),
                scored.scores[mine],
                scored.predicted[mine],
                scored.priors[own],
                absences(weight[own], self.task.classes),
            )

    def _one_by_one(self, models: dict[str, Any]) -> dict[str, list[Evaluation]]:
        """Models that share nothing between sizes."""
        if not models:
            return {}
        own = self.task
        task = replace(
            own,
            chains=_those(own.chains, models),
        )
        whole = task.evaluated(models, self.loss, self.priors, self.progress)
        return {name: [*self._smaller(last), last] for name, last in whole.items()}

    def _smaller(self, whole: Evaluation) -> list[Evaluation]:
        """The sizes below the whole."""
        if self.n_sizes == 1:
            return []
        given = [partition for partitions in self._plans[:-1] for partition in partitions]
        labels, models = Encoded(whole.codes, whole.classes), {whole.name: self.models[whole.name]}
        task = Task.of(
            models, self.task.X, labels, GivenPartitions(given), whole.weight, None, self.task.n_jobs
        )
        found = task.evaluated(models, self.loss, self.priors, self.progress)[whole.name]
        return [_size(found, whole, s) for s in range(self.n_sizes - 1)]


def _those(of: dict[str, Any], models: dict[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in of.items() if name in models}


def _found(sizes: list[Tested], strategy: str, probabilistic: bool = True) -> Sizes:
    return [Found(each, probabilistic, strategy, 0.0) for each in sizes]


def _size(found: Evaluation, whole: Evaluation, s: int) -> Evaluation:
    """The pairs of one size; every size tests the same rows in the same order as the whole."""
    each, splits = len(whole.tested.split), whole.n_splits
    mine, own = slice(s * each, (s + 1) * each), slice(s * splits, (s + 1) * splits)
    tested = Tested(
        whole.tested.rows,
        whole.tested.split,
        found.tested.scores[mine],
        found.tested.predicted[mine],
        found.tested.priors[own],
        found.tested.notes,
    )
    return replace(found, tested=tested, n_splits=splits, plan=whole.plan, groups=whole.groups)
