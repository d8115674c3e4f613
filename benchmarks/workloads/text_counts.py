"""Words of all posts of 20 newsgroups, raw: time in one and in two threads, and peak memory.

The floor is a look at every byte: how often a letter that is nowhere occurs in the joined bytes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sklearn.feature_extraction.text import CountVectorizer

from assay import TextCounts
from benchmarks import real_data
from benchmarks.harness import Part, Settings, contests
from benchmarks.rows import Row, absent_row, row_of
from benchmarks.texts import FILE, newsgroups

POSTS = 18_846
TARGETS = {1: 15.0, 2: 25.0}
MEMORY_TARGET = 0.5
RIVAL = "CountVectorizer"
MEGABYTE = 1e6
ROOT = Path(__file__).parents[2]


def rows(settings: Settings) -> Iterator[Row]:
    title = "words of 20 newsgroups, raw"
    if reason := real_data.absent(FILE):
        for threads, target in TARGETS.items():
            yield absent_row(f"{title}, {_named(threads)}", RIVAL, target, reason)
        yield absent_row(f"peak extra memory, {title}", RIVAL, MEMORY_TARGET, reason, sense="at most")
        return
    texts = newsgroups(settings.rows(POSTS))
    title += f", {len(texts)} posts"
    yield from measure(settings, title, texts)
    if not Path("/proc/self/status").exists():
        reason = "this system has no /proc to read the peak from"
        yield absent_row(f"peak extra memory, {title}", RIVAL, MEMORY_TARGET, reason, sense="at most")
        return
    yield peak(settings, title, len(texts))


def measure(settings: Settings, title: str, texts: list[str]) -> Iterator[Row]:
    """A row for each number of threads; the rival has one."""
    joined = b"".join(text.encode() for text in texts)
    jobs = {_named(threads): _counting(texts, threads) for threads in TARGETS}
    part = Part(RIVAL, {"fit_transform": lambda: CountVectorizer().fit_transform(texts)})
    floors = {"read": lambda: joined.count(b"\xff")}
    found = contests(settings, jobs, [part], floors)
    for threads, target in TARGETS.items():
        result = found[_named(threads)]
        notes = [f"{len(joined) / MEGABYTE:.1f} MB of text", _agreement(result.value, result.parts[0].value)]
        yield row_of(result, f"{title}, {_named(threads)}", RIVAL, target, notes=notes)


def peak(settings: Settings, title: str, count: int) -> Row:
    """Peaks of fresh processes, ours and the rival's in turn."""
    found: dict[str, list[float]] = {"ours": [], "rival": []}
    for _ in range(settings.rounds):
        for side, figures in found.items():
            command = [sys.executable, "-m", "benchmarks.text_peak", side, str(count)]
            done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
            figures.append(json.loads(done.stdout)["extra"] / MEGABYTE)
    mine, theirs = tuple(found["ours"]), tuple(found["rival"])
    return Row(
        workload=f"peak extra memory, {title}",
        rival=RIVAL,
        sense="at most",
        target=MEMORY_TARGET,
        unit="MB",
        ours=mine,
        theirs=theirs,
        ratios=tuple(one / other for one, other in zip(mine, theirs, strict=True)),
        notes=(f"{settings.rounds} processes a side", "the counts that are given back included"),
    )


def _counting(texts: list[str], threads: int) -> Any:
    def count() -> Any:
        with _threads(threads):
            return TextCounts().fit_transform(texts)

    return count


@contextmanager
def _threads(count: int) -> Iterator[None]:
    before = os.environ.get("ASSAY_THREADS")
    os.environ["ASSAY_THREADS"] = str(count)
    try:
        yield
    finally:
        del os.environ["ASSAY_THREADS"]
        if before is not None:
            os.environ["ASSAY_THREADS"] = before


def _agreement(ours: Any, theirs: Any) -> str:
    theirs.sort_indices()
    same = ours.shape == theirs.shape and all(
        (getattr(ours, part) == getattr(theirs, part)).all() for part in ("indptr", "indices", "data")
    )
    return f"{ours.nnz} counts, all equal" if same else "THE COUNTS DIFFER"


def _named(threads: int) -> str:
    return "1 thread" if threads == 1 else f"{threads} threads"
