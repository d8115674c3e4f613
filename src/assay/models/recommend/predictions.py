r"""From what the critics say to a rating.

    weighted   x̂_ui = Σ_v s(u, v) x_vi / Σ_v s(u, v)             over the critics v who rated item i
    z_score    x̂_ui = m_u + d_u Σ_v s(u, v) z_vi / Σ_v s(u, v)    z_vi = (x_vi - m_v) / d_v
    mean       x̂_ui = the mean of the item's ratings
    nearest    x̂_ui = x_vi of the most similar critic v

m and d are mean and sample deviation of a user's own ratings. Critics whose ratings do not vary have z = 0; a user
whose ratings do not vary (or is one) is given the deviation of all ratings. Predictions from z are kept within the
range of all ratings. Where no critic has evidence the mean of the item is taken, and the mean of all ratings for an
item without any.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.models.recommend.rating_codes import Coded, Numbers, RatingSums
from assay.models.recommend.similarity import Critics, NeighborRatings


@dataclass(frozen=True, eq=False)
class Known:
    """What is known without any critic, one entry for each question; in codes."""

    own_mean: Numbers
    own_deviation: Numbers
    item_mean: Numbers
    low: Numbers | float
    high: Numbers | float

    @classmethod
    def of(cls, critics: Critics, user_sums: RatingSums, item: NDArray[np.int32]) -> Known:
        """For questions about `item` by users with these sums; the item's mean is over the critics' ratings."""
        everyone = critics.all_sums
        overall = float(everyone.mean[0])
        deviation = user_sums.deviation
        code = critics.coded.code
        return cls(
            np.where(user_sums.n > 0, user_sums.mean, overall),
            np.where(deviation > 0, deviation, float(everyone.deviation[0])),
            np.where(critics.item_sums.n > 0, critics.item_sums.mean, overall)[item],
            float(code.min(initial=0)),
            float(code.max(initial=0)),
        )

    @classmethod
    def one_out(cls, critics: Critics) -> Known:
        """For every rating that the critics have given, as if it had not been."""
        code = critics.coded.code.astype(np.float64)
        everyone = critics.all_sums.take(np.zeros(len(code), dtype=np.intp)).without(code)
        item = critics.item_sums.take(critics.rows.item).without(code)
        user_sums = critics.sums.take(critics.user).without(code)
        ends = np.sort(code)
        second = min(1, len(code) - 1)
        overall = np.where(everyone.n > 0, everyone.mean, 0.0)
        deviation = user_sums.deviation
        return cls(
            np.where(user_sums.n > 0, user_sums.mean, overall),
            np.where(deviation > 0, deviation, everyone.deviation),
            np.where(item.n > 0, item.mean, overall),
            np.where(code == ends[0], ends[second], ends[0]),
            np.where(code == ends[-1], ends[-1 - second], ends[-1]),
        )


def predicted(
    heard: NeighborRatings | None, which: int, known: Known, prediction: str, coded: Coded
) -> Numbers:
    """Ratings predicted, `which` being the place of the similarity."""
    if prediction == "mean" or heard is None:
        return coded.ratings(known.item_mean)
    if prediction == "weighted":
        code = heard.weighted[which]
    elif prediction == "nearest":
        code = heard.nearest[which]
    else:
        moved = known.own_mean + known.own_deviation * heard.standard[which]
        code = np.where(np.isnan(moved), np.nan, np.clip(moved, known.low, known.high))
    return coded.ratings(np.where(np.isnan(code), known.item_mean, code))
