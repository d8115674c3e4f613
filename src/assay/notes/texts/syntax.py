"""Texts of notes about options that cannot be read."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "O001": error(
        "The loss names no action in {pair!r}; write true:action=cost, as in 'good:bad=5'.",
        pair="good",
    ),
    "O002": error(
        "{who} {key!r}, which is not a class{near}.",
        who="who",
        key="key",
        near="near",
    ),
    "O003": error(
        "There is no loss file {loss!r}; give a CSV or JSON file, or a text such as 'good:bad=5'.",
        loss="loss.csv",
    ),
    "O004": error(
        "The loss of {pair!r} is 'never'; an action is taken away with '*:action=never'.",
        pair="good",
    ),
    "O005": error(
        "The loss leaves no action; give at least one that is not 'never'.",
    ),
    "O006": error(
        "The loss names {pair!r} alone; write true:action=cost, as in 'good:bad=5'.",
        pair="good",
    ),
    "O007": error(
        "{path!r} holds no loss matrix; give a header of actions and one row per class.",
        path="loss.csv",
    ),
    "O008": error(
        "{path!r} has two columns called {action!r}; give one.",
        path="loss.csv",
        action="good",
    ),
    "O009": error(
        "{part!r} gives no number to a name; write it as in {example!r}.",
        part="good:bad",
        example="good:bad=5",
    ),
    "O010": error(
        "{what} is {value!r}; give a number.",
        what="what",
        value="-1",
    ),
    "O011": error(
        "The {name} leave out class {label!r}; give it a probability, which may be 0.",
        name="age",
        label="yes",
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
        "{path!r} gives {row!r} for class {key!r}; give action: cost pairs.",
        path="table.csv",
        row=3,
        key="key",
    ),
    "O015": error(
        "Row {row} of {path!r} has {cells:count cell}, its header {expected}.",
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
        "Unknown class {action!r}{near}. To define a separate action, give its cost for every class, as in "
        "'*:{name}=cost'; it is missing for class {label!r}.",
        action="benin",
        near=" (did you mean 'benign'?)",
        label="benign",
        name="benin",
    ),
    "O018": error(
        "{name}={text} has an empty value; write values with a comma between two, such as 0.1,1,10.",
        name="age",
        text="kfold:x",
    ),
    "O019": error(
        "{owner} has no parameter {name!r}; {suggestion}",
        owner="ridge",
        name="age",
        suggestion="did you mean 'l2'?",
    ),
    "O020": error(
        "{owner} is given a range of {name!r} twice; give it once.",
        owner="ridge",
        name="age",
    ),
    "O021": error(
        "{name}={text} is more than the {most_values} values that are tried at most; give fewer of them, such "
        "as 1..1000:20 (twenty).",
        name="age",
        text="kfold:x",
        most_values=3,
    ),
    "O022": error(
        "{name}={text} is not a range; write whole numbers as 1..25 (at most {most_values}), others as 1e-4..10:6 "
        "(six values, even in their logarithm) or 0..1:5 (from 0 on, even as they are).",
        name="age",
        text="kfold:x",
        most_values=3,
    ),
    "O023": error(
        "There is no validation scheme {text!r}; give {plans}.",
        text="kfold:x",
        plans="kfold:10, kfold:5x3, holdout:0.3 or split:60/20/20",
    ),
    "O024": error(
        "split:{text} does not name three sets; give training, validation and test rows in per cent, such as "
        "split:60/20/20.",
        text="kfold:x",
    ),
    "O025": error(
        "The sets of split:{text} sum to {total:g} %; give three above 0 that sum to 100, such as "
        "split:60/20/20.",
        text="kfold:x",
        total=90.0,
    ),
    "O026": error(
        "{text!r} is not a duration; give seconds, or a number with s, m or h: 90s, 10m, 1h30m.",
        text="kfold:x",
    ),
    "O027": error(
        "The budget {budget!r} is not a duration; give seconds, a text such as '90s', '10m' or '1h30m', or "
        "None.",
        budget=-5,
    ),
    "O028": error(
        "{text!r} is not a number of clusters; give one such as 3, or a range such as 2..8.",
        text="kfold:x",
    ),
    "O029": error(
        "The range {text!r} holds no number, or too many; give one such as 2..8.",
        text="kfold:x",
    ),
    "O030": error(
        "{text!r} cannot be read; write {form}.",
        text="kfold:x",
        form="column=type, for example zip=categorical",
    ),
    "O031": error(
        "There is no validation scheme {text!r}: it needs at least two folds; give {plans}.",
        text="kfold:x",
        plans="kfold:10, kfold:5x3, holdout:0.3 or split:60/20/20",
    ),
    "O032": error(
        "There is no validation scheme {text!r}: a proportion lies between 0 and 1; give {plans}.",
        text="kfold:x",
        plans="kfold:10, kfold:5x3, holdout:0.3 or split:60/20/20",
    ),
    "O033": error(
        "Column {name!r} is given two types, {types!r} and {kind!r}; give one.",
        name="age",
        types="types",
        kind="list",
    ),
    "O034": error(
        "{owner} is given {name!r} twice; give it once.",
        owner="ridge",
        name="age",
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
}
