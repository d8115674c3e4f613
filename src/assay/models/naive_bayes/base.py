r"""What classifiers solved from counts share: fit = solve(counts), so parts merge, rows leave, folds share.

    P(l | C_k) = (c_kl + a) / Σ_l (c_kl + a)

c are the counts of levels or words in a class, a is the smoothing. Whole weights make whole counts, and what is
unlearned from them restores the model before it to the bit.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.decision.priors import class_priors, estimates_priors
from assay.models.base.category_codes import Levels, canonical
from assay.models.base.estimators import GenerativeClassifier, Tags, check_is_fitted
from assay.models.base.params import Param
from assay.models.base.stored import FROM_COUNTS, Field
from assay.models.base.validation import all_classes, check_given, check_several, feature_name, feature_names
from assay.notes import Note
from assay.statistics import Counts
from assay.types import Array, Labels, MatrixLike, PriorsLike, RowWeights

SMOOTHING = Param(
    "smoothing",
    "float",
    1.0,
    "Added to every count. With 0, what was never counted in a class rules the class out.",
    low=0.0,
)


@dataclass(frozen=True)
class Learned:
    """Counts with what they are counts of: classes, and for categorical columns their levels."""

    classes: Labels
    counts: Counts
    levels: Levels | None = None

    def over(self, classes: Labels, levels: Levels | None) -> Learned:
        """The same within longer lists of classes and levels."""
        counts = self.counts
        if len(classes) != len(self.classes):
            counts = counts.reclassed(np.searchsorted(classes, self.classes), len(classes))
        if levels is not None and self.levels is not None:
            position, end = [], 0
            for all_levels, learned_levels in zip(levels, self.levels, strict=True):
                position.append(end + np.searchsorted(all_levels, learned_levels))
                end += len(all_levels)
            counts = counts.placed(np.concatenate(position).astype(np.intp), end)
        return Learned(classes, counts, levels)

    def merged(self, other: Learned) -> Learned:
        """Both together, over the union of their classes and levels."""
        classes = np.unique(np.concatenate([self.classes, other.classes]))
        levels = None
        if self.levels is not None and other.levels is not None:
            levels = tuple(merge_levels(a, b) for a, b in zip(self.levels, other.levels, strict=True))
        one, two = self.over(classes, levels), other.over(classes, levels)
        return replace(one, counts=one.counts.merge(two.counts))

    def shed(self, before: Counts) -> Learned:
        """Without the classes and levels whose last row left the counts `before`."""
        class_index = np.flatnonzero((self.counts.rows > 0) | (before.rows == 0))
        if (self.counts.rows > 0).sum() < 2:
            raise ValueError(Note("M013"))
        whole = Learned(self.classes[class_index], self.counts.of_classes(class_index), self.levels)
        return whole if self.levels is None else whole._shed_levels()

    def _shed_levels(self) -> Learned:
        assert self.levels is not None
        present = self.counts.counts.sum(axis=0) > 0
        ends = np.cumsum([len(column_levels) for column_levels in self.levels])[:-1]
        levels = tuple(
            canonical(column_levels[keep])
            for column_levels, keep in zip(self.levels, np.split(present, ends), strict=True)
        )
        return Learned(self.classes, self.counts.select(np.flatnonzero(present)), levels)


def merge_levels(one: Labels, two: Labels) -> Labels:
    """Levels of either, sorted."""
    if not len(one) or not len(two):
        return one if len(one) else two
    return canonical(np.unique(np.concatenate([one, two])))


class CountedClassifier(GenerativeClassifier):
    """A classifier solved from counts; subclasses say what is counted and how it is solved."""

    solved_from: ClassVar[tuple[Field, ...]] = FROM_COUNTS

    smoothing: float
    priors: PriorsLike
    statistics_: Counts

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        assert tags.classifier_tags is not None
        tags.classifier_tags.poor_score = True  # on the blobs of the checks, which are no counts
        return tags

    def _count(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights, *, reset: bool) -> Learned:
        """Counts of rows, which are checked on the way."""
        raise NotImplementedError

    def _solve(self, seen: Learned) -> None:
        """Set the fitted attributes particular to the model."""
        raise NotImplementedError

    def read_counts(self) -> Any:
        """How rows are read and counted, for whoever counts many training sets at once."""
        return copy.copy(self)._reader()

    def _reader(self) -> Any:
        """The same by a reader that asks this very model."""
        raise NotImplementedError

    def _column_evidence(self, X: Any) -> Array:
        """ln p(x_j | C_k) of each column of rows as they are read, (N, K, columns)."""
        raise NotImplementedError

    def solve_counts(self, counts: Any, keys: Any) -> Any:
        """Models of M training sets from their counts (M, K, ...)."""
        raise NotImplementedError

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights = None) -> Self:
        """Fit from one pass over the rows.

        Parameters
        ----------
        X : table (N, D)
        y : array (N,)
            Labels of any type.
        sample_weight : array (N,), optional
        """
        self._check_params()
        check_given(self, y)
        seen = self._count(X, y, sample_weight, reset=True)
        check_several(seen.classes)
        return self._learn(seen)

    def partial_fit(
        self, X: MatrixLike, y: ArrayLike, classes: ArrayLike | None = None, sample_weight: RowWeights = None
    ) -> Self:
        """Learn further rows; the result equals one fit of all rows seen. Classes and levels may appear at any time."""
        self._check_params()
        check_given(self, y)
        first = not hasattr(self, "statistics_")
        seen = self._count(X, y, sample_weight, reset=first)
        if not first:
            return self._learn(self._learned().merged(seen))
        if classes is not None:
            seen = seen.over(all_classes(classes, seen.classes), seen.levels)
        return self._learn(seen)

    def merge(self, other: Self) -> Self:
        """Take in what another fitted model of the same kind learned from other rows."""
        self._check_mergeable(other)
        return self._learn(self._learned().merged(other._learned()))

    def forget(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights = None) -> Self:
        """Unlearn rows: the model becomes what it was without them, to the bit where weights are whole numbers.

        Levels and classes that lose their last row are gone. Refused when labels or counts show that the rows were
        never learned. This is arithmetic, not a privacy guarantee.
        """
        check_is_fitted(self)
        check_given(self, y)
        return self._unlearn(self._count(X, y, sample_weight, reset=False))

    def _unlearn(self, rows: Learned) -> Self:
        """Take out what was counted in rows."""
        learned = self._learned()
        for label in rows.classes.tolist():
            if label not in self.classes_:
                raise ValueError(Note("M018", label=label))
        self._check_levels_known(rows)
        leaving = rows.over(learned.classes, learned.levels).counts
        self._check_enough(leaving)
        return self._learn(replace(learned, counts=learned.counts.without(leaving)).shed(learned.counts))

    def _check_levels_known(self, rows: Learned) -> None:
        if rows.levels is None or self._learned().levels is None:
            return
        names = feature_names(self)
        for column, (known, given) in enumerate(zip(self._learned().levels or (), rows.levels, strict=True)):
            strange = sorted(set(given.tolist()) - set(known.tolist()))
            if strange:
                raise ValueError(Note("M137", strange=strange[0], feature_name=feature_name(names, column)))

    def _check_enough(self, leaving: Counts) -> None:
        """More than was learned cannot be forgotten."""
        statistics = self.statistics_
        for k in np.flatnonzero(leaving.rows > statistics.rows):
            raise ValueError(
                Note(
                    "M014", rows=leaving.rows[k], label=self.classes_.tolist()[k], learned=statistics.rows[k]
                )
            )
        if (leaving.weight > statistics.weight * (1 + 1e-12)).any():
            raise ValueError(Note("M015"))
        short = replace(statistics, counts=statistics.counts - leaving.counts).shortage(statistics)
        if short is not None:
            raise ValueError(
                Note(
                    "M132",
                    what=self._what(short[1]),
                    counted=statistics.counts[short],
                    label=self.classes_.tolist()[short[0]],
                    wanted=leaving.counts[short],
                )
            )

    def _what(self, position: int) -> str:
        """What stands at a position of the counts, for messages."""
        name = feature_name(feature_names(self), position)
        return name[0].upper() + name[1:]

    def with_priors(self, priors: PriorsLike) -> Self:
        """A copy of the fitted model under other class probabilities; nothing is refitted."""
        check_is_fitted(self)
        other = copy.copy(self)
        other.priors = priors
        return other._learn(self._learned())

    def _learned(self) -> Learned:
        return Learned(self.classes_, self.statistics_)

    def _learn_again(self, classes: Labels, counts: Counts) -> None:
        """Learn from counts that were stored; a clause says what about them cannot be."""
        wanted = self._n_counted()
        if counts.n_levels != wanted:
            raise ValueError(Note("M133", n_levels=counts.n_levels, wanted=wanted))
        self.classes_, self.statistics_ = classes, counts
        if not self._possible(counts):
            raise ValueError(Note("M134"))
        self._learn(self._learned())

    def _n_counted(self) -> int:
        """How many levels or words are counted."""
        return self.n_features_in_

    def _possible(self, counts: Counts) -> bool:
        """Whether rows of these weights can have these counts."""
        return True

    def _learn(self, seen: Learned) -> Self:
        """Solve from counts and keep them, for partial_fit, merge and forget."""
        counts = seen.counts.in_rows()
        self.class_prior_ = class_priors(self.priors, counts.weight)
        self.classes_, self.statistics_ = seen.classes, seen.counts
        self.class_count_ = counts.weight.astype(np.float64)
        self._solve(replace(seen, counts=counts))
        labels = [str(label) for label in seen.classes]
        unseen = [labels[k] for k in np.flatnonzero(seen.counts.weight == 0)]
        self.diagnostics_ = (*(Note("M301", label=label) for label in unseen), *self._difficulties(labels))
        return self

    def _difficulties(self, labels: list[str]) -> tuple[Note, ...]:
        """Notes about what was difficult, beyond classes without a row."""
        return ()

    def _prior_parameters(self) -> int:
        return len(self.classes_) - 1 if estimates_priors(self.priors) else 0

    def _label_log_likelihood(self) -> float:
        """Σ_k n_k ln P(C_k)."""
        seen = self.class_count_ > 0
        return float((self.class_count_[seen] * np.log(self.class_prior_[seen])).sum())


def log_shares(counts: Array, smoothing: float, size: int | None = None) -> Array:
    """ln (c + a) / Σ (c + a) over the last axis; where nothing was counted, equal shares: the limit of small a."""
    raised = counts + smoothing
    total = raised.sum(axis=-1, keepdims=True)
    size = counts.shape[-1] if size is None else size
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(total > 0, np.log(raised) - np.log(total), -np.log(max(size, 1))))


def or_priors(scores: Array, log_prior: Array, impossible: NDArray[np.bool_]) -> Array:
    """Scores with -inf where a class is impossible; a row that no class allows is left to the priors."""
    if impossible.any():
        scores[impossible] = -np.inf
        nothing = impossible.any(axis=1) & np.isneginf(scores).all(axis=1)
        scores[nothing] = np.broadcast_to(log_prior, scores.shape)[nothing]
    return scores
