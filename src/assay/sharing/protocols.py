"""What sharers ask of models and steps: structural, so that anybody's class may offer it.

Every name that a file of `sharing/` calls on a model or a step stands here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.notes import Note
from assay.sharing.reductions import Reduction
from assay.sharing.settings import Settings
from assay.sharing.study import Study

Result = TypeVar("Result")


class Solved(Protocol):
    """All models of all settings, solved as soon as somebody asks for their scores."""

    def reduce(self, keep: Reduction[Result], only: NDArray[np.bool_] | None = None) -> Result:
        """What the reduction keeps of all scores, or of those asked for: only (S, T)."""

    def spent(self, s: int) -> float | None:
        """Seconds that a setting took by itself; None where settings were solved together."""

    def difficulties(self, s: int) -> tuple[str, ...]:
        """What was difficult in a setting, in words; known once scores were asked for."""


class Sharer(Protocol):
    """One way in which models have their computation in common."""

    @property
    def name(self) -> str: ...

    def suits(self, settings: Settings, study: Study) -> list[Note | None]:
        """For every setting None, or why this way does not serve it."""

    def solve(self, settings: Settings, study: Study) -> Solved:
        """Settings that it suits."""


class Wrapper(Protocol):
    """A model made of other models, which are solved by whatever they share."""

    def inside(self, settings: Settings, study: Study) -> Solved: ...


Sharers = Sequence[Sharer]
Estimator = Any
