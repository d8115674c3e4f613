"""Out-of-fold scores of the settings that were chosen for the folds: every row is scored once."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.decision.priors import class_priors
from assay.models.sharing.chain import Background, Chain, find_filling, in_batches
from assay.models.sharing.folds import FoldCells, Scorer, pairs_of
from assay.models.sharing.tested import Tested
from assay.sharing.forms import Pairs, ScoreForm
from assay.statistics import Form
from assay.statistics.solve_diagnostics import Trouble, check_classes


@dataclass(frozen=True)
class _Solved:
    """A chain solved on the training part of every fold."""

    chain: Chain
    form: ScoreForm
    trouble: Trouble
    background: Background

    @property
    def kind(self) -> tuple[Any, ...]:
        """What forms have in common that can stand in one: all but their numbers."""
        values = [getattr(self.form, name.name) for name in fields(self.form) if name.name != "trouble"]
        told = [value.shape if isinstance(value, np.ndarray) else value for value in values]
        return (type(self.form), self.background.filling is None, *told)

    @property
    def priors(self) -> NDArray[np.float64]:
        return class_priors(getattr(self.chain.model, "priors", "ml"), self.background.full.weight)


def chosen_scores(chains: list[Chain], chosen: NDArray[np.intp], cells: FoldCells) -> Tested:
    """Out-of-fold scores of each fold by the chain chosen for it; all models are of the same class."""
    data, partition = cells.data, cells.partition
    used, which = np.unique(chosen, return_inverse=True)
    gaps = find_filling(data) if any(chains[u].imputes for u in used) else None

    def run(some: list[Chain], form: Form) -> list[_Solved]:
        filling = gaps if some[0].imputes else None
        train = cells.of(some, form, filling).complement(partition.n_folds)
        check_classes(train.weight, data.classes)
        background = Background(train, None, filling)
        return [_Solved(chain, *chain.solve(background), background) for chain in some]

    solved = in_batches([chains[u] for u in used], run, gaps is not None)
    tested = _tested(solved, which, cells)
    priors = np.stack([solved[which[f]].priors[f] for f in range(partition.n_folds)])
    notes = [note for each in solved for note in each.trouble.summary(data.classes, "folds")]
    return replace(tested, priors=priors, notes=tuple(dict.fromkeys(notes)))


def _tested(solved: list[_Solved], which: NDArray[np.intp], cells: FoldCells) -> Tested:
    """Scores of fold f by solved[which[f]]; those of a kind are one form, which reads the rows once."""
    rows, pairs = pairs_of(cells.partition)
    fold = pairs.models
    assert fold is not None
    kinds = [each.kind for each in solved]
    parts: list[tuple[NDArray[np.intp], Tested]] = []
    for kind in dict.fromkeys(kinds):
        members = [m for m, other in enumerate(kinds) if other == kind]
        first = solved[members[0]]
        form = _picked([each.form for each in solved], members, which)
        scorer = Scorer([first.chain], [(form, first.trouble)], cells.data, first.background)
        if len(members) == len(solved):
            return scorer.tested(rows, pairs, cells.n_jobs)[0]
        at = np.flatnonzero(np.isin(which, members)[fold])
        mine = Pairs(at if rows is None else rows[at], fold[at])
        parts.append((at, scorer.tested(mine.rows, mine, cells.n_jobs)[0]))
    scores, predicted = np.empty((len(fold), cells.data.n_classes)), np.empty(len(fold), dtype=np.int32)
    for at, part in parts:
        scores[at], predicted[at] = part.scores, part.predicted
    return Tested(rows, fold, scores, predicted, parts[0][1].priors, ())


def _picked(forms: list[ScoreForm], members: list[int], which: NDArray[np.intp]) -> ScoreForm:
    """The form whose fold f is that of forms[which[f]], where that is a member."""
    first = forms[members[0]]
    of_fold = [forms[m] if m in members else first for m in which.tolist()]
    arrays = [name.name for name in fields(first) if isinstance(getattr(first, name.name), np.ndarray)]
    picked: dict[str, Any] = {
        name: np.stack([getattr(form, name)[f] for f, form in enumerate(of_fold)]) for name in arrays
    }
    return replace(first, **picked)
