"""Mutual information of every column with the class, against scikit-learn's `mutual_info_classif`."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks import ours
from benchmarks.data import gaussian_classes
from benchmarks.harness import Case, Settings, contest
from benchmarks.rivals import sklearn
from benchmarks.rows import Row, row_of
from benchmarks.workloads.kfold import size
from benchmarks.workloads.sparse_logistic import counts

WORD_ROWS, WORDS, WORD_CLASSES, WORD_TARGET = 10_000, 5_000, 4, 10.0  # the rival takes milliseconds a word
ROWS, FEATURES, CLASSES, TARGET = 50_000, 50, 3, 100.0


def cases(settings: Settings) -> list[Case]:
    return [partial(of_words, settings), partial(of_numbers, settings)]


def of_words(settings: Settings) -> Row:
    """Exact on both sides: every count of a word is a level."""
    X, y = counts(settings.rows(WORD_ROWS), 200 if settings.quick else WORDS, WORD_CLASSES)
    part = sklearn.information(X, y, discrete=True)
    result = contest(settings, lambda: ours.mutual_information(X, y, corrected=False), [part])
    apart = np.abs(result.value - result.parts[0].value).max()
    title = f"mutual information of words, {X.shape[0]}x{X.shape[1]}, {WORD_CLASSES} classes, {X.nnz} entries"
    return row_of(
        result, title, part.name, WORD_TARGET, notes=[f"answers differ by at most {apart:.0e} nats"]
    )


def of_numbers(settings: Settings) -> Row:
    """Two estimates of the same: ours counts in bins, the rival measures distances to neighbours."""
    X, y = gaussian_classes(settings.rows(ROWS), FEATURES, CLASSES)
    part = sklearn.information(X, y, discrete=False)
    result = contest(settings, lambda: ours.mutual_information(X, y), [part])
    order = [np.argsort(np.argsort(each)) for each in (result.value, result.parts[0].value)]
    ranks = np.corrcoef(*order)[0, 1]
    title = f"mutual information of numbers, {size(X)}, {CLASSES} classes"
    return row_of(
        result, title, part.name, TARGET, notes=[f"correlation of the two rankings of columns {ranks:.2f}"]
    )
