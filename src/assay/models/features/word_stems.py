"""Stems of words by the Snowball algorithms (Porter): "vote", "votes" and "voting" become "vote".

The stem depends on the word alone, so that nothing is learned: counts of words with the same stem are added, in any
rows, before or after a vocabulary is chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from assay.notes import Note
from assay.types import Index

STEMMERS = (
    "porter", "arabic", "armenian", "basque", "catalan", "danish", "dutch", "english", "finnish", "french", "german",
    "greek", "hindi", "hungarian", "indonesian", "irish", "italian", "lithuanian", "nepali", "norwegian", "portuguese",
    "romanian", "russian", "serbian", "spanish", "swedish", "tamil", "turkish", "yiddish",
)  # fmt: skip


def stems(words: Sequence[str], stemmer: str) -> list[str]:
    """The stem of each word; of an n-gram the stems of its words.

    >>> stems(["running", "green eggs"], "porter")
    ['run', 'green egg']
    """
    if find_spec("snowballstemmer") is None:
        raise ImportError(Note("M720", stemmer=stemmer))
    import snowballstemmer  # the optional part `text`

    stem = snowballstemmer.stemmer(stemmer).stemWord
    known: dict[str, str] = {}
    for text in words:
        for word in text.split(" "):
            if word not in known:
                known[word] = stem(word)
    return [" ".join(known[word] for word in text.split(" ")) for text in words]


def sum_columns(X: csr_array, columns: Index, width: int) -> csr_array:
    """Counts (N, width) where column j of X is added to column columns[j], or left out where that is -1."""
    used = np.flatnonzero(columns >= 0)
    ones = np.ones(len(used), dtype=X.dtype)
    merge = csr_array((ones, (used, columns[used])), shape=(X.shape[1], width))
    merged = csr_array(X @ merge)
    merged.sort_indices()
    return csr_array(
        (merged.data, merged.indices.astype(np.int32, copy=False), merged.indptr), shape=merged.shape
    )


def columns_of(names: Sequence[str], vocabulary: NDArray[np.object_]) -> Index:
    """Place of each name in a sorted vocabulary, -1 where it is not there."""
    place = {word: j for j, word in enumerate(vocabulary.tolist())}
    return np.array([place.get(name, -1) for name in names], dtype=np.intp)
