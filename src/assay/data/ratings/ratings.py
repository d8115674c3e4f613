"""Who rated what, and how: ratings of items by users, most of which nobody has given.

They come as a list with a line for each rating (user, item, rating) or as a matrix with a row for each user and a
column for each item, blank where there is no rating. Names of users and items are kept as text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from assay.data.convert import number_text
from assay.notes import Note
from assay.types import Array, Codes, Index, Mask

DUPLICATES = ("refuse", "mean", "first", "last")


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings sorted by user, and by item within each user.

    Attributes
    ----------
    users, items : tuple of str
        Names, in the order of first occurrence.
    first : int64 array (users + 1,)
        The ratings of user u are those from ``first[u]`` to ``first[u + 1]``.
    item : int32 array
        The item of each rating.
    value : float64 array
        The ratings.
    notes : tuple of str
        Rows left out and ratings merged.
    order : int64 array or None
        Position of each rating in the source; None: they are in the order of the source.

    Examples
    --------
    >>> ratings = Ratings.of({"Ann": {"Alien": 5, "Up": 2}, "Bob": {"Up": 4}})
    >>> ratings.n_users, ratings.n_items, ratings.n_ratings
    (2, 2, 3)
    >>> ratings.of_user("Ann")
    {'Alien': 5.0, 'Up': 2.0}
    """

    users: tuple[str, ...]
    items: tuple[str, ...]
    first: Index
    item: Codes
    value: Array
    notes: tuple[str, ...] = ()
    order: Index | None = field(default=None, metadata={"later": "older files do not have it"})

    @classmethod
    def of(cls, given: Mapping[object, Mapping[object, float]]) -> Ratings:
        """From a dictionary of dictionaries: user, item, rating."""
        users = [str(user) for user, ratings in given.items() for _ in ratings]
        items = [str(item) for ratings in given.values() for item in ratings]
        values = [
            _number(value, user, item) for user, ratings in given.items() for item, value in ratings.items()
        ]
        collected = collect(users, items, np.array(values, dtype=np.float64), "refuse", "the dictionary")
        silent = [str(user) for user, ratings in given.items() if not ratings]
        return collected.with_users(silent) if silent else collected

    @property
    def n_users(self) -> int:
        return len(self.users)

    @property
    def n_items(self) -> int:
        return len(self.items)

    @property
    def n_ratings(self) -> int:
        return len(self.value)

    @property
    def user(self) -> Codes:
        """The user of each rating."""
        return np.repeat(np.arange(self.n_users, dtype=np.int32), np.diff(self.first))

    def of_user(self, name: object) -> dict[str, float]:
        """What a user has rated."""
        at = place_of(self.users, name, "user")
        positions = slice(self.first[at], self.first[at + 1])
        names = (self.items[i] for i in self.item[positions])
        return dict(zip(names, self.value[positions].tolist(), strict=True))

    def with_users(self, silent: Sequence[str]) -> Ratings:
        """The same ratings and users who have given none."""
        first = np.append(self.first, np.full(len(silent), self.first[-1]))
        return replace(self, users=(*self.users, *silent), first=first)

    def part(self, kept: Mask) -> Ratings:
        """Some of the ratings, of the same users and items."""
        first = np.concatenate(([0], np.cumsum(kept)))[self.first].astype(np.int64)
        order = None if self.order is None else _ranks(self.order[kept])
        return replace(self, first=first, item=self.item[kept], value=self.value[kept], order=order)


def place_of(names: Sequence[str], name: object, what: str) -> int:
    """Where a user or an item stands; one sentence if there is no such name."""
    text = number_text(name) if isinstance(name, float) else str(name)
    try:
        return names.index(text)
    except ValueError:
        examples = ", ".join(map(repr, names[:3])) + (", ..." if len(names) > 3 else "")
        raise ValueError(Note("D070", kind=what, name=text, examples=examples)) from None


def _number(value: float, user: object, item: object) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = np.nan
    if not np.isfinite(number):
        raise ValueError(Note("D067", user=user, item=item, value=value))
    return number


def collect(
    users: Sequence[str],
    items: Sequence[str],
    values: Array,
    duplicates: str,
    source: str,
    places: Callable[[int], str] | None = None,
) -> Ratings:
    """Ratings from three columns; `places` tells where row number i stands in the source.

    Two ratings of one item by one user are refused, or become their mean, the first or the last of them.
    """
    if duplicates not in DUPLICATES:
        raise ValueError(Note("D068", duplicates=duplicates, allowed=list(DUPLICATES)))
    user_names, user = _codes(users)
    item_names, item = _codes(items)
    if len(values) == 0:
        raise ValueError(Note("D069", source=source))
    order = np.lexsort((item, user))  # stable: equal pairs stay in the order of the source
    user, item, values = user[order], item[order], values[order]
    again = (np.diff(user) == 0) & (np.diff(item) == 0)
    notes: tuple[str, ...] = ()
    if again.any():
        if duplicates == "refuse":
            raise _duplicate(order, again, (user_names, user), (item_names, item), source, places)
        user, item, values = _merge(user, item, values, again, duplicates)
        order = order[np.concatenate(([True], ~again))]  # of merged ratings the place of the first
        notes = (_merged(int(again.sum()), duplicates),)
    first = np.concatenate(([0], np.cumsum(np.bincount(user, minlength=len(user_names))))).astype(np.int64)
    value = np.ascontiguousarray(values, np.float64)
    return Ratings(user_names, item_names, first, item.astype(np.int32), value, notes, _ranks(order))


def _ranks(places: NDArray[np.integer]) -> Index | None:
    """Place of each among them all; None where they are in order."""
    if (np.diff(places) > 0).all():
        return None
    ranks = np.empty(len(places), dtype=np.int64)
    ranks[np.argsort(places)] = np.arange(len(places))
    return ranks


def _codes(names: Sequence[str]) -> tuple[tuple[str, ...], Index]:
    """Names in the order in which they first come, and the number of each row's."""
    import pyarrow as pa

    array = names if isinstance(names, pa.Array | pa.ChunkedArray) else pa.array(names, pa.large_string())
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if isinstance(array, pa.ChunkedArray):  # some versions keep the chunk
        array = array.chunk(0) if array.num_chunks else pa.array([], pa.large_string())
    encoded = array.dictionary_encode()
    codes = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return tuple(encoded.dictionary.to_pylist()), codes


def _merge(
    user: Index,
    item: Index,
    values: Array,
    again: Mask,
    duplicates: str,
) -> tuple[Index, Index, Array]:
    starts = np.flatnonzero(np.concatenate(([True], ~again)))
    if duplicates == "mean":
        counts = np.diff(np.append(starts, len(values)))
        merged = np.add.reduceat(values, starts) / counts
    elif duplicates == "first":
        merged = values[starts]
    else:
        merged = values[np.append(starts[1:], len(values)) - 1]
    return user[starts], item[starts], merged


def _merged(count: int, duplicates: str) -> Note:
    return Note("D231", repeated=count, rule=duplicates)


def _duplicate(
    order: NDArray[np.intp],
    again: Mask,
    users: tuple[Sequence[str], Index],
    items: tuple[Sequence[str], Index],
    source: str,
    places: Callable[[int], str] | None,
) -> ValueError:
    """The sentence about the pair that is repeated first in the source."""
    seconds = np.flatnonzero(again) + 1
    at = seconds[np.argmin(order[seconds])]
    rows = int(order[at - 1]), int(order[at])
    earlier, later = (f"row {row + 1}" if places is None else places(row) for row in rows)
    who, what = users[0][users[1][at]], items[0][items[1][at]]
    place = later[0].upper() + later[1:]
    return ValueError(Note("D066", place=place, source=source, item=what, user=who, earlier=earlier))
