"""Plurals, lists and shortened names."""

from __future__ import annotations

from assay.notes.numbers import THIN
from assay.notes.phrases import (
    listed,
    name_of,
    page_plural,
    plural,
    short_names,
    shorten,
    spell_columns,
)


def test_names_stay_different_when_they_are_cut() -> None:
    names = short_names(["a" * 50 + "1", "a" * 50 + "2", "b"], 20)
    assert len(set(names)) == 3 and all(len(name) <= 20 for name in names)
    assert names[2] == "b"


def test_names_are_one_line() -> None:
    assert name_of("a\n b\u2028c") == "a b c"
    assert name_of("  ") == "(empty)"
    assert shorten("abcdefgh", 6) == "abc…gh"
    assert shorten("abcdef", 6) == "abcdef"


def test_lists() -> None:
    assert spell_columns([]) == "" and spell_columns(["a"]) == "a"
    assert spell_columns(["a", "b", "c"]) == "a, b and c"
    assert spell_columns(list("abcdef"), 2) == listed(list("abcdef"), 2) == "a, b and 4 more"
    assert listed(["a", "b"]) == "a, b"


def test_plurals() -> None:
    assert plural(1, "class", "classes") == "1 class"
    assert plural(2500, "row") == "2 500 rows"
    assert page_plural(2500, "row") == f"2{THIN}500 rows"
