"""Writes docs/notes.md: every code with what it says and an example. Run `python scripts/notes_page.py`."""

from __future__ import annotations

from pathlib import Path

from assay.notes import Note
from assay.notes.texts import MODULES, RETIRED
from assay.notes.texts.text import Text

PAGE = Path(__file__).resolve().parents[1] / "docs" / "notes.md"
HEAD = """# Notes and their codes

Whatever Assay says about a table, a model or an option is a note: a code, a level (info, warning, error), and the names
and numbers in it. The sentence is made from them: `drop=` in Python is `--drop` in a shell. A code never changes its
meaning.

- In a shell, `--ignore CODE` silences a note or a warning about the table, and `--json` lists all notes under `codes`.
- In Python a note is a text with the attributes `code`, `level`, `subject` and `values`; an error carries its note as
  its first argument (`error.args[0].code`).

What a note says also says what to do. Words in braces are filled in.

(This page is generated: `python scripts/notes_page.py`.)
"""


def page() -> str:
    """The page as text."""
    parts = [HEAD]
    for module in MODULES:
        title = (module.__doc__ or "").strip().removeprefix("Texts of notes about ").rstrip(".")
        parts.append(f"\n## {title[:1].upper()}{title[1:]}\n")
        parts += [_entry(code, text) for code, text in sorted(module.TEXTS.items())]
    parts.append("\n## Retired codes\n")
    parts += [f"**{code}** says the same as {' and '.join(same)}.\n" for code, same in RETIRED.items()]
    return "\n".join(parts)


def _entry(code: str, text: Text) -> str:
    values = dict(text.example)
    example = Note(code, str(values.pop("subject", "")), values)
    lines = [f"**{code}** ({text.level}) {_plain(text.sentence)}\n"]
    if text.example:
        lines.append(f"> {_plain(example)}\n")
    return "\n".join(lines)


def _plain(sentence: str) -> str:
    """A sentence that Markdown leaves as it is."""
    return "".join("\\" + sign if sign in r"\`*_<>[]#|" else sign for sign in " ".join(sentence.split()))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
