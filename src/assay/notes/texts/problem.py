"""Texts of notes about a table's problem: target, groups, weights, diagnosis."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error, warning

TEXTS: Texts = {
    "P150": error(
        "{option.time} gives the order of the rows, which windows in time need: {time!r} without them has no effect; "
        "add {plan:set plan}.",
        time="date",
        plan="time:5",
    ),
    "P151": error(
        "Column {subject!r} is {kind}; the order of rows is given by dates or numbers. If it holds dates, use "
        "{subject:as date}.",
        subject="when",
        kind="categorical",
    ),
    "P152": error(
        "Column {subject!r} has no value in {rows:count row}, the first of them row {row}; drop such rows.",
        subject="date",
        row=17,
        rows=2,
    ),
    "P153": error(
        "The rows are not in the order of column {subject!r}: row {row} is earlier than row {before}. Sort the table "
        "by it.",
        subject="date",
        row=18,
        before=17,
    ),
    "P001": error(
        "There are {n_codes} classes for {n_rows} rows; give one class per row.",
        n_codes=149,
        n_rows=150,
    ),
    "P002": error(
        "No column can be used for clustering ({columns:quoted}); give a column another type ({option.types}) if it "
        "holds numbers or categories.",
        columns=["id", "name"],
    ),
    "P003": error(
        "Column {target!r} is the target and cannot be dropped; remove it from {option.target} or {option.drop}.",
        target="class",
    ),
    "P004": error(
        "Clustering needs at least two rows, but there {rows:is/are} {rows:count row}.",
        rows=1,
    ),
    "P005": error(
        "Values in column {subject!r} reach {largest:.3g}, whose squares overflow; rescale it.",
        largest=1e200,
        subject="income",
    ),
    "P006": error(
        "No column varies; there is nothing to cluster.",
    ),
    "P007": error(
        "Which column is the target? Name it with {option.target}; none of the columns {columns:quoted} is called "
        "class, target, label or y.",
        columns=["age", "sex"],
    ),
    "P008": error(
        "No column is left to predict {target!r} from: {reasons:listed}; give a column another type "
        "({option.types}) if it holds numbers or categories.",
        target="class",
        reasons=["'id' (identifier)", "'note' (no values)"],
    ),
    "P009": error(
        "Labels are given in addition to {source!r}; give the name of its target column, or read it first: "
        "compare(assay.read({source!r}), labels).",
        source="people.csv",
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
        "A projection needs at least two rows, but there {rows:is/are} {rows:count row}.",
        rows=1,
    ),
    "P740": error(
        "Separability is decided by numeric and categorical columns, and the table has none. {first}",
        first="Column 'patient' is an identifier and is not used as a feature.",
    ),
    "P017": error(
        "No word occurs in two texts, so the texts cannot be projected.",
    ),
    "P018": error(
        "No column can be projected ({columns:quoted}); give a column another type ({option.types}) if it holds "
        "numbers or categories.",
        columns=["id", "name"],
    ),
    "P019": error(
        "Column {subject!r}, which holds the sample weights, has {value!r} in row {row}, which is not a number; "
        "correct it, or name another column.",
        subject="w",
        value="much",
        row=4,
    ),
    "P020": error(
        "Column {subject!r}, which holds the groups, has no value in row {row} ({rows:count such row} in all); give "
        "each row a group, or leave such rows out.",
        row=7,
        rows=1,
        subject="patient",
    ),
    "P021": error(
        "Column {subject!r}, which holds the groups, has the same value in every row, so no group can be left out "
        "for testing; name another column.",
        subject="patient",
    ),
    "P022": error(
        "groups must hold one value for each of the {n_rows} rows, or name a column, but has shape {shape}.",
        n_rows=150,
        shape="(149,)",
    ),
    "P023": error(
        "Column {subject!r}, which holds the sample weights, has {weight:g} in row {row}; give each row a number of "
        "0 or more, or leave the row out.",
        row=4,
        subject="w",
        weight=-1.0,
    ),
    "P024": error(
        "Column {subject!r}, which holds the sample weights, is 0 in every row, so no row counts; give some rows a "
        "larger weight.",
        subject="w",
    ),
    "P025": error(
        "Column {subject!r}, which holds the sample weights, is 0 in every row except those of {label!r} in "
        "{target!r}; classification needs two classes.",
        target="class",
        label="yes",
        subject="w",
    ),
    "P026": error(
        "weights must hold one number for each of the {n_rows} rows, or name a column, but has shape {shape}.",
        n_rows=150,
        shape="(149,)",
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
        "{path!r} holds a {kind} without column names; load it in Python, or save a model of `assay fit` or `assay "
        "compare`.",
        path="model.assay",
        kind="GaussianNB",
    ),
    "P031": error(
        "Target {subject!r} holds dates, which are not classes; make a column of periods such as the year or the "
        "month.",
        subject="day",
    ),
    "P157": warning(
        "Target {subject!r} has {distinct} numbers as classes: it looks like a quantity. This is classification, in "
        "which 3 is no nearer to 4 than to 30; for a quantity use regression, or predict ranges of it.",
        subject="rings",
        distinct=28,
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
    "P720": error(
        "Which column is the target? Name it with {option.target}; {candidates:quoted} are all possible.",
        candidates=["class", "y"],
    ),
    "P721": error(
        "groups has no value in row {row} ({rows:count such row} in all); give each row a group, or leave such rows "
        "out.",
        row=7,
        rows=1,
    ),
    "P722": error(
        "groups has the same value in every row, so no group can be left out for testing; give at least two groups.",
    ),
    "P723": error(
        "weights has no value in row {row}; give each row a number of 0 or more, or leave the row out.",
        row=4,
    ),
    "P724": error(
        "Column {subject!r}, which holds the sample weights, has no value in row {row}; give each row a number of 0 "
        "or more, or leave the row out.",
        subject="w",
        row=4,
    ),
    "P725": error(
        "weights has {weight:g} in row {row}; give each row a number of 0 or more, or leave the row out.",
        weight=-1.0,
        row=4,
    ),
    "P726": error(
        "weights is 0 in every row, so no row counts; give some rows a larger weight.",
    ),
    "P727": error(
        "weights is 0 in every row except those of {label!r} in {target!r}; classification needs two classes.",
        target="class",
        label="yes",
    ),
    "P728": error(
        "Column {subject!r}, which holds the sample weights, has dates; name a column of numbers.",
        subject="day",
    ),
    "P729": error(
        "Column {subject!r}, which holds the sample weights, has the category {value!r}, which is not a number; "
        "correct it, or name another column.",
        subject="w",
        value="much",
    ),
}
