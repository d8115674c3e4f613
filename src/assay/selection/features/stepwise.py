"""Stepwise searches: forward, backward, and floating (Pudil, Novovičová, Kittler, 1994).

Forward adds the feature that helps most, backward drops the one that is missed least, and floating drops features
after every step forward for as long as that beats the best subset of the same size. Of equally good ones the first. A
search asks for losses and receives them, so that the searches inside many training sets ask together.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from assay.notes import Note
from assay.numerics.scalars import is_several, is_whole
from assay.selection.criteria import check_rule, least, tied, within_one_se
from assay.selection.features.feature_columns import FeatureColumns
from assay.types import Array

SEARCHES = ("forward", "backward", "floating")
Subset = tuple[int, ...]


class Moves(NamedTuple):
    """Features of which each is to be added to a subset, or dropped; no feature: the subset itself."""

    subset: Subset
    features: tuple[int, ...] = ()

    @property
    def subsets(self) -> list[Subset]:
        """The subsets whose losses are asked for."""
        return [self.moved(feature) for feature in self.features] or [self.subset]

    def moved(self, feature: int) -> Subset:
        """The subset with a feature added or dropped."""
        return tuple(sorted({feature}.symmetric_difference(self.subset)))


@dataclass(frozen=True)
class PathPoint:
    """A subset on the path, and its loss."""

    subset: Subset
    loss: float
    added: int | None = None
    dropped: int | None = None


Requests = Generator[Moves, Array, list[PathPoint]]


@dataclass(frozen=True)
class StepwiseSearch:
    """A search among so many features: those that stay, the subset where it begins, and the size where it ends."""

    search: str
    n_features: int
    fixed: Subset
    start: Subset
    target: int

    @classmethod
    def of(
        cls,
        features: FeatureColumns,
        search: str,
        size: int | None,
        most: int | None,
        start: Iterable[Hashable],
        fixed: Iterable[Hashable],
    ) -> Self:
        """The search for so many features, or along the whole path, as a call asks for it; checked."""
        start = list(start) if is_several(start) else start
        always = features.places(fixed, "fixed")
        begun = tuple(sorted({*features.places(start, "start"), *always}))
        if search == "backward" and not start:
            begun = tuple(range(len(features)))
        for name, value in (("n_features", size), ("most_features", most)):
            if value is not None and not is_whole(value, 1):
                raise ValueError(Note("S110", name=name, value=value))
        if size is not None:
            _check_size(size, search, len(features), len(always), len(begun))
            target = int(size)
        elif search == "backward":
            target = max(len(always), 1)
        else:
            target = len(features) if most is None else max(len(begun), min(int(most), len(features)))
        return cls(search, len(features), always, begun, target)

    def path(self) -> Requests:
        """Asks for losses, and returns the subsets on the path."""
        points: list[PathPoint] = []
        if self.start:
            (loss,) = yield Moves(self.start)
            points.append(PathPoint(self.start, float(loss)))
        best = {len(point.subset): point.loss for point in points}
        while self._goes_on(subset := points[-1].subset if points else ()):
            if self.search == "backward":
                points.append((yield from self._best_move(subset, self._loose(subset))))
                continue
            rest = tuple(feature for feature in range(self.n_features) if feature not in set(subset))
            points.append((yield from self._best_move(subset, rest)))
            while self.search == "floating":
                last = points[-1]
                best[len(last.subset)] = min(last.loss, best.get(len(last.subset), np.inf))
                loose = self._loose(last.subset)
                if len(loose) < 2 or len(last.subset) < 3:
                    break
                shorter = yield from self._best_move(last.subset, loose)
                if shorter.loss >= best.get(len(shorter.subset), np.inf):
                    break
                points.append(shorter)
        return points

    def _goes_on(self, subset: Subset) -> bool:
        if self.search == "backward":
            return len(subset) > self.target and bool(self._loose(subset))
        return len(subset) < self.target

    def _loose(self, subset: Subset) -> tuple[int, ...]:
        """Features that may go; one stays in any case."""
        return tuple(feature for feature in subset if feature not in self.fixed) if len(subset) > 1 else ()

    @staticmethod
    def _best_move(subset: Subset, features: tuple[int, ...]) -> Generator[Moves, Array, PathPoint]:
        """The best of the subsets with a feature moved."""
        moves = Moves(subset, features)
        losses = yield moves
        best = least(losses)
        feature, loss = features[best], float(losses[best])
        if feature in subset:
            return PathPoint(moves.moved(feature), loss, dropped=feature)
        return PathPoint(moves.moved(feature), loss, added=feature)

    @property
    def trials(self) -> int:
        """How many subsets the search will try; floating, at least."""
        begun = len(self.start)
        if self.search == "backward":
            return sum(range(self.target + 1, begun + 1))
        return sum(range(self.n_features - self.target + 1, self.n_features - begun + 1))


def check_search(search: str, rule: str) -> None:
    if search not in SEARCHES:
        raise ValueError(Note("S105", search=search))
    check_rule(rule)


def _check_size(size: int, search: str, count: int, fixed: int, begun: int) -> None:
    if size > count:
        raise ValueError(Note("S106", size=size, count=count))
    if size < fixed:
        raise ValueError(Note("S107", size=size, fixed=fixed))
    if search != "backward" and size < begun:
        raise ValueError(Note("S108", size=size, begun=begun))
    if search == "backward" and size > begun:
        raise ValueError(Note("S109", size=size, begun=begun))


def choose_point(
    path: Sequence[PathPoint], losses: Array, standard_errors: Array, rule: str, size: int | None
) -> int:
    """The place of the subset to use: the best of a size, or the one of the rule, the smallest of equally good ones."""
    sizes = np.array([len(point.subset) for point in path])
    if size is not None:
        places = np.flatnonzero(sizes == size)
        return int(places[losses[places].argmin()])
    good = tied(losses) if check_rule(rule) == "min" else within_one_se(losses, standard_errors)
    smallest = np.flatnonzero(good & (sizes == sizes[good].min()))
    return int(smallest[least(losses[smallest])])


def search_all(
    searches: Mapping[int, StepwiseSearch],
    losses: Callable[[dict[int, Moves]], dict[int, Array]],
    done: Callable[[int], None],
) -> dict[int, list[PathPoint]]:
    """The path of every search, all of them asking at the same time."""
    requests = {key: search.path() for key, search in searches.items()}
    paths: dict[int, list[PathPoint]] = {}
    answers: dict[int, Array | None] = dict.fromkeys(requests)
    while answers:
        moves: dict[int, Moves] = {}
        for key, answer in answers.items():
            try:
                moves[key] = requests[key].send(answer)  # type: ignore[arg-type]
            except StopIteration as end:
                paths[key] = end.value
        answers = {**losses(moves)} if moves else {}
        if trials := sum(len(move.features) for move in moves.values()):
            done(trials)
    return paths
