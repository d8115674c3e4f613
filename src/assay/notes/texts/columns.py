"""Texts of notes about columns, their types and values."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "D089": error(
        "Column {name!r} holds {what}, but {place} of {name_2} has {shown!r}; {advice}.",
        name="age",
        what="what",
        place=3,
        name_2="name 2",
        shown="shown",
        advice="advice",
    ),
    "D090": error(
        "{name} lacks {columns} {listed}, which the model was fitted with.",
        name="age",
        columns="columns",
        listed="listed",
    ),
    "D091": error(
        "Column {name!r} cannot be of type {text!r}; use one of {column_types}.",
        name="age",
        text="kfold:x",
        column_types="column types",
    ),
    "D092": error(
        "Column {name!r} cannot be written like {example!r}; give an example such as {ways}.",
        name="age",
        example="example",
        ways="ways",
    ),
    "D093": error(
        "The target {name!r} holds dates, which are no classes; make a column of periods such as the year or "
        "the month, or read it with {name:as categorical} if each date is a class.",
        name="age",
    ),
    "D094": error(
        "The target {name!r} has {distinct} different numbers, so it is a quantity and not a class; cut it "
        "into bins (low, medium, high) and make these the target.",
        name="age",
        distinct="distinct",
    ),
    "D095": error(
        "Column {name!r} cannot be {kind}: it has values such as {few}.",
        name="age",
        kind="list",
        few="few",
    ),
    "D096": error(
        "holds values of type {kind}, which are neither numbers nor text nor dates",
        kind="list",
    ),
    "D097": error(
        "Column {name!r} has more than {most} different values, too many for categories.",
        name="age",
        most=1000000,
    ),
    "D098": error(
        "X has a column {label!r}, as the labels beside it are called; leave the column out of X, or give its "
        "name {label!r} in place of the labels.",
        label="yes",
    ),
    "D099": error(
        "y={y!r} is the name of a column, and X has no names; give one label per row.",
        y="y",
    ),
    "D100": error(
        "{option.missing} holds {marker!r}; give texts or numbers that stand for missing values.",
        marker="marker",
    ),
    "D101": error(
        "There is no {what} {name!r}; the columns are {listed}.",
        what="what",
        name="age",
        listed="listed",
    ),
    "D102": error(
        "There is no {what} {name!r}; did you mean {map}?",
        what="what",
        name="age",
        map="map",
    ),
    "D103": error(
        "Column {data!r} has the unknown type {data_2!r}.",
        data="data",
        data_2="data 2",
    ),
    "D104": error(
        "The columns of a table differ in length: {lengths}.",
        lengths="lengths",
    ),
    "D105": error(
        "Column {name!r} is {type}, so it has no labels; read it with {name:as categorical}.",
        name="age",
        type="type",
    ),
    "D106": error(
        "Column {name!r} has no value in row {absent} ({n_absent} such rows in all); drop these rows or give "
        "them a label.",
        name="age",
        absent="absent",
        n_absent=3,
    ),
}
