"""Statistics: one pass turns rows into moments or counts, which merge, split and shrink without the rows."""

from assay.statistics.affine import AffineMap
from assay.statistics.collect import Filling, cells_bytes, collect, collect_replicates
from assay.statistics.counting import count_levels, count_words
from assay.statistics.counts import Counts
from assay.statistics.moments import Form, Moments, stack

__all__ = [
    "AffineMap",
    "Counts",
    "Filling",
    "Form",
    "Moments",
    "cells_bytes",
    "collect",
    "collect_replicates",
    "count_levels",
    "count_words",
    "stack",
]
