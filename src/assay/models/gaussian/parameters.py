"""Parameters of the Gaussian family, apart from the class so that the catalog can show them without loading it."""

from assay.models.base.params import FLOOR, PRIORS, VARIANCE, Param

COVARIANCES = ("full", "shared", "diagonal", "shared_diagonal", "spherical", "shared_spherical")

GAUSSIAN = (
    Param("covariance", "choice", "full", "shape of the class covariances", choices=COVARIANCES),
    Param(
        "blend",
        "float",
        1.0,
        "share of a class's own covariance against the shared one",
        low=0.0,
        high=1.0,
        only_if=(("covariance", ("full", "diagonal", "spherical")),),
    ),
    Param(
        "shrinkage",
        "float",
        0.0,
        "share of a sphere in each covariance",
        low=0.0,
        high=1.0,
        only_if=(("covariance", ("full", "shared", "diagonal", "shared_diagonal")),),
    ),
    VARIANCE,
    PRIORS,
    FLOOR,
)
