r"""Class scores of a grid of settings, as far as they are squares of the same numbers.

Where settings change how much each direction counts, and not the directions,

    score of class k under setting s = bias_ks - ½ Σ_j share_kjs u_kj²,    u_k = (x - m_k) T_k,

one product with T_k serves them all. Settings whose scores are linear stand beside as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.sharing.forms import Linear
from assay.statistics import AffineMap
from assay.types import Array


@dataclass(frozen=True)
class Bases:
    """B bases and L lines of G models that together serve S settings.

    Attributes
    ----------
    served : for each basis, the numbers of the settings it serves, at most M
    mean : (G, K, D)
    turn : (G, B, K, D, E)
    share : (G, B, K, E, M)
    bias : (G, B, M, K)
        -inf for classes without rows.
    lines : the numbers of the linear settings
    line : Linear of L times K classes, or None
    """

    served: tuple[tuple[int, ...], ...]
    mean: Array
    turn: Array
    share: Array
    bias: Array
    lines: tuple[int, ...]
    line: Linear | None

    @property
    def slots(self) -> list[int]:
        """The setting of each slot of the kernel, -1 where a basis serves fewer than M."""
        most = self.share.shape[-1]
        padded = [[*numbers, *[-1] * (most - len(numbers))] for numbers in self.served]
        return [number for numbers in padded for number in numbers] + list(self.lines)

    def serves_like(self, other: Bases) -> bool:
        """Whether other models have the same bases for the same settings."""
        shape, other_shape = (bases.turn.shape[1:] + bases.share.shape[4:] for bases in (self, other))
        same = self.served == other.served and self.lines == other.lines
        return same and shape == other_shape

    def followed_by(self, other: Bases) -> Bases:
        """These models and others that are served alike."""

        def joined(name: str, first: object, second: object) -> Array:
            return np.concatenate([getattr(first, name), getattr(second, name)])

        names = ("mean", "turn", "share", "bias")
        arrays: dict[str, Any] = {name: joined(name, self, other) for name in names}
        if self.line is not None:
            arrays["line"] = Linear(
                *(joined(name, self.line, other.line) for name in ("center", "weights", "bias"))
            )
        return replace(self, **arrays)

    def behind(self, step: AffineMap, means: Array) -> Bases:
        """The same scores as a function of the rows before `step`, whose class means were `means`."""
        groups, bases, classes, width, inner = self.turn.shape
        turn = step.times(self.turn.reshape(groups, bases * classes, width, inner))
        line = None if self.line is None else self.line.behind(step, means)
        turn = turn.reshape(groups, bases, classes, means.shape[-1], inner)
        return replace(self, mean=means, turn=turn, line=line)
