"""Difficulties of solving models from statistics, kept as data, and the notes about them.

A note names a column by its name, or by its position (an int) where the model knows no names; a model that does, such
as one of a whole table, puts names for positions.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.notes import Note
from assay.types import Labels, Mask, Numbers

ColumnKey: TypeAlias = str | int  # its name, or its position where it has none


@dataclass(frozen=True)
class SolveDiagnostics:
    """Difficulties met while solving G models; every array has a leading axis of length G."""

    unseen: Mask  # (G, K) classes without a row
    borrowed: Mask  # (G, K) classes with too few rows for a covariance of their own
    floored: NDArray[
        np.intp
    ]  # (G, K) directions or features whose variance was raised; (G, 1): of the shared one
    constant: Mask  # (G, D) features that do not vary
    rank: NDArray[np.intp] | None = None  # (G,) independent features, where fewer than D could be used
    unobserved: NDArray[np.intp] | None = None  # (G, K) features whose values are all missing in a class
    unsolved: Mask | None = None  # (G,) models whose solver stopped before it was done

    def any(self) -> bool:
        flags = self.unseen.any() or self.borrowed.any() or self.floored.any() or self.constant.any()
        unsolved = self.unsolved is not None and self.unsolved.any()
        return bool(flags or self.rank is not None or self.unobserved is not None or unsolved)

    def part(self, groups: slice | Mask) -> SolveDiagnostics:
        """That of some of the models."""
        arrays = {name: value[groups] for name, value in vars(self).items() if value is not None}
        if self.rank is not None and (arrays["rank"] >= (~arrays["constant"]).sum(axis=-1)).all():
            arrays["rank"] = None
        return replace(self, **arrays)

    @property
    def _singular(self) -> Mask:
        """Classes whose own covariance needed the floor, (G, K); nothing where the covariance is shared."""
        if self.floored.shape != self.unseen.shape:
            return np.zeros(self.unseen.shape, dtype=bool)
        return (self.floored > 0) & ~self.borrowed

    @property
    def _shared_singular(self) -> NDArray[np.intp]:
        """Directions of the shared covariance that needed the floor, (G,)."""
        if self.floored.shape == self.unseen.shape:
            return np.zeros(len(self.floored), dtype=np.intp)
        return self.floored[:, 0]

    def notes(
        self, group: int, classes: Labels, columns: Sequence[ColumnKey], parameters: Collection[str]
    ) -> tuple[Note, ...]:
        """The difficulties of one model; remedies are parameters that it has."""
        notes: list[Note] = []
        labels, width = [str(label) for label in classes], len(columns)
        flags = self.constant[group]
        notes += constant_columns([key for key, flag in zip(columns, flags, strict=True) if flag])
        notes += [Note("M301", label=labels[k]) for k in np.flatnonzero(self.unseen[group])]
        borrowed = self.borrowed[group] & ~self.unseen[group]
        notes += [Note("M302", label=labels[k]) for k in np.flatnonzero(borrowed)]
        for k in np.flatnonzero(self._singular[group]):
            helpful = remedies(("blend", "shrinkage"), parameters)
            singular = int(self.floored[group][k])
            notes.append(Note("M303", label=labels[k], singular=singular, n_columns=width, remedies=helpful))
        if shared := int(self._shared_singular[group]):
            helpful = remedies(("shrinkage",), parameters)
            notes.append(Note("M304", singular=shared, n_columns=width, remedies=helpful))
        if self.unobserved is not None:
            for k in np.flatnonzero(self.unobserved[group]):
                lacking = int(self.unobserved[group][k])
                notes.append(Note("M305", label=labels[k], unobserved=lacking, n_columns=width))
        if self.rank is not None and self.rank[group] < width - self.constant[group].sum():
            notes.append(Note("M306", rank=int(self.rank[group]), n_columns=width))
        return tuple(notes)

    def summary(self, classes: Labels, splits: str) -> tuple[Note, ...]:
        """The difficulties counted over all models; `splits` is what these are called."""
        if not self.any():
            return ()
        notes: list[Note] = []
        for k, label in enumerate(classes):
            for code, flags in (
                ("S200", self.unseen[:, k]),
                ("S201", self.borrowed[:, k] & ~self.unseen[:, k]),
                ("S202", self._singular[:, k]),
            ):
                notes += _counted(code, flags, splits, label=str(label))
        notes += _counted("S203", self._shared_singular > 0, splits)
        notes += _counted("S204", self.constant.any(axis=1), splits)
        if self.unobserved is not None:
            notes += _counted("S205", self.unobserved.any(axis=1), splits)
        if self.unsolved is not None:
            notes += _counted("S206", self.unsolved, splits)
        if self.rank is not None:
            notes += _counted("S207", self.rank < (~self.constant).sum(axis=-1), splits)
        return tuple(notes)


def _counted(code: str, flags: ArrayLike, splits: str, **values: object) -> list[Note]:
    """A note about the models that have a flag, if there are any."""
    count = int(np.count_nonzero(flags))
    return [Note(code, values={**values, **in_splits(count, np.size(flags), splits)})] if count else []


def in_splits(count: int, total: int, splits: str = "splits") -> dict[str, object]:
    """The values of a note about some of the splits: how many, and where in words.

    >>> print(in_splits(3, 10, "folds")["where"], in_splits(1, 1)["where"], sep=", ")
    in 3 of 10 folds, in the only split
    """
    where = Note("S215") if total == 1 else Note("S214", count=count, total=total, splits=splits)
    return {"count": count, "total": total, "where": where}


def remedies(wanted: Sequence[str], parameters: Collection[str]) -> tuple[str, ...]:
    """What helps against a singular covariance: the wanted parameters that there are, else a higher floor.

    >>> remedies(("blend", "shrinkage"), {"blend", "shrinkage"}), remedies(("shrinkage",), {"variance_floor"})
    (('blend', 'shrinkage', 'fewer features'), ('a higher variance_floor', 'fewer features'))
    """
    usable = tuple(name for name in wanted if name in parameters)
    if not usable and "variance_floor" in parameters:
        usable = ("a higher variance_floor",)
    return (*usable, "fewer features")


def absences(weight: Numbers, classes: Labels) -> tuple[Note, ...]:
    """A note about each class that some training set lacks, by weights or priors (F, K)."""
    missing = (weight == 0).sum(axis=0)
    return tuple(
        Note("S208", values={"label": str(classes[k]), **in_splits(int(missing[k]), len(weight))})
        for k in np.flatnonzero(missing)
    )


def check_classes(weight: Numbers, classes: Labels) -> None:
    """Every training set needs two classes, by their weights (M, K)."""
    seen = (weight > 0).sum(axis=-1)
    for group in np.flatnonzero(seen < 2).tolist():
        present = [classes.tolist()[k] for k in np.flatnonzero(weight[group] > 0)]
        raise ValueError(
            Note("S211", split=group, label=present[0]) if present else Note("S212", split=group)
        )


def constant_columns(columns: Sequence[ColumnKey]) -> tuple[Note, ...]:
    """A note about columns that do not vary, if there are any."""
    return (Note("M300", columns=tuple(columns)),) if columns else ()


def repeated(trouble: SolveDiagnostics, times: int) -> SolveDiagnostics:
    """The record of one model, for many models that met the same."""
    values = {field.name: getattr(trouble, field.name) for field in fields(trouble)}
    return replace(
        trouble, **{name: np.repeat(v, times, axis=0) for name, v in values.items() if v is not None}
    )


def joined(parts: list[SolveDiagnostics]) -> SolveDiagnostics:
    """The records of several stacks of models as one."""
    ranks = [part.rank if part.rank is not None else (~part.constant).sum(axis=-1) for part in parts]
    return SolveDiagnostics(
        unseen=np.concatenate([part.unseen for part in parts]),
        borrowed=np.concatenate([part.borrowed for part in parts]),
        floored=np.concatenate([part.floored for part in parts]),
        constant=np.concatenate([part.constant for part in parts]),
        rank=None if all(part.rank is None for part in parts) else np.concatenate(ranks),
    )


def no_difficulties(groups: int, n_classes: int, n_features: int) -> SolveDiagnostics:
    """A clean record."""
    none = np.zeros((groups, n_classes), dtype=bool)
    return SolveDiagnostics(none, none, none.astype(np.intp), np.zeros((groups, n_features), dtype=bool))
