"""Candidates that are estimators of the user's own: nested, tuned, tested and reported like the others."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics.pairwise import polynomial_kernel
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

import assay
from assay import KFold, OneHot, Standardize, TableClassifier, compare, evaluate
from assay.commands.compare.comparison import Comparison
from assay.commands.compare.reopen import reopen
from assay.commands.compare.text import show_files
from assay.terminal.console import stdout_console
from tests.raised import raises

X, Y = load_iris(return_X_y=True)


def pipeline(C: float = 1.0) -> Any:
    return make_pipeline(StandardScaler(), SVC(C=C))


def found(candidates: Any, **options: Any) -> Comparison:
    return compare(X, Y, candidates=candidates, plan=KFold(5), progress=False, **options)


class Mean(ClassifierMixin, BaseEstimator):
    """Nearest mean, which fails where it has more rows than it takes."""

    def __init__(self, most: int = 10**6) -> None:
        self.most = most

    def fit(self, X: Any, y: Any) -> Self:
        if len(X) > self.most:
            raise ZeroDivisionError("too many rows")
        self.classes_ = np.unique(y)
        self.means_ = np.stack([X[y == label].mean(axis=0) for label in self.classes_])
        return self

    def predict(self, X: Any) -> Any:
        return self.classes_[((X[:, None] - self.means_) ** 2).sum(axis=2).argmin(axis=1)]


class Changing(Mean):
    """Its constructor changes its argument, so that it cannot be cloned."""

    def __init__(self, most: int = 10**6) -> None:
        self.most = most + 1


def test_an_own_pipeline_is_evaluated_as_evaluate_does_and_tuned_as_nested_does() -> None:
    values = [0.01, 1.0]
    result = found({"mine": pipeline(), "baseline": None}, ranges={"mine": {"svc__C": values}})
    mine = result.results["mine"]
    assert [setting["svc__C"] for setting in mine.settings] == values
    for setting, error in zip(mine.settings, mine.cv_error, strict=True):
        assert error == pytest.approx(evaluate(pipeline(setting["svc__C"]), X, Y, KFold(5)).error)
    row = next(row for row in result.leaderboard if row.name == "mine")
    assert (row.reading, row.interpretability, row.family, row.strategy) == (
        "unknown",
        "unknown",
        "own",
        "refit",
    )
    assert result.predict(X).tolist() == pipeline(mine.setting["svc__C"]).fit(X, Y).predict(X).tolist()


def test_own_candidates_rank_after_those_of_the_catalog_in_the_order_given() -> None:
    twin = TableClassifier(OneHot(), [Standardize()], assay.GaussianClassifier("shared"))
    result = found(
        {"second": twin, "first": twin, "gaussian_shared": None},
        ranges={"gaussian_shared": {"shrinkage": [0.0]}},
    )
    assert [row.scored for row in result.leaderboard] == [result.leaderboard[0].scored] * 3
    assert [row.name for row in result.leaderboard] == ["gaussian_shared", "second", "first"]


def test_categories_and_missing_values_reach_an_own_estimator_as_numbers() -> None:
    rows = {"size": [*np.linspace(0.0, 9.0, 39), None], "kind": ["a", "a", "b", "b"] * 10}
    result = compare(rows, ["n", "y"] * 20, candidates={"mine": LogisticRegression()}, progress=False)
    assert result.best.design_names_.tolist() == ["size", "kind=b"]
    assert result.best.estimator_.n_features_in_ == 2


def test_default_stands_for_the_candidates_that_are_tried_unasked() -> None:
    result = found({"default": None, "mine": Mean()})
    assert {"mine", "baseline", "gaussian_nb", "knn"} <= set(result.results)
    assert "multinomial_nb" not in result.omitted


def test_no_model_file_is_written_for_an_own_winner_and_the_last_line_says_how_to_keep_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = found({"mine": pipeline(), "baseline": None}, out=tmp_path / "run")
    assert {path.name for path in (tmp_path / "run").iterdir()} == {
        "candidates", "experiment.json", "leaderboard.json", "log.txt", "report.html",
    }  # fmt: skip
    board = json.loads((tmp_path / "run" / "leaderboard.json").read_text())
    assert [row["name"] for row in board] == ["mine", "baseline"]
    show_files(stdout_console(), result)
    assert (
        "joblib.dump" in " ".join(capsys.readouterr().out.split()).rpartition("No model file was written")[2]
    )


def test_a_run_resumes_with_the_same_estimator_by_value_alone(tmp_path: Path) -> None:
    options = {"out": tmp_path / "run", "ranges": {"mine": {"svc__C": [0.1, 1.0]}}}
    first = found({"mine": pipeline(), "baseline": None}, **options)
    again = found({"mine": pipeline(), "baseline": None}, resume=True, **options)
    assert again.evaluations["mine"].error == first.evaluations["mine"].error
    assert "taken from the interrupted run" in (tmp_path / "run" / "log.txt").read_text()
    assert "SVC" not in (tmp_path / "run" / "experiment.json").read_text()  # scores, not the estimator
    with raises("C408", name="mine"):
        found({"mine": pipeline(C=3.0), "baseline": None}, resume=True, **options)


def test_a_run_tuned_over_objects_resumes_where_they_are_equal_and_only_there(tmp_path: Path) -> None:
    def resumed(**shape: Any) -> Comparison:
        kernels = [
            functools.partial(polynomial_kernel, degree=1),
            functools.partial(polynomial_kernel, **shape),
        ]
        ranges = {"mine": {"svc__kernel": kernels}}
        return found({"mine": pipeline(), "baseline": None}, ranges=ranges, out=tmp_path / "run", resume=True)

    first = resumed(degree=2)
    assert resumed(degree=2).results["mine"].cv_error.tolist() == first.results["mine"].cv_error.tolist()
    with raises("C007", key="candidates"):
        resumed(degree=3)


def test_an_opened_run_has_the_scores_and_needs_the_estimator_for_a_fit(tmp_path: Path) -> None:
    first = found({"mine": pipeline(), "baseline": None}, out=tmp_path / "run")
    opened = reopen(tmp_path / "run", (X, Y))
    assert opened.leaderboard[0].error == first.leaderboard[0].error
    with raises("C403", name="mine"):
        _ = opened.best
    with raises("C408", name="mine"):
        reopen(tmp_path / "run", (X, Y), candidates={"mine": pipeline(C=2.0)})
    with raises("C414", name="other"):
        reopen(tmp_path / "run", (X, Y), candidates={"other": pipeline()})
    again = reopen(tmp_path / "run", (X, Y), candidates={"mine": pipeline()})
    assert again.best.predict(X).tolist() == first.best.predict(X).tolist()


def test_an_own_estimator_that_raises_in_a_fold_is_omitted_by_name_and_the_run_goes_on() -> None:
    result = found({"mine": Mean(most=100), "baseline": None})
    assert list(result.results) == ["baseline"]
    assert (result.omitted["mine"].code, result.omitted["mine"].values["kind"]) == (
        "C412",
        "ZeroDivisionError",
    )


@pytest.mark.parametrize(
    "candidate", [SVC, SVR(), StandardScaler(), 3, make_pipeline(StandardScaler())], ids=str
)
def test_what_is_no_classifier_is_refused_by_name(candidate: Any) -> None:
    with raises("C400", TypeError, name="mine"):
        found({"mine": candidate})


def test_other_bad_candidates_are_refused() -> None:
    with raises("C405", name="logistic"):
        found({"logistic": pipeline()})
    with raises("C404", name="my model"):
        found({"my model": pipeline()})
    with raises("C401", TypeError, name="mine", kind="Changing"):
        found({"mine": Changing()})
    with raises("C402", name="mine", parameter="C"):
        found({"mine": pipeline()}, ranges={"mine": {"C": [1.0]}})
    with raises("M001", name="svc__C"):
        found({"mine": pipeline()}, ranges={"mine": {"svc__C": []}})
    with raises("C062", name="mine"):
        found({"mine": None})


def test_without_posteriors_it_is_omitted_where_a_loss_or_priors_need_them() -> None:
    result = found({"mine": pipeline(), "baseline": None}, priors=[0.2, 0.3, 0.5])
    assert result.omitted["mine"].code == "C411"
    result = found({"mine": pipeline(), "baseline": None}, loss="*:ask=0.2")
    assert result.omitted["mine"].code == "C410"
