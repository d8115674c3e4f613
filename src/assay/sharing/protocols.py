"""What sharers ask of models and steps: structural, so that anybody's class may offer it.

Every name that a file of `sharing/` calls on a model or a step stands here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.notes import Note
from assay.sharing.reductions import Reduction
from assay.sharing.settings import Settings
from assay.sharing.study import Study
from assay.types import Codes, Floats, Index, Mask

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


class GramProblem(NamedTuple):
    """One training set among rows whose inner products are known.

    gram : (N, N)
    codes : (N,) classes
    weight : (N,)
        Of the rows trained on, those of their classes and their copies included; 0: the row is not trained on.
    test : places of the rows to score
    """

    gram: Floats
    codes: Codes
    n_classes: int
    weight: Floats
    test: Index
    threads: int


class GramModel(Protocol):
    """A model that is solved from the inner products of rows, under a kernel or as they are.

    A model that has `class_weight` gets weights with its factors in them.
    """

    gram_parameters: tuple[str, ...]  # settings that differ in these alone are solved together

    def gram_note(self, rows: int, width: int, memory: int) -> Note | None:
        """Why a table of so many rows and columns is not for it, or None."""

    def learns_kernel(self) -> bool:
        """Whether the matrix depends on which rows are trained on."""

    def gram(
        self, X: Any, train: Index, weight: Floats | None, some: Index | None, threads: int
    ) -> NDArray[Any]:
        """The matrix of some rows of X (None: all), under the kernel that the rows `train` give; nothing is kept."""

    def solve_gram(self, problem: GramProblem, models: Sequence[Any]) -> tuple[Floats, Mask]:
        """Scores of the tested rows by every one of the models, (L, P, K), and which of them are solved."""


class Wrapper(Protocol):
    """A model made of other models, which are solved by whatever they share."""

    def inside(self, settings: Settings, study: Study) -> Solved: ...


Sharers = Sequence[Sharer]
Estimator = Any
