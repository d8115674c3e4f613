"""Recommendations, best first, with the neighbours behind each prediction, their similarity and their ratings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.models.recommend.rating_codes import Numbers
from assay.models.recommend.similarity import Critics
from assay.notes import Note

NAMED = 3  # neighbours named in a sentence


@dataclass(frozen=True)
class NeighborVote:
    """A neighbour: similarity to the user, items both have rated, and the rating of the item."""

    critic: str
    similarity: float
    overlap: int
    rating: float


@dataclass(frozen=True)
class Recommendation:
    """An item for a user.

    Attributes
    ----------
    item : str
    rating : float
        As predicted.
    basis : "critics" or "item mean"
    critics : tuple of NeighborVote
        The neighbours whose ratings were used, most similar first.
    n_ratings : int
        Ratings that the item has.
    """

    item: str
    rating: float
    basis: str
    critics: tuple[NeighborVote, ...]
    n_ratings: int

    @property
    def reason(self) -> Note:
        """What the predicted rating rests on."""
        if not self.critics:
            return Note("D714", ratings=self.n_ratings, mean=self.rating)
        votes = tuple((vote.critic, vote.similarity, vote.rating) for vote in self.critics[:NAMED])
        if len(self.critics) > NAMED:
            return Note("D716", votes=votes, neighbors=len(self.critics))
        return Note("D715", votes=votes)


@dataclass(frozen=True)
class Recommendations(Sequence[Recommendation]):
    """Items for a user, best first.

    Attributes
    ----------
    user : str
    items : tuple of Recommendation
    notes : tuple of str
        Whether no similar user has rated the items, or there are fewer items than requested.
    """

    user: str
    items: tuple[Recommendation, ...]
    notes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, at: Any) -> Any:
        return self.items[at]

    def __iter__(self) -> Iterator[Recommendation]:
        return iter(self.items)


def ranked(
    model: Any,
    critics: Critics,
    candidates: NDArray[np.int32],
    values: Numbers,
    used: NDArray[np.int32],
    similarity: Numbers,
    common: NDArray[np.int32],
    user: str,
    n: int,
) -> Recommendations:
    """The best `n` of the items asked for, with their reasons; called by `Recommender.recommend`."""
    supported = used > 0 if model.prediction != "mean" else np.ones(len(candidates), dtype=bool)
    near = np.zeros(len(candidates))
    if model.prediction == "nearest":
        near = -_closest(critics, candidates, similarity)
    order = np.lexsort((candidates, -values, near, ~supported))[:n]
    limit = critics.n_users if model.n_neighbors is None else model.n_neighbors
    limit = 1 if model.prediction == "nearest" else limit
    names = model.ratings_
    counts = critics.item_sums.n
    items = []
    for at in order:
        item = int(candidates[at])
        voices: tuple[NeighborVote, ...] = ()
        if used[at]:
            voices = _voices(critics, item, similarity, common, names.users, limit)
        basis = "critics" if voices else "item mean"
        items.append(Recommendation(names.items[item], float(values[at]), basis, voices, int(counts[item])))
    return Recommendations(user, tuple(items), _notes(model, items, similarity, user, n, len(candidates)))


def _closest(critics: Critics, items: NDArray[np.int32], similarity: Numbers) -> Numbers:
    """The similarity of the nearest neighbour who rated each item."""
    most = np.zeros(critics.n_items)
    np.maximum.at(most, critics.rows.item, similarity[critics.user])
    return most[items]


def _voices(
    critics: Critics,
    item: int,
    similarity: Numbers,
    common: NDArray[np.int32],
    names: Sequence[str],
    limit: int,
) -> tuple[NeighborVote, ...]:
    """The neighbours whose ratings of an item were used, as the kernel chose them."""
    entries = np.flatnonzero(critics.rows.item == item)
    entries = entries[similarity[critics.user[entries]] > 0]
    users = critics.user[entries]
    best = np.lexsort((users, -similarity[users]))[:limit]
    ratings = critics.coded.ratings(critics.coded.code[entries[best]].astype(np.float64))
    return tuple(
        NeighborVote(names[u], float(similarity[u]), int(common[u]), float(rating))
        for u, rating in zip(users[best], ratings, strict=True)
    )


def _notes(
    model: Any, items: Sequence[Recommendation], similarity: Numbers, user: str, n: int, n_candidates: int
) -> tuple[Note, ...]:
    notes = []
    if not n_candidates:
        notes.append(Note("D710", user=user))
    elif n_candidates < n:
        notes.append(Note("D711", user=user, items=n_candidates))
    if model.prediction != "mean" and items:
        if not (similarity > 0).any():
            notes.append(Note("D712", user=user))
        elif any(item.basis == "item mean" for item in items):
            notes.append(Note("D713"))
    return tuple(notes)
