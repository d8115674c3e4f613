"""The scored pairs of a setting as an evaluation keeps them: those of the plan's splits, and those of training rows."""

from __future__ import annotations

import numpy as np

from assay.models.sharing import Tested
from assay.sharing.reductions import Scored
from assay.sharing.splits import ROOT, Splits
from assay.types import Mask


def tested_of(scored: Scored, splits: Splits, notes: tuple[str, ...]) -> tuple[Tested, Tested | None]:
    """Pairs of the tests that the plan makes, whose numbers are those of the splits; and of training rows, if any."""
    if len(splits.outer) == splits.n_tests:
        return Tested(scored.row, scored.test, scored.scores, scored.predicted, scored.priors, notes), None
    outside = splits.parent == ROOT
    number = np.cumsum(outside) - 1
    rows = np.arange(len(scored.test)) if scored.row is None else scored.row

    def some(
        pairs: np.ndarray[tuple[int], np.dtype[np.bool_]] | slice,
        split: np.ndarray[tuple[int], np.dtype[np.int32]],
        priors: np.ndarray[tuple[int, int], np.dtype[np.float64]],
    ) -> Tested:
        return Tested(rows[pairs], split, scored.scores[pairs], scored.predicted[pairs], priors, notes)

    outer, training = _parted(outside[scored.test])
    seen = np.flatnonzero(~outside)
    place = np.searchsorted(seen, scored.test[training]).astype(np.int32)
    return (
        some(outer, number[scored.test[outer]].astype(np.int32), scored.priors[outside]),
        some(training, place, scored.priors[seen]),
    )


def _parted(outer: Mask) -> tuple[Mask | slice, Mask | slice]:
    """Pairs of the plan's tests, and the others; without copies where these come last."""
    count = int(outer.sum())
    return (slice(0, count), slice(count, None)) if outer[:count].all() else (outer, ~outer)
