"""Steps before a model as maps: each training set gives its own from its statistics, and no row is touched."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.sharing.protocols import offered
from assay.sharing.study import Study
from assay.statistics import AffineMap, Extremes, Filling, Form, Moments
from assay.types import ColumnNames, Estimator, Index, Mask

WIDER = 2  # features for each row from which on products of features cost more than fits
SILENT = Note("S000")


@dataclass(frozen=True)
class TrainingStatistics:
    """Statistics of M training sets, weights as numbers of rows.

    Attributes
    ----------
    moments : Moments
    extremes : Extremes, optional
        Where a step needs them.
    filling : Filling, optional
        How missing values were read; None: there are none, or they were left out.
    """

    moments: Moments
    extremes: Extremes | None = None
    filling: Filling | None = None

    def take(self, sets: Index) -> TrainingStatistics:
        """Some of the training sets."""
        extremes = None if self.extremes is None else self.extremes[sets]
        return TrainingStatistics(self.moments[sets], extremes, self.filling)


@dataclass(frozen=True)
class MappedMoments:
    """Moments of M training sets before and behind the steps; None: nothing changes, or a mixture drops nothing."""

    original: Moments
    moments: Moments
    path: AffineMap | None
    dropped: Mask | None


def unordered(steps: Sequence[Estimator]) -> Note | None:
    """Why statistics of training sets cannot follow these steps in this order, or None."""
    for place, step in enumerate(steps):
        before = steps[:place]
        unknown = offered(step, "fold_map") is None or (place > 0 and offered(step, "reads_gaps"))
        # The extremes of a mixture do not follow from those of its parts.
        mixed = offered(step, "needs_extremes") and any(
            offered(earlier, "mixes_features") for earlier in before
        )
        # The maps of training sets keep all columns, so positions mean something else in them.
        moved = offered(step, "by_position") and any(offered(earlier, "narrows") for earlier in before)
        if unknown or mixed or moved:
            return Note("S003", type(step).__name__)
    return None


def unfollowed(steps: Sequence[Estimator], study: Study) -> Note | None:
    """Why statistics of training sets cannot follow these steps on these rows, or None."""
    note, data = unordered(steps), study.dataset
    if note is not None:
        return note
    if data.sparse:
        return Note("S002")
    if data.n_features >= WIDER * data.n_rows and any(offered(step, "solves_among_rows") for step in steps):
        return Note("S006", "its projection")
    return None


def imputes(steps: Sequence[Estimator]) -> bool:
    """Whether missing values are replaced."""
    return bool(steps) and bool(offered(steps[0], "reads_gaps"))


def passes_gaps(steps: Sequence[Estimator], model: object) -> bool:
    """Whether missing values may reach the model, which leaves them out."""
    return bool(offered(model, "missing_ok")) and all(offered(step, "passes_gaps") for step in steps)


def needs_extremes(steps: Sequence[Estimator]) -> bool:
    """Whether least and largest values of training sets are needed."""
    return any(offered(step, "needs_extremes") for step in steps)


def form_behind(steps: Sequence[Estimator], form: Form, gaps: bool, mixed: Form = "full") -> Form:
    """Moments of the raw rows that hold what a model behind the steps needs; `mixed`: if features are mixed."""
    mixing = [step for step in steps if offered(step, "mixes_features")]
    # A mixed feature's variance needs the products of what it is mixed from; without gaps nothing is imputed.
    return (
        mixed
        if form == "diagonal" and any(gaps or not offered(step, "reads_gaps") for step in mixing)
        else form
    )


def named(steps: Sequence[Estimator], names: ColumnNames) -> tuple[Estimator, ...]:
    """The steps, of which the first knows the columns by these names; the caller's own step is left alone."""
    if not steps:
        return ()
    first: Any = copy.copy(steps[0])
    first.__dict__.pop("feature_names_in_", None)
    if names is not None:
        first.feature_names_in_ = names
    return (first, *steps[1:])


def mapped(steps: Sequence[Estimator], trained: TrainingStatistics) -> MappedMoments:
    """The moments behind the steps, and the way there."""
    m, extremes = trained.moments, trained.extremes
    path, dropped = None, None
    if not steps:
        return MappedMoments(m, m, None, None)
    with single_threaded():
        for step in steps:
            change = map_of(step, m, extremes, trained.filling)
            if change is None:
                continue
            m = change.moments(m)
            extremes = None if extremes is None or change.columns is None else extremes.mapped(change)
            path = change if path is None else path.then(change)
            dropped = _dropped(change, dropped)
    return MappedMoments(trained.moments, m, path, dropped)


def map_of(step: Any, m: Moments, extremes: Extremes | None, filling: Filling | None) -> AffineMap | None:
    """The map that each training set gives a step; None if it changes nothing."""
    change: AffineMap | None
    if offered(step, "reads_gaps"):
        change = None if filling is None else step.fold_map(m, filling)
    else:
        change = step.fold_map(m, extremes) if offered(step, "needs_extremes") else step.fold_map(m)
    return change


def _dropped(change: AffineMap, before: Mask | None) -> Mask | None:
    """Columns that steps multiplied by 0, (M, D); None behind a mixture."""
    if change.columns is None or change.scale is None:
        return None
    now = np.asarray(change.scale == 0.0)
    return now if before is None else np.asarray(now | before[..., change.columns])
