"""What to write instead of a name that does not exist: the nearest names, else all of them."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from assay.notes.note import Note


def name_hint(name: str, known: Sequence[str], cutoff: float = 0.5) -> Note:
    """A sentence behind "There is no such name.".

    Examples
    --------
    >>> print(name_hint("logisitc", ["logistic", "knn"]))
    Did you mean 'logistic'?
    >>> print(name_hint("xyz", ["logistic", "knn"]))
    Possible names: 'logistic', 'knn'.
    """
    near = get_close_matches(name, known, n=2, cutoff=cutoff)
    if near:
        return Note("O700", near=near)
    return Note("O701", known=list(known)) if known else Note("O702")
