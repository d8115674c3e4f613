"""How wrong predicted ratings are: RMSE and MAE on ratings left out, for every setting from one pass, no refits.

Leave-one-out takes one rating of one user away at a time; k-fold takes a fold of ratings away, from the users asked
and from their critics alike. Both are what a new `fit` on the other ratings would give: similarities are added up
over what is left, leave-one-out by subtracting the one item from sums that are exact (see `codes`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from assay.data.ratings.ratings import Ratings
from assay.data.ratings.read_ratings import read_ratings
from assay.decision.intervals import Estimate, Interval
from assay.engines.local import thread_count
from assay.models.base.params import check_params
from assay.models.recommend.choices import PREDICTIONS, RECOMMENDER, SIMILARITIES
from assay.models.recommend.predictions import Known, predicted
from assay.models.recommend.rating_codes import Coded, Numbers
from assay.models.recommend.similarity import Critics, NeighborRatings, RatingRows, SimilarityOptions
from assay.notes import Note
from assay.numerics.random_state import RandomState
from assay.numerics.scalars import is_whole
from assay.plans.base import UNUSED, Partition, Plan
from assay.plans.kfold import KFold
from assay.plans.leave_one_out import LeaveOneOut
from assay.types import Integers

TARGETS = 8192  # users asked at a time, so that there is progress to show
ENTRIES = 2**22  # of rows repeated at a time
LABEL = "leaving one out"
Setting = tuple[str | None, str]


@dataclass(frozen=True)
class RatingError:
    """The error of one way to predict.

    Attributes
    ----------
    similarity : "euclidean", "pearson" or None (the item's mean needs none)
    prediction : str
    rmse, mae : Estimate
        Value, standard error and interval; users are taken to be drawn independently, their ratings not.
    n_ratings : int
        Ratings left out and predicted.
    unheard : int
        Of these, predicted by the item's mean because no similar user had rated the item.
    predicted : float64 array
        What was predicted for each rating, in the order in which they were given; NaN where it was never left out.
    """

    similarity: str | None
    prediction: str
    rmse: Estimate
    mae: Estimate
    n_ratings: int
    unheard: int
    predicted: Numbers


@dataclass(frozen=True)
class RatingErrors:
    """The errors of all ways that were tried, smallest RMSE first, and how they were measured."""

    errors: tuple[RatingError, ...]
    plan: str

    @property
    def best(self) -> RatingError:
        return self.errors[0]

    def of(self, similarity: str | None, prediction: str) -> RatingError:
        """The error of one way."""
        for error in self.errors:
            if error.prediction == prediction and (error.similarity == similarity or prediction == "mean"):
                return error
        raise ValueError(Note("M184", prediction=prediction, similarity=similarity))


def rating_errors(
    ratings: Any,
    plan: Any = 5,
    *,
    similarities: Sequence[str] = SIMILARITIES,
    predictions: Sequence[str] = PREDICTIONS,
    means: str = "co_rated",
    n_neighbors: int | None = 50,
    min_overlap: int = 1,
    shrinkage: float = 0.0,
    random_state: RandomState = 0,
    level: float = 0.95,
    progress: Any = None,
) -> RatingErrors:
    """RMSE and MAE of all similarities and predictions on ratings left out.

    Parameters
    ----------
    ratings : whatever `assay.read_ratings` reads
    plan : int, "leave_one_out" or a plan
        Number of folds of ratings, or a plan whose rows are the ratings, in the order in which they are given.
    means, n_neighbors, min_overlap, shrinkage : see `Recommender`
    random_state : int, None, RandomState or Generator
        Seed of the folds, where `plan` is their number.
    level : float
        Of the intervals.
    progress : function (label, done, total), optional

    Examples
    --------
    >>> films = {"Ann": {"A": 5, "B": 4, "C": 2}, "Bob": {"A": 1, "B": 3, "C": 3},
    ...          "Cid": {"A": 4, "B": 1, "C": 4}, "Dan": {"A": 1, "B": 2, "C": 5}}
    >>> found = rating_errors(films, "leave_one_out", predictions=["mean"])
    >>> round(found.best.rmse.value, 4)
    1.8359
    """
    given = dict(means=means, n_neighbors=n_neighbors, min_overlap=min_overlap, shrinkage=shrinkage)
    for similarity in similarities:
        for prediction in predictions:
            check_params(
                "rating_errors", RECOMMENDER, {"similarity": similarity, "prediction": prediction, **given}
            )
    if not len(similarities) or not len(predictions):
        raise ValueError(Note("M185"))
    table = read_ratings(ratings)
    settings = _settings(similarities, predictions)
    work = _Work(table, settings, SimilarityOptions(n_neighbors, min_overlap, shrinkage, means), progress)
    if plan in (LeaveOneOut(), "leave_one_out"):
        _refuse_few(table, 2)
        work.leave_one_out()
        named = "leave-one-out"
    else:
        drawn = _plan(plan, random_state, table)
        work.folds(drawn.partitions(np.zeros(table.n_ratings, dtype=np.int32)))
        named = f"{drawn.get_n_splits(table.value)}-fold"
    return RatingErrors(work.errors(level), named)


def _settings(similarities: Sequence[str], predictions: Sequence[str]) -> list[Setting]:
    heard = [name for name in predictions if name != "mean"]
    settings: list[Setting] = [(similarity, name) for similarity in similarities for name in heard]
    return settings + ([(None, "mean")] if "mean" in predictions else [])


def _plan(plan: Any, random_state: RandomState, ratings: Ratings) -> Plan:
    if isinstance(plan, Plan):
        return plan
    if not is_whole(plan):
        raise ValueError(Note("M186", plan=plan))
    _refuse_few(ratings, int(plan), int(plan))
    return KFold(int(plan), stratified=False, random_state=random_state)


def _refuse_few(ratings: Ratings, least: int, n_folds: int | None = None) -> None:
    """Enough ratings for so many folds, or (None) for leave-one-out."""
    if ratings.n_ratings < least:
        values = {"ratings": ratings.n_ratings, "least": least}
        raise ValueError(Note("M187", values=values) if n_folds is None else Note("M719", values=values))


class _Work:
    """Squared and absolute errors of every rating and setting, summed over the times it was left out."""

    def __init__(
        self, ratings: Ratings, settings: list[Setting], how: SimilarityOptions, progress: Any
    ) -> None:
        self.ratings, self.settings, self.how, self.tell = (
            replace(ratings, order=None),
            settings,
            how,
            progress,
        )
        self.order = np.arange(ratings.n_ratings) if ratings.order is None else ratings.order
        self.similarities = tuple(dict.fromkeys(s for s, _ in settings if s is not None))
        shape = len(settings), ratings.n_ratings
        self.sum, self.square, self.absolute = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        self.unheard = np.zeros(len(settings), dtype=np.int64)
        self.times = np.zeros(ratings.n_ratings)

    def leave_one_out(self) -> None:
        critics = Critics(self.ratings)
        known = Known.one_out(critics)
        heard = None
        if self.similarities:
            rows = critics.rows
            who = np.arange(len(rows), dtype=np.int32)
            if critics.coded.whole:
                heard = self._ask(critics, rows, who, rows, LABEL, (0, 1), one_out=True)
            else:
                heard = self._one_by_one(critics)
        self._add(np.arange(self.ratings.n_ratings), heard, known, critics.coded)

    def _one_by_one(self, critics: Critics) -> NeighborRatings:
        """Where sums are not exact nothing is subtracted: a target for each rating, some users at a time."""
        rows, parts = critics.rows, []
        block = np.cumsum(np.diff(rows.first) ** 2) // ENTRIES
        for b in np.unique(block):
            begin, end = np.searchsorted(block, [b, b + 1])
            at = int(begin), len(rows)
            parts.append(self._ask(critics, *_expanded(rows, int(begin), int(end)), LABEL, at))
        return _joined(parts)

    def folds(self, partitions: Sequence[Partition]) -> None:
        total = sum(part.n_folds for part in partitions)
        done = 0
        for part in partitions:
            fold = part.fold[self.order]  # rows of a plan are in the order in which ratings were given
            for f in range(part.n_folds):
                self._fold(fold == f, (fold != f) & (fold != UNUSED), (done, total))
                done += 1

    def _fold(self, test: NDArray[np.bool_], train: NDArray[np.bool_], at: tuple[int, int]) -> None:
        if not train.any() or not test.any():
            raise ValueError(Note("M189"))
        left = self.ratings.part(train)
        critics, test_ratings = Critics(left), self.ratings.part(test)
        users = np.flatnonzero(np.diff(test_ratings.first)).astype(np.int32)
        heard = None
        if self.similarities:
            targets = critics.rows.take(users)
            questions = RatingRows(
                np.append(test_ratings.first[users], len(test_ratings.item)),
                test_ratings.item,
                critics.rows.code,
            )
            heard = self._ask(critics, targets, users, questions, f"fold {at[0] + 1} of {at[1]}", at)
        known = Known.of(critics, critics.sums.take(test_ratings.user), test_ratings.item)
        self._add(np.flatnonzero(test), heard, known, critics.coded)

    def _ask(
        self,
        critics: Critics,
        targets: RatingRows,
        itself: NDArray[np.int32],
        questions: RatingRows,
        label: str,
        at: tuple[int, int],
        one_out: bool = False,
    ) -> NeighborRatings:
        """All questions, some thousand users at a time."""
        parts = []
        size = TARGETS // 16 if one_out else TARGETS
        for begin in range(0, len(targets), size):
            end = min(begin + size, len(targets))
            if self.tell is not None:
                share = (at[0] + begin / len(targets)) / at[1]
                self.tell(label, round(1000 * share), 1000)
            entries = slice(questions.first[begin], questions.first[end])
            batch = RatingRows(
                questions.first[begin : end + 1] - questions.first[begin],
                questions.item[entries],
                questions.code,
            )
            parts.append(
                critics.ask(
                    targets.slice(begin, end),
                    itself[begin:end],
                    batch,
                    self.how,
                    self.similarities,
                    one_out,
                    threads=thread_count(),
                )
            )
        return _joined(parts)

    def _add(
        self, which: NDArray[np.intp], heard: NeighborRatings | None, known: Known, coded: Coded
    ) -> None:
        truth = self.ratings.value[which]
        self.times[which] += 1
        for at, (similarity, prediction) in enumerate(self.settings):
            place = 0 if similarity is None else self.similarities.index(similarity)
            guess = predicted(heard, place, known, prediction, coded)
            self.sum[at, which] += guess
            self.square[at, which] += (guess - truth) ** 2
            self.absolute[at, which] += np.abs(guess - truth)
            if heard is not None and similarity is not None:
                self.unheard[at] += int((heard.used[place] == 0).sum())

    def errors(self, level: float) -> tuple[RatingError, ...]:
        """Smallest RMSE first."""
        tested = self.times > 0
        times, user = self.times[tested], self.ratings.user[tested]
        errors = []
        for at, (similarity, prediction) in enumerate(self.settings):
            guess = np.full(len(tested), np.nan)
            guess[self.order[tested]] = self.sum[at, tested] / times
            square = clustered_mean(self.square[at, tested] / times, user, level)
            absolute = clustered_mean(self.absolute[at, tested] / times, user, level)
            errors.append(
                RatingError(
                    similarity,
                    prediction,
                    _root(square),
                    absolute,
                    int(tested.sum()),
                    round(int(self.unheard[at]) / max(1.0, float(times.mean()))),
                    guess,
                )
            )
        return tuple(sorted(errors, key=lambda error: error.rmse.value))


def _joined(parts: Sequence[NeighborRatings]) -> NeighborRatings:
    """Answers one after another."""
    names = ("weighted", "standard", "nearest", "used")
    return NeighborRatings(
        *(np.concatenate([getattr(part, name) for part in parts], axis=1) for name in names)
    )


def _expanded(rows: RatingRows, begin: int, end: int) -> tuple[RatingRows, NDArray[np.int32], RatingRows]:
    """A target for each rating of some users, with the others of its user; who it is, and what it asks."""
    user_rows = rows.slice(begin, end)
    lengths = np.diff(user_rows.first)
    user = np.repeat(np.arange(len(lengths)), lengths)
    sizes = lengths[user] - 1
    first = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    target = np.repeat(np.arange(len(user)), sizes)
    entry = user_rows.first[user[target]] + np.arange(first[-1]) - first[target]
    entry += entry >= target  # the one left out is stepped over
    questions = RatingRows(np.arange(len(user) + 1, dtype=np.int64), user_rows.item, user_rows.code)
    return (
        RatingRows(first, user_rows.item[entry], user_rows.code[entry]),
        (user + begin).astype(np.int32),
        questions,
    )


def clustered_mean(values: Numbers, cluster: Integers, level: float) -> Estimate:
    """Mean of values that come in clusters drawn independently, with Student's interval; NaN for one cluster."""
    if not 0 < level < 1:
        raise ValueError(Note("L010", confidence=level))
    mean = float(values.mean())
    sums = np.bincount(cluster, values - mean)[np.unique(cluster)]
    count = len(sums)
    if count < 2:
        return Estimate(mean, float("nan"), Interval(float("nan"), float("nan")))
    error = float(np.sqrt(count / (count - 1) * (sums**2).sum())) / len(values)
    reach = float(special.stdtrit(count - 1, 0.5 + level / 2)) * error
    return Estimate(mean, error, Interval(max(0.0, mean - reach), mean + reach))


def _root(square: Estimate) -> Estimate:
    """The root of a mean square, its interval with it."""
    value = float(np.sqrt(square.value))
    error = square.standard_error / (2 * value) if value > 0 else 0.0
    low, high = square.interval
    return Estimate(value, error, Interval(float(np.sqrt(low)), float(np.sqrt(high))))
