"""Texts of notes about folds and what models share between them."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error, info

TEXTS: Texts = {
    "S000": info("No computation is shared across splits."),
    "S001": info(
        "{subject} overrides {name} of {home}: every split was refitted.",
        subject="LogisticRegression",
        name="fit",
        home="GaussianNB",
    ),
    "S002": info(
        "Computations on sparse rows are not shared across folds: every split was refitted.",
    ),
    "S003": info(
        "{subject} cannot be computed from the statistics of a training set: every split was refitted.",
        subject="LogisticRegression",
    ),
    "S005": info(
        "The statistics of all splits would take {gibibytes:.1f} GiB, more than ASSAY_MEMORY allows: every split was "
        "refitted.",
        gibibytes=12.5,
    ),
    "S006": info(
        "The table has more columns than rows, and {subject} is solved from products of rows: every split was "
        "refitted.",
        subject="its projection",
    ),
    "S007": info(
        "{subject} starts from given weights (start): every split was refitted.",
        subject="LogisticRegression",
    ),
    "S008": info(
        "{subject} takes {gibibytes:.1f} GiB, more than ASSAY_MEMORY allows: it was left out.",
        subject="LogisticRegression",
        gibibytes=12.5,
    ),
    "S010": info(
        "The Gram matrix of {rows} rows would take {gibibytes:.1f} GiB, more than ASSAY_MEMORY allows: every split "
        "was refitted.",
        rows=50000,
        gibibytes=12.5,
    ),
    "S011": info(
        "{rows} rows are more than most_rows={most}, so landmarks represent the rows of {subject}: every split was "
        "refitted.",
        rows=50000,
        most=20000,
        subject="KernelSVM",
    ),
    "S012": info(
        "A step uses the smallest and largest values of its columns, which cannot be updated for a single left-out "
        "row: every split was refitted."
    ),
    "S020": info(
        "The counts of all splits would take {gibibytes:.1f} GiB, more than ASSAY_MEMORY allows: every split was "
        "refitted.",
        gibibytes=12.5,
    ),
    "S022": info(
        "The splits of leave-one-out are not solved together, as folds are: every split was refitted."
    ),
    "S031": info(
        "Within these splits {subject} has no folds to learn from: every split was refitted.",
        subject="Calibrated",
    ),
    "S032": info(
        "{step} before {subject} may be fitted differently for each of its parts: every split was refitted.",
        step="Standardize",
        subject="OneVsRest",
    ),
    "S033": info(
        "The parts of {subject} each leave out different rows: every split was refitted.",
        subject="OneVsOne",
    ),
    "S128": error(
        "class_weight leaves every row with weight 0; give a class a positive weight.",
    ),
    "S129": error(
        "class_weight names {label!r}, which is not in y; its labels are {labels}.",
        label="yes",
        labels=["no", "maybe"],
    ),
    "S130": error(
        "class_weight of {label!r} is {value!r}; give a number of at least 0.",
        label="yes",
        value=-1.0,
    ),
    "S131": error(
        "The scores of {rows} rows overflow; their counts are too large.",
        rows=3,
    ),
    "S132": error(
        "Blocks of {n_words} and of {other_words} columns are not one table; give blocks with the same columns.",
        n_words=3,
        other_words=4,
    ),
    "S133": error(
        "The training set of split {split} cannot be used. {reason}",
        split=2,
        reason="None of the 3 documents has a word of two letters or more.",
    ),
    "S134": error(
        "{kind} takes no sample weights; leave sample_weight out.",
        kind="KNeighborsClassifier",
    ),
    "S135": error(
        "A loss matrix whose actions are not the classes needs posteriors, and this model has margins only; put it "
        "into Calibrated, or use a probabilistic model.",
    ),
    "S136": error(
        "The scores of {count} rows overflow; rescale the columns.",
        count=3,
    ),
    "S137": error(
        "The training {unit} of each split are divided again to select hyperparameters. With {plan}, {total} {unit}, "
        "{count} of them of class {label!r}, are too few for that; give more {unit}, or leave fewer of them out.",
        unit="rows",
        total=12,
        plan="10 folds",
        count=2,
        label="bird",
    ),
    "S138": error(
        "inner={inner} is more than a training set of the validation scheme can be divided into, because one has "
        "{units} {kind}; give at most {units}, or leave inner out.",
        inner=10,
        units=8,
        kind="groups",
    ),
    "S139": error(
        "A validation scheme of three sets has no inner folds; leave inner out, or use folds, such as KFold(10).",
    ),
    "S140": error(
        "A selection cannot be nested in {kind}; use folds, such as KFold(10), or a hold-out.",
        kind="LeaveOneOut",
    ),
}
