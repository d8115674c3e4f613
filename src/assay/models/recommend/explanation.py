"""Recommendations, best first, and why: which critics were heard, how alike they are, what they said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.models.recommend.rating_codes import Numbers
from assay.models.recommend.similarity import Critics
from assay.notes import Note

NAMED = 3  # critics named in a sentence


@dataclass(frozen=True)
class NeighborVote:
    """A critic who was heard: similarity to the user, items both have rated, and the rating of the item."""

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
        Those heard, most similar first.
    n_ratings : int
        Ratings that the item has.
    """

    item: str
    rating: float
    basis: str
    critics: tuple[NeighborVote, ...]
    n_ratings: int

    @property
    def reason(self) -> str:
        """One sentence."""
        if not self.critics:
            times = "1 rating" if self.n_ratings == 1 else f"{self.n_ratings} ratings"
            return f"the mean of {times}: {_said(self.rating)}."
        parts = [
            f"{voice.critic} ({'similarity ' if i == 0 else ''}{voice.similarity:.2f}) rated it {_said(voice.rating)}"
            for i, voice in enumerate(self.critics[:NAMED])
        ]
        rest = f"; {len(self.critics)} critics were heard" if len(self.critics) > NAMED else ""
        return ", ".join(parts) + rest + "."


@dataclass(frozen=True)
class Recommendations(Sequence[Recommendation]):
    """Items for a user, best first.

    Attributes
    ----------
    user : str
    items : tuple of Recommendation
    notes : tuple of str
        That no neighbour has evidence, that there are fewer items than requested.
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
    asked: NDArray[np.int32],
    values: Numbers,
    used: NDArray[np.int32],
    similarity: Numbers,
    common: NDArray[np.int32],
    user: str,
    n: int,
) -> Recommendations:
    """The best `n` of the items asked for, with their reasons; called by `Recommender.recommend`."""
    told = used > 0 if model.prediction != "mean" else np.ones(len(asked), dtype=bool)
    near = np.zeros(len(asked))
    if model.prediction == "nearest":
        near = -_closest(critics, asked, similarity)
    order = np.lexsort((asked, -values, near, ~told))[:n]
    limit = critics.n_users if model.n_neighbors is None else model.n_neighbors
    limit = 1 if model.prediction == "nearest" else limit
    names = model.ratings_
    counts = critics.item_sums.n
    items = []
    for at in order:
        item = int(asked[at])
        voices: tuple[NeighborVote, ...] = ()
        if used[at]:
            voices = _voices(critics, item, similarity, common, names.users, limit)
        basis = "critics" if voices else "item mean"
        items.append(Recommendation(names.items[item], float(values[at]), basis, voices, int(counts[item])))
    return Recommendations(user, tuple(items), _notes(model, items, similarity, user, n, len(asked)))


def _closest(critics: Critics, asked: NDArray[np.int32], similarity: Numbers) -> Numbers:
    """The similarity of the most similar critic who rated each item."""
    most = np.zeros(critics.n_items)
    np.maximum.at(most, critics.rows.item, similarity[critics.user])
    return most[asked]


def _voices(
    critics: Critics,
    item: int,
    similarity: Numbers,
    common: NDArray[np.int32],
    names: Sequence[str],
    limit: int,
) -> tuple[NeighborVote, ...]:
    """The critics who were heard on an item, as the kernel chose them."""
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
    model: Any, items: Sequence[Recommendation], similarity: Numbers, user: str, n: int, asked: int
) -> tuple[Note, ...]:
    notes = []
    if not asked:
        notes.append(Note("C702", user=user))
    elif asked < n:
        notes.append(Note("C703", user=user, items=asked))
    if model.prediction != "mean" and items:
        if not (similarity > 0).any():
            notes.append(Note("C704", user=user))
        elif any(item.basis == "item mean" for item in items):
            notes.append(Note("C705"))
    return tuple(notes)


def _said(rating: float) -> str:
    """A rating with the digits that people read."""
    return f"{rating:.2f}".rstrip("0").rstrip(".")
