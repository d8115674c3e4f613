"""What every way of sharing must equal: each training set fitted by itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.engines.local import LocalEngine
from assay.models.base.validation import read_numbers
from assay.selection.scored_pairs import SplitScores
from assay.sharing.dataset import InMemory
from assay.sharing.dispatch import solve
from assay.sharing.reductions import AllScores
from assay.sharing.settings import Settings
from assay.sharing.splits import Splits, deeper_of, given
from assay.sharing.study import Study


def refit_scores(
    model: Any, X: Any, codes: Any, classes: Any, splits: list[Any], weight: Any = None
) -> tuple[SplitScores, bool]:
    """Scores of every tested row of (training rows, tested rows), and whether they are log posteriors."""
    table = InMemory(
        X, np.asarray(codes, np.int32), np.asarray(classes), weight, None, LocalEngine(), read_numbers
    )
    study = Study(table, given(splits, len(codes)))
    solved = solve(Settings.of([model]), study, sharers=())
    (scored,) = solved.reduce(AllScores(study.splits, 1, len(codes)))
    assert scored is not None
    rows = np.arange(len(codes)) if scored.row is None else scored.row
    order = np.lexsort((rows, scored.test))
    found = scored.test[order], scored.scores[order], scored.predicted[order]
    return SplitScores(rows[order], *found, scored.priors, solved.difficulties(0)), scored.posterior


def inner_splits(splits: Splits, f: int) -> list[tuple[Any, Any]]:
    """Rows trained on and rows tested, of every test inside the training set of split f."""
    deep = deeper_of(splits)
    tests = np.flatnonzero(deep.parent == deep.model[deep.outer[f]])
    return [(deep.train_rows(int(deep.model[t])), deep.test_rows(int(t))) for t in tests]
