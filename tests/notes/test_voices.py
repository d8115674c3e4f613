"""Voices: options, values and notes inside notes."""

from __future__ import annotations

from typing import Any

import pytest

from assay.notes import Note
from assay.notes.formats import format_value
from assay.notes.numbers import THIN
from assay.notes.texts.text import info
from assay.notes.voices import PAGE, PYTHON, SHELL, SHELL_PAGE, Voice


@pytest.mark.parametrize(
    ("voice", "words"),
    [(PYTHON, "drop="), (SHELL, "--drop"), (PAGE, "drop="), (SHELL_PAGE, "--drop")],
)
def test_options_have_the_name_of_their_voice(voice: Voice, words: str) -> None:
    assert voice.sentence(info("Use {option.drop}."), "", {}) == f"Use {words}."


def test_types_and_choices_in_a_shell() -> None:
    text = info("Read it with {column:as text or categorical}, or {rule:set rule}.")
    values = {"column": "zip code", "rule": "min"}
    shell = "Read it with --type 'zip code=text' or --type 'zip code=categorical', or --rule min."
    assert SHELL.sentence(text, "", values) == shell
    assert PYTHON.sentence(text, "", values) == (
        "Read it with types={'zip code': 'text'} or 'categorical', or rule='min'."
    )


@pytest.mark.parametrize(
    ("column", "option"),
    [
        ("zip", "--type zip=text"),
        ("it's", "--type 'it'\"'\"'s=text'"),
        ("a=b", "--type '\"a=b\"=text'"),
        ("p$", "--type 'p$=text'"),
    ],
)
def test_names_of_columns_are_quoted_for_a_shell(column: str, option: str) -> None:
    assert SHELL.sentence(info("{column:as text}"), "", {"column": column}) == option


@pytest.mark.parametrize(
    ("name", "option"), [("types", "--type"), ("n_jobs", "--threads"), ("split_repeats", "--split-repeats")]
)
def test_some_parameters_are_other_words_in_a_shell(name: str, option: str) -> None:
    assert SHELL.sentence(info("{name:option}"), "", {"name": name}) == option
    assert PYTHON.sentence(info("{name:option}"), "", {"name": name}) == name


def test_a_note_inside_a_note_has_the_same_voice() -> None:
    reason = Note("C056")
    text = info("Unknown: {reason} Or: {reason:clause}; {notes:sentences}")
    worded = SHELL.sentence(text, "", {"reason": reason, "notes": [reason, "plain."]})
    assert worded.count("--target") == 3 and "target=" not in worded
    assert "use method pca; Fisher" in worded and worded.endswith("use method pca. plain.")


def test_a_page_sets_thousands_apart_by_a_narrow_space() -> None:
    text = info("{rows:count row}, {error:percent}.")
    assert PAGE.sentence(text, "", {"rows": 2500, "error": 0.125}) == f"2{THIN}500 rows, 12.5{THIN}%."
    assert SHELL.sentence(text, "", {"rows": 1, "error": 0.125}) == "1 row, 12.5 %."


@pytest.mark.parametrize(
    ("value", "spec", "text"),
    [
        (2, "count class/classes", "2 classes"),
        (("a", "b"), "count column", "2 columns"),
        (("a",), "is/are", "is"),
        (0, "explains/explain", "explain"),
        (("a", "b", "c"), "quoted2", "'a', 'b' and 1 more"),
        (("a", "b", "c"), "choice", "a, b or c"),
        (("a", "b", "c"), "columns", "a, b and c"),
        ((0.02, 0.1), "percent range", "2.0 % to 10.0 %"),
        (75.0, "duration", "75 s"),
        (0.123456, "number", "0.123"),
        (0.5, ".2f", None),
    ],
)
def test_formats(value: Any, spec: str, text: str | None) -> None:
    assert format_value(value, spec) == text
