"""Statistics: one pass turns rows into moments or counts, which merge, split and shrink without the rows."""

from assay.statistics.affine import AffineMap
from assay.statistics.collect import Filling, cells_bytes, collect, collect_replicates
from assay.statistics.counting import count_levels, count_words
from assay.statistics.counts import Counts
from assay.statistics.extremes import Extremes, collect_extremes
from assay.statistics.moment_arrays import Form
from assay.statistics.moments import Moments, stack

__all__ = [
    "AffineMap",
    "Counts",
    "Extremes",
    "Filling",
    "Form",
    "Moments",
    "cells_bytes",
    "collect",
    "collect_extremes",
    "collect_replicates",
    "count_levels",
    "count_words",
    "stack",
]
