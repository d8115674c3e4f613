"""Where training parts stand: weights, losses and gradients, and what earlier steps taught (Nocedal, 1980).

The second derivatives of a part are old, or those of other weights; what its steps did to its gradient corrects them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from assay import _core

Array = NDArray[np.float64]
Which = NDArray[np.intp]
REMEMBERED = 8  # steps from which second derivatives are corrected
SLACK = 1e-13  # relative rounding of a loss
COARSE_SLACK = 1e-6  # the same in single precision
TELLING = 3e-7  # relative gradient
LEAST_STEP = 1e-14


class Points:
    """Accepted weights of G parts with loss and gradient there, and the step that is tried next.

    Attributes
    ----------
    theta, gradient, step : (G, C, E+1)
    loss, norm, rate : (G,)
        Objective, relative gradient, and what the last step left of that.
    done, stuck : (G,) bool
        Near enough; or no shorter step helps.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        count = shape[0]
        size = int(np.prod(shape[1:]))
        self.theta, self.gradient, self.step = (np.zeros(shape) for _ in range(3))
        self.loss, self.norm, self.rate = (np.full(count, np.inf) for _ in range(3))
        self.done, self.stuck, self.coarse = (np.zeros(count, dtype=bool) for _ in range(3))
        self._moved, self._bent = (np.zeros((REMEMBERED, count, size)) for _ in range(2))
        self._inverse = np.zeros((REMEMBERED, count))  # 1 / (moved · bent); 0: nothing remembered

    def restart(self, theta: Array) -> None:
        """Begin at θ; nothing is known there."""
        self.theta, self.step = theta.copy(), np.zeros(theta.shape)
        self.loss[:], self.norm[:], self.rate[:] = np.inf, np.inf, np.inf
        self.done[:], self.stuck[:], self.coarse[:] = False, False, False

    def repenalise(self, change: Array) -> None:
        """The penalty's second derivatives (G, E) have changed by so much; so has what steps do to gradients."""
        count, classes, width = self.theta.shape
        flat = np.tile(np.append(change, np.zeros((count, 1)), axis=1), (1, classes))
        known = self._inverse > 0
        self._bent += flat * self._moved
        product = np.einsum("mgn,mgn->mg", self._moved, self._bent)
        self._inverse = np.where(known & (product > 0), 1.0 / np.where(product > 0, product, 1.0), 0.0)

    def forget(self, which: Which) -> None:
        """Second derivatives are new: earlier steps teach nothing more about them."""
        self._inverse[:, which] = 0.0

    @property
    def live(self) -> Which:
        return np.flatnonzero(~(self.done | self.stuck))

    def tried(self, which: Which) -> Array:
        """The weights that come next."""
        return np.asarray(self.theta[which] - self.step[which])

    def take(
        self, which: Which, theta: Array, loss: Array, gradient: Array, norm: Array, coarse: bool
    ) -> Which:
        """Accept the steps that lower the loss and halve the others; returns the places of those accepted."""
        slack = np.where(coarse | self.coarse[which], COARSE_SLACK, SLACK)
        known = np.isfinite(self.loss[which])
        lower = loss <= self.loss[which] + slack * np.where(known, np.maximum(1.0, np.abs(loss)), 0.0)
        worse, taken = which[~lower], np.flatnonzero(lower)
        self.step[worse] /= 2.0
        small = np.abs(self.step[worse]).max(axis=(1, 2), initial=0.0) < LEAST_STEP
        self.stuck[worse] = small | ~known[~lower]
        at = which[taken]
        # Of steps that end in another precision, or too near to be told in single precision, nothing is learned.
        telling = (self.coarse[at] == coarse) & (not coarse or norm[taken] > TELLING)
        self._learn(at[telling], theta[taken][telling], gradient[taken][telling])
        last = self.norm[at]
        self.rate[at] = np.where(last < np.inf, norm[taken] / np.maximum(last, 1e-300), np.inf)
        self.theta[at], self.loss[at], self.gradient[at] = theta[taken], loss[taken], gradient[taken]
        self.norm[at], self.coarse[at] = norm[taken], coarse
        return taken

    def _learn(self, which: Which, theta: Array, gradient: Array) -> None:
        """Remember what the steps to θ do to the gradients."""
        flat = (len(which), self._moved.shape[2])
        moved = (theta - self.theta[which]).reshape(flat)
        bent = (gradient - self.gradient[which]).reshape(flat)
        product = np.einsum("gn,gn->g", moved, bent)
        good = (product > 0) & np.isfinite(self.loss[which])
        at, product = which[good], product[good]
        for kept, new in (
            (self._moved, moved[good]),
            (self._bent, bent[good]),
            (self._inverse, 1.0 / product),
        ):
            kept[:-1, at] = kept[1:, at]
            kept[-1, at] = new

    def direct(self, which: Which, solve: Callable[[Which, Array], Array]) -> None:
        """Steps H⁻¹ g, where H is what `solve` divides by, corrected by what earlier steps taught."""
        at = np.asarray(which, dtype=np.int64)
        q, share = (
            self.gradient[which].reshape(len(which), self._moved.shape[2]),
            np.empty((REMEMBERED, len(which))),
        )
        _core.free_of_steps(self._moved, self._bent, self._inverse, at, q, share)
        out = solve(which, q.reshape(len(which), *self.theta.shape[1:])).reshape(q.shape)
        _core.with_steps(self._moved, self._bent, self._inverse, at, share, out)
        self.step[which] = out.reshape(len(which), *self.theta.shape[1:])
