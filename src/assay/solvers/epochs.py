r"""Training a network: epochs of shuffled mini-batches, steps against their gradients g, and when to stop.

    sgd        p ← p - η g
    momentum   v ← μ v - η g,    p ← p + v
    adam       m ← β₁ m + (1 - β₁) g,    s ← β₂ s + (1 - β₂) g²
               p ← p - η m̂ / (√ŝ + ε),    m̂ = m / (1 - β₁ᵗ),    ŝ = s / (1 - β₂ᵗ)

with β₁ = 0.9, β₂ = 0.999 and ε = 1e-8 (Kingma and Ba, *Adam: a method for stochastic optimization*, 2015). An epoch is
one call of compiled code, or one for each batch where that cannot read the rows itself; its batches differ by at most
one row. Training stops when neither the validation rows nor, without any, the training loss has become better for some
epochs; with validation rows the best weights are put back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.notes import Note
from assay.numerics.interrupt import check_interrupt
from assay.solvers.backprop import (
    BLOCK,
    Floats,
    NetworkLayout,
    Task,
    block_scores,
    filled_scores,
    usable,
)
from assay.solvers.standard_rows import Places, plain_source
from assay.types import Parameters

BETTER = 1e-4  # fall of the training loss that counts
REMEMBERED = {"sgd": 0, "momentum": 1, "adam": 2}  # vectors that a rule keeps from step to step


@dataclass(frozen=True)
class TrainingOptions:
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
class TrainedNetwork:
    """Parameters of a network, how they came about, and whether training ended by itself.

    history : of each epoch the training loss and the validation error (None: no validation rows)
    """

    parameters: Floats
    history: list[tuple[float, float | None]]
    settled: bool
    best: int  # epoch whose parameters these are, from 1


def train(
    task: Task,
    layout: NetworkLayout,
    options: TrainingOptions,
    rng: np.random.Generator,
    rows: Places,
    validation: Places | None = None,
) -> TrainedNetwork:
    """Train on some rows of the task, watching others."""
    parameters = layout.drawn(rng, options.activation, task.rows.dtype)
    with np.errstate(all="ignore"):
        stepper = _Stepper(task, layout, options, parameters, len(rows))
        watch = _Watch(options.patience)
        for epoch in range(1, options.epochs + 1):
            check_interrupt()
            loss = stepper.epoch(rows[rng.permutation(len(rows))])
            if not np.isfinite(loss):
                raise ValueError(Note("N040", epoch=epoch, rate=options.rate))
            error = None if validation is None else stepper.judged(validation)
            if watch.seen(epoch, loss, error, parameters):
                break
    best = watch.kept if watch.kept is not None else parameters
    return TrainedNetwork(best, watch.history, watch.waited >= options.patience, watch.best_epoch)


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
        score = (loss, 0.0) if judged is None else judged
        better = loss < self._best[0] - BETTER if judged is None else judged < self._best
        if better:
            self._best, self.waited, self.best_epoch = score, 0, epoch
            self.kept = None if judged is None else parameters.copy()
        else:
            self.waited += 1
            self.best_epoch = epoch if judged is None else self.best_epoch
        return self.waited >= self.patience


class _Stepper:
    """Gradient and step of one batch after another."""

    def __init__(
        self, task: Task, layout: NetworkLayout, options: TrainingOptions, parameters: Floats, n_rows: int
    ) -> None:
        self.task, self.layout, self.options, self.parameters = task, layout, options, parameters
        self.weights = parameters[: layout.n_weights]
        self.n_batches = -(-n_rows // options.batch_size)
        self._state = np.zeros((REMEMBERED[options.solver], layout.size), dtype=parameters.dtype)
        self._steps = 0

    def epoch(self, order: Places) -> float:
        """One step for each batch of the rows in this order; the mean training loss on the way, penalty included."""
        ends = np.linspace(0, len(order), self.n_batches + 1).round().astype(np.int64)
        rows = self.task.rows
        source = rows.source if rows.filled is None else {"filled": rows.filled}
        if source is not None:
            total = self._run(source, self.task.codes, self.task.weight, order, ends)
        else:
            total = sum(self._read_and_run(order[a:b]) for a, b in zip(ends, ends[1:], strict=False))
        penalty = 0.5 * self.options.l2 * float(np.dot(self.weights, self.weights))
        return total / len(order) + penalty

    def _read_and_run(self, which: Places) -> float:
        weight = None if self.task.weight is None else self.task.weight[which]
        places, ends = np.arange(len(which)), np.array([0, len(which)])
        return self._run(plain_source(self._read(which)), self.task.codes[which], weight, places, ends)

    def _read(self, which: Places) -> Floats:
        Z = np.empty((len(which), self.task.rows.width), dtype=self.task.rows.dtype)
        self.task.rows.take(which, Z)
        return Z

    def _run(
        self,
        source: Parameters,
        codes: NDArray[np.int32],
        weight: Floats | None,
        order: Places,
        ends: Places,
    ) -> float:
        """Steps for the batches between these ends; the sum of their weighted losses."""
        o = self.options
        run: Callable[..., float] = (
            _core.network.filled_network_epoch if "filled" in source else _core.network.network_epoch
        )
        layers = self.layout.compiled(o.activation, self.parameters.dtype)
        training = _core.network.Training(
            codes, weight, order, ends, self.task.surrogate, o.solver, o.rate, o.momentum, o.l2
        )
        lost = run(
            layers, **source, training=training, steps=self._steps, threads=usable(o.threads),
            parameters=self.parameters, state=self._state,
        )  # fmt: skip
        self._steps += len(ends) - 1
        return lost

    def _scores(self, which: Places) -> Floats:
        o, filled = self.options, self.task.rows.filled
        if filled is None:
            return block_scores(self._read(which), self.layout, o.activation, self.parameters, o.threads)
        return filled_scores(filled, which, self.layout, o.activation, self.parameters, o.threads)

    def judged(self, rows: Places) -> tuple[float, float]:
        """Weighted error and loss of rows that are not trained on."""
        sums = np.zeros(3)
        step = BLOCK if self.task.rows.filled is None else max(1, len(rows))
        for start in range(0, len(rows), step):
            which = rows[start : start + step]
            sums += _core.network.judged_scores(
                self._scores(which), which, self.task.codes, self.task.weight, self.task.surrogate
            )
        wrong, lost, total = sums.tolist()
        return wrong / total, lost / total
