"""Texts of notes about why a column has its type, and what its values leave open."""

from __future__ import annotations

from assay.notes.texts.text import Texts, info, warning

TEXTS: Texts = {
    "D200": info("no value in any row"),
    "D201": info("one value in every row"),
    "D202": info("dates"),
    "D203": info("whole numbers"),
    "D204": info("numbers with decimals"),
    "D205": info("one value or none"),
    "D206": info("two values"),
    "D207": info("whole numbers, {values} values", values=3),
    "D208": info("whole numbers with the name of a key"),
    "D209": info("a new number in every row, increasing"),
    "D210": info("consecutive numbers, each once"),
    "D211": info("a different number in nearly every row, all of the same length"),
    "D212": info(
        "{words:.0f} words on average, {percentage:.0f} % of the values different",
        words=12.4,
        percentage=98.0,
    ),
    "D213": info("{percentage:.0f} % of the values different", percentage=100.0),
    "D214": info("too many different values for categories"),
    "D215": info("text, {values} values", values=6),
    "D216": info("as requested"),
    "D217": info("the target"),
    "D218": info("{reason}, written like {example}", reason="whole numbers", example="$1,234.5"),
    "D219": info("given as texts"),
    "D220": info("texts of files"),
    "D221": warning(
        "Column {subject!r} has dates that can be read as {taken} or as {other}, because no day in it is after the "
        "12th. Assay takes the first number for the day; read it with {subject:as {type}} if that is wrong.",
        subject="day",
        taken="dd/mm/yyyy",
        other="mm/dd/yyyy",
        type="date:mm/dd/yyyy",
    ),
    "D222": warning(
        "Column {subject!r} has numbers with one {sign} and three digits behind it, which may separate thousands or "
        "decimals. Assay takes them for {meaning}, written like {taken}; read it with {subject:as {type}} if that is "
        "wrong.",
        subject="price",
        sign="comma",
        meaning="thousands",
        taken="1,234.5",
        type="numeric:1234,5",
    ),
    "D223": warning(
        "Column {subject!r} is read as {type}, because not all of its values are numbers: {place} of {source} has "
        "{value!r}. Correct the value or leave it empty to make the column numeric; read it with "
        "{subject:as {type}} if it is not.",
        subject="age",
        type="categorical",
        place="line 13",
        source="people.csv",
        value="unknown",
    ),
    "D224": warning(
        "Column {subject!r} is read as {type}, because not all of its values are numbers: {place} of {source} has "
        "{value!r}, and there {others:is/are} {others:count more such row}. Correct such values or leave them empty to "
        "make the column numeric; read it with {subject:as {type}} if it is not.",
        subject="age",
        type="categorical",
        place="line 13",
        source="people.csv",
        value="unknown",
        others=2,
    ),
    "D225": warning(
        "1 file of {source} was skipped, because it is not text: {file} {reason:clause}.",
        source="mail",
        file="ham/picture",
        reason="is binary (byte 4 is NUL)",
    ),
    "D226": warning(
        "{skipped:count file} of {source} were skipped, because they are not text; the first, {file}, "
        "{reason:clause}.",
        skipped=2,
        source="mail",
        file="ham/picture",
        reason="is binary (byte 4 is NUL)",
    ),
    "D229": warning(
        "Column {subject!r} has {unseen:count value} of {present} that {unseen:was/were} never seen in training "
        "({examples:quoted 5}); the known categories are {known:quoted 5}.",
        subject="sex",
        unseen=30,
        present=30,
        examples=["Male", "Female"],
        known=["female", "male"],
    ),
    "D230": warning(
        "Column {subject!r} has {unseen:count value} of {present} that {unseen:was/were} never seen in training; the "
        "known categories are {known:quoted 5}.",
        subject="sex",
        unseen=30,
        present=30,
        known=["female", "male"],
    ),
}
