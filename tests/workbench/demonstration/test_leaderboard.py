"""The leaderboard: order, ties, comparisons, what each call stands for."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris

from assay import GaussianClassifier, GaussianNB, KFold, LeastSquaresClassifier, evaluate
from assay.workbench.demonstration.leaderboard import Candidate, Leaderboard, Results, leaderboard, run_plans

X, Y = load_iris(return_X_y=True)
CANDIDATES = (
    Candidate("spherical", GaussianClassifier("shared_spherical")),
    Candidate("naive", GaussianNB()),
    Candidate("diagonal", GaussianClassifier("diagonal")),
    Candidate("squares", LeastSquaresClassifier()),
    Candidate("shared", GaussianClassifier("shared")),
    Candidate("blend", GaussianClassifier("full", blend=0.3), by_likelihood=False),
)


def quiet(doing: str, share: float) -> None:
    """Reports nothing."""


@pytest.fixture(scope="module")
def results() -> Results:
    return run_plans(CANDIDATES, X, Y, quiet)


@pytest.fixture(scope="module")
def board(results: Results) -> Leaderboard:
    return leaderboard(CANDIDATES, results, X, Y)


def test_models_are_ranked_by_error_then_log_loss(board: Leaderboard) -> None:
    keys = [(s.error, np.inf if s.log_loss is None else s.log_loss) for s in board.standings]
    assert keys == sorted(keys)
    assert board.standings[-1].name == "squares"


def test_equal_models_keep_their_order_and_are_recognised(board: Leaderboard) -> None:
    names = [s.name for s in board.standings]
    assert names.index("diagonal") == names.index("naive") + 1
    twins = leaderboard(CANDIDATES[1:3], run_plans(CANDIDATES[1:3], X, Y, quiet), X, Y).standings
    assert [s.like_best for s in twins] == [True, True]
    assert twins[1].against_best is not None
    assert (twins[1].against_best.difference, twins[1].against_best.clear) == (0.0, False)


def test_each_model_is_compared_with_the_best_on_the_same_folds(board: Leaderboard) -> None:
    best = board.standings[0]
    assert best.against_best is None and best.like_best
    models = {candidate.name: candidate.model for candidate in CANDIDATES}
    found = evaluate(models, X, Y, KFold(10))
    for standing in board.standings[1:]:
        test = found[standing.name].compare(found[best.name])
        assert standing.against_best is not None
        assert standing.against_best.difference == test.mean >= 0
        assert standing.against_best.interval == tuple(test.interval)
        assert standing.against_best.clear is (test.p_value < 0.05)
    squares = next(s for s in board.standings if s.name == "squares")
    assert squares.against_best is not None and squares.against_best.clear


def test_criteria_are_given_where_the_likelihood_is_maximised(board: Leaderboard) -> None:
    without = {s.name for s in board.standings if s.aic is None}
    assert without == {s.name for s in board.standings if s.bic is None} == {"squares", "blend"}


def test_the_posteriors_to_decide_with_are_those_of_least_log_loss(results: Results) -> None:
    losses = {n: e.log_loss for n, e in results.evaluations["10-fold"].items() if e.probabilistic}
    assert results.best_posterior.name == min(losses, key=lambda name: losses[name])


def test_times_count_the_fits_that_a_call_stands_for(board: Leaderboard) -> None:
    assert [(t.plan, t.splits, t.fits) for t in board.times] == [
        ("10-fold", 10, 60),
        ("leave-one-out", 150, 900),
        ("bootstrap", 200, 1200),
    ]
    assert all(time.seconds > 0 for time in board.times)


def test_difficulties_are_noted() -> None:
    wide = np.column_stack([X, np.ones(len(X))])
    noted = CANDIDATES[4:5]
    notes = leaderboard(noted, run_plans(noted, wide, Y, quiet), wide, Y).notes
    assert notes and all(note.startswith("shared") for note in notes)
    assert len(set(notes)) == len(notes)


def test_progress_is_reported_as_a_growing_share() -> None:
    told: list[tuple[str, float]] = []
    run_plans(CANDIDATES[:1], X, Y, lambda doing, share: told.append((doing, share)))
    assert [share for _, share in told] == [0, 1 / 3, 2 / 3]
    assert told[1][0] == "1 models, leave-one-out"
