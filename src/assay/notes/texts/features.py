"""Texts of notes about steps that make features."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error, info

TEXTS: Texts = {
    "M060": error(
        "BasisExpansion(kind='functions') needs functions; give a function of the rows, or a list of functions.",
    ),
    "M061": error(
        "BasisExpansion(kind={kind!r}, degree={degree}, include_original=False) makes no column of {n_columns}; "
        "raise the degree or keep the columns.",
        kind="polynomial",
        degree=0,
        n_columns=3,
    ),
    "M062": error(
        "{count} products of {n_columns} columns for {n_rows} rows would take {gibibytes:.1f} GiB, more than "
        "ASSAY_MEMORY allows; lower the degree.",
        count=45,
        n_columns=9,
        n_rows=10000000,
        gibibytes=3.4,
    ),
    "M063": error(
        "The basis function {title!r} returned {n_columns} columns, but {fitted} in training; return the same number "
        "for all rows.",
        title="log",
        n_columns=4,
        fitted=3,
    ),
    "M064": error(
        "The group ({first}, {last}) of DropReference does not lie in the {width} columns of X; take the groups from "
        "the encoder that made them.",
        first=0,
        last=9,
        width=3,
    ),
    "M065": error(
        "Input X contains infinity; replace the value or drop the row.",
    ),
    "M066": error(
        "{n_products} products of {n_numeric} columns for {n_rows} rows would take {gibibytes:.1f} GiB, more than "
        "ASSAY_MEMORY allows; leave columns out.",
        n_products=45,
        n_numeric=9,
        n_rows=10000000,
        gibibytes=3.4,
    ),
    "M067": error(
        "y is None; give the class of each row.",
    ),
    "M068": error(
        "kind={kind!r} is not known; choose one of {kinds}.",
        kind="binned",
        kinds="discrete, presence",
    ),
    "M069": error(
        "bins={bins!r} is not a number of bins; give a whole number of at least 2, or None.",
        bins=1,
    ),
    "M070": error(
        "Sparse columns are not binned; use kind='discrete' or 'presence'.",
    ),
    "M071": error(
        "min_share={min_share:g} is not below max_share={max_share:g}, so no column could be kept; change one of "
        "them.",
        min_share=0.5,
        max_share=0.5,
    ),
    "M072": error(
        "SelectColumns(columns=[]) keeps no column; name at least one.",
    ),
    "M073": error(
        "There is no column {column!r}; choose among {known:quoted}.",
        column="size",
        known=["age", "sex"],
    ),
    "M074": error(
        "{kind} cannot use any column of the table ({n_columns:count column}). {first}",
        kind="OneHot",
        first="Column 'patient' is an identifier and is not used as a feature.",
        n_columns=3,
    ),
    "M075": error(
        "None of the {n_rows} rows of {columns:quoted} has a word of two letters or more; give texts that have words.",
        n_rows=3,
        columns=["text"],
    ),
    "M076": error(
        "Words reads texts, and X is an array of numbers; give a table with text columns.",
    ),
    "M077": error(
        "None of the {n_documents} documents has a word of two letters or more; give texts that do, or "
        "tokens='characters'.",
        n_documents=3,
    ),
    "M078": error(
        "X has no documents, so there are no words to learn; give at least one text.",
    ),
    "M079": error(
        "stop_words ({n_stop_words} of them) removes every word of the {n_documents} documents; shorten it.",
        n_stop_words=30,
        n_documents=3,
    ),
    "M080": error(
        "ngram_range={ngram_range} finds nothing, because none of the {n_documents} documents has {least} {tokens} "
        "in a row; give a range that starts lower.",
        ngram_range="(2, 3)",
        n_documents=3,
        least=2,
        tokens="words",
    ),
    "M081": error(
        "TextCounts(ngram_range={ngram_range!r}) is reversed; give ({most}, {least}), the fewest first.",
        ngram_range=(2, 1),
        most=1,
        least=2,
    ),
    "M082": error(
        "TextCounts(stop_words=...) leaves out words, but tokens='characters' has none; give only one of "
        "them.",
    ),
    "M083": error(
        "Row {row} of X holds {shown}, which is not text; give strings, or None where a text is missing.",
        row=3,
        shown="3.5",
    ),
    "M084": error(
        "Row {row} of X is not UTF-8: byte 0x{unit:02X} at position {position}; decode it with its own "
        "encoding, such as bytes.decode('latin-1').",
        row=3,
        unit=233,
        position=17,
    ),
    "M085": error(
        "X is one text; give a list of texts, [text] for a single one.",
    ),
    "M086": error(
        "X is a {kind}; give one column of text.",
        kind="dict",
    ),
    "M087": error(
        "X has the shape {shape}; give one column of text, such as X[:, 0] or X['name'].",
        shape="(150, 4)",
    ),
    "M088": error(
        "X is {shown}; give a list of texts.",
        shown="None",
    ),
    "M089": error(
        "Row {row} of X holds half a surrogate pair, U+{unit:04X}, at position {position}; replace it, or read the "
        "text again with errors='replace'.",
        row=3,
        unit=55357,
        position=17,
    ),
    "M090": error(
        "The basis function {title!r} returned an array of shape {shape} for {n_rows} rows; return one number, or "
        "one row of numbers, per row.",
        title="log",
        shape="(150, 4)",
        n_rows=3,
    ),
    "M091": error(
        "The basis function {title!r} returned {given} at row {row}; return a finite number for every row.",
        title="log",
        given="nan",
        row=3,
    ),
    "M092": error(
        "The basis function {title!r} returns another value for row 0 when the row is passed alone; compute each row "
        "from that row only, and put what is learned from rows into a transformer of its own.",
        title="log",
    ),
    "M093": error(
        "The basis function {title!r} failed on {n_rows} rows: {message}.",
        title="log",
        n_rows=3,
        message="division by zero",
    ),
    "M094": error(
        "None of the {n_words} words occurs in any of the {n_rows} rows of X; give rows with words.",
        n_words=300,
        n_rows=3,
    ),
    "M095": error(
        "No word is left of {n_words} in {n_documents} documents: min_documents={min_documents} removes {rare} and "
        "max_documents={max_documents} removes {common}; lower min_documents or raise max_documents.",
        n_words=5,
        n_documents=3,
        min_documents=2,
        rare=4,
        max_documents=2,
        common=1,
    ),
    "M096": error(
        "max_documents={max_documents} ({high:g} of {n_documents} documents) is less than "
        "min_documents={min_documents} ({low:g} documents); lower min_documents or raise max_documents.",
        max_documents=0.1,
        high=5.0,
        n_documents=50,
        min_documents=8,
        low=8.0,
    ),
    "M701": error(
        "Values in {column} reach {value:.3g} (row {row}), where {term!r} overflows; rescale the column.",
        column="column 'mass'",
        value=1e120,
        row=3,
        term="mass^2",
    ),
    "M708": error(
        "There is no column {column!r}; choose a position from 0 to {last}.",
        column=7,
        last=3,
    ),
    "M709": info(
        "X has no columns.",
    ),
    "M710": error(
        "None of the {n_rows} rows of {columns:quoted} has a word of two letters or more besides the stop words; "
        "give texts that have other words.",
        columns=["text"],
        n_rows=3,
    ),
    "M711": error(
        "None of the {n_rows} rows of {columns:quoted} has {least} words in a row; give longer texts, or lower "
        "ngram_range.",
        columns=["text"],
        n_rows=3,
        least=2,
    ),
    "M712": error(
        "None of the {n_rows} rows of {columns:quoted} has {least} words in a row besides the stop words; give "
        "longer texts, or lower ngram_range.",
        columns=["text"],
        n_rows=3,
        least=2,
    ),
    "M713": error(
        "All {n_documents} documents are empty; give texts with characters.",
        n_documents=3,
    ),
    "M720": error(
        "TextCounts(stemmer={stemmer!r}) needs the package snowballstemmer, which is not installed; run pip install "
        "'assay-ml[text]'.",
        stemmer="english",
    ),
    "M721": error(
        "TextCounts(stemmer={stemmer!r}) finds stems of words in lower case; leave tokens and lowercase at their "
        "defaults.",
        stemmer="english",
    ),
}
