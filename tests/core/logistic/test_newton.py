"""All training parts along a path of penalties, by compiled steps: the same answers whoever sums the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay import _core
from assay.solvers.fold_newton import FoldNewton
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes, _PythonSums
from assay.solvers.rows import DenseRows

FOLDS, WIDTH = 4, 6


def passes(classes: int) -> Passes:
    rng = np.random.default_rng(classes)
    X = rng.normal(size=(400, WIDTH))
    codes = (X @ rng.normal(size=(WIDTH, classes)) + rng.gumbel(size=(400, classes))).argmax(axis=1)
    rows = DenseRows(X, np.zeros(WIDTH), np.ones(WIDTH))
    return Passes(rows, codes.astype(np.int32), None, (np.arange(400) % FOLDS).astype(np.int32), FOLDS, 2)


def parts() -> Parts:
    return Parts(~np.eye(FOLDS, dtype=bool), np.ones((FOLDS, WIDTH)), np.ones((FOLDS, WIDTH), dtype=bool))


@pytest.mark.parametrize("classes", [2, 4])
def test_rows_summed_by_python_end_in_the_same_place(classes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    l2, found = np.logspace(-1, -4, 4), []
    with passes(classes) as some:
        found.append(FoldNewton(some, parts(), classes, 1e-9).path(l2))
    monkeypatch.setattr(Passes, "sums", property(_PythonSums))
    with passes(classes) as some:
        found.append(FoldNewton(some, parts(), classes, 1e-9).path(l2))
    assert all(each.converged.all() for each in found)
    np.testing.assert_allclose(found[0].B, found[1].B, rtol=1e-6, atol=1e-8)
    assert found[0].passes == found[1].passes


def test_what_goes_wrong_in_python_comes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(_PythonSums):
        def gradients(self, *_: Any) -> None:
            raise KeyboardInterrupt

    monkeypatch.setattr(Passes, "sums", property(Broken))
    with passes(2) as some, pytest.raises(KeyboardInterrupt):
        FoldNewton(some, parts(), 2).path(np.ones(1))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"penalty": np.ones((FOLDS, WIDTH + 1))}, "do not fit"),
        ({"start": np.zeros((FOLDS, 1, WIDTH))}, "do not fit"),
        ({"weight": np.ones(FOLDS - 1)}, "do not fit"),
        ({"free": np.ones((FOLDS, WIDTH), dtype=bool)}, "parts x classes"),
        ({"maps": np.ones((FOLDS, WIDTH))}, "parts x columns"),
    ],
)
def test_parts_that_do_not_fit(change: dict[str, Any], sentence: str) -> None:
    given = {
        "share": 1.0 - np.eye(FOLDS), "penalty": np.ones((FOLDS, WIDTH)),
        "free": np.ones((FOLDS, 1, WIDTH + 1), dtype=bool), "start": np.zeros((FOLDS, 1, WIDTH + 1)),
        "weight": np.ones(FOLDS), "maps": None,
    }  # fmt: skip
    _core.logistic.TrainingParts(**given)
    with pytest.raises(ValueError, match=sentence):
        _core.logistic.TrainingParts(**{**given, **change})


@pytest.mark.parametrize(("name", "shape"), [("B", (1, FOLDS, 1, 3)), ("loss", (2, FOLDS)), ("theta", (1,))])
def test_answers_that_do_not_fit(name: str, shape: tuple[int, ...]) -> None:
    with passes(2) as some:
        newton = FoldNewton(some, parts(), 2)
        out = {
            "B": np.zeros((1, FOLDS, 1, WIDTH + 1)), "gradient": np.zeros((1, FOLDS)), "loss": np.zeros((1, FOLDS)),
            "converged": np.zeros((1, FOLDS), dtype=bool), "theta": np.zeros((FOLDS, 1, WIDTH + 1)),
            "renewed": np.zeros(FOLDS, dtype=bool),
        }  # fmt: skip
        given = newton._given(parts())
        asked = {"rows": some.sums, "parts": given, "l2": np.ones(1), "tol": 1e-6, "threads": 1}
        with pytest.raises(ValueError, match="single part"):
            _core.logistic.newton_path(**asked, pilot=given, **out)
        with pytest.raises(ValueError, match="do not fit"):
            _core.logistic.newton_path(**asked, pilot=None, **{**out, name: np.zeros(shape)})
