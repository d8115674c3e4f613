"""What went wrong in the numbers and what was done about it, kept as data and told in plain words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
ONLY = "in the only split"  # of a hold-out


@dataclass(frozen=True)
class Trouble:
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
        found = self.unseen.any() or self.borrowed.any() or self.floored.any() or self.constant.any()
        unsolved = self.unsolved is not None and self.unsolved.any()
        return bool(found or self.rank is not None or self.unobserved is not None or unsolved)

    def part(self, groups: slice | Mask) -> Trouble:
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

    def sentences(
        self, group: int, classes: NDArray[Any], names: list[str], parameters: Collection[str]
    ) -> tuple[str, ...]:
        """The difficulties of one model, one sentence each; it is advised to use parameters that it has."""
        told: list[str] = []
        labels = [str(label) for label in classes]
        if self.constant[group].any():
            told += constant_sentence(
                [name for name, flag in zip(names, self.constant[group], strict=True) if flag]
            )
        for k in np.flatnonzero(self.unseen[group]):
            told.append(f"Class {labels[k]} has no training row: its posterior is 0.")
        for k in np.flatnonzero(self.borrowed[group] & ~self.unseen[group]):
            told.append(
                f"Class {labels[k]} has one row, or equal rows: the shared covariance stands in for its own."
            )
        for k in np.flatnonzero(self._singular[group]):
            told.append(
                f"The covariance of class {labels[k]} is singular in {self.floored[group][k]} of {len(names)} "
                "directions: their variance was raised to the floor; "
                f"{remedies(('blend', 'shrinkage'), parameters)} would help."
            )
        if self._shared_singular[group]:
            told.append(
                f"The shared covariance is singular in {self._shared_singular[group]} of {len(names)} directions: "
                f"their variance was raised to the floor; {remedies(('shrinkage',), parameters)} would help."
            )
        if self.unobserved is not None:
            for k in np.flatnonzero(self.unobserved[group]):
                told.append(
                    f"Class {labels[k]} has no value of {self.unobserved[group][k]} of {len(names)} features: their "
                    "overall mean and shared variance stand in."
                )
        if self.rank is not None and self.rank[group] < len(names) - self.constant[group].sum():
            told.append(
                f"Only {self.rank[group]} of {len(names)} features are linearly independent: the smallest of all "
                "equally good solutions was taken."
            )
        return tuple(told)

    def summary(self, classes: NDArray[Any], what: str) -> tuple[str, ...]:
        """The difficulties counted over all models, one sentence each."""
        if not self.any():
            return ()
        groups, told = self.unseen.shape[0], []
        for k, label in enumerate(classes):
            for flags, meaning in (
                (self.unseen[:, k], "was absent from the training part (posterior 0 there)"),
                (
                    self.borrowed[:, k] & ~self.unseen[:, k],
                    "had a single training row, or equal ones (shared covariance used)",
                ),
                (self._singular[:, k], "had a singular covariance (variance floor applied)"),
            ):
                if flags.any():
                    told.append(f"Class {label} {meaning} {among(flags.sum(), groups, what)}.")
        for flags, meaning in (
            (self._shared_singular > 0, "The shared covariance was singular (variance floor applied)"),
            (np.asarray(self.constant.any(axis=1)), "Constant features were left out"),
        ):
            if flags.any():
                told.append(f"{meaning} {among(flags.sum(), groups, what)}.")
        if self.unobserved is not None and self.unobserved.any():
            lacking = among(self.unobserved.any(axis=1).sum(), groups, what)
            told.append(f"A class had no value of some feature {lacking}.")
        if self.unsolved is not None and self.unsolved.any():
            told.append(
                f"The solver stopped before its gradient vanished {among(self.unsolved.sum(), groups, what)}: a larger "
                "penalty would help."
            )
        if self.rank is not None:
            where = ONLY if groups == 1 else f"in some of the {groups} {what}"
            told.append(f"Features were linearly dependent {where}.")
        return tuple(told)


def remedies(wanted: Sequence[str], parameters: Collection[str]) -> str:
    """What helps against a singular covariance: the wanted parameters that there are, else a higher floor.

    >>> remedies(("blend", "shrinkage"), {"blend", "shrinkage"}), remedies(("shrinkage",), {"variance_floor"})
    ('blend, shrinkage or fewer features', 'a higher variance_floor or fewer features')
    """
    usable = [name for name in wanted if name in parameters]
    if not usable and "variance_floor" in parameters:
        usable = ["a higher variance_floor"]
    return f"{', '.join(usable)} or fewer features" if usable else "fewer features"


def among(count: int, of: int, what: str) -> str:
    """In how many splits something happened, in words.

    >>> among(3, 10, "folds"), among(1, 1, "folds")
    ('in 3 of 10 folds', 'in the only split')
    """
    return ONLY if of == 1 else f"in {int(count)} of {of} {what}"


def absences(weight: NDArray[Any], classes: NDArray[Any]) -> tuple[str, ...]:
    """A sentence about each class that some training part lacks, by weights or priors (F, K)."""
    missing = (weight == 0).sum(axis=0)
    return tuple(
        f"Class {classes[k]} was absent from the training part {among(missing[k], len(weight), 'splits')}."
        for k in np.flatnonzero(missing)
    )


def check_classes(weight: NDArray[Any], classes: NDArray[Any]) -> None:
    """Every training part needs two classes, by their weights (M, K)."""
    seen = (weight > 0).sum(axis=-1)
    for group in np.flatnonzero(seen < 2):
        only = [classes.tolist()[k] for k in np.flatnonzero(weight[group] > 0)]
        raise ValueError(
            f"The training part of split {group} has a single class ({only[0]!r}): use fewer folds, stratify, or "
            "give more rows of the other classes."
            if only
            else f"The training part of split {group} is empty: use other splits."
        )


def constant_sentence(names: list[str]) -> tuple[str, ...]:
    """A sentence about columns that do not vary, if there are any."""
    they = "it" if len(names) == 1 else "they"
    return (f"{_listed(names)} constant: left out, {they} cannot tell the classes apart.",) if names else ()


def _listed(names: list[str]) -> str:
    if len(names) == 1:
        return f"Feature {names[0]} is"
    shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    return f"Features {shown} are"


def repeated(trouble: Trouble, times: int) -> Trouble:
    """The record of one model, for many models that met the same."""
    values = {field.name: getattr(trouble, field.name) for field in fields(trouble)}
    return replace(
        trouble, **{name: np.repeat(v, times, axis=0) for name, v in values.items() if v is not None}
    )


def joined(parts: list[Trouble]) -> Trouble:
    """The records of several stacks of models as one."""
    ranks = [part.rank if part.rank is not None else (~part.constant).sum(axis=-1) for part in parts]
    return Trouble(
        unseen=np.concatenate([part.unseen for part in parts]),
        borrowed=np.concatenate([part.borrowed for part in parts]),
        floored=np.concatenate([part.floored for part in parts]),
        constant=np.concatenate([part.constant for part in parts]),
        rank=None if all(part.rank is None for part in parts) else np.concatenate(ranks),
    )


def no_trouble(groups: int, n_classes: int, n_features: int) -> Trouble:
    """A clean record."""
    none = np.zeros((groups, n_classes), dtype=bool)
    return Trouble(none, none, none.astype(np.intp), np.zeros((groups, n_features), dtype=bool))
