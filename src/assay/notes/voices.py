"""Who is spoken to: options are parameters in Python (drop=), options in a shell (--drop), and words on a page."""

from __future__ import annotations

import shlex
import string
from collections.abc import Mapping, Sequence
from typing import Any

from assay.notes.formats import FORMATS
from assay.notes.names import spell_name
from assay.notes.texts import TEXTS, Text

# What a parameter of Python is called in a shell, where that is not the same word.
SHELL_OPTIONS = {
    "types": "--type",
    "n_jobs": "--threads",
    "random_state": "--seed",
    "n_features": "--n",
    "split_repeats": "--split-repeats",
    "keep_suspects": "--keep-suspects",
    "trained_priors": "--trained-priors",
}


class Options:
    """What a voice calls an option: `{option.drop}` in a sentence."""

    def __init__(self, shell: bool) -> None:
        self._shell = shell

    def __getattr__(self, name: str) -> str:
        if name.startswith("_"):
            raise AttributeError(name)
        return SHELL_OPTIONS.get(name, f"--{name.replace('_', '-')}") if self._shell else f"{name}="


class Voice(string.Formatter):
    """Fills in the sentences of notes.

    Beside Python's own formats a place may say

    - ``{column:as text}``: how to read that column as a text
    - ``{rule:set rule}``: the option with its value
    - ``{notes:sentences}``: notes one after the other
    - ``{error:percent}``, ``{names:listed}``, ...: what `assay.notes.formats` has
    """

    def __init__(self, name: str, *, shell: bool = False) -> None:
        self.name, self.shell = name, shell
        self.option = Options(shell)

    def sentence(self, text: Text, subject: str, values: Mapping[str, Any]) -> str:
        """The text with its places filled in."""
        template = text.shell if self.shell and text.shell else text.sentence
        return self.vformat(template, (), {"option": self.option, "subject": subject, **values})

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec.startswith("as "):
            return self._typed(str(value), format_spec.removeprefix("as ").split(" or "))
        if format_spec.startswith("set "):
            return self._set(format_spec.removeprefix("set "), value)
        if format_spec == "sentences":
            return " ".join(self._note(note) for note in value)
        if not format_spec and isinstance(value, str):
            return self._note(value)
        if format_spec in FORMATS:
            return FORMATS[format_spec](value)
        return str(super().format_field(value, format_spec))

    def _note(self, note: Any) -> str:
        """A note inside another one in the words of this voice; a plain text as it is."""
        code = getattr(note, "code", None)
        return str(note) if code is None else self.sentence(TEXTS[code], note.subject, note.values)

    def _set(self, name: str, value: Any) -> str:
        """An option as it was given."""
        return f"{getattr(self.option, name)} {value}" if self.shell else f"{name}={value!r}"

    def _typed(self, column: str, kinds: Sequence[str]) -> str:
        """How to read a column as one of these types."""
        if not self.shell:
            others = "".join(f" or {kind!r}" for kind in kinds[1:])
            return f"types={{{column!r}: {kinds[0]!r}}}{others}"
        return " or ".join("--type " + shlex.quote(f"{spell_name(column)}={kind}") for kind in kinds)


PYTHON, SHELL, PAGE = Voice("python"), Voice("shell", shell=True), Voice("page")
VOICES = (PYTHON, SHELL, PAGE)
