"""Texts of notes about sources: files, folders, databases, frames."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

_LAYOUT = "a folder of texts holds one folder per class, named after the class, with the texts inside."

TEXTS: Texts = {
    "D001": error("{file} is not a text file: byte {byte} is zero.", file="people.csv", byte=1024),
    "D002": error(
        "Permission to read {file} is denied; change its permissions.",
        file="people.csv",
    ),
    "D003": error(
        "{file} is damaged or cut short: its compressed data end in an error.", file="people.csv.gz"
    ),
    "D004": error(
        "{file} is not UTF-8 text: byte {byte} is 0x{value:02x}; save it as UTF-8 (it may be {encoding}).",
        file="people.csv",
        byte=1024,
        value=0xE9,
        encoding="Latin-1",
    ),
    "D005": error(
        "{file} could not be read to its end; check the file.",
        file="people.csv",
    ),
    "D006": error(
        "Line {line} of {file} has {fields:count field}, but the header has {expected}; correct the line, or quote "
        "the values that contain the delimiter.",
        line=7,
        file="people.csv",
        fields=5,
        expected=4,
    ),
    "D007": error("{file} is empty.", file="people.csv"),
    "D008": error("{file} is not UTF-8 text: it starts like UTF-16; save it as UTF-8.", file="people.csv"),
    "D009": error(
        "Reading {shown} failed: {reason}.", shown="sqlite:///shop.db", reason="database is locked"
    ),
    "D010": error("{source} has no tables.", source="sqlite:///shop.db"),
    "D011": error(
        "There is no table {wanted!r} in {source}; the tables are {tables:quoted 12}.",
        wanted="orders",
        source="sqlite:///shop.db",
        tables=["items", "shops"],
    ),
    "D012": error(
        "{source} has more than one table {wanted!r}; name one of {tables:quoted 12}.",
        source="postgresql://ann@localhost/shop",
        wanted="shop",
        tables=["a.shop", "b.shop"],
    ),
    "D013": error("{shown} is not an SQLite database.", shown="sqlite:///shop.db"),
    "D014": error(
        "{shown} rejects the query: {reason}; check the SQL.",
        shown="sqlite:///shop.db",
        reason="no such column: pric",
    ),
    "D015": error(
        "{shown} has a text that is not UTF-8; correct it or leave its column out.",
        shown="postgresql://ann@localhost/shop",
    ),
    "D016": error(
        "{source} has {tables:count table}; name one of {tables:quoted 12}, or give a query.",
        source="sqlite:///shop.db",
        tables=["items", "shops"],
    ),
    "D017": error("{source} returns no columns; write a SELECT.", source="sqlite:///shop.db (query)"),
    "D018": error(
        "Reading {database} needs the package {package}; run: {install}",
        database="postgresql",
        package="adbc-driver-postgresql",
        install="pip install 'assay-ml[database]'",
    ),
    "D019": error(
        "Connecting to {shown} failed: {reason}; check that the server is running there, and the user, the password "
        "and the name of the database.",
        shown="postgresql://ann@localhost/shop",
        reason="connection refused",
    ),
    "D020": error(
        "Databases are read from postgresql://... and sqlite:///..., not from {scheme!r} addresses.",
        scheme="mysql",
    ),
    "D021": error(
        "The database address is not of the form postgresql://user:password@host:port/database; special characters in "
        "it must be percent-encoded (@ as %40, / as %2F, % as %25, see urllib.parse.quote).",
    ),
    "D022": error(
        "The address {text!r} does not name a file; write sqlite:///shop.db or sqlite:////data/shop.db.",
        text="sqlite://shop.db",
    ),
    "D023": error("{path} is a folder, not an SQLite database.", path="data"),
    "D024": error(
        "There is no SQLite database {path!r} (seen from the folder {cwd}).",
        path="shop.db",
        cwd="/home/ann",
    ),
    "D025": error(
        "{file} is of an unknown type; files are read by their extension: {text_endings:listed} (.gz or .zst may "
        "follow) and {binary_endings:listed}.",
        file="people.dat",
        text_endings=[".csv", ".jsonl"],
        binary_endings=[".parquet", ".arrow"],
    ),
    "D026": error("There is no file {path!r}; check its name.", path="people.csv"),
    "D027": error(
        "There is no folder {folder!r}, so there is no file {file!r} in it.",
        folder="data",
        file="people.csv",
    ),
    "D028": error(
        "{file} is not a complete {format} file: it is damaged or cut short.",
        file="people.parquet",
        format="Parquet",
    ),
    "D029": error(
        "Column {subject!r} holds {type} values, which are not numbers, text or dates.",
        subject="tags",
        type="list",
    ),
    "D030": error(
        "Column {first!r} has {rows} values and column {other!r} has {others}; give all columns the same number of "
        "values.",
        first="age",
        rows=3,
        other="sex",
        others=4,
    ),
    "D031": error("Column {subject!r} is not a list of values.", subject="age"),
    "D032": error(
        "Column {subject!r} has {dimensions} dimensions; a column is a list of single values.",
        subject="image",
        dimensions=2,
    ),
    "D033": error("An array of shape {shape} is not a table; give rows and columns.", shape=(2, 3, 4)),
    "D034": error("X is a sparse matrix, which is not a table; give X.toarray()."),
    "D035": error("X is not a table; give a frame, an array, a dictionary of columns or a list of texts."),
    "D036": error(
        "X has {rows:count row} and y has {labels:count label}; give one label per row.",
        rows=150,
        labels=149,
    ),
    "D037": error("The frame holds values that are neither numbers nor text nor dates."),
    "D038": error(
        "Column {subject!r} mixes types: row {row} has {value!r} ({type}), but earlier rows have {earlier}; give the "
        "column one type.",
        subject="age",
        row=3,
        value="old",
        type="str",
        earlier="int",
    ),
    "D039": error(
        "Line {line} of {file} is not an object but {shown}; write one object per line.",
        line=3,
        file="people.jsonl",
        shown="[1, 2]",
    ),
    "D040": error("{file} is not JSON: line {line}, column {column}.", file="people.json", line=3, column=14),
    "D041": error("{file} is not a list of objects; its lists are nested too deeply.", file="people.json"),
    "D042": error(
        "Entry {line} of {file} is not an object; write a list of objects.", line=3, file="people.json"
    ),
    "D043": error(
        "Line {line} of {file} is not JSON; write one object per line.", line=3, file="people.jsonl"
    ),
    "D044": error("{source} has no columns.", source="people.parquet"),
    "D045": error(
        "{source} has more than one column named {columns:quoted 5}; give each column its own name.",
        source="people.csv",
        columns=["age"],
    ),
    "D046": error("There is no folder {path}.", path="mail"),
    "D047": error(f"{{path}} is a file, not a folder of texts: {_LAYOUT}", path="mail.zip"),
    "D048": error(f"The folder {{path}} is empty: {_LAYOUT}", path="mail"),
    "D049": error(
        "is neither a file nor a folder, or is a link without a target",
    ),
    "D050": error(
        "is binary (byte {byte} is NUL)",
        byte=4,
    ),
    "D051": error(
        "The name of the class folder {folder!r} is not UTF-8; rename it.", folder="mail/caf\\udce9"
    ),
    "D052": error(
        "The folder {folder} cannot be read: {reason}; check its permissions.",
        folder="mail/spam",
        reason="Permission denied",
    ),
    "D053": error(
        "cannot be read ({reason})",
        reason="Permission denied",
    ),
    "D054": error(
        "The class folder {folder} has no texts; put files into it or remove it.", folder="mail/spam"
    ),
    "D055": error(
        "No file in the folder {folder} is a text: {file} {reason}; put texts into it or remove it.",
        folder="mail/spam",
        file="picture",
        reason="is binary (byte 4 is NUL)",
    ),
    "D056": error("{source} has columns but no rows.", source="people.csv"),
    "D057": error(
        "{option.query} is for databases, and the source is not a database address; leave it out.",
    ),
    "D058": error(
        "A {kind} is not a table; give a file name, a folder, a database address, a frame, an array, a dictionary of "
        "columns, a list of texts or a pair (X, y).",
        kind="set",
    ),
    "D059": error(
        "{scheme}:// addresses are not read; download {text} first and give the file.",
        scheme="https",
        text="https://example.org/people.csv",
    ),
    "D060": error(
        "{option.query} is for databases, and {text!r} is a file; leave it out.",
        text="people.csv",
    ),
    "D062": error(
        "No column of {source} is left after dropping {columns:quoted}.",
        source="people.csv",
        columns=["age", "sex"],
    ),
    "D064": error("rows={rows} is not a number of rows; give 1 or more.", rows=0),
    "D065": error(
        "Column {subject!r} of {source} {reason}; leave it out with {option.drop}.",
        subject="tags",
        source="people.parquet",
        reason="holds values of type list, which are neither numbers nor text nor dates",
    ),
    "D087": error(
        "Tables cannot be written as {asked!r}; use csv, jsonl or parquet.",
        asked="xlsx",
    ),
    "D088": error(
        "Parquet cannot be written to standard output; name a file with {option.out}.",
    ),
    "D227": error(f"The folder {{folder}} has no sub-folders: {_LAYOUT}", folder="mail"),
    "D228": error(
        "The folder {folder} has a single sub-folder, {subfolder!r}; two classes are needed.",
        folder="mail",
        subfolder="spam",
    ),
    "D233": error(
        "A quote opened in line {line} of {file} or later is not closed; close it.",
        line=7,
        file="people.csv",
    ),
    "D234": error(
        "A quoted value in line {line} of {file} or later continues after its closing quote; write quotes inside a "
        "value twice.",
        line=7,
        file="people.csv",
    ),
    "D236": error("There is no file {path!r}; did you mean {near!r}?", path="peple.csv", near="people.csv"),
    "D237": error(
        "There is no table {wanted!r} in {source}; did you mean {near:either}?",
        wanted="shop",
        source="sqlite:///shop.db",
        near=["shops"],
    ),
    "F307": error(
        "{subject!r} cannot be written: {reason}; choose another place.",
        subject="model.assay",
        reason="bad address",
    ),
    "F710": error(
        "{subject!r} cannot be written: the disk is full; free some space or choose another place.",
        subject="model.assay",
    ),
    "F711": error(
        "{subject!r} cannot be written: the disk quota is used up; free some space or choose another place.",
        subject="model.assay",
    ),
    "F712": error(
        "{subject!r} cannot be written: the file would exceed the size limit of this process or file system; choose "
        "another place.",
        subject="model.assay",
    ),
    "F713": error(
        "{subject!r} cannot be written: permission is denied; choose a place you may write to.",
        subject="model.assay",
    ),
    "F714": error(
        "{subject!r} cannot be written: the file system is read-only; choose another place.",
        subject="model.assay",
    ),
    "F715": error(
        "{subject!r} cannot be written: the name is too long; choose a shorter one.",
        subject="model.assay",
    ),
    "F716": error(
        "{subject!r} cannot be written: the device reports an error; choose another place.",
        subject="model.assay",
    ),
    "F717": error(
        "{subject!r} cannot be written: it is a folder; give the name of a file.",
        subject="models",
    ),
    "F718": error(
        "{subject!r} cannot be written: there is no folder {folder!r}; create it first.",
        subject="models/iris.assay",
        folder="models",
    ),
    "F719": error(
        "{subject!r} cannot be written: {folder!r} is not a folder; choose another place.",
        subject="iris.csv/model.assay",
        folder="iris.csv",
    ),
}
