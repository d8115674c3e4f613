"""Texts of notes about validation schemes."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "S034": error(
        "The number of rows is unknown; give X or y.",
    ),
    "S035": error(
        "codes must be a vector of integer class indices, not an array of {dtype} with shape {shape}; use "
        "split(X, y) for labels.",
        dtype="float64",
        shape="(150, 4)",
    ),
    "S036": error(
        "codes must be 0 or more, but row {row} has {class_code}.",
        row=3,
        class_code=-1,
    ),
    "S037": error(
        "{name} must hold one value for each of the {n_rows} rows, but has shape {shape}.",
        name="groups",
        n_rows=150,
        shape="(149,)",
    ),
    "S038": error(
        "{name} is missing in row {row}; drop such rows or give them a value.",
        name="groups",
        row=3,
    ),
    "S039": error(
        "{name} must be an integer of at least {least}, not {value!r}.",
        name="n_splits",
        least=2,
        value=1,
    ),
    "S040": error(
        "{name} must be True or False, not {value!r}.",
        name="stratified",
        value="yes",
    ),
    "S151": error(
        "stratified must be True, False or 'rare', not {value!r}.",
        value="yes",
    ),
    "S041": error(
        "Row {row} has fold {fold}, but folds must lie in 0..{last}, or be {always_train} (always trained on) or "
        "{unused} (unused).",
        row=3,
        fold=9,
        always_train=-1,
        unused=-2,
        last=4,
    ),
    "S042": error(
        "untrained must hold one truth value for each of the {size} rows.",
        size=3,
    ),
    "S043": error(
        "There is no fold {fold}; the folds of this partition are 0..{last}.",
        fold=9,
        last=4,
    ),
    "S044": error(
        "A bootstrap repeats rows and has no partitions; call multiplicities(n) for the counts of every row or "
        "split(X) for the drawn and the left-out rows.",
    ),
    "S045": error(
        "Replicates {start} to {stop} do not lie in 0 to {n_replicates}.",
        start=90,
        stop=110,
        n_replicates=100,
    ),
    "S046": error(
        "Repeated rows stay in the fold of their first copy, which leaves no rows for training or none for testing; "
        "use other folds, or {option.split_repeats}.",
    ),
    "S047": error(
        "A plan must be a Plan, an integer, a scikit-learn splitter or an iterable of index pairs, not {plan!r}.",
        plan="ten",
    ),
    "S048": error(
        "A plan must be an object, not the class {kind}; write {kind}(...).",
        kind="KFold",
    ),
    "S049": error(
        "A list of splits must hold at least one pair of (training rows, test rows).",
    ),
    "S050": error(
        "The splitter yielded no split; it must yield at least one (training rows, test rows).",
    ),
    "S051": error(
        "Split {split} has row {row} both in its training set and in its test set; the two must be disjoint.",
        split=2,
        row=3,
    ),
    "S052": error(
        "The {part} set of split {split} must be a non-empty vector of row numbers.",
        part="test",
        split=2,
    ),
    "S053": error(
        "The {part} set of split {split} must hold row numbers, not values of type {dtype}.",
        part="test",
        split=2,
        dtype="float64",
    ),
    "S054": error(
        "The {part} set of split {split} names row {row}, but the rows are 0..{last}.",
        part="test",
        split=2,
        row=200,
        last=149,
    ),
    "S055": error(
        "The {part} set of split {split} repeats row {row}, but a partition holds a row once; use the Bootstrap plan "
        "or sample_weight for repeated rows.",
        part="test",
        split=2,
        row=3,
    ),
    "S056": error(
        "Splits that are given row by row do not use groups; leave groups out.",
    ),
    "S057": error(
        "Split {split} must be a pair of (training rows, test rows), not {kind}.",
        split=2,
        kind="int",
    ),
    "S058": error(
        "test_size must be a proportion strictly between 0 and 1 or a number of rows of at least 1, not {value!r}.",
        value=1.5,
    ),
    "S059": error(
        "A training and a test set need at least 2 rows, but there are {n_rows}.",
        n_rows=1,
    ),
    "S060": error(
        "test_size={test_size} leaves no row for training, because there are only {n_rows} rows.",
        test_size=5,
        n_rows=5,
    ),
    "S061": error(
        "A training and a test set need at least 2 groups, but all rows are in the same one.",
    ),
    "S062": error(
        "{n_splits} folds need at least {n_splits} rows, but there are {n_rows}; use fewer folds.",
        n_splits=10,
        n_rows=8,
    ),
    "S063": error(
        "{n_splits} folds need at least {n_splits} groups, but there are {n_groups}; use fewer folds.",
        n_splits=10,
        n_groups=8,
    ),
    "S064": error(
        "Leave-one-out needs at least 2 {kind}, but there are {count}.",
        kind="rows",
        count=1,
    ),
    "S065": error(
        "shares={shares!r} must be three numbers above 0, for the training, validation and test set, such as "
        "(0.6, 0.2, 0.2).",
        shares=(0.5, 0.5),
    ),
    "S066": error(
        "shares={shares!r} sum to {total:.6g}, but must sum to 1, such as (0.6, 0.2, 0.2).",
        shares=(0.5, 0.2, 0.2),
        total=0.9,
    ),
    "S067": error(
        "The {part} set has no row of the class of row {row}, because its {size} rows are too few for three sets; "
        "use folds (KFold), larger shares, or stratified=False.",
        shell="The {part} set has no row of the class of row {row}, because its {size} rows are too few for three "
        "sets; use folds (--plan kfold:10) or larger shares.",
        part="validation",
        row=3,
        size=2,
    ),
    "S303": error(
        "{n_splits} windows with a gap of {gap} need more than {n_rows:count row}; use fewer windows or a smaller gap.",
        n_splits=5,
        gap=10,
        n_rows=12,
    ),
    "S304": error(
        "A window has no row of a group that was not trained on before; use fewer windows than {n_splits}, or other "
        "groups.",
        n_splits=5,
    ),
    "S305": error(
        "Column {column!r} does not say for every row whether it is tested: {rows:count row} without a value, the "
        "first is row {row}.",
        column="split",
        row=17,
        rows=3,
    ),
    "S306": error(
        "Column {column!r} has one value, {value!r}; a split needs rows to train on and rows to test.",
        column="split",
        value="train",
    ),
    "S307": error(
        "Which rows of column {column!r} are tested? Its values are {values_found:quoted}; name one, such as "
        "column:{column}={example}.",
        column="split",
        values_found=["train", "dev", "test"],
        example="test",
    ),
    "S308": error(
        "The split by column {column!r} needs the values of the column: `compare` and `tune` on a table read them.",
        column="split",
    ),
    "S068": error(
        "Three sets need at least 3 rows, but there are {n_rows}.",
        n_rows=2,
    ),
}
