"""One candidate evaluated: tuned inside the folds, timed, and with a learning curve."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.catalog import ModelCard
from assay.engines.progress import ShowProgress
from assay.models.table.table_classifier import TableClassifier
from assay.notes import Note
from assay.notes.numbers import count
from assay.numerics.blas import one_openmp_thread, single_threaded
from assay.selection.criteria import Criteria, criteria
from assay.selection.evaluation import Evaluation
from assay.selection.nested import Nested, nest_in
from assay.sharing.fold_warnings import collect_warnings
from assay.sharing.settings import Settings
from assay.types import Array
from assay.workbench.experiment.learning_curve import CurvePoint, learning_curve
from assay.workbench.experiment.setup import ExperimentSetup

TIMED_ROWS = 10_000  # rows classified to time a single one


@dataclass(frozen=True, eq=False)
class CandidateResult:
    """The evaluation of a candidate.

    Attributes
    ----------
    entry : ModelCard
        What the candidate is: a card of the catalog, or that of a user's own estimator.
    settings : tuple of dict
        The hyperparameters it was tuned over.
    nested : Nested
        The nested estimate, and the losses that chose the final setting.
    fit_seconds : float
        One fit of the final setting to all rows.
    predict_seconds : float
        Classifying one row.
    curve : tuple of CurvePoint
        The learning curve.
    notes : tuple of str
    criteria : Criteria, Note or None
        AIC and BIC of the final setting fitted to all rows; the reason why there are none; None where the model has no
        likelihood.
    model : TableClassifier or None
        The fit whose time was taken, for whoever needs it again; a run folder does not store it.
    sample_rows : int or None
        Rows of the stratified sample that it is trained on, where all rows would take too long.
    """

    entry: ModelCard
    settings: tuple[dict[str, object], ...]
    nested: Nested
    fit_seconds: float
    predict_seconds: float
    curve: tuple[CurvePoint, ...]
    notes: tuple[str, ...] = ()
    criteria: Criteria | Note | None = None
    model: TableClassifier | None = None
    sample_rows: int | None = None

    @property
    def name(self) -> str:
        return self.entry.name

    @property
    def title(self) -> str:
        return self.entry.title

    @property
    def label(self) -> str:
        """The name, and the size of the sample that it is trained on."""
        rows = self.sample_rows
        return self.name if rows is None else f"{self.name} (sample of {count(rows, ' ')})"

    @property
    def setting(self) -> dict[str, object]:
        """The setting to use."""
        return self.settings[self.nested.final]

    @property
    def evaluation(self) -> Evaluation:
        """Nested: every row by a setting chosen without it."""
        return self.nested.evaluation

    @property
    def inner(self) -> Array:
        """Mean loss of each setting in the inner folds of each outer split."""
        return self.nested.inner

    @property
    def chosen(self) -> NDArray[np.intp]:
        """Setting that each outer split took."""
        return self.nested.chosen

    @property
    def cv_loss(self) -> Array:
        """Mean loss of each setting on the outer folds."""
        return self.nested.losses

    @property
    def cv_error(self) -> Array:
        """Error of each setting on the outer folds."""
        return self.nested.errors

    @property
    def final_cv_loss(self) -> float:
        """Mean loss of the final setting on the folds that selected it."""
        return self.nested.scored

    @property
    def selection_bias(self) -> float:
        """Nested loss less `final_cv_loss`."""
        return self.nested.optimism

    @property
    def scored(self) -> float:
        """`final_cv_loss`, by its name in the leaderboard."""
        return self.final_cv_loss

    @property
    def optimism(self) -> float:
        """`selection_bias`, by its name in the leaderboard."""
        return self.selection_bias

    @property
    def strategy(self) -> str:
        return self.evaluation.strategy


def evaluate_candidate(
    entry: ModelCard,
    setup: ExperimentSetup,
    progress: ShowProgress = None,
    sample_rows: int | None = None,
) -> CandidateResult:
    """Tune, test and time one candidate, trained on all rows or on a sample."""
    settings = entry.settings()
    models = [setup.classifier(entry, setting).matrix_estimator() for setting in settings]
    candidate = Settings.called(entry.name, models)
    study = setup.study(entry, _first_part(progress), sample_rows)
    nested = nest_in(study, candidate, setup.plan, setup.loss, setup.priors, setup.rule, setup.metrics.metric)
    study = setup.study(entry, _last_part(progress), sample_rows)
    share = 1.0 if sample_rows is None else sample_rows / setup.problem.features.n_rows
    curve = learning_curve(candidate, nested, study, setup.partitions[0], setup.random_state, share)
    model = setup.classifier(entry, settings[nested.final])
    fit_seconds, predict_seconds = _times(model, setup, sample_rows)
    return CandidateResult(
        entry, tuple(settings), nested, fit_seconds, predict_seconds, curve, nested.evaluation.notes,
        criteria(model.model_),
        model if setup.priors is None else None,  # timed without priors, under which it would predict otherwise
        sample_rows,
    )  # fmt: skip


def _first_part(progress: ShowProgress) -> ShowProgress:
    """The choice of a setting takes most of the time."""
    if not callable(progress):
        return progress
    return lambda name, done, total: progress(name, 9 * done, 10 * total)


def _last_part(progress: ShowProgress) -> ShowProgress:
    """The learning curve is short: it only shows that something is still going on."""
    if not callable(progress):
        return progress
    return lambda name, done, total: progress(name, 9, 10)


def fit_final(
    model: TableClassifier, setup: ExperimentSetup, sample_rows: int | None = None
) -> TableClassifier:
    """The model fitted to every row of the problem, or to those of a sample."""
    problem = setup.problem
    features, labels, weight = problem.features, problem.classes[problem.codes], problem.weight
    if sample_rows is not None:
        rows = np.flatnonzero(setup.sample(sample_rows))
        features, labels = features.take(rows), labels[rows]
        weight = None if weight is None else weight[rows]
    with single_threaded(), one_openmp_thread():  # the same bits as in the folds, for any machine load
        return model.fit(features, labels, target=problem.target, sample_weight=weight)


def _times(model: TableClassifier, setup: ExperimentSetup, sample_rows: int | None) -> tuple[float, float]:
    """Seconds of the final fit, and of classifying one row; both begin with the typed table."""
    features = setup.problem.features
    first_rows = features.take(np.arange(min(TIMED_ROWS, features.n_rows)))
    with (
        collect_warnings(),
        single_threaded(),
        one_openmp_thread(),
    ):  # the folds have collected its warnings already
        start = time.perf_counter()
        fit_final(model, setup, sample_rows)
        fitted = time.perf_counter()
        model.predict(first_rows)
        return fitted - start, (time.perf_counter() - fitted) / first_rows.n_rows
