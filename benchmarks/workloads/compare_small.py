"""A whole `compare` of small tables, tuned, nested and with intervals, beside one hold-out of LazyPredict.

Both are given the same training rows, 70 of 100 (of adult 7 000). Assay goes from the table to the leaderboard and
writes nothing; LazyPredict fits its models once, with their defaults, and scores them on the other rows.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

import assay
from assay.catalog import default_candidates
from benchmarks import real_data
from benchmarks.harness import Case, Part, Settings, contest
from benchmarks.processor import processor_seconds
from benchmarks.rivals import lazypredict
from benchmarks.rows import Row, absent_row, row_of

TRAINED = 0.7


class SmallTable(NamedTuple):
    """A table of shared data, and at most how many times as long as LazyPredict a comparison of it may take."""

    name: str
    file: str
    target: str
    most: float
    drop: tuple[str, ...] = ()
    train: int | None = None  # training rows, where there are more than are wanted


TABLES = (
    SmallTable("penguins", "penguins.csv.gz", "species", 7.0),
    SmallTable(
        "titanic",
        "titanic3.csv.gz",
        "survived",
        7.0,
        ("boat", "body", "name", "ticket", "cabin", "home.dest"),
    ),
    SmallTable("credit_g", "credit_g.csv.gz", "class", 7.0),
    SmallTable("spambase", "spambase.csv.gz", "class", 8.0),
    SmallTable("waveform", "waveform5000.csv.gz", "class", 8.0),
    SmallTable("adult", "adult.csv.gz", "income", 8.0, ("split",), 7_000),
)
OWN_MODELS = 2.0  # times LazyPredict on penguins


def cases(settings: Settings) -> list[Case]:
    tables = TABLES[:1] if settings.quick else TABLES
    return [
        *(partial(row, settings, table, None) for table in tables),
        partial(row, settings, TABLES[0]._replace(most=OWN_MODELS), own_models()),
    ]


def own_models() -> list[str]:
    """Candidates that are not models of another library, without trees, which fit forests as the rival does."""
    cards = default_candidates(posteriors=False)
    return [card.name for card in cards if not card.foreign and card.family != "trees"]


def row(settings: Settings, table: SmallTable, candidates: list[str] | None) -> Row:
    """One table: seconds of a comparison over those of LazyPredict."""
    which = "all candidates" if candidates is None else "candidates that are ours"
    reason = real_data.absent(table.file) or ("" if settings.ours_alone else lazypredict.absent())
    if reason:
        title = f"compare, {which}, {table.name}"
        return absent_row(title, lazypredict.NAME, table.most, reason, sense="at most")
    train, test = split(table)
    busy: list[float] = []

    def ours() -> Any:
        start = processor_seconds()
        found = assay.compare(
            train, table.target, candidates=candidates, progress=False, budget=None, random_state=0
        )
        busy.append(processor_seconds() - start)
        return found

    parts: list[Part] = [] if settings.ours_alone else [lazypredict.holdout(train, test, table.target)]
    result = contest(settings, ours, parts)
    found = result.value
    cores = np.median(busy) / np.median(result.ours)
    return row_of(
        result,
        f"compare, {which}, {table.name} {found.n_rows}x{len(found.schema)}",
        f"{lazypredict.NAME}, one hold-out",
        table.most,
        sense="at most",
        notes=[
            f"{len(found.results)} candidates",
            f"{cores:.1f} cores busy",
            f"{result.parts[0].value} models of the rival",
        ],
    )


def split(table: SmallTable) -> tuple[Any, Any]:
    """Frames of training rows and of as many test rows as are left, or as suffice."""
    import pandas as pd

    frame = pd.read_csv(real_data.path_of(table.file)).drop(columns=list(table.drop))
    order = np.random.default_rng(0).permutation(len(frame))
    train = int(TRAINED * len(frame)) if table.train is None else table.train
    rest = order[train:] if table.train is None else order[train : round(train / TRAINED)]
    return frame.iloc[order[:train]].reset_index(drop=True), frame.iloc[rest].reset_index(drop=True)
