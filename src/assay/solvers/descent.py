r"""Rules that turn a gradient g into a step of the parameters p, element by element and in place.

    sgd        p ← p - η g
    momentum   v ← μ v - η g,    p ← p + v
    adam       m ← β₁ m + (1 - β₁) g,    s ← β₂ s + (1 - β₂) g²
               p ← p - η m̂ / (√ŝ + ε),    m̂ = m / (1 - β₁ᵗ),    ŝ = s / (1 - β₂ᵗ)

(Kingma and Ba, *Adam: a method for stochastic optimization*, 2015.) A step may be made part by part: no element looks
at another.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]
FIRST, SECOND, SMALL = 0.9, 0.999, 1e-8  # β₁, β₂, ε


class Sgd:
    """Against the gradient."""

    def __init__(self, size: int, dtype: Any, rate: float) -> None:
        self.rate = np.dtype(dtype).type(rate)

    def tick(self) -> None:
        """Begin the next step."""

    def step(self, parameters: Floats, gradient: Floats, part: slice) -> None:
        """Make the step for a part of the parameters; the gradient is used up."""
        gradient[part] *= self.rate
        parameters[part] -= gradient[part]


class Momentum(Sgd):
    """Against the gradient, and on in the direction of the steps before."""

    def __init__(self, size: int, dtype: Any, rate: float, momentum: float) -> None:
        super().__init__(size, dtype, rate)
        self.momentum = np.dtype(dtype).type(momentum)
        self.velocity = np.zeros(size, dtype=dtype)

    def step(self, parameters: Floats, gradient: Floats, part: slice) -> None:
        v, g = self.velocity[part], gradient[part]
        v *= self.momentum
        g *= self.rate
        v -= g
        parameters[part] += v


class Adam(Sgd):
    """Steps in units of the gradient's own size.

    Kept are m / (1 - β₁) and s / (1 - β₂): two multiplications of whole vectors fewer; the constants go into the rate
    and into ε.
    """

    def __init__(self, size: int, dtype: Any, rate: float) -> None:
        super().__init__(size, dtype, rate)
        self.first = np.zeros(size, dtype=dtype)
        self.second = np.zeros(size, dtype=dtype)
        self.scratch = np.empty(size, dtype=dtype)
        self._kind, self._eta, self._steps = np.dtype(dtype).type, rate, 0

    def tick(self) -> None:
        self._steps += 1
        root = np.sqrt((1.0 - SECOND) / (1.0 - SECOND**self._steps))  # √ŝ = root · √second
        self.rate = self._kind(self._eta * (1.0 - FIRST) / (1.0 - FIRST**self._steps) / root)
        self._small = self._kind(SMALL / root)

    def step(self, parameters: Floats, gradient: Floats, part: slice) -> None:
        m, s, g, t = self.first[part], self.second[part], gradient[part], self.scratch[part]
        m *= self._kind(FIRST)
        m += g
        g *= g
        s *= self._kind(SECOND)
        s += g
        np.sqrt(s, out=t)
        t += self._small
        np.divide(m, t, out=t)
        t *= self.rate
        parameters[part] -= t


def rule(name: str, size: int, dtype: Any, rate: float, momentum: float) -> Sgd:
    """The rule of this name for so many parameters."""
    if name == "momentum":
        return Momentum(size, dtype, rate, momentum)
    return Adam(size, dtype, rate) if name == "adam" else Sgd(size, dtype, rate)
