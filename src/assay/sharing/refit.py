"""Any estimator: fitted to every training set. This is what all other ways must equal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
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
from assay.sharing.study import Study
from assay.statistics.weights import subset_weight
from assay.types import Array, Codes, Estimator, Index, Labels, Mask, MatrixLike, RowClassifier

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
        tasks = [splits.tasks(None if only is None else only[s]) for s in range(len(self.settings))]
        accumulator = Accumulator(keep)
        with self.study.dataset.engine.meter(sum(map(len, tasks)), "") as meter:
            for s, (name, of_setting) in enumerate(zip(self.settings.names, tasks, strict=True)):
                meter.label, start = name, time.perf_counter()
                accumulator.include(reduced(self._parts(s, of_setting, meter.advance), keep))
                self.seconds[s] = time.perf_counter() - start
        return keep.finish(accumulator.total)

    def _parts(self, s: int, tasks: list[tuple[int, Codes]], done: Callable[[], None]) -> Iterator[Part]:
        """The scores of every model of a setting, model by model."""
        splits, data = self.study.splits, self.study.dataset
        self.warned[s] = warned = FoldWarnings()
        for (_, tests), scored in zip(tasks, self._found(s, tasks, done), strict=True):
            warned.also(scored.warned)
            rows, test = splits.rows_of(tests)
            priors = np.zeros((splits.n_tests, data.n_classes))
            priors[tests] = scored.priors
            yield self.study.part(s, rows, test, scored.scores, scored.predicted, priors, scored.posterior)

    def _found(self, s: int, tasks: list[tuple[int, Codes]], done: Callable[[], None]) -> list[_ModelScores]:
        """What each model of a setting gives."""
        if not tasks:
            return []
        data, engine, estimator = self.study.dataset, self.study.dataset.engine, self.settings.estimators[s]
        splits = replace(self.study.splits, deeper=None)
        threads = max(1, engine.threads // len(tasks))
        fit = _Fit(estimator, data.source(), data.codes, data.classes, data.weight, splits, threads)
        with single_threaded():
            return side_by_side(fit, tasks, type(model_of(estimator)), data.n_rows, engine.threads, done)

    def difficulties(self, s: int) -> tuple[str, ...]:
        """Classes that training sets lack, and what the estimator warned about."""
        return self.study.warnings(self.settings.estimators[s], self.warned.get(s))


class _ModelScores(NamedTuple):
    """Scores of the tested rows of one model, and what was warned about on the way."""

    scores: Array
    predicted: Codes
    posterior: bool
    priors: Array
    warned: FoldWarnings


@dataclass(frozen=True)
class _Fit:
    """The fit of one training set; it may be called in any thread or process."""

    estimator: RowClassifier
    X: MatrixLike
    codes: Codes
    classes: Labels
    weight: Array | None
    splits: Splits
    threads: int  # of the fit itself

    def __call__(self, task: tuple[int, Codes]) -> _ModelScores:
        m, tests = task
        train, test = self.splits.train_rows(m), self.splits.rows_of(tests)[0]
        codes, weight = self.codes[train], subset_weight(self.weight, train)
        model = clone(self.estimator)
        with (
            collect_warnings() as warned,
            single_threaded(),
            one_openmp_thread(),
            at_most(self.threads),
            without_costly_diagnostics(),
        ):
            fit_weighted(model, take_rows(self.X, train), self.classes[codes], weight)
            place = _known(model, codes, self.classes)
            if len(test):
                scored = _scores(*_read(model, take_rows(self.X, test)), place, self.classes)
            else:  # a replicate that drew every row
                scored = np.empty((0, len(self.classes))), np.empty(0, dtype=np.int32), True
        shares = np.bincount(codes, weight, len(self.classes))
        return _ModelScores(*scored, _trained_priors(model, shares / shares.sum(), place), warned)


def take_rows(X: Any, rows: Index) -> Any:
    """Some rows of an array, a frame, a sparse matrix or a list."""
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    if hasattr(X, "take") and not isinstance(X, np.ndarray):  # Arrow, typed tables
        return X.take(rows)
    return X[rows] if hasattr(X, "shape") else [X[i] for i in rows]


def _known(model: RowClassifier, trained: Codes, classes: Labels) -> NDArray[np.intp]:
    """Places of the classes that a fitted model knows: those it lists, else those that it was trained on."""
    listed = getattr(model, "classes_", None)
    return np.unique(trained) if listed is None else np.searchsorted(classes, listed)


def _trained_priors(model: Estimator, shares: Array, place: NDArray[np.intp]) -> Array:
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


def _scores(model: Any, X: MatrixLike, place: NDArray[np.intp], classes: Labels) -> tuple[Array, Codes, bool]:
    """Scores over all classes, predicted codes, and whether the scores are log posteriors."""
    predicted = np.searchsorted(classes, model.predict(X)).astype(np.int32)
    if infers(model):
        return _spread(log_posterior(model, X), place, len(classes), -np.inf), predicted, True
    margins = np.asarray(model.decision_function(X)) if hasattr(model, "decision_function") else None
    if margins is not None and margins.ndim == 1:
        margins = np.stack([-margins / 2, margins / 2], axis=1)
    if margins is None or margins.shape[1] != len(place):
        margins = (predicted[:, None] == place).astype(np.float64)
    return _spread(margins, place, len(classes), -np.inf), predicted, False


def _spread(values: Array, place: NDArray[np.intp], n_classes: int, absent: float) -> Array:
    out = np.full((len(values), n_classes), absent)
    out[:, place] = values
    return out


def infers(model: object) -> bool:
    """Whether a model has posteriors, under either name."""
    return hasattr(model, "predict_proba") or hasattr(model, "predict_log_proba")


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
