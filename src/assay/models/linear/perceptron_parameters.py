"""Parameters of the perceptron, apart from the class so that the catalog can show them without loading it."""

from assay.models.base.params import START, Param

VARIANTS = ("plain", "averaged", "pocket")

PERCEPTRON = (
    Param(
        "variant",
        "choice",
        "plain",
        "which weights are kept: the last, their mean over all steps, or those with the fewest errors",
        choices=VARIANTS,
    ),
    Param("epochs", "int", 1000, "most passes over the rows; one without a mistake is the last", low=1),
    Param("shuffle", "bool", False, "whether every pass visits the rows in a new order"),
    Param("scale", "bool", True, "whether columns are centred and scaled inside"),
    Param(
        "learning_rate",
        "float",
        1.0,
        "size of a step; it scales the weights and moves no boundary",
        low=1e-12,
    ),
    Param(
        "class_weight",
        "class_weight",
        None,
        "weight of each class: balanced, or given by label",
        optional=True,
    ),
    Param("random_state", "seed", 0, "seed of the order"),
    START,
)
