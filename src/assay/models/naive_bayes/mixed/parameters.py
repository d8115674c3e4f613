"""Parameters of mixed naive Bayes, apart from the class so that the catalog can show them without loading it."""

from assay.models.base.params import FLOOR, PRIORS, Param
from assay.models.naive_bayes.parameters import FLAGS, SMOOTHING, UNSEEN

MIN_DOCUMENTS = Param(
    "min_documents", "amount", 1, "texts that a word must be in: a number, or a share of all (float)"
)
MAX_WORDS = Param(
    "max_words",
    "int",
    None,
    "of each text column only so many words, the most frequent",
    low=1,
    optional=True,
)
KINDS = Param(
    "kinds",
    "kinds",
    None,
    "what columns are, where their type does not say it: gaussian, categorical, bernoulli, count or text",
    optional=True,
)

DOCUMENT_NB = (SMOOTHING, PRIORS, MIN_DOCUMENTS, MAX_WORDS)
MIXED_NB = (SMOOTHING, FLOOR, PRIORS, UNSEEN, KINDS, MIN_DOCUMENTS, MAX_WORDS, FLAGS)
