"""What would have been chosen without two folds, and what it loses on the rows of either.

For folds a and b, c(a, b) is the setting of least loss on the other folds l, tested by the models that were trained
without l and a, and without l and b. Its loss on a row of fold a is that of the model that was trained without a and b.
A row of one of F folds has F - 1 such losses, which differ as far as other training rows make other choices and other
predictions. Nothing is fitted for them: nested choice has made all of these models.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.selection.criteria import TIE, choose
from assay.selection.setting_losses import PairSums, mean_losses
from assay.sharing.dispatch import Dispatched
from assay.sharing.row_figures import ERROR, Kept, Values
from assay.types import Array, Codes, Index

STORED = ("inner", "chosen", "amount", "rows", "fold")
VALUES = "values_"


@dataclass(frozen=True, eq=False)
class PairLosses:
    """Of one candidate under F folds.

    Attributes
    ----------
    inner : (S, F, F)
        Mean loss of each setting on fold l by the model trained without l and a; NaN where l = a.
    chosen : (F, F)
        Setting c(a, b); -1 where a = b.
    amount : (F,)
        Weight of each fold.
    rows, fold : (n,)
        Rows whose losses are kept, and the fold of each.
    values : dict of (n, F - 1)
        Losses of each row of fold a by c(a, b), for all b but a, by measure.
    """

    inner: Array
    chosen: Index
    amount: Array
    rows: Index
    fold: Codes
    values: Mapping[str, Values]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that a run folder stores, by name; losses of at most 1 that are whole numbers in a byte each."""
        values = {
            VALUES + measure: losses.astype(np.uint8) if measure == ERROR else losses
            for measure, losses in self.values.items()
        }
        return {**{name: getattr(self, name) for name in STORED}, **values}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> PairLosses:
        """What `arrays` gave."""
        values = {
            name.removeprefix(VALUES): losses.astype(np.float32)
            for name, losses in arrays.items()
            if name.startswith(VALUES)
        }
        return cls(
            arrays["inner"].astype(np.float64),
            arrays["chosen"].astype(np.int64),
            arrays["amount"].astype(np.float64),
            arrays["rows"].astype(np.int64),
            arrays["fold"].astype(np.int32),
            values,
        )

    @property
    def losses(self) -> Array:
        """Mean loss by which c(a, b) was chosen, (F, F); NaN where a = b."""
        F = len(self.chosen)
        out = np.full((F, F), np.nan)
        for a in range(F):
            for b in range(a):
                left = np.delete(np.arange(F), (a, b))
                of_setting = self.inner[self.chosen[a, b]]
                both = of_setting[left, a] + of_setting[left, b]
                out[a, b] = out[b, a] = float(np.average(both, weights=self.amount[left])) / 2.0
        return out


def pair_losses(solved: Dispatched, pairs: PairSums, rule: str, priors: Array | None) -> PairLosses | None:
    """The choices without pairs of folds, and their losses; None where a choice would rest on no weight."""
    folds, sums = pairs.rows.folds, pairs.sums
    S, T, K, _ = sums.shape
    # Each row is tested for both folds: halves keep rows the unit.
    pooled = (folds.choosing.astype(np.float64) @ sums.reshape(S, T, -1) / 2.0).reshape(S, -1, K, 5)
    if not pooled[..., 0].sum(axis=2).all():
        return None
    losses, errors = mean_losses(pooled, priors)
    chosen = np.full((folds.n_folds, folds.n_folds), -1, dtype=np.int64)
    a, b = folds.pairs
    chosen[a, b] = chosen[b, a] = [choose(*of_pair, rule) for of_pair in zip(losses.T, errors.T, strict=True)]
    inner, amount = _of_tests(pairs, priors)
    values = _row_losses(pairs, chosen, _made(solved, pairs, chosen))
    return PairLosses(inner, chosen, amount, pairs.rows.rows, pairs.rows.fold, values)


def among(candidates: Sequence[PairLosses]) -> dict[str, Values]:
    """Losses of each row, by measure, where without two folds the candidate of least loss is chosen: simple ones first.

    Measures that one of the chosen ones does not have are left out.
    """
    losses = np.stack([candidate.losses for candidate in candidates])
    least = np.fmin.reduce(losses, axis=0)
    best = (losses <= least + TIE * np.abs(least)).argmax(axis=0)
    first = candidates[0]
    apart = _behalf(len(best))
    of_row = best[np.arange(len(best))[:, None], apart][first.fold]  # (n, F - 1)
    used = np.unique(best[~np.eye(len(best), dtype=bool)]).tolist()
    measures = set.intersection(*(set(candidates[k].values) for k in used))
    values = {measure: np.empty(of_row.shape, dtype=np.float32) for measure in sorted(measures)}
    for k in used:
        for measure, losses in values.items():
            losses[of_row == k] = candidates[k].values[measure][of_row == k]
    return values


def _behalf(folds: int) -> Index:
    """The folds but a, for every fold a, (F, F - 1)."""
    return np.stack([np.delete(np.arange(folds), a) for a in range(folds)])


def _of_tests(pairs: PairSums, priors: Array | None) -> tuple[Array, Array]:
    """Mean loss of each setting on fold l by the model trained without l and a, (S, F, F), and weights of the folds."""
    test = pairs.rows.folds.test
    apart = test >= 0
    sums = pairs.sums[:, test[apart]]
    amount = sums[0, :, :, 0].sum(axis=1)
    filled = amount > 0
    inner = np.full((len(sums), *test.shape), np.nan)
    means = np.zeros(sums.shape[:2])  # of folds without weight, which count nothing
    means[:, filled] = mean_losses(sums[:, filled], priors)[0]
    inner[:, apart] = means
    return inner, amount.reshape(len(test), -1)[:, 0]


def _made(solved: Dispatched, pairs: PairSums, chosen: Index) -> Kept:
    """Losses of the rows by the chosen settings: those in store, the others are made."""
    fold, behalf = pairs.rows.folds.folds
    missing = [s for s in np.unique(chosen[chosen >= 0]).tolist() if s not in pairs.stored]
    if not missing:
        return pairs.stored
    only = np.zeros((len(solved.ways), len(fold)), dtype=bool)
    inside = np.flatnonzero(fold >= 0)
    for s in missing:
        only[s, inside] = chosen[fold[inside], behalf[inside]] == s
    return pairs.stored | solved.reduce(pairs.rows.wanted, only)


def _row_losses(pairs: PairSums, chosen: Index, made: Kept) -> dict[str, Values]:
    """Losses of the rows of every fold a by c(a, b), (n, F - 1), by measure that all chosen settings have."""
    fold, slots = pairs.rows.fold, len(chosen) - 1
    behalf = _behalf(len(chosen))
    settings = np.unique(chosen[chosen >= 0]).tolist()
    measures = set.intersection(*(set(part.values) for s in settings for part in made[s]))
    values = {measure: np.full(len(fold) * slots, np.nan, dtype=np.float32) for measure in sorted(measures)}
    for s in settings:
        for part in made[s]:
            row, slot = np.divmod(part.at, slots)
            own = chosen[fold[row], behalf[fold[row], slot]] == s
            for measure in values:
                values[measure][part.at[own]] = part.values[measure][own]
    return {
        measure: losses.reshape(-1, slots) for measure, losses in values.items() if np.isfinite(losses).all()
    }
