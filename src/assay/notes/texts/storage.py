"""Texts of notes about model files."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "F001": error(
        "ASSAY_MODEL_LIMIT={text!r} is not a size; give a number of bytes from 1 to {largest}.",
        text="1G",
        largest=4293918720,
    ),
    "F002": error(
        "The model takes {size} bytes in {members} members, and a model file holds at most {limit} bytes, "
        "{header_limit} of them in model.json, and {member_limit} members; set ASSAY_MODEL_LIMIT to allow more bytes.",
        size=2147483648,
        members=12,
        limit=1073741824,
        header_limit=16777216,
        member_limit=50000,
    ),
    "F003": error(
        "{subject!r} cannot be loaded: it is not a file; give the name of a model file.",
        subject="models",
    ),
    "F004": error(
        "{subject!r} cannot be loaded: it takes {size} bytes unpacked, more than the limit of {limit}; set "
        "ASSAY_MODEL_LIMIT to allow more if you trust the file.",
        subject="model.assay",
        size=2147483648,
        limit=1073741824,
    ),
    "F005": error(
        "{subject!r} cannot be loaded: it is a pickle, which can run any code and is never loaded; save models with "
        "assay.save.",
        subject="model.pkl",
    ),
    "F006": error(
        "{subject!r} cannot be loaded: it is not a model file; give a file written by assay.save.",
        subject="table.csv",
    ),
    "F027": error(
        "an array of type {dtype} cannot be stored; store numbers or booleans",
        dtype="complex128",
    ),
    "F068": error(
        "values of type {dtype} cannot be stored; use text or numbers",
        dtype="datetime64[ns]",
    ),
    "F069": error(
        "{kind} is a class; give a fitted model of it",
        kind="GaussianNB",
    ),
    "F070": error(
        "labels of several types ({kinds}) cannot be stored; use one type",
        kinds="int, str",
    ),
    "F071": error(
        "labels of type {kind} cannot be stored; use text or numbers",
        kind="date",
    ),
    "F072": error(
        "its parts are nested more than {deepest} deep",
        deepest=6,
    ),
    "F073": error(
        "the keys of about= are not all text",
    ),
    "F074": error(
        "the values of about= are nested more than 20 deep",
    ),
    "F075": error(
        "about= holds {value!r}; give text, finite numbers, lists and dicts",
        value="nan",
    ),
    "F077": error(
        "{subject!r} cannot be loaded: it was written by a newer version of Assay (format {version}); upgrade with "
        "pip install -U assay-ml.",
        subject="model.assay",
        version=3,
    ),
    "F082": error(
        "a {kind} is not a model",
        kind="list",
    ),
    "F083": error(
        "{title} cannot be saved: {reason:clause}.",
        title="GaussianNB",
        reason="it is not fitted; call fit first",
    ),
    "F086": error(
        "There is no file {subject!r}; check the name.",
        subject="model.assay",
    ),
    "F087": error(
        "{subject!r} cannot be loaded: it needs more memory than is available.",
        subject="model.assay",
    ),
    "F088": error(
        "{subject!r} cannot be loaded: {damage}; the file is damaged or was changed, so get a fresh copy.",
        subject="model.assay",
        damage="the checksum of member 'a0.npy' is wrong",
    ),
    "F089": error(
        "{subject!r} cannot be loaded: {reason:clause}.",
        subject="model.assay",
        reason="the GaussianNB in it cannot be used: its attribute 'classes_' is missing",
    ),
    "F129": error(
        "it is not fitted; call fit first",
    ),
    "F130": error(
        "{kind} is not a model that Assay can store",
        kind="SVC",
    ),
    "F131": error(
        "the class {name!r} is unknown to this version of Assay",
        name="QuantumForest",
    ),
    "F139": error(
        "its {name} does not follow from its parameters, which were changed after fitting; fit it again",
        name="coef_",
    ),
    "F164": error(
        "its {kind} is not fitted; call fit first",
        kind="Standardize",
    ),
    "F166": error(
        "a fitted {name} of scikit-learn is stored with skops, which is not installed; run pip install "
        "'assay-ml[foreign]', or fit the model again where it is needed",
        name="RandomForestClassifier",
    ),
    "F168": error(
        "{subject!r} cannot be loaded: the {name} in it was fitted by scikit-learn {written}, and {installed} is "
        "installed here; install scikit-learn {wanted}, or fit the model again.",
        subject="model.assay",
        name="RandomForestClassifier",
        written="1.5.2",
        installed="1.7.0",
        wanted="1.5",
    ),
    "F169": error(
        "{subject!r} cannot be loaded: the {name} in it is stored with skops, which is not installed; run pip install "
        "'assay-ml[foreign]'.",
        subject="model.assay",
        name="RandomForestClassifier",
    ),
    "F177": error(
        "this {name} holds more than numbers ({part}); give its parameters as plain values, or fit it again where it "
        "is needed",
        name="RandomForestClassifier",
        part="its estimator refers to itself",
    ),
    "F300": error(
        "{subject!r} cannot be read: {reason}.",
        subject="model.assay",
        reason="permission denied",
    ),
    "F301": error(
        "a {kind} is made of functions, but a file holds data, never code; fit it again where it is needed",
        kind="ParametricClassifier",
    ),
    "F302": error(
        "{kind} is neither a model of Assay nor one of scikit-learn's in the catalog ({stored:listed}), and nothing "
        "else can be stored; fit it again where it is needed",
        kind="SVC",
        stored=("RandomForestClassifier", "DecisionTreeClassifier"),
    ),
    "F303": error(
        "a {kind} is not one of Assay's validation schemes ({stored:listed}), and no other splitter can be stored; "
        "use one of these",
        kind="StratifiedKFold",
        stored=("KFold", "HoldOut"),
    ),
    "F304": error(
        "it holds the function {name!r}, but a file holds data, never code; fit it again where it is needed",
        name="log1p",
    ),
    "F306": error(
        "it takes {size} bytes, more than the limit of {limit}; set ASSAY_MODEL_LIMIT to allow more",
        size=2147483648,
        limit=1073741824,
    ),
    "F305": error(
        "a value of type {kind} cannot be stored",
        kind="object",
    ),
}
