"""The counts of a training part as the rows to score ask for them: their own words, and sums over the vocabulary.

Tested documents hold a small part of all words, and only of these a model's logarithms are needed word by word. Of the
others their sums are: how often the vocabulary was counted in all, and Σ ln (n - c), from products of sixteen.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay import _core
from assay.types import Array, Numbers

LANE = 8  # weights of a word are padded to whole vectors
LEAST, MOST = 1e-15, 1e15  # products of sixteen numbers between them are within the range of a double


@dataclass(frozen=True, eq=False)
class WordPart:
    """Whole counts of words by class in a training part.

    table : (V, K) of all words
    weight : (K,) of the classes
    chosen : (V,) 1 for the words of the vocabulary
    words : those of them that are asked for
    """

    table: Array
    weight: Numbers
    chosen: NDArray[np.uint8]
    words: NDArray[np.int64]
    threads: int

    @property
    def n_classes(self) -> int:
        return int(self.table.shape[1])

    @cached_property
    def n_words(self) -> int:
        """Words of the vocabulary."""
        return int(np.count_nonzero(self.chosen))

    @cached_property
    def totals(self) -> Array:
        """Counts of the whole vocabulary, (K,)."""
        return self._sums(None)[0]

    def log_differences(self, base: Array) -> Array:
        """Σ ln (base - count) over the vocabulary, (K,)."""
        return self._sums(np.ascontiguousarray(base, dtype=np.float64))[1]

    def logs(self, base: ArrayLike, sign: float = 1.0, *, others: bool = False) -> Array:
        """ln (base ± count), or the count of all other classes, for the words asked for; lines are padded."""
        size = -(-self.n_classes // LANE) * LANE
        out = np.empty((len(self.words), size))
        given = np.array(np.broadcast_to(base, self.n_classes), dtype=np.float64)
        _core.counts.word_logs(self.table, self.words, given, sign, others, self.threads, out)
        return out

    def _sums(self, base: Array | None) -> tuple[Array, Array]:
        totals, logs = np.empty(self.n_classes), np.empty(self.n_classes)
        _core.counts.vocabulary_sums(self.table, self.chosen, base, self.threads, totals, logs)
        return totals, logs
