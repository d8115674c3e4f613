"""The model file: a zip of ``model.json`` and ``.npy`` arrays. A saved model is data, never code.

The format is described in docs/model_file.md. A model that is solved from moments is stored as its parameters, its
classes and its moments: loading solves it again, so it predicts the same and can still learn, merge and forget.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypedDict, TypeGuard

import numpy as np

import assay
from assay.data.write.atomic import write_atomic
from assay.notes import Note, note_of
from assay.numerics.scalars import are_texts, is_text
from assay.storage import archive, npy, sklearn_models
from assay.storage.damaged_file import DamagedFileError, RefusedFileError, required
from assay.storage.decode import Decoder
from assay.storage.encode import Encoder
from assay.storage.state import check_is_fitted
from assay.storage.strict_json import check_plain
from assay.types import Cells, Json, JsonObject

FORMAT = 2  # the first one had sentences in place of notes; it is read as well
OTHER_ENTRIES = "model.json does not have the entries of its format"
KEYS = {"format", "assay", "model", "members", "about"}
FileDescription = TypedDict(
    "FileDescription", {"format": int, "assay": str, "class": str | None, "about": JsonObject}
)


class Header(TypedDict):
    """``model.json``, whose entries are those of its format."""

    format: int
    assay: str
    about: JsonObject
    model: Json
    members: Mapping[str, JsonObject]


def save(model: object, path: str | os.PathLike[str], *, about: Mapping[str, object] | None = None) -> Path:
    """Write a fitted model to a file, completely or not at all.

    Parameters
    ----------
    model : model, step, pipeline of these, or the best model of `compare`
    path : str or path
        Usually ending in ``.assay``; its folder must exist.
    about : dict, optional
        Remarks stored with the model, of plain values: text, numbers, lists and dicts.

    Examples
    --------
    >>> import assay, tempfile
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = assay.save(assay.GaussianNB().fit(X, y), f"{folder.name}/iris.assay")
    >>> bool((assay.load(path).predict(X) == assay.GaussianNB().fit(X, y).predict(X)).all())
    True
    >>> folder.cleanup()
    """
    encoder = Encoder(sklearn_models.dump)
    try:
        notes = _check_about(about)
        content = encoder.encode(model)
        if not is_model(content):
            raise ValueError(Note("F082", kind=type(model).__name__))
        check_is_fitted(model, _fitted_state(content))
        check_plain(content)
    except ValueError as error:
        raise ValueError(Note("F083", title=_title(model), reason=note_of(error) or str(error))) from None
    header: JsonObject = {"format": FORMAT, "assay": assay.__version__, "about": notes, "model": content}
    layouts = {name: _listing(array) for name, array in encoder.arrays.items()}
    arrays = {name: npy.to_bytes(array) for name, array in encoder.arrays.items()}
    return write_atomic(path, lambda file: archive.write(file, header, layouts, {**arrays, **encoder.blobs}))


def load(path: str | os.PathLike[str]) -> Any:
    """Read a model written by :func:`save`. Nothing in the file is executed.

    A file that is damaged, changed, of another kind, too large or from a newer Assay causes one error message.
    Checksums detect damage; they do not show who wrote the file.

    Examples
    --------
    >>> import assay, tempfile
    >>> model = assay.Standardize().fit([[1.0], [2.0], [3.0]])
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = assay.save(model, f"{folder.name}/scale.assay")
    >>> assay.load(path).transform([[4.0]]).tolist()
    [[2.0]]
    >>> folder.cleanup()
    """
    with _file_errors(path), archive.opened(path) as file:
        header = _header(file)
        return _decode(file, header)


def describe_file(path: str | os.PathLike[str]) -> FileDescription:
    """What a model file says of itself: format, version of Assay, class and the notes given to `save`."""
    with _file_errors(path), archive.opened(path) as file:
        header = _header(file)
        content = header["model"]
        inner = next(iter(content.values()), None) if isinstance(content, dict) else None
        name = inner.get("class") if isinstance(inner, dict) else None
        return {
            "format": header["format"],
            "assay": header["assay"],
            "class": name if is_text(name) else None,
            "about": header["about"],
        }


def is_model(content: Json) -> TypeGuard[JsonObject]:
    """Whether what is encoded is a model or an estimator, not another value."""
    return isinstance(content, dict) and not {"part", "estimator"}.isdisjoint(content)


def _fitted_state(content: JsonObject) -> Json:
    """What an encoded model has beyond its parameters; None where it is not fitted."""
    kind, key = ("estimator", "member") if "estimator" in content else ("part", "state")
    inner = content[kind]
    return inner.get(key) if isinstance(inner, dict) else None


def _title(model: object) -> str:
    return f"{type(model).__name__} object" if not hasattr(model, "get_params") else type(model).__name__


def _check_about(about: Mapping[str, object] | None) -> dict[str, Json]:
    """Notes as plain values."""
    notes = _plain_notes(dict(about or {}), 0)
    check_plain(notes)
    return notes


def _plain_notes(notes: dict[str, object], depth: int) -> dict[str, Json]:
    if not are_texts(list(notes)):
        raise ValueError(Note("F073"))
    return {name: _plain_note(value, depth + 1) for name, value in notes.items()}


def _plain_note(value: object, depth: int) -> Json:
    if depth > 20:
        raise ValueError(Note("F074"))
    if type(value) is dict:
        return _plain_notes(value, depth)
    if type(value) is list:
        return [_plain_note(part, depth + 1) for part in value]
    if value is None or type(value) is str or type(value) is bool or type(value) is int:
        return value
    if type(value) is float and np.isfinite(value):
        return value
    raise ValueError(Note("F075", value=str(value)[:40]))


def _listing(array: Cells) -> JsonObject:
    return {"dtype": array.dtype.str, "shape": list(array.shape)}


def _header(file: archive.Archive) -> Header:
    header = file.header()
    version = header.get("format")
    if type(version) is not int or version < 1:
        raise DamagedFileError("model.json does not say which format it has")
    if version > FORMAT:
        raise RefusedFileError(Note("F077", version=version))
    if set(header) != KEYS:
        raise DamagedFileError(OTHER_ENTRIES)
    return {
        "format": version,
        "assay": required(header["assay"], str, OTHER_ENTRIES),
        "about": required(header["about"], dict, OTHER_ENTRIES),
        "model": header["model"],
        "members": file.listed(header["members"]),
    }


def _decode(file: archive.Archive, header: Header) -> object:
    members, used = header["members"], set[str]()

    def fetch(name: str, ending: str) -> bytes:
        if name not in members or not name.endswith(ending) or name in used:
            raise DamagedFileError(
                f"model.json refers to the member {name[:80]!r}, which is not there for it"
            )
        used.add(name)
        return file.read(name, members[name])

    def array(name: str) -> Cells:
        if name in members:
            layout = npy.layout(members[name], name)
            npy.check_length(name, layout, file.sizes[name])
        data = fetch(name, ".npy")
        return npy.read_array(io.BytesIO(data), name, layout, len(data))

    def estimator(about: JsonObject) -> object:
        member = required(about.get("member"), str, "an estimator in it has no member")
        return sklearn_models.restore(about, lambda: fetch(member, ".skops"))

    content = header["model"]
    if not is_model(content):
        raise DamagedFileError("model.json does not describe a model")
    if _fitted_state(content) is None:
        raise DamagedFileError("the model in it is not fitted")
    model = Decoder(array, estimator).decode(content)
    for name in sorted(set(members) - used):
        raise DamagedFileError(f"member {name!r} belongs to nothing in model.json")
    return model


@contextmanager
def _file_errors(path: str | os.PathLike[str]) -> Iterator[None]:
    """Every failure as one sentence that begins with the file."""
    shown = str(os.fspath(path))
    try:
        yield
    except FileNotFoundError:
        raise FileNotFoundError(Note("F086", shown)) from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        worded = type(error)(Note("F300", shown, reason=reason))
        worded.errno = error.errno
        raise worded from None
    except MemoryError:
        raise ValueError(Note("F087", shown)) from None
    except RefusedFileError as error:
        raise ValueError(error.args[0].with_subject(shown)) from None
    except DamagedFileError as error:
        raise ValueError(Note("F088", shown, damage=_one_line(error))) from None
    except ValueError as error:
        raise ValueError(Note("F089", shown, reason=note_of(error) or _one_line(error))) from None


def _one_line(error: ValueError) -> str:
    """The clause of an error; text from the file may have line ends."""
    return " ".join(str(error).split())
