"""Which words speak for a class, which misled a model about a document, and an excerpt to see it in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.notes import Note
from assay.plans import Partition
from assay.types import Array, Estimator, Names

CLEARLY = float(
    np.log(2.0)
)  # odds from which a word is telling: "the" may be a little more frequent anywhere
EXCERPT, BEFORE = (
    260,
    80,
)  # characters shown of a text, and of those how many before the word that misled most


@dataclass(frozen=True, eq=False)
class TellingWords:
    """The words that speak for one class.

    Attributes
    ----------
    words : list of str
        Those that would be missed most, the strongest first.
    log_odds : array
        Of a word's share in the class against its share in the other classes.
    inside, outside : arrays
        Those shares, without smoothing.
    """

    words: list[str]
    log_odds: Array
    inside: Array
    outside: Array


def telling_words(
    counts: Any, total: Any, names: Sequence[str], smoothing: float, size: float, most: int
) -> list[TellingWords]:
    """The words of each class.

    They are ranked by p ln p/q, the part of a word in what tells texts of the class from others: rare words with
    large odds and common words with small ones both add little. All are at least twice as frequent in the class.

    Parameters
    ----------
    counts : (K, V)
        Of words, or of texts that hold them.
    total : (K,)
        What a share is of: all words, or all texts.
    smoothing, size
        Added to every count, and size times smoothing to the totals.
    """
    words_by_class = []
    for k in range(len(counts)):
        inside, rest = counts[k], counts.sum(axis=0) - counts[k]
        n, m = float(total[k]), float(total.sum() - total[k])
        p = (inside + smoothing) / (n + smoothing * size)
        q = (rest + smoothing) / (m + smoothing * size)
        odds = np.log(p) - np.log(q)
        pull = np.where((inside > 0) & (odds > CLEARLY), p * odds, 0.0)
        best = np.argsort(-pull, kind="stable")[:most]
        best = best[pull[best] > 0]
        best = best[np.argsort(-odds[best], kind="stable")]
        words_by_class.append(
            TellingWords(
                [str(names[j]) for j in best],
                odds[best],
                inside[best] / max(n, 1.0),
                rest[best] / max(m, 1.0),
            )
        )
    return words_by_class


def excerpt(text: str, word: str | None) -> str:
    """A part of a text in one line, around a word where it is found; signs that are not shown are blanks."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    at = -1 if word is None else line.lower().find(word)
    start = 0 if at <= BEFORE else max(0, min(at - BEFORE, len(line) - EXCERPT))
    part = line[start : start + EXCERPT]
    return ("…" if start else "") + part.strip() + ("…" if start + EXCERPT < len(line) else "")


@dataclass(frozen=True)
class Mistake:
    """A document misclassified with confidence: its row and classes, the log odds of the wrong one, its split."""

    row: int
    true: int
    predicted: int
    log_odds: float
    split: int


def surest_mistakes(
    rows: NDArray[np.intp] | None,
    split: NDArray[np.int32],
    log_posterior: Array,
    codes: NDArray[np.int32],
    most: int,
) -> list[Mistake]:
    """The wrongly classified rows whose wrong class had the largest odds against the true one, each row once.

    Parameters
    ----------
    rows, split : (M,)
        The row and the split of each tested pair; rows is None where every row is tested once, in order.
    """
    rows = np.arange(len(codes)) if rows is None else rows
    truth, predicted = codes[rows], log_posterior.argmax(axis=1)
    wrong = np.flatnonzero(truth != predicted)
    gap = log_posterior[wrong, predicted[wrong]] - np.maximum(log_posterior[wrong, truth[wrong]], -1e300)
    mistakes: dict[int, Mistake] = {}
    for i in np.argsort(-gap, kind="stable"):
        at = int(wrong[i])
        row = int(rows[at])
        if row not in mistakes:
            mistakes[row] = Mistake(row, int(truth[at]), int(predicted[at]), float(gap[i]), int(split[at]))
        if len(mistakes) == most:
            break
    return list(mistakes.values())


def training_rows(partitions: Sequence[Partition], split: int) -> NDArray[np.intp]:
    """The rows that the model of a split was trained on."""
    fold = split
    for partition in partitions:
        if fold < partition.n_folds:
            return partition.train_rows(fold)
        fold -= partition.n_folds
    raise ValueError(Note("M107", split=split, last=split - fold - 1))


def misleading(
    estimator: Estimator, names: Sequence[object] | Names, x: Any, said: int, true: int, most: int
) -> list[tuple[str, float]]:
    """The words of one document that spoke most for `said` against `true`, with their log odds.

    Parameters
    ----------
    estimator : fitted pipeline of a chooser of words and a model of words, or the model alone
    x : sparse row of counts
    said, true : positions among the model's classes
    """
    parts = [part for _, part in getattr(estimator, "steps", [("model", estimator)])]
    for step in parts[:-1]:
        x, names = step.transform(x), step.get_feature_names_out(names)
    model = parts[-1]
    weights = getattr(getattr(model, "_score_form", None), "weights", None)
    if weights is None:
        return []
    x = model._prepared(x)
    amounts = x.data * (weights[said, x.indices] - weights[true, x.indices])
    best = [int(i) for i in np.argsort(-amounts, kind="stable")[:most] if amounts[i] > 0]
    return [(str(names[x.indices[i]]), float(amounts[i])) for i in best]
