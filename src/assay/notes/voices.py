"""Voices: an option is a parameter in Python (drop=) and on a page, an option in a shell (--drop)."""

from __future__ import annotations

import shlex
import string
from collections.abc import Mapping, Sequence
from typing import Any

from assay.notes.formats import format_value
from assay.notes.names import spell_name
from assay.notes.numbers import THIN
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


class OptionNames:
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
    - ``{parameter:option}``: a parameter by its own name
    - ``{reason}``, ``{reason:clause}``: a note inside a note, with its full stop and without
    - ``{notes:sentences}``: notes one after the other
    - ``{rows:count row}``, ``{error:percent}``, ``{names:quoted}``, ...: see `assay.notes.formats`
    """

    def __init__(self, name: str, *, shell: bool = False, space: str = " ") -> None:
        self.name, self.shell, self.space = name, shell, space
        self.option = OptionNames(shell)

    def sentence(self, text: Text, subject: str, values: Mapping[str, object]) -> str:
        """The text with its places filled in."""
        template = text.shell if self.shell and text.shell else text.sentence
        return self.vformat(template, (), {"option": self.option, "subject": subject, **values})

    def format_field(self, value: Any, format_spec: str) -> str:
        value = self._worded(value)
        if format_spec == "clause":
            return str(value).removesuffix(".")
        if format_spec == "sentences":
            return " ".join(str(self._worded(note)) for note in value)
        if format_spec.startswith("as "):
            return self._typed(str(value), format_spec.removeprefix("as ").split(" or "))
        if format_spec.startswith("set "):
            return self._set(format_spec.removeprefix("set "), value)
        if format_spec == "option":
            return str(getattr(self.option, str(value))) if self.shell else str(value)
        worded = format_value(value, format_spec, self.space)
        return str(super().format_field(value, format_spec)) if worded is None else worded

    def _worded(self, value: Any) -> Any:
        """A note in the words of this voice, anything else as it is."""
        code = getattr(value, "code", None)
        return value if code not in TEXTS else self.sentence(TEXTS[code], value.subject, value.values)

    def _set(self, name: str, value: object) -> str:
        """An option as it was given."""
        return f"{getattr(self.option, name)} {value}" if self.shell else f"{name}={value!r}"

    def _typed(self, column: str, kinds: Sequence[str]) -> str:
        """How to read a column as one of these types."""
        if not self.shell:
            others = "".join(f" or {kind!r}" for kind in kinds[1:])
            return f"types={{{column!r}: {kinds[0]!r}}}{others}"
        return " or ".join("--type " + shlex.quote(f"{spell_name(column)}={kind}") for kind in kinds)


PYTHON, SHELL = Voice("python"), Voice("shell", shell=True)
PAGE, SHELL_PAGE = Voice("page", space=THIN), Voice("page of a command", shell=True, space=THIN)
VOICES = (PYTHON, SHELL, PAGE, SHELL_PAGE)
