"""Choices of columns beside those of refits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay import select_features
from assay.selection.features import subset_search
from assay.sharing import dispatch


def refitted(monkeypatch: pytest.MonkeyPatch, *arguments: Any, **options: Any) -> Any:
    """The same search by a fit of every set to every training set."""
    with monkeypatch.context() as changed:
        changed.setattr(subset_search, "bare_of", lambda subsets: None)
        changed.setattr(dispatch, "SHARERS", ())
        return select_features(*arguments, **options)


def assert_same(found: Any, expected: Any) -> None:
    assert [step.features for step in found.path] == [step.features for step in expected.path]
    for name in ("error", "standard_error", "loss"):
        ours, theirs = ([getattr(step, name) for step in each.path] for each in (found, expected))
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)
    assert found.features == expected.features and found.chosen == expected.chosen
