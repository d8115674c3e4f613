"""Results as JSON: notes in the words of a shell, data as they are."""

from __future__ import annotations

import json

import pytest

from assay.notes import Note
from assay.terminal.json_output import print_json


def test_notes_are_in_the_words_of_a_shell_and_data_are_not(capsys: pytest.CaptureFixture[str]) -> None:
    note = Note("D065", "tags", source="a.csv", reason="holds lists")
    advice = "leave it out with --drop."
    print_json(
        {
            "notes": (note,),
            "omitted": {"fisher": note},
            "findings": [{"sentence": note, "column": "drop=."}],
            "predicted": ["drop=."],
        }
    )
    figures = json.loads(capsys.readouterr().out)
    assert figures["notes"] == list(figures["omitted"].values()) and figures["notes"][0].endswith(advice)
    assert figures["findings"] == [{"sentence": figures["notes"][0], "column": "drop=."}]
    assert figures["predicted"] == ["drop=."]
    (record,) = figures["codes"]
    assert (record["code"], record["subject"], record["level"]) == ("D065", "tags", "error")
    assert record["sentence"] == figures["notes"][0]
