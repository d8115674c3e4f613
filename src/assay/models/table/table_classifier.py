"""A classifier over typed tables: an encoder, steps, and a model on the matrix they give.

The encoder is data-free given the schema and so is applied once; what is learned (steps and model) is a plain
estimator over the design matrix, `matrix_estimator()`, which an evaluation fits inside its folds.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from assay.data import Column, Schema, Table
from assay.data.unseen_categories import UnseenValues, UnseenValueWarning
from assay.decision import LossMatrix, check_priors, reweight, reweight_log
from assay.models.base.column_notes import name_columns
from assay.models.base.estimators import Classifier, Tags, available_if, check_is_fitted, clone, parts_of
from assay.models.base.params import REQUIRED, Param
from assay.models.base.stored import Field
from assay.models.base.validation import check_targets
from assay.models.features.drop_reference import spans
from assay.models.features.table_encoder import TableEncoder
from assay.models.table.fingerprint import Fingerprint
from assay.models.table.labelled_rows import (
    LabelledBlock,
    as_table,
    labelled_blocks,
    labelled_rows,
    target_column,
    training_block,
)
from assay.models.table.partial_fit import Gathered, can_gather, fit_gathered, gather, piped
from assay.notes import Note
from assay.sharing.fit_pipeline import fit_weighted
from assay.statistics.weights import in_rows
from assay.types import Array, Estimator, Floats, Labels, MatrixLike, PriorsLike, RowClassifier, RowWeights


def _model_has(method: str) -> Callable[[TableClassifier], bool]:
    return lambda self: hasattr(getattr(self, "estimator_", self.estimator), method)


class TableClassifier(Classifier):
    """Classify tables with columns of every type, by an encoder, steps and any classifier.

    Parameters
    ----------
    encoder : OneHot, OrdinalCodes or Words
    steps : sequence of transformers
        Transformers of the design matrix: Impute, DropReference, Standardize, ...
    priors : array (K,), optional
        Class prevalence at deployment, if it differs from that of the training rows. A model with a parameter
        `priors` gets them; the posteriors of other models are re-weighted.

    `groups` of a step, and `categorical_features` and `flags` of a model, are taken from the encoder if not given.

    Attributes
    ----------
    schema_ : Schema
        The columns used.
    target_, target_column_ : name and Column of the target, None where unknown
    encoder_, estimator_ : the fitted encoder, and the fitted estimator on its matrix
    class_prior_ : priors of the posteriors, None where unknown
    fingerprint_ : hashes of training rows, None where none are kept
    loss_ : default LossMatrix of `decide`; None for zero-one loss
    classes_, n_features_in_, feature_names_in_, design_names_, diagnostics_

    Examples
    --------
    >>> import numpy as np
    >>> from assay import DropReference, GaussianClassifier, Impute, OneHot
    >>> from assay.data import Column, Schema, Table
    >>> schema = Schema((Column("age", "numeric"), Column("work", "categorical", ("none", "paid", "self"))))
    >>> age, work = np.array([21.0, 30.0, np.nan, 52.0, 60.0, 33.0]), np.array([0, 1, 0, 2, 1, 2], dtype=np.int32)
    >>> table, y = Table(schema, {"age": age, "work": work}), ["no", "yes", "no", "yes", "yes", "no"]
    >>> model = TableClassifier(OneHot(), [Impute(), DropReference()], GaussianClassifier("shared"))
    >>> model.fit(table, y).predict(table).tolist()
    ['no', 'yes', 'no', 'yes', 'yes', 'no']
    """

    params: ClassVar[tuple[Param, ...]] = (
        Param(
            "estimator",
            "estimator",
            REQUIRED,
            "Classifier of the encoded rows, of Assay or scikit-learn.",
            was="model",
        ),
    )
    stored: ClassVar[tuple[Field, ...]] = (
        Field("encoder_", "encoder"),
        Field("estimator_", "model"),
        Field("target_", "text", optional=True),
        Field("target_column_", "column", optional=True),
        Field("class_prior_", "priors", optional=True),
        Field("trained_prior_", "priors", optional=True),
        Field("loss_", "loss", optional=True),
        Field("fingerprint_", "fingerprint", optional=True),
        Field("_gathered", "gathered", optional=True),
    )

    def __init__(
        self,
        encoder: TableEncoder,
        steps: Sequence[Estimator],
        estimator: RowClassifier,
        priors: PriorsLike = None,
    ) -> None:
        self.encoder = encoder
        self.steps = steps
        self.estimator = estimator
        self.priors = priors

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.categorical = tags.input_tags.string = True
        return tags

    # -- learning -----------------------------------------------------------------------------------------

    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike | None = None,
        target: str | None = None,
        sample_weight: RowWeights = None,
    ) -> Self:
        """Learn from labelled rows.

        Parameters
        ----------
        X : Table, frame, path, or any other source of `assay.data.read`
        y : array (N,), optional
            Labels; if not given they are the column `target` of X.
        target : str, optional
            Name of the target column; it is not a feature.
        sample_weight : array (N,), optional
        """
        table, labels, column = labelled_rows(X, y, target)
        codes, classes, weight = check_targets(labels, sample_weight, table.n_rows)
        design = self._read_once(table)
        estimator = self.matrix_estimator()
        if can_gather(estimator):  # one pass instead of a matrix for every step
            self.fit_blocks([(table, labels, weight)], target=target)
            self.target_column_ = column
            return self
        design = self.design(table) if design is None else design
        fit_weighted(estimator, design, labels, in_rows(weight))
        shares = np.bincount(codes, weight, len(classes))
        return self.with_fitted(
            estimator, target=target, target_column=column, class_prior=shares / shares.sum()
        )

    def encoded(self, X: MatrixLike) -> Self:
        """This classifier with the columns (names, types, categories, words) that `design` and `with_fitted` need."""
        return self.with_encoder(self._new_encoder().fit(as_table(X)))

    def _new_encoder(self) -> TableEncoder:
        if not isinstance(self.encoder, TableEncoder):
            raise ValueError(Note("M048", encoder=self.encoder))
        return clone(self.encoder)

    def _read_once(self, table: Table) -> Floats | None:
        """Know the columns; the design too, if the encoder went through all rows for that anyway."""
        if not getattr(self.encoder, "reads_values", False):
            self.encoded(table)
            return None
        encoder = self._new_encoder()
        design: Floats = encoder.fit_transform(table)
        self.with_encoder(encoder)
        return design

    def with_encoder(self, encoder: TableEncoder) -> Self:
        """This classifier with an encoder that is fitted already."""
        self.encoder_ = encoder
        self.schema_: Schema = encoder.schema_
        self.n_features_in_ = len(self.schema_)
        self.feature_names_in_ = np.asarray(self.schema_.names, dtype=object)
        self.design_names_ = encoder.get_feature_names_out()
        return self

    def matrix_estimator(self) -> Any:
        """Steps and model, not fitted, as one estimator on the matrix of `design`; the bare model without steps."""
        check_is_fitted(self, "encoder_")
        return piped([self._bound(part) for part in (*self.steps, self.estimator) if self._needed(part)])

    def _needed(self, part: Estimator) -> bool:
        """Whether a part has something to do: there may be no columns of many categories."""
        given = part.get_params(deep=False).get("level_columns", ())
        return given is not None or len(self.encoder_.many_) > 0

    def _bound(self, part: Estimator) -> Estimator:
        """A copy of a step or model that knows the columns of the design it asks for."""
        is_model, part, given = part is self.estimator, clone(part), part.get_params(deep=False)
        if is_model and self.priors is not None and self._takes_priors():
            part.set_params(priors=self.priors)
        if "groups" in given and given["groups"] is None:
            part.set_params(groups=spans(self.encoder_.groups_))
        if "flags" in given and given["flags"] is None and self.encoder_.flags_:
            part.set_params(flags=self.encoder_.flags_)
        if "level_columns" in given and given["level_columns"] is None:
            part.set_params(level_columns=self.encoder_.many_)
        mask = getattr(self.encoder_, "categorical_", None)
        if mask is not None and given.get("categorical_features") == "from_dtype":
            part.set_params(categorical_features=mask)
        return part

    def _takes_priors(self) -> bool:
        """Whether the model has priors of its own."""
        return "priors" in self.estimator.get_params(deep=False)

    def with_fitted(
        self,
        estimator: RowClassifier,
        *,
        target: str | None = None,
        target_column: Column | None = None,
        class_prior: Array | None = None,
    ) -> Self:
        """Take an estimator fitted on the matrix of `design` for the fitted part of this classifier.

        Parameters
        ----------
        class_prior : array (K,), optional
            Class shares of the training rows, for `decide` under other priors; taken from the model if it has them.
        """
        check_is_fitted(self, "encoder_")
        self.estimator_: Any = estimator
        self.classes_ = np.asarray(estimator.classes_)
        self.target_ = target if target_column is None else target_column.name
        self.target_column_ = target_column
        self.class_prior_: Any = getattr(self.model_, "class_prior_", class_prior)
        self.loss_: LossMatrix | None = None
        self.fingerprint_: Fingerprint | None = None
        self.trained_prior_ = None  # what posteriors are re-weighted from, if they are
        if self.priors is not None and not self._takes_priors():
            self.trained_prior_ = self.class_prior_
            self.class_prior_ = check_priors(self.priors, len(self.classes_))
            if self.trained_prior_ is None or not hasattr(self.estimator_, "predict_proba"):
                raise ValueError(Note("M052", kind=type(self.model_).__name__))
        for name in ("_gathered", "_learned_diagnostics"):
            self.__dict__.pop(name, None)
        self.diagnostics_ = tuple(self._notes())
        return self

    def partial_fit(
        self,
        X: MatrixLike,
        y: ArrayLike | None = None,
        classes: ArrayLike | None = None,
        target: str | None = None,
        sample_weight: RowWeights = None,
    ) -> Self:
        """Learn further rows; the result equals one fit of all rows seen (models solved from moments only).

        The columns and their levels are those of the first block's schema.
        """
        if hasattr(self, "estimator_") and not hasattr(self, "_gathered"):
            raise ValueError(Note("M049"))
        return self.fit_blocks([(X, y, sample_weight)], classes, target, _go_on=True)

    def fit_blocks(
        self,
        blocks: Iterable[LabelledBlock],
        classes: ArrayLike | None = None,
        target: str | None = None,
        *,
        _go_on: bool = False,
    ) -> Self:
        """Learn from blocks of rows, one in memory at a time; the result equals one fit of all rows.

        Parameters
        ----------
        blocks : iterable of (table, labels) or (table, labels, weights)
            Tables of one schema. With `target` the tables alone will do, or labels may be None.
        classes : array, optional
            All labels, if some may lack rows.
        """
        gathered: Gathered | None = getattr(self, "_gathered", None) if _go_on else None
        column = getattr(self, "target_column_", None) if gathered is not None else None
        for table, labels, weight, block_target in labelled_blocks(blocks, target):
            if gathered is None:
                self.encoded(table)
            column = column or block_target
            pipeline = self._gathering()
            data = training_block(self.design(table), labels, weight, classes, self.design_names_)
            gathered = gather(pipeline, data, gathered)
        if gathered is None:
            raise ValueError(Note("M050"))
        estimator = fit_gathered(self._gathering(), gathered)
        if target is not None and column is None:
            column = target_column(target, gathered.classes)
        shares = gathered.moments.weight / gathered.moments.weight.sum()
        self.with_fitted(estimator, target=target, target_column=column, class_prior=shares)
        self._gathered = gathered
        return self

    def _gathering(self) -> Any:
        """The steps and the model, if they can be learned block by block."""
        pipeline = self.matrix_estimator()
        if not can_gather(pipeline):
            parts = ", ".join(type(part).__name__ for part in (*self.steps, self.estimator))
            raise ValueError(Note("M051", parts=parts))
        return pipeline

    # -- using --------------------------------------------------------------------------------------------

    def design(self, X: MatrixLike) -> Any:
        """The encoded matrix (N, D) that the estimator works on, sparse where the encoder counts words.

        Assay warns about categories that are not in the training rows, and lists them in `diagnostics_`.
        """
        check_is_fitted(self, "encoder_")
        table = self.encoder_.conform(X)
        if isinstance(table, Table):
            self._warn_unseen(table)
        return self.encoder_.transform(table)

    def _warn_unseen(self, table: Table) -> None:
        notes = UnseenValues(self.schema_).add(table).sentences
        for note in notes:
            warnings.warn(note, UnseenValueWarning, stacklevel=4)
        if notes and hasattr(self, "diagnostics_"):
            # Those of the latest rows replace those of the rows before them.
            learned = self.__dict__.setdefault("_learned_diagnostics", self.diagnostics_)
            self.diagnostics_ = (*learned, *notes)

    @property
    def model_(self) -> Any:
        """The fitted model at the end of the steps."""
        return self.steps_and_model_[-1]

    @property
    def steps_and_model_(self) -> list[Any]:
        """The fitted steps, then the fitted model."""
        check_is_fitted(self, "estimator_")
        return [part for _, part in parts_of(self.estimator_)] or [self.estimator_]

    def predict(self, X: MatrixLike) -> Labels:
        """Class of each row; of no row, none."""
        check_is_fitted(self, "estimator_")
        return self.predict_design(self.design(X))

    def predict_design(self, design: Floats) -> Labels:
        """Class of each row of a matrix that `design` gives."""
        if not design.shape[0]:
            return self.classes_[:0]
        if self.trained_prior_ is None:
            return np.asarray(self.estimator_.predict(design))
        return np.asarray(self.classes_[self._log_posterior(design).argmax(axis=1)])

    @available_if(_model_has("decision_function"))
    def decision_function(self, X: MatrixLike) -> Array:
        """Class scores, as the model gives them."""
        check_is_fitted(self, "estimator_")
        design = self.design(X)
        if design.shape[0]:
            return np.asarray(self.estimator_.decision_function(design))
        return np.empty(0 if len(self.classes_) == 2 else (0, len(self.classes_)))

    @available_if(_model_has("predict_proba"))
    def predict_proba(self, X: MatrixLike) -> Array:
        """Posterior of each class, (N, K)."""
        check_is_fitted(self, "estimator_")
        design = self.design(X)
        if not design.shape[0]:
            return np.empty((0, len(self.classes_)))
        posterior = np.asarray(self.estimator_.predict_proba(design))
        if self.trained_prior_ is None:
            return posterior
        return reweight(posterior, self.trained_prior_, self.class_prior_)

    @available_if(_model_has("predict_proba"))
    def predict_log_proba(self, X: MatrixLike) -> Array:
        """Logarithm of the posterior of each class, (N, K)."""
        check_is_fitted(self, "estimator_")
        design = self.design(X)
        return self._log_posterior(design) if design.shape[0] else np.empty((0, len(self.classes_)))

    def _log_posterior(self, design: Floats) -> Array:
        with np.errstate(divide="ignore"):
            if hasattr(self.estimator_, "predict_log_proba"):
                logs = np.asarray(self.estimator_.predict_log_proba(design))
            else:
                logs = np.log(np.asarray(self.estimator_.predict_proba(design)))
        prior = self.trained_prior_
        return logs if prior is None else reweight_log(logs, prior, self.class_prior_)

    def _notes(self) -> Iterator[str]:
        """What was difficult in the encoder, each step and the model, columns by their names."""
        yield from self.encoder_.notes_
        names = self.design_names_
        for part in self.steps_and_model_:
            # Inside a pipeline a part sees a matrix and calls its columns by their positions.
            yield from (name_columns(note, names) for note in getattr(part, "diagnostics_", ()))
            if hasattr(part, "get_feature_names_out") and part is not self.model_:
                names = part.get_feature_names_out(names)
