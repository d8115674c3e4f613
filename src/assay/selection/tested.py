"""The scored pairs of a setting as an evaluation keeps them: those of the plan's splits, and those of training rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.sharing.reductions import Scored
from assay.sharing.splits import ROOT, Splits
from assay.types import Codes, Floats, Index, Mask


@dataclass(frozen=True)
class Tested:
    """Scores of M tested (row, split) pairs.

    Scores are log posteriors where the model has them, otherwise margins. `rows` is None when every row is tested once,
    in order.
    """

    rows: Index | None
    split: Codes
    scores: Floats
    predicted: Codes
    priors: Floats  # (splits, K) class probabilities that each training set used
    notes: tuple[str, ...] = ()


def tested_of(scored: Scored, splits: Splits, notes: tuple[str, ...]) -> tuple[Tested, Tested | None]:
    """Pairs of the tests that the plan makes, whose numbers are those of the splits; and of training rows, if any."""
    if len(splits.outer) == splits.n_tests:
        return Tested(scored.row, scored.test, scored.scores, scored.predicted, scored.priors, notes), None
    outside = splits.parent == ROOT
    number = np.where(outside, np.cumsum(outside) - 1, -1).astype(
        np.int32
    )  # of each test of the plan among these
    rows = np.arange(len(scored.test)) if scored.row is None else scored.row

    def some(pairs: Mask | slice, split: Codes, priors: Floats) -> Tested:
        return Tested(rows[pairs], split, scored.scores[pairs], scored.predicted[pairs], priors, notes)

    split = number[scored.test]
    outer, training = _parted(split >= 0)
    seen = np.flatnonzero(~outside)
    place = np.searchsorted(seen, scored.test[training]).astype(np.int32)
    return (
        some(outer, split[outer], scored.priors[outside]),
        some(training, place, scored.priors[seen]),
    )


def _parted(outer: Mask) -> tuple[Mask | slice, Mask | slice]:
    """Pairs of the plan's tests, and the others; without copies where these come last."""
    count = int(outer.sum())
    return (slice(0, count), slice(count, None)) if outer[:count].all() else (outer, ~outer)
