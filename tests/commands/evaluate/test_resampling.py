"""`assay evaluate --plan`: a model fitted again in every split, against the same in Python and by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline

from assay import (
    Bootstrap,
    KNeighborsClassifier,
    LeaveOneOut,
    LogisticRegression,
    RandomSubsampling,
    Standardize,
    evaluate,
    load,
)
from tests.commands.conftest import Run
from tests.program import refused


def resampled(run: Run, *options: str, table: Any = "iris.csv") -> dict[str, Any]:
    done = run("evaluate", table, *options, "--json")
    assert done.code == 0, done.err
    return done.json


def test_leave_one_out_is_as_many_refits(run: Run, iris: Path) -> None:
    result = resampled(run, "--target", "species", "--model", "gaussian_shared", "--plan", "loo")
    assert result["error"] == 3 / 150 and result["strategy"] == "statistics"
    assert np.trace(result["confusion"]) == 147 and result["split_errors"] is None
    nearest = resampled(
        run, "--target", "species", "--model", "knn", "--set", "n_neighbors=1", "--plan", "loo"
    )
    scaled = make_pipeline(Standardize(), KNeighborsClassifier(1))
    expected = evaluate(scaled, *load_iris(return_X_y=True), LeaveOneOut())
    assert nearest["error"] == expected.error and nearest["setting"]["n_neighbors"] == 1


def test_the_bootstrap_has_both_estimates(run: Run, iris: Path) -> None:
    options = ("--target", "species", "--model", "knn", "--set", "n_neighbors=1", "--plan", "bootstrap:30")
    result = resampled(run, *options)
    assert result["plan"] == "bootstrap:30" and len(result["split_errors"]) == 30
    assert result["training_error"] == 0.0 and result["no_information_error"] == pytest.approx(2 / 3)
    assert result["error_632"] == pytest.approx(0.632 * result["error"])
    rate = result["error"] / result["no_information_error"]
    weight = 0.632 / (1 - 0.368 * rate)
    assert result["error_632_plus"] == pytest.approx(weight * result["error"])
    text = run("evaluate", "iris.csv", *options).text
    assert ".632 estimate" in text and ".632+ estimate" in text and "error out of bag" in text


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("loo", LeaveOneOut()),
        ("bootstrap:20", Bootstrap(20, random_state=3)),
        ("subsample:7x0.2", RandomSubsampling(0.2, repeats=7, random_state=3)),
    ],
)
def test_it_is_evaluate_of_python(run: Run, tmp_path: Path, text: str, plan: Any) -> None:
    rng = np.random.default_rng(0)
    y = rng.permutation(np.arange(60) % 2)
    X = rng.normal(size=(60, 2)) + y[:, None]
    lines = [f"{a!r},{b!r},{label}" for (a, b), label in zip(X.tolist(), y.tolist(), strict=True)]
    (tmp_path / "t.csv").write_text("\n".join(["a,b,class", *lines]) + "\n")
    found = resampled(run, "--model", "logistic", "--plan", text, "--seed", "3", table="t.csv")
    z = (X - X.mean(axis=0)) / X.std(
        axis=0
    )  # without a penalty the scale, learned in each fold, changes nothing
    expected = evaluate(LogisticRegression(), z, y, plan)
    assert found["error"] == expected.error and found["plan"] == text
    assert found["log_loss"] == pytest.approx(expected.log_loss, rel=1e-4)


def test_a_model_file_is_fitted_again(run: Run, iris: Path) -> None:
    setting = ("--target", "species", "--model", "knn", "--set", "n_neighbors=1")
    assert run("fit", "iris.csv", *setting, "--drop", "sepal_width", "--out", "m.assay").code == 0
    result = resampled(run, "--model", "m.assay", "--plan", "loo")
    expected = resampled(run, *setting, "--drop", "sepal_width", "--plan", "loo")
    assert result["error"] == expected["error"] and result["target"] == "species"
    assert [note["code"] for note in result["codes"]] == ["C758"] and "codes" not in expected
    assert load("m.assay").estimator.n_neighbors == 1  # the file stays as it is


def test_groups_costs_and_priors(run: Run, loans: Path) -> None:
    options = (
        "--model",
        "logistic",
        "--plan",
        "kfold:3",
        "--loss",
        "bad:good=5",
        "--priors",
        "bad=0.1,good=0.9",
    )
    result = resampled(run, *options, "--groups", "job", table="loans.csv")
    assert result["groups"]["groups"] == 3
    assert result["loss"] is not None and result["actions"] == ["bad", "good"]


def test_what_a_model_fixes_may_be_set(run: Run, iris: Path) -> None:
    options = ("--target", "species", "--plan", "kfold:5")
    spherical = resampled(run, "--model", "gaussian_full", "--set", "covariance=shared_spherical", *options)
    nearest = resampled(run, "--model", "nearest_mean", *options)
    assert spherical["title"] != "Gaussian, own covariances"
    assert abs(spherical["error"] - nearest["error"]) < 0.1
    shared = resampled(run, "--model", "gaussian_full", "--set", "covariance=shared", *options)
    assert shared["title"] == "Gaussian, shared covariance"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["iris.csv"], ("MODEL and SOURCE", "'iris.csv'")),
        (["iris.csv", "--plan", "loo"], ("--model",)),
        (["m.assay", "iris.csv", "--plan", "loo", "--model", "knn"], ("'m.assay'", "'iris.csv'")),
        (["iris.csv", "--plan", "lou", "--model", "knn"], ("'lou'", "loo", "bootstrap:200")),
        (["iris.csv", "--plan", "subsample:0x0.1", "--model", "knn"], ("'subsample:0x0.1'",)),
        (["iris.csv", "--plan", "subsample:10x1.5", "--model", "knn"], ("'subsample:10x1.5'",)),
        (["iris.csv", "--plan", "bootstrap:0", "--model", "knn"], ("'bootstrap:0'",)),
        (["iris.csv", "--plan", "loo", "--model", "knnn"], ("'knnn'", "'knn'")),
        (["iris.csv", "--plan", "loo", "--model", "no.assay"], ("no.assay",)),
        (["m.assay", "iris.csv", "--model", "knn"], ("--model", "--plan")),
        (["m.assay", "iris.csv", "--set", "l2=1"], ("--set", "--plan")),
        (["m.assay", "iris.csv", "--drop", "x"], ("--drop", "--plan")),
        (["iris.csv", "--plan", "loo", "--model", "m.assay", "--set", "l2=1"], ("--set", "m.assay")),
        (
            ["iris.csv", "--plan", "loo", "--model", "kernel_svm", "--set", "kernel=polinomial"],
            ("polynomial",),
        ),
        (["iris.csv", "--plan", "loo", "--model", "linear_svm", "--priors", "setosa=1"], ("'versicolor'",)),
    ],
)
def test_wrong_use_is_one_sentence(
    run: Run, iris: Path, arguments: list[str], words: tuple[str, ...]
) -> None:
    fitted = run("fit", "iris.csv", "--target", "species", "--model", "fisher", "--out", "m.assay", "-q")
    assert fitted.code == 0
    target = [] if arguments == ["iris.csv"] else ["--target", "species"]
    refused(run("evaluate", *arguments, *target), *words)
