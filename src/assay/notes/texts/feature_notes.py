"""Texts of notes about columns that models and steps leave out, fill in or cannot use."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error, info, warning

TEXTS: Texts = {
    "M400": info(
        "There are {distinct} distinct rows for {n_centers} centres; each of these rows is a centre.",
        distinct=8,
        n_centers=10,
    ),
    "M401": info(
        "Quantiles of column {column!r} coincide; its splines have {knots} knots instead of {wanted}.",
        column="children",
        knots=3,
        wanted=5,
    ),
    "M402": info("Column {column!r} is constant; it becomes one constant column.", column="country"),
    "M403": info(
        "{kept} of {n_columns} columns were kept.",
        kept=20,
        n_columns=100,
    ),
    "M404": warning(
        "Column {column!r} has no value in training; 0 is used instead.",
        column="dose",
    ),
    "M405": warning("Column {column!r} has no value in training and is ignored.", column="dose"),
    "M406": info(
        "Column {column!r} is text and is not used as a feature; models of words, such as multinomial_nb, use it. If "
        "it has few distinct values, use {column:as categorical}.",
        column="notes",
    ),
    "M407": info(
        "Column {column!r} is an identifier and is not used as a feature; if it carries information beyond the row "
        "it belongs to, read it with {column:as numeric or categorical}.",
        column="patient",
    ),
    "M408": warning(
        "Column {column!r} has no values and is not used as a feature; drop it, or fill it in.",
        column="dose",
    ),
    "M409": info(
        "Column {column!r} is constant and is not used as a feature, because it cannot separate the classes.",
        column="country",
    ),
    "M410": warning(
        "Column {column!r} has {n_categories} categories and is not used as a feature; merge them into at most "
        "{most}, or use {column:as numeric} if they are numbers.",
        column="town",
        n_categories=5000,
        most=1000,
    ),
    "M411": info(
        "Column {column!r} is {type} and is not used as a feature, because {readers} do not use such columns.",
        column="age",
        type="numeric",
        readers="models of words",
    ),
    "M412": info(
        "Column {column!r} is an identifier and is not used as a feature; if it carries information beyond the row "
        "it belongs to, give kinds={{{column!r}: 'categorical'}} or 'text'.",
        column="patient",
    ),
    # Naive Bayes
    "M413": info(
        "Columns with fewer than two categories cannot separate the classes: {columns:listed}.",
        columns=("country", "year"),
    ),
    "M414": info(
        "Every count in column {column!r} is 0 or missing; it cannot separate the classes.",
        column="visits",
    ),
    "M415": warning(
        "Every document of class {label} is empty; all words are taken to be equally likely in it.",
        label="spam",
    ),
    "M416": warning("Every document of class {label} is empty.", label="spam"),
    "M417": info("Some values are not whole numbers; they are used as word weights instead of counts."),
    "M418": warning(
        "{subject} has no word of two letters or more; it cannot separate the classes.",
        subject="Column 'notes'",
    ),
    "M419": warning(
        "{subject}: min_documents={min_documents} removes all {n_words} words; lower it.",
        subject="Column 'notes'",
        min_documents=5,
        n_words=120,
    ),
    "M420": warning(
        "{subject} is empty in every row of class {label}; all words are taken to be equally likely in it.",
        subject="Column 'notes'",
        label="spam",
    ),
    "M421": warning(
        "Column {column!r} is almost constant within class {label}; its variance there was raised to "
        "variance_floor.",
        column="age",
        label="spam",
    ),
    # Tables that a candidate is not tried on
    "M422": info(
        "There is no numeric column for squares and products.",
    ),
    "M423": info(
        "The {n_columns} numeric columns have {products} squares and products; at most {most} are tried. Drop "
        "columns, or fit the model by name.",
        n_columns=40,
        products=820,
        most=500,
    ),
    "M520": error(
        "{subject} has no posteriors, which {method} needs; put it into Calibrated, which learns them "
        "(calibrated_svm in the catalog).",
        subject="LinearSVM",
        method="decide",
    ),
    "M521": error(
        "{subject}(smoothing={smoothing:g}) has no linear form, because a single value can make a class "
        "impossible; use a smoothing above 0.",
        subject="MultinomialNB",
        smoothing=0.0,
    ),
    "M522": error("There is no column to keep."),
    "M523": error(
        "No column is left: {rare} are nonzero in a proportion of {min_share:g} of the rows or fewer, {common} in "
        "{max_share:g} or more; change min_share or max_share.",
        rare=12,
        min_share=0.01,
        common=3,
        max_share=0.99,
    ),
    "M424": info("There is no numeric column for mixture components."),
    "M425": error(
        "{column} does not hold codes of categories, whole numbers from 0 on; encode them by OrdinalCodes first.",
        column="column 2",
    ),
}
