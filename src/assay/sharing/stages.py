"""Settings that one fit answers: found, and put together into the estimator that is fitted for all of them."""

from __future__ import annotations

from collections.abc import Sequence

from assay.sharing.overrides import overrides
from assay.sharing.protocols import offered
from assay.sharing.settings import Settings, model_of, steps_of, unfitted, with_model
from assay.types import Estimator, RowClassifier


def answers_settings(estimator: Estimator) -> bool:
    """Whether a fit of the model, or of the one at the end of a pipeline, answers other settings as well."""
    return offered(model_of(estimator), "stages_apart") is not None and overrides(estimator) is None


def staged_families(settings: Settings) -> list[list[int]]:
    """Settings that one fit answers go together, every other one is by itself."""
    staged = [s for s, estimator in enumerate(settings.estimators) if answers_settings(estimator)]
    together = settings.take(staged).families(lambda model: model.stages_apart)
    alone = [[s] for s in range(len(settings)) if s not in staged]
    return sorted([*alone, *([staged[place] for place in family] for family in together)])


def stage_estimator(asked: Sequence[RowClassifier]) -> RowClassifier:
    """The unfitted estimator whose fit answers all of these, which are of one family."""
    first = asked[0]
    if len(asked) == 1:
        return unfitted(first)
    model: RowClassifier = model_of(first).for_stages([model_of(estimator) for estimator in asked])
    return unfitted(with_model(first, model)) if steps_of(first) else model
