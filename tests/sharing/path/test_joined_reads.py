"""Models that ask for rows by number, solved from blocks that never come together, with room for a few rows."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from assay import PCA, Impute, LinearSVM, LogisticRegression, Perceptron, Standardize
from assay.models.linear import logistic, perceptron
from assay.models.svm import linear
from assay.plans import KFold
from assay.sharing.path.joined_reads import JoinedReads, ReadRows
from assay.sharing.reductions import AllScores
from assay.sharing.settings import Settings
from assay.sharing.splits import splits_of
from assay.sharing.study import Study
from assay.solvers.rows import DenseBlock
from tests.sharing.compared import assert_same, in_blocks, in_memory, scored
from tests.sharing.conditions import CODES, HOLES, IMPORTANCE, NUMBERS, WHOLE, N
from tests.sharing.schemes import SCHEMES

ROW = 8 * (NUMBERS.shape[1] + 1)
MODELS = (
    Perceptron(epochs=4, class_weight="balanced"),
    Perceptron("averaged", epochs=3, shuffle=True),
    Perceptron("pocket", epochs=3),
    LinearSVM(l2=0.2, tol=1e-8),
    LinearSVM(l2=0.05, surrogate="squared_hinge", class_weight="balanced", tol=1e-10),
    LinearSVM(l2=0.05, surrogate="perceptron"),
)
# Every scheme but leave-one-out, for which linear models are fitted to every training set.
CASES = [
    *((scheme, IMPORTANCE) for scheme in SCHEMES if scheme != "leave-one-out"),
    *((scheme, weight) for scheme in ("k-fold", "bootstrap") for weight in (None, WHOLE)),
]


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> int:
    """There is room for 25 rows."""
    for module in (perceptron, linear):
        monkeypatch.setattr(module, "memory_limit", lambda: 25 * ROW)
    return 25


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Second derivatives of few unknowns are held."""
    monkeypatch.setattr(logistic, "MOST_UNKNOWNS", 10)


def check_blocks(
    models: Any, scheme: str, weight: Any = None, X: Any = NUMBERS, tolerance: float = 1e-6
) -> None:
    splits = SCHEMES[scheme](CODES, None)
    memory, _ = scored(models, in_memory(X, CODES, weight), splits)
    blocks, solved = scored(models, in_blocks(X, CODES, weight, size=20), splits)
    assert solved.ways == ["path"] * len(models)
    for found, wanted in zip(blocks, memory, strict=True):
        assert_same(found, wanted, tolerance)


@pytest.mark.parametrize(("scheme", "weight"), CASES)
@pytest.mark.usefixtures("room")
def test_rows_visited_in_order_without_room_for_all(scheme: str, weight: Any) -> None:
    check_blocks(MODELS, scheme, weight, tolerance=3e-5)


@pytest.mark.parametrize("steps", [(Standardize(),), (Impute(indicator=True),), (Standardize(), PCA(3))])
@pytest.mark.usefixtures("room")
def test_behind_steps_without_room_for_all(steps: tuple[Any, ...]) -> None:
    X = np.where(HOLES, np.nan, NUMBERS) if isinstance(steps[0], Impute) else NUMBERS
    check_blocks([make_pipeline(*steps, model) for model in MODELS], "repeated", X=X, tolerance=3e-5)


@pytest.mark.parametrize(("scheme", "weight"), CASES)
@pytest.mark.usefixtures("wide")
def test_wide_logistic_regression(scheme: str, weight: Any) -> None:
    models = [
        LogisticRegression(l2=0.01, tol=1e-8),
        LogisticRegression(l2=0.1, tol=1e-8, class_weight="balanced"),
        LogisticRegression(l2=0.001, l1=0.03, tol=1e-8),
    ]
    check_blocks(models, scheme, weight, tolerance=1e-5)
    if weight is None:
        check_blocks([make_pipeline(Standardize(), PCA(3), model) for model in models], scheme)


@pytest.mark.usefixtures("wide")
def test_wide_logistic_regression_without_a_penalty_on_separated_classes() -> None:
    X = NUMBERS + 20.0 * CODES[:, None]
    check_blocks([LogisticRegression(tol=1e-8)], "hold-out", X=X, tolerance=1e-4)


def passes_over_blocks(models: Any, folds: int) -> int:
    """How often the rows are read, statistics and scores included."""
    data, count = in_blocks(NUMBERS, CODES), [0]
    own = data.reduce

    def reduce(*args: Any, **options: Any) -> Any:
        count[0] += 1
        return own(*args, **options)

    object.__setattr__(data, "reduce", reduce)
    scored(models, data, splits_of(KFold(folds), CODES, None))
    return count[0]


def test_all_training_sets_are_solved_by_the_same_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perceptron, "memory_limit", lambda: 10 * N * ROW - 1)
    monkeypatch.setattr("assay.solvers.fold_perceptron.kept_rows", lambda *args: None)
    monkeypatch.setattr(linear, "memory_limit", lambda: 0)
    rule = Perceptron(epochs=4)
    assert passes_over_blocks([rule], 10) == passes_over_blocks([rule], 2)
    hinge = LinearSVM(l2=0.2)
    assert passes_over_blocks([hinge], 10) < 2 * passes_over_blocks([hinge], 2)


def test_with_room_for_all_rows_they_are_read_once() -> None:
    few, many = (passes_over_blocks([Perceptron(epochs=epochs)], 5) for epochs in (1, 30))
    assert few == many


def reads_of(X: Any) -> ReadRows:
    data = in_blocks(X, CODES)
    return ReadRows(JoinedReads(data, lambda rows: _Numbers(rows), X.shape[1] - 1))


class _Numbers:
    """Rows as they are; the last column is that of ones."""

    rows_a_block = rows_a_chunk = 1 << 30

    def __init__(self, X: Any) -> None:
        self.X, self.width = X, X.shape[1] - 1

    def block(self, which: Any) -> DenseBlock:
        return DenseBlock(self.X[which])


def test_questions_of_several_threads_are_answered_together() -> None:
    rows = reads_of(NUMBERS)
    rng = np.random.default_rng(0)
    numbers = [rng.permutation(N)[: 5 + 7 * at] for at in range(6)]

    def work(at: int) -> tuple[Any, ...]:
        block, which = rows.block(numbers[at]), numbers[at]
        B, R = rng_of(at).normal(size=(2, 7)), rng_of(at).normal(size=(3, len(which)))
        whole, other = NUMBERS[which], at % 2 == 0
        answers = (block.dense(), block.scores(B)) if other else (block.products(R),) * 2
        wanted = (whole, B @ whole.T) if other else (R @ whole,) * 2
        for answer, truth in zip(answers, wanted, strict=True):
            np.testing.assert_allclose(answer, truth, atol=1e-12)
        R = R[:1]
        np.testing.assert_allclose(block.square_products(R), R @ whole**2, atol=1e-9)
        np.testing.assert_allclose(block.gram(R[0] ** 2), (whole.T * R[0] ** 2) @ whole, atol=1e-9)
        return at, threading.current_thread().name

    outcomes = rows.reads.together(work, range(6))
    assert [at for at, _ in outcomes] == list(range(6))


def rng_of(at: int) -> np.random.Generator:
    return np.random.default_rng(at)


def test_an_error_of_one_problem_reaches_the_caller() -> None:
    rows = reads_of(NUMBERS)

    def work(at: int) -> Any:
        if at == 2:
            raise RuntimeError("two")
        return rows.block(np.arange(3)).dense()

    with pytest.raises(RuntimeError, match="two"):
        rows.reads.together(work, range(4))


def test_an_error_of_a_pass_reaches_all(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = reads_of(NUMBERS)
    errors = []

    def failing(*_: Any, **__: Any) -> Any:
        raise OSError("gone")

    object.__setattr__(rows.reads.data, "reduce", failing)

    def work(at: int) -> None:
        try:
            rows.block(np.arange(3)).dense()
        except OSError as error:
            errors.append(str(error))

    rows.reads.together(work, range(3))
    assert errors == ["gone"] * 3


def test_ctrl_c_ends_those_who_wait() -> None:
    """The call ends although one problem never asks."""
    rows, ended = reads_of(NUMBERS), []
    begun = threading.Barrier(3)  # what has not begun when the call ends is never begun

    def work(at: int) -> None:
        begun.wait()
        if at == 0:
            raise KeyboardInterrupt
        while True:
            try:
                rows.block(np.arange(3)).dense()
            except KeyboardInterrupt:
                ended.append(at)
                raise

    with pytest.raises(KeyboardInterrupt):
        rows.reads.together(work, range(3))
    assert sorted(ended) == [1, 2]


def test_the_reduction_goes_over_scores_as_in_memory() -> None:
    """A study of blocks gives the same scores twice: rows are read again."""
    study = Study(in_blocks(NUMBERS, CODES), splits_of(KFold(3), CODES, None))
    from assay.sharing.dispatch import solve

    solved = solve(Settings.of([LinearSVM(l2=0.1)]), study)
    first, second = (solved.reduce(AllScores(study.splits, 1, N))[0] for _ in range(2))
    assert first is not None and second is not None
    np.testing.assert_array_equal(first.scores, second.scores)
