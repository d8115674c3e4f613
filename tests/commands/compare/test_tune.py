"""`assay tune`: the curve, the choice, the files, and what cannot be tuned."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from assay import KFold, KNeighborsClassifier, Standardize, TrainValidationTest, evaluate
from assay.main import main
from assay.models.base.estimators import Pipeline
from tests.commands.compare.purchases import interrupt_at, mixed


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    generator = np.random.default_rng(5)
    labels = np.repeat(["a", "b"], 60)
    rows = generator.normal(size=(120, 3)) + (labels == "b")[:, None]
    path = tmp_path_factory.mktemp("tune") / "rows.csv"
    lines = [
        ",".join([*(f"{value:.6f}" for value in row), label]) for row, label in zip(rows, labels, strict=True)
    ]
    path.write_text("x,y,z,kind\n" + "\n".join(lines) + "\n")
    return path


def asked(table: Path, *options: str) -> list[str]:
    return ["tune", str(table), "--target", "kind", *options]


def test_the_curve_is_that_of_refits(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(asked(table, "--model", "knn", "--range", "n_neighbors=1..5", "--json", "--plan", "kfold:5"))
        == 0
    )
    found = json.loads(capsys.readouterr().out)
    listed = {each["setting"]["n_neighbors"]: each for each in found["curve"]}
    assert list(listed) == [5, 4, 3, 2, 1]  # the simplest first
    data = np.genfromtxt(table, delimiter=",", skip_header=1, usecols=(0, 1, 2))
    labels = np.repeat(["a", "b"], 60)
    for k, each in listed.items():
        model = Pipeline([("scale", Standardize()), ("near", KNeighborsClassifier(k))])
        assert each["error"] == pytest.approx(
            evaluate(model, data, labels, KFold(5, stratified="rare")).error
        )
    assert sum(each["chosen_inside"] for each in found["curve"]) == 5
    assert found["scored"] == min(each["loss"] for each in found["curve"])
    low, high = found["honest"]["error_interval"]
    assert low < found["honest"]["error"] < high
    assert found["optimism"] == pytest.approx(found["honest"]["loss"] - found["scored"])


def test_one_standard_error_takes_a_simpler_setting(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--model", "knn", "--range", "n_neighbors=1,3,9,21,31", "--json")
    chosen = {}
    for rule in ("min", "one_se"):
        assert main(asked(table, *options, "--rule", rule)) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["rule"] == rule
        chosen[rule] = found["setting"]["n_neighbors"]
        curve = found["curve"]
    least = min(curve, key=lambda each: each["loss"])
    within = [each for each in curve if each["loss"] <= least["loss"] + least["standard_error"]]
    assert chosen["one_se"] == within[0]["setting"]["n_neighbors"] >= chosen["min"]


def test_a_run_is_kept_with_report_and_model(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert main(asked(table, "--model", "logistic", "--range", "l2=1e-3..1:3", "--out", str(out))) == 0
    shown = capsys.readouterr().out
    assert "selected" in shown and "Nested cross-validation estimates an error rate of" in shown
    assert (out / "report.html").exists() and (out / "model.assay").exists()
    page = re.sub(r"<[^>]+>", "", (out / "report.html").read_text())
    assert "--model logistic --range l2=1.0,0.0316227766017,0.001" in page  # the command that does it again
    assert main(["report", str(out)]) == 0
    capsys.readouterr()
    assert main(["predict", str(out / "model.assay"), str(table)]) == 0


def test_without_a_range_the_catalogs_own_is_tried(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(asked(table, "--model", "fisher")) == 0
    said = capsys.readouterr().out
    assert "selected" in said and f"assay tune {table} --target kind --model fisher --plan" in said
    assert main(asked(table, "--model", "gaussian_full", "--quiet")) == 0
    assert "selected" in capsys.readouterr().out


def test_a_span_is_told_as_it_was_asked_for(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(asked(table, "--model", "knn", "--range", "n_neighbors=1..9")) == 0
    assert "--range n_neighbors=1..9 --plan" in capsys.readouterr().out


def test_values_that_are_given_twice_are_tried_once(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(asked(table, "--model", "knn", "--range", "n_neighbors=3,1,3,1", "--json")) == 0
    tried = [each["setting"]["n_neighbors"] for each in json.loads(capsys.readouterr().out)["curve"]]
    assert tried == [3, 1]


def test_a_single_tested_row_has_no_standard_error(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--model", "knn", "--range", "n_neighbors=1,3", "--plan", "holdout:0.001")
    assert main(asked(table, *options)) == 0
    assert re.search(r"\n +1 +(0|100)\.0 +- ", capsys.readouterr().out)


@pytest.mark.parametrize("span", ["0..1:5", "0.0..1:5", "0,0.25,0.5,0.75,1"])
def test_a_span_from_zero_is_even(table: Path, span: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Zero has no logarithm; the settings are those of the values written out."""
    assert main(asked(table, "--model", "gaussian_shared", "--range", f"shrinkage={span}", "--json")) == 0
    tried = [each["setting"]["shrinkage"] for each in json.loads(capsys.readouterr().out)["curve"]]
    assert tried == [1.0, 0.75, 0.5, 0.25, 0.0]  # the simplest first


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ("--model", "logistic", "--range", "l2=-1,2"),
            "l2=-1.0) is not allowed; give a number of at least 0",
        ),
        (("--model", "logistic", "--range", "l2="), "cannot be read; write name=values"),
        (("--model", "logistic", "--range", "l2=0..1"), "l2=0..1 is not a range"),
        (("--model", "logistic", "--range", "l2=1..0:4"), "is not a range"),
        (("--model", "logistic", "--range", "l3=1"), "has no parameter 'l3'"),
        (("--model", "logistic", "--range", "l2=1", "--range", "l2=2"), "twice"),
        (
            ("--model", "logistic", "--range", "l2=-1..1:3"),
            "l2=-1.0) is not allowed; give a number of at least 0",
        ),
        (("--model", "gaussian_shared", "--range", "shrinkage=0..2:3"), "shrinkage=2.0) is not allowed"),
        (
            ("--model", "knn", "--range", "n_neighbors=1..5000"),
            "n_neighbors=1..5000 has more than 1000 values",
        ),
        (("--model", "logistic", "--range", "l2=1e-3..1:1000000"), "has more than 1000 values"),
        (("--model", "logistic", "--range", "l2=0..inf:3"), "l2=0..inf:3 is not a range"),
        (("--model", "knn", "--range", "n_neighbors=0"), "at least 1"),
        (("--model", "knn", "--range", "n_neighbors=1,,3"), "n_neighbors=1,,3 has an empty value"),
        (("--model", "knn", "--range", "n_neighbors=,"), "n_neighbors=, has an empty value"),
        (("--model", "knn", "--rule", "best"), "--rule best is unknown; give 'min' or 'one_se'"),
        (
            ("--model", "knn", "--plan", "kfold:1"),
            "The validation scheme 'kfold:1' needs at least two folds",
        ),
        (("--model", "knn", "--plan", "holdout:1.0"), "'holdout:1.0' must lie between 0 and 1"),
        (("--model", "knn", "--seed", "-1"), "--seed -1 is not allowed; give a whole number"),
        (("--model", "multinomial_nb"), "It uses text columns, and the table has only numeric columns."),
        ((), "Missing option '--model'. `assay models` lists the models."),
        (("--model", "nothing"), "Unknown model 'nothing'"),
        (("--model", "knn", "--plan", "loo"), "cannot be tuned inside LeaveOneOut"),
    ],
)
def test_what_cannot_be_tuned_is_one_sentence(
    table: Path, options: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(asked(table, *options)) == 2
    said = capsys.readouterr().err.strip()
    assert sentence in said and "\n" not in said and said.startswith("assay: ")


def test_costs_are_tuned_for(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    import pandas as pd

    path = tmp_path / "mixed.csv"
    pd.DataFrame(mixed()).to_csv(path, index=False)
    options = ["--target", "bought", "--model", "gaussian_shared", "--loss", "yes:no=5", "--plan", "kfold:4"]
    assert main(["tune", str(path), *options]) == 0
    assert "Nested cross-validation estimates a loss of" in " ".join(capsys.readouterr().out.split())


def test_three_parts_choose_on_the_second_and_test_on_the_third(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--model", "knn", "--range", "n_neighbors=1..5", "--plan", "split:60/20/20")
    assert main(asked(table, *options, "--json")) == 0
    found = json.loads(capsys.readouterr().out)
    data = np.genfromtxt(table, delimiter=",", skip_header=1, usecols=(0, 1, 2))
    labels = np.repeat(["a", "b"], 60)
    part = TrainValidationTest().parts(np.repeat([0, 1], 60))
    for each in found["curve"]:
        model = Pipeline([("scale", Standardize()), ("near", KNeighborsClassifier(**each["setting"]))])
        model.fit(data[part == 0], labels[part == 0])
        assert each["error"] == pytest.approx(np.mean(model.predict(data[part == 1]) != labels[part == 1]))
        if each["setting"] == found["setting"]:
            wrong = np.mean(model.predict(data[part == 2]) != labels[part == 2])
            assert found["honest"]["error"] == pytest.approx(wrong)
    assert main(asked(table, *options)) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "on the validation rows that selected them. The error rate on the test rows is" in said
    assert "Note P703:" in said and "72 rows for training, 24 for validation and 24 for testing" in said


def test_a_single_split_is_not_counted(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Notes and page speak of the split, not of 1 of 1 folds."""
    lines = table.read_text().splitlines()
    doubled = [f"{lines[0]},again"] + [f"{line},{2 * float(line.split(',')[0])}" for line in lines[1:]]
    (tmp_path / "doubled.csv").write_text("\n".join(doubled) + "\n")
    options = ("--model", "gaussian_full", "--range", "blend=0,1", "--out", str(tmp_path / "run"))
    assert main(asked(tmp_path / "doubled.csv", *options, "--plan", "split:60/20/20")) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "(variance floor applied) in the only split." in said
    assert "of 1 fold" not in said and "selected in folds" not in said
    assert "Note P703:" in said and "folds (--plan kfold:10) would test every row" in said
    page = re.sub(r"<[^>]+>", "", (tmp_path / "run" / "report.html").read_text())
    assert (
        "2 settings of Gaussian, covariance per class were evaluated on the validation rows. Selected: blend"
        in page
    )
    assert "Every candidate was tuned on the validation rows and tested" in page
    assert "1 split" not in page and "selected by splits" not in page
    assert main(asked(tmp_path / "doubled.csv", *options[:4], "--plan", "holdout:0.3")) == 0
    assert "in the only split." in " ".join(capsys.readouterr().out.split())


def test_an_interrupted_run_leaves_no_page_of_the_baseline_and_is_gone_on_with(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    options = (
        "--model",
        "knn",
        "--range",
        "n_neighbors=1,3",
        "--plan",
        "kfold:3",
        "--out",
        str(tmp_path / "run"),
    )
    with monkeypatch.context() as patch:
        interrupt_at("knn", patch, KeyboardInterrupt())
        assert main(asked(table, *options)) == 130
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "assay: interrupted.\n")
    assert not (tmp_path / "run" / "report.html").exists() and not (tmp_path / "run" / "model.assay").exists()
    assert main(asked(table, *options)) == 2
    assert "resume it (--resume)" in capsys.readouterr().err
    assert main(asked(table, *options, "--resume", "--json")) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["name"], found["title"]) == ("knn", "Nearest neighbours")
    assert found["model"] == str(tmp_path / "run" / "model.assay")
    assert "baseline: taken from the interrupted run" in (tmp_path / "run" / "log.txt").read_text()
    assert main(asked(table, "--model", "knn", "--resume")) == 2
    assert "name it with --out" in capsys.readouterr().err
