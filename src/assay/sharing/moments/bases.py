r"""Class scores of a grid of settings, as far as they are squares of the same numbers.

Where settings change how much each direction counts, and not the directions,

    score of class k under setting s = bias_ks - ½ Σ_j share_kjs u_kj²,    u_k = (x - m_k) T_k,

one product with T_k serves them all. Settings whose scores are linear stand beside as they are.

Bases of covariances along a line, S = (1 - w) S_a + w S_b, bound each other: the squares xᵀ S⁻¹ x are convex in S, so
those of one between two others lie below the straight line through theirs, and those of one beyond them above it. Of
the bases in a row every second one is bounded like this, and decides only about the rows that its bounds leave open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.sharing.forms import Linear
from assay.statistics import AffineMap

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Place:
    """A basis at (1 - share) near + share other, and at (1 + beyond) near - beyond far, of three others."""

    near: int
    other: int
    far: int
    share: float
    beyond: float

    def renumbered(self, numbers: Sequence[int]) -> Place:
        return replace(self, near=numbers[self.near], other=numbers[self.other], far=numbers[self.far])


def places_along(at: Sequence[float]) -> list[Place | None]:
    """Where every second of four or more bases lies among the rest, by their numbers on the line; None for the rest.

    >>> places_along([0.0, 0.1, 0.2, 0.4])
    [None, Place(near=2, other=0, far=3, share=0.5, beyond=0.5), None, None]
    """
    order = sorted(range(len(at)), key=lambda b: at[b])
    places: list[Place | None] = [None] * len(at)
    if len(at) < 4 or len(set(at)) < len(at):
        return places
    last = len(at) - 1
    for middle in range(1, last, 2):
        # The end beyond is the next that is no middle itself, to the right as long as there is one.
        ends = (middle + 1, middle - 1, min(middle + 3, last))
        if middle + 1 == last:
            ends = (middle - 1, middle + 1, middle - 3)
        near, other, far = (order[end] for end in ends)
        here, start = at[order[middle]], at[near]
        share = (here - start) / (at[other] - start)
        places[order[middle]] = Place(near, other, far, share, (here - start) / (start - at[far]))
    return places


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
    places : for each basis, where it lies among others, or None
    """

    served: tuple[tuple[int, ...], ...]
    mean: Array
    turn: Array
    share: Array
    bias: Array
    lines: tuple[int, ...]
    line: Linear | None
    places: tuple[Place | None, ...]

    @property
    def slots(self) -> list[int]:
        """The setting of each slot of the kernel, -1 where a basis serves fewer than M."""
        most = self.share.shape[-1]
        padded = [[*numbers, *[-1] * (most - len(numbers))] for numbers in self.served]
        return [number for numbers in padded for number in numbers] + list(self.lines)

    def serves_like(self, other: Bases) -> bool:
        """Whether other models have the same bases for the same settings."""
        shape, other_shape = (bases.turn.shape[1:] + bases.share.shape[4:] for bases in (self, other))
        same = self.served == other.served and self.lines == other.lines and self.places == other.places
        return same and shape == other_shape

    def followed_by(self, other: Bases) -> Bases:
        """These models and others that are served alike."""

        def joined(name: str, first: Any, second: Any) -> Array:
            return np.concatenate([getattr(first, name), getattr(second, name)])

        names = ("mean", "turn", "share", "bias")
        arrays: dict[str, Any] = {name: joined(name, self, other) for name in names}
        if self.line is not None:
            arrays["line"] = Linear(
                *(joined(name, self.line, other.line) for name in ("center", "weights", "bias"))
            )
        return replace(self, **arrays)

    def near(self) -> tuple[NDArray[np.int32], Array]:
        """Places as the kernel takes them: near, other and far, (B, 3), -1: none; share and beyond, (B, 2)."""
        ends = [(-1, -1, -1) if p is None else (p.near, p.other, p.far) for p in self.places]
        weights = [(0.0, 0.0) if p is None else (p.share, p.beyond) for p in self.places]
        return np.array(ends, dtype=np.int32).reshape(-1, 3), np.array(weights).reshape(-1, 2)

    def behind(self, step: AffineMap, means: Array) -> Bases:
        """The same scores as a function of the rows before `step`, whose class means were `means`."""
        groups, bases, classes, width, inner = self.turn.shape
        turn = step.times(self.turn.reshape(groups, bases * classes, width, inner))
        line = None if self.line is None else self.line.behind(step, means)
        turn = turn.reshape(groups, bases, classes, means.shape[-1], inner)
        return replace(self, mean=means, turn=turn, line=line)
