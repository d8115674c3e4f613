"""Evaluate one model or many under a plan; models that can share a pass over the data do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.data.labels import features_and_labels
from assay.engines.local import LocalEngine
from assay.engines.progress import ShowProgress as Progress
from assay.models.base.keywords import explained
from assay.plans import KFold, as_plan
from assay.selection.named_models import named
from assay.selection.studies import dataset_of, deciding, evaluations
from assay.sharing.settings import Settings
from assay.sharing.splits import Splits
from assay.sharing.study import Study


@explained
def evaluate(
    model: Any,
    X: Any,
    y: Any,
    plan: Any = None,
    *,
    loss: Any = None,
    priors: Any = None,
    sample_weight: Any = None,
    groups: Any = None,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> Any:
    """Out-of-sample scores of a model, or of many in one pass.

    Parameters
    ----------
    model : estimator, list or dict of estimators
        Ours, scikit-learn's, or pipelines. Those solved from moments share one pass; the others are refitted.
    X : array, frame, Arrow table, typed table, sparse matrix or list of texts
    y : one label per row, or the name of the column of X that holds the labels
    plan : plan, int, scikit-learn splitter or list of (train, test), default KFold(10)
    loss : loss matrix, optional
        Default of `Evaluation.mean_loss`: ``loss[true, action]``.
    priors : array, optional
        Class probabilities where decisions will be made, if they differ from those of the data. Posteriors and
        tested rows are re-weighted: every figure is that of a population with these class shares.
    sample_weight : array, optional
        Weights in training and in every figure: whole numbers count rows, others are importance weights, scaled in each
        training set to its number of rows.
    groups : array, optional
        Rows with the same value stay together; intervals and tests count groups instead of rows. `LeaveOneOut` leaves
        out one group at a time, `Bootstrap` draws groups.
    n_jobs : int, optional
        Threads; the results are the same bits for any number.
    progress : bool or callable, optional
        Show a progress bar; by default on a terminal, once two seconds have passed. A function is told
        (model, splits done, splits in all) instead, splits of all models that are refitted.

    Returns
    -------
    Evaluation, or a dict of them by name for a list or dict of models.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import GaussianNB, LeaveOneOut, evaluate
    >>> X, y = load_iris(return_X_y=True)
    >>> round(evaluate(GaussianNB(), X, y, LeaveOneOut()).error * 150)
    7
    """
    models = named(model)
    X, y = features_and_labels(X, y)
    chosen = KFold(10) if plan is None else as_plan(plan)
    data = dataset_of(X, y, sample_weight, groups, LocalEngine(n_jobs, progress))
    study = Study(data, Splits.of(chosen, data.codes, data.groups, classes=data.classes))
    found = evaluations(Settings.of(models), study, chosen, *deciding(loss, priors, data.classes))
    if isinstance(model, Mapping | list | tuple):
        return dict(zip(models, found, strict=True))
    return found[0]
