"""Parameters of mixtures, apart from the class so that the catalog can show them without loading it."""

from __future__ import annotations

from dataclasses import replace

from assay.models.base.params import FLOOR, PRIORS, Param

SHAPES = ("full", "diagonal", "spherical", "tied")
GAUSSIAN_MIXTURE = (
    Param(
        "n_components",
        "components",
        2,
        "mixture components per class; bic: as many as this criterion prefers",
        was="n_blobs",
    ),
    Param(
        "covariance",
        "choice",
        "full",
        "shape of the components; tied: one covariance for all components of a class",
        choices=SHAPES,
    ),
    Param(
        "shared",
        "choice",
        "none",
        "whether components belong to one class, or all classes share them in different proportions",
        choices=("none", "all"),
    ),
    Param(
        "max_components",
        "int",
        5,
        "most components of a class",
        low=1,
        was="max_blobs",
        only_if=(("n_components", ("bic",)),),
    ),
    Param("n_starts", "int", 3, "starts by k-means; the best after a few steps is continued", low=1),
    Param("max_iter", "int", 200, "most steps of EM", low=1),
    Param(
        "tol", "float", 1e-4, "EM stops when the log likelihood per row gains less", low=0.0, was="tolerance"
    ),
    PRIORS,
    # Lower ones would let the density of a few equal rows outweigh everything else.
    replace(FLOOR, default=1e-6, low=1e-9),
    Param("random_state", "seed", 0, "seed of the starts"),
)
