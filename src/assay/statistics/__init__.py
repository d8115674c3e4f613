"""Statistics: one pass turns rows into moments; moments merge, split and shrink without the rows."""

from assay.statistics.collect import collect
from assay.statistics.moments import Form, Moments, stack

__all__ = ["Form", "Moments", "collect", "stack"]
