"""What a table of words shows of itself, and how readers of words merge it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias, Unpack

import numpy as np
from scipy.sparse import csr_array, issparse

from assay.notes import Note
from assay.statistics import Counts, count_words
from assay.statistics.counting import Grouping
from assay.types import Codes, Floats, MatrixLike, Names

WordRows: TypeAlias = "Floats | csr_array"  # rows by words: an array, or compressed


@dataclass(frozen=True, eq=False)
class WordKeys:
    """Columns and entries of a table of words; the words themselves where blocks must agree about them."""

    n_words: int
    entries: int
    compressed: bool
    words: Names | None = None

    @classmethod
    def of(cls, rows: Any, words: Names | None = None) -> WordKeys:
        """Those of an array or of compressed rows."""
        return cls(int(rows.shape[1]), rows.nnz if issparse(rows) else rows.size, issparse(rows), words)

    def union(self, other: WordKeys) -> WordKeys:
        """Those of two sets of rows; columns without names must be as many."""
        entries = self.entries + other.entries
        if self.words is None or other.words is None:
            if self.n_words != other.n_words:
                raise ValueError(Note("S132", n_words=self.n_words, other_words=other.n_words))
            return WordKeys(self.n_words, entries, self.compressed)
        words = np.unique(np.concatenate([self.words, other.words]))
        return WordKeys(len(words), entries, self.compressed, words)


class WordReading:
    """What all readers of words have in common."""

    words = True

    def keys(self, X: MatrixLike) -> WordKeys:
        """What some of the rows show."""
        return self.read(X)[1]

    def read(self, X: MatrixLike) -> tuple[WordRows, WordKeys]:
        """All rows, and what they show."""
        raise NotImplementedError

    def look_up(self, X: MatrixLike, keys: WordKeys) -> WordRows:
        """Some of the rows, given what all of them show."""
        return self.read(X)[0]

    def union(self, a: WordKeys, b: WordKeys) -> WordKeys:
        """What two sets of rows show."""
        return a.union(b)

    def prepared(self, rows: WordRows) -> WordRows:
        """Words as a model counts them."""
        return rows

    def count(
        self,
        rows: WordRows,
        keys: WordKeys,
        codes: Codes,
        n_classes: int,
        threads: int,
        **groups: Unpack[Grouping],
    ) -> Counts:
        """Counts of every class, or of every (group, class)."""
        return count_words(rows, codes, n_classes, **groups)

    def count_bytes(self, keys: WordKeys, n_classes: int) -> int:
        """Counts of a training set, twice more what is made of them, and what is made of compressed rows."""
        return 24 * n_classes * keys.n_words + (32 * keys.entries if keys.compressed else 0)

    def compressed(self, keys: WordKeys) -> bool:
        """Whether rows are compressed."""
        return keys.compressed
