"""Advice in the words of a shell: what a library sentence calls ``types={'zip': 'text'}`` is ``--type zip=text``."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Mapping
from typing import Any

from assay.notes.names import spell_name
from assay.notes.note import Note, render
from assay.notes.voices import SHELL

_TYPES = re.compile(
    r"""types=\{(?P<name>(['"]).*?\2): '(?P<type>[^']+)'\}(?: or '(?P<other>\w+)')?""", re.DOTALL
)
# What to do to a frame, as sentences end in Python: a shell has none, and what is to be done is said before it.
_QUOTED = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_FRAME = re.compile(
    rf", (?:such )?as (?:pandas\.cut\(frame\[{_QUOTED}\], \d+\)"
    rf"|frame\[{_QUOTED}\]\.(?:str\.lower\(\)\.str\.split\(\)\.str\.join\(' '\)"
    rf"|replace\(\{{(?:{_QUOTED}|[^'\"{{}}]+): 'other'\}}\)) does)"
)
_OPTIONS = {
    "types": "--type",
    "drop": "--drop",
    "query": "--query",
    "target": "--target",
    "groups": "--groups",
    "weights": "--weights",
    "split_repeats": "--split-repeats",
    "keep_suspects": "--keep-suspects",
    "out": "--out",
    "source": "--source",
    "n_jobs": "--threads",
    "random_state": "--seed",
    "to": "--to",
    "k": "--k",
    "method": "--method",
    "n_features": "--n",
    "duplicates": "--duplicates",
    "missing": "--missing",
}
_NAMES = "|".join(_OPTIONS)
_CHOICE = re.compile(r"\b(rule|search|by)='([^']*)'(?= is unknown)")
_SEED = re.compile(r"\brandom_state=(\S+) is not allowed(.*), None, a RandomState or a Generator")
_NAMED = re.compile(r"^(start|fixed)(?= names )")
_COUNT = re.compile(r"\bn_features=(-?\d+)\b")
_BARE = re.compile(rf"\b({_NAMES})=(?=[\s;,.)]|$)")
SENTENCES = ("notes", "warnings", "omitted", "sentence")  # what holds advice in a JSON object


def for_shell(sentence: str) -> str:
    """The sentence with parameters of Python called by the options that set them, and without code for frames.

    Examples
    --------
    >>> for_shell("read it with types={'zip code': 'text'} or leave it out with drop=.")
    "read it with --type 'zip code=text' or leave it out with --drop."
    """
    if isinstance(sentence, Note):
        return render(sentence, SHELL)
    said = _TYPES.sub(_typed, _FRAME.sub("", sentence))
    said = re.sub(rf"\b(?:{_NAMES})=( \(|, )(--[\w-]+)(\)?)", _paired, said)
    said = _CHOICE.sub(r"--\1 \2", _COUNT.sub(r"--n \1", _NAMED.sub(r"--\1", said)))
    said = _SEED.sub(r"--seed \1 is not allowed\2", said).replace("folds (KFold)", "folds (--plan kfold:10)")
    return _BARE.sub(lambda found: _OPTIONS[found[1]], said)


def in_shell_words(value: Any, advice: bool = False) -> Any:
    """Plain JSON values with `for_shell` applied to notes, warnings, reasons and findings, and to nothing else."""
    if isinstance(value, str):
        return for_shell(value) if advice else value
    if isinstance(value, Mapping):
        return {key: in_shell_words(part, advice or key in SENTENCES) for key, part in value.items()}
    return [in_shell_words(part, advice) for part in value] if isinstance(value, list) else value


def _typed(found: re.Match[str]) -> str:
    """One option, or two where the sentence leaves a choice."""
    name = spell_name(ast.literal_eval(found["name"]))
    kinds = [kind for kind in (found["type"], found["other"]) if kind]
    return " or ".join("--type " + shlex.quote(f"{name}={kind}") for kind in kinds)


def _paired(found: re.Match[str]) -> str:
    """Both spellings beside each other: the shell's alone stays."""
    return found[2] if found[1] == " (" else found[2] + found[3]
