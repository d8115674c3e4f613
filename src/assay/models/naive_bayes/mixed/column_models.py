"""The parts of mixed naive Bayes: columns of one kind, and a naive Bayes model of its own for them.

A part reads its columns out of a table, counts or sums them (`Seen`), and scores rows under equal priors, so that the
evidence of the parts can be added up: ln p(x | C_k) = ln K + score_k.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar, Unpack

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from assay.data import Table
from assay.data.table import UNSEEN, category_array
from assay.models.base.category_codes import Levels, find_levels, look_up
from assay.models.base.column_notes import name_columns
from assay.models.base.from_moments import merge_classes
from assay.models.base.validation import check_moments, feature_name
from assay.models.naive_bayes.base import CountedClassifier, Learned
from assay.models.naive_bayes.binary import BOTH, BinaryNB
from assay.models.naive_bayes.categorical import CategoricalNB
from assay.models.naive_bayes.category_codes import LevelRows
from assay.models.naive_bayes.gaussian import GaussianNB
from assay.models.naive_bayes.mixed.column_kinds import FLAG
from assay.models.naive_bayes.mixed.numeric_columns import GaussianForm, usable
from assay.models.naive_bayes.mixed.part import Cellwise, ColumnModel, Keys, PartSettings, Rows
from assay.models.naive_bayes.mixed.text_column import DocumentNB, DocumentReader
from assay.models.naive_bayes.poisson import PoissonNB, amounts
from assay.notes import Note, as_note
from assay.numerics.blas import single_threaded
from assay.sharing.counts.word_keys import WordKeys
from assay.sharing.protocols import CountForm
from assay.statistics import Counts, Moments, cells_bytes, collect
from assay.statistics.variances import LOG_2PI
from assay.types import Array, Codes, Labels

Counted = TypeVar("Counted", bound=CountedClassifier)  # the same where it is solved from counts


@dataclass(frozen=True)
class LevelColumn:
    """A coded column of a table, as `category_codes` reads categories of pandas."""

    categories: Labels
    codes: NDArray[np.int32]

    @property
    def cat(self) -> LevelColumn:
        return self


@dataclass(frozen=True)
class LevelFrame:
    """Coded columns side by side."""

    columns: list[LevelColumn]

    def get_columns(self) -> list[LevelColumn]:
        return self.columns


class GaussianPart(ColumnModel[GaussianNB, Array, int, Moments, tuple[Labels, Moments]]):
    """Numbers and dates: GaussianNB."""

    def _model(self, settings: PartSettings) -> GaussianNB:
        return GaussianNB(priors="uniform", variance_floor=settings.variance_floor)

    def read(self, table: Table) -> tuple[Array, int]:
        out = np.empty((table.n_rows, len(self.columns)))
        for j, name in enumerate(self.columns):
            out[:, j] = table.columns[name]
        return out, len(self.columns)

    def cells(
        self,
        model: GaussianNB,
        rows: Array,
        keys: int,
        codes: Codes,
        n_classes: int,
        **groups: Unpack[Cellwise],
    ) -> Moments:
        moments = collect(rows, codes, n_classes, form="diagonal", **groups)
        if not (np.isfinite(moments.scatter).all() and np.isfinite(moments.offset).all()):
            moments = collect(rows, codes, n_classes, form="diagonal", missing=True, **groups)
        check_moments(moments, rows, self.names, missing_allowed=True)
        return moments

    def seen(self, classes: Labels, keys: int, cells: Moments) -> tuple[Labels, Moments]:
        return classes, cells

    def learn(self, model: GaussianNB, seen: tuple[Labels, Moments]) -> GaussianNB:
        known, moments = (
            (model.classes_, model.statistics_) if hasattr(model, "statistics_") else (seen[0], None)
        )
        return copy.copy(model)._learn(*merge_classes(known, moments, *seen))

    def unlearn(self, model: GaussianNB, seen: tuple[Labels, Moments]) -> GaussianNB:
        return copy.copy(model)._unlearn(*seen)

    def merged(self, model: GaussianNB, other: GaussianNB) -> GaussianNB:
        return self.learn(model, (other.classes_, other.statistics_))

    def over(self, model: GaussianNB, classes: Labels) -> GaussianNB:
        return copy.copy(model)._learn(*merge_classes(classes, None, model.classes_, model.statistics_))

    def scores(self, model: GaussianNB, table: Table) -> Array:
        rows = self.read(table)[0]
        return usable(model._class_scores(rows), rows, self.names)

    def evidence(self, model: GaussianNB, table: Table) -> Array:
        form = model._score_form
        x, precision = self.read(table)[0][:, None, :], form.precision[0]
        used = precision > 0
        with np.errstate(divide="ignore", invalid="ignore"):
            density = 0.5 * (np.log(precision) - LOG_2PI - precision * (x - form.mean[0]) ** 2)
        return np.where(used & ~np.isnan(x), density, 0.0)

    def notes(self, model: GaussianNB) -> tuple[str, ...]:
        """Columns that do not vary within a class are named; the model itself counts directions."""
        form = model._score_form
        least = model.variance_floor * model.statistics_.total_variance()
        low = (form.precision[0] > 0) & (model.var_ <= least * (1.0 + 1e-12))
        floored = [
            Note("M421", column=self.columns[j], label=str(model.classes_[k]))
            for k, j in np.argwhere(low & (model.class_count_ > 0)[:, None]).tolist()
        ]
        model_notes = (note for note in model.diagnostics_ if as_note(note).code not in ("M303", "M304"))
        return (*(name_columns(note, self.columns) for note in model_notes), *floored)

    def set_bytes(self, model: GaussianNB, keys: int, n_classes: int) -> int:
        return 3 * cells_bytes("diagonal", 1, n_classes, keys)

    def solved(self, model: GaussianNB, cells: Moments, keys: int) -> CountForm:
        with single_threaded():
            return GaussianForm(model.solve_moments(cells), self.names)


class CountedPart(ColumnModel[Counted, Rows, Keys, Counts, Learned], Generic[Counted, Rows, Keys]):
    """Columns whose model is solved from counts."""

    def union(self, model: Counted, a: Keys, b: Keys) -> Keys:
        keys: Keys = model._reader().union(a, b)
        return keys

    def cells(
        self, model: Counted, rows: Rows, keys: Keys, codes: Codes, n_classes: int, **groups: Unpack[Cellwise]
    ) -> Counts:
        counts: Counts = model._reader().count(rows, keys, codes, n_classes, **groups)
        return counts

    def seen(self, classes: Labels, keys: Keys, cells: Counts) -> Learned:
        return Learned(classes, cells)

    def learn(self, model: Counted, seen: Learned) -> Counted:
        updated = copy.copy(model)
        return updated._learn(updated._learned().merged(seen) if hasattr(model, "statistics_") else seen)

    def unlearn(self, model: Counted, seen: Learned) -> Counted:
        return copy.copy(model)._unlearn(seen)

    def merged(self, model: Counted, other: Counted) -> Counted:
        return self.learn(model, other._learned())

    def over(self, model: Counted, classes: Labels) -> Counted:
        known = model._learned()
        return copy.copy(model)._learn(known.over(classes, known.levels))

    def scores(self, model: Counted, table: Table) -> Array:
        return np.asarray(model._class_scores(self.looked_up(model, table)))

    def looked_up(self, model: Counted, table: Table) -> Any:
        """The part of a table to be scored."""
        return self.read(table)[0]

    def evidence(self, model: Counted, table: Table) -> Array:
        return np.asarray(model._column_evidence(self.looked_up(model, table)))

    def set_bytes(self, model: Counted, keys: Keys, n_classes: int) -> int:
        return int(model._reader().count_bytes(keys, n_classes))

    def solved(self, model: Counted, cells: Counts, keys: Keys) -> CountForm:
        form: CountForm = model.solve_counts(cells, keys)
        return form


class LevelsPart(CountedPart[CategoricalNB, LevelRows, Levels]):
    """Categorical columns: CategoricalNB."""

    def _model(self, settings: PartSettings) -> CategoricalNB:
        return CategoricalNB(smoothing=settings.smoothing, priors="uniform", unseen=settings.unseen)

    def read(self, table: Table) -> tuple[LevelRows, Levels]:
        codes, levels = find_levels(self._frame(table), self.names)
        return LevelRows(codes, self.names), levels

    def again(self, table: Table, keys: Levels) -> LevelRows:
        return LevelRows(look_up(self._frame(table), keys, self.names), self.names)

    def _frame(self, table: Table) -> Any:
        columns = []
        for name in self.columns:
            levels = category_array(table.schema[name].levels)
            if levels.dtype == object:
                levels = np.asarray([str(level) for level in levels], dtype=object)
            columns.append(LevelColumn(levels, table.columns[name]))
        return LevelFrame(columns)

    def seen(self, classes: Labels, keys: Levels, cells: Counts) -> Learned:
        learned = Learned(classes, cells, keys)
        return learned if cells.counts.any(axis=0).all() else learned._shed_levels()  # rows of weight 0

    def looked_up(self, model: CategoricalNB, table: Table) -> Codes:
        codes = look_up(self._frame(table), model.levels_, self.names)
        if model.unseen == "refuse" and (codes == UNSEEN).any():
            row, column = (int(i) for i in np.argwhere(codes.T == UNSEEN)[0])
            name, code = self.columns[column], int(table.columns[self.columns[column]][row])
            where = feature_name(self.columns, column)
            if code < 0:
                raise ValueError(Note("M146", row=row, where=where))
            raise ValueError(Note("M139", value=table.schema[name].levels[code], row=row, feature_name=where))
        return codes


class FlagsPart(LevelsPart):
    """Columns that tell where others have no value: levels of which one that training never showed tells nothing."""

    def _model(self, settings: PartSettings) -> CategoricalNB:
        return CategoricalNB(smoothing=settings.smoothing, priors="uniform", unseen="ignore")


class BinaryPart(CountedPart[BinaryNB, LevelRows, Levels]):
    """Columns of two values: BinaryNB."""

    def _model(self, settings: PartSettings) -> BinaryNB:
        return BinaryNB(smoothing=settings.smoothing, priors="uniform")

    def read(self, table: Table) -> tuple[LevelRows, Levels]:
        return LevelRows(self._codes(table)), (BOTH,) * len(self.columns)

    def looked_up(self, model: BinaryNB, table: Table) -> Codes:
        return self._codes(table)

    def _codes(self, table: Table) -> Codes:
        return np.stack([np.asarray(table.columns[name], dtype=np.int32) for name in self.columns])


class CountPart(CountedPart[PoissonNB, Array, WordKeys]):
    """Columns of counts: PoissonNB."""

    def _model(self, settings: PartSettings) -> PoissonNB:
        return PoissonNB(smoothing=settings.smoothing, priors="uniform")

    def read(self, table: Table) -> tuple[Array, WordKeys]:
        columns = np.stack([table.columns[name] for name in self.columns], axis=1)
        rows = amounts(columns, self.names, "MixedNB")
        return rows, WordKeys.of(rows)


class TextPart(CountedPart[DocumentNB, csr_array, WordKeys]):
    """A column of texts: DocumentNB."""

    def notes(self, model: DocumentNB) -> tuple[str, ...]:
        subject = f"Column {self.columns[0]!r}"
        return tuple(
            note.with_subject(subject) if isinstance(note, Note) and note.subject else note
            for note in model.diagnostics_
        )

    def _model(self, settings: PartSettings) -> DocumentNB:
        return DocumentNB(
            smoothing=settings.smoothing,
            priors="uniform",
            min_documents=settings.min_documents,
            max_words=settings.max_words,
        )

    def read(self, table: Table) -> tuple[csr_array, WordKeys]:
        return DocumentReader().read(table.columns[self.columns[0]])

    def again(self, table: Table, keys: WordKeys) -> csr_array:
        return DocumentReader().look_up(table.columns[self.columns[0]], keys)

    def seen(self, classes: Labels, keys: WordKeys, cells: Counts) -> Learned:
        assert keys.words is not None
        learned = Learned(classes, cells, (keys.words, keys.words))
        return learned if cells.counts.any(axis=0).all() else learned._shed_levels()

    def looked_up(self, model: DocumentNB, table: Table) -> csr_array:
        return model._read(table.columns[self.columns[0]])

    def evidence(self, model: DocumentNB, table: Table) -> Array:
        return np.asarray(self.scores(model, table) + np.log(len(model.classes_)))[:, :, None]


AnyPart: TypeAlias = ColumnModel[Any, Any, Any, Any, Any]
PARTS: dict[str, type[AnyPart]] = {
    "gaussian": GaussianPart,
    "categorical": LevelsPart,
    "bernoulli": BinaryPart,
    "count": CountPart,
    FLAG: FlagsPart,
    "text": TextPart,
}


def parts_for(kinds: dict[str, str]) -> list[AnyPart]:
    """The parts of a table whose columns are of these kinds."""
    listed: list[AnyPart] = []
    for kind, make in PARTS.items():
        names = tuple(name for name, column_kind in kinds.items() if column_kind == kind)
        if kind == "text":
            listed += [make(kind, (name,)) for name in names]
        elif names:
            listed.append(make(kind, names))
    return listed
