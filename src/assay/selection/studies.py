"""The rows and the plan of one call as a study, and what was found in it as evaluations."""

from __future__ import annotations

from typing import Any

from assay.decision import LossMatrix
from assay.engines.local import LocalEngine
from assay.models.base.sparse import compressed_rows
from assay.models.base.validation import check_row_weight, encode, read_numbers
from assay.plans import Plan
from assay.plans.base import encode as group_codes
from assay.selection.evaluation import Evaluation
from assay.selection.named_models import check_two
from assay.selection.tested import tested_of
from assay.selection.under_priors import check_decision_priors, untested
from assay.sharing.dataset import InMemory
from assay.sharing.dispatch import solve
from assay.sharing.reductions import AllScores, Scored
from assay.sharing.settings import Settings
from assay.sharing.study import Study
from assay.types import Floats, Labels


def dataset_of(X: Any, y: Any, sample_weight: Any, groups: Any, engine: LocalEngine) -> InMemory:
    """Labelled rows, checked."""
    codes, classes = encode(y)
    check_two(classes)
    X = compressed_rows(X)
    rows = X.shape[0] if hasattr(X, "shape") else len(X)
    if rows != len(codes):
        raise ValueError(f"X has {rows} rows and y has {len(codes)}: give one label for each row.")
    together = None if groups is None else group_codes(groups, "groups", len(codes))
    return InMemory(X, codes, classes, check_row_weight(sample_weight, rows), together, engine, read_numbers)


def evaluations(
    settings: Settings,
    study: Study,
    plan: Plan,
    loss: LossMatrix | None = None,
    priors: Floats | None = None,
) -> list[Evaluation]:
    """Every setting under the splits of the study, by its cheapest way."""
    solved = solve(settings, study)
    scored = solved.reduce(AllScores(study.splits, len(settings), study.dataset.n_rows))
    return [
        evaluation_of(
            result, study, plan, settings.names[s], solved.ways[s], solved.seconds[s], solved.difficulties(s), loss,
            priors,
        )
        for s, result in enumerate(scored)
    ]  # fmt: skip


def evaluation_of(
    scored: Scored | None,
    study: Study,
    plan: Plan,
    name: str,
    way: str,
    seconds: float,
    notes: tuple[str, ...],
    loss: LossMatrix | None,
    priors: Floats | None,
    inside: bool = False,
) -> Evaluation:
    """Scores of the tests of a plan as an evaluation; or those of the tests inside its training sets."""
    assert scored is not None
    data = study.dataset
    tested, others = tested_of(scored, study.splits, notes)
    if inside:
        assert others is not None
        tested, others = others, None
    return Evaluation(
        name=name,
        classes=data.classes,
        codes=data.codes,
        weight=data.weight,
        tested=tested,
        probabilistic=scored.posterior,
        n_splits=len(tested.priors),
        strategy=way,
        seconds=seconds,
        plan=plan,
        loss=loss,
        priors=priors,
        notes=(*tested.notes, *untested(data.codes, tested.rows, data.classes, priors)),
        training=others,
        groups=data.groups,
    )


def deciding(loss: Any, priors: Any, classes: Labels) -> tuple[LossMatrix | None, Floats | None]:
    """The loss matrix and the priors of a call, checked."""
    matrix = None if loss is None else LossMatrix.of(loss, classes)
    return matrix, check_decision_priors(priors, len(classes))
