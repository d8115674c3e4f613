"""What the recommender lets a user choose: `assay recommend --help` and the left-out errors show it, too."""

from __future__ import annotations

from assay.models.base.params import Param

SIMILARITIES = ("euclidean", "pearson")
MEANS = ("co_rated", "all")
PREDICTIONS = ("weighted", "z_score", "mean", "nearest")
RECOMMENDER = (
    Param(
        "similarity",
        "choice",
        "pearson",
        "how alike two users are on the items both have rated: 1 / (1 + distance), or correlation + 1",
        choices=SIMILARITIES,
    ),
    Param(
        "means",
        "choice",
        "co_rated",
        "pearson: means and standard deviations over the items both have rated, or over all of a user's items",
        choices=MEANS,
    ),
    Param(
        "prediction",
        "choice",
        "weighted",
        "mean weighted by similarity, the same of ratings standardized per user, mean of the item, or the nearest "
        "neighbour's rating",
        choices=PREDICTIONS,
    ),
    Param(
        "n_neighbors",
        "int",
        50,
        "number of nearest neighbours among the users who rated the item; None: all of them",
        low=1,
        optional=True,
    ),
    Param("min_overlap", "int", 1, "items that two users must both have rated to be compared", low=1),
    Param(
        "shrinkage",
        "float",
        0.0,
        "similarities (for pearson, the correlation) are multiplied by n / (n + shrinkage), n items in common",
        low=0.0,
    ),
)
