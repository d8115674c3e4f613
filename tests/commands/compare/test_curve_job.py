"""`assay tune --curve`: training against validation error, as `complexity_curve` has them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline

from assay import KFold, LeastSquaresClassifier, Standardize, complexity_curve
from tests.commands.conftest import Run
from tests.program import refused

TREE = ("--target", "species", "--model", "decision_tree", "--range", "max_depth=1..5", "--curve")


def test_complexity_falls_in_training_and_is_labelled(run: Run, iris: Path) -> None:
    done = run("tune", "iris.csv", *TREE, "--json")
    curve = done.json["curve"]
    assert [point["value"] for point in curve] == [1, 2, 3, 4, 5]
    training = [point["training"] for point in curve]
    assert training == sorted(training, reverse=True) and curve[0]["label"] == "under-fitted"
    best = min(curve, key=lambda point: point["validation"])
    assert done.json["best"] == best["value"] and best["label"] == "about right"
    text = run("tune", "iris.csv", *TREE).text
    assert "under-fitted" in text and "about right, least" in text


def test_it_is_the_curve_of_python(run: Run, iris: Path) -> None:
    options = (
        "--target",
        "species",
        "--model",
        "least_squares",
        "--range",
        "l2=0.001..1:4",
        "--plan",
        "kfold:5",
    )
    found = run("tune", "iris.csv", *options, "--curve", "--json").json
    model = make_pipeline(Standardize(), LeastSquaresClassifier())
    values = [point["value"] for point in found["curve"]]
    assert values == sorted(values, reverse=True)  # the largest penalty is the simplest model
    expected = complexity_curve(model, *load_iris(return_X_y=True), KFold(5, stratified="rare"), l2=values)
    np.testing.assert_allclose([point["validation"] for point in found["curve"]], expected.validation)
    np.testing.assert_allclose([point["training"] for point in found["curve"]], expected.training)


def test_the_range_of_the_catalog_and_a_picture(run: Run, iris: Path, tmp_path: Path) -> None:
    options = ("--target", "species", "--model", "linear_svm", "--plan", "kfold:3", "--curve", "--out", "run")
    done = run("tune", "iris.csv", *options)
    assert done.code == 0, done.err
    assert "validation error" in (tmp_path / "run" / "curve.html").read_text()


def test_other_hyperparameters_may_have_one_value(run: Run, iris: Path) -> None:
    options = ("--model", "kernel_svm", "--range", "kernel=polynomial", "--range", "degree=1..3", "--curve")
    found = run("tune", "iris.csv", "--target", "species", *options, "--plan", "kfold:3", "--json").json
    assert found["parameter"] == "degree" and len(found["curve"]) == 3


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["kernel_svm", "--range", "kernel=rbf,linear"], ("kernel", "rbf", "numbers")),
        (["decision_tree", "--range", "max_depth=2,none"], ("max_depth", "None")),
        (["gaussian_full"], ("blend", "shrinkage", "--range")),
        (["baseline"], ("no hyperparameter",)),
        (["knn", "--range", "n_neighbors=3"], ("two values", "n_neighbors")),
        (["knn", "--range", "k=1..3"], ("'k'", "n_neighbors")),
        (["logistic", "--rule", "one_se"], ("--rule", "--curve")),
        (["logistic", "--plan", "loo"], ("LeaveOneOut",)),
        (["logistic", "--out", "iris.csv"], ("'iris.csv'", "folder")),
    ],
)
def test_wrong_use_is_one_sentence(run: Run, iris: Path, options: list[str], words: tuple[str, ...]) -> None:
    refused(run("tune", "iris.csv", "--target", "species", "--curve", "--model", *options), *words)
