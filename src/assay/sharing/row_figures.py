"""Losses of single rows in single tests, by several measures: what varies between training sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.decision.loss import LossMatrix
from assay.decision.measures import LOG_FLOOR
from assay.engines.local import thread_count
from assay.sharing.forms import log_losses, posteriors
from assay.sharing.part import Part, decided_of, lost_by, with_priors
from assay.sharing.reductions import BaseReduction
from assay.types import Array, Codes, Index, Mask

Values = NDArray[np.float32]
ERROR, LOSS, LOG_LOSS, BRIER = "error", "loss", "log_loss", "brier"


class RowFigures(NamedTuple):
    """Of P (row, test) pairs the losses by each measure.

    at : place of the row among those that are kept, times the slots of a row, plus the slot of the test
    """

    at: Index
    values: dict[str, Values]


Kept = dict[int, list[RowFigures]]  # of every setting


@dataclass(frozen=True)
class RowsInTests(BaseReduction):
    """Losses of some rows in some tests, of every setting whose scores are made.

    Attributes
    ----------
    place : (N,)
        Place of each row among those that are kept; -1: not kept.
    slot : (T,)
        Place of each test among the `n_slots` of a row; -1: not kept.
    loss, priors : as in `Losses`
    """

    place: Codes
    slot: Codes
    n_slots: int
    loss: LossMatrix | None = None
    priors: Array | None = None

    @property
    def decides_inside(self) -> bool:
        """Whether decisions alone count, as for a choice by error."""
        return self.loss is None and self.priors is None

    @property
    def only_rows(self) -> Mask | None:
        """Rows that are kept, where others need not be scored."""
        kept = self.place >= 0
        return None if kept.all() else kept

    def add(self, part: Part) -> Kept:
        wanted = (self.slot[part.test] >= 0) & (self.place[part.row] >= 0)
        if not wanted.any():
            return {}
        part = part.take(wanted)
        at = self.place[part.row].astype(np.int64) * self.n_slots + self.slot[part.test]
        return {part.setting: [RowFigures(at, row_values(part, self.loss, self.priors))]}

    def merge(self, a: Kept, b: Kept) -> Kept:
        for setting, kept in b.items():
            a.setdefault(setting, []).extend(kept)
        return a

    def finish(self, total: Kept | None) -> Kept:
        return total or {}


def row_values(part: Part, loss: LossMatrix | None, priors: Array | None) -> dict[str, Values]:
    """Losses of every pair: its mistake, its loss under a loss matrix, and where it has a posterior those of that."""
    actions = decided_of(part, None, priors)
    values = {ERROR: lost_by(actions, part.codes, None)}
    if loss is not None:
        values[LOSS] = lost_by(decided_of(part, loss, priors), part.codes, loss)
    if part.posterior:
        scores = part.scores
        if priors is not None:
            scores = with_priors(scores, part.test, part.priors, priors)
        values[LOG_LOSS] = log_losses(scores, part.codes, LOG_FLOOR, threads=thread_count())
        posterior = posteriors(scores, threads=thread_count())
        of_truth = posterior[np.arange(len(posterior)), part.codes]
        values[BRIER] = np.einsum("nk,nk->n", posterior, posterior) - 2.0 * of_truth + 1.0
    return {measure: losses.astype(np.float32) for measure, losses in values.items()}
