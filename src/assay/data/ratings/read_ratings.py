"""Ratings from whatever holds them: files, databases, frames, arrays, sparse matrices, dictionaries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from assay.data.convert import MisfitError, plain, to_numbers, to_text
from assay.data.ratings.ratings import Ratings, collect
from assay.data.read import open_stream
from assay.data.schema import unknown_column
from assay.data.sources.stream import Stream
from assay.notes import Note
from assay.numerics.scalars import names_of
from assay.numerics.sparse import canonical, check_indices
from assay.types import Array, Cells, SparseMatrix

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

LAYOUTS = ("auto", "list", "matrix")
USERS = {"user", "userid", "critic", "criticid", "reviewer", "reviewerid", "customer", "customerid", "person"}
ITEMS = {"item", "itemid", "movie", "movieid", "film", "filmid", "title", "product", "productid", "book"}
ITEMS |= {"bookid", "isbn", "joke", "jokeid", "song", "artist", "artistid"}
RATINGS = {"rating", "ratings", "score", "stars", "bookrating"}
LIST_COLUMNS = 4  # user, item, rating, and often a time


def read_ratings(
    source: object,
    *,
    user: str | None = None,
    item: str | None = None,
    rating: str | None = None,
    layout: str = "auto",
    missing: float | Sequence[float] | None = None,
    duplicates: str = "refuse",
    drop: Sequence[str] = (),
    query: str | None = None,
) -> Ratings:
    """Read ratings of items by users from a list or a matrix.

    Parameters
    ----------
    source : path, database address, frame, array, sparse matrix, dictionary of dictionaries or Ratings
        A list has one row per rating; a matrix has one row per user and one column per item. Every stored entry of a
        sparse matrix is a rating, a stored 0 included; an array is a matrix with NaN where there is no rating.
    user, item, rating : str, optional
        The columns of a list; by default found by their names, otherwise the first three. For a matrix `user` is the
        column with the names of its rows; by default one called so, or the first if it holds names.
    layout : "auto", "list" or "matrix"
        "auto": a list if there are such columns, or at most four columns.
    missing : number or numbers, optional
        Codes that mean no rating, such as 99.
    duplicates : "refuse", "mean", "first" or "last"
        How to treat two ratings of one item by one user: an error, or the rating that counts.
    drop : names of columns to leave out.
    query : str, optional
        Of a database.

    Examples
    --------
    >>> import numpy as np
    >>> read_ratings(np.array([[5, 4, 99], [1, 99, 3]]), missing=99).of_user(1)
    {'0': 1.0, '2': 3.0}
    """
    if layout not in LAYOUTS:
        raise ValueError(Note("D072", layout=layout, allowed=list(LAYOUTS)))
    if isinstance(source, Ratings):
        return source
    codes = _missing_codes(missing)
    if (
        isinstance(source, Mapping)
        and all(isinstance(ratings, Mapping) for ratings in source.values())
        and source
    ):
        return Ratings.of(source)
    if hasattr(source, "tocsr"):
        return _from_sparse(cast("SparseMatrix", source), codes)
    if layout != "list" and isinstance(source, np.ndarray):
        return _from_array(source, codes)
    if layout != "list" and (ratings := _pivoted(source, codes)) is not None:
        return ratings
    stream = open_stream(source, query)
    left = names_of(drop)
    names = [name for name in stream.names if name not in left]
    for name in (user, item, rating, *left):
        if name is not None and name not in stream.names:
            raise unknown_column(name, stream.names)
    if layout == "matrix" or (layout == "auto" and _is_matrix(names, item, rating)):
        return _from_matrix(stream, names, user, codes)
    return _from_list(stream, _list_columns(names, (user, item, rating), stream), codes, duplicates)


def _missing_codes(missing: float | Sequence[float] | None) -> Array:
    try:
        codes = np.atleast_1d(np.asarray([] if missing is None else missing, dtype=np.float64))
    except (TypeError, ValueError):
        raise ValueError(Note("D081", missing=missing)) from None
    return codes


def _simple(name: str) -> str:
    return "".join(sign for sign in name.lower() if sign.isalnum())


def _named(names: Sequence[str], known: set[str]) -> str | None:
    return next((name for name in names if _simple(name) in known), None)


def _is_matrix(names: Sequence[str], item: str | None, rating: str | None) -> bool:
    if item is not None or rating is not None or len(names) <= LIST_COLUMNS:
        return False
    return _named(names, ITEMS) is None or _named(names, RATINGS) is None


def _list_columns(
    names: Sequence[str], requested: tuple[str | None, str | None, str | None], stream: Stream
) -> tuple[str, str, str]:
    """The three columns: those requested, else by name, else the first ones that are left."""
    columns = [
        given or _named([name for name in names if name not in requested], known)
        for given, known in zip(requested, (USERS, ITEMS, RATINGS), strict=True)
    ]
    rest = [name for name in names if name not in columns]
    for at, name in enumerate(columns):
        if name is None:
            if not rest:
                raise ValueError(Note("D085", source=stream.name))
            columns[at] = rest.pop(0)
    user, item, rating = (str(name) for name in columns)
    if len({user, item, rating}) < 3:
        raise ValueError(Note("D073"))
    return user, item, rating


def _numbers(array: pa.Array, stream: Stream, first_row: int, column: str, missing: Array) -> Array:
    """A column of ratings, NaN where there is none; one sentence for what is not a number."""
    try:
        values = np.array(to_numbers(plain(array)))
    except MisfitError as misfit:
        raise _bad_rating(stream, first_row + misfit.row, column, misfit.value) from None
    infinite = np.flatnonzero(np.isinf(values))
    if infinite.size:
        raise _bad_rating(stream, first_row + int(infinite[0]), column, str(values[infinite[0]]))
    values[np.isin(values, missing)] = np.nan
    return values


def _bad_rating(stream: Stream, row: int, column: str, value: str) -> ValueError:
    return ValueError(
        Note("D071", place=stream.place(row).capitalize(), source=stream.name, value=value, column=column)
    )


def _from_list(stream: Stream, columns: tuple[str, str, str], missing: Array, duplicates: str) -> Ratings:
    import pyarrow as pa

    at = [stream.names.index(name) for name in columns]
    users: list[pa.Array] = []
    items: list[pa.Array] = []
    values: list[Array] = []
    rows: list[NDArray[np.intp]] = []
    first_row = 0
    for batch in stream.batches():
        numbers = _numbers(batch.column(at[2]), stream, first_row, columns[2], missing)
        rated = np.flatnonzero(~np.isnan(numbers))
        for names, place, column in ((users, at[0], columns[0]), (items, at[1], columns[1])):
            texts = to_text(plain(batch.column(place))).take(pa.array(rated))
            if texts.null_count:
                row = first_row + int(
                    rated[np.flatnonzero(texts.is_null().to_numpy(zero_copy_only=False))[0]]
                )
                raise ValueError(
                    Note("D086", place=stream.place(row).capitalize(), source=stream.name, column=column)
                )
            names.append(texts)
        values.append(numbers[rated])
        rows.append(first_row + rated)
        first_row += batch.num_rows
    if not values:
        raise ValueError(Note("D069", source=stream.name))
    source_row = np.concatenate(rows)
    ratings = collect(
        pa.chunked_array(users),
        pa.chunked_array(items),
        np.concatenate(values),
        duplicates,
        stream.name,
        lambda row: stream.place(int(source_row[row])),
    )
    return _noted(ratings, first_row - len(source_row))


def _noted(ratings: Ratings, blank: int) -> Ratings:
    if not blank:
        return ratings
    return replace(ratings, notes=(*ratings.notes, Note("D232", lines=blank)))


def _from_matrix(stream: Stream, names: Sequence[str], user: str | None, missing: Array) -> Ratings:
    names, batches = list(names), list(stream.batches())
    user = user or _named(names, USERS) or _named_rows(batches, stream, names)
    items = [name for name in names if name != user]
    if not items or not batches:
        raise ValueError(Note("D075", source=stream.name))
    rows, blocks, row = [], [], 0
    for batch in batches:
        columns = [batch.column(stream.names.index(name)) for name in items]
        blocks.append(
            np.column_stack(
                [_numbers(c, stream, row, name, missing) for c, name in zip(columns, items, strict=True)]
            )
        )
        count = batch.num_rows
        if user is None:
            rows += [str(i + 1) for i in range(row, row + count)]
        else:
            rows += _row_names(batch.column(stream.names.index(user)), stream, row, user)
        row += count
    _refuse_repeated(rows, stream)
    return _from_values(np.concatenate(blocks), rows, items, stream.name)


def _named_rows(batches: Sequence[pa.RecordBatch], stream: Stream, names: Sequence[str]) -> str | None:
    """The first column, if what it holds are names and not numbers."""
    for batch in batches[:1]:
        column = plain(batch.column(stream.names.index(names[0])))
        try:
            to_numbers(column)
        except MisfitError as misfit:
            texts = to_text(column)
            # One slip in a column of ratings does not make names of them: the second value must be one too.
            return names[0] if misfit.row == 0 and len(texts) > 0 and _no_number(texts) else None
    return None


def _no_number(texts: pa.Array) -> bool:
    from assay.data.convert import is_number

    return not any(is_number(text) for text in texts.slice(0, 20).to_pylist() if text is not None)


def _row_names(column: pa.Array, stream: Stream, first_row: int, user: str) -> list[str]:
    names: list[str | None] = to_text(plain(column)).to_pylist()
    for at, name in enumerate(names):
        if name is None:
            raise ValueError(
                Note("D082", place=stream.place(first_row + at).capitalize(), source=stream.name, user=user)
            )
    return [str(name) for name in names]


def _refuse_repeated(rows: Sequence[str], stream: Stream) -> None:
    seen: dict[str, int] = {}
    for row, name in enumerate(rows):
        if name in seen:
            raise ValueError(
                Note(
                    "D083",
                    place=stream.place(row).capitalize(),
                    source=stream.name,
                    user=name,
                    earlier=stream.place(seen[name]),
                )
            )
        seen[name] = row


def _from_values(values: Array, users: Sequence[str], items: Sequence[str], source: str) -> Ratings:
    """A matrix with NaN where there is no rating."""
    rated = ~np.isnan(values)
    if not rated.any():
        raise ValueError(Note("D076", source=source))
    first = np.concatenate(([0], np.cumsum(rated.sum(axis=1)))).astype(np.int64)
    item = np.nonzero(rated)[1].astype(np.int32)
    return Ratings(tuple(users), tuple(items), first, item, np.ascontiguousarray(values[rated]))


def _from_array(
    array: Cells, missing: Array, users: Sequence[object] | None = None, items: Sequence[object] | None = None
) -> Ratings:
    if array.ndim != 2:
        raise ValueError(Note("D077", ndim=array.ndim))
    try:
        values = np.array(array, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(Note("D084")) from None
    for row, column in np.argwhere(np.isinf(values)).tolist():
        raise ValueError(Note("D078", row=row, column=column, given=values[row, column]))
    values[np.isin(values, missing)] = np.nan
    rows = [str(u) for u in (range(len(values)) if users is None else users)]
    columns = [str(i) for i in (range(values.shape[1]) if items is None else items)]
    return _from_values(values, rows, columns, "the matrix")


def _pivoted(frame: pd.DataFrame, missing: Array) -> Ratings | None:
    """A pandas frame whose index names the users is a matrix."""
    index = getattr(frame, "index", None)
    if index is None or callable(index) or not hasattr(frame, "columns") or len(frame.columns) == 0:
        return None
    if type(index).__name__ == "RangeIndex" or getattr(index, "nlevels", 1) != 1:
        return None
    if _named([str(name) for name in frame.columns], RATINGS) is not None:
        return None
    return _from_array(np.asarray(frame), missing, list(index), list(frame.columns))


def _from_sparse(matrix: SparseMatrix, missing: Array) -> Ratings:
    check_indices(matrix)
    rows = canonical(matrix.tocsr())
    values = np.asarray(rows.data, dtype=np.float64)
    if not np.isfinite(values).all():
        raise ValueError(Note("D079"))
    rated = ~np.isin(values, missing)
    if not rated.any():
        raise ValueError(Note("D080"))
    names = [tuple(str(i) for i in range(n)) for n in rows.shape]
    whole = Ratings(names[0], names[1], rows.indptr.astype(np.int64), rows.indices.astype(np.int32), values)
    return whole.part(rated)


def pairs(ratings: Ratings) -> Iterator[tuple[str, str, float]]:
    """(user, item, rating), one after another."""
    for u, name in enumerate(ratings.users):
        for e in range(int(ratings.first[u]), int(ratings.first[u + 1])):
            yield name, ratings.items[ratings.item[e]], float(ratings.value[e])
