"""Small tables whose answers are known."""

from __future__ import annotations

import numpy as np

CRITICS = np.array([[5.0, 4, 2], [1, 3, 3], [4, 1, 4], [1, 2, 5]])  # four critics, three films
NEW = {"0": 4.0, "1": 3.0}  # a user who has not seen the third


def film_critics() -> dict[str, dict[str, float]]:
    """The seven critics of Segaran's book, from the shared data."""
    from tests.realdata import load_csv

    frame = load_csv("pci_critics")
    found: dict[str, dict[str, float]] = {}
    for user, item, rating in frame.itertuples(index=False):
        found.setdefault(user, {})[item] = float(rating)
    return found
