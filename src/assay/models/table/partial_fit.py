"""A pipeline fitted from blocks of rows that are never together in memory.

Blocks give moments of the raw rows, gaps read as fixed values with flags beside them; moments merge. At the end
every step and the model are solved from them, as each fold of an evaluation is: the result is that of a fit to all
rows at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import thread_count
from assay.models.base.estimators import Pipeline, clone
from assay.models.base.from_moments import StatisticsClassifier, merge_classes
from assay.models.base.validation import TrainingData, check_moments
from assay.models.features.affine_step import AffineStep
from assay.models.features.impute import Impute
from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.sharing.moments.training import fill_values
from assay.sharing.overrides import overrides
from assay.sharing.settings import model_of, steps_of
from assay.sharing.steps import form_behind, imputes, map_of, needs_extremes, passes_gaps, unordered
from assay.statistics import Extremes, Filling, Form, Moments, collect
from assay.types import Array, Estimator, Labels


@dataclass(frozen=True)
class Gathered:
    """What the rows read so far leave behind: moments of each class, how gaps were read, extremes if needed.

    Diagonal moments leave missing values out, feature by feature; the others read them as `filling` does, with flags.
    """

    classes: Labels
    moments: Moments
    filling: Filling  # its flags are the columns that had gaps so far
    extremes: Extremes | None = None

    @property
    def read_as(self) -> Filling | None:
        return self.filling if len(self.filling.indicators) and self.moments.form != "diagonal" else None


def gather(pipeline: Estimator, data: TrainingData, before: Gathered | None = None) -> Gathered:
    """Further rows, merged with those before."""
    steps, model = steps_of(pipeline), model_of(pipeline)
    gaps = np.flatnonzero(np.isnan(data.X).any(axis=0)).astype(np.int32)
    values = fill_values(data.X) if before is None else before.filling.values
    known = np.zeros(0, dtype=np.int32) if before is None else before.filling.indicators
    flags = np.union1d(known, gaps) if imputes(steps) else known
    filling = Filling(values, flags.astype(np.int32))
    # What an imputed column needs of another is its own flag, so that diagonal moments will do for a diagonal model.
    form = form_behind(steps, model.moments_form, gaps=False) if before is None else before.moments.form
    apart = imputes(steps) or passes_gaps(steps, model)
    moments = _collect(data, form, filling, len(gaps) > 0 and apart)
    extremes = _extremes(data) if needs_extremes(steps) else None
    if before is None:
        return Gathered(data.classes, moments, filling, extremes)
    earlier = _with_flags(before.moments, len(values), known, flags)
    classes, merged = merge_classes(before.classes, earlier, data.classes, moments)
    if extremes is not None and before.extremes is not None:
        low, high = before.extremes.low, before.extremes.high
        extremes = Extremes(np.fmin(low, extremes.low), np.fmax(high, extremes.high))
    return Gathered(classes, merged, filling, extremes)


def _collect(data: TrainingData, form: Form, filling: Filling, gaps: bool) -> Moments:
    """Moments of a block; gaps : whether it has missing values that may be left out, feature by feature."""
    read = filling if len(filling.indicators) and form != "diagonal" else None
    skip = gaps and form == "diagonal"
    moments = collect(
        data.X,
        data.codes,
        data.n_classes,
        form=form,
        weight=data.weight,
        filling=read,
        missing=skip,
        threads=thread_count(),
    )
    check_moments(moments, data.X, data.names, missing_allowed=skip or read is not None)
    return moments


def _extremes(data: TrainingData) -> Extremes:
    """Least and largest values; rows of weight 0 do not count."""
    rows = data.X if data.weight is None else data.X[data.weight > 0]
    if len(rows) == 0:
        rows = np.full((1, data.X.shape[1]), np.nan)
    low, high = np.fmin.reduce(rows, axis=0), np.fmax.reduce(rows, axis=0)
    return Extremes(low[None].astype(np.float64), high[None].astype(np.float64))


def _with_flags(m: Moments, width: int, known: NDArray[np.int32], flags: NDArray[np.int32]) -> Moments:
    """Moments with a flag for more columns: no row so far had a gap there, so mean and scatter are 0."""
    if len(flags) == len(known) or m.form == "diagonal":
        return m
    place = np.append(np.arange(width), width + np.searchsorted(flags, known)).astype(np.intp)

    def spread(array: Array, axes: tuple[int, ...]) -> Array:
        shape, index = list(array.shape), [np.arange(size) for size in array.shape]
        for axis in axes:
            shape[axis], index[axis] = width + len(flags), place
        out = np.zeros(shape)
        out[np.ix_(*index)] = array
        return out

    center, offset = spread(m.center, (-1,)), spread(m.offset, (-1,))
    return replace(m, center=center, offset=offset, scatter=spread(m.scatter, (-2, -1)))


def fit_gathered(pipeline: Estimator, gathered: Gathered) -> Any:
    """The fitted steps and the fitted model, as one estimator."""
    present = gathered.classes[gathered.moments.weight > 0]
    if len(present) < 2:
        raise ValueError(Note("M047", label=present.tolist()[0]) if len(present) else Note("M705"))
    m, extremes = gathered.moments.in_rows()[None], gathered.extremes
    steps = []
    with single_threaded():
        for step in steps_of(pipeline):
            fitted = clone(step)
            fitted._check_params()
            if isinstance(fitted, Impute) and m.form == "diagonal":
                m = fitted.learn_apart(m, gathered.filling.indicators)
            else:
                fitted.learn(m, extremes, gathered.read_as)
                m, extremes = _behind(fitted, m, extremes, gathered.read_as)
            steps.append(fitted)
    model = clone(model_of(pipeline))
    model._check_params()
    model.n_features_in_ = m.n_features
    return piped([*steps, model._learn(gathered.classes, m[0].converted(model.moments_form))])


def _behind(
    step: AffineStep, m: Moments, extremes: Extremes | None, filling: Filling | None
) -> tuple[Moments, Extremes | None]:
    """Moments and extremes of the rows that a fitted step gives out."""
    change = map_of(step, m, extremes, filling)
    if change is None:
        return m, extremes
    m = change.moments(m)
    extremes = None if extremes is None or change.columns is None else extremes.mapped(change)
    columns = getattr(
        step, "kept_", None
    )  # a map keeps all columns, some times 0; the step itself drops these
    if columns is None:
        return m, extremes
    ends = None if extremes is None else Extremes(extremes.low[:, columns], extremes.high[:, columns])
    return m.select(columns), ends


def can_gather(pipeline: Estimator) -> bool:
    """Whether every part can be fitted from moments of the raw rows."""
    steps = steps_of(pipeline)
    return (
        isinstance(model_of(pipeline), StatisticsClassifier)
        and all(isinstance(step, AffineStep) for step in steps)
        and unordered(steps) is None
        and overrides(pipeline) is None
    )


def piped(parts: list[Any]) -> Any:
    """The last of the parts behind the others; itself if it is alone."""
    if len(parts) == 1:
        return parts[0]
    names = [type(part).__name__.lower() for part in parts[:-1]]
    listed = [name if names.count(name) == 1 else f"{name}_{i + 1}" for i, name in enumerate(names)]
    return Pipeline(list(zip([*listed, "model"], parts, strict=True)))
