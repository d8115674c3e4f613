"""Any estimator: fitted to every training set. This is what all other ways must equal.

Where one fit answers several settings (`stages`), it is made once for them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

from assay.engines.local import at_most
from assay.notes import Note
from assay.numerics.blas import one_openmp_thread, single_threaded
from assay.sharing.costly_diagnostics import without_costly_diagnostics
from assay.sharing.fit_pipeline import fit_weighted
from assay.sharing.fold_warnings import FoldWarnings, collect_warnings
from assay.sharing.part import Part
from assay.sharing.protocols import Sharer
from assay.sharing.reductions import Accumulator, Kept, Reduction, reduced
from assay.sharing.settings import Settings, model_of
from assay.sharing.side_by_side import side_by_side
from assay.sharing.splits import Splits
from assay.sharing.stages import answers_settings, stage_estimator, staged_families
from assay.sharing.study import Study
from assay.statistics.weights import subset_weight
from assay.types import (
    Array,
    Codes,
    Estimator,
    Index,
    Labels,
    Mask,
    MatrixLike,
    RowClassifier,
    has_margins,
    infers,
)

Result = TypeVar("Result")


def _note(name: str, estimator: Estimator, study: Study) -> Note | None:
    """Everything whose rows fit into memory."""
    data = study.dataset
    if data.fits():
        return None
    return Note("S008", name, {"gibibytes": 8 * data.n_rows * data.n_features / 2**30}, "error")


@dataclass(frozen=True, eq=False)
class Refitted:
    """Fits that are made when their scores are asked for."""

    settings: Settings
    study: Study
    warned: dict[int, FoldWarnings] = field(default_factory=dict)
    seconds: dict[int, float] = field(default_factory=dict)

    def reduce(self, keep: Reduction[Kept, Result], only: Mask | None = None) -> Result:
        """What the reduction keeps of all scores, or of those asked for: only (S, T)."""
        splits = self.study.splits
        wanted = np.ones((len(self.settings), splits.n_tests), dtype=bool) if only is None else only
        families = staged_families(self.settings)
        tasks = [_tasks(splits, wanted[family]) for family in families]
        accumulator = Accumulator(keep)
        with self.study.dataset.engine.meter(sum(map(len, tasks)), "") as meter:
            for family, of_family in zip(families, tasks, strict=True):
                meter.label, start = self.settings.names[family[0]], time.perf_counter()
                parts = self._parts(family, of_family, wanted[family], meter.advance)
                accumulator.include(reduced(parts, keep))
                self.seconds.update(dict.fromkeys(family, time.perf_counter() - start))
        return keep.finish(accumulator.total)

    def _parts(
        self, family: list[int], tasks: list[_Task], wanted: Mask, done: Callable[[], None]
    ) -> Iterator[Part]:
        """The scores of every fit, model by model and setting by setting."""
        splits, data = self.study.splits, self.study.dataset
        warned = FoldWarnings()
        self.warned.update(dict.fromkeys(family, warned))
        for (_, tests, places), scored in zip(tasks, self._found(family, tasks, done), strict=True):
            warned.also(scored.warned)
            row, test = splits.rows_of(tests)
            priors = np.zeros((splits.n_tests, data.n_classes))
            priors[tests] = scored.priors
            for place, scores, predicted in zip(places, scored.scores, scored.predicted, strict=True):
                part = self.study.part(family[place], row, test, scores, predicted, priors, scored.posterior)
                yield part.take(wanted[place][test])

    def _found(self, family: list[int], tasks: list[_Task], done: Callable[[], None]) -> list[_ModelScores]:
        """What each fit gives to the settings of a family."""
        if not tasks:
            return []
        data, engine = self.study.dataset, self.study.dataset.engine
        estimators = [self.settings.estimators[s] for s in family]
        splits = replace(self.study.splits, deeper=None)
        threads = max(1, engine.threads // len(tasks))
        fit = _Fit(estimators, data.source(), data.codes, data.classes, data.weight, splits, threads)
        kind = type(model_of(estimators[0]))
        with single_threaded():
            return side_by_side(fit, tasks, kind, data.n_rows, engine.threads, done)

    def difficulties(self, s: int) -> tuple[str, ...]:
        """Classes that training sets lack, and what the estimator warned about."""
        return self.study.warnings(self.settings.estimators[s], self.warned.get(s))


_Task = tuple[int, Codes, list[int]]  # a model, the tests that it makes, and the settings of its family


def _tasks(splits: Splits, wanted: Mask) -> list[_Task]:
    """A fit for every training set, with all tests and settings of a family (S, T) that are wanted of it."""
    tasks = splits.tasks(np.asarray(wanted.any(axis=0)))
    return [(m, tests, np.flatnonzero(wanted[:, tests].any(axis=1)).tolist()) for m, tests in tasks]


class _ModelScores(NamedTuple):
    """Scores of the tested rows of one fit in each setting that it answers, and what was warned about on the way."""

    scores: list[Array]
    predicted: list[Codes]
    posterior: bool
    priors: Array
    warned: FoldWarnings


@dataclass(frozen=True)
class _Fit:
    """The fit of one training set to all settings of a family; it may be called in any thread or process."""

    estimators: list[RowClassifier]
    X: MatrixLike
    codes: Codes
    classes: Labels
    weight: Array | None
    splits: Splits
    threads: int  # of the fit itself

    def __call__(self, task: _Task) -> _ModelScores:
        m, tests, places = task
        asked = [self.estimators[place] for place in places]
        train, test = self.splits.train_rows(m), self.splits.rows_of(tests)[0]
        codes, weight = self.codes[train], subset_weight(self.weight, train)
        model = stage_estimator(asked)
        with (
            collect_warnings() as warned,
            single_threaded(),
            one_openmp_thread(),
            at_most(self.threads),
            without_costly_diagnostics(),
        ):
            fit_weighted(model, take_rows(self.X, train), self.classes[codes], weight)
            place = known_places(model, codes, self.classes)
            if len(test):
                scored = _scores_of_settings(model, take_rows(self.X, test), place, self.classes, asked)
            else:  # a replicate that drew every row
                none = np.empty((0, len(self.classes))), np.empty(0, dtype=np.int32)
                scored = [none[0]] * len(asked), [none[1]] * len(asked), True
        shares = np.bincount(codes, weight, len(self.classes))
        return _ModelScores(*scored, trained_priors(model, shares / shares.sum(), place), warned)


def _scores_of_settings(
    model: RowClassifier, X: MatrixLike, place: NDArray[np.intp], classes: Labels, asked: list[RowClassifier]
) -> tuple[list[Array], list[Codes], bool]:
    """Scores over all classes and predicted codes in each setting, and whether the scores are log posteriors."""
    last, rows = _read(model, X)
    if not answers_settings(asked[0]):
        scores, predicted, posterior = fitted_scores(last, rows, place, classes)
        return [scores], [predicted], posterior
    posteriors = last.stage_posteriors(rows, [model_of(estimator) for estimator in asked])
    with np.errstate(divide="ignore"):
        scores_of = [_spread(np.log(shares), place, len(classes), -np.inf) for shares in posteriors]
    return scores_of, [scores.argmax(axis=1).astype(np.int32) for scores in scores_of], True


def take_rows(X: Any, rows: Index) -> Any:
    """Some rows of an array, a frame, a sparse matrix or a list."""
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    if hasattr(X, "take") and not isinstance(X, np.ndarray):  # Arrow, typed tables
        return X.take(rows)
    return X[rows] if hasattr(X, "shape") else [X[i] for i in rows]


def known_places(model: RowClassifier, trained: Codes, classes: Labels) -> NDArray[np.intp]:
    """Places of the classes that a fitted model knows: those it lists, else those that it was trained on."""
    listed = getattr(model, "classes_", None)
    return np.unique(trained) if listed is None else np.searchsorted(classes, listed)


def trained_priors(model: Estimator, shares: Array, place: NDArray[np.intp]) -> Array:
    """Class probabilities behind the model's posteriors: those it names itself, else the shares of its rows."""
    last = model_of(model)
    for name in ("class_prior_", "priors_"):
        priors = getattr(last, name, None)
        if priors is not None:
            return np.asarray(_spread(np.asarray(priors)[None], place, len(shares), 0.0)[0])
    return np.asarray(shares)


def _read(model: Any, X: MatrixLike) -> tuple[Any, Any]:
    """The model at the end of a pipeline and what the steps before it make of the rows, once for all it is asked."""
    if type(model) is not Pipeline:
        return model, X
    return model.steps[-1][1], model[:-1].transform(X) if len(model.steps) > 1 else X


def fitted_scores(
    model: Any, X: MatrixLike, place: NDArray[np.intp], classes: Labels
) -> tuple[Array, Codes, bool]:
    """Scores over all classes, predicted codes, and whether the scores are log posteriors."""
    predicted = np.searchsorted(classes, model.predict(X)).astype(np.int32)
    if infers(model):
        return _spread(log_posterior(model, X), place, len(classes), -np.inf), predicted, True
    margins = np.asarray(model.decision_function(X)) if has_margins(model) else None
    if margins is not None and margins.ndim == 1:
        margins = np.stack([-margins / 2, margins / 2], axis=1)
    if margins is None or margins.shape[1] != len(place):
        margins = (predicted[:, None] == place).astype(np.float64)
    return _spread(margins, place, len(classes), -np.inf), predicted, False


def _spread(values: Array, place: NDArray[np.intp], n_classes: int, absent: float) -> Array:
    out = np.full((len(values), n_classes), absent)
    out[:, place] = values
    return out


def log_posterior(model: Any, X: MatrixLike) -> Array:
    """Logarithms of a model's posteriors, those of `predict_proba` where a class has overridden one method alone."""
    with np.errstate(divide="ignore"):
        if _definer(model, "predict_proba") in (None, _definer(model, "predict_log_proba")):
            return np.asarray(model.predict_log_proba(X), dtype=np.float64)
        return np.asarray(np.log(np.asarray(model.predict_proba(X), dtype=np.float64)))


def _definer(model: object, method: str) -> object:
    """The class that defines a method of a model, or the model itself; None: it has no such method."""
    if not hasattr(model, method):
        return None
    owners = (cls for cls in type(model).__mro__ if method in vars(cls))
    return model if method in vars(model) else next(owners, type(model))


REFIT = Sharer("refit", _note, Refitted)
