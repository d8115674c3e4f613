"""Texts of notes about what was difficult in the training sets of a validation scheme."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error, info, warning

TEXTS: Texts = {
    "S200": warning(
        "Class {label} has no training row in {count} of {total} {splits}; its posterior is 0 there.",
        label="bird",
        count=3,
        total=10,
        splits="folds",
    ),
    "S201": warning(
        "Class {label} has a single training row, or equal rows, in {count} of {total} {splits}; the shared "
        "covariance was used there.",
        label="bird",
        count=3,
        total=10,
        splits="folds",
    ),
    "S202": warning(
        "The covariance of class {label} is singular in {count} of {total} {splits}; the variance floor was "
        "applied there.",
        label="bird",
        count=3,
        total=10,
        splits="folds",
    ),
    "S203": warning(
        "The shared covariance is singular in {count} of {total} {splits}; the variance floor was applied there.",
        count=3,
        total=10,
        splits="folds",
    ),
    "S204": info(
        "Constant columns were left out in {count} of {total} {splits}.", count=3, total=10, splits="folds"
    ),
    "S205": info(
        "A class has no value of some column in {count} of {total} {splits}.",
        count=3,
        total=10,
        splits="folds",
    ),
    "S206": warning(
        "The solver stopped before its gradient vanished in {count} of {total} {splits}; a larger penalty would "
        "help.",
        count=3,
        total=10,
        splits="folds",
    ),
    "S207": info(
        "Columns are linearly dependent in {count} of {total} {splits}.", count=3, total=10, splits="folds"
    ),
    "S208": warning(
        "Class {label} has no training row in {count} of {total} splits.", label="bird", count=3, total=10
    ),
    "S209": warning(
        "Class {label} has no training row in {count} of {total} splits, where it got the lowest score.",
        label="bird",
        count=3,
        total=10,
    ),
    "S210": warning(
        "The solver stopped before it reached its tolerance in {count} of {total} splits.", count=3, total=10
    ),
    "S211": error(
        "The training set of split {split} has a single class ({label!r}); use fewer folds, stratify, or give more "
        "rows of the other classes.",
        split=2,
        label="bird",
    ),
    "S212": error("The training set of split {split} is empty; use other splits.", split=2),
    "S213": info(
        "{subject}: {note}",
        subject="'bird' against the rest",
        note="Constant columns were left out in 3 of 10 folds.",
    ),
}
