"""Values from JSON that may come from strangers: the way back of `to_json`, each kind checked before it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.inference.formats import written_like
from assay.data.schema import COLUMN_TYPES, Column, Schema
from assay.notes import Note
from assay.numerics.arrays import is_array
from assay.numerics.scalars import are_texts, is_text
from assay.statistics import Counts, Moments
from assay.storage.damaged_file import DamagedFileError
from assay.storage.encode import DEEPEST_PART, LABEL_TYPES
from assay.storage.npy import DTYPES
from assay.storage.registry import FOREIGN, RECORDS
from assay.storage.state import Part, rebuild
from assay.storage.stored_fields import load

SPECIAL = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}


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
            raise DamagedFileError(Note("F047"))
        (tag, content), *_ = value.items()
        if tag not in _DECODERS:
            raise DamagedFileError(Note("F048", tag=tag[:80]))
        kind, name = _DECODERS[tag]
        if not isinstance(content, kind):
            raise DamagedFileError(Note("F049", tag=tag))
        return getattr(self, name)(content)

    def _number(self, content: str) -> float:
        if content not in SPECIAL:
            raise DamagedFileError(Note("F050"))
        return SPECIAL[content]

    def _tuple(self, content: list[Any]) -> tuple[Any, ...]:
        return tuple(self.decode(part) for part in content)

    def _mapping(self, content: list[Any]) -> dict[Any, Any]:
        if not all(isinstance(pair, list) and len(pair) == 2 for pair in content):
            raise DamagedFileError(Note("F051"))
        pairs = [(self.decode(key), self.decode(part)) for key, part in content]
        if not all(key is None or isinstance(key, bool | int | float | str) for key, _ in pairs):
            raise DamagedFileError(Note("F052"))
        return dict(pairs)

    def _note(self, content: dict[str, Any]) -> str:
        """A note by its code and values; its sentence where this version does not know them."""
        code, subject, values = (content.get(key) for key in ("code", "subject", "values"))
        sentence = content.get("sentence")
        if not isinstance(sentence, str):
            raise DamagedFileError(Note("F049", tag="note"))
        if not isinstance(code, str) or not isinstance(subject, str) or not isinstance(values, dict):
            return sentence
        try:
            return Note(code, subject, {name: self.decode(value) for name, value in values.items()})
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            return sentence

    def _scalar(self, content: dict[str, Any]) -> Any:
        return self._typed(content.get("dtype"), [self.decode(content.get("value"))])[0]

    def _labels(self, content: dict[str, Any]) -> NDArray[Any]:
        values = content.get("values")
        if not isinstance(values, list):
            raise DamagedFileError(Note("F053"))
        return self._typed(content.get("dtype"), self.decode(values))

    def _typed(self, dtype: Any, values: list[Any]) -> NDArray[Any]:
        kinds = {type(value) for value in values}
        if len(kinds) > 1 or not kinds <= set(LABEL_TYPES) or not isinstance(dtype, str):
            raise DamagedFileError(Note("F054"))
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
            raise DamagedFileError(Note("F055", dtype=dtype[:40]))
        return _exactly(values, np.dtype(dtype).newbyteorder("="))

    def _array(self, content: str) -> NDArray[Any]:
        return self.array(content)

    def _moments(self, content: dict[str, Any]) -> Moments:
        values = {name: self.decode(part) for name, part in content.items()}
        form = values.pop("form", None)
        if not isinstance(form, str) or not all(_is_numbers(part) for part in values.values()):
            raise DamagedFileError(Note("F056"))
        return Moments.from_arrays({"form": form, **values})

    def _counts(self, content: dict[str, Any]) -> Counts:
        values = {name: self.decode(part) for name, part in content.items()}
        whole = [is_array(part, np.int64) for part in values.values()]
        if not all(known or _is_numbers(part) for known, part in zip(whole, values.values(), strict=True)):
            raise DamagedFileError(Note("F057"))
        return Counts.from_arrays(values)

    def _schema(self, content: list[Any]) -> Schema:
        return Schema(tuple(self._column(part) for part in content))

    def _column(self, content: Any) -> Column:
        if not isinstance(content, dict) or set(content) - {part.name for part in fields(Column)}:
            raise DamagedFileError(Note("F058"))
        values = {name: self.decode(part) for name, part in content.items()}
        levels, examples = values.get("levels", []), values.get("examples", [])
        distinct = values.get("distinct")
        sound = (
            is_text(values.get("name"))
            and values.get("type") in COLUMN_TYPES
            and isinstance(levels, list)
            and all(type(level) in LABEL_TYPES for level in levels)
            and len({(type(level), level) for level in levels}) == len(levels)
            and are_texts(examples)
            and are_texts([values.get("reason", ""), values.get("note", "")])
            and are_texts(values.get("markers", []))
            and _are_marked(values.get("marked", []))
            and _is_written(values.get("written", ""))
            and _is_count(values.get("missing", 0))
            and (distinct is None or _is_count(distinct))
        )
        if not sound:
            raise DamagedFileError(Note("F059", given=str(values.get("name"))[:80]))
        return Column.from_json({**values, "levels": levels, "examples": examples})

    def _record(self, content: dict[str, Any]) -> Any:
        if len(content) != 1:
            raise DamagedFileError(Note("F060"))
        (name, parts), *_ = content.items()
        if name not in RECORDS or not isinstance(parts, dict):
            raise DamagedFileError(Note("F061", name=name[:80]))
        kind = load(RECORDS[name])
        first = {part.name for part in fields(kind) if "later" not in part.metadata}
        if not first <= set(parts) <= {part.name for part in fields(kind)}:
            raise DamagedFileError(Note("F062", name=name))
        values = {part: self.decode(value) for part, value in parts.items()}
        try:
            return kind(**values)
        except (TypeError, ValueError):  # of plans, which check what they are given
            raise DamagedFileError(Note("F067", name=name)) from None

    def _estimator(self, content: dict[str, Any]) -> Any:
        name, parameters = content.get("class"), content.get("parameters")
        if not isinstance(name, str) or name not in FOREIGN:
            raise DamagedFileError(Note("F063", name=str(name)[:80]))
        if "member" in content:
            return self.foreign(content)
        if not isinstance(parameters, dict):
            raise DamagedFileError(Note("F064", name=name))
        unfitted = load(FOREIGN[name])
        if set(parameters) - set(unfitted._get_param_names()):
            raise DamagedFileError(Note("F065", name=name))
        return unfitted(**{key: self.decode(value) for key, value in parameters.items()})

    def part(self, content: dict[str, Any]) -> Any:
        name, parameters, state = (content.get(key) for key in ("class", "parameters", "state"))
        if (
            not isinstance(name, str)
            or not isinstance(parameters, dict)
            or not isinstance(state, dict | None)
            or self.depth >= DEEPEST_PART
        ):
            raise DamagedFileError(Note("F066"))
        inner = Decoder(self.array, self.foreign, self.depth + 1)
        decoded = {key: inner.decode(value) for key, value in parameters.items()}
        fitted = None if state is None else {key: inner.decode(value) for key, value in state.items()}
        return rebuild(Part(name, decoded, fitted))


_DECODERS: dict[str, tuple[type, str]] = {
    "number": (str, "_number"),
    "tuple": (list, "_tuple"),
    "mapping": (list, "_mapping"),
    "note": (dict, "_note"),
    "scalar": (dict, "_scalar"),
    "array": (str, "_array"),
    "labels": (dict, "_labels"),
    "moments": (dict, "_moments"),
    "counts": (dict, "_counts"),
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
        raise DamagedFileError(Note("F045", dtype=dtype[:40]))
    return np.dtype(f"<U{width}")


def _exactly(values: list[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Numbers or booleans as an array of a type that holds them to the bit."""
    wanted = {"b": bool, "i": int, "u": int, "f": float}[dtype.kind]
    try:
        array = np.array([value for value in values if type(value) is wanted], dtype=dtype)
    except OverflowError:
        array = np.zeros(0, dtype=dtype)
    if not np.array_equal(array, np.array(values), equal_nan=wanted is float) or len(array) != len(values):
        raise DamagedFileError(Note("F046"))
    return array


def _is_numbers(value: Any) -> bool:
    return is_array(value, np.float64)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**62


def _is_written(example: Any) -> bool:
    return is_text(example) and (example == "" or written_like(example) is not None)


def _are_marked(value: Any) -> bool:
    """Whether it is a list of texts and how often each occurs."""
    return isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and is_text(pair[0]) and _is_count(pair[1])
        for pair in value
    )
