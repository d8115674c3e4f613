"""Parameters of the clusterings, apart from the classes."""

from dataclasses import replace

from assay.models.base.params import CENTER_STARTS, Param

LINKAGES = ("ward", "average", "complete", "single")
METRICS = ("euclidean", "manhattan", "hamming", "cosine", "correlation", "mahalanobis")
DIRECTIONS = ("bottom-up", "top-down")
N_CLUSTERS = Param("n_clusters", "int", 8, "how many groups", low=1)
RANDOM_STATE = Param("random_state", "seed", 0, "seed of all that is drawn at random")
N_STARTS = Param("n_starts", "int", 10, "starts from new centres, of which the best is kept", low=1)
MAX_ITER = Param("max_iter", "int", 300, "most steps from each start", low=0)

K_MEANS = (
    N_CLUSTERS,
    Param("start", "centers", "k-means++", "how the centres are drawn at first, or the centres themselves"),
    replace(N_STARTS, only_if=(("start", CENTER_STARTS),)),
    MAX_ITER,
    Param(
        "tol",
        "float",
        0.0,
        "share of the error that a step must gain for another to follow",
        low=0.0,
        was="tolerance",
    ),
    RANDOM_STATE,
)
HIERARCHY = (
    Param("n_clusters", "int", 2, "how many groups the tree is cut into", low=1),
    Param(
        "linkage",
        "choice",
        "ward",
        "distance between groups, from that between rows",
        choices=LINKAGES,
        only_if=(("direction", ("bottom-up",)),),
    ),
    Param("metric", "choice", "euclidean", "distance between rows", choices=METRICS),
    Param(
        "direction",
        "choice",
        "bottom-up",
        "merge rows into groups, or split all rows again and again",
        choices=DIRECTIONS,
    ),
    RANDOM_STATE,
)
