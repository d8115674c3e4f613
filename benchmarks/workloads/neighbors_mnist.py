"""Handwritten digits: the 10 nearest of 60 000 for 10 000 new ones, and the errors of 1 to 10 neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from assay.engines.local import thread_count
from benchmarks import ours
from benchmarks.harness import Settings, contest
from benchmarks.real_data import absent, path_of
from benchmarks.rivals import neighbors
from benchmarks.rows import Row, absent_row, row_of

FILE, NEIGHBORS, TARGET = "mnist.npz", 10, 1.2
TITLE = "MNIST, 1 to 10 neighbours"


def rows(settings: Settings) -> Iterator[Row]:
    if reason := absent(FILE):
        yield absent_row(TITLE, neighbors.NAME, TARGET, reason)
        return
    data = np.load(path_of(FILE))
    some = slice(0, settings.rows(60_000)), slice(0, settings.rows(10_000))
    X, new = (
        data[name][part].reshape(-1, 784).astype(np.float32)
        for name, part in zip(("X_train", "X_test"), some, strict=True)
    )
    y, labels = data["y_train"][some[0]], data["y_test"][some[1]]
    model = ours.KNeighborsClassifier(NEIGHBORS).fit(X, y)

    def votes() -> list[Any]:
        return model.shares(new, [(k, "uniform") for k in range(1, NEIGHBORS + 1)], thread_count())

    result = contest(settings, votes, [neighbors.lists(X, new, NEIGHBORS)])
    errors = [int((shares.argmax(axis=1) != labels).sum()) for shares in result.value]
    notes = [f"errors of 1 to {NEIGHBORS} neighbours: {', '.join(map(str, errors))}"]
    notes += [note for note in (neighbors.absent_note(),) if note]
    title = f"{TITLE}, {len(X)} rows, {len(new)} new ones"
    yield row_of(result, title, f"lists only, {neighbors.NAME}", TARGET, notes=notes)
