"""Texts of notes about a table's problem: target, groups, weights, diagnosis."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "P001": error(
        "There are {n_codes} classes for {n_rows} rows; give one class per row.",
        n_codes=3,
        n_rows=3,
    ),
    "P002": error(
        "No column can be grouped by: {schema}; give a column another type ({option.types}) if it holds "
        "numbers or categories.",
        schema="schema",
    ),
    "P003": error(
        "Column {target!r} is the target and cannot be dropped; take it out of one of the two.",
        target="target",
    ),
    "P004": error(
        "There is nothing to group in {n_rows}; give at least two.",
        n_rows=3,
    ),
    "P005": error(
        "Values in column {names!r} reach {largest:.3g}, whose squares overflow; rescale it.",
        names="age, income",
        largest=0.5,
    ),
    "P006": error(
        "No column varies; there is nothing to group.",
    ),
    "P007": error(
        "Which column is to be predicted? Give {option.target}: {why}; the columns are {columns:quoted}.",
        why="none is called class, target, label or y",
        columns=["age", "sex"],
    ),
    "P008": error(
        "No column is left to predict {target!r} from: {reasons:listed}; give a column another type "
        "({option.types}) if it holds numbers or categories.",
        target="class",
        reasons=["'id' (identifier)", "'note' (no values)"],
    ),
    "P009": error(
        "Labels are given beside {source!r}; give the name of its target column, or read it first: "
        "compare(assay.read({source!r}), labels).",
        source="source",
    ),
    "P010": error(
        "Target {subject!r} has no value in any row; nothing can be learned from it.",
        subject="class",
    ),
    "P011": error(
        "Target {subject!r} has the value {label!r} in every row that has one; classification needs two classes.",
        subject="class",
        label="yes",
    ),
    "P012": error(
        "Target {subject!r} has {n_classes} different values in {n_rows} rows and looks like an identifier; name "
        "the column that holds the classes.",
        subject="id",
        n_classes=150,
        n_rows=150,
    ),
    "P013": error(
        "Target {subject!r} has {n_classes} classes, and at most {most} are compared; merge the rare ones "
        "first.",
        subject="town",
        n_classes=1200,
        most=1000,
    ),
    "P014": error(
        "There is no column besides the target {target!r}; add columns to predict it from.",
        target="class",
    ),
    "P015": error(
        "Column {subject!r} is infinite in row {row}; replace the value, or leave it empty if it is not known.",
        subject="age",
        row=7,
    ),
    "P016": error(
        "There is nothing to project in {n_rows}; give at least two.",
        n_rows=3,
    ),
    "P017": error(
        "No word stands in two texts; there is nothing to place the texts by.",
    ),
    "P018": error(
        "No column can be projected: {schema}; give a column another type ({option.types}) if it holds numbers "
        "or categories.",
        schema="schema",
    ),
    "P019": error(
        "Column {subject!r} holds the weights, but it has {value}, and weights are numbers; correct it, or name "
        "another column.",
        subject="w",
        value="'much' in row 4",
    ),
    "P020": error(
        "{where} no value in row {row} ({rows:count such row} in all); give each row a group, or leave such "
        "rows out.",
        where="Column 'patient', which holds the groups, has",
        row=7,
        rows=1,
    ),
    "P021": error(
        "{where} the same value in every row, so no group could be left out for testing; name another column.",
        where="Column 'patient', which holds the groups, has",
    ),
    "P022": error(
        "groups must hold one value for each of the {n_rows} rows, or name a column, but has shape {shape}.",
        n_rows=3,
        shape="(150, 4)",
    ),
    "P023": error(
        "{where} {value} in row {row}; give each row a number of 0 or more, or leave the row out.",
        where="Column 'w', which holds the weights, has",
        value="-1",
        row=4,
    ),
    "P024": error(
        "{where} 0 in every row, so no row counts; give some rows a larger weight.",
        where="Column 'w', which holds the weights, is",
    ),
    "P025": error(
        "{where} 0 in every row except those of {label!r} in {target!r}; classification needs two classes.",
        where="Column 'w', which holds the weights, is",
        target="class",
        label="yes",
    ),
    "P026": error(
        "weights must hold one number for each of the {n_rows} rows, or name a column, but has shape {shape}.",
        n_rows=3,
        shape="(150, 4)",
    ),
    "P027": error(
        "The validation scheme tests rows with models that were trained on other rows of their group ({groups}); "
        "use folds of whole groups, such as kfold:10.",
        groups="'patient'",
    ),
    "P028": error(
        "weights must be numbers, one for each row, or the name of a column.",
    ),
    "P029": error(
        "Column {subject!r} is given as {other} and as {role}; name another column for one of the two.",
        subject="class",
        other="target",
        role="groups",
    ),
    "P030": error(
        "{path!r} holds a {kind} that knows no column names; load it in Python, or save a model of `assay fit` "
        "or `assay compare`.",
        path="table.csv",
        kind="list",
    ),
    "P031": error(
        "Target {subject!r} holds dates, which are not classes; make a column of periods such as the year or the "
        "month.",
        subject="day",
    ),
    "P032": error(
        "Target {subject!r} is numeric with {distinct:count different value}; to predict ranges of it, add a "
        "column of bins, such as pandas.cut(frame[{subject!r}], 4), and name that, or read it with "
        "{subject:as categorical} if its values are names.",
        shell="Target {subject!r} is numeric with {distinct:count different value}; to predict ranges of it, add a "
        "column of bins and name that, or read it with {subject:as categorical} if its values are names.",
        subject="price",
        distinct=180,
    ),
}
