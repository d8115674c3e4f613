"""What a decision costs: ``loss[true, action]``, with names for classes and actions.

An action that bears the name of a class predicts that class.  Every other name ("reject", "ask") is an action
of its own: it has a price but predicts nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from assay.notes import Note
from assay.types import Array, Codes, Frame, Label, Labels

# Sums and differences of a few losses must stay finite.
_LARGEST = 1e300


@dataclass(frozen=True, eq=False)
class LossMatrix:
    """A K x A table of costs, with one row per true class and one column per action.

    Build it with :meth:`of`, which accepts every form of a loss, or with :meth:`zero_one`.

    Parameters
    ----------
    values : array of shape (K, A)
        ``values[k, a]`` is the cost of action ``a`` when the truth is class ``k``; negative costs are gains.
    classes : array of shape (K,)
        The class labels, in the order of the posterior's columns.
    actions : sequence of A names
        A name equal to a class label predicts that class.

    Examples
    --------
    >>> loss = LossMatrix.of({"ill": {"ill": 0, "well": 10}, "well": {"ill": 1, "well": 0}}, ["ill", "well"])
    >>> loss.values
    array([[ 0., 10.],
           [ 1.,  0.]])
    >>> LossMatrix.zero_one(["ill", "well"], reject=0.2).actions
    ('ill', 'well', 'reject')
    """

    values: Array
    classes: Labels
    actions: tuple[Hashable, ...]

    def __post_init__(self) -> None:
        """Freeze copies of the arrays and check every entry."""
        classes = check_classes(self.classes)
        values = _as_numbers(self.values)
        names = _match_actions(self.actions, classes)
        if values.shape != (len(classes), len(names)):
            raise ValueError(Note("L018", shape=values.shape, n_classes=len(classes), n_names=len(names)))
        for k, a in np.argwhere(~(np.abs(values) <= _LARGEST))[:1]:
            raise ValueError(
                Note("L019", action=names[a], label=plain(classes[k]), cost=values[k, a], largest=_LARGEST)
            )
        values.flags.writeable = False
        classes.flags.writeable = False
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "classes", classes)
        object.__setattr__(self, "actions", names)

    @property
    def class_of_action(self) -> Codes:
        """The class code each action predicts, -1 for an action that predicts none; shape (A,)."""
        code = {plain(label): k for k, label in enumerate(self.classes)}
        return np.array([code.get(name, -1) for name in self.actions], dtype=np.int32)

    @classmethod
    def zero_one(cls, classes: npt.ArrayLike, reject: float | None = None) -> LossMatrix:
        """Cost 1 for a wrong class and 0 for the right one; `reject` is the cost of an action "reject"."""
        labels = check_classes(classes)
        values = 1.0 - np.eye(len(labels))
        names = [plain(label) for label in labels]
        if reject is not None:
            if "reject" in names:
                raise ValueError(Note("L029"))
            values = np.column_stack([values, np.full(len(labels), float(reject))])
            names.append("reject")
        return cls(values, labels, tuple(names))

    @classmethod
    def of(
        cls, loss: LossLike, classes: npt.ArrayLike, actions: Sequence[Hashable] | None = None
    ) -> LossMatrix:
        """Read a loss given in any accepted form.

        Parameters
        ----------
        loss : None, array, nested dict, table or LossMatrix
            None is zero-one loss.  An array without `actions` is square, its columns in the order of
            `classes`.  A dict reads ``{true: {action: cost}}``.  A pandas table has the true classes as its
            index and the actions as its columns; a table without an index (polars, Arrow) has the true
            classes in its first column.  Dicts and tables may list classes in any order; class actions come
            first afterwards, in the order of `classes`.  Names given as text match labels that are not text
            by their spelling.
        classes : array of shape (K,)
            The class labels, in the order of the posterior's columns.
        actions : sequence of names, optional
            The names of an array's columns; only for arrays.
        """
        labels = check_classes(classes)
        if isinstance(loss, LossMatrix):
            _refuse_actions(actions, "a LossMatrix")
            return loss.aligned(labels)
        if loss is None:
            _refuse_actions(actions, "zero-one loss")
            return cls.zero_one(labels)
        if isinstance(loss, Mapping):
            _refuse_actions(actions, "a dict")
            return _from_rows(loss, labels)
        if hasattr(loss, "columns") or hasattr(loss, "column_names"):
            _refuse_actions(actions, "a table")
            return _from_rows(_table_rows(loss), labels)
        values = _as_numbers(loss)
        if actions is None:
            if values.shape != (len(labels), len(labels)):
                raise ValueError(Note("L030", shape=values.shape, n_labels=len(labels)))
            actions = [plain(label) for label in labels]
        return cls(values, labels, tuple(actions))

    def aligned(self, classes: npt.ArrayLike) -> LossMatrix:
        """The same costs with the rows in the order of `classes`, which must be the same labels."""
        labels = check_classes(classes)
        position = {plain(label): k for k, label in enumerate(self.classes)}
        names = [plain(label) for label in labels]
        for name in names:
            if name not in position:
                raise ValueError(Note("L031", name=name))
        for name in position:
            if name not in set(names):
                raise ValueError(Note("L032", name=name))
        return LossMatrix(self.values[[position[name] for name in names]], labels, self.actions)


LossLike: TypeAlias = LossMatrix | Mapping[Any, Mapping[Any, float]] | npt.ArrayLike | Frame | None


def plain(label: object) -> Label:
    """A NumPy scalar as the Python value it stands for, so that labels hash, compare and print alike."""
    if isinstance(label, np.generic) and label.dtype.kind in "biufUS":
        value: Label = label.item()
        return value
    return label


def check_classes(classes: npt.ArrayLike) -> Labels:
    """A copy of the labels as a one-dimensional array of at least one distinct label."""
    labels = np.array(classes)
    if labels.ndim != 1 or len(labels) == 0:
        raise ValueError(Note("L014", shape=labels.shape))
    seen: set[Label] = set()
    for name in map(plain, labels):
        if name in seen:
            raise ValueError(Note("L020", name=name))
        seen.add(name)
    return labels


def _as_numbers(loss: object) -> Array:
    """The costs as a two-dimensional float64 copy."""
    try:
        values = np.array(loss, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(Note("L021")) from None
    if values.ndim != 2:
        raise ValueError(Note("L015", n_axes=values.ndim))
    return values


def _refuse_actions(actions: Sequence[Hashable] | None, what: str) -> None:
    """Action names beside a loss that already has them would be ignored or contradict it."""
    if actions is not None:
        raise ValueError(Note("L016", what=what))


def _resolver(classes: Labels) -> dict[Label, Label]:
    """From every accepted spelling of a label to the label itself."""
    labels = [plain(label) for label in classes]
    # Column names of polars and Arrow, and keys of JSON, are always text: 3 arrives as "3".
    by_text = not any(isinstance(label, str) for label in labels)
    spelled: dict[Label, Label] = {str(label): label for label in labels} if by_text else {}
    return {**spelled, **{label: label for label in labels}}


def _match_actions(actions: Iterable[Hashable], classes: Labels) -> tuple[Hashable, ...]:
    """The action names, those that spell a class replaced by its label; at least one, none twice."""
    known = _resolver(classes)
    names: list[Hashable] = []
    for name in map(plain, actions):
        label = known.get(name, name)
        if label in names:
            raise ValueError(Note("L022", label=label))
        names.append(label)
    if not names:
        raise ValueError(Note("L017"))
    return tuple(names)


def _from_rows(rows: Mapping[Label, object], classes: Labels) -> LossMatrix:
    """The matrix of ``{true: {action: cost}}``: rows in class order, class actions before the others."""
    known = _resolver(classes)
    costs: dict[Label, dict[Label, float]] = {}
    for key, row in rows.items():
        if plain(key) not in known:
            raise ValueError(Note("L023", label=plain(key), classes=[plain(label) for label in classes]))
        if not isinstance(row, Mapping):
            raise ValueError(Note("L024", label=plain(key), row=row))
        label = known[plain(key)]
        if label in costs:
            raise ValueError(Note("L025", label=label))
        costs[label] = dict(zip(_match_actions(row, classes), row.values(), strict=True))
    labels = [plain(label) for label in classes]
    for label in labels:
        if label not in costs:
            raise ValueError(Note("L026", label=label))
    given = dict.fromkeys(action for label in costs for action in costs[label])
    names = [label for label in labels if label in given]
    names += [name for name in given if name not in set(labels)]
    for label in labels:
        for name in names:
            if name not in costs[label]:
                raise ValueError(Note("L033", name=name, label=label))
    return LossMatrix(_as_numbers([[costs[k][a] for a in names] for k in labels]), classes, tuple(names))


def _table_rows(table: Any) -> dict[Label, dict[Label, float]]:
    """A table as ``{true: {action: cost}}``, recognised by what it offers, so that nothing is imported."""
    if hasattr(table, "index") and hasattr(table, "to_numpy"):
        columns, keys, cells = list(table.columns), list(table.index), table.to_numpy()
    else:
        names = list(table.column_names if hasattr(table, "column_names") else table.columns)
        read = table.to_pydict() if hasattr(table, "to_pydict") else table.to_dict(as_series=False)
        columns, keys = names[1:], list(read[names[0]]) if names else []
        cells = [[read[name][i] for name in columns] for i in range(len(keys))]
    for label, repeats in ((key, keys.count(key)) for key in keys):
        if repeats > 1:
            raise ValueError(Note("L027", repeats=repeats, label=plain(label)))
    for name in columns:
        if columns.count(name) > 1:
            raise ValueError(Note("L028", action=plain(name)))
    return {key: dict(zip(columns, row, strict=True)) for key, row in zip(keys, cells, strict=True)}
