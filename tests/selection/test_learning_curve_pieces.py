"""What sizes of a learning curve share beside moments: matrices, starts and rows, with the scores of refits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.pipeline import make_pipeline

from assay import (
    CategoricalNB,
    HoldOut,
    KernelSVM,
    KFold,
    KNeighborsClassifier,
    LinearSVM,
    Standardize,
    TextCounts,
    evaluate,
    learning_curve,
)
from assay.models.features import text_counts as text
from assay.models.naive_bayes.multinomial import MultinomialNB
from assay.models.svm.gram_machine import GramMachine
from assay.selection.learning_curve import check_sizes, piece_of
from assay.solvers.semismooth import FoldSemismooth
from tests.selection.training_sizes import in_order, trained_on

X, y = load_wine(return_X_y=True)
Z = (X - X.mean(axis=0)) / X.std(axis=0)
LEVELS = (4 * (X - X.min(axis=0)) / np.ptp(X, axis=0)).astype(int)
UNEVEN = np.random.default_rng(0).uniform(0.5, 2.0, len(y))
SHARES = check_sizes([0.3, 0.6])


def refits(model: Any, rows: Any, labels: Any, plan: Any, s: int, weight: Any) -> Any:
    """Scores at a size, every training part given by its rows."""
    codes = np.unique(labels, return_inverse=True)[1].astype(np.int32)
    splits = [
        (trained_on(partition, piece, f, s), partition.test_rows(f))
        for partition in plan.partitions(codes)
        for piece in [piece_of(partition, codes, SHARES, 0)]
        for f in range(partition.n_folds)
    ]
    return in_order(evaluate(model, rows, labels, splits, sample_weight=weight))


MACHINES = {
    "one matrix": KernelSVM("rbf", gamma=0.1, tol=1e-8),
    "learned kernel": KernelSVM("rbf", tol=1e-8),
    "scaled": make_pipeline(Standardize(), KernelSVM("linear", C=1.0, tol=1e-8)),
}


@pytest.mark.parametrize("weight", [None, UNEVEN], ids=["plain", "weights"])
@pytest.mark.parametrize("plan", [KFold(4), KFold(3, repeats=2), HoldOut(0.3)], ids=repr)
@pytest.mark.parametrize("name", MACHINES)
def test_machines_of_all_sizes_equal_refits(name: str, plan: Any, weight: Any) -> None:
    curve = learning_curve(MACHINES[name], Z, y, plan, sizes=SHARES, sample_weight=weight)
    assert [each.strategy for each in curve.evaluations] == ["gram"] * 3
    for s in range(3):
        expected = refits(MACHINES[name], Z, y, plan, s, weight)
        np.testing.assert_allclose(in_order(curve.evaluations[s]), expected, atol=1e-6)


@pytest.mark.parametrize(("name", "expected"), [("one matrix", 1), ("scaled", 3 * 4)])
def test_matrices_are_made_once_and_of_the_rows_in_use(
    name: str, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    made = GramMachine.gram

    def watched(self: Any, *given: Any) -> Any:
        found = made(self, *given)
        sizes.append(len(found))
        return found

    monkeypatch.setattr(GramMachine, "gram", watched)
    curve = learning_curve(MACHINES[name], Z, y, KFold(4), sizes=SHARES)
    assert len(sizes) == expected
    if name == "scaled":
        tested = len(y) / 4
        wanted = np.repeat(curve.rows + tested, 4)
        np.testing.assert_allclose(np.sort(sizes), wanted, atol=3)


def test_a_class_that_small_parts_lack_is_told() -> None:
    labels = np.where(np.arange(len(y)) % 60 == 0, "rare", y.astype(str))  # three rows
    for model in (MACHINES["one matrix"], KNeighborsClassifier(3)):
        curve = learning_curve(model, Z, labels, KFold(4), sizes=SHARES)
        assert all("rare" in " ".join(each.notes) for each in curve.evaluations)
        for s in range(3):
            expected = refits(model, Z, labels, KFold(4), s, None)
            found = in_order(curve.evaluations[s])
            # The margin of a class that is not there is below all others of its evaluation, by one.
            np.testing.assert_allclose(found[:, :-1], expected[:, :-1], atol=1e-6)
            assert np.array_equal(found[:, 2:].argmax(axis=1), expected[:, 2:].argmax(axis=1))


@pytest.mark.parametrize("weight", [None, UNEVEN], ids=["plain", "weights"])
def test_parts_of_every_size_start_from_all_rows_of_that_size(
    weight: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    families: list[list[list[int]]] = []
    found = FoldSemismooth._families
    monkeypatch.setattr(
        FoldSemismooth, "_families", lambda self: families.append(found(self)) or families[-1]
    )
    model = make_pipeline(Standardize(), LinearSVM(0.01, tol=1e-10))
    shares = check_sizes([0.2, 0.45])
    curve = learning_curve(model, X, y, KFold(5), sizes=shares, sample_weight=weight)
    assert [sorted(each) for size in families for each in size] == [list(range(5))] * 3
    partition = KFold(5).partitions(y)[0]
    piece = piece_of(partition, y, shares, 0)
    for s in range(3):
        splits = [(trained_on(partition, piece, f, s), partition.test_rows(f)) for f in range(5)]
        refit = evaluate(model, X, y, splits, sample_weight=weight)
        np.testing.assert_allclose(in_order(curve.evaluations[s]), in_order(refit), atol=1e-4)


def test_texts_are_cut_into_words_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    cut = text.count_table
    monkeypatch.setattr(text, "count_table", lambda *given: read.append(1) or cut(*given))
    texts = np.array([" ".join(f"word{j}{v}" for j, v in enumerate(row)) for row in LEVELS], dtype=object)
    learning_curve(make_pipeline(TextCounts(), MultinomialNB()), texts, y, KFold(4), sizes=4)
    assert read == [1]


@pytest.mark.parametrize(
    ("model", "rows"),
    [(KNeighborsClassifier(3), Z), (CategoricalNB(), LEVELS), (MACHINES["learned kernel"], Z)],
    ids=["neighbours", "levels", "machine"],
)
def test_the_last_size_is_the_evaluation_itself(model: Any, rows: Any) -> None:
    last = learning_curve(model, rows, y, KFold(4), sizes=3).evaluations[-1]
    whole = evaluate(model, rows, y, KFold(4))
    assert np.array_equal(last.scores, whole.scores) and np.array_equal(last.predicted, whole.predicted)
    assert (last.notes, last.strategy, last.n_splits) == (whole.notes, whole.strategy, whole.n_splits)
    assert np.array_equal(last.rows, whole.rows) and np.array_equal(last.split, whole.split)


@pytest.mark.parametrize("weighted", [False, True])
def test_ties_of_directions_are_settled_as_in_one_search(weighted: bool) -> None:
    """Equal angles differ in the last digit of their sums of squares, of which roots know nothing."""
    for seed in (53, 58):
        rng = np.random.default_rng(seed)
        rows, labels = rng.integers(1, 4, (150, 5)).astype(float), rng.integers(0, 3, 150)
        weight = rng.uniform(0.5, 2.0, 150) if weighted else None
        model = KNeighborsClassifier(5, metric="cosine")
        curve = learning_curve(model, rows, labels, KFold(4), sizes=SHARES, sample_weight=weight)
        for s in range(3):
            expected = refits(model, rows, labels, KFold(4), s, weight)
            np.testing.assert_allclose(in_order(curve.evaluations[s]), expected, rtol=0, atol=1e-12)


def test_groups_stay_together_at_every_size() -> None:
    model, groups = MACHINES["scaled"], np.arange(len(y)) // 4
    curve = learning_curve(model, Z, y, KFold(4), sizes=SHARES, groups=groups)
    partition = KFold(4).partitions(y.astype(np.int32), groups)[0]
    piece = piece_of(partition, y.astype(np.int32), SHARES, 0)
    for s in range(3):
        splits = [(trained_on(partition, piece, f, s), partition.test_rows(f)) for f in range(4)]
        assert all(not set(groups[train]) & set(groups[test]) for train, test in splits)
        np.testing.assert_allclose(
            in_order(curve.evaluations[s]), in_order(evaluate(model, Z, y, splits)), atol=1e-6
        )
