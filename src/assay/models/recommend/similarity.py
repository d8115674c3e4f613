r"""What the critics say: similarities and predictions by the compiled kernels (core/ratings/ratings.hpp).

    euclidean   s(u, v) = 1 / (1 + sqrt(Σ_i (x_ui - x_vi)²))
    pearson     s(u, v) = 1 + ρ(u, v)

over the items i that both have rated, means and deviations in ρ too. Two users with fewer such items than asked for
(two at least for ρ), or of whom one has rated them all alike (for ρ), are no evidence for each other, and neither is
a similarity of 0. With means over all items, each user's own mean m and sample deviation d stand in ρ:

    ρ(u, v) = 1 / (n - 1) Σ_i (x_ui - m_u) / d_u · (x_vi - m_v) / d_v    cut at -1 and 1

over the n items i that both have rated, which need not vary then.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.data.ratings.ratings import Ratings
from assay.engines.local import memory_limit
from assay.models.recommend.choices import SIMILARITIES
from assay.models.recommend.rating_codes import Coded, Numbers, RatingCodes, RatingSums, coded

DENSE = 0.05  # share of the table that is rated from which critics stand side by side
CELL_BYTES = 6  # of that table
ALL_MEANS = (
    2  # the kernels' number of the correlation with means over all items; not for critics side by side
)


@dataclass(frozen=True)
class SimilarityOptions:
    """How similarity is measured and how many critics are heard."""

    n_neighbors: int | None = 50
    min_overlap: int = 1
    shrinkage: float = 0.0
    means: str = "co_rated"

    def kind(self, similarity: str) -> int:
        """The number of a similarity in the kernels."""
        return (
            ALL_MEANS if similarity == "pearson" and self.means == "all" else SIMILARITIES.index(similarity)
        )


@dataclass(frozen=True, eq=False)
class RatingRows:
    """Rows of (item, code), one after another, as the kernels take them."""

    first: NDArray[np.int64]
    item: NDArray[np.int32]
    code: RatingCodes

    def __len__(self) -> int:
        return len(self.first) - 1

    def slice(self, begin: int, end: int) -> RatingRows:
        entries = slice(self.first[begin], self.first[end])
        return RatingRows(
            self.first[begin : end + 1] - self.first[begin], self.item[entries], self.code[entries]
        )

    def take(self, which: NDArray[np.int32]) -> RatingRows:
        """Some of the rows, in ascending order."""
        lengths = np.diff(self.first)
        selected = np.zeros(len(lengths), dtype=bool)
        selected[which] = True
        entries = np.repeat(selected, lengths)
        first = np.concatenate(([0], np.cumsum(lengths[which]))).astype(np.int64)
        return RatingRows(first, self.item[entries], self.code[entries])


@dataclass(frozen=True, eq=False)
class NeighborRatings:
    """For each similarity asked for and each question, in codes; NaN where no critic has evidence.

    Attributes
    ----------
    weighted, standard, nearest : float64 (similarities, questions)
        Mean weighted by similarity, the same of standardized ratings (no unit), the nearest critic's rating.
    used : int32 (similarities, questions)
        Critics heard.
    """

    weighted: Numbers
    standard: Numbers
    nearest: Numbers
    used: NDArray[np.int32]


class Critics:
    """Those who have rated something, ready to be asked."""

    def __init__(self, ratings: Ratings, extra: Numbers | None = None, known: Coded | None = None) -> None:
        """`extra`: ratings of others that are to be on the same grid; `known`: codes that are there already."""
        self.n_users, self.n_items, self.user = ratings.n_users, ratings.n_items, ratings.user
        lengths = np.diff(ratings.first)
        longest = max(int(lengths.max(initial=0)), 0 if extra is None else len(extra))
        values = ratings.value if extra is None else np.concatenate([ratings.value, extra])
        codes = known or coded(values, longest)
        self.coded = Coded(codes.code[: ratings.n_ratings], codes.offset, codes.unit)
        self.extra = codes.code[ratings.n_ratings :]
        self.rows = RatingRows(ratings.first, ratings.item, self.coded.code)
        full = self.n_users * self.n_items
        self.panels = (
            codes.is_small(longest)
            and ratings.n_ratings >= DENSE * full
            and CELL_BYTES * full <= memory_limit() / 2
        )

    @cached_property
    def sums(self) -> RatingSums:
        """Of the users."""
        return RatingSums.of(self.coded, self.user, self.n_users)

    @cached_property
    def _scales(self) -> tuple[Numbers, Numbers]:
        """Mean of each user's codes, and 1 / deviation, 0 where there is none."""
        deviation = self.sums.deviation
        inverse = np.divide(1.0, deviation, out=np.zeros_like(deviation), where=deviation > 0)
        return np.nan_to_num(self.sums.mean), inverse

    @property
    def _critics(self) -> _core.ratings.Critics:
        return _core.ratings.Critics(
            self.rows.first, self.rows.item, self.rows.code, self.n_items, *self._scales
        )

    def _closeness(self, how: SimilarityOptions) -> _core.ratings.Closeness:
        return _core.ratings.Closeness(how.min_overlap, how.shrinkage, self.coded.unit)

    @cached_property
    def item_sums(self) -> RatingSums:
        return RatingSums.of(self.coded, self.rows.item, self.n_items)

    @cached_property
    def all_sums(self) -> RatingSums:
        """Of all ratings, one entry."""
        return RatingSums.of(self.coded, np.zeros(len(self.coded.code), dtype=np.intp), 1)

    def ask(
        self,
        targets: RatingRows,
        itself: NDArray[np.int32],
        questions: RatingRows,
        how: SimilarityOptions,
        similarities: tuple[str, ...] = SIMILARITIES,
        one_out: bool = False,
        *,
        threads: int,
    ) -> NeighborRatings:
        """What they say of items that the targets ask for; `itself` is the user a target is (-1: a new one).

        With `one_out` the targets ask for their own items, each as if they had not rated it.
        """
        kinds = np.array([how.kind(name) for name in similarities], dtype=np.int32)
        out = np.empty((len(kinds), 3, len(questions.item)))
        used = np.empty((len(kinds), len(questions.item)), dtype=np.int32)
        asking = _core.ratings.Targets(
            targets.first, targets.item, targets.code, itself, questions.first, questions.item, one_out
        )
        panels = self.panels and ALL_MEANS not in kinds
        _core.ratings.rating_predictions(
            self._critics,
            asking,
            kinds,
            self._closeness(how),
            how.n_neighbors or 0,
            panels,
            threads,
            out,
            used,
        )
        return NeighborRatings(out[:, 0], out[:, 1], out[:, 2], used)

    def similarities(
        self, target: RatingRows, how: SimilarityOptions, similarity: str
    ) -> tuple[NDArray[np.int32], Numbers]:
        """Of one target to all critics: items in common, and similarity, 0 where there is no evidence."""
        common, out = np.empty(self.n_users, dtype=np.int32), np.empty(self.n_users)
        _core.ratings.rating_similarities(
            self._critics, target.first, target.item, target.code, how.kind(similarity), self._closeness(how),
            common, out,
        )  # fmt: skip
        return common, out
