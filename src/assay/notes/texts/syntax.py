"""Texts of notes about options that cannot be read."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error, info

TEXTS: Texts = {
    "O001": error(
        "The loss does not name an action in {pair!r}; write true:action=cost, as in 'good:bad=5'.",
        pair="good:",
    ),
    "O002": error(
        "The loss names {key!r}, which is not a class. {hint}",
        key="benin",
        hint="Did you mean 'benign'?",
    ),
    "O003": error(
        "There is no loss file {loss!r}; give a CSV or JSON file, or a text such as 'good:bad=5'.",
        loss="loss.csv",
    ),
    "O004": error(
        "The loss of {pair!r} is 'never', which is allowed for all classes only; write '*:action=never' to remove an "
        "action.",
        pair="good:bad",
    ),
    "O005": error(
        "The loss leaves no action; give at least one that is not 'never'.",
    ),
    "O006": error(
        "{pair!r} in the loss does not name a class and an action; write true:action=cost, as in 'good:bad=5'.",
        pair="good",
    ),
    "O007": error(
        "{path!r} does not contain a loss matrix; give a header of actions and one row per class.",
        path="loss.csv",
    ),
    "O008": error(
        "{path!r} has two columns called {action!r}; give one.",
        path="loss.csv",
        action="good",
    ),
    "O009": error(
        "{part!r} does not assign a number to a name; write it as in {example!r}.",
        part="good:bad",
        example="good:bad=5",
    ),
    "O010": error(
        "The loss of {pair!r} is {value!r}; give a number.",
        value="much",
        pair="good:bad",
    ),
    "O011": error(
        "The {name} omit class {label!r}; give it a probability, which may be 0.",
        name="priors",
        label="good",
    ),
    "O012": error(
        "{path!r} is not UTF-8 text (byte {byte}); save the loss matrix as UTF-8.",
        path="loss.csv",
        byte=17,
    ),
    "O013": error(
        "{path!r} is not JSON: {reason} in line {line}.",
        path="loss.json",
        reason="Expecting value",
        line=3,
    ),
    "O014": error(
        "{path!r} has {row!r} for class {key!r}; give action: cost pairs.",
        path="loss.json",
        row=5,
        key="good",
    ),
    "O015": error(
        "Row {row} of {path!r} has {cells:count cell}, but its header has {expected}.",
        row=3,
        path="loss.csv",
        cells=3,
        expected=4,
    ),
    "O016": error(
        "{path!r} has two rows for class {label!r}; give one.",
        path="loss.csv",
        label="good",
    ),
    "O017": error(
        "Unknown class {action!r}. To define a separate action, give its cost for every class, as in "
        "'*:{name}=cost'; it is missing for class {label!r}.",
        action="reject",
        label="good",
        name="reject",
    ),
    "O018": error(
        "{name}={text} has an empty value; write values with a comma between two, such as 0.1,1,10.",
        name="l2",
        text="0.1,,10",
    ),
    "O020": error(
        "{owner} is given a range of {name!r} twice; give it once.",
        owner="ridge",
        name="l2",
    ),
    "O021": error(
        "{name}={text} has more than {most_values} values; give fewer, such as 1..1000:20 (twenty).",
        name="n_neighbors",
        text="1..5000",
        most_values=1000,
    ),
    "O022": error(
        "{name}={text} is not a range; write whole numbers as 1..25 (at most {most_values}), others as 1e-4..10:6 "
        "(six values, evenly spaced on a logarithmic scale) or 0..1:5 (evenly spaced from 0).",
        name="l2",
        text="1..x",
        most_values=1000,
    ),
    "O023": error(
        "There is no validation scheme {text!r}; give {plans:choice}.",
        text="tenfold",
        plans=(
            "kfold:10",
            "kfold:5x3 (repeated)",
            "holdout:0.3",
            "split:60/20/20 (training/validation/test)",
        ),
    ),
    "O024": error(
        "split:{text} does not name three sets; give training, validation and test rows in per cent, such as "
        "split:60/20/20.",
        text="60/40",
    ),
    "O025": error(
        "The sets of split:{text} sum to {total:g} %; give three above 0 that sum to 100, such as split:60/20/20.",
        text="60/20/10",
        total=90.0,
    ),
    "O026": error(
        "{text!r} is not a duration; give seconds, or a number with s, m or h: 90s, 10m, 1h30m.",
        text="ten minutes",
    ),
    "O027": error(
        "The budget {budget!r} is not a duration; give seconds, a text such as '90s', '10m' or '1h30m', or "
        "None.",
        budget=-5,
    ),
    "O028": error(
        "{text!r} is not a number of clusters; give one such as 3, or a range such as 2..8.",
        text="many",
    ),
    "O029": error(
        "The range {text!r} is empty or has too many numbers; give one such as 2..8.",
        text="8..2",
    ),
    "O030": error(
        "{text!r} cannot be read; write {form}, such as {example}.",
        text="zip",
        form="column=type",
        example="zip=categorical",
    ),
    "O031": error(
        "The validation scheme {text!r} needs at least two folds; give {plans:choice}.",
        text="kfold:1",
        plans=(
            "kfold:10",
            "kfold:5x3 (repeated)",
            "holdout:0.3",
            "split:60/20/20 (training/validation/test)",
        ),
    ),
    "O032": error(
        "The proportion in the validation scheme {text!r} must lie between 0 and 1; give {plans:choice}.",
        text="holdout:1.5",
        plans=(
            "kfold:10",
            "kfold:5x3 (repeated)",
            "holdout:0.3",
            "split:60/20/20 (training/validation/test)",
        ),
    ),
    "O033": error(
        "Column {name!r} is given two types, {first!r} and {second!r}; give one.",
        name="zip",
        first="numeric",
        second="categorical",
    ),
    "O035": error(
        "{option.stratified} is for folds, such as kfold:10; the validation scheme is {text!r}.",
        text="holdout:0.3",
    ),
    "O034": error(
        "{owner} is given {name!r} twice; give it once.",
        owner="ridge",
        name="l2",
    ),
    "O200": error(
        "{n_jobs:set n_jobs} is not a number of threads; give 1 or more, or -1 for all.",
        n_jobs=0,
    ),
    "O090": error(
        "No note has the code {given!r}; did you mean {near}? docs/notes.md lists the codes.",
        given="P1",
        near="P001",
    ),
    "O700": info(
        "Did you mean {near:either}?",
        near=["logistic"],
    ),
    "O701": info(
        "Possible names: {known:quoted 99}.",
        known=["l1", "l2", "tol"],
    ),
    "O702": info(
        "There are none to choose from.",
    ),
    "O703": error(
        "{path!r} names {key!r}, which is not a class. {hint}",
        path="loss.json",
        key="benin",
        hint="Did you mean 'benign'?",
    ),
    "O704": error(
        "The {name} name {key!r}, which is not a class. {hint}",
        name="priors",
        key="benin",
        hint="Did you mean 'benign'?",
    ),
    "O705": error(
        "The prior of class {label!r} is {value!r}; give a number.",
        label="benign",
        value="half",
    ),
    "O706": error(
        "Unknown class {action!r}. {hint} To define a separate action, give its cost for every class, as in "
        "'*:{name}=cost'; it is missing for class {label!r}.",
        action="benin",
        hint="Did you mean 'benign'?",
        label="benign",
        name="benin",
    ),
    "O707": info(
        "The classes are {classes:quoted 20}.",
        classes=["bad", "good"],
    ),
}
