"""Texts of notes about models of scikit-learn in model files."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "F166": error(
        "a fitted {name} of scikit-learn is stored with skops, which is not installed: pip install "
        "'assay-ml[foreign]', or fit it again where it is needed",
        name="age",
    ),
    "F167": error(
        "the {name} in it does not say which scikit-learn it is from",
        name="age",
    ),
    "F168": error(
        "the {name} in it was fitted by scikit-learn {written} and here is {here}; install scikit-learn "
        "{split}, or fit it again.",
        name="age",
        written="written",
        here="here",
        split="split",
    ),
    "F169": error(
        "the {name} in it is stored with skops, which is not installed; pip install 'assay-ml[foreign]'.",
        name="age",
    ),
    "F170": error(
        "its estimator is stored in a way that this version does not read",
    ),
    "F171": error(
        "the arrays of its estimator are not those that it names",
    ),
    "F172": error(
        "its estimator holds a {kind!r}",
        kind="list",
    ),
    "F173": error(
        "its estimator refers to itself",
    ),
    "F174": error(
        "its estimator holds a function that is not one of scikit-learn's",
    ),
    "F175": error(
        "a tree of its estimator has more than one output",
    ),
    "F176": error(
        "array {name!r} of its estimator is not as long as it says, or no array of numbers",
        name="age",
    ),
    "F177": error(
        "this {name} holds more than numbers ({error}): give its parameters as plain values, or fit it again "
        "where it is needed",
        name="age",
        error="error",
    ),
    "F178": error(
        "the {name} in it cannot be rebuilt",
        name="age",
    ),
    "F179": error(
        "array {name!r} of its estimator has a header that cannot be read",
        name="age",
    ),
    "F180": error(
        "its estimator is not the {name} it is said to be",
        name="age",
    ),
    "F181": error(
        "its estimator has no columns or no classes",
    ),
    "F182": error(
        "its estimator gives no posteriors",
    ),
    "F183": error(
        "a tree of its estimator has more nodes than it holds",
    ),
    "F184": error(
        "a tree of its estimator is for other columns or classes",
    ),
    "F185": error(
        "a tree of its estimator has leaves without shares",
    ),
    "F186": error(
        "the bins of its estimator are for other columns",
    ),
    "F187": error(
        "its estimator does not start from one score a class",
    ),
    "F188": error(
        "a round of its estimator does not consist of trees",
    ),
    "F189": error(
        "a tree of its estimator has no nodes, or leaves without values",
    ),
    "F190": error(
        "a tree of its estimator splits between categories that it does not have",
    ),
    "F191": error(
        "a tree of its estimator has no sets of categories",
    ),
    "F192": error(
        "a tree of its estimator leads to nodes that are not there",
    ),
    "F193": error(
        "a tree of its estimator asks for columns that are not there",
    ),
    "F194": error(
        "its forest has no trees",
    ),
    "F195": error(
        "its estimator has categories beyond the 256 there can be",
    ),
    "F196": error(
        "a round of its estimator does not have one tree a class",
    ),
    "F197": error(
        "its forest is not one of decision trees",
    ),
    "F198": error(
        "its attribute {name!r} is not {expected}",
        name="age",
        expected="expected",
    ),
}
