"""Scores inside training sets, shared and by refits."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.sharing.dispatch import solve
from assay.sharing.reductions import AllScores, Scored
from assay.sharing.settings import Settings
from assay.sharing.study import Study


def scored(settings: Settings, study: Study, sharers: Any = None) -> tuple[list[Scored], list[str]]:
    solved = solve(settings, study, sharers)
    found = solved.reduce(AllScores(study.splits, len(settings), study.dataset.n_rows))
    return [each for each in found if each is not None], solved.ways


def assert_equal(found: Scored, expected: Scored, tight: float = 1e-8) -> None:
    for name in ("row", "test", "predicted", "posterior"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    np.testing.assert_allclose(found.scores, expected.scores, rtol=tight, atol=tight)
    np.testing.assert_allclose(found.priors, expected.priors, rtol=1e-12)


def weights(kind: str, codes: Any) -> Any:
    rng = np.random.default_rng(3)
    if kind == "whole":
        return rng.integers(0, 3, len(codes)) + 0.0
    return rng.uniform(0.2, 2.0, len(codes)) if kind == "importance" else None
