"""`assay fit`, `predict` and `evaluate`: what the program writes is what Python computes, to the last digit."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import assay
from assay.catalog import entry
from assay.data import read
from assay.models.table.build import build
from assay.storage.model_file import load
from tests.commands.conftest import Run

MODELS = [
    "gaussian_nb", "least_squares", "gaussian_shared", "gaussian_full", "logistic", "linear_svm", "calibrated_svm",
    "neural_network", "decision_tree", "knn", "gaussian_mixture",
]  # fmt: skip
MARGINS = ("least_squares", "linear_svm")  # no posteriors


def fit(run: Run, source: Path, target: str, name: str, *options: str) -> Path:
    done = run("fit", source, "--target", target, "--model", name, "--out", f"{name}.assay", *options)
    assert (done.code, done.err) == (0, ""), done
    return source.parent / f"{name}.assay"


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("name", MODELS)
def test_predictions_are_those_of_python_to_the_last_digit(run: Run, loans: Path, name: str) -> None:
    path = fit(run, loans, "class", name)
    model, table = load(path), read(loans, target="class")
    proba = name not in MARGINS
    done = run("predict", path, loans, *(["--proba"] if proba else []))
    assert (done.code, done.err) == (0, "")
    rows = rows_of(done.out)
    assert [row["predicted"] for row in rows] == model.predict(table).tolist()
    if proba:
        written = np.array([[float(row["P(bad)"]), float(row["P(good)"])] for row in rows])
        assert np.array_equal(written, model.predict_proba(table))


@pytest.mark.parametrize("name", MODELS)
def test_fitting_from_a_file_is_fitting_the_table(run: Run, loans: Path, name: str) -> None:
    model = load(fit(run, loans, "class", name))
    table = read(loans, target="class")
    again = build(entry(name)).fit(table, target="class")
    assert model.target_ == "class" and model.schema_.names == again.schema_.names
    if name in MARGINS:
        assert np.allclose(model.decision_function(table), again.decision_function(table), atol=1e-9)
    else:
        assert np.allclose(model.predict_proba(table), again.predict_proba(table), atol=1e-9)


def test_settings_reach_the_model(run: Run, loans: Path) -> None:
    path = fit(run, loans, "class", "least_squares", "--set", "l2=0.25")
    assert load(path).model_.l2 == 0.25
    done = run(
        "fit", loans, "--target", "class", "--model", "decision_tree", "--set", "max_depth=2", "--seed", "5"
    )
    assert done.code == 2 and "--out" in done.err
    path = fit(run, loans, "class", "random_forest", "--set", "max_depth=2", "--seed", "5")
    forest = load(path).model_
    assert (forest.max_depth, forest.random_state) == (2, 5)
    # A tree draws nothing: it takes the seed of every command, and is the same under each.
    trees = [load(fit(run, loans, "class", "decision_tree", "--seed", seed)) for seed in ("5", "6")]
    assert np.array_equal(*(tree.predict_proba(read(loans, target="class")) for tree in trees))


def test_margins_name_the_model_that_has_posteriors(run: Run, loans: Path) -> None:
    path = fit(run, loans, "class", "linear_svm")
    for command in (
        ("predict", path, loans, "--proba"),
        ("evaluate", path, loans, "--priors", "bad=0.5,good=0.5"),
    ):
        done = run(*command)
        assert done.code == 2 and "such as calibrated_svm" in done.err
    calibrated = fit(run, loans, "class", "calibrated_svm")
    assert run("predict", calibrated, loans, "--proba", "--out", "p.csv").code == 0
    assert run("decide", "p.csv", "--loss", "bad:good=5").code == 0
    figures = run(
        "evaluate", calibrated, loans, "--loss", "bad:good=5", "--priors", "bad=0.5,good=0.5", "--json"
    ).json
    assert figures["log_loss"] > 0 and figures["loss"] > 0


def test_a_lasso_without_a_penalty_given_leaves_columns_out(run: Run, loans: Path) -> None:
    noise = np.random.default_rng(0).normal(size=(240, 6))
    lines = loans.read_text(encoding="utf-8").splitlines()
    wide = [lines[0] + "".join(f",n{j}" for j in range(6))]
    wide += [line + "".join(f",{x:.4f}" for x in row) for line, row in zip(lines[1:], noise, strict=True)]
    loans.write_text("\n".join(wide) + "\n", encoding="utf-8")
    done = run("fit", loans, "--target", "class", "--model", "lasso", "--out", "m.assay")
    model = load(loans.parent / "m.assay").model_
    assert model.l1 == 0.01 and (model.coef_ == 0).any() and (model.coef_ != 0).any()
    assert "(l1=0.01) fitted" in done.text and "columns have a nonzero weight at l1=0.01" in done.text
    assert re.search(r"l1 +0\.01 ", run("models", "lasso").out)
    assert load(fit(run, loans, "class", "lasso", "--set", "l1=0.001")).model_.l1 == 0.001


def test_types_and_dropped_columns_reach_the_table(run: Run, loans: Path) -> None:
    path = fit(
        run, loans, "class", "gaussian_nb", "--type", "age=categorical", "--drop", "phone", "--drop", "loan"
    )
    schema = load(path).schema_
    assert schema.names == ("amount", "job", "age") and schema["age"].type == "categorical"


def test_fit_says_what_it_did(run: Run, loans: Path) -> None:
    args = ("fit", loans, "--target", "class", "--model", "gaussian_nb", "--out", "m.assay")
    done = run(*args)
    assert "Gaussian naive Bayes fitted to 240 rows" in done.text and "block by block" in done.text
    assert "--type loan=" in done.text and "types=" not in done.text  # advice in the words of a shell
    assert run(*args, "--quiet") == (0, "", "")
    figures = run(*args, "--json").json
    assert (figures["rows"], figures["name"], figures["classes"]) == (240, "gaussian_nb", ["bad", "good"])
    assert figures["streamed"] is True and figures["seconds"] > 0


def test_rows_without_a_label_are_left_out_and_counted(run: Run, tmp_path: Path) -> None:
    lines = [f"{i % 17},{'ab'[i % 2] if i % 5 else ''}" for i in range(50)]
    (tmp_path / "t.csv").write_text("x,class\n" + "\n".join(lines) + "\n")
    for name in ("gaussian_nb", "decision_tree"):
        done = run("fit", "t.csv", "--target", "class", "--model", name, "--out", "m.assay", "--json")
        assert done.json["rows"] == 40
        assert any("10" in note for note in done.json["notes"])
    done = run("evaluate", "m.assay", "t.csv", "--json")
    assert done.json["rows"] == 40 and "10" in done.json["notes"][0]


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_a_file_in_every_format(run: Run, iris: Path, form: str) -> None:
    path = fit(run, iris, "species", "gaussian_shared")
    out = iris.parent / f"p.{form}"
    done = run("predict", path, iris, "--proba", "--out", out)
    assert done.code == 0 and "150 rows written" in done.text
    rows: list[dict[str, Any]]
    if form == "parquet":
        rows = pq.read_table(out).to_pylist()
    elif form == "jsonl":
        rows = [json.loads(line) for line in out.read_text().splitlines()]
    else:
        rows = list(rows_of(out.read_text()))
    expected = load(path).predict_proba(read(iris))
    assert [float(row["P(setosa)"]) for row in rows] == expected[:, 0].tolist()
    assert run("predict", path, iris, "--out", out, "--quiet") == (0, "", "")


def test_json_of_predict(run: Run, iris: Path) -> None:
    path = fit(run, iris, "species", "gaussian_shared")
    figures = run("predict", path, iris, "--proba", "--json").json
    assert figures["rows"] == 150 == len(figures["predicted"]) == len(figures["P(setosa)"])
    assert sum(figures["counts"].values()) == 150
    figures = run("predict", path, iris, "--json", "--out", "p.csv").json
    assert figures["out"] == "p.csv" and os.path.exists("p.csv")


def test_a_model_without_posteriors_says_so(run: Run, iris: Path) -> None:
    path = fit(run, iris, "species", "least_squares")
    done = run("predict", path, iris, "--proba")
    assert (done.code, done.out) == (2, "") and "--proba" in done.err


def test_a_model_without_columns_says_so(run: Run, iris: Path) -> None:
    X, y = np.arange(12.0).reshape(6, 2), [0, 1] * 3
    assay.save(assay.GaussianNB().fit(X, y), "bare.assay")
    done = run("predict", "bare.assay", iris)
    assert done.code == 2 and "GaussianNB" in done.err and done.err.count("\n") == 1


@pytest.mark.parametrize("name", MODELS)
def test_evaluate_gives_the_figures_of_python(run: Run, loans: Path, name: str) -> None:
    path = fit(run, loans, "class", name)
    figures = run("evaluate", path, loans, "--loss", "bad:good=5", "--json").json
    table = read(loans, target="class")
    model, truth = load(path), table.labels("class")
    predicted = model.predict(table)
    assert figures["error"] == pytest.approx((predicted != truth).mean(), abs=1e-15)
    assert figures["classes"] == ["bad", "good"]
    assert np.sum(figures["confusion"]) == 240
    assert figures["confusion"][0][1] == ((truth == "bad") & (predicted == "good")).sum()
    if name in MARGINS:
        assert figures["log_loss"] is None
        costs = np.where(truth == "bad", 5.0, 1.0) * (predicted != truth)
        assert figures["loss"] == pytest.approx(costs.mean())
        return
    posterior = model.predict_proba(table)
    chosen = posterior[np.arange(240), (truth == "good").astype(int)]
    if (chosen > 0).all():
        assert figures["log_loss"] == pytest.approx(-np.log(chosen).mean())
    decided = model.decide(table, {"bad": {"bad": 0, "good": 5}, "good": {"bad": 1, "good": 0}}).labels
    costs = np.where(truth == "bad", 5.0, 1.0) * (decided != truth)
    assert figures["loss"] == pytest.approx(costs.mean())
    for name in ("loss", "log_loss", "auc"):
        low, high = figures[f"{name}_interval"]
        assert low <= figures[name] <= high


def test_evaluate_prints_figures_and_table(run: Run, loans: Path) -> None:
    path = fit(run, loans, "class", "gaussian_nb")
    done = run("evaluate", path, loans, "--loss", "bad:good=5", "--priors", "bad=0.5,good=0.5")
    assert (done.code, done.err) == (0, "")
    for word in ("error", "mean loss", "log loss", "AUC", "Confusion matrix: true class (rows)"):
        assert word in done.text
    quiet = run("evaluate", path, loans, "--quiet")
    assert [line.split()[0] for line in quiet.out.splitlines()] == ["error", "log", "AUC"]


def test_other_priors_change_the_error(run: Run, loans: Path) -> None:
    path = fit(run, loans, "class", "gaussian_nb")
    plain = run("evaluate", path, loans, "--json").json
    moved = run("evaluate", path, loans, "--priors", "bad=0.99,good=0.01", "--json").json
    assert moved["error"] < 0.03 < plain["error"]  # nearly all rows count as bad, and are called so
    path = fit(run, loans, "class", "least_squares")
    done = run("evaluate", path, loans, "--priors", "bad=0.99,good=0.01")
    assert done.code == 2 and "posteriors" in done.err


def test_integer_classes_keep_their_spelling(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("x,y\n" + "\n".join(f"{i % 9},{i % 9 // 3}" for i in range(90)) + "\n")
    path = fit(run, tmp_path / "t.csv", "y", "gaussian_shared")
    rows = rows_of(run("predict", path, "t.csv", "--proba").out)
    assert set(rows[0]) == {"predicted", "P(0)", "P(1)", "P(2)"} and rows[0]["predicted"] == "0"
    assert run("evaluate", path, "t.csv", "--json").json["error"] == 0.0


@pytest.mark.parametrize("name", MODELS)
def test_of_no_rows_there_is_an_answer_without_rows(run: Run, iris: Path, name: str) -> None:
    path, proba = fit(run, iris, "species", name), () if name in MARGINS else ("--proba",)
    whole = run("predict", path, iris, *proba).out.splitlines()
    Path("none.csv").write_text(iris.read_text().splitlines()[0] + "\n")
    done = run("predict", path, "none.csv", *proba)
    assert (done.code, done.out.splitlines(), done.err) == (0, whole[:1], "")
    figures = run("predict", path, "none.csv", "--json").json
    assert figures["rows"] == 0 and figures["predicted"] == [] and set(figures["counts"].values()) == {0}
    for form in ("csv", "jsonl", "parquet"):
        said = run("predict", path, "none.csv", "--out", f"p.{form}").text
        assert said == f"0 rows written to p.{form}: 0 setosa, 0 versicolor, 0 virginica."
    assert pq.read_table("p.parquet").column_names == ["predicted"]
    assert "0 rows" in run("explain", path, "none.csv", "--row", 1).err or name not in ("gaussian_nb",)


def test_a_misfit_gives_advice_that_the_command_can_follow(run: Run, iris: Path) -> None:
    path = fit(run, iris, "species", "gaussian_nb")
    lines = iris.read_text().splitlines()
    Path("odd.csv").write_text("\n".join([lines[0], "wide" + lines[1][3:]]) + "\n")
    for command in (("predict",), ("evaluate",), ("explain", "--row", "1")):
        done = run(command[0], path, "odd.csv", *command[1:])
        assert done.code == 2 and "'wide'; correct it, or leave it empty" in done.err
        assert "--type" not in done.err and "types=" not in done.err


def test_names_in_json_are_the_same_in_every_command(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(
        "x,z,y\n" + "\n".join(f"{i % 9},{i % 5},{i % 9 // 3}" for i in range(90)) + "\n"
    )
    told = {
        "describe": run("describe", "t.csv", "--target", "y", "--json").json,
        "compare": run(
            "compare", "t.csv", "--target", "y", "--candidates", "fisher", "--keep-suspects", "--json", "-q"
        ).json,
        "fit": run("fit", "t.csv", "--target", "y", "--model", "fisher", "--out", "m.assay", "--json").json,
        "evaluate": run("evaluate", "m.assay", "t.csv", "--json").json,
        "predict": run("predict", "m.assay", "t.csv", "--json").json,
        "explain": run("explain", "m.assay", "t.csv", "--row", "1", "--json").json,
    }
    for name in ("describe", "compare", "fit", "evaluate"):
        figures = told[name]
        assert (figures["source"], figures["target"], figures["rows"]) == ("t.csv", "y", 90), name
        assert figures["classes"] == [0, 1, 2], name
    assert told["compare"]["features"] == told["fit"]["features"] == 2
    assert told["describe"]["counts"] == told["predict"]["counts"] == {"0": 30, "1": 30, "2": 30}
    assert told["predict"]["rows"] == 90 and told["predict"]["predicted"][0] == 0
    assert told["explain"]["predicted"] == 0 and set(told["explain"]["posterior"]) == {"0", "1", "2"}
    assert told["fit"]["name"] == told["compare"]["best"] == "fisher" and told["fit"]["model"] == "m.assay"


def test_one_row_is_a_row(run: Run, iris: Path) -> None:
    path = fit(run, iris, "species", "gaussian_nb")
    Path("one.csv").write_text("\n".join(iris.read_text().splitlines()[:2]) + "\n")
    assert "1 row written" in run("predict", path, "one.csv", "--out", "p.csv").text
    assert " on 1 row of one.csv, " in run("evaluate", path, "one.csv").text
    assert "one.csv: 1 row, 5 columns." in run("describe", "one.csv").text
    assert "one.csv has 1 row." in run("explain", path, "one.csv", "--row", 2).err
