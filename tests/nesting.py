"""Nested choice among a list of models, of rows as they are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.engines.local import LocalEngine
from assay.selection.evaluate import decision_of, plan_of, study_of
from assay.selection.nested import Nested, nest_in
from assay.sharing.settings import Settings


def nest(
    name: str,
    models: Sequence[Any],
    X: Any,
    y: Any,
    plan: Any,
    *,
    loss: Any = None,
    priors: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    n_jobs: int | None = None,
    progress: Any = None,
    rule: str = "min",
    inner: int | None = None,
) -> Nested:
    """The candidate with the choice among its models nested in the plan."""
    plan, engine = plan_of(plan), LocalEngine(n_jobs, progress)
    study = study_of(X, y, plan, sample_weight, groups, engine, inner=inner, nested=True)
    decision = decision_of(loss, priors, study.dataset.classes)
    return nest_in(study, Settings.called(name, models), plan, *decision, rule)
