"""Models that need nothing but moments: fit = solve(moments), so models merge, forget rows, and share folds.

`StatisticsClassifier` learns classes, `UnlabelledModel` rows without labels.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from assay.decision.priors import class_priors, estimates_priors
from assay.engines.local import thread_count
from assay.models.base.column_notes import column_keys
from assay.models.base.estimators import Classifier, GenerativeClassifier, Model, check_is_fitted
from assay.models.base.stored import FROM_CLASSES, FROM_ROWS, Field
from assay.models.base.validation import (
    TrainingData,
    all_classes,
    check_moments,
    check_rows,
    check_several,
    check_training,
    check_weight,
    feature_names,
)
from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.sharing.forms import Diagonal, Quadratic, ScoreForm
from assay.sharing.moments.bases import Bases
from assay.statistics import Form, Moments, collect
from assay.statistics.variances import draw
from assay.types import Array, Codes, Floats, Labels, MatrixLike, PriorsLike

# Taking rows out may cost digits: beyond this relative error of a variance a refit is needed.
FORGET_LIMIT = 1e-6


class LabelledRows(Protocol):
    """Rows with the class and the weight of each."""

    @property
    def X(self) -> Floats: ...  # noqa: N802
    @property
    def codes(self) -> Codes: ...
    @property
    def weight(self) -> Array | None: ...


class StatisticsClassifier(Classifier):
    """A classifier solved from moments; subclasses say which moments and how."""

    solved_from: ClassVar[tuple[Field, ...]] = FROM_CLASSES

    missing_ok: ClassVar[bool] = False
    statistics_: Moments

    @property
    def moments_form(self) -> Form:
        """The cheapest form of moments this model can be solved from."""
        raise NotImplementedError

    def solve_moments(self, m: Moments) -> ScoreForm:
        """Models of every group of the moments (one leading axis)."""
        raise NotImplementedError

    def _keep(self, m: Moments, form: ScoreForm) -> None:
        """Set the fitted attributes particular to the model (group 0 of both)."""

    def has_basis(self) -> bool:
        """Whether `solve_grid` can serve this model."""
        return False

    @classmethod
    def solve_grid(cls, models: Sequence[Self], m: Moments, priors: Array | None) -> Bases:
        """Models of the same kind that differ by their settings, from few bases; `priors` are those to decide under."""
        raise NotImplementedError

    def loo_moments(self, m: Moments, rows: LabelledRows) -> Array | None:
        """Closed-form leave-one-out scores (N, K), NaN in rows it does not cover; None: no closed form."""
        return None

    def _ridge_penalty(self) -> float | None:
        """The penalty of a model that is ridge regression on the indicators of the classes; None: it is not."""
        return None

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit from one pass over the rows.

        Parameters
        ----------
        X : array (N, D)
            float64 or float32, C- or F-ordered.
        y : array (N,)
            Labels of any type.
        sample_weight : array (N,), optional
        """
        self._check_params()
        data = check_training(self, X, y, sample_weight, further=True)
        check_several(data.classes)
        return self._learn(data.classes, self._collect(data))

    def partial_fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn further rows; the result equals one fit of all rows seen. New classes may appear at any time."""
        self._check_params()
        first = not hasattr(self, "statistics_")
        data = check_training(self, X, y, sample_weight, reset=first, further=True)
        known = data.classes if first else self.classes_
        if classes is not None and first:
            known = all_classes(classes, data.classes)
        moments = self._collect(data)
        return self._learn(*merge_classes(known, None if first else self.statistics_, data.classes, moments))

    def merge(self, other: Self) -> Self:
        """Take in what another fitted model of the same kind learned from other rows."""
        self._check_mergeable(other)
        return self._learn(*merge_classes(self.classes_, self.statistics_, other.classes_, other.statistics_))

    def forget(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Unlearn rows: the model becomes what it would be without them, to about nine digits.

        Refused when a label or a number of rows shows that the rows were never learned, and when too few digits
        would be left. This is arithmetic, not a privacy guarantee.
        """
        check_is_fitted(self)
        data = check_training(self, X, y, sample_weight, reset=False, further=True)
        return self._unlearn(data.classes, self._collect(data))

    def _unlearn(self, classes: Labels, moments: Moments) -> Self:
        """Take out the moments of rows of these classes."""
        for label in classes.tolist():
            if label not in self.classes_:
                raise ValueError(Note("M018", label=label))
        _, rows = merge_classes(self.classes_, None, classes, moments)
        for k in np.flatnonzero(rows.rows > self.statistics_.rows):
            raise ValueError(
                Note(
                    "M014",
                    rows=rows.rows[k],
                    label=self.classes_.tolist()[k],
                    learned=self.statistics_.rows[k],
                )
            )
        if (rows.weight > self.statistics_.weight * (1 + 1e-12)).any():
            raise ValueError(Note("M015"))
        remaining_moments, error = self.statistics_.without(rows)
        if error.max() > FORGET_LIMIT:
            raise ValueError(Note("M016", column=int(error.argmax())))
        return self._learn(*drop_empty_classes(self.classes_, remaining_moments))

    def _collect(self, data: TrainingData) -> Moments:
        """Moments of checked rows; the finite check is part of the pass."""
        moments = collect(
            data.X,
            data.codes,
            data.n_classes,
            form=self.moments_form,
            weight=data.weight,
            threads=thread_count(),
        )
        if self.missing_ok and not _finite(moments):
            moments = collect(
                data.X,
                data.codes,
                data.n_classes,
                form=self.moments_form,
                weight=data.weight,
                missing=True,
                threads=thread_count(),
            )
        check_moments(moments, data.X, data.names, missing_allowed=self.missing_ok)
        return moments

    def _learn(self, classes: Labels, m: Moments) -> Self:
        """Solve from moments and keep the result; the moments stay, for partial_fit, merge and forget."""
        counted = m.in_rows()
        with single_threaded():
            form = self.solve_moments(counted[None])
        self.classes_, self.statistics_ = classes, m
        self.class_count_ = counted.weight
        self._score_form = form
        assert form.trouble is not None
        parameters = [param.name for param in self.params]
        self.diagnostics_ = form.trouble.notes(0, classes, column_keys(self), parameters)
        self._keep(counted, form)
        return self

    def _class_scores(self, X: Floats) -> Array:
        return self._score_form.scores(X, threads=thread_count())


class NormalClassifier(StatisticsClassifier, GenerativeClassifier):
    """A statistics classifier with priors and a joint likelihood."""

    priors: PriorsLike

    def _learn(self, classes: Labels, m: Moments) -> Self:
        self.class_prior_ = class_priors(self.priors, m.weight)
        return super()._learn(classes, m)

    def with_priors(self, priors: PriorsLike) -> Self:
        """A copy of the fitted model under other class probabilities; nothing is refitted."""
        check_is_fitted(self)
        other = copy.copy(self)
        other.priors = priors
        return other._learn(self.classes_, self.statistics_)

    def _density_form(self) -> Diagonal | Quadratic:
        """The class densities with their priors; the score form, unless that leaves a common term out."""
        assert isinstance(self._score_form, Diagonal | Quadratic)
        return self._score_form

    def _draw(self, k: int, count: int, generator: np.random.Generator) -> Array:
        form = self._density_form()
        noise = generator.standard_normal((count, form.mean.shape[-1]))
        if isinstance(form, Quadratic):
            return draw(form.mean[0, k], form.whitener[0, k], noise)
        precision = form.precision[0, k]
        deviation = np.sqrt(np.divide(1.0, precision, out=np.zeros(len(precision)), where=precision > 0))
        return np.asarray(form.mean[0, k] + noise * deviation)

    @property
    def n_parameters_(self) -> int:
        """Free parameters, those of the priors included."""
        raise NotImplementedError

    @property
    def log_likelihood_(self) -> float:
        """Joint log likelihood of rows and labels at the maximum-likelihood fit."""
        raise NotImplementedError

    def _prior_parameters(self) -> int:
        return len(self.classes_) - 1 if estimates_priors(self.priors) else 0

    def _label_log_likelihood(self) -> float:
        """Σ_k n_k ln P(C_k)."""
        seen = self.class_count_ > 0
        return float((self.class_count_[seen] * np.log(self.class_prior_[seen])).sum())


def _finite(m: Moments) -> bool:
    return bool(np.isfinite(m.scatter).all() and np.isfinite(m.offset).all())


def merge_classes(
    classes: Labels, m: Moments | None, more_classes: Labels, more: Moments
) -> tuple[Labels, Moments]:
    """Both moments over the union of the classes, merged."""
    labels = np.unique(np.concatenate([classes, more_classes])) if len(more_classes) else classes
    placed = more.reclassed(np.searchsorted(labels, more_classes), len(labels))
    if m is None:
        return labels, placed
    return labels, m.reclassed(np.searchsorted(labels, classes), len(labels)).merge(placed)


def drop_empty_classes(classes: Labels, m: Moments) -> tuple[Labels, Moments]:
    """Drop classes whose last row was forgotten."""
    left = np.flatnonzero(m.rows > 0)
    if len(left) < 2:
        raise ValueError(Note("M013"))
    if len(left) == len(classes):
        return classes, m
    scatter = m.scatter if m.form == "pooled" else m.scatter[left]
    moments = replace(
        m,
        weight=m.weight[left],
        rows=m.rows[left],
        center=m.center[left],
        offset=m.offset[left],
        scatter=scatter,
        present=None if m.present is None else m.present[left],
    )
    return classes[left], moments


class UnlabelledModel(Model):
    """Fits, merges and forgets rows as the pooled moments of a single class."""

    solved_from: ClassVar[tuple[Field, ...]] = FROM_ROWS

    n_features_in_: int
    statistics_: Moments

    def _learn(self, m: Moments) -> None:
        """Set the fitted attributes from the moments of all rows learned (no leading axis)."""
        raise NotImplementedError

    def _lost_freedom(self) -> float:
        """What is taken off the sum of the weights in the divisor of a variance."""
        return 1.0

    def fit(self, X: MatrixLike, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> Self:
        """Fit from one pass over the rows; y is ignored."""
        self._check_params()
        rows = check_rows(self, X, reset=True)
        return self._take(self._collect(rows, check_weight(sample_weight, rows.shape[0])))

    def partial_fit(
        self, X: MatrixLike, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Learn further rows; the result equals one fit of all rows seen."""
        self._check_params()
        first = not hasattr(self, "n_features_in_")
        rows = check_rows(self, X, reset=first)
        more = self._collect(rows, check_weight(sample_weight, rows.shape[0]))
        return self._take(more if first else self._known().merge(more))

    def merge(self, other: Self) -> Self:
        """Take in what another fitted model of the same kind learned from other rows."""
        self._check_mergeable(other)
        return self._take(self._known().merge(other._known()))

    def forget(
        self, X: MatrixLike, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Unlearn rows: the model becomes what it would be without them, to about nine digits.

        Refused when the number of rows shows that they were never learned, and when too few digits would be left.
        """
        check_is_fitted(self)
        rows = check_rows(self, X, reset=False)
        gone, known = self._collect(rows, check_weight(sample_weight, rows.shape[0])), self._known()
        if gone.rows[0] >= known.rows[0] or gone.weight[0] >= known.weight[0]:
            raise ValueError(
                Note(
                    "M028",
                    rows=gone.rows[0],
                    weight=gone.weight[0],
                    learned=known.rows[0],
                    learned_weight=known.weight[0],
                )
            )
        moments, error = known.without(gone)
        if error.max() > FORGET_LIMIT:
            raise ValueError(Note("M016", column=int(error.argmax())))
        return self._take(moments)

    def _known(self) -> Moments:
        if not hasattr(self, "statistics_"):
            raise ValueError(Note("M029", kind=type(self).__name__))
        return self.statistics_

    def _collect(self, rows: Floats, weight: Array | None) -> Moments:
        codes = np.zeros(rows.shape[0], dtype=np.int32)
        m = collect(rows, codes, 1, form="pooled", weight=weight)
        check_moments(m, rows, feature_names(self))
        return m

    def _take(self, m: Moments) -> Self:
        counted = m.in_rows()
        check_weight_above(self._lost_freedom(), self, int(m.rows[0]), float(counted.weight[0]))
        with single_threaded():
            self._learn(counted)
        self.statistics_ = m
        return self


def check_weight_above(least: float, estimator: Model, n_rows: int, weight: float) -> None:
    """Raise one sentence where a divisor (N or N - 1, N the sum of the weights) would not be positive."""
    if not weight > least * (1.0 + 1e-9):  # sums of scaled weights are rounded
        raise ValueError(
            Note("M027", kind=type(estimator).__name__, least=least, weight=weight, n_rows=n_rows)
        )
