"""Fitted attributes that come from a file are checked: what they are, how long, and what they hold."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from assay.data.schema import Column, Schema
from assay.models.base.stored import Field, UnusableModelError
from assay.numerics.arrays import is_array
from assay.numerics.scalars import are_texts
from assay.statistics import Counts, Moments
from assay.storage.nested_checks import (
    check_calibration,
    check_counts,
    check_encoder,
    check_features,
    check_kinds,
    check_model,
    check_models,
    check_parts,
    check_ratings,
    check_steps,
    check_tree_nodes,
)
from assay.storage.registry import RECORDS
from assay.storage.stored_fields import name_of
from assay.types import Array, Cells, Index, Parameters

if TYPE_CHECKING:
    from assay.models.table.fingerprint import Fingerprint
    from assay.models.table.partial_fit import Gathered

Lengths = dict[str, int]
# Rounding of sums of products: a scatter matrix beyond it was not computed from rows.
ROUNDING = 1e-6
LARGEST = 1e150  # values beyond it are refused in a fit too: their squares overflow


def check_fields(fields: tuple[Field, ...], state: Parameters) -> None:
    """Raise a clause that names the first attribute that cannot be one of a fitted model."""
    unknown = sorted(set(state) - {field.name for field in fields})
    if unknown:
        raise UnusableModelError(f"it has an attribute {unknown[0]!r} that it should not have")
    lengths: Lengths = {}
    for field in fields:
        if field.name in state:
            value = state[field.name]
            _check(field, value, field.kind)
            _bind(field, value, lengths)
        elif not field.optional:
            raise UnusableModelError(f"its attribute {field.name!r} is missing")


def _check(field: Field, value: object, kind: str) -> None:
    wanted, expected = TYPES.get(kind, (object, ""))
    if not isinstance(value, wanted):
        raise field.wrong(expected)
    if kind in KINDS or wanted is object:
        KINDS[kind](field, value)


def _axes(field: Field, value: object) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Names and lengths of the axes of a checked value."""
    if field.kind == "counts":
        return ("K",), cast(Counts, value).weight.shape
    if field.kind == "levels":
        return ("D",), (len(cast("tuple[object, ...]", value)),)
    if field.kind == "moments":
        return ("K", "D"), cast(Moments, value).center.shape
    if field.name in ("n_features_in_", "n_components_"):
        return ("D" if field.name == "n_features_in_" else "E",), (cast(int, value),)
    return field.shape, np.shape(cast("Cells", value)) if field.shape else ()


def _bind(field: Field, value: object, lengths: Lengths) -> None:
    """Compare lengths of axes with those seen before under the same name."""
    names, shape = _axes(field, value)
    if len(names) != len(shape):
        raise UnusableModelError(
            f"its attribute {field.name!r} has {len(shape)} axes instead of {len(names)}"
        )
    for name, length in zip(names, shape, strict=True):
        if lengths.setdefault(name, length) != length:
            raise UnusableModelError(
                f"its attribute {field.name!r} has an axis of length {length} where others have "
                f"{lengths[name]}"
            )
    if field.kind == "columns" and cast("Index", value).max(initial=-1) >= lengths["D"]:
        raise UnusableModelError(f"its attribute {field.name!r} points beyond the {lengths['D']} columns")


def _numbers(field: Field, value: object) -> Array:
    if not is_array(value, np.float64) or not np.isfinite(value).all():
        raise field.wrong("an array of finite numbers")
    return value


def _constants(field: Field, value: object) -> None:
    """Finite numbers; -inf for classes without rows."""
    if (
        not is_array(value, np.float64)
        or not (np.isfinite(value) | np.isneginf(value)).all()
        or np.isneginf(value).all()
    ):
        raise field.wrong("an array of numbers, or -inf for classes without rows")


def _amounts(field: Field, value: object) -> Array:
    numbers = _numbers(field, value)
    if (numbers < 0).any():
        raise field.wrong("an array of numbers of at least 0")
    return numbers


def _positive(field: Field, value: object) -> None:
    if (_numbers(field, value) <= 0).any():
        raise field.wrong("an array of positive numbers")


def _measured(field: Field, value: object) -> None:
    """Rows in single or double precision; missing values where a model takes them, which it checks itself."""
    if not is_array(value, np.float64, np.float32) or np.isinf(value).any():
        raise field.wrong("an array of rows")


def _codes(field: Field, value: object) -> None:
    if not is_array(value, np.int32) or (value < 0).any():
        raise field.wrong("an array of class numbers")


def _columns(field: Field, value: object) -> None:
    if not is_array(value, np.int64) or (value < 0).any():
        raise field.wrong("an array of column positions")


def _places(field: Field, value: object) -> None:
    if not is_array(value, np.int64) or (value < 0).any():
        raise field.wrong("an array of whole numbers of at least 0")


def _count(field: Field, value: object) -> None:
    if type(value) is not int or not 0 < value < 2**31:
        raise field.wrong("a number of columns")


def _tally(field: Field, value: object) -> None:
    if type(value) is not int or not 0 <= value < 2**53:
        raise field.wrong("a number of steps")


def _flag(field: Field, value: object) -> None:
    if type(value) is not bool:
        raise field.wrong("true or false")


def _number(field: Field, value: object) -> float:
    if type(value) is not float or not np.isfinite(value):
        raise field.wrong("a finite number")
    return value


def _reach(field: Field, value: object) -> None:
    if not _number(field, value) > 0:
        raise field.wrong("a positive number")


def _history(field: Field, value: list[object]) -> None:
    """What each epoch came to: a number, or several of which some may be unknown."""
    entries = [entry if isinstance(entry, tuple) else (entry,) for entry in value]
    numbers = [part for entry in entries for part in entry if part is not None]
    if not all(type(part) is float and np.isfinite(part) for part in numbers):
        raise field.wrong("a list of what each epoch came to")


def _sentences(field: Field, value: object) -> None:
    if not are_texts(value, tuple):
        raise field.wrong("a tuple of sentences")


def _names(field: Field, value: object) -> list[str]:
    names = value.tolist() if is_array(value, np.object_, axes=1) else None
    if not are_texts(names):
        raise field.wrong("an array of names")
    return names


def _vocabulary(field: Field, value: object) -> None:
    """Different words in the order of their code points, none of which breaks UTF-8."""
    if not _names(field, value):
        raise field.wrong("an array of different words in order")
    _words(field, value)


def _words(field: Field, value: object) -> None:
    """The same, or none."""
    words = _names(field, value)
    if any(first >= second for first, second in pairwise(words)):
        raise field.wrong("an array of different words in order")
    if any("\ud800" <= letter <= "\udfff" for word in words if not word.isascii() for letter in word):
        raise field.wrong("an array of words")


def _vocabularies(field: Field, value: tuple[object, ...]) -> None:
    """The words of each column; not all of them have none."""
    if not any(len(words) for words in value if is_array(words)):
        raise field.wrong("a tuple of vocabularies")
    for words in value:
        if not is_array(words) or len(words):
            _vocabulary(field, words)


def _tallies(field: Field, value: object) -> None:
    if not are_texts(value, dict):
        raise field.wrong("numbers by name")
    for number in value.values():
        _tally(field, number)


def _labels(field: Field, value: object) -> None:
    if not is_array(value, axes=1) or value.dtype.kind not in "biufUO" or not len(value):
        raise field.wrong("an array of labels")
    if value.dtype.kind == "O" and len({type(label) for label in value.tolist()}) > 1:
        raise field.wrong("an array of labels of one type")
    if value.dtype.kind == "f" and not np.isfinite(value).all():
        raise field.wrong("an array of finite labels")
    if not np.greater(value[1:], value[:-1]).all():
        raise field.wrong("an array of different labels in order")


def _levels(field: Field, value: tuple[object, ...]) -> None:
    """Categories of each column, in order; a column may have none."""
    for categories in value:
        if not is_array(categories) or len(categories):
            _labels(field, categories)


def _output(field: Field, value: object) -> None:
    if value not in ({"transform": "default"}, {"transform": "pandas"}, {"transform": "polars"}):
        raise field.wrong("a kind of output")


def _schema(field: Field, value: Schema) -> None:
    if len(set(value.names)) != len(value.names):
        raise field.wrong("a schema of columns with different names")


def _groups(field: Field, value: tuple[object, ...]) -> None:
    kinds = {"column": str, "type": str, "first": int, "last": int}
    if not all(_is_record(group, "Group", kinds) for group in value):
        raise field.wrong("a tuple of groups of columns")


def _is_record(value: object, name: str, kinds: dict[str, type]) -> bool:
    right = name_of(value, RECORDS) == name
    return right and all(type(getattr(value, part)) is kind for part, kind in kinds.items())


def _loss(field: Field, value: object) -> None:
    if name_of(value, RECORDS) != "LossMatrix":
        raise field.wrong("a loss matrix")


def _fingerprint(field: Field, value: object) -> None:
    kinds = {"salt": int, "complete": bool, "sampled": int, "chance": float, "hashes": np.ndarray}
    prints = cast("Fingerprint", value)
    sound = _is_record(value, "Fingerprint", kinds) and prints.hashes.dtype == np.uint32
    if not sound or prints.hashes.ndim != 1 or not (prints.hashes[1:] > prints.hashes[:-1]).all():
        raise field.wrong("a fingerprint of rows")
    if not 0 <= prints.salt < 2**32 or prints.sampled < len(prints.hashes) or not 0.0 <= prints.chance <= 1.0:
        raise field.wrong("a fingerprint of rows")


def _priors(field: Field, value: object) -> None:
    shares = _amounts(field, value)
    if shares.ndim != 1 or abs(float(shares.sum()) - 1.0) > ROUNDING:
        raise field.wrong("an array of proportions")


def _gathered(field: Field, value: object) -> None:
    """Moments of all blocks so far, how missing values were read, and extremes."""
    blocks = cast("Gathered", value)
    if not _is_record(value, "Gathered", {}) or not _is_record(blocks.filling, "Filling", {}):
        raise field.wrong("what blocks of rows left behind")
    values, flags = blocks.filling.values, blocks.filling.indicators
    _labels(field, blocks.classes)
    _check(field, blocks.moments, "moments")
    _numbers(field, values)
    right = values.ndim == 1 and is_array(flags, np.int32, axes=1)
    width = len(values)
    if not right or (flags < 0).any() or (flags >= width).any() or not (flags[1:] > flags[:-1]).all():
        raise field.wrong("what blocks of rows left behind")
    # Flags are features of their own, but for diagonal moments, which leave missing values out.
    shape = (len(blocks.classes), width + (0 if blocks.moments.form == "diagonal" else len(flags)))
    ends = () if blocks.extremes is None else (blocks.extremes.low, blocks.extremes.high)
    fit = all(is_array(end, np.float64) and end.shape == (1, width) for end in ends)
    if blocks.moments.center.shape != shape or not fit:
        raise field.wrong("what blocks of rows of one table left behind")


def _moments(field: Field, value: Moments) -> None:
    for name, array in value.arrays().items():
        if not np.isfinite(array).all():
            raise UnusableModelError(f"its {name} of the moments holds values that are not finite")
    if max(np.abs(value.center).max(initial=0.0), np.abs(value.offset).max(initial=0.0)) > LARGEST:
        raise UnusableModelError("its moments have means whose squares overflow")
    if value.center.ndim != 2 or 0 in value.center.shape:
        raise UnusableModelError(f"its moments have centers of shape {value.center.shape}")
    if (value.weight < 0).any() or (value.rows < 0).any() or not (value.weight > 0).any():
        raise UnusableModelError("its moments have negative weights, or none at all")
    if ((value.weight > 0) != (value.rows > 0)).any():
        raise UnusableModelError("its moments have weights without rows, or rows without weights")
    if value.present is not None and not _within(value.present, value.weight[:, None]):
        raise UnusableModelError("its moments have more values than rows")
    if not _is_scatter(value):
        raise UnusableModelError("its moments have a scatter that no rows have")


def _within(part: Array, whole: Array) -> bool:
    return bool(((part >= 0) & (part <= whole * (1.0 + ROUNDING))).all())


def _is_scatter(m: Moments) -> bool:
    """Sums of squares are not negative, products are symmetric and no larger than squares allow, up to rounding."""
    if m.form == "diagonal":
        return bool((m.scatter >= 0).all())
    squares = np.diagonal(m.scatter, axis1=-2, axis2=-1)
    noise = ROUNDING * float(squares.max(initial=0.0))
    if (squares < -noise).any():
        return False
    root = np.sqrt(np.maximum(squares, 0.0))
    largest = root[..., :, None] * root[..., None, :] + noise
    apart = m.scatter - np.swapaxes(m.scatter, -1, -2)
    return bool((np.abs(m.scatter) <= largest).all() and (np.abs(apart) <= noise).all())


# What values of a kind are, in Python and in words; of most kinds there is more to check.
TYPES: dict[str, tuple[type, str]] = {
    "text": (str, "text"),
    "column": (Column, "a column"),
    "history": (list, "a list of what each epoch came to"),
    "vocabularies": (tuple, "a tuple of vocabularies"),
    "levels": (tuple, "a tuple of categories"),
    "schema": (Schema, "a schema of columns with different names"),
    "groups": (tuple, "a tuple of groups of columns"),
    "moments": (Moments, "a set of moments"),
    "counts": (Counts, "a set of counts"),
}
KINDS: dict[str, Callable[[Field, Any], object]] = {
    "numbers": _numbers,
    "amounts": _amounts,
    "positive": _positive,
    "constants": _constants,
    "measured": _measured,
    "codes": _codes,
    "columns": _columns,
    "places": _places,
    "count": _count,
    "number": _number,
    "reach": _reach,
    "history": _history,
    "tally": _tally,
    "flag": _flag,
    "sentences": _sentences,
    "names": _names,
    "vocabulary": _vocabulary,
    "vocabularies": _vocabularies,
    "tallies": _tallies,
    "labels": _labels,
    "output": _output,
    "schema": _schema,
    "groups": _groups,
    "encoder": check_encoder,
    "model": check_model,
    "models": check_models,
    "parts": check_parts,
    "kinds": check_kinds,
    "words": _words,
    "ratings": check_ratings,
    "features": check_features,
    "steps": check_steps,
    "calibration": check_calibration,
    "priors": _priors,
    "loss": _loss,
    "fingerprint": _fingerprint,
    "gathered": _gathered,
    "moments": _moments,
    "counts": check_counts,
    "levels": _levels,
    "tree_nodes": check_tree_nodes,
}
