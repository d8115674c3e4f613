"""A process that counts words once and reports its peak memory: `python -m benchmarks.text_peak ours|rival POSTS`."""

from __future__ import annotations

import json
import sys

from sklearn.feature_extraction.text import CountVectorizer

from assay import TextCounts
from benchmarks.peak import give_back, reset_peak, resident
from benchmarks.texts import newsgroups

SIDES = {"ours": TextCounts, "rival": CountVectorizer}


def measure(side: str, count: int) -> dict[str, float | bool]:
    """Peak memory above what the texts and the libraries occupy."""
    SIDES[side]().fit_transform(["warm up", "once more"])
    texts = newsgroups(count)
    model = SIDES[side]()
    give_back()
    exact = reset_peak()
    before = resident("VmRSS")
    counts = model.fit_transform(texts)
    return {"extra": resident("VmHWM") - before, "entries": int(counts.nnz), "exact": exact}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(sys.argv[1], int(sys.argv[2]))))
