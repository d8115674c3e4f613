"""Texts of notes about folds and what models share between them."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error, info

TEXTS: Texts = {
    "S000": info("{subject} does not share in this way.", subject="LogisticRegression"),
    "S001": info(
        "{subject} overrides {name} of {home}: every split was refitted.",
        subject="LogisticRegression",
        name="fit",
        home="GaussianNB",
    ),
    "S002": info("Sparse rows are not shared by the folds: every split was fitted anew."),
    "S003": info(
        "{subject} cannot be followed from the statistics of a training set: every split was fitted anew.",
        subject="LogisticRegression",
    ),
    "S005": info(
        "The statistics of all splits would take {gibibytes:.1f} GiB, more than ASSAY_MEMORY allows: "
        "every split was fitted anew.",
        gibibytes=12.5,
    ),
    "S006": info(
        "The table is wider than long, and {subject} is found among the rows: every split was fitted anew.",
        subject="LogisticRegression",
    ),
    "S007": info(
        "{subject} begins at weights that were given (start): every split was refitted.",
        subject="LogisticRegression",
    ),
    "S008": info(
        "{subject} takes {gibibytes:.1f} GiB, more than ASSAY_MEMORY allows: it was left out.",
        subject="LogisticRegression",
        gibibytes=12.5,
    ),
    "S010": info(
        "The Gram matrix of {rows} rows would take {gibibytes:.1f} GiB, more than ASSAY_MEMORY allows: "
        "every split was fitted anew.",
        rows=50000,
        gibibytes=12.5,
    ),
    "S011": info(
        "{rows} rows are more than most_rows={most}, from which on landmarks stand for all rows of "
        "{subject}: every split was fitted anew.",
        rows=50000,
        most=20000,
        subject="LogisticRegression",
    ),
    "S012": info("Its steps cannot lose a single row: every split was fitted anew."),
    "S020": info(
        "The counts of all splits would take {gibibytes:.1f} GiB, more than ASSAY_MEMORY allows: every "
        "split was fitted anew.",
        gibibytes=12.5,
    ),
    "S022": info("Folds are solved together, single rows are not: every split was fitted anew."),
    "S031": info(
        "Inside these splits {subject} has no folds to learn from: every split was refitted.",
        subject="LogisticRegression",
    ),
    "S032": info(
        "{step} before {subject} may learn something else for each of its parts: every split was refitted.",
        step="Standardize",
        subject="LogisticRegression",
    ),
    "S033": info(
        "The parts of {subject} leave out other rows each: every split was refitted.",
        subject="LogisticRegression",
    ),
    "S128": error(
        "class_weight leaves every row with weight 0; give a class a positive weight.",
    ),
    "S129": error(
        "class_weight names {label!r}, which is not in y; its labels are {labels}.",
        label="yes",
        labels="labels",
    ),
    "S130": error(
        "class_weight of {label!r} is {value!r}; give a number of at least 0.",
        label="yes",
        value="-1",
    ),
    "S131": error(
        "The scores of {unusable} rows overflow; their counts are too large.",
        unusable="unusable",
    ),
    "S132": error(
        "Blocks of {n_words} and of {n_words_2} columns are not one table; give all the same.",
        n_words=3,
        n_words_2=3,
    ),
    "S133": error(
        "In the training part of split {split_of}: {error}",
        split_of="split of",
        error="error",
    ),
    "S134": error(
        "{kind} takes no sample weights; leave sample_weight out.",
        kind="list",
    ),
    "S135": error(
        "A loss matrix whose actions are not the classes needs posteriors, and this model gives margins only; "
        "put it into Calibrated, or use a probabilistic model.",
    ),
    "S136": error(
        "The scores of {count} rows overflow; rescale the columns.",
        count=3,
    ),
    "S137": error(
        "{request} asked for, and the training {unit} of each split are divided again to choose a setting: "
        "{total} {unit}, {counts} of them of class {classes!r}, are too few for that; give more, or leave "
        "fewer of them out.",
        request="request",
        unit="unit",
        total="total",
        counts=3,
        classes="classes",
    ),
    "S138": error(
        "inner={inner} is more than a training set of the plan can be divided into: one has {units} {kind}; "
        "give at most {units}, or leave inner out.",
        inner="inner",
        units="units",
        kind="list",
    ),
    "S139": error(
        "A plan of three parts has no inner folds: leave inner out, or use folds, such as KFold(10).",
    ),
    "S140": error(
        "A choice cannot be nested in {kind}; use folds, such as KFold(10), or a hold-out.",
        kind="list",
    ),
}
