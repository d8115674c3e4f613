"""Notes: texts that carry a code and values."""

from __future__ import annotations

import copy
import pickle

import pytest

from assay.notes import Note, as_note, note_of, render
from assay.notes.voices import PYTHON, SHELL


def test_a_note_is_its_sentence() -> None:
    note = Note("S006", "its projection")
    sentence = str.__str__(note)
    assert note == sentence and "its projection" in note and f"{note}" == sentence
    assert " ".join([note]) == sentence and {note: 1}[sentence] == 1


def test_values_come_as_a_mapping_or_by_name() -> None:
    assert Note("S008", "knn", {"gibibytes": 3.0}) == Note("S008", "knn", gibibytes=3.0)
    assert Note("S008", "knn", gibibytes=3.0).values == {"gibibytes": 3.0}
    assert Note("S008", "knn", gibibytes=3.0, level="error").level == "error"


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda note: pickle.loads(pickle.dumps(note))])
def test_copies_know_their_code(again: object) -> None:
    note = again(Note("S008", "knn", gibibytes=3.0, level="error"))  # type: ignore[operator]
    assert (note.code, note.subject, note.values, note.level) == ("S008", "knn", {"gibibytes": 3.0}, "error")


def test_errors_carry_notes() -> None:
    error = ValueError(Note("S002"))
    assert note_of(error).code == "S002"  # type: ignore[union-attr]
    assert note_of(pickle.loads(pickle.dumps(error))).code == "S002"  # type: ignore[union-attr]
    assert note_of(ValueError("plain")) is None and note_of(ValueError()) is None


def test_sentences_of_old_files_are_notes_without_a_code_of_their_own() -> None:
    note = as_note("Column age is constant.")
    assert note.code == "A000" and note == "Column age is constant."
    assert as_note(note) is note


def test_a_plain_text_is_left_as_it_is() -> None:
    assert render("drop=", SHELL) == "drop="
    assert render(Note("S002"), PYTHON) == Note("S002")
