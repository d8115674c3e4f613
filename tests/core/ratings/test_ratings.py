"""The kernels of recommendations against the same written out in NumPy, and against each other."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from assay import _core
from assay.data.ratings.read_ratings import read_ratings
from assay.models.recommend.similarity import Critics, NeighborRatings, RatingRows, SimilarityOptions
from tests.core.ratings_twin import predictions
from tests.realdata import ROOT

Array = np.ndarray[Any, Any]
KINDS = ("euclidean", "pearson")


def table(users: int, items: int, share: float, top: int, seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    R = rng.integers(1, top + 1, (users, items)).astype(float)
    R[rng.random(R.shape) >= share] = np.nan
    R[0, 0] = 1.0
    return R


def critics_of(R: Array, panels: bool) -> Critics:
    found = Critics(read_ratings(R))
    found.panels = panels
    return found


def open_questions(R: Array) -> RatingRows:
    gaps = np.isnan(R)
    first = np.concatenate(([0], np.cumsum(gaps.sum(axis=1)))).astype(np.int64)
    return RatingRows(first, np.nonzero(gaps)[1].astype(np.int32), np.empty(0))


def answers(
    R: Array, panels: bool, how: SimilarityOptions, one_out: bool = False, threads: int = 2
) -> NeighborRatings:
    critics = critics_of(R, panels)
    who = np.arange(len(R), dtype=np.int32)
    questions = critics.rows if one_out else open_questions(R)
    return critics.ask(critics.rows, who, questions, how, KINDS, one_out, threads=threads)


TABLES = [
    (40, 12, 0.7, 5),
    (60, 30, 0.3, 5),
    (30, 9, 0.5, 1000),
    (17, 1, 0.8, 3),
    (1, 5, 0.6, 3),
    (33, 8, 0.9, 2),
]


@pytest.mark.parametrize("shape", TABLES, ids=str)
@pytest.mark.parametrize("panels", [True, False])
@pytest.mark.parametrize("one_out", [True, False])
@pytest.mark.parametrize("k", [None, 1, 4])
def test_predictions_are_those_of_the_formulas(
    shape: tuple[int, int, float, int], panels: bool, one_out: bool, k: int | None
) -> None:
    R = table(*shape)
    for how in (SimilarityOptions(k), SimilarityOptions(k, 3, 2.5)):
        heard = answers(R, panels, how, one_out)
        critics = critics_of(R, panels)
        questions = critics.rows if one_out else open_questions(R)
        for u in range(min(len(R), 8)):
            for q in range(questions.first[u], questions.first[u + 1]):
                item = int(questions.item[q])
                row = R[u].copy()
                row[item] = np.nan
                for s, kind in enumerate(KINDS):
                    wanted = predictions(R, row, u, item, kind, k, how.min_overlap, how.shrinkage)
                    weighted = critics.coded.ratings(heard.weighted[s, q])
                    nearest = critics.coded.ratings(heard.nearest[s, q])
                    found = (weighted, heard.standard[s, q], nearest, heard.used[s, q])
                    np.testing.assert_allclose(
                        found, wanted, rtol=1e-9, atol=1e-9, err_msg=f"{u} {item} {kind}"
                    )


@pytest.mark.parametrize("one_out", [True, False])
@pytest.mark.parametrize("k", [5, 60, None])
def test_both_kernels_give_the_same_bits_with_any_number_of_threads(one_out: bool, k: int | None) -> None:
    R = table(2500, 20, 0.6, 21, seed=3)  # more critics than are looked at one by one
    R = R[:300] if one_out else R
    how = SimilarityOptions(k, 2, 1.0)
    wanted = answers(R, True, how, one_out, 1)
    for panels, threads in ((True, 2), (True, 5), (False, 1), (False, 3)):
        found = answers(R, panels, how, one_out, threads)
        np.testing.assert_array_equal(found.used, wanted.used)
        for name in ("weighted", "standard", "nearest"):
            np.testing.assert_array_equal(getattr(found, name), getattr(wanted, name))


SCRIPT = """
import hashlib, sys
from tests.core.ratings.test_ratings import SimilarityOptions, answers, table
heard = answers(table(700, 30, 0.5, 9, seed=5), True, SimilarityOptions(20))
print(hashlib.sha256(heard.used.tobytes() + heard.nearest.tobytes()).hexdigest(), float(heard.weighted.sum()))
"""


def test_every_kind_of_processor_hears_the_same_critics() -> None:
    kinds = ["portable", "avx2", "avx512"]
    found = {}
    for isa in kinds[: kinds.index(_core.isa()) + 1]:  # those that run here
        environment = {**os.environ, "ASSAY_ISA": isa, "PYTHONPATH": str(ROOT)}
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True
        )
        digest, total = run.stdout.split()
        found[isa] = digest, round(float(total), 6)
    assert len(set(found.values())) == 1, found


def test_arrays_that_do_not_fit_are_refused() -> None:
    critics = critics_of(table(6, 4, 0.9, 5), True)
    rows, who = critics.rows, np.arange(6, dtype=np.int32)
    beyond = RatingRows(rows.first, rows.item + 4, rows.code)
    with pytest.raises(ValueError, match="no such item"):
        critics.ask(rows, who, beyond, SimilarityOptions(), threads=1)
    with pytest.raises(ValueError, match="no such critic"):
        critics.ask(rows, who + 6, rows, SimilarityOptions(), threads=1)
    with pytest.raises(ValueError, match="too large"):
        wide = RatingRows(rows.first, rows.item, (rows.code * 30_000).astype(np.int32))
        critics.ask(wide, who, rows, SimilarityOptions(), threads=1)
    with pytest.raises(ValueError, match="one target"):
        common, out = np.empty(6, np.int32), np.empty(6)
        _core.ratings.rating_similarities(
            _core.ratings.Critics(rows.first, rows.item, rows.code, 4, out, out),
            rows.first, rows.item, rows.code, 0, _core.ratings.Closeness(1, 0.0, 1.0), common, out,
        )  # fmt: skip
