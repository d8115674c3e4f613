"""A table of purchases to compare models on, the losses of asking, and a run that is interrupted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay.catalog import ModelCard
from assay.commands.compare.comparison import Comparison
from assay.workbench.experiment import schedule as runner
from assay.workbench.experiment.evaluate_candidate import CandidateResult

ASK = {
    "no": {"no": 0.0, "yes": 1.0, "ask": 0.3},
    "yes": {"no": 5.0, "yes": 0.0, "ask": 0.3},
}


def mixed(rows: int = 240, seed: int = 0) -> dict[str, Any]:
    """A table of numbers, levels and gaps whose labels depend on all of them."""
    rng = np.random.default_rng(seed)
    age, work = rng.normal(40, 10, rows), rng.integers(0, 4, rows)
    score = (age - 40) / 10 + np.array([1.5, -1.0, 0.0, 0.5])[work] + rng.normal(0, 0.8, rows)
    return {
        "age": np.where(rng.random(rows) < 0.1, np.nan, age.round(2)),
        "work": np.array(["paid", "none", "self", "state"])[work],
        "size": rng.normal(size=rows).round(3),
        "bought": np.where(score > 0.4, "yes", "no"),
    }


def board(found: Comparison) -> list[Any]:
    """What must not depend on threads, interruptions or the hour of the day."""
    return [
        (s.name, s.error, s.error_interval, s.scored, s.log_loss, s.auc, s.small_error, s.setting)
        for s in found.leaderboard
    ]


def interrupt_at(name: str, monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    real = runner.evaluate_candidate

    def evaluate_candidate(entry: ModelCard, *more: Any) -> CandidateResult:
        if entry.name == name:
            raise error
        return real(entry, *more)

    monkeypatch.setattr(runner, "evaluate_candidate", evaluate_candidate)
