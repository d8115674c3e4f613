"""Training a network: epochs of shuffled mini-batches, and when to stop.

Batches of an epoch differ by at most one row. Training stops when neither the validation rows nor, without any, the
training loss has become better for some epochs; with validation rows the best weights are put back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.solvers.backprop import Layout, Pass, Task
from assay.solvers.descent import rule
from assay.solvers.halves import Halves
from assay.solvers.standard_rows import Places

Floats = NDArray[Any]
BETTER = 1e-4  # fall of the training loss that counts


@dataclass(frozen=True)
class Options:
    """How a network is trained."""

    activation: str
    solver: str
    rate: float
    momentum: float
    batch_size: int
    epochs: int
    l2: float
    patience: int
    threads: int


@dataclass(frozen=True)
class Trained:
    """Parameters of a network, how they came about, and whether training ended by itself.

    history : of each epoch the training loss and the validation error (None: no validation rows)
    """

    parameters: Floats
    history: list[tuple[float, float | None]]
    settled: bool
    best: int  # epoch whose parameters these are, from 1


def train(
    task: Task,
    layout: Layout,
    options: Options,
    rng: np.random.Generator,
    rows: Places,
    validation: Places | None = None,
) -> Trained:
    """Train on some rows of the task, watching others."""
    parameters = layout.drawn(rng, options.activation, task.rows.dtype)
    with np.errstate(all="ignore"), Halves(options.threads) as halves:
        stepper = _Stepper(task, layout, options, parameters, len(rows), halves)
        watch = _Watch(options.patience)
        for epoch in range(1, options.epochs + 1):
            loss = stepper.epoch(rows[rng.permutation(len(rows))])
            if not np.isfinite(loss):
                raise ValueError(
                    f"The training loss is no longer finite after {epoch} epochs; give a smaller learning_rate "
                    f"than {options.rate:g}."
                )
            error = None if validation is None else stepper.judged(validation)
            if watch.seen(epoch, loss, error, parameters):
                break
    best = watch.kept if watch.kept is not None else parameters
    return Trained(best, watch.history, watch.waited >= options.patience, watch.best_epoch)


class _Watch:
    """Which epoch was the best so far, and for how long there was none better."""

    def __init__(self, patience: int) -> None:
        self.patience = patience
        self.history: list[tuple[float, float | None]] = []
        self.kept: Floats | None = None
        self.waited, self.best_epoch = 0, 0
        self._best = (np.inf, np.inf)

    def seen(self, epoch: int, loss: float, judged: tuple[float, float] | None, parameters: Floats) -> bool:
        """Note an epoch; True when patience has run out."""
        self.history.append((loss, None if judged is None else judged[0]))
        found = (loss, 0.0) if judged is None else judged
        better = loss < self._best[0] - BETTER if judged is None else judged < self._best
        if better:
            self._best, self.waited, self.best_epoch = found, 0, epoch
            self.kept = None if judged is None else parameters.copy()
        else:
            self.waited += 1
            self.best_epoch = epoch if judged is None else self.best_epoch
        return self.waited >= self.patience


class _Stepper:
    """Gradient and step of one batch after another."""

    def __init__(
        self,
        task: Task,
        layout: Layout,
        options: Options,
        parameters: Floats,
        n_rows: int,
        halves: Halves,
    ) -> None:
        self.task, self.parameters, self.l2, self.halves = task, parameters, options.l2, halves
        self.n_batches = -(-n_rows // options.batch_size)
        most = -(-n_rows // self.n_batches)
        self.layers = Pass(layout, options.activation, parameters, most, halves)
        self.rule = rule(options.solver, layout.size, parameters.dtype, options.rate, options.momentum)
        self.weights = parameters[: layout.n_weights]
        self._shrinking = np.empty_like(self.weights) if self.l2 else None

    def epoch(self, order: Places) -> float:
        """One step for each batch of the rows in this order; the mean training loss on the way, penalty included."""
        ends = np.linspace(0, len(order), self.n_batches + 1).round().astype(int).tolist()
        total = 0.0
        for start, stop in zip(ends, ends[1:], strict=False):
            total += self.layers.run(self.task, order[start:stop]) * (stop - start)
            self.rule.tick()
            self.halves.elementwise(len(self.parameters), self._step)
        penalty = 0.5 * self.l2 * float(np.dot(self.weights, self.weights))
        return total / len(order) + penalty

    def _step(self, part: slice) -> None:
        gradient = self.layers.gradient
        if self._shrinking is not None:
            own = self._shrinking[part]
            np.multiply(self.weights[part], own.dtype.type(self.l2), out=own)
            gradient[part.start : part.start + len(own)] += own
        self.rule.step(self.parameters, gradient, part)

    def judged(self, rows: Places) -> tuple[float, float]:
        """Weighted error and loss of rows that are not trained on."""
        wrong = lost = total = 0.0
        most = len(self.layers.inputs)
        for start in range(0, len(rows), most):
            which = rows[start : start + most]
            Z, codes = self.layers.inputs[: len(which)], self.task.codes[which]
            self.task.rows.take(which, Z)
            scores = self.layers.scores(Z)
            w = np.ones(len(which)) if self.task.weight is None else self.task.weight[which]
            wrong += float((w * (scores.argmax(axis=1) != codes)).sum())
            lost += float((w * self.task.losses(scores, codes)).sum())
            total += float(w.sum())
        return wrong / total, lost / total
