"""Training sets and penalties from one Gram matrix: the scores of refits, whatever the scheme."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler, TargetEncoder

from assay import KernelSVM, LeastSquaresClassifier, Standardize, evaluate
from assay.models.svm.gram_machine import GramMachine
from assay.plans import KFold
from assay.sharing.dispatch import Dispatched, solve
from assay.sharing.gram import GRAM
from assay.sharing.reductions import AllScores, Scored
from assay.sharing.settings import Settings
from assay.sharing.splits import Splits, given, splits_of
from assay.sharing.study import Study
from tests.noted import codes, noted
from tests.raised import Expected, raises
from tests.sharing.schemes import SCHEMES as LISTED
from tests.sharing.studies import in_memory, table

TIGHT = 1e-8  # the least that the solver accepts
N = 60
X, CODES = table(N)
RNG = np.random.default_rng(3)
GAPS = np.where(RNG.uniform(size=X.shape) < 0.05, np.nan, X)
WHOLE = RNG.integers(0, 3, N).astype(float)
IMPORTANCE = RNG.uniform(0.1, 3.0, N)


SCHEMES = {name: scheme(CODES, None) for name, scheme in LISTED.items()}
KINDS: dict[str, tuple[Any, Any]] = {
    "one matrix": (KernelSVM(gamma=0.1, C=1.0, tol=TIGHT), X),
    "learned kernel": (KernelSVM(l2=0.01, tol=TIGHT), X),
    "balanced": (KernelSVM(gamma=0.1, l2=0.02, class_weight="balanced", tol=TIGHT), X),
    "scaler": (make_pipeline(Standardize(), KernelSVM(C=1.0, tol=TIGHT)), X),
}
WIDE = np.random.default_rng(8).normal(size=(N, 150)) + 0.3 * CODES[:, None] * (np.arange(150) % 7 == 0)
RIDGE: dict[str, tuple[Any, Any]] = {
    "ridge": (LeastSquaresClassifier(l2=0.1), WIDE),
}
WEIGHTS = {"plain": None, "weights": WHOLE, "importance": IMPORTANCE}


def scored(solved: Dispatched, study: Study, settings: int = 1) -> list[Scored]:
    found = solved.reduce(AllScores(study.splits, settings, study.dataset.n_rows))
    return [each for each in found if each is not None]


def both(model: Any, rows: Any, splits: Splits, weight: Any = None) -> tuple[Scored, Scored, Dispatched]:
    """From Gram matrices, and refitted."""
    study, settings = Study(in_memory(rows, CODES, weight), splits), Settings.of([model])
    solved = solve(settings, study, [GRAM])
    assert solved.ways == ["gram"] and solved.notes == [[]]
    return *scored(solved, study), *scored(solve(settings, study, []), study), solved


def check_equal(found: Scored, expected: Scored, atol: float) -> None:
    assert np.array_equal(found.test, expected.test) and found.posterior is expected.posterior is False
    assert (found.row is None) == (expected.row is None)
    np.testing.assert_allclose(found.scores, expected.scores, atol=atol, rtol=atol)
    np.testing.assert_allclose(found.priors, expected.priors, atol=1e-12)
    two = np.sort(expected.scores, axis=1)[:, -2:]
    clear = two[:, 1] - two[:, 0] > 10 * atol
    assert np.array_equal(found.predicted[clear], expected.predicted[clear])


def test_penalties_that_rounding_would_eat_keep_their_digits() -> None:
    """Refits lose some: equations among 150 columns are singular but for the penalty."""
    weight = WHOLE + 1.0
    for l2 in (1e-10, 1e-13):
        found, *_ = both(LeastSquaresClassifier(l2=l2), WIDE, SCHEMES["k-fold"], weight)
        for m in range(3):
            train, test = SCHEMES["k-fold"].train_rows(m), SCHEMES["k-fold"].test_rows(m)
            share = weight[train] / weight[train].sum()
            mean, bias = share @ WIDE[train], np.bincount(CODES[train], share)
            root = np.sqrt(share)[:, None]
            U, s, V = np.linalg.svd(root * (WIDE[train] - mean), full_matrices=False)
            s, U, V = s[:-1], U[:, :-1], V[:-1]  # rows less their mean
            slopes = (V.T * (s / (s**2 + l2))) @ (U.T @ (root * (np.eye(3)[CODES[train]] - bias)))
            np.testing.assert_allclose(found.scores[test], bias + (WIDE[test] - mean) @ slopes, atol=1e-8)


def test_together_is_alone_and_matrices_are_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    gram = GramMachine.gram
    monkeypatch.setattr(
        GramMachine, "gram", lambda self, *given: made.append(len(given[1])) or gram(self, *given)
    )
    models = [KernelSVM(C=C, gamma=g, tol=TIGHT) for C in (10.0, 0.1, 1.0) for g in (0.1, 0.3)]
    models += [make_pipeline(Standardize(), KernelSVM(C=C, tol=TIGHT)) for C in (1.0, 5.0)]
    study = Study(in_memory(X, CODES), SCHEMES["nested"])
    together = scored(solve(Settings.of(models), study), study, len(models))
    assert len(made) == 2 + study.splits.n_models
    for model, found in zip(models, together, strict=True):
        (alone,) = scored(solve(Settings.of([model]), study), study)
        np.testing.assert_allclose(found.scores, alone.scores, atol=1e-6)


@pytest.mark.parametrize("scheme", ["nested", "bootstrap"])
def test_bits_do_not_depend_on_threads(scheme: str) -> None:
    models = [KINDS["one matrix"][0], KINDS["learned kernel"][0], KINDS["scaler"][0]]
    settings = Settings.of([*models, *(KernelSVM(gamma=0.1, C=C) for C in (0.1, 10.0))])
    found = []
    for jobs in (1, 2, 8):
        study = Study(in_memory(X, CODES, n_jobs=jobs), SCHEMES[scheme])
        found.append(scored(solve(settings, study), study, len(settings)))
    for one, two, eight in zip(*found, strict=True):
        assert np.array_equal(one.scores, two.scores) and np.array_equal(one.scores, eight.scores)


def test_weights_times_a_number_are_the_same_weights() -> None:
    for kind in ("one matrix", "balanced", "scaler"):
        model, rows = KINDS[kind]
        one, *_ = both(model, rows, SCHEMES["k-fold"], IMPORTANCE)
        two, *_ = both(model, rows, SCHEMES["k-fold"], 7.3 * IMPORTANCE)
        np.testing.assert_allclose(one.scores, two.scores, atol=1e-6)


def test_only_what_is_asked_for_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    solved_sets: list[int] = []
    solve_gram = GramMachine.solve_gram
    monkeypatch.setattr(
        GramMachine, "solve_gram", lambda self, *given: solved_sets.append(1) or solve_gram(self, *given)
    )
    models = [KernelSVM(gamma=0.1, C=C, tol=TIGHT) for C in (1.0, 5.0)]
    study = Study(in_memory(X, CODES), SCHEMES["k-fold"])
    only = np.array([[True, False, True], [False, False, True]])
    some = solve(Settings.of(models), study).reduce(AllScores(study.splits, 2, N), only)
    assert len(solved_sets) == 2
    for s, whole in enumerate(scored(solve(Settings.of(models), study), study, 2)):
        asked, found = only[s][whole.test], some[s]
        assert found is not None and np.array_equal(found.test, whole.test[asked])
        np.testing.assert_allclose(found.scores, whole.scores[asked], atol=1e-6)


def test_classes_that_training_sets_lack() -> None:
    splits = given([(np.flatnonzero(CODES != 2), np.arange(20)), (np.arange(30), np.arange(30, 60))], N)
    for model, rows in (KINDS["one matrix"], KINDS["balanced"], KINDS["scaler"], RIDGE["ridge"]):
        found, expected, solved = both(model, rows, splits)
        between = [np.diff(each.scores[each.test == 0, :2])[:, 0] for each in (found, expected)]
        np.testing.assert_allclose(*between, atol=1e-6)  # of two classes a refit gives the difference alone
        assert np.array_equal(found.predicted, expected.predicted)
        assert (found.predicted[found.test == 0] != 2).all()
        assert codes(solved.difficulties(0)) == ["S208"]
        assert noted(solved.difficulties(0), "S208", label="2", count=1, total=2)


def test_a_weight_of_zero_takes_a_class_out_and_two_must_be_left() -> None:
    model = KernelSVM(gamma=0.1, C=1.0, class_weight={1: 0.0}, tol=TIGHT)
    found, expected, _ = both(model, X, SCHEMES["k-fold"])
    check_equal(found, expected, 1e-6)
    assert (found.predicted != 1).all()
    study = Study(in_memory(X, CODES), SCHEMES["k-fold"])
    for class_weight, note in (({1: 0, 2: 0}, Expected("S211")), ({9: 1.0}, Expected("S129", label=9))):
        with raises(note):
            scored(solve(Settings.of([KernelSVM(class_weight=class_weight)]), study), study)


@pytest.mark.parametrize("scheme", ["k-fold", "bootstrap"])
@pytest.mark.parametrize("weight", ["plain", "weights"])
def test_steps_of_others_learn_in_every_training_set(scheme: str, weight: str) -> None:
    levels = np.column_stack([np.round(X[:, 0] + 100) % 4, np.round(X[:, 1]) % 3]).astype(str)
    encoder = TargetEncoder(target_type="multiclass", random_state=0)  # which treats training rows apart
    machine = KernelSVM(C=1.0, tol=TIGHT)
    for model, rows in (
        (make_pipeline(StandardScaler(), PCA(2), machine), X),
        (make_pipeline(encoder, machine), levels),
        (
            make_pipeline(Standardize().set_output(transform="pandas"), machine),
            pd.DataFrame(X, columns=list("abcd")),
        ),
    ):
        found, expected, _ = both(model, rows, SCHEMES[scheme], WEIGHTS[weight])
        check_equal(found, expected, 1e-6)


def test_given_matrices_run_through_every_scheme() -> None:
    linear = make_pipeline(KernelSVM("linear", C=1e-3, tol=TIGHT))
    for scheme, splits in SCHEMES.items():
        study = Study(in_memory(X @ X.T, CODES), splits)
        (found,) = scored(solve(Settings.of([KernelSVM("precomputed", C=1e-3, tol=TIGHT)]), study), study)
        expected, *_ = both(linear, X, splits)
        np.testing.assert_allclose(found.scores, expected.scores, atol=1e-5, err_msg=scheme)


def test_what_does_not_fit_is_refitted_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    study = Study(in_memory(X, CODES), SCHEMES["k-fold"])
    few = solve(Settings.of([KernelSVM(most_rows=50, landmarks=20)]), study)
    assert few.ways == ["refit"] and "60 rows are more than most_rows=50" in str(few.notes[0][0])
    narrow = solve(Settings.of([LeastSquaresClassifier(l2=0.1), LeastSquaresClassifier()]), study, [GRAM])
    assert narrow.ways == ["refit"] * 2 and narrow.notes == [[], []]
    monkeypatch.setenv("ASSAY_MEMORY", "20K")
    large = solve(Settings.of([KernelSVM()]), study)
    assert large.ways == ["refit"] and "Gram matrix of 60 rows would take" in str(large.notes[0][0])


def test_solvers_that_stop_early_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    noise = np.random.default_rng(0).normal(size=(N, 2))
    study = Study(in_memory(noise, CODES), SCHEMES["k-fold"])
    monkeypatch.setattr("assay.solvers.smo.MOST_STEPS", 1)
    solved = solve(Settings.of([KernelSVM("linear", C=1e9, tol=TIGHT)]), study)
    scored(solved, study)
    assert codes(solved.difficulties(0)) == ["S210"]
    assert noted(solved.difficulties(0), "S210", count=3, total=3)


def test_progress_counts_training_sets() -> None:
    told: list[tuple[str, int, int]] = []
    evaluate([KernelSVM(C=1.0), KernelSVM(C=2.0)], X, CODES, KFold(4), progress=lambda *t: told.append(t))
    assert [done for _, done, _ in told] == [1, 2, 3, 4] and {total for *_, total in told} == {4}


def test_bad_rows_are_one_sentence() -> None:
    study = Study(in_memory(GAPS, CODES), SCHEMES["k-fold"])
    row, column = (int(i) for i in np.argwhere(np.isnan(GAPS))[0])
    for model in (KernelSVM(), KernelSVM(gamma=0.1)):
        with raises("N028", where=f"row {row}, column {column}"):
            scored(solve(Settings.of([model]), study), study)
    sparse = make_pipeline(OneHotEncoder(handle_unknown="ignore"), KernelSVM())
    with pytest.raises(TypeError, match="Sparse data was passed"):
        scored(solve(Settings.of([sparse]), Study(in_memory(np.round(X), CODES), SCHEMES["k-fold"])), study)


def test_scores_inside_training_sets_are_made_once_for_all_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    solve_gram = GramMachine.solve_gram
    monkeypatch.setattr(
        GramMachine,
        "solve_gram",
        lambda self, *given: calls.append(len(given[1])) or solve_gram(self, *given),
    )
    outer = Study(in_memory(X, CODES), splits_of(KFold(4), CODES, nested=True))
    inner = outer.deeper()
    models = [KernelSVM(gamma=0.1, C=C) for C in (0.1, 1.0)]
    (first, second) = scored(solve(Settings.of(models), inner), inner, 2)
    assert calls == [2] * inner.splits.n_models
    (again,) = scored(solve(Settings.of([KernelSVM(gamma=0.1, C=1.0)]), inner), inner)
    (outside,) = scored(solve(Settings.of(models[:1]), outer), outer)
    assert len(calls) == inner.splits.n_models and np.array_equal(again.scores, second.scores)
    tests = first.test < outer.splits.n_tests
    assert np.array_equal(outside.scores, first.scores[tests]) and outside.row is None
    scored(solve(Settings.of([models[0], KernelSVM(gamma=0.1, C=5.0)]), inner), inner, 2)
    assert calls[inner.splits.n_models :] == [1] * inner.splits.n_models
    monkeypatch.setenv("ASSAY_MEMORY", "64K")  # of which scores may take an eighth
    small = Study(in_memory(X, CODES), outer.splits).deeper()
    for _ in range(2):
        before = len(calls)
        assert len(scored(solve(Settings.of(models), small), small, 2)) == 2
    assert before < len(calls)
