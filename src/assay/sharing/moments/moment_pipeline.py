"""The steps and the model of a setting, solved from the statistics of training sets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from assay.sharing.forms import ScoreForm
from assay.sharing.moments.training import Reading
from assay.sharing.protocols import MomentModel, offered
from assay.sharing.settings import Settings, model_of, steps_of
from assay.sharing.steps import TrainingStatistics, mapped, named, passes_gaps
from assay.sharing.study import Study
from assay.statistics import Form
from assay.statistics.solve_diagnostics import SolveDiagnostics
from assay.types import Estimator


class MomentPipeline(NamedTuple):
    """A setting, and how it reads the rows: in a form that may hold more than it needs itself."""

    setting: int
    steps: tuple[Estimator, ...]
    model: Any
    reading: Reading
    form: Form


def pipelines_of(settings: Settings, study: Study) -> list[MomentPipeline]:
    """Settings, those that read missing values alike in one form: full moments hold every other."""
    pipelines = []
    for s, estimator in enumerate(settings.estimators):
        steps, model = steps_of(estimator), model_of(estimator)
        reading = Reading.behind(steps, offered(model, "moments_form"), study)
        reading = reading._replace(missing=passes_gaps(steps, model))
        pipelines.append(MomentPipeline(s, named(steps, study.dataset.names), model, reading, reading.form))
    full = {pipeline.reading.filling is not None for pipeline in pipelines if pipeline.form == "full"}
    return [
        pipeline._replace(reading=pipeline.reading._replace(form="full", missing=False))
        if (pipeline.reading.filling is not None) in full
        else pipeline
        for pipeline in pipelines
    ]


def solve_pipeline(
    steps: tuple[Estimator, ...], model: MomentModel, trained: TrainingStatistics
) -> tuple[ScoreForm, SolveDiagnostics | None]:
    """Models of all training sets as functions of the raw rows, and what was difficult."""
    way = mapped(steps, trained)
    form: ScoreForm = model.solve_moments(way.moments.converted(offered(model, "moments_form")))
    trouble = form.trouble
    if way.path is None:
        return form, trouble
    if way.dropped is not None and trouble is not None:
        # A step left them out with reason: they are no constant features to report.
        trouble = replace(trouble, constant=trouble.constant & ~way.dropped)
    return form.behind(way.path, way.original.mean), trouble
