"""Real documents for the workloads on text: the posts of 20 newsgroups as they were sent."""

from __future__ import annotations

import csv
import gzip
import re
import sys

import numpy as np

from benchmarks import real_data
from benchmarks.data import Labels

FILE = "newsgroups20_bydate.tsv.gz"
ESCAPES = {r"\n": "\n", r"\t": "\t", r"\\": "\\"}
LONGEST = 1 << 24  # characters of one post in the file


def newsgroups(count: int | None = None) -> list[str]:
    """The first posts, or all of them."""
    return [text for text, _ in _posts()][:count]


def labelled_newsgroups(count: int | None = None) -> tuple[list[str], Labels]:
    """Posts of all groups, evenly taken from the file, and the number of the group of each."""
    posts = _posts()
    taken = posts[:: max(1, len(posts) // (count or len(posts)))][:count]
    _, groups = np.unique([group for _, group in taken], return_inverse=True)
    return [text for text, _ in taken], groups.astype(np.int64)


def _posts() -> list[tuple[str, str]]:
    csv.field_size_limit(min(LONGEST, sys.maxsize))
    with gzip.open(real_data.path_of(FILE), "rt", encoding="utf-8", newline="\n") as file:
        lines = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            (re.sub(r"\\[nt\\]", lambda found: ESCAPES[found[0]], line["text"]), line["label"])
            for line in lines
        ]
