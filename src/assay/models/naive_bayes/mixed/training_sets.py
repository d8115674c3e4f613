"""Mixed naive Bayes of many training sets: every part counts its columns once, and sums of cells are solved."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from assay.models.base.estimators import GenerativeClassifier
from assay.models.naive_bayes.base import or_priors
from assay.models.naive_bayes.mixed.column_models import AnyPart, parts_for
from assay.notes import Note
from assay.numerics.value_key import value_key
from assay.sharing.protocols import CountForm
from assay.statistics import Moments
from assay.statistics.counting import Grouping
from assay.types import Array, Codes, Integers, MatrixLike, Numbers, Which


@dataclass(frozen=True, eq=False)
class MixedRows:
    """Rows of every part; indexed by rows."""

    parts: tuple[Any, ...]

    def __getitem__(self, rows: Which) -> MixedRows:
        return MixedRows(tuple(part[rows] for part in self.parts))


@dataclass(frozen=True, eq=False)
class MixedKeys:
    """What each column is used as, and what every part shows."""

    kinds: dict[str, str]
    parts: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class MixedCells:
    """Counts or moments of every part, (group, class) each."""

    parts: tuple[Any, ...]

    @property
    def weight(self) -> Numbers:
        return np.asarray(self.parts[0].weight)

    def _each(self, change: Callable[[Any], Any]) -> MixedCells:
        return MixedCells(tuple(change(part) for part in self.parts))

    def merge(self, other: MixedCells) -> MixedCells:
        """Cells of both sets of rows together."""
        return MixedCells(tuple(one.merge(two) for one, two in zip(self.parts, other.parts, strict=True)))

    def combined(self, copies: Integers) -> MixedCells:
        """Of training sets that see every row of group g copies[m, g] times."""
        return self._each(lambda part: part.combined(copies))

    def without_each(self, leaving: MixedCells) -> MixedCells:
        """One group less each of several groups that are part of it."""
        pairs = zip(self.parts, leaving.parts, strict=True)
        return MixedCells(
            tuple(a.without(b)[0] if isinstance(a, Moments) else a.without_each(b) for a, b in pairs)
        )

    def in_rows(self) -> MixedCells:
        """Weights as numbers of rows."""
        return self._each(lambda part: part.in_rows())


@dataclass(frozen=True, eq=False)
class MixedReader:
    """Reads tables for a mixed naive Bayes, which is its own."""

    model: Any
    words = False

    @property
    def key(self) -> Hashable:
        return "mixed", value_key((self.model.kinds, self.model.flags))

    def _parts(self, kinds: dict[str, str]) -> list[tuple[AnyPart, GenerativeClassifier]]:
        return [(part, part.new(self.model)) for part in parts_for(kinds)]

    def read(self, X: MatrixLike) -> tuple[MixedRows, MixedKeys]:
        """Rows of every part, each read once, with what the columns are."""
        table = self.model._know(X)
        parts = [part.read(table) for part, _ in self._parts(self.model.kinds_)]
        return MixedRows(tuple(rows for rows, _ in parts)), MixedKeys(
            self.model.kinds_, tuple(keys for _, keys in parts)
        )

    def keys(self, X: MatrixLike) -> MixedKeys:
        """What some of the rows show."""
        return self.read(X)[1]

    def union(self, a: MixedKeys, b: MixedKeys) -> MixedKeys:
        """What two sets of rows show; their columns must be of the same kinds."""
        if a.kinds != b.kinds:
            raise ValueError(Note("M155", kinds=a.kinds, other_kinds=b.kinds))
        pairs = zip(self._parts(a.kinds), a.parts, b.parts, strict=True)
        return MixedKeys(a.kinds, tuple(part.union(model, one, two) for (part, model), one, two in pairs))

    def look_up(self, X: MatrixLike, keys: MixedKeys) -> MixedRows:
        """Some of the rows, given what all of them show."""
        table = self.model._know(X)
        parts = zip(self._parts(keys.kinds), keys.parts, strict=True)
        return MixedRows(tuple(part.again(table, part_keys) for (part, _), part_keys in parts))

    def count(
        self,
        rows: MixedRows,
        keys: MixedKeys,
        codes: Codes,
        n_classes: int,
        threads: int,
        **groups: Unpack[Grouping],
    ) -> MixedCells:
        """Counts or moments of every class, or of every (group, class)."""
        parts = zip(self._parts(keys.kinds), rows.parts, keys.parts, strict=True)
        return MixedCells(
            tuple(
                part.cells(model, part_rows, known, codes, n_classes, threads=threads, **groups)
                for (part, model), part_rows, known in parts
            )
        )

    def count_bytes(self, keys: MixedKeys, n_classes: int) -> int:
        """Those of all parts."""
        parts = zip(self._parts(keys.kinds), keys.parts, strict=True)
        return sum(part.set_bytes(model, part_keys, n_classes) for (part, model), part_keys in parts)

    def compressed(self, keys: MixedKeys) -> bool:
        """Columns of every kind lie side by side."""
        return False

    def prepared(self, rows: MixedRows) -> MixedRows:
        """They are not words."""
        return rows


@dataclass(frozen=True, eq=False)
class MixedForm:
    """Every part of M training sets, and log priors (M, K)."""

    parts: list[CountForm]
    log_prior: Array

    def scores(self, rows: MixedRows, model: NDArray[np.int32] | None, threads: int) -> Array:
        """Joint log likelihoods, (N, K)."""
        scores = [
            form.scores(part_rows, model, threads)
            for form, part_rows in zip(self.parts, rows.parts, strict=True)
        ]
        row_model = np.zeros(len(scores[0]), dtype=np.intp) if model is None else model
        return together(scores, self.log_prior[row_model])


def together(scores: list[Array], log_prior: Array) -> Array:
    """Scores of all parts, each under equal priors, as one under these priors (N, K).

    A row that leaves no class possible is left to the priors, as in each part.
    """
    total = log_prior + sum(scores) + len(scores) * np.log(log_prior.shape[1])
    total[np.isneginf(log_prior)] = -np.inf
    return or_priors(total, log_prior, np.isneginf(total) & ~np.isneginf(log_prior))
