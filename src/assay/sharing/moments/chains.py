"""The steps and the model of a setting, solved from the statistics of training sets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from assay.sharing.forms import ScoreForm
from assay.sharing.moments.training import Reading, find_filling
from assay.sharing.protocols import asked
from assay.sharing.settings import Settings, model_of, steps_of
from assay.sharing.steps import Trained, form_behind, imputes, mapped, named, passes_gaps
from assay.sharing.study import Study
from assay.statistics import Form
from assay.statistics.solve_diagnostics import SolveDiagnostics


class Chain(NamedTuple):
    """A setting, and how it reads the rows: in a form that may hold more than it needs itself."""

    setting: int
    steps: tuple[Any, ...]
    model: Any
    reading: Reading
    form: Form


def chains_of(settings: Settings, study: Study) -> list[Chain]:
    """Settings, those that read missing values alike in one form: full moments hold every other."""
    found = []
    for s, estimator in enumerate(settings.estimators):
        steps, model = steps_of(estimator), model_of(estimator)
        filling = find_filling(study) if imputes(steps) else None
        form = form_behind(steps, asked(model, "moments_form"), filling is not None)
        reading = Reading(form, filling, passes_gaps(steps, model))
        found.append(Chain(s, named(steps, study.dataset.names), model, reading, form))
    full = {chain.reading.filling is not None for chain in found if chain.form == "full"}
    return [
        chain._replace(reading=chain.reading._replace(form="full", missing=False))
        if (chain.reading.filling is not None) in full
        else chain
        for chain in found
    ]


def solve_chain(
    steps: tuple[Any, ...], model: Any, trained: Trained
) -> tuple[ScoreForm, SolveDiagnostics | None]:
    """Models of all training sets as functions of the raw rows, and what was difficult."""
    way = mapped(steps, trained)
    form: ScoreForm = model.solve_moments(way.moments.converted(asked(model, "moments_form")))
    trouble = form.trouble
    if way.path is None:
        return form, trouble
    if way.dropped is not None and trouble is not None:
        # A step left them out with reason: they are no constant features to report.
        trouble = replace(trouble, constant=trouble.constant & ~way.dropped)
    return form.behind(way.path, way.original.mean), trouble
