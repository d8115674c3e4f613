"""One evaluation put together from several: each split by the setting that was chosen for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.selection.evaluation import Evaluation


def combine(by_split: Sequence[Evaluation]) -> Evaluation:
    """One evaluation whose split i is that of by_split[i]; all must have been tested on the same splits.

    Where some give margins only, the whole has no posteriors, and its predictions are the decisions of each.
    """
    first = by_split[0]
    used = list({id(result): result for result in by_split}.values())
    if len(used) == 1:
        return first
    which = np.array([next(i for i, other in enumerate(used) if other is result) for result in by_split])
    at = which[first.split]
    pairs = np.arange(len(at))
    probabilistic = all(result.probabilistic for result in used)
    predicted = [result.tested.predicted if probabilistic else decided(result) for result in used]
    tested = replace(
        first.tested,
        scores=np.stack([result.tested.scores for result in used])[at, pairs],
        predicted=np.stack(predicted)[at, pairs],
        priors=np.stack([result.tested.priors for result in used])[which, np.arange(len(which))],
        notes=tuple(dict.fromkeys(note for result in used for note in result.notes)),
    )
    return replace(first, tested=tested, probabilistic=probabilistic, notes=tested.notes)


def decided(result: Evaluation) -> NDArray[np.int32]:
    """The class that each pair's least-risk action names; the predicted one without posteriors or loss matrix."""
    if not result.probabilistic or result.loss is None:
        return result.predicted_codes
    codes = result.decide()
    return np.asarray(codes.loss.class_of_action[codes.action_codes], dtype=np.int32)
