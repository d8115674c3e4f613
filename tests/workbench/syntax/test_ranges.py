"""A column in units whose squares overflow or vanish ends no comparison: who cannot read it is omitted and says why."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from assay import compare
from assay.notes import as_note
from tests.raised import raises

CANDIDATES = ["gaussian_nb", "nearest_mean", "least_squares", "gaussian_full", "gradient_boosting"]


@pytest.mark.parametrize(("size", "code"), [(1e300, "N700"), (1e-300, "N701")])
def test_candidates_that_cannot_read_a_column_are_omitted(size: float, code: str) -> None:
    rng = np.random.default_rng(0)
    kind = np.repeat(["a", "b"], 40)
    table = {
        "u": rng.normal(size=80),
        "mass": (rng.normal(size=80) + 3.0 * (kind == "b")) * size,
        "kind": kind,
    }
    found = compare(table, "kind", candidates=CANDIDATES, plan=3)
    assert [row.name for row in found.leaderboard] == ["gradient_boosting"]
    assert set(found.omitted) == set(CANDIDATES) - {"gradient_boosting"}
    for reason in found.omitted.values():
        note = as_note(reason)
        assert note.code == "C157" and note.values["reason"].code == code
        assert note.values["reason"].values["column"] == "column 'mass'"
    assert found.evaluations["gradient_boosting"].error < 0.2


def test_nothing_is_left_where_every_candidate_is_omitted() -> None:
    kind = np.repeat(["a", "b"], 20)
    table = {"mass": np.arange(40) * 1e-200, "kind": kind}
    with raises("C156"):
        compare(table, "kind", candidates=["gaussian_nb", "fisher"])


def test_what_a_candidate_warns_of_is_not_printed(capfd: pytest.CaptureFixture[str]) -> None:
    """Beyond single precision scikit-learn's trees refuse a table, and NumPy warns of the cast before every refusal."""
    kind = np.repeat(["a", "b"], 40)
    table = {"mass": np.random.default_rng(0).normal(size=80) * 1e140, "kind": kind}
    with warnings.catch_warnings():
        warnings.resetwarnings()
        candidates = {"theirs": DecisionTreeClassifier(), "decision_tree": None, "gaussian_nb": None}
        found = compare(table, "kind", candidates=candidates, plan=3)
    assert "too large" in found.omitted["theirs"]
    assert "decision_tree" in found.evaluations  # whose kernels count in double precision
    assert capfd.readouterr().err == ""
