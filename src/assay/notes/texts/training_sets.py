"""Texts of notes about what was difficult in the training sets of a validation scheme."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error, info, warning

TEXTS: Texts = {
    "S200": warning(
        "Class {label} has no training row (posterior 0) {where}.", label="bird", where="in 3 of 10 folds"
    ),
    "S201": warning(
        "Class {label} has a single training row, or equal rows (shared covariance used) {where}.",
        label="bird",
        where="in 3 of 10 folds",
    ),
    "S202": warning(
        "The covariance of class {label} is singular (variance floor applied) {where}.",
        label="bird",
        where="in 3 of 10 folds",
    ),
    "S203": warning(
        "The shared covariance is singular (variance floor applied) {where}.", where="in 3 of 10 folds"
    ),
    "S204": info("Constant columns were left out {where}.", where="in 3 of 10 folds"),
    "S205": info(
        "Some class has no value in some column {where}.",
        where="in 3 of 10 folds",
    ),
    "S206": warning(
        "The solver stopped before its gradient vanished {where}; use a larger penalty.",
        where="in 3 of 10 folds",
    ),
    "S207": info("Columns are linearly dependent {where}.", where="in 3 of 10 folds"),
    "S208": warning("Class {label} has no training row {where}.", label="bird", where="in 3 of 10 splits"),
    "S209": warning(
        "Class {label} has no training row {where}, where it got the lowest score.",
        label="bird",
        where="in 3 of 10 splits",
    ),
    "S210": warning("The solver stopped before it reached its tolerance {where}.", where="in 3 of 10 splits"),
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
    "S214": info("in {count} of {total} {splits}", count=3, total=10, splits="folds"),
    "S215": info("in the only split"),
}
