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
from typing import Any

import numpy as np
from numpy.typing import NDArray

import assay
from assay.data.write.atomic import write_atomic
from assay.notes import Note, note_of
from assay.storage import archive, npy, sklearn_models
from assay.storage.damaged_file import DamagedFileError, RefusedFileError
from assay.storage.decode import Decoder
from assay.storage.encode import Encoder
from assay.storage.state import check_is_fitted
from assay.storage.strict_json import check_plain

FORMAT = 2  # the first one had sentences in place of notes; it is read as well
KEYS = {"format", "assay", "model", "members", "about"}


def save(model: Any, path: str | os.PathLike[str], *, about: Mapping[str, Any] | None = None) -> Path:
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
        if not isinstance(content, dict) or not set(content) & {"part", "estimator"}:
            raise ValueError(Note("F082", kind=type(model).__name__))
        check_is_fitted(model, _fitted_state(content))
        check_plain(content)
    except ValueError as error:
        raise ValueError(Note("F083", title=_title(model), reason=note_of(error) or str(error))) from None
    header = {
        "format": FORMAT,
        "assay": assay.__version__,
        "about": notes,
        "model": content,
        "members": {name: _listing(array) for name, array in encoder.arrays.items()},
    }
    arrays = {name: npy.to_bytes(array) for name, array in encoder.arrays.items()}
    return write_atomic(path, lambda file: archive.write(file, header, {**arrays, **encoder.blobs}))


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


def describe_file(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What a model file says of itself: format, version of Assay, class and the notes given to `save`."""
    with _file_errors(path), archive.opened(path) as file:
        header = _header(file)
        content = header["model"]
        inner: Any = next(iter(content.values()), None) if isinstance(content, dict) else None
        name = inner.get("class") if isinstance(inner, dict) else None
        return {
            "format": header["format"],
            "assay": header["assay"],
            "class": name if isinstance(name, str) else None,
            "about": header["about"],
        }


def _fitted_state(content: dict[str, Any]) -> Any:
    """What an encoded model has beyond its parameters; None where it is not fitted."""
    kind, key = ("estimator", "member") if "estimator" in content else ("part", "state")
    return content[kind].get(key) if isinstance(content[kind], dict) else None


def _title(model: Any) -> str:
    return f"{type(model).__name__} object" if not hasattr(model, "get_params") else type(model).__name__


def _check_about(about: Mapping[str, Any] | None) -> dict[str, Any]:
    """Notes as plain values."""
    notes = dict(about or {})
    if not all(isinstance(key, str) for key in notes):
        raise ValueError(Note("F073"))
    _check_note(notes, 0)
    check_plain(notes)
    return notes


def _check_note(value: Any, depth: int) -> None:
    if depth > 20:
        raise ValueError(Note("F074"))
    parts = value.values() if type(value) is dict else value if type(value) is list else ()
    if type(value) is dict and not all(isinstance(key, str) for key in value):
        raise ValueError(Note("F073"))
    plain = value is None or type(value) in (dict, list, str, bool, int, float)
    if not plain or (type(value) is float and not np.isfinite(value)):
        raise ValueError(Note("F075", value=str(value)[:40]))
    for part in parts:
        _check_note(part, depth + 1)


def _listing(array: NDArray[Any]) -> dict[str, Any]:
    return {"dtype": array.dtype.str, "shape": list(array.shape)}


def _header(file: archive.Archive) -> dict[str, Any]:
    header = file.header()
    version = header.get("format")
    if type(version) is not int or version < 1:
        raise DamagedFileError("model.json does not say which format it has")
    if version > FORMAT:
        raise RefusedFileError(Note("F077", version=version))
    if set(header) != KEYS or not isinstance(header["assay"], str) or not isinstance(header["about"], dict):
        raise DamagedFileError("model.json does not have the entries of its format")
    file.check_listed(header["members"])
    return header


def _decode(file: archive.Archive, header: dict[str, Any]) -> Any:
    members, used = header["members"], set[str]()

    def fetch(name: str, ending: str) -> bytes:
        if name not in members or not name.endswith(ending) or name in used:
            raise DamagedFileError(
                f"model.json refers to the member {name[:80]!r}, which is not there for it"
            )
        used.add(name)
        return file.read(name, members[name])

    def array(name: str) -> NDArray[Any]:
        if name in members:
            layout = npy.layout(members[name], name)
            npy.check_length(name, layout, file.sizes[name])
        data = fetch(name, ".npy")
        return npy.read_array(io.BytesIO(data), name, layout, len(data))

    def estimator(about: dict[str, Any]) -> Any:
        member = about.get("member")
        if not isinstance(member, str):
            raise DamagedFileError("an estimator in it has no member")
        return sklearn_models.restore(about, lambda: fetch(member, ".skops"))

    content = header["model"]
    if not isinstance(content, dict) or not set(content) & {"part", "estimator"}:
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
