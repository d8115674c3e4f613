"""Statistics of every training set: collected per cell and combined, or per model where these are fewer."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.notes import Note
from assay.sharing.dataset import Block
from assay.sharing.splits import Splits
from assay.sharing.steps import TrainingStatistics, form_behind, imputes, needs_extremes
from assay.sharing.study import Study
from assay.statistics import (
    Extremes,
    Filling,
    Form,
    Moments,
    cells_bytes,
    collect,
    collect_extremes,
    collect_replicates,
)
from assay.statistics.checks import check_finite, check_width, finite, narrow_columns, sums_of_squares
from assay.statistics.combine import joined
from assay.types import Array, CellCodes, Codes, ColumnNames, Estimator, Floats, Integers, Mask

LABEL = "Statistics"
HEAD = 1024  # rows that say what to read in place of missing values

Merged = TypeVar("Merged", Moments, Extremes)


class Reading(NamedTuple):
    """How rows are read: which moments, and what is done about missing values."""

    form: Form
    filling: Filling | None = None
    missing: bool = False  # whether they may be left out, feature by feature

    @classmethod
    def behind(cls, steps: Sequence[Estimator], form: Form, study: Study, mixed: Form = "full") -> Reading:
        """For a model behind steps that needs moments of a form; `mixed`: if they mix features."""
        filling = find_filling(study) if imputes(steps) else None
        return cls(form_behind(steps, form, filling is not None, mixed), filling)

    @property
    def flags(self) -> int:
        """Columns that tell of missing values."""
        return 0 if self.filling is None else len(self.filling.indicators)

    def note(self, name: str, study: Study) -> Note | None:
        """That the statistics of all training sets have no room, or None."""
        need = needed_bytes(study, self.form, self.flags)
        return Note("S005", name, {"gibibytes": need / 2**30}) if need > study.dataset.engine.memory else None


def find_filling(study: Study) -> Filling | None:
    """How to read a table with missing values; None if it has none."""

    def make() -> Filling | None:
        values, gaps = study.reduce(_gaps, lambda a, b: (a[0], a[1] | b[1]), LABEL)
        return Filling(values, np.flatnonzero(gaps).astype(np.int32)) if gaps.any() else None

    return study.once(("filling",), make)


def _gaps(block: Block) -> tuple[Array, Mask]:
    with np.errstate(over="ignore", invalid="ignore"):
        gaps = np.isnan(block.X).any(axis=0) if np.isnan(block.X.sum()) else np.zeros(block.X.shape[1], bool)
    return fill_values(block.X), gaps


def fill_values(X: Floats) -> Array:
    """What to read in the gaps of each column: it only needs to be near the data."""
    head = X[:HEAD].astype(np.float64)
    finite_values = np.isfinite(head)
    with np.errstate(over="ignore"):  # the pass shows it, and the message names the column
        return np.asarray(
            np.where(finite_values, head, 0.0).sum(axis=0) / np.maximum(finite_values.sum(axis=0), 1)
        )


def by_cells(splits: Splits) -> bool:
    """Whether statistics are kept of cells: of one layer always, of several where models are not fewer."""
    return splits.n_layers == 1 or splits.n_layers * splits.n_cells <= splits.n_models


def needed_bytes(study: Study, form: Form, flags: int) -> int:
    """What the statistics of all training sets take: cells and sets, and what is made on the way."""
    splits, data = study.splits, study.dataset
    cells = splits.n_layers * splits.n_cells if by_cells(splits) else splits.n_models
    groups = 1 if splits.row_by_row else 1 + cells
    return 3 * cells_bytes(form, groups, data.n_classes, data.n_features + flags)


def training_statistics(
    study: Study, reading: Reading, pipelines: Iterable[Sequence[Estimator]], models: Codes | None
) -> TrainingStatistics:
    """What models behind any of these steps are solved from, weights as numbers of rows."""
    extremes = training_extremes(study, models) if any(map(needs_extremes, pipelines)) else None
    return TrainingStatistics(training(study, reading, models).in_rows(), extremes, reading.filling)


def training(study: Study, reading: Reading, models: Codes | None = None) -> Moments:
    """Moments of the training sets of some models (None: all), weights as given."""
    splits = study.splits
    numbers = np.arange(splits.n_models) if models is None else models
    if not by_cells(splits) and not _skips(study, reading):
        return _of_models(study, reading)[numbers]
    cells = _cells(study, reading)
    if splits.n_layers == 1:
        return cells[0].combined(splits.copies[numbers])
    moments: Moments = _by_layer(splits, numbers, lambda layer, copies: cells[layer].combined(copies), joined)
    return moments


def _skips(study: Study, reading: Reading) -> bool:
    """Whether there are missing values, and they are left out."""
    return reading.missing and reading.form == "diagonal" and find_filling(study) is not None


def training_extremes(study: Study, models: Codes | None = None) -> Extremes:
    """Least and largest values of the training sets of some models."""
    splits = study.splits
    numbers = np.arange(splits.n_models) if models is None else models
    data, cells = study.dataset, splits.n_cells

    def collect_block(block: Block) -> list[Extremes]:
        return [collect_extremes(block.X, cell, cells, block.weight) for cell in block.cells]

    def make() -> tuple[CellCodes, list[Extremes]]:
        return splits.cell, study.reduce(collect_block, _merged, LABEL, 40 * data.n_features)

    of_cells = study.once(("extremes", id(splits.cell)), make)[1]
    extremes: Extremes = _by_layer(
        splits, numbers, lambda layer, copies: of_cells[layer].combined(copies), _joined_extremes
    )
    return extremes


def _by_layer(
    splits: Splits,
    models: Integers,
    of: Callable[[int, NDArray[np.uint16]], Merged],
    join: Callable[[list[Merged]], Merged],
) -> Merged:
    """What `of` gives of the layers' models, in the order of the models."""
    layers = np.unique(splits.layer[models])
    groups = [np.flatnonzero(splits.layer[models] == layer) for layer in layers]
    parts = [of(int(layer), splits.copies[models[at]]) for layer, at in zip(layers, groups, strict=True)]
    if len(parts) == 1:
        return parts[0]
    return join(parts)[np.argsort(np.concatenate(groups), kind="stable")]


def _joined_extremes(parts: list[Extremes]) -> Extremes:
    return Extremes(np.concatenate([p.low for p in parts]), np.concatenate([p.high for p in parts]))


def _merged(a: Sequence[Merged], b: Sequence[Merged]) -> list[Merged]:
    return [x.merge(y) for x, y in zip(a, b, strict=True)]


def whole(study: Study, reading: Reading) -> Moments:
    """Moments of all rows."""
    return _collected(study, reading, ("whole",), None)[0]


def _cells(study: Study, reading: Reading) -> list[Moments]:
    """Moments of the cells of every layer."""
    return _collected(study, reading, ("cells", id(study.splits.cell)), study.splits.n_cells)


def _collected(study: Study, reading: Reading, key: tuple[Hashable, ...], cells: int | None) -> list[Moments]:
    """Moments of every cell, or of all rows where there are no cells; collected once, in this form or a larger one.

    Missing values are looked for by the pass itself: where it shows them and they may be left out, it is made again.
    """
    form, filling, missing = reading
    missing = missing and form == "diagonal"
    for known in (("full", False), (form, False), (form, missing)):
        moments: list[Moments] = study.store.get((*key, *known, filling is not None), (None, []))[1]
        if moments and (missing or moments[0].present is None):
            return moments

    def collected(skip: bool) -> list[Moments]:
        data = study.dataset
        collect_block = _Collect(
            data.n_classes, cells, form, filling, skip, missing and not skip, data.names, data.engine.threads
        )
        moments = study.reduce(collect_block, _merged, LABEL)
        return [replace(m, importance=data.importance) for m in moments]

    def make() -> tuple[CellCodes, list[Moments]]:
        moments = collected(False)
        if missing and not all(finite(m) for m in moments):
            moments = collected(True)
        _check_widths(study, moments)
        return study.splits.cell, moments  # the cells stay alive with what is known by their identity

    return study.once((*key, form, missing, filling is not None), make)[1]


@dataclass(frozen=True)
class _Collect:
    """Moments of a block: of each layer's cells, or of all its rows."""

    n_classes: int
    n_cells: int | None
    form: Form
    filling: Filling | None
    missing: bool
    look: bool  # whether non-finite sums are to be looked at again, not reported
    names: ColumnNames
    threads: int

    def __call__(self, block: Block) -> list[Moments]:
        groups = [None] if self.n_cells is None else block.cells
        moments = [self._moments(block, group) for group in groups]
        if not self.look:
            allowed = self.missing or self.filling is not None
            for m in moments:
                check_finite(m, block.X, self.names, missing_allowed=allowed, first=block.start)
        return moments

    def _moments(self, block: Block, group: Codes | None) -> Moments:
        return collect(
            block.X,
            block.codes,
            self.n_classes,
            form=self.form,
            group=None if group is None else group.astype(np.int32, copy=False),
            n_groups=self.n_cells or 1,
            weight=block.weight,
            missing=self.missing,
            filling=self.filling,
            threads=self.threads,
        )


def _check_widths(study: Study, moments: list[Moments]) -> None:
    """Raise one sentence if a column varies, but so little that its squares vanish."""
    data = study.dataset
    sums = [sums_of_squares(m) for m in moments]
    columns = {
        j: total[j] for total, squares in sums for j in narrow_columns(total, squares, data.n_features)
    }
    if not columns:
        return

    def ends(block: Block) -> list[Extremes]:
        return [collect_extremes(block.X, np.zeros(block.n_rows, dtype=np.int32), 1)]

    (width,) = study.reduce(ends, _merged, LABEL)
    for column, total in sorted(columns.items()):
        check_width(column, width.low[0, column], width.high[0, column], total, data.names)


def _of_models(study: Study, reading: Reading) -> Moments:
    """Moments of every model's training set, collected as weighted copies of the rows."""
    form, filling, _ = reading
    splits, data = study.splits, study.dataset
    work = _Replicate(splits.scheme, data.n_classes, form, filling, data.names, data.engine.threads)
    drawn = study.class_rows()

    def make() -> Moments:
        moments: Moments = study.reduce(work, lambda a, b: a.merge(b), LABEL, 12 * splits.n_models)
        moments = replace(moments, rows=drawn, importance=data.importance)
        _check_widths(study, [moments])
        return moments

    larger: Form
    for larger in ("full", form):
        if ("models", id(splits), larger, filling is not None) in study.store:
            form = larger
    return study.once(("models", id(splits), form, filling is not None), make)


@dataclass(frozen=True)
class _Replicate:
    """Moments of a block for every model, of as many copies of its rows as the model sees."""

    scheme: Splits
    n_classes: int
    form: Form
    filling: Filling | None
    names: ColumnNames
    threads: int

    def __call__(self, block: Block) -> Moments:
        rows = block.X if self.filling is None else self.filling.read(block.X)
        moments = collect_replicates(
            rows,
            block.codes,
            self.n_classes,
            self.scheme.drawn(slice(None), block.cells, self.threads),
            form=self.form,
            weight=block.weight,
            threads=self.threads,
        )
        allowed = self.filling is not None
        check_finite(moments, block.X, self.names, missing_allowed=allowed, first=block.start)
        return moments
