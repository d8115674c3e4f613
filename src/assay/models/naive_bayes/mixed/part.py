"""What a part of mixed naive Bayes does with its columns: read them, count or sum them, learn from that, score."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Protocol, TypeVar, Unpack

import numpy as np
from numpy.typing import NDArray

from assay.data import Table
from assay.models.base.column_notes import name_columns
from assay.models.base.estimators import GenerativeClassifier
from assay.sharing.protocols import CountForm
from assay.statistics.counting import Grouping
from assay.types import Array, Codes, Labels

Fitted = TypeVar("Fitted", bound=GenerativeClassifier)  # the model of a part
Rows = TypeVar("Rows")  # what is read of a table, indexed by rows
Keys = TypeVar("Keys")  # what all rows show: levels, words
Cells = TypeVar("Cells")  # counts or moments of every (group, class)
Seen = TypeVar("Seen")  # cells of one group, with what they are cells of


class Cellwise(Grouping, total=False):
    """How rows are counted apart, and by how many threads."""

    threads: int


class PartSettings(Protocol):
    """What parts take from the parameters of the whole."""

    smoothing: float
    variance_floor: float
    unseen: str
    min_documents: float
    max_words: int | None


@dataclass(frozen=True)
class ColumnModel(Generic[Fitted, Rows, Keys, Cells, Seen]):
    """Columns of one kind."""

    kind: str
    columns: tuple[str, ...]

    @property
    def key(self) -> str:
        """What the part is called; each text column is a part of its own."""
        return f"text {self.columns[0]}" if self.kind == "text" else self.kind

    @cached_property
    def names(self) -> NDArray[np.object_]:
        return np.asarray(self.columns, dtype=object)

    def new(self, settings: PartSettings) -> Fitted:
        """A model of the part that has learned nothing, under equal priors."""
        model = self._model(settings)
        model.n_features_in_, model.feature_names_in_ = len(self.columns), self.names
        return model

    def _model(self, settings: PartSettings) -> Fitted:
        raise NotImplementedError

    def read(self, table: Table) -> tuple[Rows, Keys]:
        """The part of a table to be learned from, which is indexed by rows, and what it shows: levels, words."""
        raise NotImplementedError

    def again(self, table: Table, keys: Keys) -> Rows:
        """The same of some rows, given what all of them show."""
        return self.read(table)[0]

    def union(self, model: Fitted, a: Keys, b: Keys) -> Keys:
        """What two sets of rows show."""
        return a

    def cells(
        self, model: Fitted, rows: Rows, keys: Keys, codes: Codes, n_classes: int, **groups: Unpack[Cellwise]
    ) -> Cells:
        """Counts or moments of every (group, class)."""
        raise NotImplementedError

    def seen(self, classes: Labels, keys: Keys, cells: Cells) -> Seen:
        """Cells of one group, with what they are cells of."""
        raise NotImplementedError

    def learn(self, model: Fitted, seen: Seen) -> Fitted:
        """The model solved from what was seen, besides what it knows; a model of its own."""
        raise NotImplementedError

    def unlearn(self, model: Fitted, seen: Seen) -> Fitted:
        """The model without what was seen, over the same classes as far as they have rows."""
        raise NotImplementedError

    def merged(self, model: Fitted, other: Fitted) -> Fitted:
        """Both models' rows together."""
        raise NotImplementedError

    def over(self, model: Fitted, classes: Labels) -> Fitted:
        """The same model over a longer list of classes."""
        raise NotImplementedError

    def scores(self, model: Fitted, table: Table) -> Array:
        """Joint log likelihoods under equal priors, (N, K)."""
        raise NotImplementedError

    def evidence(self, model: Fitted, table: Table) -> Array:
        """ln p(x_j | C_k) of each column, (N, K, columns)."""
        raise NotImplementedError

    def solved(self, model: Fitted, cells: Cells, keys: Keys) -> CountForm:
        """Models of M training sets, from their counts or moments."""
        raise NotImplementedError

    def set_bytes(self, model: Fitted, keys: Keys, n_classes: int) -> int:
        """Memory of the cells of one training set, and of what is made of them."""
        raise NotImplementedError

    def notes(self, model: Fitted) -> tuple[str, ...]:
        """What was difficult."""
        return tuple(name_columns(note, self.columns) for note in model.diagnostics_)
