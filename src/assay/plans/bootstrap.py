"""The bootstrap: samples of N rows drawn with replacement, tested on the rows that were not drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay import _core
from assay.engines.local import thread_count
from assay.notes import Note
from assay.numerics.random_state import RandomState, as_seed
from assay.numerics.row_hash import BOOTSTRAP, stream_key
from assay.plans.base import Plan, Rows, check_count, count_rows, encode
from assay.types import MatrixLike


@dataclass(frozen=True)
class Bootstrap(Plan):
    """Bootstrap: replicates of N draws with replacement, each with 63.2 % of the distinct rows on average.

    Draw d of replicate b depends on (seed, b, d) only, so replicates can be drawn in any order. With `groups`, whole
    groups are drawn with replacement, as many as there are, so that the number of rows of a replicate varies.

    Parameters
    ----------
    n_replicates : int
        Number of replicates.
    random_state : int, None, RandomState or Generator
        Seed, stored as a whole number, so that a scheme gives the same rows every time; None draws one.

    Examples
    --------
    >>> Bootstrap(2, random_state=1).multiplicities(5)
    array([[1, 1, 0, 0, 3],
           [0, 2, 0, 2, 1]], dtype=uint16)
    >>> Bootstrap(1, random_state=1).multiplicities(5, groups=["a", "a", "b", "b", "c"])
    array([[0, 0, 1, 1, 2]], dtype=uint16)
    """

    single_rows: ClassVar[bool] = True

    n_replicates: int = 200
    _: KW_ONLY
    random_state: RandomState = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_replicates", check_count("n_replicates", self.n_replicates, 1))
        object.__setattr__(self, "random_state", as_seed(self.random_state))

    @property
    def option(self) -> str:
        """Such as ``bootstrap:200``."""
        return f"bootstrap:{self.n_replicates}"

    def multiplicities(
        self, n: int, groups: ArrayLike | None = None, *, start: int = 0, stop: int | None = None
    ) -> NDArray[np.uint16]:
        """How often each of n rows is drawn, one line for each of the replicates `start` to `stop`."""
        if groups is not None:
            member = encode(groups, "groups", n)
            return self._drawn("groups", int(member.max(initial=-1)) + 1, start, stop)[:, member]
        return self._drawn("rows", n, start, stop)

    def _drawn(self, kind: str, n: int, start: int, stop: int | None) -> NDArray[np.uint16]:
        n = check_count(f"The number of {kind} of a bootstrap", n, 2)
        stop = self.n_replicates if stop is None else stop
        if not 0 <= start <= stop <= self.n_replicates:
            raise ValueError(Note("S045", start=start, stop=stop, n_replicates=self.n_replicates))
        counts = np.empty((stop - start, n), dtype=np.uint16)
        _core.folds.bootstrap_counts(stream_key(self.random_state, BOOTSTRAP), start, thread_count(), counts)
        return counts

    def partitions(self, codes: ArrayLike, groups: ArrayLike | None = None) -> NoReturn:
        """Not defined: a replicate repeats rows, which a partition cannot express."""
        raise TypeError(Note("S044"))

    def get_n_splits(
        self, X: MatrixLike | None = None, y: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> int:
        """`n_replicates`."""
        return self.n_replicates

    def split(
        self, X: MatrixLike | None, y: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> Iterator[tuple[Rows, Rows]]:
        """Yield (drawn rows with repeats, rows that were not drawn), both ascending.

        With fewer than about ten rows a replicate may draw them all, and the second part is empty.
        """
        n = count_rows(X, y)
        rows = np.arange(n)
        for b in range(self.n_replicates):
            counts = self.multiplicities(n, groups, start=b, stop=b + 1)[0]
            yield np.repeat(rows, counts), np.flatnonzero(counts == 0)
