"""Estimators of scikit-learn inside a model file: equal predictions, a fixed list of types, trees that lead nowhere."""

from __future__ import annotations

import importlib.util
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import assay
from assay import catalog
from assay.models.table.build import build
from assay.storage import sklearn_models as foreign_file
from tests.raised import raises
from tests.storage.damage import refusal
from tests.storage.stored import (
    MAKERS,
    X,
    letters,
    names,
    plain_zip,
    rezip,
    saved,
    table,
    unpacked,
    unzip,
    with_gaps,
    y,
)

pytest.importorskip("skops")


@pytest.mark.parametrize(
    "labels", [y, names(), y > 0, names().astype(object)], ids=["int", "str", "bool", "object"]
)
@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(random_state=0, ccp_alpha=0.01),
        RandomForestClassifier(7, random_state=0, class_weight={0: 1.0, 1: 2.0, 2: 1.0}),
        HistGradientBoostingClassifier(max_iter=5, random_state=0, min_samples_leaf=3),
        HistGradientBoostingClassifier(max_iter=5, early_stopping=True, random_state=0, min_samples_leaf=3),
    ],
    ids=lambda model: type(model).__name__,
)
def test_predictions_are_equal_after_loading(tmp_path: Path, model: Any, labels: Any) -> None:
    if getattr(model, "class_weight", None):
        model.set_params(class_weight="balanced")
    model.fit(with_gaps(), labels)
    loaded = assay.load(assay.save(model, tmp_path / "m.assay"))
    assert np.array_equal(loaded.predict_proba(with_gaps()), model.predict_proba(with_gaps()))
    assert np.array_equal(loaded.predict(X), model.predict(X))
    assert repr(loaded.get_params()) == repr(model.get_params())


@pytest.mark.parametrize("name", catalog.names())
def test_every_candidate_of_the_catalog_comes_back(tmp_path: Path, name: str) -> None:
    rows, labels = letters() if catalog.entry(name).reads_words else table()
    model = build(catalog.entry(name)).fit(rows, labels, target="buys")
    loaded = assay.load(assay.save(model, tmp_path / "m.assay"))
    method = "predict_proba" if hasattr(model, "predict_proba") else "decision_function"
    assert np.array_equal(getattr(loaded, method)(rows), getattr(model, method)(rows))
    assert loaded.schema_ == model.schema_ and loaded.target_ == "buys"


def test_without_skops_the_advice_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = assay.save(MAKERS["tree"](), tmp_path / "m.assay")
    find = importlib.util.find_spec
    monkeypatch.setattr(foreign_file, "find_spec", lambda name: None if name == "skops" else find(name))
    with raises("F083"):
        assay.save(MAKERS["tree"](), tmp_path / "n.assay")
    with raises("F169"):
        assay.load(path)


def test_another_scikit_learn_is_named(tmp_path: Path) -> None:
    header, members = unzip(saved(MAKERS["tree"](), tmp_path))
    header["model"]["estimator"]["scikit-learn"] = "1.2.3"
    message = refusal(rezip(header, members), tmp_path)
    assert "was fitted by scikit-learn 1.2.3, and" in message
    assert "install scikit-learn 1.2, or fit the model again" in message
    header["model"]["estimator"]["scikit-learn"] = None
    assert "does not say which scikit-learn it is from" in refusal(rezip(header, members), tmp_path)


def test_an_estimator_with_code_in_it_is_refused(tmp_path: Path) -> None:
    model = DecisionTreeClassifier(random_state=np.random.RandomState(0)).fit(X, y)
    with raises("F083"):
        assay.save(model, tmp_path / "m.assay")


# -- tampering --------------------------------------------------------------------------------------------


def tampered(name: str, folder: Path, change: Callable[[Any, dict[str, bytes]], None]) -> bytes:
    """A stored estimator with its inner archive changed; all checksums fit."""
    header, members = unzip(saved(MAKERS[name](), folder))
    inner = unpacked(members["f0.skops"])
    schema = json.loads(inner.pop("schema.json"))
    change(schema, inner)
    members["f0.skops"] = plain_zip({"schema.json": json.dumps(schema).encode(), **inner})
    return rezip(header, members)


def attributes(schema: Any) -> Any:
    return schema["content"]["content"]


def json_node(value: Any) -> dict[str, Any]:
    return {
        "__class__": "str",
        "__module__": "builtins",
        "__loader__": "JsonNode",
        "content": json.dumps(value),
    }


def edit_array(inner: dict[str, bytes], name: str, change: Callable[[Any], Any]) -> None:
    buffer = io.BytesIO()
    array = np.load(io.BytesIO(inner[name])).copy()
    changed = change(array)
    np.save(buffer, array if changed is None else changed)
    inner[name] = buffer.getvalue()


EVIL = [
    {"__class__": "system", "__module__": "os", "__loader__": "FunctionNode", "content": ""},
    {"__class__": "Popen", "__module__": "subprocess", "__loader__": "TypeNode"},
    {"__class__": "check_array", "__module__": "sklearn.utils.validation", "__loader__": "ObjectNode"},
    {"__class__": "methodcaller", "__module__": "operator", "__loader__": "OperatorFuncNode", "attrs": {}},
    {"__class__": "LogisticRegression", "__module__": "sklearn.linear_model", "__loader__": "ObjectNode"},
    {"__class__": "str", "__module__": "builtins", "__loader__": "CachedNode", "__id__": 1},
    {"__class__": "a\nb", "__module__": "os", "__loader__": "TypeNode"},  # found by fuzzing: two lines
    {"__class__": ["str"], "__module__": "builtins", "__loader__": "JsonNode", "content": "1"},
    {"__class__": "str", "__module__": "builtins", "__loader__": "JsonNode", "content": {"a": 1}},
]


@pytest.mark.parametrize("node", EVIL, ids=lambda node: f"{node['__module__']}.{node['__class__']}")
def test_only_listed_types_are_rebuilt(tmp_path: Path, node: dict[str, Any]) -> None:
    def change(schema: Any, inner: dict[str, bytes]) -> None:
        attributes(schema)["evil"] = node

    message = refusal(tampered("tree", tmp_path, change), tmp_path)
    assert "its estimator holds a" in message or "its estimator refers to itself" in message


def tree_of(schema: Any) -> Any:
    return attributes(schema)["tree_"]


def set_node(field: str, row: int, value: Any) -> Callable[[Any, dict[str, bytes]], None]:
    def change(schema: Any, inner: dict[str, bytes]) -> None:
        name = tree_of(schema)["content"]["content"]["nodes"]["file"]
        edit_array(inner, name, lambda nodes: nodes[field].__setitem__(row, value))

    return change


def set_count(schema: Any, inner: dict[str, bytes]) -> None:
    tree_of(schema)["content"]["content"]["node_count"] = json_node(-5)


def set_outputs(schema: Any, inner: dict[str, bytes]) -> None:
    tree_of(schema)["__reduce__"]["args"]["content"][2] = json_node(10**6)


def set_width(schema: Any, inner: dict[str, bytes]) -> None:
    attributes(schema)["n_features_in_"] = json_node(10**9)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (set_node("left_child", 0, 10**9), "leads to nodes that are not there"),
        (set_node("left_child", 0, -7), "leads to nodes that are not there"),
        (set_node("right_child", 0, 0), "leads to nodes that are not there"),
        (set_node("right_child", 2, 1), "leads to nodes that are not there"),
        (set_node("feature", 0, 10**6), "asks for columns that are not there"),
        (set_node("feature", 0, -1), "asks for columns that are not there"),
        (set_count, "has more nodes than it holds"),
        (set_outputs, "has more than one output"),
        (set_width, "is for other columns or classes"),
    ],
)
def test_trees_that_lead_nowhere_are_refused(
    tmp_path: Path, change: Callable[[Any, dict[str, bytes]], None], words: str
) -> None:
    assert words in refusal(tampered("tree", tmp_path, change), tmp_path)


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("left", 10**9, "leads to nodes that are not there"),
        ("right", 0, "leads to nodes that are not there"),
        ("feature_idx", 10**6, "asks for columns that are not there"),
        ("is_categorical", 1, "splits between categories that it does not have"),
        ("value", np.nan, "leaves without values"),
    ],
)
def test_boosted_trees_that_lead_nowhere_are_refused(
    tmp_path: Path, field: str, value: Any, words: str
) -> None:
    def change(schema: Any, inner: dict[str, bytes]) -> None:
        tree = attributes(schema)["_predictors"]["content"][0]["content"][0]
        name = tree["content"]["content"]["nodes"]["file"]
        edit_array(inner, name, lambda nodes: nodes[field].__setitem__(0, value))

    assert words in refusal(tampered("boosting", tmp_path, change), tmp_path)


def test_arrays_are_measured_before_they_are_read(tmp_path: Path) -> None:
    def huge(schema: Any, inner: dict[str, bytes]) -> None:
        name = attributes(schema)["classes_"]["file"]
        inner[name] = inner[name].replace(b"(3,), }        ", b"(99999999,), } ")

    def objects(schema: Any, inner: dict[str, bytes]) -> None:
        name = attributes(schema)["classes_"]["file"]
        inner[name] = inner[name].replace(b"'<U5'", b"'|O8'")

    def broken(schema: Any, inner: dict[str, bytes]) -> None:
        inner[attributes(schema)["classes_"]["file"]] = b"\x93NUMPY\x01\x00\xff\xff((((("

    def extra(schema: Any, inner: dict[str, bytes]) -> None:
        inner["77.npy"] = b""

    assert "is not as long as it says" in refusal(tampered("tree", tmp_path, huge), tmp_path)
    assert "not an array of numbers" in refusal(tampered("tree", tmp_path, objects), tmp_path)
    assert "a header that cannot be read" in refusal(tampered("tree", tmp_path, broken), tmp_path)
    assert "are not those that it names" in refusal(tampered("tree", tmp_path, extra), tmp_path)


@pytest.mark.parametrize("content", [None, [], {}, {"func": 1}, {"func": json_node("eval")}])
def test_functions_without_a_name_are_refused(tmp_path: Path, content: Any) -> None:
    """Found by fuzzing: a function node without content."""

    def change(schema: Any, inner: dict[str, bytes]) -> None:
        for node in foreign_file._nodes(schema):
            if node["__loader__"] == "PartialNode":
                node["content"] = content
                return

    message = refusal(tampered("table_boosting", tmp_path, change), tmp_path)
    assert "a function that is not one of scikit-learn's" in message


def test_another_estimator_than_announced_is_refused(tmp_path: Path) -> None:
    header, members = unzip(saved(MAKERS["forest"](), tmp_path))
    header["model"]["estimator"]["class"] = "DecisionTreeClassifier"
    assert "is not the DecisionTreeClassifier it is said to be" in refusal(rezip(header, members), tmp_path)
