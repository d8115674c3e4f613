"""Values as JSON and back, types included.

None, booleans, text, integers, finite numbers and lists stand for themselves; anything else is an object with one key
that says what it is: ``{"tuple": [...]}``, ``{"array": "a1.npy"}``, ``{"part": {...}}`` and so on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from importlib.metadata import version
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.schema import COLUMN_TYPES, Column, Schema
from assay.models.registry import FOREIGN, HOMES, RECORDS, load, name_of
from assay.models.state import Part, check_solved, part_of, rebuild
from assay.statistics import Moments
from assay.workbench.damage import DamagedFileError
from assay.workbench.npy import DTYPES, storable

LABEL_TYPES = (bool, int, float, str)
SPECIAL = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}
DEEPEST_PART = 6


@dataclass
class Encoder:
    """Turns values into JSON; arrays and foreign estimators are set aside under the names of their members."""

    foreign: Callable[[Any], bytes]
    arrays: dict[str, NDArray[Any]] = field(default_factory=dict)
    blobs: dict[str, bytes] = field(default_factory=dict)

    def encode(self, value: Any) -> Any:
        if value is None or type(value) in (bool, int, str):
            return value
        if type(value) is float:
            return value if isfinite(value) else {"number": str(value)}
        if type(value) is list:
            return [self.encode(part) for part in value]
        for kind, name in _ENCODERS:
            if isinstance(value, kind):
                tag, content = getattr(self, name)(value)
                return {tag: content}
        if isinstance(value, type):
            raise ValueError(f"{value.__name__} is a class: give a fitted model of it")
        if record := name_of(value, RECORDS):
            parts = {part.name: self.encode(getattr(value, part.name)) for part in fields(value)}
            return {"record": {record: parts}}
        if name_of(value, HOMES):
            return {"part": self.part(value)}
        if name_of(value, FOREIGN):
            return {"estimator": self._estimator(value)}
        if hasattr(value, "get_params"):
            raise ValueError(
                f"{type(value).__name__} is neither Assay's nor one of scikit-learn's in the catalog "
                f"({', '.join(FOREIGN)}), and nothing else is stored: fit it again where it is needed"
            )
        raise ValueError(f"a value of type {type(value).__name__} cannot be stored")

    def _tuple(self, value: tuple[Any, ...]) -> tuple[str, Any]:
        return "tuple", [self.encode(part) for part in value]

    def _mapping(self, value: dict[Any, Any]) -> tuple[str, Any]:
        return "mapping", [[self.encode(key), self.encode(part)] for key, part in value.items()]

    def _scalar(self, value: np.generic) -> tuple[str, Any]:
        return "scalar", {"dtype": _label_type(value.dtype), "value": self.encode(value.item())}

    def _array(self, value: NDArray[Any]) -> tuple[str, Any]:
        if value.dtype.kind in "OU":
            return self._labels(value)
        name = f"a{len(self.arrays)}.npy"
        self.arrays[name] = storable(value)
        return "array", name

    def _labels(self, value: NDArray[Any]) -> tuple[str, Any]:
        values = value.tolist()
        if value.ndim != 1 or len({type(label) for label in values}) > 1:
            kinds = sorted({type(label).__name__ for label in values})
            raise ValueError(f"labels of several types ({', '.join(kinds)}) cannot be stored: use one type")
        if values and type(values[0]) not in LABEL_TYPES:
            raise ValueError(
                f"labels of type {type(values[0]).__name__} cannot be stored: use text or numbers"
            )
        return "labels", {"dtype": _label_type(value.dtype), "values": self.encode(values)}

    def _moments(self, value: Moments) -> tuple[str, Any]:
        return "moments", {name: self.encode(part) for name, part in value.to_arrays().items()}

    def _column(self, value: Column) -> tuple[str, Any]:
        return "column", {name: self.encode(part) for name, part in value.to_json().items()}

    def _schema(self, value: Schema) -> tuple[str, Any]:
        return "schema", [self._column(column)[1] for column in value]

    def _estimator(self, model: Any) -> dict[str, Any]:
        """An estimator of scikit-learn: its parameters, or if it is fitted a member with all of it."""
        about = {"class": type(model).__name__}
        if not hasattr(model, "classes_"):
            return {**about, "parameters": self._named(model.get_params(deep=False))}
        name = f"f{len(self.blobs)}.skops"
        self.blobs[name] = self.foreign(model)
        return {**about, "member": name, "scikit-learn": version("scikit-learn")}

    def part(self, model: Any) -> dict[str, Any]:
        part = part_of(model)
        parameters = self._named(part.parameters)
        state = None if part.state is None else self._named(part.state)
        check_solved(model, part)
        return {"class": part.name, "parameters": parameters, "state": state}

    def _named(self, values: dict[str, Any]) -> dict[str, Any]:
        return {
            name: dict([self._labels(value)]) if name == "classes_" else self.encode(value)
            for name, value in values.items()
        }


_ENCODERS: tuple[tuple[type, str], ...] = (
    (tuple, "_tuple"),
    (dict, "_mapping"),
    (np.generic, "_scalar"),
    (np.ndarray, "_array"),
    (Moments, "_moments"),
    (Schema, "_schema"),
    (Column, "_column"),
)


def _label_type(dtype: np.dtype[Any]) -> str:
    """The type of labels or of a scalar in little-endian spelling."""
    little = dtype.newbyteorder("<").str
    if dtype.kind not in "OU" and little not in DTYPES:
        raise ValueError(f"values of type {dtype} cannot be stored: use text or numbers")
    return little


@dataclass
class Decoder:
    """Turns JSON back into values; arrays and foreign estimators are fetched by name."""

    array: Callable[[str], NDArray[Any]]
    foreign: Callable[[dict[str, Any]], Any]
    depth: int = 0

    def decode(self, value: Any) -> Any:
        if value is None or isinstance(value, bool | int | float | str):
            return value
        if isinstance(value, list):
            return [self.decode(part) for part in value]
        if len(value) != 1:
            raise DamagedFileError("a value in it has more than one kind")
        (tag, content), *_ = value.items()
        if tag not in _DECODERS:
            raise DamagedFileError(f"a value in it is of the unknown kind {tag[:80]!r}")
        kind, name = _DECODERS[tag]
        if not isinstance(content, kind):
            raise DamagedFileError(f"a value of kind {tag!r} in it has the wrong content")
        return getattr(self, name)(content)

    def _number(self, content: str) -> float:
        if content not in SPECIAL:
            raise DamagedFileError("a special number in it is neither nan nor infinite")
        return SPECIAL[content]

    def _tuple(self, content: list[Any]) -> tuple[Any, ...]:
        return tuple(self.decode(part) for part in content)

    def _mapping(self, content: list[Any]) -> dict[Any, Any]:
        if not all(isinstance(pair, list) and len(pair) == 2 for pair in content):
            raise DamagedFileError("a mapping in it is not a list of pairs")
        pairs = [(self.decode(key), self.decode(part)) for key, part in content]
        if not all(key is None or isinstance(key, bool | int | float | str) for key, _ in pairs):
            raise DamagedFileError("a mapping in it has keys that are neither text nor numbers")
        return dict(pairs)

    def _scalar(self, content: dict[str, Any]) -> Any:
        return self._typed(content.get("dtype"), [self.decode(content.get("value"))])[0]

    def _labels(self, content: dict[str, Any]) -> NDArray[Any]:
        values = content.get("values")
        if not isinstance(values, list):
            raise DamagedFileError("labels in it are not a list")
        return self._typed(content.get("dtype"), self.decode(values))

    def _typed(self, dtype: Any, values: list[Any]) -> NDArray[Any]:
        kinds = {type(value) for value in values}
        if len(kinds) > 1 or not kinds <= set(LABEL_TYPES) or not isinstance(dtype, str):
            raise DamagedFileError("labels in it are of several types, or of none")
        if dtype == "|O":
            out = np.empty(len(values), dtype=object)
            out[:] = values
            return out
        if dtype[:2] == "<U" and dtype[2:].isdigit() and kinds <= {str}:
            array = np.array(values, dtype=np.str_)
            if f"<U{array.dtype.itemsize // 4}" != dtype and values:
                array = array.astype(_wide(dtype, values))
            return array
        if dtype not in DTYPES:
            raise DamagedFileError(f"labels in it have the type {dtype[:40]!r}")
        return _exactly(values, np.dtype(dtype).newbyteorder("="))

    def _array(self, content: str) -> NDArray[Any]:
        return self.array(content)

    def _moments(self, content: dict[str, Any]) -> Moments:
        values = {name: self.decode(part) for name, part in content.items()}
        form = values.pop("form", None)
        if not isinstance(form, str) or not all(_is_numbers(part) for part in values.values()):
            raise DamagedFileError("moments in it are not arrays of numbers")
        return Moments.from_arrays({"form": form, **values})

    def _schema(self, content: list[Any]) -> Schema:
        return Schema(tuple(self._column(part) for part in content))

    def _column(self, content: Any) -> Column:
        if not isinstance(content, dict) or set(content) - {part.name for part in fields(Column)}:
            raise DamagedFileError("a column of its schema has properties that columns do not have")
        values = {name: self.decode(part) for name, part in content.items()}
        levels, examples = values.get("levels", []), values.get("examples", [])
        distinct = values.get("distinct")
        sound = (
            isinstance(values.get("name"), str)
            and values.get("type") in COLUMN_TYPES
            and isinstance(levels, list)
            and all(type(level) in LABEL_TYPES for level in levels)
            and len({(type(level), level) for level in levels}) == len(levels)
            and isinstance(examples, list)
            and all(isinstance(example, str) for example in examples)
            and isinstance(values.get("reason", ""), str)
            and _is_count(values.get("missing", 0))
            and (distinct is None or _is_count(distinct))
        )
        if not sound:
            raise DamagedFileError(
                f"column {str(values.get('name'))[:80]!r} of its schema is not one that a table has"
            )
        return Column(**{**values, "levels": tuple(levels), "examples": tuple(examples)})

    def _record(self, content: dict[str, Any]) -> Any:
        if len(content) != 1:
            raise DamagedFileError("a record in it has more than one kind")
        (name, parts), *_ = content.items()
        if name not in RECORDS or not isinstance(parts, dict):
            raise DamagedFileError(f"a record in it is of the unknown kind {name[:80]!r}")
        kind = load(RECORDS[name])
        if set(parts) != {part.name for part in fields(kind)}:
            raise DamagedFileError(f"a record {name} in it has other fields")
        return kind(**{part: self.decode(value) for part, value in parts.items()})

    def _estimator(self, content: dict[str, Any]) -> Any:
        name, parameters = content.get("class"), content.get("parameters")
        if not isinstance(name, str) or name not in FOREIGN:
            raise DamagedFileError(f"an estimator in it is of the unknown class {str(name)[:80]!r}")
        if "member" in content:
            return self.foreign(content)
        if not isinstance(parameters, dict):
            raise DamagedFileError(f"the {name} in it has no parameters")
        unfitted = load(FOREIGN[name])
        if set(parameters) - set(unfitted._get_param_names()):
            raise DamagedFileError(f"the {name} in it has other parameters")
        return unfitted(**{key: self.decode(value) for key, value in parameters.items()})

    def part(self, content: dict[str, Any]) -> Any:
        name, parameters, state = (content.get(key) for key in ("class", "parameters", "state"))
        if (
            not isinstance(name, str)
            or not isinstance(parameters, dict)
            or not isinstance(state, dict | None)
            or self.depth >= DEEPEST_PART
        ):
            raise DamagedFileError("a model in it has no class or parameters, or lies too deep")
        inner = Decoder(self.array, self.foreign, self.depth + 1)
        decoded = {key: inner.decode(value) for key, value in parameters.items()}
        fitted = None if state is None else {key: inner.decode(value) for key, value in state.items()}
        return rebuild(Part(name, decoded, fitted))


_DECODERS: dict[str, tuple[type, str]] = {
    "number": (str, "_number"),
    "tuple": (list, "_tuple"),
    "mapping": (list, "_mapping"),
    "scalar": (dict, "_scalar"),
    "array": (str, "_array"),
    "labels": (dict, "_labels"),
    "moments": (dict, "_moments"),
    "schema": (list, "_schema"),
    "column": (dict, "_column"),
    "record": (dict, "_record"),
    "estimator": (dict, "_estimator"),
    "part": (dict, "part"),
}


def _wide(dtype: str, values: list[str]) -> np.dtype[Any]:
    """A text type at least as wide as the values and no wider than stored labels are."""
    width = int(dtype[2:]) if len(dtype) < 8 else 0
    if width < max(len(value) for value in values) or width > 2**16:
        raise DamagedFileError(f"labels in it do not fit the type {dtype[:40]!r}")
    return np.dtype(f"<U{width}")


def _exactly(values: list[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Numbers or booleans as an array of a type that holds them to the bit."""
    wanted = {"b": bool, "i": int, "u": int, "f": float}[dtype.kind]
    try:
        array = np.array([value for value in values if type(value) is wanted], dtype=dtype)
    except OverflowError:
        array = np.zeros(0, dtype=dtype)
    if not np.array_equal(array, np.array(values), equal_nan=wanted is float) or len(array) != len(values):
        raise DamagedFileError("labels in it do not fit their type")
    return array


def _is_numbers(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype == np.float64


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**62
