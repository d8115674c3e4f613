"""Loans where calling a bad customer good costs five times as much as the reverse."""

from __future__ import annotations

import contextlib
import csv
import io
import shlex
import shutil
from pathlib import Path

import numpy as np

import assay
from assay.commands.compare.reopen import reopen
from tests.journeys.steps import board, done
from tests.realdata import data_path

COSTS = {"bad": {"bad": 0, "good": 5}, "good": {"bad": 1, "good": 0}}
QUICK = ("--candidates", "baseline,gaussian_nb,fisher,gaussian_shared,gaussian_full,least_squares")


def test_costs_change_the_answer_and_lower_what_is_paid(tmp_path: Path) -> None:
    source = data_path("credit_g.csv.gz")
    asked = ("compare", source, "--target", "class", *QUICK)
    plain = done(tmp_path, *asked, "--out", "plain", "--json").json
    costly = done(tmp_path, *asked, "--loss", "bad:good=5", "--out", "costly", "--json").json
    order = [[line["name"] for line in found["leaderboard"]] for found in (plain, costly)]
    assert order[0] != order[1]
    assert 0.22 < plain["honest"]["error"] < 0.28
    # The same posteriors, decided by costs and by the most probable class.
    honest = reopen(tmp_path / "costly").nested
    careless = np.array([[0, 5], [1, 0]])[honest.truth_codes, honest.predicted_codes].mean()
    assert honest.mean_loss() == costly["honest"]["loss"] < 0.75 * careless
    # Whoever looks at no column calls everybody bad, and pays 0.7.
    baseline = next(line for line in costly["leaderboard"] if line["name"] == "baseline")
    assert np.isclose(baseline["loss"], 0.7) and costly["honest"]["loss"] < 0.62
    assert "Expected cost per new row: " in costly["verdict"][0]


def test_what_to_do_next_minds_the_costs(tmp_path: Path) -> None:
    source = data_path("credit_g.csv.gz")
    asked = ("compare", source, "--target", "class", "--candidates", "baseline,fisher", "--plan", "kfold:3")
    said = done(tmp_path, *asked, "--loss", "bad:good=5,*:ask me=0.3", "--out", "run")
    (predict,) = (shlex.split(line)[1:] for line in said.out.splitlines() if line.startswith("    assay "))
    assert "ask me" in done(tmp_path, *(str(source) if word == "NEW.csv" else word for word in predict)).out


def test_the_commands_of_a_run_give_the_run_again(tmp_path: Path) -> None:
    asked = ("compare", data_path("credit_g.csv.gz"), "--target", "class", "--candidates", "baseline,fisher")
    odd = (
        "--plan",
        "kfold:3x2",
        "--seed",
        7,
        "--priors",
        "bad=0.2,good=0.8",
        "--loss",
        "bad:good=5,*:ask=0.3",
    )
    more = ("--drop", "age", "--type", "duration=categorical")
    figures = done(tmp_path, *asked, *odd, *more, "--out", "run", "--json").json
    shell, python = figures["commands"]
    (tmp_path / "run").rename(tmp_path / "first")
    done(tmp_path, *shlex.split(shell)[1:])
    assert board(tmp_path / "run") == board(tmp_path / "first")
    shutil.rmtree(tmp_path / "run")
    with contextlib.chdir(tmp_path):
        eval(python, {"assay": assay})
    assert board(tmp_path / "run") == board(tmp_path / "first")


def test_the_model_with_costs_turns_more_customers_away(tmp_path: Path) -> None:
    source = data_path("credit_g.csv.gz")
    done(tmp_path, "fit", source, "--target", "class", "--model", "gaussian_shared", "--out", "m.assay")
    done(tmp_path, "predict", "m.assay", source, "--proba", "--out", "p.csv")
    actions = {}
    for name, costs in (("plain", ()), ("costly", ("--loss", "bad:good=5"))):
        said = done(tmp_path, "decide", "p.csv", *costs)
        actions[name] = [row["action"] for row in csv.DictReader(io.StringIO(said.out))]
    assert actions["plain"] == assay.load(tmp_path / "m.assay").predict(source).tolist()
    assert actions["costly"] == assay.load(tmp_path / "m.assay").decide(source, COSTS).actions.tolist()
    assert actions["costly"].count("bad") > 1.5 * actions["plain"].count("bad")
    paid = done(tmp_path, "evaluate", "m.assay", source, "--loss", "bad:good=5", "--json").json
    free = done(tmp_path, "evaluate", "m.assay", source, "--json").json
    assert paid["error"] == free["error"] and paid["loss"] < 0.6
