"""The whole procedure, choice of a candidate included: which one it takes, its nested estimate, and the baseline's."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from assay import catalog
from assay.selection.evaluation import Evaluation
from assay.selection.nested import combine, nest_in, with_instability
from assay.sharing.settings import Settings
from assay.workbench.experiment.evaluate_candidate import CandidateResult
from assay.workbench.experiment.setup import ExperimentSetup

BASELINE = "baseline"


def ranked(results: Iterable[CandidateResult]) -> dict[str, CandidateResult]:
    """Candidates by name, best first: by the CV loss of the final setting; of equal ones the simpler first."""
    best_first = sorted(_simple_first(results), key=lambda result: result.final_cv_loss)
    return {result.name: result for result in best_first}


def nested_estimate(results: Iterable[CandidateResult]) -> Evaluation:
    """The procedure tested: in every fold the candidate and setting of least inner loss.

    Its intervals count how unstable this choice is, from the losses that the candidates have kept of theirs.
    """
    # Equal inner losses go to the simpler model, as the final choice does.
    simple_first = _simple_first(results)
    inner = np.stack([result.inner[np.arange(len(result.chosen)), result.chosen] for result in simple_first])
    choice = combine([simple_first[place].evaluation for place in inner.argmin(axis=0)])
    return with_instability(choice, [result.nested.pairs for result in simple_first])


def baseline_evaluation(setup: ExperimentSetup) -> Evaluation:
    """The evaluation of the model that uses no column: it takes milliseconds, and no choice may cost more."""
    entry = catalog.entry(BASELINE)
    baseline = Settings.called(entry.name, [setup.classifier(entry, {}).matrix_estimator()])
    choice = setup.plan, setup.loss, setup.priors, setup.rule, setup.metrics.metric
    return nest_in(setup.study(entry), baseline, *choice).evaluation


def _simple_first(results: Iterable[CandidateResult]) -> list[CandidateResult]:
    """In the order of the catalog; a user's own estimators follow in the order in which they were given."""
    order = {name: position for position, name in enumerate(catalog.names())}
    return sorted(results, key=lambda result: (order.get(result.name, len(order)), result.entry.position))
