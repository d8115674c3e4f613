"""Advice in the words of a shell: what a library sentence calls ``types={'zip': 'text'}`` is ``--type zip=text``."""

from __future__ import annotations

import re
import shlex

_TYPES = re.compile(r"""types=\{(['"])(?P<name>.*?)\1: '(?P<type>\w+)'\}""")
_OPTIONS = {"types": "--type", "drop": "--drop", "query": "--query", "target": "--target", "out": "--out"}
_BARE = re.compile(r"\b(types|drop|query|target|out)=(?=[\s;,.)]|$)")


def for_shell(sentence: str) -> str:
    """The sentence with parameters of Python called by the options that set them.

    Examples
    --------
    >>> for_shell("read it with types={'zip code': 'text'} or leave it out with drop=.")
    "read it with --type 'zip code=text' or leave it out with --drop."
    """
    said = _TYPES.sub(lambda found: "--type " + shlex.quote(f"{found['name']}={found['type']}"), sentence)
    said = re.sub(r"\b(?:types|drop|query|target)=( \(|, )(--\w+)(\)?)", _paired, said)
    return _BARE.sub(lambda found: _OPTIONS[found[1]], said)


def _paired(found: re.Match[str]) -> str:
    """Both spellings beside each other: the shell's alone stays."""
    return found[2] if found[1] == " (" else found[2] + found[3]
