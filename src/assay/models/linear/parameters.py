"""Parameters of the linear models, apart from the classes so that the catalog can show them without loading them."""

from assay.models.params import Param

LEAST_SQUARES = (
    Param("l2", "float", 0.0, "penalty on the squared weights, beside the mean squared error", low=0.0),
)
