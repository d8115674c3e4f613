"""Texts of notes about sources, columns and their values."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "D001": error(
        "{name} is not a text file: byte {at} is zero.",
        name="age",
        at=1024,
    ),
    "D002": error(
        "{name} may not be read by you; change its permissions.",
        name="age",
    ),
    "D003": error(
        "{name} is damaged or cut short: its compressed data end in an error.",
        name="age",
    ),
    "D004": error(
        "{name} is not UTF-8 text: byte {at} is 0x{object:02x}; save it as UTF-8 (it may be {guess_encoding}).",
        name="age",
        at=1024,
        object=255,
        guess_encoding="Latin-1",
    ),
    "D005": error(
        "{name} could not be read to its end.",
        name="age",
    ),
    "D006": error(
        "Line {line} of {name} has {n_fields} fields where the header has {expected}; correct the line, or "
        "quote the values that contain the delimiter.",
        line="line",
        name="age",
        n_fields=3,
        expected="expected",
    ),
    "D007": error(
        "{name} is empty.",
        name="age",
    ),
    "D008": error(
        "{name} is not UTF-8 text: it starts like UTF-16; save it as UTF-8.",
        name="age",
    ),
    "D009": error(
        "Reading {shown} failed: {reason}.",
        shown="shown",
        reason="reason",
    ),
    "D010": error(
        "{source} has no tables.",
        source="source",
    ),
    "D011": error(
        "There is no table {wanted!r} in {source}; {hint}",
        wanted="wanted",
        source="source",
        hint="hint",
    ),
    "D012": error(
        "{source} has more than one table {wanted!r}; name one of {full}.",
        source="source",
        wanted="wanted",
        full="full",
    ),
    "D013": error(
        "{shown} is not an SQLite database.",
        shown="shown",
    ),
    "D014": error(
        "{shown} refuses the query: {reason}; check the SQL.",
        shown="shown",
        reason="reason",
    ),
    "D015": error(
        "{shown} has a text that is not UTF-8; correct it or leave its column out.",
        shown="shown",
    ),
    "D016": error(
        "{source} has {n_relations} tables; name one of {listed}, or give a query.",
        source="source",
        n_relations=3,
        listed="listed",
    ),
    "D017": error(
        "{name} gives no columns; write a SELECT.",
        name="age",
    ),
    "D018": error(
        "Reading {kind} needs the package {wanted}; run: {install}",
        kind="list",
        wanted="wanted",
        install="install",
    ),
    "D019": error(
        "There is no connection to {shown}: {reason}; check that the server is running there, and the user, "
        "the password and the name of the database.",
        shown="shown",
        reason="reason",
    ),
    "D020": error(
        "Databases are read from postgresql://... and sqlite:///..., not from {scheme!r} addresses.",
        scheme="scheme",
    ),
    "D021": error(
        "The database address is not of the form postgresql://user:password@host:port/database; special "
        "characters in it must be percent-encoded (@ as %40, / as %2F, % as %25, see urllib.parse.quote).",
    ),
    "D022": error(
        "The address {text!r} names no file; write sqlite:///shop.db or sqlite:////data/shop.db.",
        text="kfold:x",
    ),
    "D023": error(
        "{path} is a folder, not an SQLite database.",
        path="table.csv",
    ),
    "D024": error(
        "There is no SQLite database {path!r} (seen from the folder {cwd}).",
        path="table.csv",
        cwd="cwd",
    ),
    "D025": error(
        "{name} has no ending that says how to read it; known are {value} (also followed by .gz or .zst) and "
        "{binary}.",
        name="age",
        value="-1",
        binary="binary",
    ),
    "D026": error(
        "There is no file {path!r}{hint}",
        path="table.csv",
        hint="hint",
    ),
    "D027": error(
        "There is no folder {folder!r}, hence no file {name!r} in it.",
        folder="folder",
        name="age",
    ),
    "D028": error(
        "{name} is not a whole {what} file: it is damaged or cut short.",
        name="age",
        what="what",
    ),
    "D029": error(
        "Column {name!r} holds {kind} values, which are no numbers, text or dates.",
        name="age",
        kind="list",
    ),
    "D030": error(
        "Column {first!r} has {rows} values and column {other!r} has {others}; give each as many.",
        first="first",
        rows=3,
        other="other",
        others="others",
    ),
    "D031": error(
        "Column {name!r} is not a list of values.",
        name="age",
    ),
    "D032": error(
        "Column {name!r} has {ndim} dimensions; a column is a list of single values.",
        name="age",
        ndim="ndim",
    ),
    "D033": error(
        "An array of shape {shape} is not a table; give rows and columns.",
        shape="(150, 4)",
    ),
    "D034": error(
        "The first of a pair (X, y) is a sparse matrix, which is not a table; give X.toarray().",
    ),
    "D035": error(
        "The first of a pair (X, y) is not a table.",
    ),
    "D036": error(
        "X has {num_rows} rows and y has {n_labels} labels; give one label per row.",
        num_rows=3,
        n_labels=3,
    ),
    "D037": error(
        "The frame holds values that are neither numbers nor text nor dates.",
    ),
    "D038": error(
        "Column {name!r} mixes types: row {row} holds {value!r} ({kind}) where earlier rows hold {kind_2}; "
        "give the column one type.",
        name="age",
        row=3,
        value="-1",
        kind="list",
        kind_2="kind 2",
    ),
    "D039": error(
        "Line {number} of {name} is not an object but {shown}; write one object a line.",
        number=3,
        name="age",
        shown="shown",
    ),
    "D040": error(
        "{name} is not JSON: line {lineno}, column {colno}.",
        name="age",
        lineno="lineno",
        colno="colno",
    ),
    "D041": error(
        "{name} is not a list of objects; its lists are nested too deeply.",
        name="age",
    ),
    "D042": error(
        "Entry {number} of {name} is not an object; write a list of objects.",
        number=3,
        name="age",
    ),
    "D043": error(
        "Line {number} of {name} is not JSON; write one object a line.",
        number=3,
        name="age",
    ),
    "D044": error(
        "{source} has no columns.",
        source="source",
    ),
    "D045": error(
        "{source} has more than one column named {listed}; give each a name of its own.",
        source="source",
        listed="listed",
    ),
    "D046": error(
        "There is no folder {path}.",
        path="table.csv",
    ),
    "D047": error(
        "{path} is a file, not a folder of texts: {layout}.",
        path="table.csv",
        layout="layout",
    ),
    "D048": error(
        "The folder {path} is empty: {layout}.",
        path="table.csv",
        layout="layout",
    ),
    "D049": error(
        "is neither a file nor a folder, or a link that leads nowhere",
    ),
    "D050": error(
        "is binary: byte {index} is NUL",
        index="index",
    ),
    "D051": error(
        "The name of the class folder {folder!r} is not UTF-8; rename it.",
        folder="folder",
    ),
    "D052": error(
        "The folder {folder} cannot be read: {value}; check its permissions.",
        folder="folder",
        value="-1",
    ),
    "D053": error(
        "cannot be read: {value}",
        value="-1",
    ),
    "D054": error(
        "The class folder {folder} has no texts; put files into it or remove it.",
        folder="folder",
    ),
    "D055": error(
        "No file in the {kind} {folder} is a text: {name} {why}; put texts into it or remove it.",
        kind="list",
        folder="folder",
        name="age",
        why="why",
    ),
    "D056": error(
        "{name} has columns but no rows.",
        name="age",
    ),
    "D057": error(
        "{option.query} asks a database, but the source is not a database address.",
    ),
    "D058": error(
        "A {kind} is not a table; give a file name, a folder, a database address, a frame, an array, a "
        "dictionary of columns, a list of texts or a pair (X, y).",
        kind="list",
    ),
    "D059": error(
        "{scheme}:// addresses are not read; download {text} first and give the file.",
        scheme="scheme",
        text="kfold:x",
    ),
    "D060": error(
        "{option.query} asks a database, but {text!r} is a file; leave it out.",
        text="kfold:x",
    ),
    "D061": error(
        "Column {target!r} is the target and cannot be dropped.",
        target="target",
    ),
    "D062": error(
        "No column of {name} is left after dropping {map}.",
        name="age",
        map="map",
    ),
    "D063": error(
        "X has {n_rows} rows and y has {n_rows_2} labels; give one label per row.",
        n_rows=3,
        n_rows_2=3,
    ),
    "D064": error(
        "rows={rows} is not a number of rows; give 1 or more.",
        rows=3,
    ),
    "D065": error(
        "Column {name!r} of {name_2} {error}; leave it out with {option.drop}.",
        name="age",
        name_2="name 2",
        error="error",
    ),
    "D087": error(
        "There is no format {asked!r} to write; give csv, jsonl or parquet.",
        asked="asked",
    ),
    "D088": error(
        "Parquet is no text for standard output; name a file with --out.",
    ),
}
