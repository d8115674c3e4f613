"""The passengers of the Titanic with two columns that give the answer away: warned of wherever one looks."""

from __future__ import annotations

import html
from pathlib import Path

from assay.notes.numbers import THIN
from tests.journeys.steps import done
from tests.realdata import data_path

QUICK = ("--candidates", "baseline,gaussian_nb,fisher,decision_tree", "--plan", "kfold:5")
LEAKS = ("'boat'", "'body'")
FILLED_IN_LATER = "filled in after the class is known"


def test_leaks_are_left_out_and_warned_about_until_they_are_dropped(tmp_path: Path) -> None:
    source = data_path("titanic3.csv.gz")
    asked = (source, "--target", "survived")
    described = done(tmp_path, "describe", *asked)
    assert all(f"olumn {name}" in _warnings(described.out, "Checks passed") for name in LEAKS)
    leaky = done(tmp_path, "compare", *asked, *QUICK, "--out", "leaky")
    assert all(f"olumn {name}" in _warnings(leaky.out, "Leaderboard") for name in LEAKS)
    page = html.unescape((tmp_path / "leaky" / "report.html").read_text(encoding="utf-8")).replace(THIN, " ")
    findings = done(tmp_path, "describe", *asked, "--json").json["findings"]
    for name in LEAKS:
        (sentence,) = (f["sentence"] for f in findings if f["warn"] and f["column"] == name.strip("'"))
        assert sentence in page and FILLED_IN_LATER in page

    dropped = (*asked, "--drop", "boat", "--drop", "body")
    assert FILLED_IN_LATER not in done(tmp_path, "describe", *dropped).text
    clean = done(tmp_path, "compare", *dropped, *QUICK, "--out", "clean", "--json").json
    assert "P124" not in {note["code"] for note in clean["codes"]}
    assert 0.17 < clean["honest"]["error"] < 0.25
    figures = done(tmp_path, "compare", *asked, *QUICK, "--out", "leaky", "--resume", "--json").json
    assert figures["suspects"] == ["boat", "body"] and figures["with_suspects"]["honest"]["error"] < 0.05
    assert figures["honest"]["error"] == clean["honest"]["error"] and figures["best"] == clean["best"]
    assert "With boat and body the error rate is " in figures["verdict"][0]
    kept = done(tmp_path, "compare", *asked, *QUICK, "--keep-suspects", "--json").json
    assert kept["honest"] == figures["with_suspects"]["honest"] and kept["with_suspects"] is None
    page = html.unescape((tmp_path / "clean" / "report.html").read_text(encoding="utf-8"))
    assert FILLED_IN_LATER not in page


def test_levels_and_gaps_of_new_passengers_are_no_trouble(tmp_path: Path) -> None:
    source = data_path("titanic3.csv.gz")
    drop = [word for name in ("boat", "body", "name", "ticket") for word in ("--drop", name)]
    done(tmp_path, "fit", source, "--target", "survived", "--model", "fisher", *drop, "--out", "m.assay")
    new = ["pclass,sex,age,sibsp,parch,fare,cabin,embarked,home.dest", "4,other,,0,0,,Z99,X,Atlantis"]
    (tmp_path / "new.csv").write_text("\n".join([*new, ",,,,,,,,"]) + "\n")
    said = done(tmp_path, "predict", "m.assay", "new.csv", "--proba")
    assert said.out.count("\n") == 3 and "Column 'sex' has 1 value of 1 that was never seen" in said.err


def _warnings(text: str, following: str) -> str:
    """What stands under the heading of warnings, as one line."""
    assert "\nWarnings\n" in text
    return " ".join(text.partition("\nWarnings\n")[2].partition(f"\n{following}")[0].split())
