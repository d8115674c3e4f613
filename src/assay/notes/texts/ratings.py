"""Texts of notes about ratings of items by users."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "D066": error(
        "{place} of {source} is the second rating of item {what!r} by user {who!r}, after {earlier}; remove "
        "one, or say which counts with {option.duplicates} (mean, first or last).",
        place=3,
        source="source",
        what="what",
        who="who",
        earlier="earlier",
    ),
    "D067": error(
        "User {user!r} rates item {item!r} with {value!r}; give a finite number.",
        user="user",
        item="item",
        value="-1",
    ),
    "D068": error(
        "{duplicates:set duplicates} is not known; give one of {duplicates_2}.",
        duplicates="duplicates",
        duplicates_2="duplicates 2",
    ),
    "D069": error(
        "{source} holds no rating; give one user, item and rating a line.",
        source="source",
    ),
    "D070": error(
        "There is no {kind} {name!r} among the ratings; there are {examples}.",
        kind="user",
        name="Ann",
        examples="'Bob', 'Eve'",
    ),
    "D071": error(
        "{capitalize} of {name} has {value!r} in column {column!r}, which is not a finite number; correct it, "
        "or leave it blank where there is no rating.",
        capitalize="capitalize",
        name="age",
        value="-1",
        column="age",
    ),
    "D072": error(
        "layout={layout!r} is not known; give one of {layouts}.",
        layout="layout",
        layouts="layouts",
    ),
    "D073": error(
        "The columns of user, item and rating must be three different ones.",
    ),
    "D074": error(
        "{name} holds no rating; give one user, item and rating a line.",
        name="age",
    ),
    "D075": error(
        "{name} has no column of ratings; a matrix has one for every item.",
        name="age",
    ),
    "D076": error(
        "{source} holds no rating.",
        source="source",
    ),
    "D077": error(
        "A matrix of ratings has a row for each user and a column for each item, not {ndim} axes.",
        ndim="ndim",
    ),
    "D078": error(
        "Row {row}, column {column} of the matrix holds {given}; give finite numbers.",
        row=3,
        column="age",
        given="given",
    ),
    "D079": error(
        "The sparse matrix of ratings holds a value that is not a finite number.",
    ),
    "D080": error(
        "The sparse matrix holds no rating.",
    ),
    "D081": error(
        "{missing:set missing} is not a number; give the codes that stand for no rating.",
        missing="missing",
    ),
    "D082": error(
        "{capitalize} of {name} has nothing in column {user!r}; name the user.",
        capitalize="capitalize",
        name="age",
        user="user",
    ),
    "D083": error(
        "{capitalize} of {name} is a second row of user {name_2!r}, after {place}; give each user one row.",
        capitalize="capitalize",
        name="age",
        name_2="name 2",
        place=3,
    ),
    "D084": error(
        "The matrix of ratings holds values that are not numbers.",
    ),
    "D085": error(
        "{name} has too few columns for a list of ratings: it needs user, item and rating.",
        name="age",
    ),
    "D086": error(
        "{capitalize} of {name} has a rating but nothing in column {column!r}; say whose rating it is, or of "
        "what.",
        capitalize="capitalize",
        name="age",
        column="age",
    ),
}
