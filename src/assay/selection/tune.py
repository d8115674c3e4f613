"""Tune a model: every setting evaluated on the same folds, by whatever the settings can share.

Penalties of linear models are solved together with all folds; models solved from moments share one pass; others are
refitted. A score used for selection is optimistically biased: `nested` and `compare` estimate the error of the choice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from assay.data.labels import features_and_labels
from assay.decision import LossLike
from assay.decision.metric_names import MetricLike
from assay.engines.local import LocalEngine
from assay.engines.progress import ShowProgress as Progress
from assay.models.base.estimators import clone
from assay.models.base.keywords import explained
from assay.notes.phrases import chosen_on
from assay.plans import choosing_plan
from assay.plans.foreign import PlanLike
from assay.selection.criteria import check_rule, choose
from assay.selection.evaluate import chosen_metric, decision_of, evaluations, study_of
from assay.selection.evaluation import Evaluation
from assay.selection.metric_losses import metric_by_folds
from assay.selection.parameter_grid import parameter_grid, setting_text
from assay.selection.train_validation_test import choose_on_validation
from assay.sharing.fit_pipeline import fit_weighted
from assay.sharing.settings import Settings, model_of
from assay.sharing.study import Study
from assay.types import Array, Label, MatrixLike, PriorsLike, RowClassifier

if TYPE_CHECKING:
    from assay.charts.drawing import Drawing


@dataclass(frozen=True, eq=False)
class Tuned:
    """Every setting on the same folds, and the one to use.

    Attributes
    ----------
    settings : list of dict
        Hyperparameters of each setting.
    evaluations : list of Evaluation
    losses, errors, standard_errors : (S,)
        Mean loss and error of each setting, and the standard error of its loss.
    chosen : int
    model : estimator
        The chosen setting, fitted to all rows.
    rule : "min" or "one_se"
    test : Evaluation or None
        Under `TrainValidationTest`, the chosen setting on the test part.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import GaussianNB, tune
    >>> result = tune(GaussianNB(), *load_iris(return_X_y=True), variance_floor=[0.1, 0.01])
    >>> result.setting, round(result.errors[result.chosen] * 150)
    ({'variance_floor': 0.1}, 8)
    """

    settings: list[dict[str, object]]
    evaluations: list[Evaluation]
    losses: Array
    errors: Array
    standard_errors: Array
    chosen: int
    model: RowClassifier
    rule: str
    test: Evaluation | None = None

    @property
    def setting(self) -> dict[str, object]:
        """The chosen hyperparameters."""
        return self.settings[self.chosen]

    def chart(self) -> Drawing:
        """The picture: shown by a notebook, and kept by ``save("curve.svg")`` (or .png, .html, .json)."""
        from assay.charts.tuning import error_on, tuning_drawing  # loads Altair, which only a picture needs

        test, rows = self.test, "the test rows, which were not used for the choice"
        return tuning_drawing(
            type(model_of(self.model)).__name__,
            self.settings,
            self.losses,
            self.standard_errors,
            final=self.chosen,
            simplest=choose(self.losses, self.standard_errors, "one_se"),
            shares=self.evaluations[0].by_error,
            where=f"on {chosen_on(test is not None)}",
            more="" if test is None else error_on(rows, test.error, test.error_interval),
        )

    def __repr__(self) -> str:
        count = f"{len(self.settings)} setting{'s' if len(self.settings) != 1 else ''}"
        test = "" if self.test is None else f", test error {self.test.error:.4f}"
        return f"Tuned({setting_text(self.setting)}; error {self.errors[self.chosen]:.4f}, {count}, {self.rule}{test})"


@explained
def tune(
    model: RowClassifier,
    X: MatrixLike,
    y: ArrayLike,
    *,
    plan: PlanLike | None = None,
    loss: LossLike = None,
    priors: PriorsLike = None,
    rule: str = "min",
    metric: MetricLike | None = None,
    positive: Label | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    n_jobs: int | None = None,
    progress: Progress = None,
    **ranges: object,
) -> Tuned:
    """Select hyperparameters by cross-validation.

    Parameters
    ----------
    model : estimator or pipeline
        Ranges of a pipeline name parameters of its last part, or of a part as ``part__name``.
    X, y, loss, priors, sample_weight, groups, n_jobs, progress
        As in `evaluate`.
    plan : plan, default KFold(10, stratified="rare")
        As in `evaluate`. The default are random folds, over which only classes of fewer than ten rows are spread
        evenly; stratified folds, ``KFold(10)``, are for tables that were sampled by class. `TrainValidationTest` fits
        every setting to the training set, selects on the validation set, and tests the selected one, once, on the
        test set.
    rule : "min" or "one_se"
        The setting of least loss; or the first one listed whose loss is within one standard error of it, so list the
        simplest first.
    metric : str, function or FunctionMetric, optional
        What to choose by in place of the error rate: "precision", "recall", "specificity", "f1", "accuracy",
        "balanced_accuracy", "mcc", "kappa", "average_precision", "auc", "log_loss", "brier", an average such as
        "f1_macro" or "recall_weighted", or ``function(y_true, predicted)``, larger is better (see `FunctionMetric`). It
        is that of all tested rows together, its standard error that of the jackknife over folds. Not with `loss`.
    positive : label, optional
        The class that precision, recall, specificity, F1 and average precision are about: of two classes the rarer one
        by default.
    **ranges
        Values of each hyperparameter; ``l2=path(20)`` for penalties.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import KFold, LogisticRegression, path, tune
    >>> X, y = load_iris(return_X_y=True)
    >>> result = tune(LogisticRegression(), X, y, l2=path(8), plan=KFold(10), rule="one_se")
    >>> len(result.settings), result.evaluations[0].strategy
    (8, 'path')
    >>> from assay import TrainValidationTest
    >>> result = tune(LogisticRegression(), X, y, l2=path(8), plan=TrainValidationTest((0.5, 0.25, 0.25)))
    >>> round(result.test.error, 3), [round(end, 3) for end in result.test.error_interval]
    (0.0, [0.0, 0.092])
    """
    check_rule(rule)
    X, y = features_and_labels(X, y)
    grid = parameter_grid(model, X, y, ranges)
    models = [clone(model).set_params(**setting) for setting in grid]
    settings, plan = Settings.of(_named_settings(grid, models)), choosing_plan(plan)
    engine = LocalEngine(n_jobs, progress)
    study, test = study_of(X, y, plan, sample_weight, groups, engine, nested=plan.in_parts), None
    decision = decision_of(loss, priors, study.dataset.classes)
    chosen_by = chosen_metric(metric, positive, study.dataset, decision[0])
    if study.splits.chosen_only:
        parts = choose_on_validation(study, settings, plan, *decision, rule, chosen_by)
        results, test = parts.validation, replace(parts.test, name=type(model).__name__)
    else:
        results = [
            replace(result, metric=chosen_by) for result in evaluations(settings, study, plan, *decision)
        ]
    by_folds = None if study.splits.chosen_only else study
    losses, standard_errors = np.array([_loss_and_error(result, by_folds) for result in results]).T
    chosen = choose(losses, standard_errors, rule)
    weight = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    best = fit_weighted(models[chosen], X, y, weight)
    errors = np.array([result.error for result in results])
    return Tuned(grid, results, losses, errors, standard_errors, chosen, best, rule, test)


def _loss_and_error(result: Evaluation, study: Study | None) -> tuple[float, float]:
    """The loss that settings are compared by and its standard error, that of a metric from its folds in the study."""
    if result.metric is None or study is None:
        return result.loss_and_error
    loss, error = metric_by_folds(result, study)
    return (result.metric.worst_loss if np.isnan(loss) else loss), error


def _named_settings(grid: list[dict[str, object]], models: list[RowClassifier]) -> dict[str, RowClassifier]:
    """Models by their hyperparameters in words; a setting that is listed twice is told apart by its place."""
    named: dict[str, RowClassifier] = {}
    for s, (setting, model) in enumerate(zip(grid, models, strict=True)):
        name = setting_text(setting)
        named[name if name not in named else f"{name} #{s + 1}"] = model
    return named
