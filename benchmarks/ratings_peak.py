"""A process that predicts ratings once and reports its peak: `python -m benchmarks.ratings_peak ours|rival USERS`."""

from __future__ import annotations

import json
import sys
from importlib import import_module

import numpy as np

from benchmarks.peak import give_back, reset_peak, resident
from benchmarks.rivals import ratings
from benchmarks.workloads.recommender import NEIGHBORS, evaluated, folds_of, matrix


def measure(side: str, users: int) -> dict[str, float | bool]:
    """Peak memory above what the ratings and the libraries occupy; the rival only measures similarities."""
    R = matrix(users)
    evaluated(R[:50])
    if side == "rival":
        surprise = import_module("surprise")
        where = np.nonzero(~np.isnan(R))
        train = folds_of(R) != 0
        trainset = ratings.trainset_of(surprise, where[0][train], where[1][train], R[where][train])
        model = surprise.KNNBasic(k=NEIGHBORS, sim_options={"name": "pearson"}, verbose=False)
    give_back()
    exact = reset_peak()
    before = resident("VmRSS")
    if side == "rival":
        model.fit(trainset)
    else:
        evaluated(R)
    return {"extra": resident("VmHWM") - before, "exact": exact}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(sys.argv[1], int(sys.argv[2]))))
