"""Texts of notes about a table's problem: target, groups, weights, diagnosis."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "P001": error(
        "There are {n_codes} classes for {n_rows} rows; give one class a row.",
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
        "Which column is to be predicted? Give {option.target}: {why}; the columns are {map}.",
        why="why",
        map="map",
    ),
    "P008": error(
        "No column is left to predict {target!r} from: {reasons}; give a column another type ({option.types}) "
        "if it holds numbers or categories.",
        target="target",
        reasons="reasons",
    ),
    "P009": error(
        "Labels are given beside {source!r}; give the name of its target column, or read it first: "
        "compare(assay.read({source!r}), labels).",
        source="source",
    ),
    "P010": error(
        "Target {name!r} has no value in any row; nothing can be learned from it.",
        name="age",
    ),
    "P011": error(
        "Target {name!r} has the value {levels!r} in every row that has one; to classify takes two.",
        name="age",
        levels="levels",
    ),
    "P012": error(
        "Target {name!r} has {n_classes} different values in {n_rows} rows and looks like an identifier; name "
        "the column that holds the classes.",
        name="age",
        n_classes=3,
        n_rows=3,
    ),
    "P013": error(
        "Target {name!r} has {n_classes} classes, and more than {most_classes} are not compared; group the "
        "rare ones under one name first.",
        name="age",
        n_classes=3,
        most_classes=3,
    ),
    "P014": error(
        "There is no column besides the target {target!r}; it cannot be predicted from nothing.",
        target="target",
    ),
    "P015": error(
        "Column {name!r} is infinite in row {before}; replace the value, or leave it empty if it is not known.",
        name="age",
        before="before",
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
        "Column {name!r} is to hold the weights, but it has {found}, and weights are numbers; correct it, or "
        "name another column.",
        name="age",
        found="found",
    ),
    "P020": error(
        "{where} {clause} no value in row {absent} ({n_absent} such {clause_2} in all); give each row a group, "
        "or leave such rows out.",
        where="where",
        clause="clause",
        absent="absent",
        n_absent=3,
        clause_2="clause 2",
    ),
    "P021": error(
        "{where} {clause} the same value in every row: no row could be tested by a model of other groups; name "
        "another column.",
        where="where",
        clause="clause",
    ),
    "P022": error(
        "groups must hold one value for each of the {n_rows} rows, or name a column, but has shape {shape}.",
        n_rows=3,
        shape="(150, 4)",
    ),
    "P023": error(
        "{where} {clause} {what} in row {before}; give each row a number of 0 or more, or leave the row out.",
        where="where",
        clause="clause",
        what="what",
        before="before",
    ),
    "P024": error(
        "{where} 0 in every row, so none counts; give the rows that are to count more.",
        where="where",
    ),
    "P025": error(
        "{where} 0 in every row of {target!r} but those of {levels!r}; to classify takes two.",
        where="where",
        target="target",
        levels="levels",
    ),
    "P026": error(
        "weights must hold one number for each of the {n_rows} rows, or name a column, but has shape {shape}.",
        n_rows=3,
        shape="(150, 4)",
    ),
    "P027": error(
        "The plan tests rows by models that have seen others of their group ({called}): use folds of whole "
        "groups, such as kfold:10.",
        called="called",
    ),
    "P028": error(
        "weights must be numbers, one for each row, or the name of a column.",
    ),
    "P029": error(
        "Column {name!r} is given as {other} and as {role}; name another column for one of the two.",
        name="age",
        other="other",
        role="role",
    ),
    "P030": error(
        "{path!r} holds a {kind} that knows no column names; load it in Python, or save a model of `assay fit` "
        "or `assay compare`.",
        path="table.csv",
        kind="list",
    ),
    "P031": error(
        "Target {name!r} holds dates, which are no classes; make a column of periods such as the year or the "
        "month.",
        name="age",
    ),
    "P032": error(
        "Target {name!r} is numeric with {n_distinct}; to predict ranges of it, add a column of bins, such as "
        "pandas.cut(frame[{name!r}], 4), and name that, or read it with {name:as categorical} if "
        "its values are names.",
        shell="Target {name!r} is numeric with {n_distinct}; to predict ranges of it, add a column of bins and name "
        "that, or read it with {name:as categorical} if its values are names.",
        name="age",
        n_distinct=3,
    ),
}
