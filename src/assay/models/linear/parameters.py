"""Parameters of the linear models, apart from the classes so that the catalog can show them without loading them."""

from assay.models.base.params import START, Param

LEAST_SQUARES = (
    Param("l2", "float", 0.0, "penalty on the squared weights, beside the mean squared error", low=0.0),
)

TOLERANCE = Param("tol", "float", 1e-6, "largest gradient at the solution, relative to the start", low=1e-12)
CLASS_WEIGHT = Param(
    "class_weight", "class_weight", None, "weight of each class: balanced, or given by label", optional=True
)
LOGISTIC = (
    Param("l2", "float", 0.0, "penalty on the squared weights, beside the mean log loss", low=0.0),
    Param(
        "l1",
        "float",
        0.0,
        "penalty on the absolute weights: columns it does not find worth it get 0",
        low=0.0,
    ),
    CLASS_WEIGHT,
    TOLERANCE,
    START,
)
