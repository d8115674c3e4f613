r"""Mixed naive Bayes: columns of every kind in one model, independent given the class.

    ln P(C_k | x) = ln P(C_k) + Σ_j ln p_kj(x_j) + const

| column | ln p_kj(x_j) |
|---|---|
| number, date | -½ ln 2πσ²_kj - (x_j - μ_kj)² / 2σ²_kj |
| level | ln (c_kjl + a) / (n_kj + a L_j) |
| two values | ln (c_kjl + a) / (n_kj + 2a) |
| count | x_j ln λ_kj - λ_kj,  λ_kj = (c_kj + a m_j) / (n_kj + a) |
| text | Σ_w x_jw ln (c_kjw + a) / Σ_w (c_kjw + a) |

A missing value is left out: the integral of its density is 1, so the posterior is that of the model without the
column. Counts are Poisson, each column by itself: a single column of counts then tells classes apart (as one of a
multinomial document it could not), and leaving a column out changes nothing in the others.
"""

from __future__ import annotations

import copy
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from assay.data import Schema, Table
from assay.decision.priors import class_priors, estimates_priors, log_priors
from assay.engines.local import thread_count
from assay.models.base.card import POSTERIOR, TABLE_TYPES, ModelCard, Range
from assay.models.base.estimators import GenerativeClassifier, Tags, check_is_fitted
from assay.models.base.params import FLOOR, PRIORS, Param
from assay.models.base.stored import Field
from assay.models.base.suitability import single_kind
from assay.models.base.validation import (
    all_classes,
    check_given,
    check_several,
    check_targets,
    explain_rows,
    feature_names,
)
from assay.models.naive_bayes.base import SMOOTHING
from assay.models.naive_bayes.categorical import FLAGS, WHEN_UNSEEN
from assay.models.naive_bayes.mixed.column_kinds import (
    check_kinds,
    flag_kinds,
    in_types,
    kind_of,
    left_out,
    used_schema,
)
from assay.models.naive_bayes.mixed.column_models import AnyPart, parts_for
from assay.models.naive_bayes.mixed.stored import FIELDS, check_stored
from assay.models.naive_bayes.mixed.table_input import further_table, known_table, training_table, unseen_cell
from assay.models.naive_bayes.mixed.text_column import MAX_WORDS, MIN_DOCUMENTS
from assay.models.naive_bayes.mixed.training_sets import (
    MixedCells,
    MixedForm,
    MixedKeys,
    MixedReader,
    together,
)
from assay.notes import Note
from assay.types import Array, Labels, MatrixLike, PriorsLike, RowWeights

KINDS = Param(
    "kinds",
    "kinds",
    None,
    (
        'What columns are, where their types do not say it: "gaussian", "categorical", "bernoulli", '
        '"count" or "text". Columns of arrays are called x0, x1, ...'
    ),
    optional=True,
)
MIXED_NB = (
    SMOOTHING.described(
        "Added to every count of a category or a word. Columns of counts get this number of rows with "
        "the mean count."
    ),
    FLOOR,
    PRIORS,
    WHEN_UNSEEN,
    KINDS,
    MIN_DOCUMENTS,
    MAX_WORDS,
    FLAGS,
)


class MixedNB(GenerativeClassifier):
    """Naive Bayes for a typed table with numbers, categories, binary columns, counts and texts.

    Attributes
    ----------
    classes_, class_count_, class_prior_, diagnostics_, schema_
    kinds_ : dict of the kind of each column
    parts_ : dict of the fitted models of each kind, one per text column

    Examples
    --------
    >>> table = {"age": [21.0, 30.5, 52.1, 60.2], "work": ["none", "paid", "paid", None], "visits": [0, 1, 5, 7]}
    >>> model = MixedNB(kinds={"visits": "count"}).fit(table, ["no", "no", "yes", "yes"])
    >>> model.kinds_
    {'age': 'gaussian', 'work': 'bernoulli', 'visits': 'count'}
    >>> model.predict({"age": [None, 33.0], "work": ["paid", None], "visits": [6, 1]}).tolist()
    ['yes', 'no']
    """

    params: ClassVar[tuple[Param, ...]] = MIXED_NB
    stored: ClassVar[tuple[Field, ...]] = FIELDS
    schema_: Schema
    kinds_: dict[str, str]
    parts_: dict[str, Any]

    def __init__(
        self,
        *,
        smoothing: float = 1.0,
        variance_floor: float = 1e-9,
        priors: PriorsLike = "ml",
        unseen: str = "other",
        kinds: dict[str, str] | None = None,
        min_documents: float = 1,
        max_words: int | None = None,
        flags: ArrayLike | None = None,
    ) -> None:
        self.smoothing = smoothing
        self.variance_floor = variance_floor
        self.priors = priors
        self.unseen = unseen
        self.kinds = kinds
        self.min_documents = min_documents
        self.max_words = max_words
        self.flags = flags

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.string = tags.input_tags.allow_nan = True
        return tags

    # -- learning -----------------------------------------------------------------------------------------

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights = None) -> Self:
        """Fit from one pass over the rows.

        Parameters
        ----------
        X : Table, frame of pandas or polars, Arrow table, dict of columns, or array (N, D)
        y : array (N,)
            Labels of any type.
        sample_weight : array (N,), optional
        """
        self._check_params()
        check_given(self, y)
        table = self._know(X)
        classes, seen = self._seen(table, y, sample_weight)
        check_several(classes)
        models = {part.key: part.learn(part.new(self), seen[part.key]) for part in self._parts()}
        return self._keep(models)

    def partial_fit(
        self, X: MatrixLike, y: ArrayLike, classes: ArrayLike | None = None, sample_weight: RowWeights = None
    ) -> Self:
        """Learn further rows; the result equals one fit of all rows seen. Classes, levels and words may appear at
        any time; columns and their types are those of the first rows."""
        self._check_params()
        check_given(self, y)
        if hasattr(self, "parts_"):
            table, schema = further_table(self, X, self.schema_)
            self._check_known(table)
            _, seen = self._seen(table, y, sample_weight)
            models = {part.key: part.learn(self.parts_[part.key], seen[part.key]) for part in self._parts()}
            self.schema_ = schema
            return self._keep(models)
        row_classes, seen = self._seen(self._know(X), y, sample_weight)
        models = {part.key: part.learn(part.new(self), seen[part.key]) for part in self._parts()}
        if classes is not None:
            known = all_classes(classes, row_classes)
            models = {part.key: part.over(models[part.key], known) for part in self._parts()}
        return self._keep(models)

    def merge(self, other: Self) -> Self:
        """Take in what another fitted model of the same kind learned from other rows."""
        self._check_mergeable(other)
        if self.kinds_ != other.kinds_:
            raise ValueError(Note("M143", kinds=self.kinds_, other_kinds=other.kinds_))
        _, schema = further_table(self, _no_rows(other.schema_), self.schema_)
        models = {
            part.key: part.merged(self.parts_[part.key], other.parts_[part.key]) for part in self._parts()
        }
        self.schema_ = schema
        return self._keep(models)

    def forget(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights = None) -> Self:
        """Unlearn rows: the model becomes what it was without them, counts to the bit, means and variances to about
        nine digits.

        Refused when labels, levels or counts show that the rows were never learned. This is arithmetic, not a privacy
        guarantee.
        """
        check_is_fitted(self)
        check_given(self, y)
        table = known_table(self, X, self.schema_)
        self._check_known(table)
        _, seen = self._seen(table, y, sample_weight)
        models = {part.key: part.unlearn(self.parts_[part.key], seen[part.key]) for part in self._parts()}
        classes = np.unique(np.concatenate([model.classes_ for model in models.values()]))
        return self._keep({part.key: part.over(models[part.key], classes) for part in self._parts()})

    def with_priors(self, priors: PriorsLike) -> Self:
        """A copy of the fitted model under other class probabilities; nothing is refitted."""
        check_is_fitted(self)
        other = copy.copy(self)
        other.priors = priors
        return other._keep(self.parts_)

    def _know(self, X: MatrixLike) -> Table:
        """Find out what the columns are; the table of those that are used."""
        for name in ("n_features_in_", "feature_names_in_"):
            self.__dict__.pop(name, None)
        table = training_table(self, X)
        given = {**check_kinds(self.kinds, table.schema), **flag_kinds(self.flags, table.schema)}
        table = in_types(table, given)
        kinds = {column.name: kind_of(column, given) for column in table.schema}
        self.notes_ = tuple(left_out(column) for column in table.schema if kinds[column.name] is None)
        self.kinds_ = {name: kind for name, kind in kinds.items() if kind is not None}
        if not self.kinds_:
            first = self.notes_[0] if self.notes_ else Note("M709")
            raise ValueError(Note("M144", n_columns=len(kinds), first=first))
        self.schema_ = used_schema(table.schema, self.kinds_)
        return Table(self.schema_, table.columns)

    def _parts(self) -> list[AnyPart]:
        return parts_for(self.kinds_)

    def _seen(self, table: Table, y: ArrayLike, sample_weight: RowWeights) -> tuple[Labels, dict[str, Any]]:
        """The classes, and what each part sees in the rows."""
        codes, classes, weight = check_targets(y, sample_weight, table.n_rows)
        seen = {}
        for part in self._parts():
            rows, keys = part.read(table)
            cells = part.cells(
                part.new(self), rows, keys, codes, len(classes), threads=thread_count(), weight=weight
            )
            seen[part.key] = part.seen(classes, keys, cells)
        return classes, seen

    def _check_known(self, table: Table) -> None:
        """Levels that cannot be learned, or were not and so cannot be forgotten."""
        cell = unseen_cell(table)
        if cell is not None:
            raise ValueError(Note("M145", row=cell[0], where=cell[1]))

    def _keep(self, models: dict[str, Any]) -> Self:
        """Adopt the models of the parts, and what follows from them."""
        self.parts_ = models
        first = next(iter(models.values()))
        self.classes_ = first.classes_
        self.class_count_ = np.asarray(self._weight, dtype=np.float64)
        self.class_prior_ = class_priors(self.priors, self.class_count_)
        self._log_prior = log_priors(self.priors, self.class_count_)
        notes = [note for part in self._parts() for note in part.notes(models[part.key])]
        self.diagnostics_ = (*self.notes_, *dict.fromkeys(notes))
        return self

    def _restored(self) -> None:
        """What follows from parts that were stored."""
        check_stored(self)
        self._keep(self.parts_)

    @property
    def _weight(self) -> Array:
        """Weight of each class."""
        return np.asarray(next(iter(self.parts_.values())).class_count_)

    # -- using --------------------------------------------------------------------------------------------

    def _read(self, X: MatrixLike) -> Table:
        table = known_table(self, X, self.schema_)
        cell = unseen_cell(table) if self.unseen == "refuse" else None
        if cell is not None:
            raise ValueError(Note("M146", row=cell[0], where=cell[1]))
        return table

    def _class_scores(self, X: Table) -> Array:
        scores = [part.scores(self.parts_[part.key], X) for part in self._parts()]
        return together(scores, np.broadcast_to(self._log_prior, scores[0].shape))

    def _nearest_rows(self, rows: Array) -> Array:
        """Whole numbers of at least 0 in the columns of counts."""
        names = feature_names(self, self.schema_.names)
        counts = [j for j, name in enumerate(names) if self.kinds_.get(name) == "count"]
        out = rows.copy()
        out[:, counts] = np.maximum(np.rint(rows[:, counts]), 0.0)
        return out

    def _drawn_scores(self, k: int, count: int, generator: np.random.Generator) -> Array:
        """Given the class the parts are independent: each draws columns of its own."""
        scores = [part._drawn_scores(k, count, generator) for part in self.parts_.values()]
        return together(scores, np.broadcast_to(self._log_prior, scores[0].shape))

    def _explain(self, rows: Any) -> ValueError:
        numbers = [name for name, kind in self.kinds_.items() if kind == "gaussian"]
        values = np.stack([rows.columns[name] for name in numbers], axis=1) if numbers else np.empty((0, 0))
        error = explain_rows(numbers, values, missing_allowed=True) if values.size else None
        return error or ValueError(Note("M012"))

    def contributions(self, X: MatrixLike) -> Array:
        """Evidence of each column, ln p_kj(x_j), (N, K, columns): in the order of `kinds_`, 0 where there is no value.

        With the logarithm of `class_prior_` it adds up to `predict_joint_log_proba`.

        Examples
        --------
        >>> model = MixedNB().fit({"a": [1.0, 2.5, 8.0, 9.5], "b": ["u", "v", "w", "w"]}, [0, 0, 1, 1])
        >>> model.contributions({"a": [None], "b": ["w"]}).round(2).tolist()
        [[[0.0, -1.79], [0.0, -0.69]]]
        """
        check_is_fitted(self)
        return self._column_evidence(self._read(X))

    def _column_evidence(self, table: Table) -> Array:
        """ln p_kj(x_j) of the rows of a table, 0 where x_j is missing, (N, K, columns)."""
        out = np.empty((table.n_rows, len(self.classes_), len(self.kinds_)))
        place = {name: j for j, name in enumerate(self.kinds_)}
        for part in self._parts():
            columns = [place[name] for name in part.columns]
            out[:, :, columns] = part.evidence(self.parts_[part.key], table)
        return out

    # -- likelihood ---------------------------------------------------------------------------------------

    @property
    def n_rows_(self) -> float:
        """Weight of the training rows."""
        return float(self.class_count_.sum())

    @property
    def n_parameters_(self) -> int:
        """Those of all parts, and K - 1 priors."""
        free = len(self.classes_) - 1 if estimates_priors(self.priors) else 0
        return free + sum(int(model.n_parameters_) for model in self.parts_.values())

    @property
    def log_likelihood_(self) -> float:
        """Joint log likelihood of the training rows at the maximum-likelihood fit, without ln x! of counts and with
        words in the order they came."""
        weight = self.class_count_
        labels = float((weight[weight > 0] * np.log(self.class_prior_[weight > 0])).sum())
        parts = self.parts_.values()
        return labels + float(sum(part.log_likelihood_ - part._label_log_likelihood() for part in parts))

    # -- training sets from one pass ----------------------------------------------------------------------

    def read_counts(self) -> MixedReader:
        """How tables are read and counted, for whoever counts many training sets at once."""
        return MixedReader(copy.copy(self))

    def solve_counts(self, counts: MixedCells, keys: MixedKeys) -> MixedForm:
        """Models of M training sets from counts and moments of all parts."""
        forms = [
            part.solved(part.new(self), cells, part_keys)
            for part, cells, part_keys in zip(parts_for(keys.kinds), counts.parts, keys.parts, strict=True)
        ]
        return MixedForm(forms, log_priors(self.priors, counts.weight))


def _no_rows(schema: Schema) -> Table:
    from assay.data.table import empty

    return empty(schema)


CARDS = (
    ModelCard(
        name="mixed_nb",
        title="Mixed naive Bayes",
        estimator=MixedNB,
        family="naive Bayes",
        parameters=MIXED_NB,
        encoding="table-flags",
        capabilities=POSTERIOR | {"counts", "missing", "contributions"},
        reading="sum over columns",
        interpretability="Columns are independent given the class, "
        "each with a density of its kind: numbers, categories, texts.",
        tuning=(Range("variance_floor", (0.1, 1e-9)), Range("smoothing", (10.0, 1.0, 0.1))),
        repeats=single_kind,
        column_types=(*TABLE_TYPES, "text"),
    ),
)
