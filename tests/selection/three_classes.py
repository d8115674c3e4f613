"""Three classes, an evaluation of them, and a loss."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay import Evaluation, GaussianNB, KFold, evaluate
from tests.contract.registry import blobs

LOSS = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [7.0, 3.0, 0.0]])


def three(plan: Any = None, **options: Any) -> tuple[Evaluation, Any]:
    X, y = blobs(rows=120, seed=20)
    return evaluate(GaussianNB(), X, y, KFold(5) if plan is None else plan, **options), y
