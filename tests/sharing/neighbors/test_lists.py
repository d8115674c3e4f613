"""Neighbours under every scheme: from one search, the scores of refits to the last bit."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from assay import PCA, Impute, KNeighborsClassifier, SelectColumns, Standardize
from assay.engines.local import LocalEngine
from assay.models.features.drop_reference import DropReference
from assay.numerics import neighbors
from assay.plans import HoldOut, KFold
from assay.sharing.dataset import Blocks
from assay.sharing.neighbors import NEIGHBORS, lists
from assay.sharing.reductions import Scored
from assay.sharing.splits import Splits, drawn_inside, splits_of
from assay.sharing.splits import given as given_splits
from tests.raised import raises
from tests.sharing.compared import in_blocks, in_memory, scored
from tests.sharing.studies import schemes, table

N = 48
X, CODES = table(N)
RNG = np.random.default_rng(3)
WHOLE = RNG.integers(0, 4, N).astype(float)
IMPORTANCE = RNG.uniform(0.1, 3.0, N) * (RNG.random(N) < 0.8)
LEVELS = np.hstack([np.eye(4)[RNG.integers(0, 4, N)], np.eye(3)[RNG.integers(0, 3, N)], X[:, :1]])
SCHEMES = schemes(CODES, trained=40, tested=15) | {
    "drawn inside": drawn_inside(
        splits_of(HoldOut(0.4), CODES), lambda rows: KFold(2).partitions(CODES[rows])
    )
}


def votes(**options: Any) -> list[Any]:
    given = [(1, "uniform"), (4, "distance"), (5, "uniform"), (4, "uniform")]
    return [KNeighborsClassifier(k, weights=rule, **options) for k, rule in given]


def behind(*steps: Any, few: bool = True) -> list[Any]:
    return [make_pipeline(*steps, model) for model in votes()[1 : 3 if few else 4]]


GAPS = np.where(RNG.uniform(size=X.shape) < 0.05, np.nan, X)
KINDS: dict[str, tuple[list[Any], Any, Any]] = {  # models, rows, weights
    "plain": (votes(), X, None),
    "whole numbers as weights": (votes(), X, WHOLE),
    "importance weights": (votes(), X, IMPORTANCE),
    "ties": (votes(), np.round(X), None),
    "ties of weighted rows": (votes(), np.round(X), WHOLE),
    "single precision": (votes(), X.astype(np.float32), None),
    "manhattan": (votes(metric="manhattan")[:2], X, None),
    "cosine": (votes(metric="cosine")[:2], X, None),
    "mahalanobis": (votes(metric="mahalanobis")[:2], X, WHOLE),
    "mixed": (votes(metric="mixed", categorical_features=[0])[:2], np.round(GAPS), None),
    "tree": (votes(algorithm="tree"), X[:, :2], None),
    "all rows vote": (votes(fewer_rows="all") + [KNeighborsClassifier(99, fewer_rows="all")], X, None),
    "scaler": (behind(Standardize()), X, None),
    "weighted scaler": (behind(Standardize()), X, WHOLE),
    "range": (behind(Standardize("range")), X, None),
    "imputer": (behind(Impute(), Standardize()), GAPS, None),
    "levels": (behind(DropReference([(0, 4), (4, 7)]), Standardize()), LEVELS, None),
    "columns": (behind(SelectColumns([0, 2])), X, None),
    "PCA": (behind(Standardize(), PCA(2)), X, None),
    "weighted PCA": (behind(Standardize(), PCA(2)), X, IMPORTANCE),
    "foreign": (behind(StandardScaler()), X, None),
}


def rows_of(found: Scored) -> Any:
    return np.arange(len(found.test)) if found.row is None else found.row


def same(found: Scored | None, wanted: Scored | None, exact: bool = True) -> None:
    assert found is not None and wanted is not None and found.posterior
    assert np.array_equal(rows_of(found), rows_of(wanted)) and np.array_equal(found.test, wanted.test)
    if exact:
        assert np.array_equal(found.scores, wanted.scores)
    else:  # weights are scaled to each training set, which rounds
        np.testing.assert_allclose(np.exp(found.scores), np.exp(wanted.scores), atol=1e-12)
    assert np.array_equal(found.predicted, wanted.predicted)
    np.testing.assert_allclose(found.priors[wanted.test], wanted.priors[wanted.test], rtol=1e-12)


def agree(models: list[Any], rows: Any, weight: Any, splits: Splits) -> None:
    data = in_memory(rows, CODES, weight)
    shared, solved = scored(models, data, splits, (NEIGHBORS,))
    refitted, refits = scored(models, data, splits, ())
    assert set(solved.ways) == {"neighbors"} and set(refits.ways) == {"refit"}
    for s, (found, wanted) in enumerate(zip(shared, refitted, strict=True)):
        same(found, wanted, weight is not IMPORTANCE)
        assert solved.difficulties(s) == refits.difficulties(s)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_scores_of_refits(scheme: str, kind: str) -> None:
    agree(*KINDS[kind], SCHEMES[scheme])


@pytest.mark.parametrize("kind", ["plain", "whole numbers as weights", "importance weights", "ties", "tree"])
@pytest.mark.parametrize("scheme", ["k-fold", "given", "pairs", "pieces", "leave-one-out", "bootstrap"])
def test_lists_that_are_too_short_are_searched_again(
    scheme: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    again, own = [], lists._ListSearch._again

    def counted(self: Any, queries: Any, *rest: Any) -> Any:
        again.append(len(queries))
        return own(self, queries, *rest)

    monkeypatch.setattr(lists._ListSearch, "_again", counted)
    monkeypatch.setattr(lists._Lengths, "cheapest", lambda *_: 2)
    agree(*KINDS[kind], SCHEMES[scheme])
    assert sum(again) > 0


@pytest.mark.parametrize("kind", ["plain", "ties of weighted rows", "tree"])
@pytest.mark.parametrize("scheme", ["k-fold", "repeated", "pairs", "pieces", "with training"])
def test_rows_that_are_always_together_are_passed_over(
    scheme: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "TOGETHER", 1)
    agree(*KINDS[kind], SCHEMES[scheme])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 10**6),
    k=st.integers(1, 12),
    rule=st.sampled_from(["uniform", "distance"]),
    weighted=st.booleans(),
)
def test_any_training_sets(seed: int, k: int, rule: str, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    sets = [
        (rng.integers(0, N, rng.integers(15, 60)), rng.permutation(N)[: rng.integers(1, N)]) for _ in "abc"
    ]
    weight = rng.integers(0, 3, N).astype(float) if weighted else None
    for train, _ in sets:  # every class counts
        train[:3] = [int(np.flatnonzero(CODES == code)[0]) for code in range(3)]
    if weight is not None:
        weight[[int(np.flatnonzero(CODES == code)[0]) for code in range(3)]] = 1.0
    model = KNeighborsClassifier(k, weights=rule, fewer_rows="all")
    agree([model], np.round(X), weight, given_splits(sets, N))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("kind", ["plain", "importance weights", "scaler"])
def test_blocks_as_in_memory(scheme: str, kind: str) -> None:
    """Training rows are a matrix; tested ones come block by block, and through cloudpickle."""
    models, rows, weight = KINDS[kind]
    splits, data = SCHEMES[scheme], in_blocks(rows, CODES, weight)
    object.__setattr__(data, "matrix", lambda: Blocks.matrix(data))
    object.__setattr__(data, "fits", lambda copies=1: True)
    found, _ = scored(models, data, splits, (NEIGHBORS,))
    wanted, _ = scored(models, in_memory(rows, CODES, weight), splits, (NEIGHBORS,))
    for one, other in zip(found, wanted, strict=True):
        same(one, other)


@pytest.mark.parametrize("scheme", ["pairs", "bootstrap", "leave-one-out"])
@pytest.mark.parametrize("kind", ["plain", "importance weights", "scaler", "tree"])
def test_the_same_bits_for_any_number_of_threads_and_in_any_company(scheme: str, kind: str) -> None:
    models, rows, weight = KINDS[kind]
    splits = SCHEMES[scheme]
    one, two, eight = (
        scored(models, in_memory(rows, CODES, weight, n_jobs=jobs), splits, (NEIGHBORS,))[0]
        for jobs in (1, 2, 8)
    )
    for s, model in enumerate(models):
        same(two[s], one[s])
        same(eight[s], one[s])
        same(scored([model], in_memory(rows, CODES, weight), splits, (NEIGHBORS,))[0][0], one[s])


@pytest.mark.parametrize("scheme", ["pairs", "leave-one-out", "bootstrap", "pieces"])
@pytest.mark.parametrize("kind", ["plain", "scaler"])
def test_tests_that_nobody_asks_for_are_left_out(scheme: str, kind: str) -> None:
    models, rows, _ = KINDS[kind]
    splits, data = SCHEMES[scheme], in_memory(rows, CODES)
    only = np.random.default_rng(1).random((len(models), splits.n_tests)) < 0.4
    only[0] = False
    every, _ = scored(models, data, splits, (NEIGHBORS,))
    some, _ = scored(models, data, splits, (NEIGHBORS,), only)
    assert some[0] is None
    for s in range(1, len(models)):
        whole, part = every[s], some[s]
        assert whole is not None and part is not None
        asked = only[s][whole.test]
        assert np.array_equal(part.test, whole.test[asked]) and np.array_equal(
            rows_of(part), rows_of(whole)[asked]
        )
        assert np.array_equal(part.scores, whole.scores[asked])


@pytest.mark.parametrize("scheme", ["k-fold", "pairs", "bootstrap", "leave-one-out", "pieces"])
def test_all_settings_and_models_need_one_search(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(0).normal(size=(N, 4))
    searched, own = [], neighbors.nearest

    def counted(space: Any, points: Any, queries: Any, *rest: Any, **more: Any) -> Any:
        searched.append((len(points), len(queries)))
        return own(space, points, queries, *rest, **more)

    monkeypatch.setattr(neighbors, "nearest", counted)
    models = [KNeighborsClassifier(k, weights=rule) for k in range(1, 6) for rule in ("uniform", "distance")]
    scored(models, in_memory(rows, CODES), SCHEMES[scheme], (NEIGHBORS,))
    assert searched[0][1] == N
    alone = sum(
        len(np.unique(SCHEMES[scheme].train_rows(m))) for m in range(SCHEMES[scheme].n_models)
    )  # rows that searches of every model would look through
    assert sum(points for points, queries in searched[1:] if queries > N // 4) < alone / 2


def test_progress_is_told_and_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "BATCH", 1)
    monkeypatch.setattr(lists, "LEAST_BATCH", 5)
    told: list[tuple[str, int, int]] = []

    def hear(label: str, done: int, total: int) -> None:
        told.append((label, done, total))
        if done == 3:
            raise KeyboardInterrupt

    data = in_memory(X, CODES)
    object.__setattr__(data, "engine", LocalEngine(2, hear))
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        scored(votes(), data, SCHEMES["k-fold"], (NEIGHBORS,))
    assert told == [("KNeighborsClassifier", done, 10) for done in (1, 2, 3)]
    assert threading.active_count() == before


def test_rows_that_do_not_fit_into_memory_are_refused() -> None:
    data = in_memory(X, CODES)
    object.__setattr__(data, "fits", lambda copies=1: False)
    with raises("S008", MemoryError, subject="KNeighborsClassifier"):
        scored(votes(), data, SCHEMES["k-fold"])
