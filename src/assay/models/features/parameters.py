"""Parameters of features and of text, apart from the classes so that they can be shown without loading those."""

from assay.models.base.params import Param

KINDS = ("polynomial", "interaction", "radial", "spline", "functions")
RADIAL = (("kind", ("radial",)),)

BASIS = (
    Param("kind", "choice", "polynomial", "what the new columns are", choices=KINDS),
    Param(
        "degree",
        "int",
        2,
        "most factors of a product, or degree of a spline",
        low=1,
        only_if=(("kind", ("polynomial", "interaction", "spline")),),
    ),
    Param("n_centers", "int", 10, "rows that distance is measured from", low=1, only_if=RADIAL),
    Param(
        "width",
        "float",
        None,
        "reach in deviations; None: median distance of centers",
        low=1e-9,
        optional=True,
        only_if=RADIAL,
    ),
    Param(
        "knots",
        "int",
        5,
        "quantiles of a column where its pieces meet, both ends included",
        low=2,
        only_if=(("kind", ("spline",)),),
    ),
    Param(
        "functions",
        "functions",
        None,
        "functions of the rows",
        optional=True,
        only_if=(("kind", ("functions",)),),
    ),
    Param(
        "include_original",
        "bool",
        True,
        "keep the columns themselves; a spline contains them",
        only_if=(("kind", ("polynomial", "interaction", "radial", "functions")),),
    ),
    Param("random_state", "seed", 0, "radial: seed of the choice of centers"),
)

CHOOSE_WORDS = (
    Param("min_documents", "amount", 1, "fewest documents that hold a word: a number, or a share (float)"),
    Param("max_documents", "amount", 1.0, "most documents that hold a word: a number, or a share (float)"),
    Param("max_words", "int", None, "most words; the most frequent stay", low=1, optional=True),
    Param("binary", "bool", False, "1 for every word that is there, however often"),
)

TEXT_COUNTS = (
    Param(
        "lowercase",
        "case",
        True,
        "count words in lower case (str.lower), case-folded ('fold'), or as they are",
    ),
    Param("tokens", "choice", "words", "what is counted", choices=("words", "characters")),
    Param("ngram_range", "range", (1, 1), "fewest and most tokens in a row that are counted together"),
    Param("stop_words", "words", None, "words that are left out", optional=True),
    *CHOOSE_WORDS,
)

WORDS = tuple(param for param in TEXT_COUNTS if param.name in ("lowercase", "ngram_range", "stop_words"))
