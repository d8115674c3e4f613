"""Parameters of naive Bayes, apart from the class so that the catalog can show them without loading it."""

from dataclasses import replace

from assay.models.base.params import FLOOR, PRIORS, VARIANCE, Param

GAUSSIAN_NB = (VARIANCE, PRIORS, FLOOR)
SMOOTHING = Param(
    "smoothing",
    "float",
    1.0,
    "what is added to every count; 0 lets a single unseen word rule a class out",
    low=0.0,
)
UNSEEN = Param(
    "unseen",
    "choice",
    "other",
    "a level that training never showed: counts as one more level, is left out, or is an error",
    choices=("other", "ignore", "refuse"),
)
THRESHOLD = Param("threshold", "float", 0.0, "a word is there where its value is larger than this")
NORM = Param("norm", "bool", False, "whether the weights of each class are divided by their sum")

FLAGS = Param(
    "flags",
    "levels",
    None,
    "columns that tell where others have no value; one that is constant in training is left out",
    optional=True,
)

CATEGORICAL_NB = (SMOOTHING, PRIORS, UNSEEN, FLAGS)
MULTINOMIAL_NB = (SMOOTHING, PRIORS)
BERNOULLI_NB = (SMOOTHING, PRIORS, THRESHOLD)
# The weights stand for what the other classes are not: the shares of the classes are no part of the rule.
COMPLEMENT_NB = (SMOOTHING, replace(PRIORS, default="uniform"), NORM)
