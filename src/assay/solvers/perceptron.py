"""The perceptron's rule: after each mistake the row is added to its class and taken from the class it was given.

    two classes     w ← w ± η s x                                  the sign that of the row's class, s its weight
    more            w_c ← w_c + η s x,   w_j ← w_j - η s x         c the class of the row, j that of the largest score

with a constant 1 at the end of x. Of two classes a row is given to the second where w·x >= 0, of more to the first of
equal scores; scores that differ by rounding alone are equal, so that the way through the rows does not hang on a last
digit. Rows are visited one by one, by a compiled loop; of rows of mostly zeros it reads the others alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.numerics.interrupt import check_interrupt
from assay.solvers.row_stretches import RowStretches
from assay.types import Array

Rows = Array | _core.network.OffsetCsrRows | RowStretches  # (N, D+1) with a column of ones


class Visited(NamedTuple):
    """How the rule went through the rows. Weights are (K, D+1); two classes have -w/2 and w/2."""

    weights: Array  # at the end
    averaged: Array  # mean over all rows visited
    pocket: Array  # those with the fewest errors on all rows, of the longest run of each epoch
    mistakes: int
    epochs: int
    converged: bool  # an epoch without a mistake


def visit(
    Z: Rows,
    codes: NDArray[np.integer],
    weight: Array,
    n_classes: int,
    *,
    epochs: int,
    rate: float = 1.0,
    seed: int | None = None,
    most_mistakes: int | None = None,
    pocket: bool = True,
    start: Array | None = None,
) -> Visited:
    """Go through the rows until an epoch has no mistake, or for a number of epochs.

    Z : (N, D+1) with a column of ones, rows of few entries, or stretches of rows; weight : (N,) positive
    seed : rows are shuffled in every epoch; None visits them as they stand
    most_mistakes : stop after the epoch that reaches this number
    pocket : whether the weights of the longest run are tried on all rows; otherwise the pocket stays empty
    start : (1, D+1) for two classes and (K, D+1) for more, the first weights; None: zeros
    """
    rows = np.ascontiguousarray(Z) if isinstance(Z, np.ndarray) else Z
    weights = _PerceptronWeights(rows, codes.astype(np.int32), rate * weight, n_classes, start)
    random = None if seed is None else np.random.default_rng(seed)
    converged, epoch = False, 0
    while epoch < epochs and not converged:
        check_interrupt()
        before = weights.mistakes
        weights.epoch(None if random is None else random.permutation(len(codes)), pocket)
        epoch, converged = epoch + 1, weights.mistakes == before
        if most_mistakes is not None and weights.mistakes >= most_mistakes:
            break
    last, averaged, pocket_weights = (
        _of_classes(weights.whole(W)) for W in (weights.W, weights.averaged(), weights.pocket)
    )
    return Visited(last, averaged, pocket_weights, weights.mistakes, epoch, converged)


def _of_classes(W: Array) -> Array:
    return np.concatenate([-0.5 * W, 0.5 * W]) if len(W) == 1 else W


class _PerceptronWeights:
    """Weights W, (1, D+1) for two classes and (K, D+1) for more, and what is remembered of them.

    Weights of rows of few entries are kept apart from the multiple of their common part; see
    core/network/perceptron.hpp.
    """

    def __init__(
        self, Z: Rows, codes: NDArray[np.int32], size: Array, n_classes: int, start: Array | None = None
    ) -> None:
        self.Z, self.codes, self.size = Z, codes, size  # sizes of the steps, (N,)
        self.largest = max(float(Z.max()), -float(Z.min())) if isinstance(Z, np.ndarray) and Z.size else 0.0
        self.W = np.zeros((1 if n_classes == 2 else n_classes, Z.shape[1]))
        if start is not None:
            self.W[:] = self.apart(start)
        self.pocket, self.errors = self.W.copy(), np.inf
        self.mistakes = 0
        self._late, self._seen = (
            np.zeros_like(self.W),
            0.0,
        )  # Σ (sizes seen before a step) · step, and all sizes seen

    def epoch(self, order: NDArray[np.int64] | None, pocket: bool = True) -> None:
        """Visit every row once; for the pocket, try the weights of the longest run on all of them."""
        longest = np.empty_like(self.W)
        state = self.codes, self.size, order, self._seen, self.W, self._late, longest
        if isinstance(self.Z, np.ndarray):
            self.mistakes += _core.network.perceptron_epoch(self.Z, *state, self.largest)
        else:
            self.mistakes += self.Z.epoch(*state)
        self._seen += float(self.size.sum())
        if pocket:
            self._try(longest)

    def _try(self, W: Array) -> None:
        errors = float(self.size[_given(self.Z, self.whole(W)) != self.codes].sum())
        if errors < self.errors:
            self.errors, self.pocket = errors, W.copy()

    def averaged(self) -> Array:
        """Mean of the weights after each row, every row counting as its weight."""
        return np.asarray(self.W - self._late / self._seen)

    def whole(self, W: Array) -> Array:
        """Weights of the columns and the constant."""
        return np.column_stack([W[:, :-1] + W[:, -1:] * self._base(), W[:, -1]])

    def apart(self, W: Array) -> Array:
        """Weights of the columns and the constant as they are kept: the other way round."""
        return np.column_stack([W[:, :-1] - W[:, -1:] * self._base(), W[:, -1]])

    def _base(self) -> Array:
        """The common part of rows of few entries; other rows have none."""
        base = np.zeros(self.Z.shape[1] - 1)
        if isinstance(self.Z, _core.network.OffsetCsrRows):
            self.Z.base(base)
        return base


def _given(Z: Rows, W: Array) -> NDArray[np.generic]:
    """The class of each row; of two, whether it is the second."""
    if not isinstance(Z, _core.network.OffsetCsrRows):
        scores = Z @ W.T
    else:
        scores = np.empty((Z.shape[0], len(W)))
        for k, w in enumerate(W):
            one = np.empty(Z.shape[0])
            Z.scores(w, one)
            scores[:, k] = one
    return np.asarray(scores[:, 0] >= 0 if len(W) == 1 else scores.argmax(axis=1))
