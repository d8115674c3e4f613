"""Values as JSON, types included.

None, booleans, text, integers, finite numbers and lists stand for themselves; anything else is an object with one key
that says what it is: ``{"tuple": [...]}``, ``{"array": "a1.npy"}``, ``{"part": {...}}`` and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from importlib.metadata import version
from math import isfinite
from typing import TYPE_CHECKING, cast

import numpy as np

from assay.data.schema import Column, Schema
from assay.notes import Note
from assay.notes.note import UNCODED
from assay.numerics.scalars import is_plain
from assay.statistics import Counts, Moments
from assay.storage.npy import DTYPES, storable
from assay.storage.registry import FOREIGN, HOMES, PLANS, RECORDS, WRITTEN
from assay.storage.state import check_rebuilt, part_of
from assay.storage.stored_fields import load, name_of
from assay.types import Cells, Estimator, Json, Labels, Parameters

if TYPE_CHECKING:
    from assay.models.base.estimators import Model

LABEL_TYPES = (bool, int, float, str)
DEEPEST_PART = 6


@dataclass
class Encoder:
    """Turns values into JSON; arrays and foreign estimators are set aside under the names of their members."""

    foreign: Callable[[object], bytes]
    arrays: dict[str, Cells] = field(default_factory=dict)
    blobs: dict[str, bytes] = field(default_factory=dict)
    depth: int = 0

    def encode(self, value: object) -> Json:
        if value is None or type(value) is bool or type(value) is int or type(value) is str:
            return value
        if type(value) is float:
            return value if isfinite(value) else {"number": str(value)}
        if type(value) is list:
            return [self.encode(part) for part in value]
        if isinstance(value, Note):  # a sentence without a code of its own stays a sentence
            return str.__str__(value) if value.code == UNCODED else {"note": self._note(value)}
        for kind, name in _ENCODERS:
            if isinstance(value, kind):
                tag, content = getattr(self, name)(value)
                return {tag: content}
        if isinstance(value, type):
            raise ValueError(Note("F069", kind=value.__name__))
        if record := name_of(value, RECORDS):
            parts = {
                part.name: self.encode(getattr(value, part.name)) for part in fields(load(RECORDS[record]))
            }
            return {"record": {record: parts}}
        if name_of(value, HOMES):
            return {"part": self.part(cast("Model", value))}
        if name_of(value, FOREIGN):
            return {"estimator": self._estimator(cast(Estimator, value))}
        raise ValueError(_refused(value))

    def _note(self, note: Note) -> dict[str, Json]:
        """A note with its sentence, for a version of Assay that does not know its code."""
        values = {name: self._note_value(value) for name, value in note.values.items()}
        sentence = str.__str__(note)
        return {
            "code": note.code,
            "level": note.level,
            "subject": note.subject,
            "values": values,
            "sentence": sentence,
        }

    def _note_value(self, value: object) -> Json:
        if isinstance(value, list):
            return [self._note_value(part) for part in value]
        if isinstance(value, tuple):
            return {"tuple": [self._note_value(part) for part in value]}
        if isinstance(value, dict):
            return {"mapping": [[str(key), self._note_value(part)] for key, part in value.items()]}
        if isinstance(value, np.generic):
            value = value.item()
        return self.encode(value if is_plain(value) else str(value))

    def _tuple(self, value: tuple[object, ...]) -> tuple[str, Json]:
        return "tuple", [self.encode(part) for part in value]

    def _mapping(self, value: Mapping[object, object]) -> tuple[str, Json]:
        return "mapping", [[self.encode(key), self.encode(part)] for key, part in value.items()]

    def _scalar(self, value: np.generic) -> tuple[str, Json]:
        return "scalar", {"dtype": _label_type(value.dtype), "value": self.encode(value.item())}

    def _array(self, value: Cells) -> tuple[str, Json]:
        if value.dtype.kind in "OU":
            return self._labels(value)
        name = f"a{len(self.arrays)}.npy"
        self.arrays[name] = storable(value)
        return "array", name

    def _labels(self, value: Cells) -> tuple[str, Json]:
        values = value.tolist()
        if value.ndim != 1 or len({type(label) for label in values}) > 1:
            kinds = sorted({type(label).__name__ for label in values})
            raise ValueError(Note("F070", kinds=", ".join(kinds)))
        if values and type(values[0]) not in LABEL_TYPES:
            raise ValueError(Note("F071", kind=type(values[0]).__name__))
        return "labels", {"dtype": _label_type(value.dtype), "values": self.encode(values)}

    def _moments(self, value: Moments) -> tuple[str, Json]:
        return "moments", {name: self.encode(part) for name, part in value.to_arrays().items()}

    def _counts(self, value: Counts) -> tuple[str, Json]:
        return "counts", {name: self.encode(part) for name, part in value.to_arrays().items()}

    def _column(self, value: Column) -> tuple[str, Json]:
        return "column", {name: self.encode(part) for name, part in value.to_json().items()}

    def _schema(self, value: Schema) -> tuple[str, Json]:
        return "schema", [self._column(column)[1] for column in value]

    def _estimator(self, model: Estimator) -> dict[str, Json]:
        """An estimator of scikit-learn: its parameters, or if it is fitted a member with all of it."""
        about = {"class": type(model).__name__}
        if not hasattr(model, "classes_"):
            return {**about, "parameters": self._named(model.get_params(deep=False))}
        name = f"f{len(self.blobs)}.skops"
        self.blobs[name] = self.foreign(model)
        return {**about, "member": name, "scikit-learn": version("scikit-learn")}

    def part(self, model: Model) -> dict[str, Json]:
        part = part_of(model)
        if self.depth >= DEEPEST_PART:
            raise ValueError(Note("F072", deepest=DEEPEST_PART))
        self.depth += 1
        parameters = self._named(part.parameters)
        state = None if part.state is None else self._named(part.state)
        self.depth -= 1
        check_rebuilt(model, part)
        return {"class": part.name, "parameters": parameters, "state": state}

    def _named(self, values: Parameters) -> dict[str, Json]:
        return {
            name: dict([self._labels(cast(Labels, value))]) if name == "classes_" else self.encode(value)
            for name, value in values.items()
        }


_ENCODERS: tuple[tuple[type, str], ...] = (
    (tuple, "_tuple"),
    (dict, "_mapping"),
    (np.generic, "_scalar"),
    (np.ndarray, "_array"),
    (Moments, "_moments"),
    (Counts, "_counts"),
    (Schema, "_schema"),
    (Column, "_column"),
)


def _refused(value: object) -> Note:
    """Why a value is not stored."""
    kind = type(value).__name__
    if name_of(value, WRITTEN):
        return Note("F301", kind=kind)
    if hasattr(value, "get_params"):
        return Note("F302", kind=kind, stored=tuple(FOREIGN))
    if hasattr(value, "split"):
        return Note("F303", kind=kind, stored=tuple(PLANS))
    if callable(value):
        return Note("F304", name=getattr(value, "__name__", kind))
    return Note("F305", kind=kind)


def _label_type(dtype: np.dtype[np.generic]) -> str:
    """The type of labels or of a scalar in little-endian spelling."""
    little = dtype.newbyteorder("<").str
    if dtype.kind not in "OU" and little not in DTYPES:
        raise ValueError(Note("F068", dtype=str(dtype)))
    return little
