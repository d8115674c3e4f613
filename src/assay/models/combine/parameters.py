"""Parameters of the combined models, apart from the classes so that the catalog can show them without loading them."""

from inspect import Parameter

from assay.models.base.params import Param

REQUIRED = Parameter.empty  # there is no classifier that suits every problem

ONE_VS_REST = (Param("estimator", "estimator", REQUIRED, "classifier of two classes"),)
ONE_VS_ONE = (
    Param("estimator", "estimator", REQUIRED, "classifier of two classes"),
    Param(
        "vote",
        "choice",
        "majority",
        "the class of most votes, or of the largest coupled posterior",
        choices=("majority", "coupling"),
    ),
)
CALIBRATED = (
    Param(
        "estimator", "estimator", REQUIRED, "classifier whose scores are turned into posteriors", was="model"
    ),
    Param(
        "method",
        "choice",
        "sigmoid",
        "logistic curve, or any rising one (isotonic)",
        choices=("sigmoid", "isotonic"),
    ),
    Param("plan", "plan", None, "splits that the scores come from; None: KFold(5)", optional=True),
)
