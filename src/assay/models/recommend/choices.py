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
        (
            "How alike two users are on the items that both have rated: 1 + correlation, or 1 / (1 + "
            'distance). Users without such items, and for "pearson" with fewer than two or with ratings '
            "that do not vary there, are not used for each other."
        ),
        choices=SIMILARITIES,
    ),
    Param(
        "means",
        "choice",
        "co_rated",
        (
            "Pearson: means and standard deviations over the items both have rated, or over all of a "
            "user's items."
        ),
        choices=MEANS,
    ),
    Param(
        "prediction",
        "choice",
        "weighted",
        (
            "Mean weighted by similarity, z-scores, mean of the item, or the nearest neighbour's rating. z_score "
            "standardizes each neighbour's ratings first, and maps the mean back to the user's mean and standard "
            "deviation."
        ),
        choices=PREDICTIONS,
    ),
    Param(
        "n_neighbors",
        "int",
        50,
        "Number of nearest neighbours among the users who rated the item; None: all of them.",
        low=1,
        optional=True,
    ),
    Param("min_overlap", "int", 1, "Items that two users must both have rated to be compared.", low=1),
    Param(
        "shrinkage",
        "float",
        0.0,
        (
            "Similarities (for pearson, the correlation) are multiplied by n / (n + shrinkage), n items "
            "in common."
        ),
        low=0.0,
    ),
)
