"""Parameters of naive Bayes, apart from the class so that the catalog can show them without loading it."""

from assay.models.params import FLOOR, PRIORS, VARIANCE

GAUSSIAN_NB = (VARIANCE, PRIORS, FLOOR)
