"""A feature search as part of a model: `evaluate` gives its nested estimate, since each fold searches for itself.

If features are selected on all rows and then cross-validated, the tested rows take part in the selection: on pure noise
such an error is far below chance (Ambroise and McLachlan, PNAS 99, 2002).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from copy import copy
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import ArrayLike

from assay.data.table import Table
from assay.models.base.estimators import Classifier, available_if, check_is_fitted, tags_of
from assay.models.base.params import REQUIRED, Param
from assay.models.base.sparse import is_sparse
from assay.models.base.stored import INPUT, NOTES, SHARES, Field
from assay.models.base.validation import check_cells, check_rows, explain_rows, feature_names
from assay.models.combine.input_rows import labelled
from assay.notes import Note
from assay.plans import KFold, Plan, as_plan
from assay.plans.foreign import PlanLike
from assay.selection.criteria import RULES
from assay.selection.features.feature_columns import GroupsLike
from assay.selection.features.nested_search import NestedSearch, can_search_inside
from assay.selection.features.select import select_features
from assay.selection.features.stepwise import SEARCHES
from assay.selection.features.subsets import one_by_one, take_columns
from assay.sharing.dispatch import Dispatched, solve
from assay.sharing.settings import Settings, model_of
from assay.sharing.study import Study
from assay.types import Array, Codes, Labels, MarginModel, MatrixLike, PosteriorModel, RowClassifier


def _has(method: str) -> Callable[[FeatureSearch], bool]:
    """Whether the model inside has a method."""
    return lambda search: hasattr(getattr(search, "model_", search.estimator), method)


class FeatureSearch(Classifier):
    """A classifier that selects its features by a search when it is fitted.

    Attributes
    ----------
    classes_, class_prior_, diagnostics_
    features_ : names of the selected features, or positions if there are no names
    columns_ : positions of their columns
    path_ : list of Step, every subset on the path
    model_ : the model, fitted to the selected columns

    Examples
    --------
    >>> import numpy as np
    >>> from assay import FeatureSearch, GaussianNB, evaluate, select_features
    >>> noise, y = np.random.default_rng(1).normal(size=(60, 200)), np.arange(60) % 2
    >>> biased = select_features(GaussianNB(), noise, y, n_features=5).error
    >>> unbiased = evaluate(FeatureSearch(GaussianNB(), n_features=5), noise, y).error
    >>> round(biased, 2), round(unbiased, 2)
    (0.13, 0.48)
    """

    params: ClassVar[tuple[Param, ...]] = (
        Param(
            "estimator",
            "estimator",
            REQUIRED,
            "Classifier of Assay or scikit-learn, or a pipeline.",
            was="model",
        ),
        Param("search", "choice", "forward", "The way through the sets of features.", choices=SEARCHES),
        Param(
            "n_features", "int", None, "Size of the subset; None: selected by `rule`.", low=1, optional=True
        ),
        Param(
            "most_features",
            "int",
            None,
            "Size at which a forward search ends if `n_features` is None.",
            low=1,
            optional=True,
        ),
        Param("plan", "plan", None, "Folds of the search; KFold(5) when not given.", optional=True),
        Param(
            "rule", "choice", "min", "Least loss, or the smallest set within one error of it.", choices=RULES
        ),
        Param("start", "columns", (), "Features that the search starts from, as in `select_features`."),
        Param("fixed", "columns", (), "Features that are always in, as in `select_features`."),
        Param(
            "groups",
            "groups",
            None,
            "Columns that are added and removed together, as in `select_features`.",
            optional=True,
        ),
    )
    stored: ClassVar[tuple[Field, ...]] = (
        *INPUT,
        Field("classes_", "labels", ("K",)),
        SHARES,
        Field("features_", "features", ("E",)),
        Field("columns_", "columns", ("E",)),
        Field("path_", "steps"),
        Field("model_", "model"),
        NOTES,
    )
    sparse_ok: ClassVar[bool] = True

    def __init__(
        self,
        estimator: RowClassifier,
        *,
        search: str = "forward",
        n_features: int | None = None,
        most_features: int | None = None,
        plan: PlanLike | None = None,
        rule: str = "min",
        start: Iterable[Hashable] = (),
        fixed: Iterable[Hashable] = (),
        groups: GroupsLike = None,
    ) -> None:
        self.estimator = estimator
        self.search = search
        self.n_features = n_features
        self.most_features = most_features
        self.plan = plan
        self.rule = rule
        self.start = start
        self.fixed = fixed
        self.groups = groups

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if (inside := tags_of(self.estimator)) is not None:
            tags.input_tags = copy(inside.input_tags)
        return tags

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Search, then fit the model to the chosen columns of all rows.

        Parameters
        ----------
        X : table (N, D)
            Anything that the model takes and whose columns can be taken.
        y : array (N,)
            Labels of any type.
        sample_weight : array (N,), optional
            Where the model takes weights.
        """
        self._check_params()
        data = labelled(self, self._columns(X, reset=True), y, sample_weight)
        result = select_features(
            self.estimator,
            data.X,
            data.classes[data.codes],
            search=self.search,
            n_features=self.n_features,
            most_features=self.most_features,
            plan=self._plan(data.codes),
            rule=self.rule,
            start=self.start,
            fixed=self.fixed,
            groups=self.groups,
            sample_weight=data.weight,
            progress=False,
        )
        self.classes_, self.model_ = data.classes, result.model
        self.features_, self.columns_, self.path_ = result.features, result.columns, result.path
        priors = getattr(result.model, "class_prior_", data.shares()[data.present])
        self.class_prior_ = self._spread(priors, 0.0)
        self.diagnostics_ = (*data.absences(), *result.notes)
        return self

    def inside(self, settings: Settings, study: Study) -> Dispatched:
        """The searches of all training sets of a study; folds keep its groups together."""
        return one_by_one([self._searched(estimator, study) for estimator in settings.estimators])

    @staticmethod
    def _searched(estimator: RowClassifier, study: Study) -> Dispatched:
        if estimator is model_of(estimator) and can_search_inside(estimator.plan, study.splits):
            return Dispatched([([0], NestedSearch(estimator, study))], [NestedSearch.name], [[]], [0.0])
        return solve(Settings.of([estimator]), study, sharers=())

    def _plan(self, codes: Codes, groups: Codes | None = None) -> Plan:
        """The usual folds, fewer where rows or groups are few."""
        if self.plan is not None:
            return as_plan(self.plan)
        counts = np.bincount(codes)
        least = int(counts[counts > 0].min())
        return KFold(max(2, min(5, least, len(codes) if groups is None else len(np.unique(groups)))))

    def _columns(self, X: MatrixLike, *, reset: bool) -> Any:
        """The table, its columns remembered or compared."""
        if isinstance(X, Table):
            names = np.asarray(X.schema.names, dtype=object)
            if reset:
                self.n_features_in_, self.feature_names_in_ = len(names), names
            elif list(names) != list(self.feature_names_in_):
                raise ValueError(
                    Note("S090", names=list(names), feature_names_in=list(self.feature_names_in_))
                )
            return X
        return check_rows(self, X, reset=reset) if is_sparse(X) else check_cells(self, X, reset=reset)

    def _taken(self, X: MatrixLike) -> Any:
        check_is_fitted(self)
        rows = self._columns(X, reset=False)
        gaps = self.__sklearn_tags__().input_tags.allow_nan
        if isinstance(rows, np.ndarray) and rows.dtype.kind == "f":  # in columns that are not used, too
            error = explain_rows(feature_names(self), rows, missing_allowed=gaps)
            if error is not None:
                raise error
        return take_columns(rows, self.columns_)

    def get_support(self, indices: bool = False) -> Labels:
        """Which columns are used, as a mask or by their positions."""
        check_is_fitted(self)
        return self.columns_ if indices else np.isin(np.arange(self.n_features_in_), self.columns_)

    def predict(self, X: MatrixLike) -> Labels:
        """Class of each row."""
        rows = self._taken(X)
        return np.asarray(self.model_.predict(rows))

    @available_if(_has("decision_function"))
    def decision_function(self, X: MatrixLike) -> Array:
        """Scores of the model inside."""
        rows = self._taken(X)
        scores = np.asarray(cast(MarginModel, self.model_).decision_function(rows))
        if scores.ndim == 1 and len(self.classes_) > 2:
            scores = np.stack([-scores / 2, scores / 2], axis=1)
        return self._spread(scores, -np.inf)

    def _spread(self, values: Array, absent: float) -> Array:
        """Numbers of the classes that the model knows as those of all classes."""
        known = np.searchsorted(self.classes_, self.model_.classes_)
        if len(known) == len(self.classes_):
            return np.asarray(values)
        out = np.full((*values.shape[:-1], len(self.classes_)), absent)
        out[..., known] = values
        return out

    @available_if(_has("predict_proba"))
    def predict_proba(self, X: MatrixLike) -> Array:
        """Posterior of each class, (N, K)."""
        rows = self._taken(X)
        return self._spread(cast(PosteriorModel, self.model_).predict_proba(rows), 0.0)

    @available_if(_has("predict_proba"))
    def predict_log_proba(self, X: MatrixLike) -> Array:
        """Logarithm of the posterior of each class, (N, K)."""
        rows = self._taken(X)
        if hasattr(self.model_, "predict_log_proba"):
            return self._spread(self.model_.predict_log_proba(rows), -np.inf)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))
