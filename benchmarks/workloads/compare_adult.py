"""`compare` on a real, mixed table: each statistics family, tuned and nested, against one fit of a random forest.

The families share the encoded matrix, which the forest is given too; reading and encoding are charged to nobody.
Once, a whole `compare` of all candidates runs besides, from the file to the report, and its steps are listed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import assay
from assay import KFold
from assay.data import Table
from benchmarks import real_data
from benchmarks.candidates import (
    ExperimentSetup,
    ModelCard,
    all_cards,
    catalog,
    evaluate_candidate,
    read_problem,
)
from benchmarks.harness import Settings, contests, together
from benchmarks.listing import Listing
from benchmarks.rivals import sklearn
from benchmarks.rows import Row, absent_row, row_of
from benchmarks.table import quantity

FILE, TARGET_COLUMN = "adult.csv.gz", "income"
DROPPED = ("split",)  # which rows others trained on: nothing that one could predict from
FOLDS = 10
TARGET = 1.0
BUDGET = 300.0  # seconds of the whole comparison; what does not fit is named
FAMILIES = tuple(entry for entry in all_cards() if "statistics" in entry.capabilities)


def rows(settings: Settings) -> Iterator[Row | Listing]:
    if reason := real_data.absent(FILE):
        yield absent_row("compare, adult", "one fit of a random forest", TARGET, reason)
        yield Listing("one whole compare, adult", (), (), absent=reason)
        return
    start = perf_counter()
    table = assay.read(real_data.path_of(FILE), target=TARGET_COLUMN, drop=DROPPED)
    seconds = perf_counter() - start
    table = table.take(np.arange(settings.rows(table.n_rows)))
    yield from families(settings, "adult", table, TARGET_COLUMN, [f"reading took {quantity(seconds, 's')}"])
    source = table if settings.quick else real_data.path_of(FILE)
    yield whole("adult", source, TARGET_COLUMN, () if settings.quick else DROPPED)


def families(
    settings: Settings, name: str, table: Table, target: str, notes: list[str], folds: int = FOLDS
) -> Iterator[Row]:
    """A row for each family, and one for all of them."""
    problem = read_problem(table, target)
    bench = ExperimentSetup(problem, KFold(folds, random_state=0), None, None, 0)
    start = perf_counter()
    reading = [entry for entry in FAMILIES if entry.encoding != "none"]
    designs = {id(X): X for X in map(bench.design, reading)}
    encoding = f"encoding took {quantity(perf_counter() - start, 's')}"
    X = max(designs.values(), key=lambda X: X.shape[1])  # the forest is given the widest, with its flags
    part = sklearn.forest_fit(X, problem.codes.astype(np.int64))
    jobs = {
        entry.name: lambda entry=entry: evaluate_candidate(entry, unstudied(bench), progress=False)
        for entry in FAMILIES
    }
    found = contests(settings, jobs, [part])
    where = f"tuned, nested, {folds}-fold, {name} {table.n_rows}x{len(table.schema)}"
    rival = f"one fit of {part.name}"
    for entry in FAMILIES:
        figures = _figures(entry, found[entry.name].value)
        yield row_of(found[entry.name], f"{entry.name}, {where}", rival, None, notes=[figures])
    title = f"all {len(FAMILIES)} statistics families, {where}"
    width = f"encoded {X.shape[0]}x{X.shape[1]}"
    yield row_of(
        together(list(found.values())), title, rival, TARGET,
        notes=["sum of the families' turns", width, *notes, encoding],
    )  # fmt: skip


def unstudied(bench: ExperimentSetup) -> ExperimentSetup:
    """The bench with its encoded tables, and without what earlier rounds collected from them."""
    vars(bench).pop("_studies", None)
    return bench


def _figures(entry: ModelCard, result: Any) -> str:
    n_settings = len(entry.settings())
    settings = "1 setting" if n_settings == 1 else f"{n_settings} settings"
    return f"{settings}, nested error {result.evaluation.error:.4f}"


@dataclass
class Steps:
    """What a run tells of its progress, as seconds of each step."""

    begun: list[tuple[str, float]] = field(default_factory=lambda: [("reading", perf_counter())])

    def __call__(self, doing: str, share: float) -> None:
        if doing != self.begun[-1][0]:
            self.begun.append((doing, perf_counter()))

    def seconds(self) -> dict[str, float]:
        """Seconds of each step, the last of them up to now."""
        ends = [begun for _, begun in self.begun[1:]] + [perf_counter()]
        return {doing: end - begun for (doing, begun), end in zip(self.begun, ends, strict=True)}


def whole(name: str, source: Any, target: str, drop: tuple[str, ...] = (), **options: Any) -> Listing:
    """One `compare` of all candidates from the source to the report, its steps as they came."""
    options = {"budget": BUDGET} | options
    steps = Steps()
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        out = Path(folder) / "run"
        found = assay.compare(source, target, drop=drop, out=out, progress=steps, **options)
        seconds = steps.seconds()
    known = {catalog.entry(each).title: each for each in (*found.results, *found.omitted)}
    total = sum(seconds.values())
    lines = [
        (step, quantity(taken, "s"), f"{taken / total:.0%}", *_cells(found, known.get(step, "")))
        for step, taken in seconds.items()
    ]
    size = f"{found.n_rows}x{len(found.schema) + 1}"
    return Listing(
        f"one whole compare, {name} {size}, budget {quantity(options['budget'], 's')}, run once",
        ("step", "time", "share", "settings", "nested error"),
        (*lines, ("sum", quantity(total, "s"), "100%", "", "")),
    )


def _cells(found: Any, candidate: str) -> tuple[str, str]:
    """Settings and error of a candidate; nothing for a step that is none."""
    if candidate in found.omitted:
        return "-", "omitted"
    if candidate not in found.results:
        return "", ""
    result = found.results[candidate]
    return str(len(result.settings)), f"{result.evaluation.error:.4f}"
