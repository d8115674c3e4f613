"""Fitted estimators of scikit-learn inside a model file: stored by skops, with a fixed list of what may be in them.

skops rebuilds objects of named types. Its own list of trusted types is wide, and it does not look at what trees hold,
which scikit-learn's compiled code follows without checks. Here every node of the member must be on the list below,
arrays are measured before they are read, and the trees are examined before the first prediction.
"""

from __future__ import annotations

import io
import json
import re
import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import version
from importlib.util import find_spec
from math import prod
from typing import TypedDict, cast

import numpy as np

from assay.notes import Note
from assay.numerics.scalars import is_text
from assay.storage import archive
from assay.storage.damaged_file import DamagedFileError, RefusedFileError, required
from assay.storage.registry import FOREIGN
from assay.storage.sklearn_trees import check_estimator
from assay.storage.stored_fields import load
from assay.storage.strict_json import parse
from assay.types import Json, JsonObject

SCHEMA = "schema.json"
MOST_MEMBERS = 60_000  # a forest has a few arrays a tree
DEEPEST = 200
_NAMES = re.compile(r"schema\.json|[0-9]{1,8}\.npy")
_BOOSTING = "sklearn.ensemble._hist_gradient_boosting"
_SCALARS = ("bool", "bool_", "int32", "int64", "uint64", "float32", "float64", "str_")

# (how skops rebuilds it, module, name): nothing else is ever rebuilt.
NODES = {
    ("ObjectNode", "sklearn.tree._classes", "DecisionTreeClassifier"),
    ("ObjectNode", "sklearn.ensemble._forest", "RandomForestClassifier"),
    ("ObjectNode", f"{_BOOSTING}.gradient_boosting", "HistGradientBoostingClassifier"),
    ("TreeNode", "sklearn.tree._tree", "Tree"),
    ("ObjectNode", f"{_BOOSTING}.predictor", "TreePredictor"),
    ("ObjectNode", f"{_BOOSTING}.binning", "_BinMapper"),
    ("ObjectNode", "sklearn._loss.loss", "HalfBinomialLoss"),
    ("ObjectNode", "sklearn._loss.loss", "HalfMultinomialLoss"),
    ("LossNode", "sklearn._loss._loss", "CyHalfBinomialLoss"),
    ("LossNode", "sklearn._loss._loss", "CyHalfMultinomialLoss"),
    ("ObjectNode", "sklearn._loss.link", "LogitLink"),
    ("ObjectNode", "sklearn._loss.link", "MultinomialLogit"),
    ("ObjectNode", "sklearn._loss.link", "Interval"),
    ("ObjectNode", "sklearn.preprocessing._label", "LabelEncoder"),
    ("ObjectNode", "sklearn.preprocessing._encoders", "OrdinalEncoder"),
    ("ObjectNode", "sklearn.preprocessing._function_transformer", "FunctionTransformer"),
    ("ObjectNode", "sklearn.compose._column_transformer", "ColumnTransformer"),
    ("PartialNode", "functools", "partial"),
    ("FunctionNode", "sklearn.utils.validation", "check_array"),
    ("DictNode", "builtins", "dict"),
    ("ListNode", "builtins", "list"),
    ("TupleNode", "builtins", "tuple"),
    ("SliceNode", "builtins", "slice"),
    ("JsonNode", "builtins", "str"),
    ("TypeNode", "builtins", "str"),
    ("TypeNode", "builtins", "int"),
    ("TypeNode", "numpy", "float64"),
    ("NdArrayNode", "numpy", "ndarray"),
    *(("NdArrayNode", "numpy", name) for name in _SCALARS),
}
_NOTHING: JsonObject = {
    "__class__": "str",
    "__module__": "builtins",
    "__loader__": "JsonNode",
    "content": "null",
    "is_json": True,
}


class _Arguments(TypedDict):
    content: list[dict[str, str]]


class _Call(TypedDict):
    args: _Arguments


_TreeNode = TypedDict("_TreeNode", {"__reduce__": _Call})  # numbers of features, classes and outputs


def dump(model: object) -> bytes:
    """A fitted estimator as a `.skops` member: the same bytes for the same estimator."""
    name = type(model).__name__
    if find_spec("skops") is None:
        raise ValueError(Note("F166", name=name))
    import skops.io

    try:
        members = archive.unpack(skops.io.dumps(model), re.compile(r"[\w.-]+"), MOST_MEMBERS)
    except RefusedFileError as error:
        raise ValueError(Note("F306", values=error.args[0].values)) from None
    data = _plain(members)
    try:
        _audit(data)
    except DamagedFileError as error:
        raise ValueError(Note("F177", name=name, part=str(error))) from None
    return data


def restore(about: JsonObject, fetch: Callable[[], bytes]) -> object:
    """The estimator that a model file describes; `fetch` gives its member."""
    name, here = str(about["class"]), version("scikit-learn")
    damage = f"the {name} in it does not say which scikit-learn it is from"
    written = required(about.get("scikit-learn"), str, damage)
    if written.split(".")[:2] != here.split(".")[:2]:
        wanted = ".".join(written[:20].split(".")[:2])
        raise RefusedFileError(Note("F168", name=name, written=written[:20], installed=here, wanted=wanted))
    if find_spec("skops") is None:
        raise RefusedFileError(Note("F169", name=name))
    data = fetch()
    _audit(data)
    return _rebuilt(name, data)


def _rebuilt(name: str, data: bytes) -> object:
    import skops.io

    trusted = [f"{module}.{kind}" for _, module, kind in NODES]
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter(
                "ignore"
            )  # a patch version apart is said to differ; major.minor was compared
            model = skops.io.loads(data, trusted=trusted)
            if type(model) is not load(FOREIGN[name]):
                raise DamagedFileError(f"its estimator is not the {name} it is said to be")
            check_estimator(model)
    except DamagedFileError:
        raise
    except Exception:  # whatever skops or scikit-learn make of damaged content
        raise DamagedFileError(f"the {name} in it cannot be rebuilt") from None
    return model


# -- what is in a member ----------------------------------------------------------------------------------


def _plain(members: dict[str, bytes]) -> bytes:
    """The member without what differs from one dump to the next: identities, names of files, dates."""
    schema = json.loads(members[SCHEMA])
    names: dict[str, str] = {}
    for node in _nodes(schema):
        node.pop("__id__", None)
        if node.get("__loader__") == "RandomGeneratorNode":  # for fitting only; its name would be called
            node.clear()
            node.update(_NOTHING)
        if is_text(file := node.get("file")):
            node["file"] = names.setdefault(file, f"{len(names)}.npy")
    text = json.dumps(schema, separators=(",", ":")).encode()
    buffer = io.BytesIO()
    archive.pack(
        buffer, {SCHEMA: text, **{new: _without_padding(members[old]) for old, new in names.items()}}
    )
    return buffer.getvalue()


def _without_padding(content: bytes) -> bytes:
    """An array whose records have zeros between their fields, where memory holds what was there before."""
    array = np.load(io.BytesIO(content), allow_pickle=False)
    if array.dtype.names is None:
        return content
    clean = np.zeros(array.shape, array.dtype)
    for name in array.dtype.names:
        clean[name] = array[name]
    buffer = io.BytesIO()
    np.save(buffer, clean, allow_pickle=False)
    return buffer.getvalue()


def _nodes(value: Json) -> Iterator[dict[str, Json]]:
    """Every node of a skops schema, outer ones first."""
    if isinstance(value, dict):
        if "__loader__" in value or "__class__" in value:
            yield value
        for part in list(value.values()):
            yield from _nodes(part)
    elif isinstance(value, list):
        for part in value:
            yield from _nodes(part)


def _audit(data: bytes) -> None:
    """Refuse a member with anything in it that is not on the list, or with arrays that are not as long as they say."""
    members = archive.unpack(data, _NAMES, MOST_MEMBERS)
    damage = "its estimator is stored in a way that this version does not read"
    schema = required(parse(members.get(SCHEMA, b""), SCHEMA, DEEPEST), dict, damage)
    if schema.get("protocol") != 2:
        raise DamagedFileError(damage)
    used = {SCHEMA}
    for node in _nodes(schema):
        _check_node(node)
        if "file" in node:
            used.add(str(node["file"]))
    if used != set(members):
        raise DamagedFileError("the arrays of its estimator are not those that it names")
    for name, content in members.items():
        if name != SCHEMA:
            _check_array(name, content)


def _check_node(node: JsonObject) -> None:
    kind = tuple(node.get(key) for key in ("__loader__", "__module__", "__class__"))
    if not all(isinstance(part, str) for part in kind) or kind not in NODES:
        raise DamagedFileError(f"its estimator holds a {'.'.join(str(part)[:60] for part in kind[1:])!r}")
    if "__id__" in node or (kind[0] == "JsonNode" and not isinstance(node.get("content"), str)):
        raise DamagedFileError("its estimator refers to itself")
    if kind[0] == "PartialNode" and not _calls_listed_function(node):
        raise DamagedFileError("its estimator holds a function that is not one of scikit-learn's")
    if kind[0] == "TreeNode":
        _check_tree_arguments(node)


def _calls_listed_function(node: JsonObject) -> bool:
    content = node.get("content")
    called = content.get("func") if isinstance(content, dict) else None
    return isinstance(called, dict) and called.get("__loader__") == "FunctionNode"


def _check_tree_arguments(node: JsonObject) -> None:
    """A tree is built for one output: compiled code reads as many class counts as it is told there are outputs."""
    try:
        features, classes, outputs = cast(_TreeNode, node)["__reduce__"]["args"]["content"]
        sound = classes["__loader__"] == "NdArrayNode" and classes["__class__"] == "ndarray"
        sound = sound and int(outputs["content"]) == 1 and int(features["content"]) > 0
    except (KeyError, TypeError, ValueError):
        sound = False
    if not sound:
        raise DamagedFileError("a tree of its estimator has more than one output")


def _check_array(name: str, content: bytes) -> None:
    """Length and type of an array, before NumPy allocates what its header asks for."""
    file = io.BytesIO(content)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of Python's parser, about its text
            if np.lib.format.read_magic(file) != (1, 0):
                raise ValueError(name)
            shape, _, dtype = np.lib.format.read_array_header_1_0(file, max_header_size=4096)
    except Exception:  # the header is Python text: its parser fails in many ways
        raise DamagedFileError(f"array {name!r} of its estimator has a header that cannot be read") from None
    if dtype.hasobject or prod(shape) * dtype.itemsize != len(content) - file.tell():
        raise DamagedFileError(
            f"array {name!r} of its estimator is not as long as it says, or is not an array of numbers"
        )
