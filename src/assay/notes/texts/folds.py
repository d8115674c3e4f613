"""Texts of notes about folds and what models share between them."""

from __future__ import annotations

from assay.notes.texts.text import Texts, info

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
}
