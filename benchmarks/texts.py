"""Real documents for the workloads on text: the posts of 20 newsgroups as they were sent."""

from __future__ import annotations

import csv
import gzip
import re
import sys

from benchmarks import real_data

FILE = "newsgroups20_bydate.tsv.gz"
ESCAPES = {r"\n": "\n", r"\t": "\t", r"\\": "\\"}
LONGEST = 1 << 24  # characters of one post in the file


def newsgroups(count: int | None = None) -> list[str]:
    """The first posts, or all of them."""
    csv.field_size_limit(min(LONGEST, sys.maxsize))
    with gzip.open(real_data.path_of(FILE), "rt", encoding="utf-8", newline="\n") as file:
        lines = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        texts = [re.sub(r"\\[nt\\]", lambda found: ESCAPES[found[0]], line["text"]) for line in lines]
    return texts[:count]
