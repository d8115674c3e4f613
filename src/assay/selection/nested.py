"""Nested choice: settings are chosen inside every training set, and the chosen one is tested on the fold.

In the outer fold f, the setting s(f) has the least loss in a cross-validation of the *other* rows, whose folds follow
from the plan and the data alone (`Splits.of`). Tests inside training sets are tests of the same study, so that whatever
models share serves both.

Three figures per candidate: the loss of its best setting on the outer folds (what the winner scored), the loss
of the settings chosen inside (nested), and their difference, the optimism.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.decision import LossMatrix
from assay.engines.local import LocalEngine
from assay.engines.progress import ShowProgress as Progress
from assay.plans import Plan
from assay.selection.criteria import choose, within_one_se
from assay.selection.evaluation import Evaluation
from assay.selection.setting_losses import setting_losses
from assay.selection.studies import dataset_of, deciding, evaluation_of
from assay.selection.three_parts import choose_in_parts
from assay.sharing.dispatch import Dispatched, solve
from assay.sharing.reductions import AllParts, AllScores, Part, Parts, Scored, decided_of
from assay.sharing.settings import Settings
from assay.sharing.splits import Splits
from assay.sharing.study import Study
from assay.types import Floats, Index

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Nested:
    """A candidate whose setting is chosen inside every split.

    Attributes
    ----------
    evaluation : Evaluation
        Out-of-sample scores, each by the setting chosen without the row.
    inner : (splits, settings)
        Mean loss of each setting in the inner folds of each outer split.
    chosen : (splits,)
        Setting that each outer split took, by the rule: the first of those with least inner loss, or the simplest
        within one standard error of it.
    losses, errors : (settings,)
        Mean loss and error of each setting on the outer splits themselves.
    final : int
        The one to use, by the same rule on these losses.
    seconds : float
    standard_errors : (settings,)
        Of the losses; empty where a run of an older version was read.
    """

    evaluation: Evaluation
    inner: Array
    chosen: NDArray[np.intp]
    losses: Array
    errors: Array
    final: int
    seconds: float
    standard_errors: Array = field(default_factory=lambda: np.zeros(0))

    @property
    def one_se(self) -> int | None:
        """The simplest setting whose loss is within one standard error of the least, None where it is unknown."""
        if len(self.standard_errors) != len(self.losses):
            return None
        return int(within_one_se(self.losses, self.standard_errors).argmax())

    @property
    def scored(self) -> float:
        """Loss of the final setting on the folds it was chosen on."""
        return float(self.losses[self.final])

    @property
    def optimism(self) -> float:
        """How much the choice flatters itself: the nested loss less the loss of the final setting."""
        return self.evaluation.mean_loss() - self.scored


def nest(
    name: str,
    models: Sequence[Any],
    X: Any,
    y: Any,
    plan: Plan,
    *,
    loss: Any = None,
    priors: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    n_jobs: int | None = None,
    progress: Progress = None,
    rule: str = "min",
    inner: int | None = None,
    copies: bool = False,
) -> Nested:
    """Evaluate one candidate with the choice among its settings nested in the plan.

    Parameters
    ----------
    name : str
    models : sequence of estimators
        One for each setting, the simplest first.
    X, y, loss, priors, sample_weight, groups, n_jobs, progress
        As in `evaluate`.
    plan : Plan
        Any plan whose tests are folds; leave-one-out and the bootstrap are refused. Under `TrainValidationTest` the
        validation part takes the place of the folds, and only the chosen setting is tested on the test part.
    rule : "min" or "one_se"
        As in `tune`; it is followed inside every split, too.
    inner : int, optional
        As in `nested`.
    copies : bool
        Whether the groups are sets of equal rows: they follow the first of them into its fold (`draw_partitions`).
    """
    data = dataset_of(X, y, sample_weight, groups, LocalEngine(n_jobs, progress))
    splits = Splits.of(plan, data.codes, data.groups, copies, classes=data.classes, inner=inner, nested=True)
    decision = deciding(loss, priors, data.classes)
    return nest_in(Study(data, splits), Settings.called(name, models), plan, *decision, rule)


def nest_in(
    study: Study,
    settings: Settings,
    plan: Plan,
    loss: LossMatrix | None = None,
    priors: Floats | None = None,
    rule: str = "min",
) -> Nested:
    """The same in a study whose splits have tests inside (`Splits.of` with `nested`)."""
    start = time.perf_counter()
    if study.splits.chosen_only:
        return _in_parts(study, settings, plan, loss, priors, rule, start)
    deep = study.deeper()
    solved = solve(settings, deep)
    found = setting_losses(solved, deep, len(settings), loss, priors)
    inside = zip(found.inner, found.inner_errors, strict=True)
    chosen = np.array([choose(*figures, rule) for figures in inside], dtype=np.intp)
    scored = _scored(solved, study, chosen, found.parts, loss, priors)
    used = np.unique(chosen).tolist()
    notes = tuple(dict.fromkeys(note for s in used for note in solved.difficulties(s)))
    seconds = time.perf_counter() - start
    evaluation = evaluation_of(
        scored, study, plan, settings.names[0], solved.ways[used[0]], seconds, notes, loss, priors
    )
    final = choose(found.losses, found.standard_errors, rule)
    return Nested(
        evaluation, found.inner, chosen, found.losses, found.errors, final, seconds, found.standard_errors
    )


def _in_parts(
    study: Study,
    settings: Settings,
    plan: Plan,
    loss: LossMatrix | None,
    priors: Floats | None,
    rule: str,
    start: float,
) -> Nested:
    """The choice on the validation part, and its test."""
    found = choose_in_parts(study, settings, plan, loss, priors, rule)
    return Nested(
        evaluation=found.test,
        inner=found.losses[None, :],
        chosen=np.array([found.chosen]),
        losses=found.losses,
        errors=np.array([each.error for each in found.validation]),
        final=found.chosen,
        seconds=time.perf_counter() - start,
        standard_errors=found.standard_errors,
    )


def _scored(
    solved: Dispatched,
    study: Study,
    chosen: Index,
    kept: Parts,
    loss: LossMatrix | None,
    priors: Floats | None,
) -> Scored:
    """Scores of every split by the setting that was chosen for it: those that were kept, the others are made."""
    splits = study.splits
    only = np.zeros((len(solved.ways), study.deeper().splits.n_tests), dtype=bool)
    only[chosen, splits.outer] = True
    parts = {s: kept[s] for s in np.unique(chosen).tolist() if s in kept}
    asked = only.copy()
    asked[list(parts)] = False
    if asked.any():
        parts |= solved.reduce(AllParts(), asked)
    own = [part.take(only[s][part.test]) for s, mine in sorted(parts.items()) for part in mine]
    own = [part._replace(priors=part.priors[: splits.n_tests]) for part in own if len(part.row)]
    scores = AllScores(splits, 1, study.dataset.n_rows).finish({0: _alike(own, loss, priors)})[0]
    assert scores is not None
    return scores


def _alike(parts: list[Part], loss: LossMatrix | None, priors: Floats | None) -> list[Part]:
    """Where some give margins only, the whole has no posteriors, and its predictions are the decisions of each."""
    if len({part.posterior for part in parts}) < 2:
        return parts
    classes = None if loss is None else loss.class_of_action

    def decisions(part: Part) -> Part:
        actions = decided_of(part, loss, priors)
        return part._replace(predicted=actions if classes is None else classes[actions].astype(np.int32))

    return [decisions(part) if part.posterior else part for part in parts]
