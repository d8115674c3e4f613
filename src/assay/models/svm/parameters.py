"""Parameters of the support vector machines, apart from the classes so that the catalog can show them."""

from assay.models.params import Param

SURROGATES = ("hinge", "squared_hinge", "perceptron")
SOLVERS = ("exact", "sgd")
LINEAR_SVM = (
    Param("l2", "float", 1e-4, "penalty on the squared weights, beside the mean loss", low=1e-12),
    Param("surrogate", "choice", "hinge", "training loss of the margin", choices=SURROGATES),
    Param("solver", "choice", "exact", "exact, or stochastic gradient descent", choices=SOLVERS),
    Param(
        "class_weight",
        "class_weight",
        None,
        "weight of each class: balanced, or given by label",
        optional=True,
    ),
    Param("tol", "float", 1e-6, "largest relative duality gap of the exact solution", low=1e-10),
    Param("epochs", "int", 20, "epochs of stochastic gradient descent", low=1),
    Param("m", "float", 1.0, "step length m / (e + n) in epoch e", low=1e-12),
    Param("n", "float", 10.0, "step length m / (e + n) in epoch e", low=0.0),
    Param("first_epoch", "int", 1, "number e of the first epoch", low=0),
    Param("steps_per_epoch", "int", None, "steps in an epoch; None: one for each row", low=1, optional=True),
    Param("random_state", "int", 0, "seed of the rows drawn", low=0),
)
