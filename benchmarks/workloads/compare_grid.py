"""A whole `compare` of a real, mixed table beside the same candidates searched by scikit-learn, family by family.

Ours is all that `compare` does for a candidate: settings chosen inside every outer fold, every setting on the outer
folds, a learning curve, a fit to all rows. The rival is given the matrix as our steps encode, fill and scale it, once
and for all rows; reading and encoding are charged to nobody. Kernel machines are left out, and so are candidates
that have no counterpart or are scikit-learn's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

import assay
from assay import KFold
from assay.data import Table
from assay.plans import Partition
from benchmarks import real_data
from benchmarks.agreement import Splits
from benchmarks.candidates import (
    ExperimentSetup,
    ModelCard,
    Problem,
    catalog,
    default_candidates,
    evaluate_candidate,
    judged_by_cards,
    read_problem,
    why_not_applicable,
)
from benchmarks.data import Array
from benchmarks.harness import Contest, OurJobs, Part, Settings, contest
from benchmarks.rivals.grid import COUNTERPARTS, search
from benchmarks.rows import Row, absent_row, row_of
from benchmarks.workloads.compare_adult import DROPPED, FILE, TARGET_COLUMN

FOLDS = 10
TARGET = 30.0
RIVAL = "GridSearchCV inside cross_val_score"
ONE_FOLD = "extrapolated from one outer fold, of slow models from a part of it"


def rows(settings: Settings) -> Iterator[Row]:
    if reason := real_data.absent(FILE):
        yield absent_row("whole compare, adult", RIVAL, TARGET, reason)
        return
    table = assay.read(real_data.path_of(FILE), target=TARGET_COLUMN, drop=DROPPED)
    table = table.take(np.arange(settings.rows(table.n_rows)))
    yield from families(settings, "adult", table, TARGET_COLUMN)


def families(
    settings: Settings, name: str, table: Table, target: str, folds: int = FOLDS, names: Sequence[str] = ()
) -> Iterator[Row]:
    """A row for each candidate, and one for all of them."""
    problem = read_problem(table, target)
    bench = ExperimentSetup(problem, KFold(folds, random_state=0), None, None, 0)
    where = f"tuned, nested, {folds}-fold, {name} {table.n_rows}x{len(table.schema)}"
    found: list[Contest] = []
    tried, left_out = candidates(problem)
    jobs = {
        entry.name: partial(evaluate_candidate, entry, bench, progress=False)
        for entry in tried
        if not names or entry.name in names
    }
    if settings.ours_alone:
        raise OurJobs(jobs)
    for entry in [each for each in tried if each.name in jobs]:
        work = against(entry, bench)
        result = contest(settings, jobs[entry.name], [work.part])
        found.append(result)
        error = f"nested error {result.value.evaluation.error:.4f}"
        notes = [f"{work.n_settings} settings, {work.n_inner} inner folds, {error}", f"{work.width} columns"]
        yield row_of(result, f"{entry.name}, {where}", f"{RIVAL}, {work.part.name}", None, notes=notes)
    whole = row_of(together(found), f"all {len(found)} candidates, {where}", RIVAL, TARGET)
    sums = (f"{len(whole.ours)} rounds; sums of the rows above", f"without {', '.join(left_out)}")
    yield replace(whole, extrapolated=ONE_FOLD, notes=sums)


def together(found: Sequence[Contest]) -> Contest:
    """All candidates of ours one after the other, and all of the rival's."""
    ours = [sum(seconds) for seconds in zip(*(each.ours for each in found), strict=True)]
    return Contest(ours, None, [part for each in found for part in each.parts], {})


def candidates(problem: Problem) -> tuple[list[ModelCard], list[str]]:
    """What `compare` would try on the table and scikit-learn has as well, and the names of the rest."""
    schema, judged = problem.features.schema, judged_by_cards(problem)
    tried = [
        entry for entry in default_candidates(posteriors=False)
        if not why_not_applicable(entry, schema)
        and not (entry.unsuited and entry.unsuited(judged))
        and not (entry.repeats and entry.repeats(judged))
    ]  # fmt: skip
    both = [entry for entry in tried if entry.name in COUNTERPARTS]
    return both, [entry.name for entry in tried if entry.name not in COUNTERPARTS]


class Work(NamedTuple):
    """What a candidate's rival is asked to do."""

    part: Part
    n_settings: int
    n_inner: int
    width: int


def against(entry: ModelCard, bench: ExperimentSetup) -> Work:
    """The rival's search for one candidate, on the same outer and inner folds."""
    from assay.sharing.splits import deeper_of  # an older version, which has none, is not asked for its rival

    partition, codes = bench.partitions[0], bench.problem.codes
    models = [bench.classifier(entry, setting).matrix_estimator() for setting in entry.settings()]
    deep = deeper_of(bench.splits)
    inside = [
        (deep.train_rows(int(deep.model[t])), deep.test_rows(int(t)))
        for t in np.flatnonzero(deep.parent == 0)
    ]
    X, fixed = (
        levels_and_numbers(bench) if entry.encoding == "table-flags" else (given(models[0], entry, bench), {})
    )
    ranges = {each.name: each.values for each in entry.tuning}
    y = codes.astype(np.int64)
    part = search(COUNTERPARTS[entry.name], ranges, X, y, _splits(partition), inside, **fixed)
    return Work(part, len(models), len(inside), X.shape[1])


def _splits(partition: Partition) -> Splits:
    return [(partition.train_rows(f), partition.test_rows(f)) for f in range(partition.n_folds)]


def given(model: Any, entry: ModelCard, bench: ExperimentSetup) -> Array:
    """The encoded matrix behind all steps before the model, which learn from all rows."""
    X = np.asarray(bench.design(entry), dtype=np.float64)
    for _, step in getattr(model, "steps", [])[:-1]:
        X = step.fit(X, bench.problem.codes).transform(X)
    X = np.nan_to_num(np.ascontiguousarray(X))
    if COUNTERPARTS[entry.name].scaled:
        deviation = X.std(axis=0)
        X = (X - X.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)
    return X


def levels_and_numbers(bench: ExperimentSetup) -> tuple[Array, dict[str, Any]]:
    """Numbers first, then codes of levels, gaps as one more of them; how many of each there are."""
    X = np.asarray(bench.design(catalog.entry("decision_tree")), dtype=np.float64)
    numeric = np.array([column.type in ("numeric", "date") for column in bench.problem.features.schema])
    numbers, codes = X[:, numeric], X[:, ~numeric]
    numbers = np.where(np.isnan(numbers), np.nanmean(numbers, axis=0), numbers) if numbers.size else numbers
    counts = np.nan_to_num(codes.max(axis=0, initial=-1.0, where=~np.isnan(codes))) + 1
    codes = np.where(np.isnan(codes), counts, codes)
    return np.hstack([numbers, codes]), {"numbers": int(numeric.sum()), "levels": counts.astype(int) + 1}
