"""The rows and the plan of one call as a study, and what was found in it as evaluations."""

from __future__ import annotations

from typing import Any

from assay.decision import LossMatrix
from assay.engines.local import LocalEngine
from assay.models.sparse import compressed_rows
from assay.models.validation import check_row_weight, encode, read_numbers
from assay.plans import Plan
from assay.plans.base import encode as group_codes
from assay.selection.evaluation import Evaluation
from assay.selection.tested import tested_of
from assay.selection.under_priors import check_decision_priors, untested
from assay.sharing.dataset import InMemory
from assay.sharing.dispatch import solve
from assay.sharing.reductions import AllScores
from assay.sharing.settings import Settings
from assay.sharing.study import Study
from assay.types import Floats, Labels


def dataset_of(X: Any, y: Any, sample_weight: Any, groups: Any, engine: LocalEngine) -> InMemory:
    """Labelled rows, checked."""
    codes, classes = encode(y)
    if len(classes) < 2:
        count = f"{len(classes)} class{'' if len(classes) == 1 else 'es'}"
        raise ValueError(f"y has {count}; an evaluation needs at least two.")
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
    data, found = study.dataset, []
    for s, result in enumerate(scored):
        assert result is not None
        tested, training = tested_of(result, study.splits, solved.difficulties(s))
        notes = (*tested.notes, *untested(data.codes, tested.rows, data.classes, priors))
        found.append(
            Evaluation(
                name=settings.names[s],
                classes=data.classes,
                codes=data.codes,
                weight=data.weight,
                tested=tested,
                probabilistic=result.posterior,
                n_splits=len(study.splits.outer),
                strategy=solved.ways[s],
                seconds=solved.seconds[s],
                plan=plan,
                loss=loss,
                priors=priors,
                notes=notes,
                training=training,
                groups=data.groups,
            )
        )
    return found


def deciding(loss: Any, priors: Any, classes: Labels) -> tuple[LossMatrix | None, Floats | None]:
    """The loss matrix and the priors of a call, checked."""
    matrix = None if loss is None else LossMatrix.of(loss, classes)
    return matrix, check_decision_priors(priors, len(classes))
