"""The class shares alone: P(C_k | x) = P(C_k).

It looks at no feature. Whatever does not beat it has learned nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from assay.decision.priors import class_priors, log_priors
from assay.models.base.card import MOMENTS, TABLE_TYPES, ModelCard
from assay.models.base.estimators import PosteriorClassifier, Tags
from assay.models.base.from_moments import StatisticsClassifier
from assay.models.base.params import PRIORS, Param
from assay.sharing.forms import Diagonal, ScoreForm
from assay.statistics import Form, Moments
from assay.statistics.solve_diagnostics import no_difficulties
from assay.types import PriorsLike

PRIOR = (PRIORS,)


class PriorClassifier(StatisticsClassifier, PosteriorClassifier):
    """Baseline that always predicts the most frequent class; its posterior is the class proportions.

    Attributes
    ----------
    classes_, class_count_, class_prior_, diagnostics_, statistics_

    Examples
    --------
    >>> model = PriorClassifier().fit([[0.0], [1.0], [2.0]], ["no", "no", "yes"])
    >>> model.predict([[5.0]]).tolist(), model.predict_proba([[5.0]]).round(2).tolist()
    (['no'], [[0.67, 0.33]])
    """

    params: ClassVar[tuple[Param, ...]] = PRIOR
    missing_ok = True

    def __init__(self, *, priors: PriorsLike = "ml") -> None:
        self.priors = priors

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        assert tags.classifier_tags is not None
        tags.classifier_tags.poor_score = True
        return tags

    @property
    def moments_form(self) -> Form:
        return "diagonal"

    def solve_moments(self, m: Moments) -> Diagonal:
        # A precision of 0 for every feature: the kernel of naive Bayes, which also passes over missing values.
        means = np.nan_to_num(m.mean)
        prior, trouble = (
            log_priors(self.priors, m.weight),
            replace(no_difficulties(*means.shape), unseen=m.weight == 0),
        )
        return Diagonal(means, np.zeros(means.shape), prior, marginal=True, trouble=trouble)

    def _keep(self, m: Moments, form: ScoreForm) -> None:
        self.class_prior_ = class_priors(self.priors, m.weight)


CARDS = (
    ModelCard(
        name="baseline",
        title="Most frequent class",
        estimator=PriorClassifier,
        family="baseline",
        parameters=PRIOR,
        encoding="none",
        capabilities=MOMENTS | {"missing"},
        reading="nothing",
        interpretability="Uses no column; a model that is not better has learned nothing.",
        complexity=0,
        column_types=(*TABLE_TYPES, "text"),
    ),
)
