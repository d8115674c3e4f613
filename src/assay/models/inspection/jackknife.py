"""The jackknife of a linear model: how far its weights move when rows are left out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import LocalEngine
from assay.models.base.estimators import clone, fit_weighted
from assay.models.base.validation import read_numbers
from assay.plans import Partition
from assay.sharing.dataset import InMemory
from assay.sharing.forms import Linear, ScoreForm
from assay.sharing.moments import MOMENTS
from assay.sharing.overrides import overrides
from assay.sharing.path import PATH
from assay.sharing.protocols import offered
from assay.sharing.settings import Settings
from assay.sharing.splits import folds
from assay.sharing.study import Study
from assay.statistics.weights import subset_weight
from assay.types import Array, Codes, Labels


def fold_weights(
    model: Any,
    X: NDArray[np.floating],
    codes: Codes,
    classes: Labels,
    partition: Partition,
    weight: Array | None = None,
) -> Array | None:
    """Weights (folds, classes, columns) of a bare linear model trained without each fold.

    None where a training set lacks a class, or the model is not linear.
    """
    rows = InMemory(X, codes, classes, weight, None, LocalEngine(None), read_numbers)
    study = Study(rows, folds(partition))
    if not (study.class_weight() > 0).all():
        return None
    form = _shared(model, study)
    if form is None:
        return _refitted(model, X, classes[codes], partition, weight)
    return form.weights if isinstance(form, Linear) else None


def _shared(model: Any, study: Study) -> ScoreForm | None:
    """The models of all training sets, from what they have in common; None: each has to be fitted by itself."""
    settings = Settings.of([model])
    # "balanced" weights differ by training set: solved together, models agree with fits to the solver's tolerance only.
    if overrides(model) is not None or isinstance(offered(model, "class_weight"), str):
        return None
    for sharer in (MOMENTS, PATH):
        if sharer.suits(settings, study) == [None]:
            return sharer.solve(settings, study).forms(0)
    return None


def _refitted(
    model: Any, X: NDArray[np.floating], labels: Labels, partition: Partition, weight: Array | None
) -> Array:
    """The same by fitting to each training set; of two classes each has half of the one row of weights."""
    weights = []
    for fold in range(partition.n_folds):
        train = partition.train_rows(fold)
        fitted = fit_weighted(clone(model), X[train], labels[train], subset_weight(weight, train))
        coef = np.atleast_2d(fitted.coef_)
        weights.append(np.concatenate([-0.5 * coef, 0.5 * coef]) if len(coef) == 1 else coef)
    return np.stack(weights)


def jackknife_errors(leaving: Array) -> Array:
    """Standard errors of figures from their values when each of G parts (first axis) is left out.

    √((G-1)/G Σ_g (θ_g - mean)²): the spread is that small because the fits share most of their rows.
    """
    size = len(leaving)
    return np.asarray(np.sqrt((size - 1) * ((leaving - leaving.mean(axis=0)) ** 2).mean(axis=0)))
