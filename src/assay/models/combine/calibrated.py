r"""Posteriors for any classifier, from scores of rows that it did not see.

    P(k | x) = map(scores of x),    the map learned from pairs (out-of-fold score, class)

Margins have no unit and posteriors of wrong models are too sure. The plan's folds give every row a score by a model
that was not trained on it; a map from scores to posteriors is fitted to these; then the model is fitted to all rows.
Scores of training rows would not do: a model that has learned its rows by heart is sure of all of them
(Platt, 1999; Niculescu-Mizil and Caruana, ICML 2005).
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from assay.decision.sigmoid import SigmoidMap
from assay.engines.local import LocalEngine
from assay.models.base.params import REQUIRED, Param
from assay.models.base.stored import COMBINED, Field
from assay.models.base.validation import read_numbers
from assay.models.combine.base import Combined, class_scores, fit_part, shown
from assay.models.combine.calibration import (
    CalibratedScores,
    Calibration,
    Map,
    drawn,
    level,
    with_inner_tests,
    without,
)
from assay.models.combine.input_rows import Labelled, adopt_columns, labelled
from assay.models.combine.inside import AllPairs, bases, learning_step, refit
from assay.notes import Note
from assay.numerics.value_key import value_key
from assay.plans import KFold, Partition, Plan, as_plan
from assay.sharing.dataset import InMemory
from assay.sharing.dispatch import Dispatched, solve
from assay.sharing.forms import Linear
from assay.sharing.part import Part
from assay.sharing.refit import take_rows
from assay.sharing.settings import Settings, model_of
from assay.sharing.splits import ROOT, splits_of
from assay.sharing.study import Study
from assay.statistics.solve_diagnostics import absences
from assay.types import Array, Codes, MatrixLike, RowClassifier, RowWeights, infers

CALIBRATED = (
    Param(
        "estimator",
        "estimator",
        REQUIRED,
        (
            "Classifier whose scores are turned into posteriors. Assay's or scikit-learn's, or a "
            "pipeline; with `decision_function` or `predict_proba`."
        ),
        was="model",
    ),
    Param(
        "method",
        "choice",
        "sigmoid",
        (
            "Logistic curve, or any rising one (isotonic). The logistic curve has one slope and one "
            "offset per class and needs few rows; isotonic curves, one per class and divided by their "
            "sum, can take any monotone shape and need a thousand rows or more."
        ),
        choices=("sigmoid", "isotonic"),
    ),
    Param(
        "plan",
        "plan",
        None,
        (
            "Folds that give the scores; KFold(5) when not given. Inside an evaluation they are drawn in "
            "each training set; when not given, the scores are those of the inner folds of the "
            "evaluation, which need no further fit."
        ),
        optional=True,
    ),
)


class Calibrated(Combined):
    """Turn the margins or posteriors of a classifier into calibrated posteriors.

    Attributes
    ----------
    classes_, class_prior_, diagnostics_
    model_ : the model, fitted to all rows
    map_ : from scores to posteriors

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import LinearSVC
    >>> X, y = load_iris(return_X_y=True)
    >>> model = Calibrated(LinearSVC()).fit(X, y)
    >>> model.predict_proba(X[:1]).round(2).tolist()
    [[0.97, 0.03, 0.0]]
    >>> model.decide(X[:1], priors=[0.01, 0.98, 0.01]).labels.tolist()
    [1]
    """

    params: ClassVar[tuple[Param, ...]] = CALIBRATED
    stored: ClassVar[tuple[Field, ...]] = (
        *COMBINED,
        Field("model_", "model"),
        Field("map_", "calibration"),
        Field("_floor", "number"),
        Field("_bounded", "flag"),
    )
    probabilistic = True
    map_: Map

    def __init__(
        self, estimator: RowClassifier, *, method: str = "sigmoid", plan: Plan | None = None
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.plan = plan

    def _inner(self) -> Any:
        return getattr(self, "model_", self.estimator)

    def _has_posterior(self) -> bool:
        return True

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights = None) -> Self:
        """Fit the map to out-of-fold scores, and the model to all rows.

        Parameters
        ----------
        X : table (N, D)
            Anything that the model takes, as long as rows can be taken from it.
        y : array (N,)
            Labels of any type.
        sample_weight : array (N,), optional
            Where the model takes weights.
        """
        self._check_params()
        data = labelled(self, X, y, sample_weight)
        out_of_fold, notes = self._out_of_fold(data)
        model = fit_part(self.estimator, data.X, data.classes[data.codes], data.weight)
        class_scores(model, take_rows(data.X, np.arange(1)), data.classes)  # or one sentence about them
        weight = None if data.weight is None else data.weight[out_of_fold.row]
        learned = Calibration.learned(
            self.method,
            out_of_fold.scores,
            data.codes[out_of_fold.row],
            weight,
            out_of_fold.posterior,
            shown(self.estimator),
            out_of_fold.row,
        )
        self.map_, self._floor, self._bounded = learned.map, learned.floor, learned.bounded
        self.classes_, self.model_ = data.classes, model
        self.class_prior_ = data.shares()
        self.diagnostics_ = (*data.absences(), *notes, *_map_notes(self.map_))
        adopt_columns(self, model)
        return self

    def _out_of_fold(self, data: Labelled) -> tuple[Part, tuple[str, ...]]:
        """Scores of rows by models that did not see them, and what to say about these."""
        plan = as_plan(self.plan) if self.plan is not None else _usual(data.codes)
        rows = np.arange(len(data.codes))
        if plan is None:  # scores that say nothing, so that the posteriors are the class shares
            scores, test = np.zeros((len(rows), data.n_classes)), np.zeros(len(rows), dtype=np.int32)
            return Part(0, rows, test, scores, None, data.codes, data.weight, scores[:1], False), ()
        engine = LocalEngine(progress=False)
        table = InMemory(data.X, data.codes, data.classes, data.weight, None, engine, read_numbers)
        study = Study(table, splits_of(plan, data.codes))
        solved = solve(Settings.of([self.estimator]), study)
        (pairs,) = solved.reduce(AllPairs(1), (study.splits.parent == ROOT)[None])
        assert pairs is not None
        absent = absences(study.class_weight(), data.classes)
        lowest = [Note("S209", note.subject, note.values) for note in absent]
        return pairs, (*lowest, *(note for note in solved.difficulties(0) if note not in absent))

    # -- sharing ------------------------------------------------------------------------------------------

    def inside(self, settings: Settings, study: Study) -> Dispatched:
        """Maps from the inner folds of the study, or from the plan's folds inside every training set."""
        dispatched, notes = Dispatched.nothing(len(settings)), dict[int, list[Note]]()
        by_plan: dict[Hashable, list[int]] = {}
        for s, estimator in enumerate(settings.estimators):
            by_plan.setdefault(value_key(model_of(estimator).plan), []).append(s)
        for which in by_plan.values():
            subset = settings.take(which)
            deep, exact = _study_inside(model_of(subset.estimators[0]).plan, study)
            for s, estimator in zip(which, subset.estimators, strict=True):
                if deep is None:
                    notes[s] = [Note("S031", type(self).__name__)]
                elif exact and (note := learning_step(estimator, from_classes=False)) is not None:
                    notes[s] = [note]
            good = [s for s in which if s not in notes]
            if good and deep is not None:
                subset = settings.take(good)
                base = solve(bases(subset), deep)
                inner = Dispatched.nothing(len(good))
                inner.jobs.append((list(range(len(good))), CalibratedScores(subset, study, deep, base)))
                inner.ways[:], inner.notes[:] = base.ways, base.notes
                dispatched.adopt(good, inner)
        refit(dispatched, notes, settings, study)
        return dispatched

    def _log_posterior(self, X: MatrixLike) -> Array:
        scores = class_scores(self.model_, X, self.classes_)
        finite = level(scores, self._floor, self._bounded, shown(self.estimator))
        return without(self.map_.log_posterior(finite), self.class_prior_ == 0)

    def _scores(self, X: MatrixLike) -> Array:
        return self._log_posterior(X)

    @property
    def _score_form(self) -> Linear | None:
        """Slope times linear margins, plus offsets: log posteriors but for a term that the classes share."""
        form = getattr(self.model_, "_score_form", None)
        if not isinstance(form, Linear) or infers(self.model_):
            return None
        if not isinstance(self.map_, SigmoidMap) or (self.class_prior_ == 0).any():
            return None
        slope, offset = self.map_.slope, self.map_.offset
        return Linear(form.center, slope * form.weights, slope * form.bias + offset)


def _usual(codes: Codes) -> Plan | None:
    """The folds where no plan is given; None where rows are too few: some training set would have a single class."""
    usual = KFold(max(2, min(5, len(codes))))
    (partition,) = usual.partitions(codes)
    trained = [np.unique(codes[partition.fold != f]) for f in range(usual.n_splits)]
    return usual if all(len(classes) > 1 for classes in trained) else None


def _study_inside(plan: Plan | None, study: Study) -> tuple[Study | None, bool]:
    """The study with tests that maps are learned from, if it can have them, and whether a fit would draw the same."""
    if plan is None and (deep := with_inner_tests(study)) is not None:
        return deep, False
    given = None if plan is None else as_plan(plan)
    key = "drawn for maps", value_key(plan), id(study.splits)
    return study.once(key, lambda: drawn(study, lambda codes: _partitions(given, codes))), True


def _partitions(plan: Plan | None, codes: Codes) -> list[Partition]:
    usual = KFold(max(2, min(5, len(codes)))) if plan is None else plan
    return usual.partitions(codes)


def _map_notes(learned: Map) -> tuple[Note, ...]:
    return (Note("M335"),) if isinstance(learned, SigmoidMap) and learned.slope == 0.0 else ()
