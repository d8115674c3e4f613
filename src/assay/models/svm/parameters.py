"""Parameters of the support vector machines, apart from the classes so that the catalog can show them."""

from dataclasses import replace

from assay.models.base.params import KERNELS, START, Param

SURROGATES = ("hinge", "squared_hinge", "perceptron")
SOLVERS = ("exact", "sgd")
DESCENT = (("solver", ("sgd",)),)
WITH_GAMMA = ("kernel", ("rbf", "polynomial", "sigmoid"))
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
    Param("epochs", "int", 20, "passes of stochastic gradient descent", low=1, only_if=DESCENT),
    Param("m", "float", 1.0, "step length m / (e + n) in epoch e", low=1e-12, only_if=DESCENT),
    Param("n", "float", 10.0, "step length m / (e + n) in epoch e", low=0.0, only_if=DESCENT),
    Param("first_epoch", "int", 1, "number e of the first epoch", low=0, only_if=DESCENT),
    Param(
        "steps_per_epoch",
        "int",
        None,
        "steps in an epoch; None: one for each row",
        low=1,
        optional=True,
        only_if=DESCENT,
    ),
    Param("random_state", "seed", 0, "seed of the rows drawn"),
    replace(START, only_if=DESCENT),
)
KERNEL_SVM = (
    Param("kernel", "kernel", "rbf", "similarity of two rows", choices=KERNELS),
    Param(
        "l2",
        "float",
        1e-4,
        "penalty on the squared length of f, beside the mean loss",
        low=1e-12,
        only_if=(("C", (None,)),),
    ),
    Param("C", "float", None, "price of the loss, in place of l2: 1 / (l2 N)", low=1e-12, optional=True),
    Param(
        "gamma",
        "gamma",
        "scale",
        "of the kernels: a number, or 1 / (columns times variance)",
        only_if=(WITH_GAMMA,),
    ),
    Param(
        "gamma_factor",
        "float",
        1.0,
        "gamma='scale' is multiplied by it",
        low=1e-9,
        high=1e9,
        only_if=(WITH_GAMMA, ("gamma", ("scale",))),
    ),
    Param("degree", "int", 3, "power of the kernel", low=1, high=100, only_if=(("kernel", ("polynomial",)),)),
    Param("coef0", "float", 0.0, "constant of the kernel", only_if=(("kernel", ("polynomial", "sigmoid")),)),
    Param(
        "class_weight",
        "class_weight",
        None,
        "weight of each class: balanced, or given by label",
        optional=True,
    ),
    Param(
        "tol",
        "float",
        1e-3,
        "largest violation of the optimality conditions",
        low=1e-8,
        high=1.0,
        was="tolerance",
    ),
    Param(
        "gram_dtype",
        "choice",
        "auto",
        "precision of kernel values: by the rows, or as said",
        choices=("auto", "float32", "float64"),
    ),
    Param("most_rows", "int", 50_000, "rows beyond which landmarks stand for all", low=1),
    Param("landmarks", "int", 512, "rows that stand for all beyond that", low=2),
    Param("random_state", "seed", 0, "seed of the landmarks"),
)
