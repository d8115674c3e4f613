"""Parameters of the neighbours, apart from the classes so that the catalog can show them."""

from assay.models.base.params import Param

METRICS = ("euclidean", "manhattan", "hamming", "cosine", "correlation", "mahalanobis", "mixed")
K_NEIGHBORS = (
    Param("n_neighbors", "int", 5, "how many of the nearest rows vote", low=1),
    Param("metric", "choice", "euclidean", "distance between rows", choices=METRICS),
    Param(
        "weights",
        "choice",
        "uniform",
        "every neighbour has one vote, or a vote in inverse proportion to its distance",
        choices=("uniform", "distance"),
    ),
    Param(
        "algorithm",
        "choice",
        "auto",
        "all pairs, a tree, or whichever is faster; the answers are the same",
        choices=("auto", "brute", "tree"),
    ),
    Param(
        "fewer_rows",
        "choice",
        "refuse",
        "with fewer training rows than neighbours: refuse them, or let all of them vote",
        choices=("refuse", "all"),
    ),
    Param(
        "categorical_features",
        "levels",
        "from_dtype",
        "columns of a mixed table that hold levels: a mask or positions; of a typed table known by itself",
        optional=True,
        only_if=(("metric", ("mixed",)),),
    ),
)
