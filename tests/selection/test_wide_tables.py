"""Tables wider than long: folds solved among the rows are refits, with the same notes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay import GaussianNB, HoldOut, KFold, LeastSquaresClassifier, evaluate
from assay.models.sharing import folds
from assay.models.sharing.chain import chain_of
from tests.solvers.test_dual import wide


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many chains each call solved among the rows."""
    calls: list[int] = []
    solve = folds.row_scores

    def row_scores(chains: Any, *others: Any) -> Any:
        found = solve(chains, *others)
        calls.append(0 if found is None else len(found))
        return found

    monkeypatch.setattr(folds, "row_scores", row_scores)
    return calls


def by_moments(monkeypatch: pytest.MonkeyPatch, *arguments: Any, **keywords: Any) -> Any:
    with monkeypatch.context() as patch:
        patch.setattr(folds, "row_chains", lambda *_: [])
        return evaluate(*arguments, **keywords)


@pytest.mark.parametrize("plan", [KFold(5), KFold(4, repeats=2), HoldOut(0.3)], ids=repr)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_scores_are_those_of_moments(
    plan: Any, weighted: bool, dtype: Any, counted: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = wide()
    X = X.astype(dtype)
    weight = np.random.default_rng(0).uniform(0.5, 2, len(y)) if weighted else None
    model = LeastSquaresClassifier(l2=0.05)
    found = evaluate(model, X, y, plan, sample_weight=weight)
    expected = by_moments(monkeypatch, model, X, y, plan, sample_weight=weight)
    assert set(counted) == {1} and found.strategy == "statistics"
    np.testing.assert_allclose(found.tested.scores, expected.tested.scores, rtol=1e-6, atol=1e-8)
    np.testing.assert_array_equal(found.tested.predicted, expected.tested.predicted)
    np.testing.assert_array_equal(found.tested.split, expected.tested.split)
    np.testing.assert_allclose(found.tested.priors, expected.tested.priors)


def test_models_of_both_ways_keep_their_places(counted: list[int]) -> None:
    X, y = wide()
    models = [
        LeastSquaresClassifier(l2=1.0),
        GaussianNB(),
        LeastSquaresClassifier(),
        LeastSquaresClassifier(l2=0.1),
    ]
    together = list(evaluate(models, X, y, KFold(5)).values())
    assert counted == [2]
    for model, found in zip(models, together, strict=True):
        alone = evaluate(model, X, y, KFold(5))
        np.testing.assert_allclose(found.tested.scores, alone.tested.scores, rtol=1e-9, atol=1e-12)


def test_notes_of_constant_columns_and_absent_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = wide()
    X[:, 5] = 2.0
    y[y == 2] = 1
    y[0] = 2
    model = LeastSquaresClassifier(l2=0.1)
    found, expected = evaluate(model, X, y, KFold(5)), by_moments(monkeypatch, model, X, y, KFold(5))
    assert found.notes == expected.notes and len(found.notes) == 2
    np.testing.assert_allclose(found.tested.scores, expected.tested.scores, rtol=1e-6, atol=1e-8)


def test_a_penalty_that_rounding_would_eat_is_left_to_moments(counted: list[int]) -> None:
    X, y = wide()
    evaluate(LeastSquaresClassifier(l2=1e-12), X, y, KFold(5))
    assert counted == [0]


def test_only_wide_tables_and_bare_ridge_models(counted: list[int]) -> None:
    X, y = wide()
    evaluate(LeastSquaresClassifier(l2=0.1), X[:, :40], y, KFold(5))
    evaluate(LeastSquaresClassifier(), X, y, KFold(5))
    assert counted == [] and chain_of(LeastSquaresClassifier()) is not None


def test_values_that_no_model_can_use_are_named() -> None:
    X, y = wide()
    X[3, 7] = np.nan
    with pytest.raises(ValueError, match="NaN at row 3, column 7"):
        evaluate(LeastSquaresClassifier(l2=0.1), X, y, KFold(5))


def test_projections_of_wide_tables_are_found_among_the_rows() -> None:
    from sklearn.pipeline import make_pipeline

    from assay import PCA, GaussianClassifier, Standardize, evaluate

    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 300))
    X[:, :20] += 2.0 * y[:, None]
    model = make_pipeline(Standardize(), PCA(2), GaussianClassifier("shared"))
    found = evaluate(model, X, y, 5)
    assert found.strategy == "refit" and any("among the rows" in note for note in found.notes)
    narrow = evaluate(model, X[:, :30], y, 5)
    assert narrow.strategy == "statistics" and narrow.notes == ()
