"""Every fold and every price of kernel machines from one Gram matrix.

Machines that differ by their price alone share the matrix, and so do the folds: rows that a fold leaves out take no
part, and their scores fall out of the gradient. Behind steps that learn (a scaler), and where the kernel itself learns
from the training rows, every fold has a matrix of its own, of the rows that it trains on or tests, which all prices
share.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import memory_limit, spread, thread_count
from assay.models.base import Model, clone, parts_of, weight_arguments
from assay.models.class_weight import weighted
from assay.models.sharing.counts import Labels
from assay.models.sharing.folds import check_classes
from assay.models.sharing.tested import Tested, posterior_or_margin
from assay.models.sparse import is_sparse
from assay.models.validation import TrainingData, check_rows
from assay.plans import Partition
from assay.sharing.overrides import overrides
from assay.sharing.value_key import value_key
from assay.statistics.solve_diagnostics import absences, among
from assay.statistics.weights import subset_weight

Array = NDArray[np.float64]
Floats = NDArray[Any]
Rows = NDArray[np.intp]


class Machine(Protocol):
    """What a model offers whose folds share a Gram matrix; see `models/svm/gram_folds.py`."""

    class_weight: Any
    gram_dtype_: str

    def _check_params(self) -> None: ...
    def _gram_key(self) -> tuple[Any, ...]: ...
    def _learns_kernel(self) -> bool: ...
    def _exact(self, rows: int) -> bool: ...
    def _gram_of(
        self, X: Floats, train: Rows, weight: Array, names: Any, threads: int, some: Rows | None = None
    ) -> Floats: ...
    def _price(self, total: float) -> float: ...
    def _gram_scores(
        self,
        gram: Floats,
        codes: NDArray[np.int32],
        n_classes: int,
        weight: Array,
        test: Rows,
        prices: Array,
    ) -> tuple[Array, NDArray[np.bool_]]: ...


def shares_gram(model: Any, X: Any) -> bool:
    """Whether folds of the model on these rows can share a Gram matrix, which must fit into half the memory."""
    parts = parts_of(model)
    machine = parts[-1][1] if parts else model
    if not hasattr(machine, "_gram_key") or is_sparse(X) or len(getattr(X, "shape", ())) != 2:
        return False
    ours = all(isinstance(part, Model) for _, part in parts) and overrides(model) is None
    return ours and bool(machine._exact(X.shape[0])) and 8 * X.shape[0] ** 2 <= memory_limit()


@dataclass(frozen=True, eq=False)
class _Split:
    """A fold of a partition, which has a number in its plan."""

    number: int
    partition: Partition
    fold: int

    @cached_property
    def train(self) -> Rows:
        return self.partition.train_rows(self.fold)

    @cached_property
    def test(self) -> Rows:
        return self.partition.test_rows(self.fold)

    @property
    def rows(self) -> Rows:
        """Those that it trains on or tests, ascending."""
        return np.union1d(self.train, self.test)


def machine_scores(
    models: list[Any], X: Any, labels: Labels, plans: list[list[Partition]], n_jobs: int | None = None
) -> list[list[list[Tested]]]:
    """Out-of-fold scores of every model (outer list), plan and partition; all plans share the matrices."""
    weight = np.ones(len(labels.codes)) if labels.weight is None else labels.weight
    splits = [
        [_Split(p, each, f) for p, each in enumerate(partitions) for f in range(each.n_folds)]
        for partitions in plans
    ]
    shares = [_shares(own, labels, weight) for own in splits]
    work = _Work(X, labels, weight, thread_count(n_jobs))
    batches, total = _batches(models), sum(map(len, splits))
    shared = [_Batch([models[m] for m in batch], work, total) for batch in batches]
    tasks = [(batch, split) for batch in shared for own in splits for split in own]
    solved = iter(spread(lambda task, _: task[0].scores(task[1]), tasks, n_jobs))
    found: list[list[list[Tested]]] = [[] for _ in models]
    for batch in batches:
        for own, weights in zip(splits, shares, strict=True):
            answers = [next(solved) for _ in own]
            for place, m in enumerate(batch):
                unsolved = sum(not converged[place] for _, converged in answers)
                scores = [each[place] for each, _ in answers]
                found[m].append(_tested(scores, own, weights, labels, _slow(unsolved, len(own))))
    return found


def _shares(splits: list[_Split], labels: Labels, weight: Array) -> NDArray[Any]:
    """Weight of each class in the training part of every split, (splits, K)."""
    rows = [split.train for split in splits]
    found = np.stack([np.bincount(labels.codes[each], weight[each], len(labels.classes)) for each in rows])
    check_classes(found, labels.classes)
    return found


def _batches(models: list[Any]) -> list[list[int]]:
    """Numbers of the models that share a Gram matrix."""
    found: dict[Any, list[int]] = {}
    for i, model in enumerate(models):
        parts = parts_of(model)
        machine = parts[-1][1] if parts else model
        machine._check_params()
        steps = [part for _, part in parts[:-1]]
        found.setdefault((machine._gram_key(), value_key(steps)), []).append(i)
    return list(found.values())


@dataclass(frozen=True)
class _Work:
    """The rows of one call."""

    X: Any
    labels: Labels
    weight: Array
    threads: int


class _Batch:
    """Models that differ by their price alone."""

    def __init__(self, models: list[Any], work: _Work, splits: int) -> None:
        parts = parts_of(models[0])
        self.pipeline = models[0] if parts[:-1] else None
        self.machines: list[Machine] = [parts_of(m)[-1][1] if parts else m for m in models]
        self.work = work
        self.alone = self.pipeline is not None or self.machines[0]._learns_kernel()
        self._lock, self._left = Lock(), splits
        self._gram: Floats | None = None

    def scores(self, split: _Split) -> tuple[Array, NDArray[np.bool_]]:
        """Scores (prices, tested rows, K) and which prices converged."""
        labels, machine = self.work.labels, self.machines[0]
        own = _training_weight(machine, labels, self.work.weight, split.train)
        prices = np.array([each._price(float(own.sum())) for each in self.machines])
        rows = split.rows if self.alone else np.arange(len(own))
        gram = self._make(split.train, 1, rows) if self.alone else self._shared()
        test = np.searchsorted(rows, split.test)
        found = machine._gram_scores(gram, labels.codes[rows], len(labels.classes), own[rows], test, prices)
        with self._lock:
            self._left -= 1
            if not self._left:
                self._gram = None  # the next batch needs the room
        return found

    def _shared(self) -> Floats:
        """The matrix of all splits, made by the first that needs it."""
        with self._lock:
            if self._gram is None:
                self._gram = self._make(np.arange(len(self.work.weight)), self.work.threads)
            return self._gram

    def _make(self, train: Rows, threads: int, some: Rows | None = None) -> Floats:
        """The matrix of all rows or of some, under a kernel learned from the training rows."""
        work, reader = self.work, Model()
        rows = work.X if self.pipeline is None else _behind(self.pipeline, work, train)
        rows = check_rows(reader, rows, reset=True)
        names = getattr(reader, "feature_names_in_", None)
        return clone(self.machines[0])._gram_of(rows, train, work.weight, names, threads, some)


def _behind(pipeline: Any, work: _Work, train: Rows) -> Any:
    """All rows behind steps that learn from the training rows."""
    labels = work.labels
    y, own = labels.classes[labels.codes[train]], subset_weight(labels.weight, train)
    taken = weight_arguments(pipeline, own)
    rows = work.X
    for name, part in parts_of(pipeline)[:-1]:
        step = clone(part)
        some = rows.iloc[train] if hasattr(rows, "iloc") else rows[train]
        step.fit(some, y, **({"sample_weight": own} if f"{name}__sample_weight" in taken else {}))
        rows = step.transform(rows)
    return rows


def _training_weight(machine: Machine, labels: Labels, weight: Array, train: Rows) -> Array:
    """Weights of the rows trained on, times those of their classes; 0 for the others."""
    chosen = subset_weight(weight, train)
    data = TrainingData(weight[train, None], labels.codes[train], labels.classes, chosen)
    own = weighted(_present(data), machine.class_weight).weight
    out = np.zeros(len(weight))
    out[train] = own
    return out


def _present(data: TrainingData) -> TrainingData:
    """The data with the classes that have rows alone, as a fit to them would find it."""
    there = np.flatnonzero(np.bincount(data.codes, minlength=data.n_classes))
    return TrainingData(
        data.X, np.searchsorted(there, data.codes).astype(np.int32), data.classes[there], data.weight
    )


def _tested(
    scores: list[Array],
    splits: list[_Split],
    shares: NDArray[Any],
    labels: Labels,
    notes: tuple[str, ...],
) -> list[Tested]:
    """The scores of every partition of a plan, in the order of the rows."""
    found = []
    for number in range(splits[-1].number + 1):
        own = [i for i, split in enumerate(splits) if split.number == number]
        rows = np.concatenate([splits[i].test for i in own])
        order = np.argsort(rows, kind="stable")
        rows = rows[order]
        all_scores = np.concatenate([scores[i] for i in own])[order]
        predicted, _ = posterior_or_margin(all_scores, False, None)
        weight = shares[own]
        found.append(
            Tested(
                None if len(rows) == len(labels.codes) else rows.astype(np.int64),
                splits[own[0]].partition.fold[rows],
                all_scores,
                predicted,
                weight / weight.sum(axis=1, keepdims=True),
                (*absences(weight, labels.classes), *notes),
            )
        )
    return found


def _slow(unsolved: int, splits: int) -> tuple[str, ...]:
    if not unsolved:
        return ()
    return (f"The solver stopped before its tolerance {among(unsolved, splits, 'splits')}.",)
