"""Candidates fitted to all rows, each once."""

from __future__ import annotations

from assay.commands.compare.result import ComparisonResult
from assay.models.table.table_classifier import TableClassifier
from assay.notes import Note
from assay.workbench.experiment.evaluate_candidate import fit_final
from assay.workbench.training_rows import fingerprint_of


def fit_candidate(result: ComparisonResult, name: str) -> TableClassifier:
    """A candidate in its final setting, fitted to all rows; it predicts under the comparison's priors."""
    if name not in result.results:
        raise ValueError(Note("C020", name=name, candidates=tuple(result.results)))
    if name not in result.fitted:
        candidate, setup = result.results[name], result.bench
        model = candidate.model
        if model is None:
            model = setup.classifier(candidate.entry, candidate.setting)
            model.priors = None if setup.priors is None else setup.priors.tolist()
            fit_final(model, setup, candidate.sample_rows)
        model.loss_ = setup.loss
        if setup.fingerprint:
            model.fingerprint_ = fingerprint_of(model, setup.problem)
        result.fitted[name] = model
    return result.fitted[name]
