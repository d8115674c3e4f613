"""Any estimator, by refitting every split; fits run side by side, one thread each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from assay.engines.local import at_most, thread_count
from assay.models.base import Pipeline, parts_of
from assay.models.combine.combined import log_posterior
from assay.models.piped import fit_piped
from assay.models.reasons import without_reasons
from assay.models.sharing import Tested
from assay.models.trouble import absences
from assay.numerics.blas import one_openmp_thread, single_threaded
from assay.selection.strategies.side_by_side import side_by_side
from assay.selection.strategies.warned import Warned, listening
from assay.statistics.weights import subset_weight

Array = NDArray[np.float64]
Split = tuple[NDArray[np.intp], NDArray[np.intp]]


def refit_scores(
    estimator: Any,
    X: Any,
    codes: NDArray[np.int32],
    classes: NDArray[Any],
    splits: list[Split],
    weight: Array | None = None,
    n_jobs: int | None = None,
    done: Callable[[], None] | None = None,
) -> tuple[Tested, bool]:
    """Scores of every tested row, and whether they are log posteriors."""
    share, kind = max(1, thread_count(n_jobs) // len(splits)), type(_last(estimator))
    refit = _Refit(estimator, X, codes, classes, weight, share)
    with single_threaded():
        parts = side_by_side(refit, splits, kind, len(codes), n_jobs, done or (lambda: None))
    warned = Warned()
    for part in parts:
        warned.also(part.warned)
    split_ids = [np.full(len(test), s, dtype=np.int32) for s, (_, test) in enumerate(splits)]
    tested = Tested(
        rows=np.concatenate([test for _, test in splits]).astype(np.int64),
        split=np.concatenate(split_ids),
        scores=np.concatenate([part.scores for part in parts]),
        predicted=np.concatenate([part.predicted for part in parts]),
        priors=np.stack([part.priors for part in parts]),
        notes=(*_absences(codes, classes, splits), *warned.notes(kind.__name__)),
    )
    return tested, all(part.probabilistic for part in parts)


class _Part(NamedTuple):
    """Scores of a split, and what was warned about on the way."""

    scores: Array
    predicted: NDArray[np.int32]
    probabilistic: bool
    priors: Array
    warned: Warned


@dataclass(frozen=True)
class _Refit:
    """The fit of a split; it may be called in any thread or process."""

    estimator: Any
    X: Any
    codes: NDArray[np.int32]
    classes: NDArray[Any]
    weight: Array | None
    threads: int  # of the fit itself

    def __call__(self, split: Split) -> _Part:
        train, test = split
        codes, weight = self.codes[train], None if self.weight is None else self.weight[train]
        _check_two_classes(codes, self.classes)
        model = clone(self.estimator)
        with (
            listening() as warned,
            single_threaded(),
            one_openmp_thread(),
            at_most(self.threads),
            without_reasons(),
        ):
            fit_piped(model, take_rows(self.X, train), self.classes[codes], subset_weight(self.weight, train))
            place = _known(model, codes, self.classes)
            if len(test):
                scored = _scores(*_read(model, take_rows(self.X, test)), place, self.classes)
            else:  # a replicate that drew every row
                scored = np.empty((0, len(self.classes))), np.empty(0, dtype=np.int32), True
        shares = np.bincount(codes, weight, len(self.classes))
        return _Part(*scored, _trained_priors(model, shares / shares.sum(), place), warned)


def take_rows(X: Any, rows: NDArray[np.intp]) -> Any:
    """Some rows of an array, a frame, a sparse matrix or a list."""
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    if hasattr(X, "take") and not isinstance(X, np.ndarray):  # Arrow, typed tables
        return X.take(rows)
    return X[rows] if hasattr(X, "shape") else [X[i] for i in rows]


def _absences(codes: NDArray[np.int32], classes: NDArray[Any], splits: list[Split]) -> tuple[str, ...]:
    """Classes too rare for every training part."""
    counts = [np.bincount(codes[train], minlength=len(classes)) for train, _ in splits]
    return absences(np.array(counts), classes)


def _check_two_classes(codes: NDArray[np.int32], classes: NDArray[Any]) -> None:
    if len(np.unique(codes)) < 2:
        only = f"a single class ({classes.tolist()[codes[0]]!r})" if len(codes) else "no row"
        raise ValueError(
            f"A training part has {only}: use fewer folds, stratify, or give more rows of the others."
        )


def _last(model: Any) -> Any:
    """The model at the end of a pipeline, or the model itself."""
    return parts[-1][1] if (parts := parts_of(model)) else model


def _known(model: Any, trained: NDArray[np.int32], classes: NDArray[Any]) -> NDArray[np.intp]:
    """Places of the classes that a fitted model knows: those it lists, else those that it was trained on."""
    listed = getattr(model, "classes_", None)
    return np.unique(trained) if listed is None else np.searchsorted(classes, listed)


def _trained_priors(model: Any, shares: Array, place: NDArray[np.intp]) -> Array:
    """Class probabilities behind the model's posteriors: those it names itself, else the shares of its rows."""
    last = _last(model)
    for name in ("class_prior_", "priors_"):
        priors = getattr(last, name, None)
        if priors is not None:
            return np.asarray(_spread(np.asarray(priors)[None], place, len(shares), 0.0)[0])
    return shares


def _read(model: Any, X: Any) -> tuple[Any, Any]:
    """The model at the end of a pipeline and what the steps before it make of the rows, once for all it is asked."""
    if type(model) is not Pipeline:
        return model, X
    return model.steps[-1][1], model[:-1].transform(X) if len(model.steps) > 1 else X


def _scores(
    model: Any, X: Any, place: NDArray[np.intp], classes: NDArray[Any]
) -> tuple[Array, NDArray[np.int32], bool]:
    """Scores over all classes, predicted codes, and whether the scores are log posteriors."""
    predicted = np.searchsorted(classes, model.predict(X)).astype(np.int32)
    if hasattr(model, "predict_proba") or hasattr(model, "predict_log_proba"):
        return _spread(log_posterior(model, X), place, len(classes), -np.inf), predicted, True
    margins = np.asarray(model.decision_function(X)) if hasattr(model, "decision_function") else None
    if margins is not None and margins.ndim == 1:
        margins = np.stack([-margins / 2, margins / 2], axis=1)
    if margins is None or margins.shape[1] != len(place):
        margins = (predicted[:, None] == place).astype(np.float64)
    lowest = margins.min() - 1.0 if margins.size else 0.0
    return _spread(margins, place, len(classes), lowest), predicted, False


def _spread(values: Array, place: NDArray[np.intp], n_classes: int, absent: float) -> Array:
    out = np.full((len(values), n_classes), absent)
    out[:, place] = values
    return out
