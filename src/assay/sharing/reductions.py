"""What becomes of scores. A reduction runs beside the rows, and only what it keeps travels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeGuard, TypeVar

import numpy as np

from assay import _core
from assay.decision.loss import LossMatrix
from assay.engines.local import thread_count
from assay.sharing.part import Part as Part
from assay.sharing.part import decided_of as decided_of
from assay.sharing.part import losses_of, lost_by, predicted_of
from assay.sharing.splits import Splits
from assay.types import Array, Codes, Index, Mask

Kept = TypeVar("Kept")
Result = TypeVar("Result", covariant=True)


class Reduction(Protocol[Kept, Result]):
    """What to keep of the parts, how two keepsakes become one, and what they are at the end."""

    @property
    def keeps_scores(self) -> bool:
        """Whether the scores of a block stay in memory whatever is done, so that blocks need not be small."""

    @property
    def takes_turns(self) -> bool:
        """Whether, where rows have several tests, there is a part for the first test of every row, and so on."""

    @property
    def only_rows(self) -> Mask | None:
        """The rows (N,) that need a score; None: all."""

    @property
    def decides_inside(self) -> bool | None:
        """Whether of tests inside training sets decisions alone count; None: it does not look at them."""

    @property
    def counts_mistakes(self) -> bool:
        """Whether it is one of `CountsMistakes`."""

    def add(self, part: Part) -> Kept: ...
    def merge(self, a: Kept, b: Kept) -> Kept: ...
    def finish(self, total: Kept | None) -> Result: ...


class BaseReduction:
    """What most reductions need of the scores: all rows, in blocks of any size."""

    @property
    def keeps_scores(self) -> bool:
        return False

    @property
    def takes_turns(self) -> bool:
        return False

    @property
    def only_rows(self) -> Mask | None:
        return None

    @property
    def decides_inside(self) -> bool | None:
        return None

    @property
    def counts_mistakes(self) -> bool:
        return False


class CountsMistakes(Reduction[Kept, object], Protocol[Kept]):
    """A reduction to which the number of mistakes of groups `of` tests says all, under `priors` or as models decide."""

    @property
    def of(self) -> Codes: ...
    @property
    def n_groups(self) -> int: ...
    @property
    def priors(self) -> Array | None: ...
    def sums(self, of_settings: dict[int, Array]) -> Kept:
        """Sums (G, K, 5) of settings that somebody counted without scores, as they are kept."""


def counts_mistakes(keep: Reduction[Kept, object]) -> TypeGuard[CountsMistakes[Kept]]:
    """Whether decisions alone are needed, and no scores."""
    return keep.counts_mistakes


@dataclass
class Accumulator(Generic[Kept]):
    """What a reduction has kept so far, unfinished; None: nothing yet."""

    keep: Reduction[Kept, object]
    total: Kept | None = None

    def add(self, part: Part) -> None:
        """Scores of at least one pair."""
        if len(part.test):
            self.include(self.keep.add(part))

    def include(self, other: Kept | None) -> None:
        """What was kept of other scores."""
        self.total = self.merge(self.total, other)

    def merge(self, a: Kept | None, b: Kept | None) -> Kept | None:
        """Two keepsakes as one."""
        return b if a is None else a if b is None else self.keep.merge(a, b)


def reduced(parts: Iterable[Part], keep: Reduction[Kept, object]) -> Kept | None:
    """What a reduction keeps of parts that come one after the other, unfinished; None of no part."""
    accumulator = Accumulator(keep)
    for part in parts:
        accumulator.include(keep.add(part))
    return accumulator.total


class Scored(NamedTuple):
    """All pairs of one setting, by layer, then row, then test; `row` is None where every row is tested once."""

    row: Index | None
    test: Codes
    scores: Array
    predicted: Codes
    priors: Array  # (T, K)
    posterior: bool


Parts = dict[int, list[Part]]  # of every setting


class CollectedParts(BaseReduction):
    """Reductions that hold the parts of every setting as they are."""

    keeps_scores: ClassVar[bool] = True

    def add(self, part: Part) -> Parts:
        return {part.setting: [part]}

    def merge(self, a: Parts, b: Parts) -> Parts:
        for setting, parts in b.items():
            a.setdefault(setting, []).extend(parts)
        return a


class AllParts(CollectedParts):
    """The parts of every setting as they are."""

    def finish(self, total: Parts | None) -> Parts:
        return total or {}


@dataclass(frozen=True)
class AllScores(CollectedParts):
    """Every score, of S settings; None for settings without a pair."""

    splits: Splits
    settings: int
    n_rows: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "splits", self.splits.scheme)  # what travels is not as long as the rows

    def finish(self, total: Parts | None) -> list[Scored | None]:
        parts = total or {}
        return [self._in_order(Part.joined(parts[s])) if s in parts else None for s in range(self.settings)]

    def _in_order(self, part: Part) -> Scored:
        layer = self.splits.layer[self.splits.model]  # of each test
        once = self._once(part.row)
        ordered = once and self.splits.n_layers == 1
        if not ordered and not _core.folds.pairs_ascend(layer, part.row, part.test, thread_count()):
            part = part.take(np.lexsort((part.test, part.row, layer[part.test])))
            once = self._once(part.row)
        predicted = predicted_of(part)
        scores = part.scores if part.posterior else settled_margins(part.scores)
        return Scored(None if once else part.row, part.test, scores, predicted, part.priors, part.posterior)

    def _once(self, row: Index) -> bool:
        """Whether every row is there once, in order."""
        return len(row) == self.n_rows and _core.folds.every_row_once(row)


def settled_margins(scores: Array) -> Array:
    """Margins as numbers: in every row a class that training never saw lies below all others.

    Of two classes, half the difference and its negative, as `decision_function` of a fit gives them.
    """
    absent = np.isneginf(scores)
    if absent.any():
        least = np.where(absent, np.inf, scores).min(axis=1, keepdims=True)
        scores = np.where(absent, np.where(np.isfinite(least), least, 0.0) - 1.0, scores)
    if scores.shape[1] == 2:
        scores = scores - scores.mean(axis=1, keepdims=True)
    return scores


Sums = dict[int, Array]  # of every setting


class SettingSums(BaseReduction):
    """Reductions that add up an array for every setting."""

    settings: int

    @property
    def shape(self) -> tuple[int, ...]:
        """That of the array of one setting."""
        raise NotImplementedError

    def merge(self, a: Sums, b: Sums) -> Sums:
        for setting, sums in b.items():
            a[setting] = a[setting] + sums if setting in a else sums
        return a

    def finish(self, total: Sums | None) -> Array:
        out = np.zeros((self.settings, *self.shape))
        for setting, sums in (total or {}).items():
            out[setting] = sums
        return out


@dataclass(frozen=True)
class Losses(SettingSums):
    """Sums over the rows of every (setting, group of tests, class): (S, G, K, 5) of w, w l, w², w² l and w² l².

    Attributes
    ----------
    settings : int
    n_classes : int
    of : (T,)
        Group of each test, such as 1 + its parent; -1: left out.
    loss : LossMatrix, optional
        Zero-one where there is none. Posteriors decide for the least risk; margins for the class that they predict.
    priors : (K,), optional
        Class probabilities to decide under.
    """

    settings: int
    n_classes: int
    of: Codes
    loss: LossMatrix | None = None
    priors: Array | None = None

    @property
    def n_groups(self) -> int:
        return int(self.of.max()) + 1

    @property
    def shape(self) -> tuple[int, ...]:
        return self.n_groups, self.n_classes, 5

    @property
    def counts_mistakes(self) -> bool:
        """Whether it needs decisions alone, and no score."""
        return self.loss is None

    @property
    def decides_inside(self) -> bool:
        """Whether a choice inside training sets is by the decisions of models as they are."""
        return self.loss is None and self.priors is None

    def add(self, part: Part) -> dict[int, Array]:
        actions, at = decided_of(part, self.loss, self.priors), self._places[part.test] + part.codes
        if (self.of < 0).any():
            used = self.of[part.test] >= 0
            part, actions, at = part.take(used), actions[used], at[used]
        size = self.n_groups * self.n_classes
        if self.loss is None and part.weight is None:  # whole numbers, and all powers of 1 are 1
            rows, wrong = (
                np.bincount(at, minlength=size),
                np.bincount(at[actions != part.codes], minlength=size),
            )
            sums = np.stack([rows, wrong, rows, wrong, wrong], axis=-1).astype(np.float64)
        else:
            lost = lost_by(actions, part.codes, self.loss)
            weight = np.ones(len(lost)) if part.weight is None else part.weight
            w2 = weight * weight
            powers = (weight, weight * lost, w2, w2 * lost, w2 * lost * lost)
            sums = np.stack([np.bincount(at, values, size) for values in powers], axis=-1).astype(np.float64)
        return {part.setting: sums.reshape(self.shape)}

    @cached_property
    def _places(self) -> Index:
        """Where the sums of each test begin, (T,)."""
        return np.maximum(self.of, 0).astype(np.int64) * self.n_classes

    def sums(self, of_settings: dict[int, Array]) -> dict[int, Array]:
        """Sums (G, K, 5) that somebody counted without scores, as they are kept."""
        return of_settings


@dataclass(frozen=True)
class SomeParts(AllParts):
    """The parts of some tests.

    Attributes
    ----------
    stored : (T,)
        Tests whose scores are kept.
    """

    stored: Mask

    def add(self, part: Part) -> Parts:
        these = self.stored[part.test]
        return {part.setting: [part.take(these)]} if these.any() else {}


@dataclass(frozen=True)
class LossesAnd(Losses):
    """Losses, and what others keep of the same scores as long as scores are made at all.

    Of settings whose mistakes are counted without scores the others keep nothing.
    """

    others: tuple[Reduction[Any, object], ...] = ()

    def add(self, part: Part) -> Any:
        return super().add(part), [keep.add(part) for keep in self.others]

    def sums(self, of_settings: dict[int, Array]) -> Any:
        return of_settings, [None] * len(self.others)

    def merge(self, a: Any, b: Any) -> Any:
        kept = zip(self.others, a[1], b[1], strict=True)
        return super().merge(a[0], b[0]), [Accumulator(keep).merge(x, y) for keep, x, y in kept]

    def finish(self, total: Any) -> Any:
        sums, kept = total or ({}, [None] * len(self.others))
        return super().finish(sums), [keep.finish(x) for keep, x in zip(self.others, kept, strict=True)]


@dataclass(frozen=True)
class RowLosses(SettingSums):
    """Sums of the losses of every row over its tests, each times its factor, (S, N): where rows are tested repeatedly.

    Attributes
    ----------
    factor : (T,)
        What the loss of each test counts; 0: left out.
    loss, priors : as in `Losses`
    """

    settings: int
    n_rows: int
    factor: Array
    loss: LossMatrix | None = None
    priors: Array | None = None

    def add(self, part: Part) -> dict[int, Array]:
        lost = self.factor[part.test] * losses_of(part, self.loss, self.priors)
        return {part.setting: np.bincount(part.row, lost, self.n_rows).astype(np.float64)}

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.n_rows,)


@dataclass(frozen=True)
class Several(BaseReduction):
    """What several reductions keep of the same scores."""

    reductions: tuple[Reduction[Any, object], ...]

    @property
    def decides_inside(self) -> bool:
        return all(keep.decides_inside is not False for keep in self.reductions)

    def add(self, part: Part) -> list[object]:
        return [keep.add(part) for keep in self.reductions]

    def merge(self, a: list[object], b: list[object]) -> list[object]:
        return [keep.merge(x, y) for keep, x, y in zip(self.reductions, a, b, strict=True)]

    def finish(self, total: list[object] | None) -> list[Any]:
        totals = [None] * len(self.reductions) if total is None else total
        return [keep.finish(own_total) for keep, own_total in zip(self.reductions, totals, strict=True)]
