"""One model of the catalog fitted to a source and saved: what `assay fit` does.

A model solved from statistics reads the source block by block and keeps a block and its sums in memory; any other
model is given all rows at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np

from assay.data import Schema, Source, Table, scan
from assay.data.sources import open_stream
from assay.models.catalog import Entry, entry
from assay.models.recipe import build
from assay.models.table import TableClassifier
from assay.workbench.diagnosis.labels import doubt_findings
from assay.workbench.files import check_writable
from assay.workbench.model_file import save
from assay.workbench.notation import read_settings
from assay.workbench.prediction import source_name
from assay.workbench.problem import check_classes, check_features, check_finite, guess_target, pose
from assay.workbench.readers import check_documents, no_columns

Report = Callable[[str, float], None]


@dataclass(frozen=True)
class Fitted:
    """What was fitted, to what, and where it was saved."""

    name: str
    title: str
    setting: dict[str, Any]
    source: str
    target: str
    rows: int
    features: int
    classes: tuple[Any, ...]
    streamed: bool
    seconds: float
    model: str
    notes: tuple[str, ...]


def fit_and_save(
    source: Any,
    target: str | None,
    model: str,
    out: str | PathLike[str],
    *,
    settings: Collection[str] = (),
    types: Mapping[str, str] | None = None,
    drop: Collection[str] = (),
    query: str | None = None,
    random_state: int = 0,
    progress: Report = lambda doing, share: None,
) -> Fitted:
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
    progress : callable
        Told what is being done and the share that is done.
    """
    chosen = entry(model)
    setting = {**chosen.defaults, **read_settings(chosen.name, chosen.free_parameters(), settings)}
    check_writable(out)
    start = time.perf_counter()
    progress("reading", 0.0)
    target = target or _target_of(source, query, drop)
    unfitted = build(chosen, setting, random_state)
    reading = {"types": types, "drop": tuple(drop), "query": query}
    streamed = "statistics" in chosen.capabilities
    fit = fit_streaming if streamed else fit_in_memory
    fitted, rows, notes = fit(unfitted, chosen, source, target, progress=progress, **reading)
    seconds = time.perf_counter() - start
    save(fitted, out, about=_about(chosen, setting, source, target, rows))
    return Fitted(
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
    )


def fit_streaming(
    model: TableClassifier, chosen: Entry, source: Any, target: str, *, progress: Report, **reading: Any
) -> tuple[TableClassifier, int, tuple[str, ...]]:
    """Fit block by block; the fitted model, the rows it learned, and what is to be said about them."""
    opened = scan(source, target=target, **reading)
    column = opened.schema[target]
    total = int(opened.n_rows or 0)
    check_classes(column, total - column.missing)
    features = opened.schema.without(target)
    check_features(Table(features, {name: np.empty(0) for name in features.names}), target)
    _check_columns(chosen, features)
    model.fit_blocks(_labelled(opened, target, progress), classes=list(column.levels), target=target)
    note = f"Rows without a value of {target!r}, left out: {column.missing}."
    doubts = tuple(finding.sentence for finding in doubt_findings(features))
    return model, total - column.missing, ((note,) if column.missing else ()) + doubts


def fit_in_memory(
    model: TableClassifier, chosen: Entry, source: Any, target: str, *, progress: Report, **reading: Any
) -> tuple[TableClassifier, int, tuple[str, ...]]:
    """Fit all rows at once."""
    problem = pose(source, target, **reading)
    _check_columns(chosen, problem.features.schema)
    progress("fitting", 0.5)
    if chosen.encoding == "words":
        check_documents(model.encoded(problem.features).design(problem.features), problem)
    return model.fit(problem.table, target=problem.target), problem.n_rows, problem.notes


def _target_of(source: Any, query: str | None, drop: Collection[str]) -> str:
    stream = open_stream(source, query)
    return stream.target or guess_target([name for name in stream.names if name not in drop])


def _check_columns(chosen: Entry, schema: Schema) -> None:
    if reason := no_columns(chosen, schema):
        raise ValueError(f"{chosen.name} cannot learn from this table: {reason[0].lower()}{reason[1:]}")


def _labelled(opened: Source, target: str, progress: Report) -> Iterator[Table]:
    """The blocks of a source without the rows that have no label."""
    done, total = 0, max(1, opened.n_rows or 0)
    for table in opened.blocks():
        check_finite(table.without(target), done)
        kept = np.flatnonzero(table[target] >= 0)
        if len(kept):
            yield table if len(kept) == table.n_rows else table.take(kept)
        done += table.n_rows
        progress("learning", done / total)


def _about(chosen: Entry, setting: dict[str, Any], source: Any, target: str, rows: int) -> dict[str, Any]:
    return {
        "model": chosen.name,
        "setting": setting,
        "source": source_name(source),
        "target": target,
        "rows": rows,
    }
