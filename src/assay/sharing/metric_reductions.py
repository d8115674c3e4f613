"""What is kept of scores to choose by a metric: confusion matrices of tests, or every score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from assay.sharing.part import Part, decided_of
from assay.sharing.reductions import AllParts, SettingSums
from assay.types import Array


@dataclass(frozen=True)
class Confusions(SettingSums):
    """The confusion matrix of every (setting, test), (S, T, K, K), under other priors where they are given."""

    settings: int
    n_tests: int
    n_classes: int
    priors: Array | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        return self.n_tests, self.n_classes, self.n_classes

    @property
    def decides_inside(self) -> bool:
        """Whether a choice inside training sets is by the decisions of models as they are."""
        return self.priors is None

    def add(self, part: Part) -> dict[int, Array]:
        """The pairs of a part."""
        place = (part.test.astype(np.int64) * self.n_classes + part.codes) * self.n_classes
        cells = place + decided_of(part, None, self.priors)
        counts = np.bincount(cells, part.weight, self.n_tests * self.n_classes**2)
        return {part.setting: counts.astype(np.float64).reshape(self.shape)}


class EveryScore(AllParts):
    """The parts of every setting, those of tests inside training sets with the posteriors that they would have."""

    decides_inside: ClassVar[bool] = False
