"""One model of the catalog, fitted to a source and saved.

A model solved from statistics reads the source block by block and keeps a block and its sums in memory; any other
model gets all rows at once.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.catalog import ModelCard, entry
from assay.data import Schema, Source, Table, scan
from assay.data.read import Markers, open_stream
from assay.data.schema import unknown_column
from assay.data.sources.database_address import source_name
from assay.data.write.atomic import check_writable
from assay.engines.progress import Progress, silent
from assay.models.table.build import build
from assay.models.table.table_classifier import TableClassifier
from assay.notes import Note
from assay.storage.model_file import save
from assay.types import Label, Parameters
from assay.workbench.diagnosis.label_checks import doubt_findings
from assay.workbench.diagnosis.missing_markers import marker_notes
from assay.workbench.experiment.candidates import check_documents, why_not_applicable
from assay.workbench.problem import check_classes, check_features, check_finite, guess_target, read_problem
from assay.workbench.row_roles import check_roles, role_columns, take_weights
from assay.workbench.syntax.settings import assigned_names, parse_settings
from assay.workbench.training_rows import HashedBlocks, fingerprint_of


@dataclass(frozen=True)
class FitResult:
    """What was fitted, to which rows, and where it was saved."""

    name: str
    title: str
    setting: dict[str, object]
    source: str
    target: str
    rows: int
    features: int
    classes: tuple[Label, ...]
    streamed: bool
    seconds: float
    model: str
    notes: tuple[str, ...]
    weights: Parameters | None = None


def fit_and_save(
    source: object,
    target: str | None,
    model: str,
    out: str | PathLike[str],
    *,
    settings: Collection[str] = (),
    types: Mapping[str, str] | None = None,
    drop: Collection[str] = (),
    query: str | None = None,
    missing: Markers = None,
    weights: str | None = None,
    fingerprint: bool = True,
    random_state: int = 0,
    progress: Progress = silent,
) -> FitResult:
    """Fit a model of the catalog and write it to a file.

    Parameters
    ----------
    source : anything `assay.read` takes
    target : str or None
        The column to predict; None if the source says it itself, or one column has a usual name for it.
    model : str
        A name in the catalog.
    settings : collection of str
        Parameters as text, such as ``l2=0.1``.
    weights : str, optional
        The column of sample weights; it is not used as a feature, and rows of weight 0 are left out.
    fingerprint : bool
        Whether the file keeps hashes of the rows, so that `assay evaluate` recognises training rows.
    progress : callable
        Hears what is being done and the proportion that is done.
    """
    chosen = entry(model).freed(assigned_names(settings))
    setting = {**chosen.defaults, **parse_settings(chosen.name, chosen.free_parameters(), settings)}
    check_writable(out)
    start = time.perf_counter()
    progress("reading", 0.0)
    target = target or _target_of(source, query, (*drop, *role_columns(weights)))
    check_roles(target, None, weights)
    unfitted = build(chosen, setting, random_state)
    left = tuple(name for name in drop if name != weights)
    reading: dict[str, Any] = {"types": types, "drop": left, "query": query, "missing": missing}
    streamed = "statistics" in chosen.capabilities and not chosen.step_setting(setting)
    fit = fit_streaming if streamed else fit_in_memory
    request = FitRequest(unfitted, chosen, source, target, progress, weights, fingerprint)
    fitted, rows, notes = fit(request, **reading)
    seconds = time.perf_counter() - start
    about = _about(chosen, setting, source, target, rows)
    weighting = {} if weights is None else {"weights": {"column": weights}}
    save(fitted, out, about={**about, **weighting})
    return FitResult(
        name=chosen.name,
        title=chosen.title,
        setting=setting,
        source=source_name(source),
        target=target,
        rows=rows,
        features=len(fitted.schema_),
        classes=tuple(fitted.classes_.tolist()),
        streamed=streamed,
        seconds=seconds,
        model=str(out),
        notes=(*notes, *fitted.diagnostics_),
        weights=weighting.get("weights"),
    )


class FitRequest(NamedTuple):
    """A model, the entry that it comes from, and what it is to learn."""

    model: TableClassifier
    chosen: ModelCard
    source: object
    target: str
    progress: Progress
    weights: str | None = None
    fingerprint: bool = True


def fit_streaming(request: FitRequest, **reading: Any) -> tuple[TableClassifier, int, tuple[str, ...]]:
    """Fit block by block; the fitted model, the number of rows, and notes about them."""
    model, chosen, source, target, progress, weights, fingerprint = request
    opened = scan(source, target=target, **reading)
    column = opened.schema[target]
    total = int(opened.n_rows or 0)
    check_classes(column, total - column.missing)
    if weights is not None and weights not in opened.schema:
        raise unknown_column(weights, opened.schema.names, "weight column")
    features = opened.schema.without(target, *role_columns(weights))
    check_features(Table(features, {name: np.empty(0) for name in features.names}), target)
    _check_columns(chosen, features)
    blocks = _LabelledBlocks(opened, target, weights, progress)
    # A class all of whose rows have weight 0 is none: with weights, classes are those of the rows that count.
    hashed = HashedBlocks(model, column, blocks.all())
    model.fit_blocks(hashed, classes=list(column.levels) if weights is None else None, target=target)
    model.fingerprint_ = hashed.fingerprint() if fingerprint else None
    notes = [*marker_notes(opened.schema)]
    if column.missing:
        notes.append(Note("C332", target=target, rows=column.missing))
    if blocks.weightless:
        notes.append(Note("P141", weights=f"column {weights!r}", rows=blocks.weightless))
    doubts = tuple(finding.sentence for finding in doubt_findings(features))
    return model, total - column.missing - blocks.weightless, (*notes, *doubts)


def fit_in_memory(request: FitRequest, **reading: Any) -> tuple[TableClassifier, int, tuple[str, ...]]:
    """Fit all rows at once."""
    model, chosen, source, target, progress, weights, fingerprint = request
    problem = read_problem(source, target, weights=weights, **reading)
    _check_columns(chosen, problem.features.schema)
    progress("fitting", 0.5)
    if chosen.reads_words:
        check_documents(model.encoded(problem.features).design(problem.features), problem)
    fitted = model.fit(problem.table, target=problem.target, sample_weight=problem.weight)
    if fingerprint:
        fitted.fingerprint_ = fingerprint_of(fitted, problem)
    return fitted, problem.n_rows, problem.notes


def _target_of(source: object, query: str | None, drop: Collection[str]) -> str:
    stream = open_stream(source, query)
    return stream.target or guess_target([name for name in stream.names if name not in drop])


def _check_columns(chosen: ModelCard, schema: Schema) -> None:
    if reason := why_not_applicable(chosen, schema):
        raise ValueError(Note("C050", model=chosen.name, reason=reason))


@dataclass
class _LabelledBlocks:
    """The blocks of a source without the rows that have no label or a weight of 0; these are counted."""

    opened: Source
    target: str
    weights: str | None
    progress: Progress
    weightless: int = 0

    def all(self) -> Iterator[tuple[Table, None, NDArray[np.float64] | None]]:
        """Blocks with their weights, as `fit_blocks` takes them."""
        done, total, apart = 0, max(1, self.opened.n_rows or 0), role_columns(self.weights)
        for table in self.opened.blocks():
            check_finite(table.without(self.target, *apart), done)
            rows_used = np.flatnonzero(table[self.target] >= 0)
            weight = None
            if (weighed := take_weights(self.weights, table, rows_used, done)) is not None:
                weight = weighed[1][weighed[1] > 0]
                self.weightless += len(rows_used) - len(weight)
                rows_used = rows_used[weighed[1] > 0]
            rows = table.without(*apart)
            done += table.n_rows
            if len(rows_used):
                yield rows if len(rows_used) == table.n_rows else rows.take(rows_used), None, weight
            self.progress("learning", done / total)
        if self.weights is not None and 0 < self.weightless == done:
            raise ValueError(Note("P024", self.weights))


def _about(
    chosen: ModelCard, setting: dict[str, object], source: object, target: str, rows: int
) -> dict[str, object]:
    return {
        "model": chosen.name,
        "setting": setting,
        "source": source_name(source),
        "target": target,
        "rows": rows,
    }
