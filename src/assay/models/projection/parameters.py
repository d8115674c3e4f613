"""Parameters of the projections, apart from the classes so that the catalog can show them without loading them."""

from dataclasses import replace

from assay.models.base.params import FLOOR, PRIORS, VARIANCE, Param

FISHER = (
    Param("n_components", "int", None, "directions to use; None uses all, K-1", low=1, optional=True),
    PRIORS,
    replace(VARIANCE, default="unbiased"),
    FLOOR,
)
