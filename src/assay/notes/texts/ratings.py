"""Texts of notes about ratings of items by users."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error, info

TEXTS: Texts = {
    "D066": error(
        "{place} of {source} is the second rating of item {item!r} by user {user!r}, after {earlier}; remove one, or "
        "choose with {option.duplicates} (mean, first or last).",
        place="Line 7",
        source="ratings.csv",
        item="Alien",
        user="Ann",
        earlier="line 3",
    ),
    "D067": error(
        "User {user!r} rates item {item!r} with {value!r}, which is not a number; give a finite number.",
        user="Ann",
        item="Alien",
        value="good",
    ),
    "D068": error(
        "{duplicates:set duplicates} is unknown; give one of {allowed:listed}.",
        duplicates="median",
        allowed=["refuse", "mean", "first", "last"],
    ),
    "D069": error(
        "{source} has no ratings; give one user, item and rating per line.",
        source="ratings.csv",
    ),
    "D070": error(
        "There is no {kind} {name!r} among the ratings; there are {examples}.",
        kind="user",
        name="Ann",
        examples="'Bob', 'Eve'",
    ),
    "D071": error(
        "{place} of {source} has {value!r} in column {column!r}, which is not a finite number; correct it, or leave it "
        "blank if there is no rating.",
        place="Line 7",
        source="ratings.csv",
        value="good",
        column="rating",
    ),
    "D072": error(
        "{layout:set layout} is unknown; give one of {allowed:listed}.",
        layout="wide",
        allowed=["auto", "list", "matrix"],
    ),
    "D073": error(
        "The columns of user, item and rating must be three different columns.",
    ),
    "D075": error(
        "{source} has no column of ratings; a matrix has one column per item.", source="ratings.csv"
    ),
    "D076": error("There are no ratings in {source}; give at least one.", source="the matrix"),
    "D077": error(
        "A matrix of ratings has one row per user and one column per item, not {ndim} axes.",
        ndim=3,
    ),
    "D078": error(
        "Row {row}, column {column} of the matrix holds {given}; give finite numbers.",
        row=3,
        column=2,
        given="inf",
    ),
    "D079": error(
        "The sparse matrix of ratings has a value that is not a finite number; replace it.",
    ),
    "D080": error(
        "The sparse matrix has no ratings.",
    ),
    "D081": error(
        "{missing:set missing} is not a number; give the codes that stand for a missing rating.",
        missing="none",
    ),
    "D082": error(
        "{place} of {source} has no value in column {user!r}; name the user.",
        place="Line 7",
        source="ratings.csv",
        user="critic",
    ),
    "D083": error(
        "{place} of {source} is a second row of user {user!r}, after {earlier}; give each user one row.",
        place="Line 7",
        source="ratings.csv",
        user="Ann",
        earlier="line 3",
    ),
    "D084": error(
        "The matrix of ratings has values that are not numbers; replace them.",
    ),
    "D085": error(
        "{source} has too few columns for a list of ratings: it needs user, item and rating.",
        source="ratings.csv",
    ),
    "D086": error(
        "{place} of {source} has a rating but no value in column {column!r}; name user and item of each rating.",
        place="Line 7",
        source="ratings.csv",
        column="movie",
    ),
    "D231": info(
        "{repeated:count rating} {repeated:repeats/repeat} a user's rating of an item; the {rule} is used.",
        repeated=2,
        rule="mean",
    ),
    "D232": info(
        "{lines:count line} without a rating {lines:was/were} left out.",
        lines=3,
    ),
    "D710": info(
        "{user} has rated every item, so there is nothing to recommend.",
        user="Ann",
    ),
    "D711": info(
        "Only {items:count item} can be recommended, because {user} has rated all others.",
        user="Ann",
        items=3,
    ),
    "D712": info(
        "No user has rated enough of the same items as {user}, so every prediction is the mean of the item.",
        user="Ann",
    ),
    "D713": info(
        "Items that no similar user has rated come last, with their mean rating.",
    ),
    "D714": info("Mean of {ratings:count rating}: {mean:rating}.", ratings=4, mean=3.5),
    "D715": info("{votes:votes}.", votes=(("Ann", 0.41, 2.0), ("Cid", 0.33, 4.0))),
    "D716": info(
        "{votes:votes}; {neighbors} neighbours were used.",
        votes=(("Ann", 0.41, 2.0), ("Cid", 0.33, 4.0), ("Bob", 0.25, 3.0)),
        neighbors=4,
    ),
}
