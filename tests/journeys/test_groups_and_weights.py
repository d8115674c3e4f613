"""`--groups` and `--weights`: the figures of Python, commands that lead back, and one sentence where they cannot be."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay import compare, load, read
from tests.commands.conftest import Run, write_csv
from tests.program import refused

QUICK = ("--candidates", "baseline,gaussian_nb", "--plan", "kfold:5")
ROLES = ("--groups", "patient", "--weights", "w")


@pytest.fixture
def visits(tmp_path: Path) -> Path:
    """Forty patients of four rows each."""
    rng = np.random.default_rng(1)
    rows: list[list[Any]] = []
    for i in range(40):
        level = rng.normal(i % 2, 1.0)
        for _ in range(4):
            values = [round(float(level + rng.normal(0, 0.1)), 3), round(float(rng.normal()), 3)]
            rows.append([*values, f"p{i:02d}", int(rng.integers(1, 4)), "no" if i % 2 else "yes"])
    return write_csv(tmp_path / "visits.csv", ["level", "other", "patient", "w", "relapse"], rows)


def test_the_figures_are_those_of_python(run: Run, visits: Path) -> None:
    done = run("compare", visits, "--target", "relapse", *QUICK, *ROLES, "--json", "--quiet")
    assert (done.code, done.err) == (0, "")
    found = compare(
        visits,
        "relapse",
        candidates="baseline,gaussian_nb",
        plan=5,
        groups="patient",
        weights="w",
        progress=False,
    )
    assert done.json["honest"]["error"] == found.nested_error
    assert done.json["honest"]["error_interval"] == list(found.nested.error_interval)
    assert done.json["groups"] == {"column": "patient", "groups": 40, "smallest": 4, "largest": 4}
    assert done.json["weights"]["column"] == "w" and done.json["features"] == 2


def test_the_printed_command_leads_back(run: Run, visits: Path) -> None:
    first = run("compare", visits, "--target", "relapse", *QUICK, *ROLES)
    assert "Rows with the same value of 'patient' stay in one fold: 40 groups of 4 rows each." in first.text
    (told,) = [line for line in first.out.replace("\\\n", " ").splitlines() if "--out run" in line]
    program, *words = shlex.split(told)
    assert program == "assay"
    assert "--groups" in words and "--weights" in words
    again = run(*words)
    assert again.code == 0 and again.text.split("Leaderboard")[0] == first.text.split("Leaderboard")[0]
    assert run("report", "run", "--out", "again.html").code == 0
    assert Path("again.html").read_text() == Path("run/report.html").read_text()
    others = {"patient": "w", "w": "other"}
    refused(run(*[others.get(word, word) for word in words], "--resume"), "weights, has -")
    refused(
        run(*[word for word in words if word not in ("--weights", "w")], "--resume"),
        "was made with",
        "weights",
    )
    new = write_csv(Path("new.csv"), ["level", "other"], [[0.1, 0.2], [1.4, 0.0]])
    assert run("predict", "run/model.assay", new).code == 0  # nobody asks for patient or weight


def test_tune_and_features_take_them(run: Run, visits: Path) -> None:
    tuned = run(
        "tune",
        visits,
        "--target",
        "relapse",
        "--model",
        "knn",
        "--range",
        "n_neighbors=1,5",
        "--plan",
        "kfold:4",
        *ROLES,
    )
    assert tuned.code == 0 and "--groups patient --weights w" in tuned.text and "assay tune" in tuned.text
    searched = run("features", visits, "--target", "relapse", *ROLES, "--json")
    assert searched.json["groups"]["groups"] == 40 and searched.json["weights"]["column"] == "w"
    assert {each["column"] for each in searched.json["ranking"]} == {"level", "other"}


@pytest.mark.parametrize("name", ["gaussian_nb", "logistic"])
def test_fit_counts_rows_by_their_weights(run: Run, visits: Path, name: str) -> None:
    rows = [line.split(",") for line in visits.read_text().split()]
    twice = [row[:3] + row[4:] for row in rows[1:] for _ in range(int(row[3]))]
    other = write_csv(visits.parent / "twice.csv", rows[0][:3] + rows[0][4:], twice)
    given = ("--target", "relapse", "--model", name, "--drop", "patient")
    done = run("fit", visits, *given, "--weights", "w", "--out", "one.assay", "--json")
    assert done.json["weights"] == {"column": "w"} and done.json["features"] == 2 and done.json["rows"] == 160
    assert run("fit", other, *given, "--out", "two.assay").code == 0
    told = run("fit", visits, *given, "--weights", "w", "--out", "one.assay")
    assert "fitted to 160 rows, weighted by 'w', and 2 columns" in told.text
    table = read(visits)
    one, two = load("one.assay"), load("two.assay")
    assert one.predict_proba(table) == pytest.approx(two.predict_proba(table), rel=1e-6)
    assert one.schema_.names == ("level", "other")
    assert one.class_prior_ == pytest.approx(two.class_prior_)


def test_rows_that_do_not_count_are_left_out_block_by_block_too(run: Run, visits: Path) -> None:
    lines = visits.read_text().split()
    kept = [lines[0], *(line for i, line in enumerate(lines[1:]) if i % 3)]
    zero = [lines[0]]
    for i, line in enumerate(lines[1:]):
        *start, weight, label = line.split(",")
        zero.append(",".join([*start, weight if i % 3 else "0", label]))
    Path("zero.csv").write_text("\n".join(zero))
    Path("kept.csv").write_text("\n".join(kept))
    for name, code in (("gaussian_nb", "P141"), ("decision_tree", "P141")):
        given = ("--target", "relapse", "--model", name, "--drop", "patient", "--weights", "w")
        done = run("fit", "zero.csv", *given, "--out", "zero.assay", "--json")
        assert done.json["rows"] == 106
        left_out = next(note for note in done.json["codes"] if note["code"] == code)
        assert left_out["values"]["rows"] == 54 and left_out["sentence"] in done.json["notes"]
        run("fit", "kept.csv", *given, "--out", "kept.assay")
        table = read(visits)
        assert np.array_equal(
            load("zero.assay").predict_proba(table), load("kept.assay").predict_proba(table)
        )


def test_evaluate_counts_weights_and_groups(run: Run, visits: Path) -> None:
    run(
        "fit",
        visits,
        "--target",
        "relapse",
        "--model",
        "gaussian_nb",
        "--drop",
        "patient",
        "--drop",
        "w",
        "--out",
        "m.assay",
    )
    plain = run("evaluate", "m.assay", visits, "--json").json
    both = run("evaluate", "m.assay", visits, *ROLES, "--json").json
    table = read(visits, types={"w": "numeric"})
    wrong = load("m.assay").predict(table) != table.labels("relapse")
    assert both["error"] == pytest.approx(np.average(wrong, weights=table["w"]))
    assert np.sum(both["confusion"]) == table["w"].sum() and np.sum(plain["confusion"]) == 160
    width = [np.subtract(*each["error_interval"][::-1]) for each in (plain, both)]
    assert width[1] > 1.5 * width[0]
    commas = [line.replace(",", ";") for line in visits.read_text().split()]
    for i, line in enumerate(commas[1:], 1):
        *start, weight, label = line.split(";")
        commas[i] = ";".join([*start, f"{weight},0", label])
    Path("commas.csv").write_text("\n".join(commas))
    assert run("evaluate", "m.assay", "commas.csv", *ROLES, "--json").json["error"] == both["error"]
    shown = run("evaluate", "m.assay", visits, *ROLES)
    assert "Intervals are based on the 40 groups of 'patient'" in shown.text


BAD: dict[str, tuple[list[str], str]] = {
    "no such groups": (["--groups", "patiant"], "did you mean 'patient'"),
    "no such weights": (["--weights", "height"], "no weight column 'height'"),
    "groups and target": (["--groups", "relapse"], "as target and as groups"),
    "weights and target": (["--weights", "relapse"], "as target and as weights"),
    "groups and weights": (["--groups", "w", "--weights", "w"], "as groups and as weights"),
    "negative": (["--weights", "other"], "give each row a number of 0 or more"),
    "no numbers": (["--weights", "patient"], "'p00' in row 1, which is not a number"),
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("command", ["compare", "tune", "features"])
def test_what_cannot_be_is_one_sentence(run: Run, visits: Path, command: str, case: str) -> None:
    options, says = BAD[case]
    more = ["--model", "gaussian_nb"] if command == "tune" else []
    refused(run(command, visits, "--target", "relapse", *more, *options, "--quiet"), says)


@pytest.mark.parametrize("model", ["gaussian_nb", "decision_tree"])
def test_fit_and_evaluate_refuse_what_cannot_be(run: Run, visits: Path, model: str) -> None:
    given = ("fit", visits, "--target", "relapse", "--model", model, "--out", "m.assay", "--quiet")
    for case in ("no such weights", "weights and target", "negative", "no numbers"):
        options, says = BAD[case]
        refused(run(*given, *options), says)
        assert not Path("m.assay").exists()
    assert run(*given).code == 0
    refused(run("evaluate", "m.assay", visits, "--weights", "w"), "'w' is a feature of the model")
    refused(run("evaluate", "m.assay", visits, "--groups", "patiant"), "no group column 'patiant'")


def test_too_few_groups_for_the_folds_name_a_plan(run: Run, visits: Path) -> None:
    lines = visits.read_text().split()[:25]
    Path("few.csv").write_text("\n".join(lines))
    refused(
        run("compare", "few.csv", "--target", "relapse", "--groups", "patient", "--quiet"),
        "10 folds need at least 10 groups, and 'patient' has 6; use fewer folds, such as kfold:6",
    )


@pytest.mark.parametrize("name", ["gaussian_full", "knn", "fisher"])
def test_importance_weights_may_have_any_scale(run: Run, tmp_path: Path, name: str) -> None:
    rng = np.random.default_rng(4)
    y, weight = np.arange(80) % 2, rng.uniform(0.5, 2.0, 80)
    X = (rng.normal(size=(80, 2)) + y[:, None]).round(3)
    posteriors = []
    for scale in (1.0, 1.0 / weight.sum(), 1e5):
        rows = [[*x, w, "no" if k else "yes"] for x, w, k in zip(X.tolist(), scale * weight, y, strict=True)]
        table = write_csv(tmp_path / "table.csv", ["a", "b", "w", "relapse"], rows)
        given = ("--target", "relapse", "--model", name, "--weights", "w", "--out", "one.assay")
        assert run("fit", table, *given).code == 0
        posteriors.append(load(Path("one.assay")).predict_proba(read(table)))
        done = run("evaluate", "one.assay", table, "--weights", "w", "--json")
        assert np.sum(done.json["confusion"]) == pytest.approx(80)
    np.testing.assert_allclose(posteriors[1:], [posteriors[0]] * 2, atol=1e-9)
