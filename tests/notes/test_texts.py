"""Every code has a sentence that can be worded in every voice, and every sentence is used."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from assay.notes import Note, render
from assay.notes.texts import RETIRED, TEXTS
from assay.notes.texts.text import ERROR, INFO, WARNING
from assay.notes.voices import VOICES, Voice
from scripts import notes_page
from tests.realdata import ROOT

ASSAY = ROOT / "src" / "assay"
SOURCES = [path for path in ASSAY.rglob("*.py") if "texts" not in path.relative_to(ASSAY).parts]
USED = re.compile(r'"([A-Z]\d{3})"')


def codes_used(path: Path) -> set[str]:
    return set(USED.findall(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("voice", VOICES, ids=lambda voice: voice.name)
@pytest.mark.parametrize("code", sorted(TEXTS))
def test_every_code_is_worded_in_every_voice(code: str, voice: Voice) -> None:
    text = TEXTS[code]
    values = dict(text.example)
    sentence = render(Note(code, str(values.pop("subject", "")), values), voice)
    assert sentence.strip() and "{" not in sentence.replace("types={", "").replace("{'", "")
    assert text.level in (INFO, WARNING, ERROR)


def places_of(sentence: str) -> set[str]:
    """The values that a sentence asks for, in its formats too."""
    fields = [(name, spec or "") for _, name, spec, _ in string.Formatter().parse(sentence) if name]
    inside = [places_of(spec) for _, spec in fields]
    return set().union({re.split(r"[.\[]", name)[0] for name, _ in fields}, *inside)


@pytest.mark.parametrize("code", sorted(TEXTS))
def test_examples_have_the_values_of_their_sentence_and_no_others(code: str) -> None:
    text = TEXTS[code]
    places = places_of(text.sentence) | places_of(text.shell)
    assert places - {"option"} == set(text.example)


def test_codes_in_use_have_texts_and_texts_are_in_use() -> None:
    used = set().union(*map(codes_used, SOURCES))
    assert used - set(TEXTS) == set()
    assert set(TEXTS) - used == set()


def test_retired_codes_are_not_used_again() -> None:
    used = set().union(*map(codes_used, SOURCES))
    assert not set(RETIRED) & (set(TEXTS) | used)
    assert {code for successors in RETIRED.values() for code in successors} <= set(TEXTS)


def test_a_code_stands_in_one_table() -> None:
    tables = (ROOT / "src" / "assay" / "notes" / "texts").glob("*.py")
    listed = [
        code
        for path in tables
        for code in re.findall(r'^    "([A-Z]\d{3})": [a-z]+\(', path.read_text(), re.M)
    ]
    assert sorted(listed) == sorted(set(listed)) == sorted(TEXTS)


def test_the_page_of_notes_lists_every_code() -> None:
    page = (ROOT / "docs" / "notes.md").read_text(encoding="utf-8")
    assert page == notes_page.page(), "run `python scripts/notes_page.py`"
