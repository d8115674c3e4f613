"""What becomes of scores. A reduction runs beside the rows, and only what it keeps travels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from assay.sharing.splits import Splits
from assay.types import Codes, Floats, Index

Result = TypeVar("Result", covariant=True)


class Part(NamedTuple):
    """Scores of P (row, test) pairs of one setting, from a block or from a model.

    Scores are log posteriors, or margins where `posterior` is False; -inf where the training set has no weight of the
    class. `predicted` is None where the largest score wins, the first of equals. `priors` (T, K) are the class
    probabilities of each test's model; lines of tests that are not in this part mean nothing.
    """

    setting: int
    row: Index
    test: Codes
    scores: Floats
    predicted: Codes | None
    codes: Codes
    weight: Floats | None
    priors: Floats
    posterior: bool


class Reduction(Protocol[Result]):
    """What to keep of the parts, how two keepsakes become one, and what they are at the end."""

    def add(self, part: Part) -> Any: ...
    def merge(self, a: Any, b: Any) -> Any: ...
    def finish(self, total: Any) -> Result: ...


def reduced(parts: Iterable[Part], keep: Reduction[Any]) -> Any:
    """What a reduction keeps of parts that come one after the other, unfinished; None of no part."""
    total = None
    for part in parts:
        kept = keep.add(part)
        total = kept if total is None else keep.merge(total, kept)
    return total


def predicted_of(part: Part) -> Codes:
    """The class that each pair is given."""
    return part.scores.argmax(axis=1).astype(np.int32) if part.predicted is None else part.predicted


class Scored(NamedTuple):
    """All pairs of one setting, by layer, then row, then test; `row` is None where every row is tested once."""

    row: Index | None
    test: Codes
    scores: Floats
    predicted: Codes
    priors: Floats  # (T, K)
    posterior: bool


@dataclass(frozen=True)
class AllScores:
    """Every score, of S settings; None for settings without a pair."""

    splits: Splits
    settings: int
    n_rows: int

    def add(self, part: Part) -> dict[int, list[Part]]:
        return {part.setting: [part]}

    def merge(self, a: dict[int, list[Part]], b: dict[int, list[Part]]) -> dict[int, list[Part]]:
        for setting, parts in b.items():
            a.setdefault(setting, []).extend(parts)
        return a

    def finish(self, total: dict[int, list[Part]] | None) -> list[Scored | None]:
        found = total or {}
        return [self._joined(found[s]) if s in found else None for s in range(self.settings)]

    def _joined(self, parts: list[Part]) -> Scored:
        row, test = _together([part.row for part in parts]), _together([part.test for part in parts])
        scores = _together(
            [part.scores if part.posterior else settled_margins(part.scores) for part in parts]
        )
        predicted = _together([predicted_of(part) for part in parts])
        priors = parts[0].priors
        if any(part.priors is not priors for part in parts):
            priors = priors.copy()
            for part in parts:
                own = np.unique(part.test)
                priors[own] = part.priors[own]
        layer = self.splits.layer[self.splits.model[test]]
        if not _ascending(layer, row, test):
            order = np.lexsort((test, row, layer))
            row, test, scores, predicted = row[order], test[order], scores[order], predicted[order]
        once = len(row) == self.n_rows and bool((row == np.arange(self.n_rows)).all())
        posterior = all(part.posterior for part in parts)
        return Scored(None if once else row, test, scores, predicted, priors, posterior)


def _together(arrays: list[Any]) -> Any:
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def _ascending(layer: Codes, row: Index, test: Codes) -> bool:
    """Whether pairs are sorted by layer, then row, then test."""
    later = np.diff(layer) > 0
    same = np.diff(layer) == 0
    further, alike = np.diff(row) > 0, np.diff(row) == 0
    return bool((later | (same & (further | (alike & (np.diff(test) > 0))))).all())


def settled_margins(scores: Floats) -> Floats:
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


@dataclass(frozen=True)
class Losses:
    """Sums over the rows of every (setting, group of tests, class): (S, G, K, 5) of w, w l, w², w² l and w² l².

    Attributes
    ----------
    settings : int
    n_classes : int
    of : (T,)
        Group of each test, such as 1 + its parent; -1: left out.
    loss : (K, A), optional
        loss[true, action]; zero-one where there is none.
    action_of : (K,), optional
        The action that stands for each class, for models without posteriors.
    priors : (K,), optional
        Class probabilities to decide under.
    """

    settings: int
    n_classes: int
    of: Codes
    loss: Floats | None = None
    action_of: Codes | None = None
    priors: Floats | None = None

    @property
    def n_groups(self) -> int:
        return int(self.of.max()) + 1

    @property
    def counts_mistakes(self) -> bool:
        """Whether it needs decisions alone, and no score."""
        return self.loss is None

    def add(self, part: Part) -> dict[int, Floats]:
        lost = self.losses(part)
        place = self.of[part.test]
        weight = np.ones(len(lost)) if part.weight is None else part.weight
        at, size = place * self.n_classes + part.codes, self.n_groups * self.n_classes
        if (place < 0).any():
            used = place >= 0
            at, lost, weight = at[used], lost[used], weight[used]
        w2 = weight * weight
        powers = (weight, weight * lost, w2, w2 * lost, w2 * lost * lost)
        return {part.setting: np.stack([np.bincount(at, values, size) for values in powers], axis=-1)}

    def losses(self, part: Part) -> Floats:
        """Loss of each pair."""
        scores = part.scores
        if part.posterior and self.priors is not None:
            with np.errstate(divide="ignore", invalid="ignore"):
                change = np.log(self.priors) - np.log(part.priors)
            scores = scores + np.where(np.isnan(change), -np.inf, change)[part.test]
        if self.loss is None:
            best = predicted_of(part) if scores is part.scores else scores.argmax(axis=1)
            return np.asarray(best != part.codes, dtype=np.float64)
        if not part.posterior:
            assert self.action_of is not None
            return np.asarray(self.loss[part.codes, self.action_of[predicted_of(part)]])
        with np.errstate(invalid="ignore"):
            weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        risk = (weights / weights.sum(axis=1, keepdims=True)) @ self.loss
        return np.asarray(self.loss[part.codes, risk.argmin(axis=1)])

    def merge(self, a: dict[int, Floats], b: dict[int, Floats]) -> dict[int, Floats]:
        for setting, sums in b.items():
            a[setting] = a[setting] + sums if setting in a else sums
        return a

    def finish(self, total: dict[int, Floats] | None) -> Floats:
        out = np.zeros((self.settings, self.n_groups, self.n_classes, 5))
        for setting, sums in (total or {}).items():
            out[setting] = sums.reshape(out.shape[1:])
        return out
