"""Parameters of the feature space, apart from the class so that the catalog can show them without loading it."""

from assay.models.params import Param

KINDS = ("polynomial", "interaction", "radial", "spline", "functions")

BASIS = (
    Param("kind", "choice", "polynomial", "what the new columns are", choices=KINDS),
    Param("degree", "int", 2, "most factors of a product, or degree of a spline", low=1),
    Param("n_centers", "int", 10, "radial: rows that distance is measured from", low=1),
    Param(
        "width",
        "float",
        None,
        "radial: reach in deviations; None: median distance of centers",
        low=1e-9,
        optional=True,
    ),
    Param(
        "knots", "int", 5, "spline: quantiles of a column where its pieces meet, both ends included", low=2
    ),
    Param("functions", "functions", None, "functions of the rows, for kind='functions'", optional=True),
    Param("include_original", "bool", True, "keep the columns themselves; a spline contains them"),
    Param("random_state", "int", 0, "radial: seed of the choice of centers", low=0),
)
