"""Parameters of the baseline, apart from the class so that the catalog can show them without loading it."""

from assay.models.base.params import PRIORS

PRIOR = (PRIORS,)
