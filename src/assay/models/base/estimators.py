"""What every classifier shares: from one hook, the class scores, all the predict methods follow."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from types import MethodType
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    DensityMixin,
    OneToOneFeatureMixin,
    TransformerMixin,
    clone,
)
from sklearn.pipeline import Pipeline
from sklearn.utils import Tags, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from assay.decision import Decision, LossLike, decide
from assay.engines.local import thread_count
from assay.models.base.keywords import advising, current_names, unknown_parameter
from assay.models.base.params import Param, check_effects, check_params, with_parameters
from assay.models.base.stored import Field
from assay.models.base.validation import check_rows, explain_rows, feature_names
from assay.notes import Note
from assay.numerics.value_key import value_key
from assay.sharing.fit_pipeline import fit_weighted, weight_arguments
from assay.sharing.forms import normalize, posteriors
from assay.sharing.settings import parts_of
from assay.types import Array, Floats, Labels, MatrixLike, Names, PriorsLike, has_posteriors

__all__ = [
    "ClassNamePrefixFeaturesOutMixin",
    "Classifier",
    "ClusterMixin",
    "DensityMixin",
    "GenerativeClassifier",
    "Model",
    "OneToOneFeatureMixin",
    "Pipeline",
    "PosteriorClassifier",
    "Tags",
    "Transformer",
    "available_if",
    "check_classifier",
    "check_is_fitted",
    "clone",
    "fit_weighted",
    "parts_of",
    "weight_arguments",
]


class Model(BaseEstimator):
    """An estimator whose parameters are declared in `params`."""

    params: ClassVar[tuple[Param, ...]] = ()
    stored: ClassVar[tuple[Field, ...]] = ()  # what a model file holds of a fitted one
    solved_from: ClassVar[
        tuple[Field, ...]
    ] = ()  # the same where the other attributes are solved again from it
    sparse_ok: ClassVar[bool] = False  # whether compressed rows are read as they are
    fills_sparse: ClassVar[bool] = False  # whether it takes them and fills in their zeros
    diagnostics_: tuple[str, ...]
    n_features_in_: int
    feature_names_in_: Names

    def __init_subclass__(cls, **keywords: object) -> None:
        super().__init_subclass__(**keywords)
        if "__init__" in vars(cls):
            cls.__init__ = advising(cls.__init__)  # type: ignore[method-assign]
        if "params" in vars(cls) and cls.params and "__doc__" in vars(cls) and cls.__doc__:
            cls.__doc__ = with_parameters(cls.__doc__, cls.params)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.sparse_ok or self.fills_sparse
        return tags

    def set_params(self, **params: object) -> Self:
        """Set parameters by name, those of a part as ``part__name``."""
        values, known = current_names(self.params, params, type(self).__name__), self.get_params(deep=False)
        for name in values:
            if "__" not in name and name not in known:
                raise ValueError(unknown_parameter(type(self), name, known))
        super().set_params(**values)
        return self

    def _check_params(self) -> None:
        """Every parameter is allowed, and has an effect."""
        self._check_declared()
        check_effects(type(self).__name__, self.params, self._declared_values())

    def check_params(self) -> None:
        """The same, by the name that sharers ask for."""
        self._check_params()

    def _check_declared(self) -> None:
        """Every parameter is allowed; files of earlier versions may hold some that have no effect."""
        check_params(type(self).__name__, self.params, self._declared_values())

    def _declared_values(self) -> dict[str, object]:
        """Attributes, since a subclass may take fewer parameters and set the others itself."""
        return {param.name: getattr(self, param.name) for param in self.params}

    def _check_mergeable(self, other: Model) -> None:
        """Only fitted models of one class, with equal parameters and columns, can be merged."""
        check_is_fitted(self)
        check_is_fitted(other)
        params, others = self.get_params(deep=False), other.get_params(deep=False)
        if type(self) is not type(other) or value_key(params) != value_key(others):
            raise ValueError(Note("M010", other=other, model=self))
        if self.n_features_in_ != other.n_features_in_:
            raise ValueError(Note("M011", other_columns=other.n_features_in_, n_columns=self.n_features_in_))


def tags_of(estimator: object) -> Tags | None:
    """What an estimator says about itself to scikit-learn; None: nothing."""
    return get_tags(estimator) if hasattr(estimator, "__sklearn_tags__") else None


class Transformer(TransformerMixin, Model):
    """A model that maps rows to rows."""


class NeedsPosteriors:
    """A method of classifiers with posteriors; asked of another, it says how that one would get them."""

    def __init__(self, function: Callable[..., Decision]) -> None:
        self.function = function
        update_wrapper(self, function)  # type: ignore[arg-type]

    def __get__(self, model: object, owner: type | None = None) -> Callable[..., Decision]:
        if model is None:
            return self.function
        if not has_posteriors(model):
            name = type(getattr(model, "model_", model)).__name__
            raise AttributeError(Note("M520", name, method=self.function.__name__))
        return MethodType(self.function, model)


class Classifier(ClassifierMixin, Model):
    """A classifier given by class scores; the largest score wins, the first class in sorted order among equals."""

    classes_: Labels
    probabilistic: ClassVar[bool] = False

    def _class_scores(self, X: Any) -> Array:
        """Score of every row and class, (N, K); rows are of the kind that `_read` gives."""
        raise NotImplementedError

    def _nearest_rows(self, rows: Array) -> Array:
        """Rows of numbers (N, D) as near as the model can read them."""
        return rows

    def _read(self, X: MatrixLike) -> Any:
        """Rows to predict, checked, as `_class_scores` takes them."""
        return check_rows(self, X, reset=False)

    def _checked_scores(self, X: MatrixLike) -> Array:
        check_is_fitted(self)
        rows = self._read(X)
        scores = self._class_scores(rows)
        usable = np.isfinite(scores) | (scores == -np.inf)
        if not usable.all() or not (scores > -np.inf).any(axis=1).all():
            raise self._explain(rows)
        return scores

    def _explain(self, rows: Floats) -> ValueError:
        error = explain_rows(
            feature_names(self),
            rows,
            missing_allowed=self.__sklearn_tags__().input_tags.allow_nan,
        )
        return error or ValueError(Note("M012"))

    def predict(self, X: MatrixLike) -> Labels:
        """Class of each row."""
        winners = self.winners(self._checked_scores(X))
        return np.asarray(self.classes_[winners])

    def winners(self, scores: Array) -> NDArray[np.intp]:
        """Number of the class of each row's largest score, the first among equals."""
        return np.asarray(scores.argmax(axis=1))

    def decision_function(self, X: MatrixLike) -> Array:
        """Class scores, (N, K); with two classes the second score less the first, (N,)."""
        scores = self._checked_scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    @NeedsPosteriors
    def decide(self: Any, X: MatrixLike, loss: LossLike = None, priors: PriorsLike = None) -> Decision:
        """The action of least expected loss for each row.

        Parameters
        ----------
        loss : array, nested dict or table, optional
            ``loss[true, action]``; that of the model (`loss_`) when not given, zero-one where it has none.
        priors : array, optional
            Class probabilities where the decision is made, if they differ from the training ones.
        """
        loss = getattr(self, "loss_", None) if loss is None else loss
        posterior = self.predict_proba(X)
        return decide(posterior, loss, priors, classes=self.classes_, trained_priors=self.class_prior_)


class PosteriorClassifier(Classifier):
    """A classifier whose scores are joint log likelihoods up to a term common to the classes."""

    probabilistic = True
    class_prior_: Array

    def predict_log_proba(self, X: MatrixLike) -> Array:
        """Logarithm of the posterior of each class, (N, K)."""
        check_is_fitted(self)
        rows = self._read(X)
        scores = self._class_scores(rows)
        _, unusable = normalize(scores, threads=thread_count())
        if unusable:
            raise self._explain(rows)
        return scores

    def predict_proba(self, X: MatrixLike) -> Array:
        """Posterior of each class, (N, K)."""
        return posteriors(self.predict_log_proba(X), threads=thread_count())


class GenerativeClassifier(PosteriorClassifier):
    """A classifier that models the rows and the classes together: p(x, C_k) = p(x | C_k) P(C_k)."""

    has_density: ClassVar[bool] = True  # whether rows can be drawn from its classes

    def _joint_scores(self, X: Any) -> Array:
        """ln p(x, C_k) of rows as they are read, (N, K): the class scores, unless these leave a common term out."""
        return self._class_scores(X)

    def _draw(self, k: int, count: int, generator: np.random.Generator) -> Any:
        """Rows drawn from the density of a class, as they are read."""
        raise NotImplementedError

    def _drawn_scores(self, k: int, count: int, generator: np.random.Generator) -> Array:
        """Class scores of rows drawn from the density of a class, (count, K)."""
        return self._class_scores(self._draw(k, count, generator))

    def predict_joint_log_proba(self, X: MatrixLike) -> Array:
        """ln p(x, C_k) of each row and class, (N, K): what the posterior is normalised from."""
        check_is_fitted(self)
        rows = self._read(X)
        scores = self._joint_scores(rows)
        if np.isnan(scores).any() or (scores == np.inf).any():
            raise self._explain(rows)
        return scores


def check_classifier(estimator: object) -> None:
    """Raise one sentence if this is not a classifier; what says nothing about itself is one if it fits and predicts."""
    if isinstance(estimator, type):
        raise TypeError(Note("M008", kind=estimator.__name__))
    if not hasattr(estimator, "fit"):
        plain = estimator is None or isinstance(estimator, str)
        shown = repr(estimator) if plain else f"An object of type {type(estimator).__name__}"
        raise TypeError(Note("M009", shown=shown))
    parts = parts_of(estimator)
    last = parts[-1][1] if parts else estimator
    tags = tags_of(last)
    kind = None if tags is None else tags.estimator_type
    if kind == "classifier" or (
        kind is None and hasattr(estimator, "predict") and not isinstance(last, Model)
    ):
        return
    kind = kind or ("transformer" if hasattr(last, "transform") else "estimator of another kind")
    raise TypeError(Note("M007", kind=type(last).__name__, category=kind.replace("_", " ")))
