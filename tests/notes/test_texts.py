"""Every code has a sentence that can be worded in every voice, and every sentence is used."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from assay.notes import Note, render
from assay.notes.texts import TEXTS
from assay.notes.texts.text import ERROR, INFO, WARNING
from assay.notes.voices import VOICES, Voice
from scripts import notes_page
from tests.realdata import ROOT

SOURCES = [path for path in (ROOT / "src" / "assay").rglob("*.py") if "texts" not in path.parts]
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


@pytest.mark.parametrize("code", sorted(TEXTS))
def test_examples_have_the_values_of_their_sentence_and_no_others(code: str) -> None:
    text = TEXTS[code]
    parsed = [part for whole in (text.sentence, text.shell) for part in string.Formatter().parse(whole)]
    parsed += [part for _, _, spec, _ in parsed for part in string.Formatter().parse(spec or "")]
    places = {re.split(r"[.\[]", field)[0] for _, field, _, _ in parsed if field}
    assert places - {"option"} == set(text.example)


def test_codes_in_use_have_texts_and_texts_are_in_use() -> None:
    used = set().union(*map(codes_used, SOURCES))
    assert used - set(TEXTS) == set()
    assert set(TEXTS) - used == set()


def test_a_code_stands_in_one_table() -> None:
    tables = (ROOT / "src" / "assay" / "notes" / "texts").glob("*.py")
    listed = [code for path in tables for code in re.findall(r'^    "([A-Z]\d{3})":', path.read_text(), re.M)]
    assert sorted(listed) == sorted(set(listed)) == sorted(TEXTS)


def test_the_page_of_notes_lists_every_code() -> None:
    page = (ROOT / "docs" / "notes.md").read_text(encoding="utf-8")
    assert page == notes_page.page(), "run `python scripts/notes_page.py`"
