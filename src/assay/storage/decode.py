"""Values from JSON that may come from strangers: the way back of `to_json`, each kind checked before it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np

from assay.data.inference.formats import parse_format
from assay.data.schema import COLUMN_TYPES, Column, Schema
from assay.notes import Note, as_note
from assay.notes.note import LEVELS
from assay.notes.texts import TEXTS
from assay.numerics.arrays import is_array
from assay.numerics.scalars import are_texts, is_plain, is_text
from assay.statistics import Counts, Moments
from assay.storage.damaged_file import DamagedFileError, required
from assay.storage.encode import DEEPEST_PART, LABEL_TYPES
from assay.storage.npy import DTYPES
from assay.storage.registry import FOREIGN, RECORDS
from assay.storage.state import StoredPart, rebuild
from assay.storage.stored_fields import load
from assay.types import Cells, Json, JsonObject, Numbers, Parameters, Plain

NOTE_KEYS = ("code", "level", "subject", "values", "sentence")
SPECIAL = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}


@dataclass
class Decoder:
    """Turns JSON back into values; arrays and foreign estimators are fetched by name."""

    array: Callable[[str], Cells]
    foreign: Callable[[JsonObject], object]
    depth: int = 0

    def decode(self, value: Json) -> object:
        if isinstance(value, list):
            return [self.decode(part) for part in value]
        if not isinstance(value, dict):
            return value
        if len(value) != 1:
            raise DamagedFileError("a value in it has more than one kind")
        (tag, content), *_ = value.items()
        if tag not in _DECODERS:
            raise DamagedFileError(f"a value in it is of the unknown kind {tag[:80]!r}")
        kind, name = _DECODERS[tag]
        return getattr(self, name)(
            required(content, kind, f"a value of kind {tag!r} in it has the wrong content")
        )

    def _number(self, content: str) -> float:
        if content not in SPECIAL:
            raise DamagedFileError("a special number in it is neither nan nor infinite")
        return SPECIAL[content]

    def _tuple(self, content: list[Json]) -> tuple[object, ...]:
        return tuple(self.decode(part) for part in content)

    def _mapping(self, content: list[Json]) -> dict[Plain, object]:
        pairs = [pair for pair in content if isinstance(pair, list) and len(pair) == 2]
        if len(pairs) < len(content):
            raise DamagedFileError("a mapping in it is not a list of pairs")
        decoded = [(self.decode(key), self.decode(part)) for key, part in pairs]
        mapping = {key: part for key, part in decoded if is_plain(key)}
        if not all(is_plain(key) for key, _ in decoded):
            raise DamagedFileError("a mapping in it has keys that are neither text nor numbers")
        return mapping

    def _scalar(self, content: JsonObject) -> object:
        return self._typed(content.get("dtype"), [self.decode(content.get("value"))])[0]

    def _labels(self, content: JsonObject) -> Cells:
        values = required(content.get("values"), list, "labels in it are not a list")
        return self._typed(content.get("dtype"), [self.decode(value) for value in values])

    def _typed(self, dtype: object, values: list[object]) -> Cells:
        kinds, damage = {type(value) for value in values}, "labels in it are of several types, or of none"
        dtype = required(dtype, str, damage)
        if len(kinds) > 1 or not kinds <= set(LABEL_TYPES):
            raise DamagedFileError(damage)
        if dtype == "|O":
            out = np.empty(len(values), dtype=object)
            out[:] = values
            return out
        if dtype[:2] == "<U" and dtype[2:].isdigit() and kinds <= {str}:
            texts = [str(value) for value in values]
            array = np.array(texts, dtype=np.str_)
            if f"<U{array.dtype.itemsize // 4}" != dtype and texts:
                array = array.astype(_wide(dtype, texts))
            return array
        if dtype not in DTYPES:
            raise DamagedFileError(f"labels in it have the type {dtype[:40]!r}")
        return _exactly(values, np.dtype(dtype).newbyteorder("="))

    def _array(self, content: str) -> Cells:
        return self.array(content)

    def _moments(self, content: JsonObject) -> Moments:
        damage = "moments in it are not arrays of numbers"
        form = required(content.get("form"), str, damage)
        parts = {name: self.decode(part) for name, part in content.items() if name != "form"}
        return Moments.from_arrays({"form": form, **_numbers(parts, damage, np.float64)})

    def _counts(self, content: JsonObject) -> Counts:
        parts = {name: self.decode(part) for name, part in content.items()}
        damage = "counts in it are not arrays of numbers"
        return Counts.from_arrays(_numbers(parts, damage, np.int64, np.float64))

    def _schema(self, content: list[Json]) -> Schema:
        return Schema(tuple(self._column(part) for part in content))

    def _column(self, content: Json) -> Column:
        damage = "a column of its schema has properties that columns do not have"
        values = self._members(content, damage)
        if set(values) - {part.name for part in fields(Column)}:
            raise DamagedFileError(damage)
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
            raise DamagedFileError(
                f"column {str(values.get('name'))[:80]!r} of its schema is not one that a table has"
            )
        return Column.from_json({**values, "levels": levels, "examples": examples})

    def _note(self, content: JsonObject) -> Note:
        code, level, subject, values, sentence = (content.get(key) for key in NOTE_KEYS)
        damage = "a note in it is not one that Assay writes"
        sound = set(content) == set(NOTE_KEYS) and are_texts([code, level, subject, sentence])
        if not sound or level not in LEVELS:
            raise DamagedFileError(damage)
        decoded = self._members(values, damage)
        if code in TEXTS:
            try:
                return Note(str(code), str(subject), decoded, str(level))
            except (LookupError, TypeError, ValueError, AttributeError):
                pass  # a code whose values a newer version has changed: its sentence stays
        return as_note(str(sentence))

    def _record(self, content: JsonObject) -> object:
        if len(content) != 1:
            raise DamagedFileError("a record in it has more than one kind")
        (name, parts), *_ = content.items()
        unknown = f"a record in it is of the unknown kind {name[:80]!r}"
        if name not in RECORDS:
            raise DamagedFileError(unknown)
        kind = load(RECORDS[name])
        first = {part.name for part in fields(kind) if "later" not in part.metadata}
        if not first <= set(required(parts, dict, unknown)) <= {part.name for part in fields(kind)}:
            raise DamagedFileError(f"a record {name} in it has other fields")
        values = self._members(parts, unknown)
        notes = values.get("notes")
        if are_texts(notes, tuple):
            values["notes"] = tuple(map(as_note, notes))
        try:
            return kind(**values)
        except (TypeError, ValueError):  # of plans, which check what they are given
            raise DamagedFileError(f"a record {name} in it has values that it cannot have") from None

    def _estimator(self, content: JsonObject) -> object:
        unknown = f"an estimator in it is of the unknown class {str(content.get('class'))[:80]!r}"
        name = required(content.get("class"), str, unknown)
        if name not in FOREIGN:
            raise DamagedFileError(unknown)
        if "member" in content:
            return self.foreign(content)
        parameters = required(content.get("parameters"), dict, f"the {name} in it has no parameters")
        unfitted = load(FOREIGN[name])
        if set(parameters) - set(unfitted._get_param_names()):
            raise DamagedFileError(f"the {name} in it has other parameters")
        return unfitted(**{key: self.decode(value) for key, value in parameters.items()})

    def _members(self, values: Json, damage: str) -> dict[str, object]:
        """What has to be an object of JSON, by name."""
        return {name: self.decode(value) for name, value in required(values, dict, damage).items()}

    def part(self, content: JsonObject) -> object:
        damage, state = "a model in it has no class or parameters, or lies too deep", content.get("state")
        name = required(content.get("class"), str, damage)
        if self.depth >= DEEPEST_PART:
            raise DamagedFileError(damage)
        inner = Decoder(self.array, self.foreign, self.depth + 1)
        parameters = inner._members(content.get("parameters"), damage)
        return rebuild(StoredPart(name, parameters, None if state is None else inner._members(state, damage)))


_DECODERS: dict[str, tuple[type, str]] = {
    "number": (str, "_number"),
    "tuple": (list, "_tuple"),
    "mapping": (list, "_mapping"),
    "scalar": (dict, "_scalar"),
    "array": (str, "_array"),
    "labels": (dict, "_labels"),
    "moments": (dict, "_moments"),
    "counts": (dict, "_counts"),
    "schema": (list, "_schema"),
    "column": (dict, "_column"),
    "note": (dict, "_note"),
    "record": (dict, "_record"),
    "estimator": (dict, "_estimator"),
    "part": (dict, "part"),
}


def _wide(dtype: str, values: list[str]) -> np.dtype[np.generic]:
    """A text type at least as wide as the values and no wider than stored labels are."""
    width = int(dtype[2:]) if len(dtype) < 8 else 0
    if width < max(len(value) for value in values) or width > 2**16:
        raise DamagedFileError(f"labels in it do not fit the type {dtype[:40]!r}")
    return np.dtype(f"<U{width}")


def _exactly(values: list[object], dtype: np.dtype[np.generic]) -> Cells:
    """Numbers or booleans as an array of a type that holds them to the bit."""
    wanted = {"b": bool, "i": int, "u": int, "f": float}[dtype.kind]
    try:
        array = np.array([value for value in values if type(value) is wanted], dtype=dtype)
    except OverflowError:
        array = np.zeros(0, dtype=dtype)
    if not np.array_equal(array, np.array(values), equal_nan=wanted is float) or len(array) != len(values):
        raise DamagedFileError("labels in it do not fit their type")
    return array


def _numbers(parts: Parameters, damage: str, *dtypes: type[np.number]) -> dict[str, Numbers]:
    """Parts that have to be arrays of these types."""
    arrays = {name: part for name, part in parts.items() if is_array(part, *dtypes)}
    if len(arrays) < len(parts):
        raise DamagedFileError(damage)
    return arrays


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < 2**62


def _is_written(example: object) -> bool:
    return is_text(example) and (example == "" or parse_format(example) is not None)


def _are_marked(value: object) -> bool:
    """Whether it is a list of texts and how often each occurs."""
    return isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and is_text(pair[0]) and _is_count(pair[1])
        for pair in value
    )
