"""What may stand before or around a model of a table's numbers: basis functions, a filter, a division into two classes.

A method does not know these; `models.table.build` puts them in their place. They are set and tuned like its parameters.
"""

from __future__ import annotations

from assay.models.base.params import Param

PRODUCTS = (("basis", ("polynomial", "interaction", "spline")),)
SCALING = Param(
    "scaling",
    "choice",
    "zscore",
    "Columns on a common scale, or none: as they are.",
    choices=("zscore", "range", "none"),
)  # of models that need one
TABLE_STEPS = (
    Param(
        "drop_rare",
        "float",
        0.0,
        "Columns of zeros and ones that are on in at most this proportion of the training rows, or off in at most this "
        "proportion, are dropped.",
        low=0.0,
        high=0.49,
    ),
    Param(
        "basis",
        "choice",
        None,
        "Columns that are made of the columns before the model: products, radial functions or splines.",
        choices=("polynomial", "interaction", "radial", "spline"),
        optional=True,
    ),
    Param(
        "basis_degree", "int", 2, "Most factors of a product, or degree of a spline.", low=1, only_if=PRODUCTS
    ),
    Param(
        "basis_centers",
        "int",
        10,
        "Number of rows that are centres.",
        low=1,
        only_if=(("basis", ("radial",)),),
    ),
    Param(
        "basis_knots",
        "int",
        5,
        "Number of quantiles of a column that are knots.",
        low=2,
        only_if=(("basis", ("spline",)),),
    ),
    Param(
        "reduction",
        "choice",
        None,
        "How more than two classes are divided into problems of two.",
        choices=("one-vs-rest", "one-vs-one"),
        optional=True,
    ),
)
WITH_STEPS = frozenset({"onehot", "onehot-reference", "products-reference"})  # encodings without gaps
STEP_NAMES = frozenset(param.name for param in TABLE_STEPS)
