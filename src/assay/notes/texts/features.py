"""Texts of notes about steps that make features."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "M060": error(
        "BasisExpansion(kind='functions') needs functions; give a function of the rows, or a list of such.",
    ),
    "M061": error(
        "BasisExpansion(kind={kind!r}, degree={degree}, include_original=False) makes no column of "
        "{n_features_in}; raise the degree or keep the columns.",
        kind="list",
        degree="degree",
        n_features_in=3,
    ),
    "M062": error(
        "{count} products of {n_features_in} columns for {n_rows} rows would take {value:.1f} GiB, more than "
        "ASSAY_MEMORY allows; lower the degree.",
        count=3,
        n_features_in=3,
        n_rows=3,
        value=0.5,
    ),
    "M063": error(
        "The basis function {title!r} returned {shape} columns and {width} when it was fitted; return as many "
        "for any rows.",
        title="title",
        shape="(150, 4)",
        width=3,
    ),
    "M064": error(
        "DropReference: the group ({first}, {last}) does not lie in the {width} columns of X; take the groups "
        "from the encoder that made them.",
        first="first",
        last="last",
        width=3,
    ),
    "M065": error(
        "Input X contains infinity.",
    ),
    "M066": error(
        "{n_wanted} products of {n_numeric} columns for {n_columns} rows would take {value:.1f} GiB, more than "
        "ASSAY_MEMORY allows; leave columns out.",
        n_wanted=3,
        n_numeric=3,
        n_columns=3,
        value=0.5,
    ),
    "M067": error(
        "y is None, so there is nothing to tell about; give the class of each row.",
    ),
    "M068": error(
        "kind={kind!r} is not known; choose one of {kinds}.",
        kind="list",
        kinds="kinds",
    ),
    "M069": error(
        "bins={bins!r} is no number of bins; give a whole number of at least 2, or None.",
        bins="bins",
    ),
    "M070": error(
        "Sparse columns are not binned; use kind='discrete' or 'presence'.",
    ),
    "M071": error(
        "min_share={min_share:g} is not below max_share={max_share:g}: nothing could be kept.",
        min_share=0.5,
        max_share=0.5,
    ),
    "M072": error(
        "SelectColumns(columns=[]) keeps nothing; name at least one column.",
    ),
    "M073": error(
        "There is no column {column!r}; choose among {known}.",
        column="age",
        known="known",
    ),
    "M074": error(
        "{kind} can use none of the {n_schema} columns; the first of them: {first}",
        kind="list",
        n_schema=3,
        first="first",
    ),
    "M075": error(
        "{which} {what}{stop} in any of the {n_rows} rows; give texts that hold some.",
        which="which",
        what="what",
        stop="stop",
        n_rows=3,
    ),
    "M076": error(
        "Words reads texts, and X is an array of numbers; give a table with text columns.",
    ),
    "M077": error(
        "None of the {n_documents} documents holds {what}; give texts that do, or tokens='characters'.",
        n_documents=3,
        what="what",
    ),
    "M078": error(
        "X has no documents, so there are no words to learn; give at least one text.",
    ),
    "M079": error(
        "stop_words ({n_stop_words} of them) takes every word of the {n_documents} documents; shorten it.",
        n_stop_words=3,
        n_documents=3,
    ),
    "M080": error(
        "ngram_range={ngram_range} finds nothing: none of the {n_documents} documents has {least} {what} in a "
        "row; begin it lower.",
        ngram_range="ngram range",
        n_documents=3,
        least=3,
        what="what",
    ),
    "M081": error(
        "TextCounts(ngram_range={ngram_range!r}) is reversed; give ({most}, {least}), the fewest first.",
        ngram_range="ngram range",
        most=3,
        least=3,
    ),
    "M082": error(
        "TextCounts(stop_words=...) leaves out words, of which tokens='characters' knows none; leave one of "
        "them out.",
    ),
    "M083": error(
        "Row {row} of X holds {shown}, which is not text; give strings, or None where a text is missing.",
        row=3,
        shown="shown",
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
        kind="list",
    ),
    "M087": error(
        "X has the shape {shape}; give one column of text, such as X[:, 0] or X['name'].",
        shape="(150, 4)",
    ),
    "M088": error(
        "X is {shown}; give a list of texts.",
        shown="shown",
    ),
    "M089": error(
        "Row {row} of X holds half a surrogate pair, U+{unit:04X}, at position {position}; replace it, or read "
        "the text again with errors='replace'.",
        row=3,
        unit=233,
        position=17,
    ),
    "M090": error(
        "The basis function {title!r} returned an array of shape {shape} for {n_x} rows; return one number, or "
        "one row of numbers, for each row.",
        title="title",
        shape="(150, 4)",
        n_x=3,
    ),
    "M091": error(
        "The basis function {title!r} gives {given} at row {row}; return a finite number for every row.",
        title="title",
        given="given",
        row=3,
    ),
    "M092": error(
        "The basis function {title!r} gives row 0 another value when it comes alone; compute each row from "
        "that row only, and put what is learned from rows into a transformer of its own.",
        title="title",
    ),
    "M093": error(
        "The basis function {title!r} failed on {n_x} rows: {rstrip}.",
        title="title",
        n_x=3,
        rstrip="rstrip",
    ),
    "M094": error(
        "None of the {n_words} words is in any of the {n_rows} rows of X; give rows that count some.",
        n_words=3,
        n_rows=3,
    ),
    "M095": error(
        "No word is left of {n_words} in {n_documents} documents: {taken}; lower min_documents or raise "
        "max_documents.",
        n_words=3,
        n_documents=3,
        taken="taken",
    ),
    "M096": error(
        "max_documents={max_documents} is {high:g} of {n_documents} documents and lies below "
        "min_documents={min_documents}, which is {low:g}; lower min_documents or raise max_documents.",
        max_documents="max documents",
        high=0.5,
        n_documents=3,
        min_documents="min documents",
        low=0.5,
    ),
}
