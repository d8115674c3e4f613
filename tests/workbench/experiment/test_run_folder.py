"""Candidates on disk: read back as they were, and those of older versions too."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

from assay import KFold, compare
from assay.catalog import entry
from assay.commands.compare.reopen import reopen
from assay.decision import wilson
from assay.notes import Note, render
from assay.notes.voices import PYTHON, SHELL
from assay.workbench.experiment.run_folder import RunFolder, pack, unpack
from tests.commands.compare.page import cases
from tests.program import Run
from tests.raised import codes, raises


def test_a_candidate_is_read_back_as_it_was() -> None:
    found = cases.iris()
    result = found.results["gaussian_shared"]
    again = unpack(pack(result), found.bench, result.entry)
    assert again.settings == result.settings
    assert np.array_equal(again.nested.standard_errors, result.nested.standard_errors)
    assert again.nested.one_se == result.nested.one_se is not None


def test_a_run_of_an_older_version_has_no_standard_errors() -> None:
    found = cases.iris()
    with np.load(io.BytesIO(pack(found.results["gaussian_shared"]))) as file:
        kept = {name: file[name] for name in file.files if name != "standard_errors"}
    buffer = io.BytesIO()
    np.savez(buffer, **kept)
    again = unpack(buffer.getvalue(), found.bench, entry("gaussian_shared"))
    assert again.nested.one_se is None and np.array_equal(
        again.cv_loss, found.results["gaussian_shared"].cv_loss
    )


def test_a_run_of_the_version_before_is_read_but_not_resumed(tmp_path: Path) -> None:
    source, folder = tmp_path / "iris.csv", tmp_path / "run"
    load_iris(as_frame=True).frame.to_csv(source, index=False)
    asked = {
        "target": "target",
        "candidates": ["baseline", "gaussian_nb"],
        "plan": KFold(5),
        "progress": False,
    }
    found = compare(source, out=folder, **asked)
    known = json.loads((folder / "experiment.json").read_text())
    assert known.pop("inner_folds") == "the other 4 folds, by pairs"
    (folder / "experiment.json").write_text(json.dumps({**known, "assay": "0.1.0"}))
    again = reopen(folder)
    assert again.verdict == found.verdict and again.report(tmp_path / "again.html").exists()
    with raises("C003", version="0.1.0"):
        compare(source, out=folder, resume=True, **asked)


def test_a_run_without_losses_of_pairs_is_read_with_fewer_rows_and_not_resumed(tmp_path: Path) -> None:
    source, folder = tmp_path / "iris.csv", tmp_path / "run"
    load_iris(as_frame=True).frame.to_csv(source, index=False)
    asked = {"target": "target", "candidates": ["baseline", "gaussian_nb"], "progress": False}
    found = compare(source, out=folder, **asked)
    assert codes(reopen(folder).notes) == codes(found.notes)
    known = json.loads((folder / "experiment.json").read_text())
    assert known.pop("format") == 2
    (folder / "experiment.json").write_text(json.dumps({**known, "assay": "0.3.0"}))
    for path in (folder / "candidates").iterdir():
        with np.load(path) as file:
            kept = {name: file[name] for name in file.files if not name.startswith("pairs_")}
        np.savez(path, **kept)
    again = reopen(folder)
    assert again.nested.error == found.nested.error
    assert again.nested.error_interval == wilson(found.nested.error * 150 / 1.6, 150 / 1.6)
    assert Note("C194", version="0.3.0", factor=1.6) in again.notes
    with raises("C066", version="0.3.0"):
        compare(source, out=folder, resume=True, **asked)


def test_a_resumed_run_has_the_interval_without_a_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, folder = tmp_path / "iris.csv", tmp_path / "run"
    load_iris(as_frame=True).frame.to_csv(source, index=False)
    asked = {
        "target": "target",
        "candidates": ["baseline", "gaussian_nb", "fisher"],
        "loss": "0:1=2,0:2=3,1:0=1,1:2=1,2:0=1,2:1=5",
        "progress": False,
    }
    found = compare(source, out=folder, **asked)

    def no_fit(*_: Any) -> None:
        raise AssertionError("something was evaluated again")

    monkeypatch.setattr("assay.workbench.experiment.schedule.evaluate_candidate", no_fit)
    for again in (compare(source, out=folder, resume=True, **asked), reopen(folder)):
        assert again.nested.instability == found.nested.instability
        for measure in ("error", "loss", "log_loss", "brier", "auc"):
            assert again.nested.interval(measure) == found.nested.interval(measure)
        assert [row.loss_interval for row in again.leaderboard] == [
            row.loss_interval for row in found.leaderboard
        ]
    assert found.nested.instability is not None and found.nested.instability.variance["loss"] > 0


def same(one: Any, other: Any) -> bool:
    """Two notes of one code, level, subject and values."""
    return all(getattr(one, part) == getattr(other, part) for part in ("code", "level", "subject", "values"))


NOTES = (
    Note("C152", needed=90.0, left=12.0, budget=60.0),
    Note("C157", reason=Note("D065", "tags", source="a.csv", reason="holds lists")),
    Note("C162", wanted=("binary", "categorical"), column="it's", kind="numeric"),
    Note("C147", better="a", worse="b", tests={"McNemar": 0.5}),
    Note("S008", "knn", gibibytes=3.0, level="warning"),
)


@pytest.mark.parametrize("note", NOTES, ids=lambda note: note.code)
def test_reasons_come_back_as_notes(tmp_path: Path, note: Note) -> None:
    folder = RunFolder(tmp_path)
    folder.keep_omitted({"knn": note})
    assert json.loads((tmp_path / "omitted.json").read_text()) == {"knn": note}
    (again,) = folder.omitted().values()
    assert same(again, note)
    assert [render(again, voice) for voice in (PYTHON, SHELL)] == [
        render(note, voice) for voice in (PYTHON, SHELL)
    ]


def test_reasons_of_older_versions_have_no_code_of_their_own(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.keep_omitted({"knn": NOTES[0], "fisher": "It takes too long."})
    assert codes(folder.omitted().values()) == ["C152", "A000"]
    (tmp_path / "omitted.json").write_text(json.dumps({"knn": "Another reason.", "fisher": NOTES[0]}))
    assert codes(folder.omitted().values()) == ["A000", "A000"]  # an older version has replaced the sentences
    (tmp_path / "omitted-notes.json").write_text('{"knn": {"note": {"sentence": "Another reason."}}}')
    assert codes(folder.omitted().values()) == ["A000", "A000"]
    (tmp_path / "omitted-notes.json").unlink()
    assert list(folder.omitted().values()) == ["Another reason.", NOTES[0]]
    folder.keep_omitted({})
    assert folder.omitted() == {} and not list(tmp_path.iterdir())


def test_retired_codes_keep_their_sentences(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    record = {"code": "M706", "level": "info", "subject": "", "values": {}, "sentence": "Too few classes."}
    (tmp_path / "omitted.json").write_text(json.dumps({"knn": "Too few classes."}))
    (tmp_path / "omitted-notes.json").write_text(json.dumps({"knn": {"note": record}}))
    assert folder.omitted() == {"knn": "Too few classes."} and codes(folder.omitted().values()) == ["A000"]
    (tmp_path / "noise.txt").write_text("An old sentence.\n")
    (tmp_path / "noise.json").write_text(json.dumps({"code": "M706", "values": {}}))
    assert folder.noise() == "An old sentence."


def test_notes_of_candidates_come_back_as_notes() -> None:
    found = cases.iris()
    reason = Note("P701", parameters=("l2=0.1",))
    result = replace(found.results["gaussian_shared"], notes=(*NOTES, "A sentence."), criteria=reason)
    again = unpack(pack(result), found.bench, result.entry)
    assert codes(again.notes) == [*codes(NOTES), "A000"]
    assert all(map(same, again.notes, NOTES)) and same(again.criteria, reason)


def test_candidates_of_older_versions_have_sentences_alone() -> None:
    found = cases.iris()
    with np.load(io.BytesIO(pack(replace(found.results["gaussian_shared"], notes=NOTES)))) as file:
        arrays = {name: file[name] for name in file.files}
    about = json.loads(arrays["about"].tobytes())
    del about["note_codes"], about["criteria_code"]
    arrays["about"] = np.frombuffer(
        json.dumps({**about, "criteria": "No likelihood."}).encode(), dtype=np.uint8
    )
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    again = unpack(buffer.getvalue(), found.bench, entry("gaussian_shared"))
    assert codes(again.notes) == ["A000"] * len(NOTES) and again.notes == NOTES
    assert again.criteria == Note("A000", sentence="No likelihood.")


def test_a_run_of_a_newer_version_is_rejected_and_left_as_it_is(run: Run, tmp_path: Path) -> None:
    source, folder = tmp_path / "iris.csv", tmp_path / "run"
    load_iris(as_frame=True).frame.to_csv(source, index=False)
    options: dict[str, Any] = {
        "target": "target",
        "candidates": ["baseline", "gaussian_nb"],
        "plan": KFold(3),
    }
    compare(source, out=folder, progress=False, **options)
    description = json.loads((folder / "experiment.json").read_text())
    assert description["format"] == 2
    (folder / "experiment.json").write_text(json.dumps({**description, "format": 3, "assay": "9.1.0"}))
    files = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    values = {"path": str(folder), "format": 3, "version": "9.1.0", "known": 2}
    with raises("C710", **values):
        reopen(folder)
    for resume in (False, True):
        with raises("C710", **values):
            compare(source, out=folder, resume=resume, progress=False, **options)
    command = (
        "compare",
        source,
        "--target",
        "target",
        "--candidates",
        "baseline,gaussian_nb",
        "--plan",
        "kfold:3",
    )
    for done in (
        run("report", folder),
        run("report", folder, "--out", "new.html"),
        run(*command, "--out", folder, "--resume", "-q"),
    ):
        assert (done.code, done.out) == (2, "") and done.err.count("\n") == 1
        assert "update Assay to 9.1.0" in done.err
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == files
    assert not (tmp_path / "new.html").exists()


@pytest.mark.parametrize("damaged", ['["a list"]', '{"format": "two"}', '{"format": 0}', "{"])
def test_a_damaged_description_is_rejected(tmp_path: Path, damaged: str) -> None:
    (tmp_path / "experiment.json").write_text(damaged)
    with raises("C010", path=str(tmp_path / "experiment.json")):
        RunFolder(tmp_path).description()
