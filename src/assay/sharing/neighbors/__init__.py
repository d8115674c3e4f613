"""Models of neighbours: one search serves every number of neighbours, both rules of voting and many training sets."""

from assay.sharing.neighbors.sharer import NEIGHBORS, takes_neighbors

__all__ = ["NEIGHBORS", "takes_neighbors"]
