"""Notes in model files keep code, level, subject and values; sentences of format 1 become notes without a code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import assay
from assay.notes import Note, render
from assay.notes.texts import RETIRED
from assay.notes.voices import SHELL
from tests.raised import raises
from tests.storage.stored import rezip, rows, saved, unzip

NOTES = (
    Note("S008", "knn", gibibytes=3.0, level="warning"),
    Note("F302", kind="SVC", stored=["RandomForestClassifier"]),
    Note("F083", title="GaussianNB", reason=Note("F129")),
)


def model_with(notes: tuple[str, ...]) -> Any:
    model = assay.LogisticRegression(l2=0.1).fit(*rows())
    model.diagnostics_ = notes
    return model


def changed(folder: Path, edit: Any) -> Any:
    """The diagnostics of a model whose first stored note was edited."""
    header, members = unzip(saved(model_with(NOTES[:1]), folder))
    stored = header["model"]["part"]["state"]["diagnostics_"]["tuple"]
    edit(stored)
    path = folder / "changed.assay"
    path.write_bytes(rezip(header, members))
    return assay.load(path).diagnostics_


def test_a_note_comes_back_as_it_was(tmp_path: Path) -> None:
    loaded = assay.load(assay.save(model_with(NOTES), tmp_path / "m.assay")).diagnostics_
    assert loaded == NOTES
    for note, stored in zip(NOTES, loaded, strict=True):
        assert (stored.code, stored.level, stored.subject) == (note.code, note.level, note.subject)
        assert stored.values == note.values
    assert loaded[2].values["reason"].code == "F129"


def test_a_sentence_of_format_1_is_a_note_without_a_code(tmp_path: Path) -> None:
    header, members = unzip(saved(model_with(()), tmp_path))
    header["format"] = 1
    header["model"]["part"]["state"]["diagnostics_"] = {"tuple": ["Column x0 is constant."]}
    path = tmp_path / "old.assay"
    path.write_bytes(rezip(header, members))
    model = assay.load(path)
    (note,) = model.diagnostics_
    assert note.code == "A000" and note == "Column x0 is constant."
    again = assay.load(assay.save(model, tmp_path / "again.assay")).diagnostics_
    assert again == (note,) and again[0].code == "A000"


def test_a_code_of_a_newer_version_keeps_its_sentence(tmp_path: Path) -> None:
    (note,) = changed(tmp_path, lambda stored: stored[0]["note"].update(code="Z999"))
    assert note.code == "A000" and note == str(NOTES[0])
    (note,) = changed(tmp_path, lambda stored: stored[0]["note"].update(values={"bytes": 3}))
    assert note.code == "A000" and note == str(NOTES[0])


@pytest.mark.parametrize("code", sorted(RETIRED))
def test_a_retired_code_keeps_its_sentence(tmp_path: Path, code: str) -> None:
    (note,) = changed(tmp_path, lambda stored: stored[0]["note"].update(code=code))
    assert note.code == "A000" and render(note, SHELL) == str(NOTES[0])


@pytest.mark.parametrize(
    "part",
    [{"level": "loud"}, {"code": 7}, {"values": []}, {"sentence": None}, {"subject": {}}, {"more": ""}],
)
def test_what_is_not_a_note_is_damage(tmp_path: Path, part: dict[str, Any]) -> None:
    with raises("F088", damage="a note in it is not one that Assay writes"):
        changed(tmp_path, lambda stored: stored[0]["note"].update(part))


def test_reasons_of_columns_are_notes(tmp_path: Path) -> None:
    table = {"age": [31.5, 47.25, 60.0, 22.0] * 5, "work": ["a", "b", "a", "c"] * 5, "y": ["n", "y"] * 10}
    model = assay.TableClassifier(assay.OneHot(), [], assay.LogisticRegression(l2=0.1)).fit(
        assay.read(table, drop=["y"]), table["y"]
    )
    loaded = assay.load(assay.save(model, tmp_path / "m.assay"))
    assert [column.reason for column in loaded.schema_] == [column.reason for column in model.schema_]
    assert all(isinstance(column.reason, Note) for column in loaded.schema_)
