"""Statistics: one pass turns rows into moments; moments merge, split and shrink without the rows."""

from assay.statistics.affine import AffineMap
from assay.statistics.collect import Filling, cells_bytes, collect, collect_replicates
from assay.statistics.moments import Form, Moments, stack

__all__ = ["AffineMap", "Filling", "Form", "Moments", "cells_bytes", "collect", "collect_replicates", "stack"]
