"""One hidden layer of 128 units on MNIST, against MLPClassifier: same epochs, batches, penalty and precision."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from benchmarks import ours, real_data
from benchmarks.data import Labels
from benchmarks.harness import Case, Settings, contest
from benchmarks.rivals import sklearn_iterative as sklearn
from benchmarks.rows import Row, absent_row, row_of
from benchmarks.workloads.kfold import size

FILE = "mnist.npz"
HIDDEN, BATCH, EPOCHS, L2 = 128, 200, 10, 1e-6
PRECISIONS = ("float64", "float32")
TARGET = 2.0


def cases(settings: Settings) -> list[Case]:
    return [partial(measure, settings, dtype) for dtype in PRECISIONS]


def measure(settings: Settings, dtype: str) -> Row:
    if reason := real_data.absent(FILE):
        return absent_row(f"network, MNIST, {dtype}", "MLPClassifier", TARGET, reason)
    with np.load(real_data.path_of(FILE)) as digits:
        images, y = digits["X_train"], digits["y_train"].astype(np.int64)
        test = digits["X_test"], digits["y_test"].astype(np.int64)
    n_rows = settings.rows(len(images))
    return trained(settings, images[:n_rows], y[:n_rows], test, dtype)


def trained(settings: Settings, images: Any, y: Labels, test: tuple[Any, Labels], dtype: str) -> Row:
    """One precision of training; the rival takes it from X."""
    X, X_test = (_flat(each, dtype) for each in (images, test[0]))
    part = sklearn.network_fit(X, y, HIDDEN, BATCH, EPOCHS, L2)
    options = {
        "hidden": (HIDDEN,),
        "batch_size": BATCH,
        "epochs": EPOCHS,
        "patience": EPOCHS,
        "l2": L2,
        "dtype": dtype,
    }
    result = contest(settings, lambda: ours.network(**options).fit(X, y), [part])
    errors = [np.mean(each.predict(X_test) != test[1]) for each in (result.value, result.parts[0].value)]
    epochs = [each.n_iter_ for each in (result.value, result.parts[0].value)]
    notes = [
        f"error of {len(X_test)} test rows {errors[0]:.4f} (ours) and {errors[1]:.4f}",
        f"epochs {epochs[0]} (ours) and {epochs[1]}, Adam, batches of {BATCH}, l2={L2:g}",
    ]
    return row_of(
        result, f"network, {HIDDEN} hidden units, MNIST {size(X)}, {dtype}", part.name, TARGET, notes=notes
    )


def _flat(images: Any, dtype: str) -> Any:
    """Rows of pixels from 0 to 1."""
    return images.reshape(len(images), -1).astype(dtype) / np.asarray(255, dtype=dtype)
