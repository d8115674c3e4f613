"""Texts of notes about columns, their types and values."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "D089": error(
        "Column {subject!r} holds {expected}, but {place} of {source} has {value!r}; correct it, or leave it "
        "empty if it is not known.",
        subject="age",
        expected="numbers",
        place="line 7",
        source="new.csv",
        value="old",
    ),
    "D090": error(
        "{source} has no {columns:column/columns} {columns:quoted}, which the model was fitted with.",
        source="new.csv",
        columns=["age", "sex"],
    ),
    "D091": error(
        "Column {subject!r} cannot be of type {type!r}; use one of {types:listed}.",
        subject="zip",
        type="category",
        types=["numeric", "categorical", "text"],
    ),
    "D092": error(
        "Column {subject!r} cannot be written like {example!r}; give an example such as {formats}.",
        subject="price",
        example="1,2,3",
        formats="1.234,5 or $1,234.5",
    ),
    "D093": error(
        "The target {subject!r} holds dates, which are not classes; make a column of periods such as the year or the "
        "month, or read it with {subject:as categorical} if each date is a class.",
        subject="day",
    ),
    "D094": error(
        "The target {subject!r} has {distinct} different numbers, so it is a quantity and not a class; cut it into "
        "bins (low, medium, high) and make these the target.",
        subject="price",
        distinct=180,
    ),
    "D095": error(
        "Column {subject!r} cannot be {type}: it has values such as {examples:quoted}.",
        subject="town",
        type="binary",
        examples=["Bern", "Basel", "Chur"],
    ),
    "D096": error(
        "holds values of type {type}, which are neither numbers nor text nor dates",
        type="list<item: int64>",
    ),
    "D097": error(
        "Column {subject!r} has more than {most:count different value}, too many for categories.",
        subject="name",
        most=1000000,
    ),
    "D098": error(
        "X has a column {label!r}, which is also the name of the labels; leave the column out of X, or give its name "
        "{label!r} in place of the labels.",
        label="species",
    ),
    "D099": error(
        "y={y!r} is the name of a column, and X has no column names; give one label per row.",
        y="species",
    ),
    "D100": error(
        "{option.missing} holds {marker!r}; give texts or numbers that stand for missing values.",
        marker=True,
    ),
    "D101": error(
        "There is no {kind} {name!r}; the columns are {columns:quoted}.",
        kind="column",
        name="income",
        columns=["age", "sex"],
    ),
    "D102": error(
        "There is no {kind} {name!r}; did you mean {near:either}?",
        kind="column",
        name="specie",
        near=["species"],
    ),
    "D103": error("Column {subject!r} has the unknown type {type!r}.", subject="age", type="ordinal"),
    "D104": error("The columns of a table differ in length: {lengths}.", lengths={"age": 3, "sex": 4}),
    "D105": error(
        "Column {subject!r} is {type}, so it has no labels; read it with {subject:as categorical}.",
        subject="age",
        type="numeric",
    ),
    "D106": error(
        "Column {subject!r} has no value in row {row} ({rows:count such row} in all); drop these rows or give them a "
        "label.",
        subject="class",
        row=7,
        rows=2,
    ),
    "D235": error(
        "Column {subject!r} holds {expected}, but {place} of {source} has {value!r}; correct it, or read the column "
        "with {subject:as categorical}.",
        subject="age",
        expected="numbers",
        place="line 7",
        source="people.csv",
        value="old",
    ),
    "D700": error(
        "Column {subject!r} holds {expected} written like {written}, but {place} of {source} has {value!r}; correct "
        "it, or leave it empty if it is not known.",
        subject="price",
        expected="numbers",
        written="1.234,5",
        place="line 7",
        source="new.csv",
        value="3.5",
    ),
    "D701": error(
        "Column {subject!r} holds {expected} written like {written}, but {place} of {source} has {value!r}; correct "
        "it, or read the column with {subject:as categorical}.",
        subject="price",
        expected="numbers",
        written="1.234,5",
        place="line 7",
        source="people.csv",
        value="3.5",
    ),
}
