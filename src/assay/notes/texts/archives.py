"""Texts of notes about the archive of a model file."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "F001": error(
        "ASSAY_MODEL_LIMIT={text!r} is not a size; give a number of bytes from 1 to {largest_limit}.",
        text="kfold:x",
        largest_limit=3,
    ),
    "F002": error(
        "The model takes {total} bytes in {n_members} members, more than a model file holds ({limit} bytes, "
        "{longest_header} of them {header}, {most_members} members); set ASSAY_MODEL_LIMIT to allow more "
        "bytes.",
        total="total",
        n_members=3,
        limit=3,
        longest_header="longest header",
        header="header",
        most_members=3,
    ),
    "F003": error(
        "{place!r} is not a file; give the name of a model file.",
        place=3,
    ),
    "F004": error(
        "it takes {total} bytes unpacked, more than the {allowed} allowed; set ASSAY_MODEL_LIMIT to allow more "
        "if you trust the file.",
        total="total",
        allowed="allowed",
    ),
    "F005": error(
        "it is a pickle, which can run any code and is never loaded; save models with assay.save.",
    ),
    "F006": error(
        "it is not a model file; give a file written by assay.save.",
    ),
    "F007": error(
        "it ends too early",
    ),
    "F008": error(
        "it does not end as a model file does",
    ),
    "F009": error(
        "its directory of members is not where it should be",
    ),
    "F010": error(
        "it has {numbers} members, more than the {most} it may have",
        numbers=3,
        most=3,
    ),
    "F011": error(
        "member {shown} has a name that no member of a model file has",
        shown="shown",
    ),
    "F012": error(
        "member {shown} is a link or a device",
        shown="shown",
    ),
    "F013": error(
        "member {shown} is packed in a way that model files do not use",
        shown="shown",
    ),
    "F014": error(
        "member {shown} would unpack to {file_size} bytes from {compress_size}",
        shown="shown",
        file_size=3,
        compress_size=3,
    ),
    "F015": error(
        "there is no {header} in it",
        header="header",
    ),
    "F016": error(
        "{header} takes {sizes} bytes, more than the {longest_header} it may",
        header="header",
        sizes=3,
        longest_header="longest header",
    ),
    "F017": error(
        "{header} does not describe a model",
        header="header",
    ),
    "F018": error(
        "{header} has no list of members",
        header="header",
    ),
    "F019": error(
        "member {name!r} is not listed in {header}",
        name="age",
        header="header",
    ),
    "F020": error(
        "member {name!r} is listed in {header} but missing",
        name="age",
        header="header",
    ),
    "F021": error(
        "the checksum of member {name!r} is wrong",
        name="age",
    ),
    "F022": error(
        "member {filename!r} is there twice",
        filename="filename",
    ),
    "F023": error(
        "its zip archive cannot be unpacked",
    ),
    "F024": error(
        "its directory of members cannot be read",
    ),
    "F025": error(
        "member {name!r} is not as long as {header} says",
        name="age",
        header="header",
    ),
    "F026": error(
        "member {name!r} is not as long as the directory says",
        name="age",
    ),
    "F027": error(
        "an array of type {dtype} cannot be stored; store numbers or booleans",
        dtype="dtype",
    ),
    "F028": error(
        "array {name!r} has the type {dtype!r}, which is not one of numbers or booleans",
        name="age",
        dtype="dtype",
    ),
    "F029": error(
        "array {name!r} has the shape {shape}, which no array has",
        name="age",
        shape="(150, 4)",
    ),
    "F030": error(
        "array {name!r} of shape {shape} takes {n_bytes} bytes, not {length}",
        name="age",
        shape="(150, 4)",
        n_bytes=3,
        length="length",
    ),
    "F031": error(
        "array {name!r} is not {n_bytes} bytes long",
        name="age",
        n_bytes=3,
    ),
    "F032": error(
        "array {name!r} holds bytes that are neither true nor false",
        name="age",
    ),
    "F033": error(
        "member {name!r} is not an array in NumPy's format 1.0",
        name="age",
    ),
    "F034": error(
        "array {name!r} has a header that is not one of plain numbers",
        name="age",
    ),
    "F035": error(
        "array {name!r} is {dtype} of shape {shape}, but model.json lists {listed_dtype} of {listed_shape}",
        name="a0.npy",
        dtype="<f8",
        shape=(3, 4),
        listed_dtype="<f4",
        listed_shape=(4, 3),
    ),
    "F036": error(
        "holds {text}, which is no number",
        text="kfold:x",
    ),
    "F037": error(
        "is nested too deep",
    ),
    "F038": error(
        "holds an integer of more than 64 bits",
    ),
    "F039": error(
        "holds a number beyond double precision",
    ),
    "F040": error(
        "names something twice",
    ),
    "F041": error(
        "{name} {error}",
        name="age",
        error="error",
    ),
    "F042": error(
        "{name} is nested more than {deepest} deep",
        name="age",
        deepest="deepest",
    ),
    "F043": error(
        "{name} is not valid JSON",
        name="age",
    ),
    "F044": error(
        "holds text that is no Unicode",
    ),
    "F045": error(
        "labels in it do not fit the type {dtype!r}",
        dtype="dtype",
    ),
    "F046": error(
        "labels in it do not fit their type",
    ),
    "F047": error(
        "a value in it has more than one kind",
    ),
    "F048": error(
        "a value in it is of the unknown kind {tag!r}",
        tag="tag",
    ),
    "F049": error(
        "a value of kind {tag!r} in it has the wrong content",
        tag="tag",
    ),
    "F050": error(
        "a special number in it is neither nan nor infinite",
    ),
    "F051": error(
        "a mapping in it is not a list of pairs",
    ),
    "F052": error(
        "a mapping in it has keys that are neither text nor numbers",
    ),
    "F053": error(
        "labels in it are not a list",
    ),
    "F054": error(
        "labels in it are of several types, or of none",
    ),
    "F055": error(
        "labels in it have the type {dtype!r}",
        dtype="dtype",
    ),
    "F056": error(
        "moments in it are not arrays of numbers",
    ),
    "F057": error(
        "counts in it are not arrays of numbers",
    ),
    "F058": error(
        "a column of its schema has properties that columns do not have",
    ),
    "F059": error(
        "column {given!r} of its schema is not one that a table has",
        given="given",
    ),
    "F060": error(
        "a record in it has more than one kind",
    ),
    "F061": error(
        "a record in it is of the unknown kind {name!r}",
        name="age",
    ),
    "F062": error(
        "a record {name} in it has other fields",
        name="age",
    ),
    "F063": error(
        "an estimator in it is of the unknown class {name!r}",
        name="age",
    ),
    "F064": error(
        "the {name} in it has no parameters",
        name="age",
    ),
    "F065": error(
        "the {name} in it has other parameters",
        name="age",
    ),
    "F066": error(
        "a model in it has no class or parameters, or lies too deep",
    ),
    "F067": error(
        "a record {name} in it has values that it cannot have",
        name="age",
    ),
    "F068": error(
        "values of type {dtype} cannot be stored: use text or numbers",
        dtype="dtype",
    ),
    "F069": error(
        "{kind} is a class: give a fitted model of it",
        kind="list",
    ),
    "F070": error(
        "labels of several types ({kinds}) cannot be stored: use one type",
        kinds="kinds",
    ),
    "F071": error(
        "labels of type {kind} cannot be stored: use text or numbers",
        kind="list",
    ),
    "F072": error(
        "its parts lie more than {deepest_part} deep inside one another",
        deepest_part="deepest part",
    ),
    "F073": error(
        "the notes in about= have keys that are not text",
    ),
    "F074": error(
        "the notes in about= are nested more than 20 deep",
    ),
    "F075": error(
        "the notes in about= hold {value!r}, which is no plain value",
        value="-1",
    ),
    "F076": error(
        "model.json does not say which format it has",
    ),
    "F077": error(
        "it was written by a newer Assay (format {version}); upgrade with pip install -U assay-ml.",
        version="version",
    ),
    "F078": error(
        "model.json does not have the entries of format 1",
    ),
    "F079": error(
        "model.json does not describe a model",
    ),
    "F080": error(
        "the model in it is not fitted",
    ),
    "F081": error(
        "member {name!r} belongs to nothing in model.json",
        name="age",
    ),
    "F082": error(
        "a {kind} is not a model",
        kind="list",
    ),
    "F083": error(
        "{title} cannot be saved: {removesuffix}.",
        title="title",
        removesuffix="removesuffix",
    ),
    "F084": error(
        "model.json refers to the member {name!r}, which is not there for it",
        name="age",
    ),
    "F085": error(
        "an estimator in it has no member",
    ),
    "F086": error(
        "There is no file {shown}; check the name.",
        shown="shown",
    ),
    "F087": error(
        "{shown} cannot be loaded: it needs more memory than there is.",
        shown="shown",
    ),
    "F088": error(
        "{shown} cannot be loaded: {clause}; the file is damaged or was changed, get a fresh copy.",
        shown="shown",
        clause="clause",
    ),
    "F089": error(
        "{shown} cannot be loaded: {clause}.",
        shown="shown",
        clause="clause",
    ),
}
