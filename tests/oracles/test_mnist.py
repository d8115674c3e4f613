"""Handwritten digits, 60 000 to learn and 10 000 to test: 309 errors of one neighbour is the known figure.

`make bench neighbors_mnist` counts all of them; here the first 2 000, and some of these by measuring every pair.
"""

from __future__ import annotations

import numpy as np

from assay import KNeighborsClassifier
from tests.realdata import data_path


def test_one_neighbour() -> None:
    data = np.load(data_path("mnist.npz"))
    rows, new = (data[name].reshape(-1, 784).astype(np.float32) for name in ("X_train", "X_test"))
    y, some = data["y_train"], slice(0, 2000, 100)
    model = KNeighborsClassifier(1).fit(rows, y)
    distances, near = model.kneighbors(new[:2000], 5)
    assert int((y[near[:, 0]] != data["y_test"][:2000]).sum()) == 80
    alone = np.concatenate([model.kneighbors(new[i : i + 1], 5)[1] for i in range(0, 2000, 100)])
    assert np.array_equal(near[some], alone)
    differences = new[some, None].astype(np.int64) - rows[near[some]].astype(np.int64)
    assert np.array_equal(np.sqrt((differences**2).sum(axis=2)), distances[some])  # whole numbers: exact
