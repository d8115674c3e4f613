"""Whatever is done to a model file, it loads and works, or one sentence says why not.

``ASSAY_FUZZ=20000 pytest tests/fuzz/test_model_file.py`` tries more.
"""

from __future__ import annotations

import copy
import io
import json
import os
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import assay
from tests.storage.stored import MAKERS, outputs, plain_zip, rezip, unpacked, unzip

EXAMPLES = int(os.environ.get("ASSAY_FUZZ", "60"))
SEEDS = (
    "naive_bayes_gaps", "gaussian_full", "gaussian_shared", "least_squares", "fisher", "normal", "pca_few_rows",
    "impute", "pipeline", "table", "table_levels", "reference", "onehot",
    "logistic", "logistic_absent", "perceptron", "svm", "svm_two", "kernel_svm", "single_layer", "single_layer_step",
    "single_layer_absent", "network", "network_early", "one_vs_rest", "one_vs_rest_two", "one_vs_one",
    "neighbors", "neighbors_weighted", "table_neighbors", "mixture", "mixture_absent",
    "one_vs_one_absent", "calibrated", "calibrated_isotonic", "calibrated_nested", "polynomial", "interaction",
    "radial", "spline", "curved", "table_svm", "table_network", "table_calibrated",
    "bernoulli_nb", "categorical_nb", "categorical_text", "complement_nb", "multinomial_nb",
)  # fmt: skip
FOREIGN = ("tree", "boosting", "table_boosting", "one_vs_rest_trees", "calibrated_tree")
many = settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@cache
def seed(name: str) -> bytes:
    with tempfile.TemporaryDirectory() as place:
        return assay.save(MAKERS[name](), Path(place) / "m.assay", about={"rows": 3}).read_bytes()


def survives(data: bytes, folder: Path) -> None:
    """Load the file and use the model: finite answers, or ValueError or OSError in one line."""
    path = folder / "fuzzed.assay"
    path.write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("error", category=RuntimeWarning)
        try:
            model = assay.load(path)
        except (ValueError, OSError) as error:
            assert "\n" not in str(error) and str(error).endswith("."), str(error)
            assert str(path) in str(error)
            return
    try:
        with np.errstate(all="ignore"):
            said = outputs(model)
    except ValueError as error:  # other columns, say: told in a sentence, as for any model
        assert "\n" not in str(error)
        return
    assert not np.isnan(said).any() or hasattr(model, "schema_") or hasattr(model, "positions_")


@many
@given(st.sampled_from(SEEDS), st.data())
def test_flipped_bytes(folder: Path, name: str, data: st.DataObject) -> None:
    content = bytearray(seed(name))
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    survives(bytes(content), folder)


@many
@given(st.sampled_from(SEEDS), st.data())
def test_pieces_cut_out_doubled_or_moved(folder: Path, name: str, data: st.DataObject) -> None:
    content = seed(name)
    first, last = sorted(data.draw(st.tuples(*[st.integers(0, len(content))] * 2)))
    place = data.draw(st.integers(0, len(content)))
    piece = content[first:last]
    kind = data.draw(st.sampled_from(["cut", "only", "double", "insert"]))
    made = {
        "cut": content[:first] + content[last:],
        "only": piece,
        "double": content[:last] + piece + content[last:],
        "insert": content[:place] + piece + content[place:],
    }
    survives(made[kind], folder)


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 5),
    st.sampled_from([2**31, 2**63, -(2**63), 2**64 - 1]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=4),
    st.sampled_from(
        ["spline", "functions", "radial", "coupling", "isotonic", "step", "tanh"]
        + ["ml", "full", "pooled", "diagonal", "shared", "passthrough", "<f8", "|O", "a0.npy", "Pipeline"]
    ),
    st.sampled_from(
        [
            [],
            {},
            {"tuple": []},
            {"number": "nan"},
            {"array": "a1.npy"},
            {"labels": {"dtype": "|O", "values": ["a"]}},
            {"mapping": []},
            {"part": {"class": "GaussianNB", "parameters": {}, "state": None}},
            {"part": {"class": "Pipeline", "parameters": {"steps": []}, "state": {}}},
            {"estimator": {"class": "DecisionTreeClassifier", "parameters": {}}},
            {"record": {"Group": {"column": "a", "type": "numeric", "first": 0, "last": 1}}},
            {"record": {"Extremes": {"low": 1, "high": 2}}},
            {"record": {"KFold": {"n_splits": 3, "repeats": 1, "stratified": True, "random_state": 0}}},
            {"record": {"SigmoidMap": {"slope": 1.0, "offset": {"array": "a1.npy"}}}},
            {"part": {"class": "Pipeline", "parameters": {"steps": [{"tuple": ["a", None]}]}, "state": None}},
            {"part": {"class": "OneVsRest", "parameters": {}, "state": None}},
            {"schema": []},
            {"scalar": {"dtype": "<i8", "value": 3}},
        ]
    ),
)


def places(value: Any, found: list[tuple[Any, Any]] | None = None) -> list[tuple[Any, Any]]:
    """Every (container, key) of a JSON value."""
    found = [] if found is None else found
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        found.append((value, key))
        places(part, found)
    return found


def mutate(header: Any, data: st.DataObject) -> None:
    """Change, drop, copy or rename one value somewhere in model.json."""
    spots = places(header)
    container, key = spots[data.draw(st.integers(0, len(spots) - 1))]
    kind = data.draw(st.sampled_from(["value", "value", "drop", "copy", "rename", "wrap"]))
    if kind == "drop":
        del container[key]
    elif kind == "copy":
        other, place = spots[data.draw(st.integers(0, len(spots) - 1))]
        container[key] = copy.deepcopy(other[place])
    elif kind == "rename" and isinstance(container, dict):
        container[data.draw(st.text(max_size=3)) or "x"] = container.pop(key)
    elif kind == "wrap":
        container[key] = [container[key]]
    else:
        container[key] = copy.deepcopy(data.draw(VALUES))


@many
@given(st.sampled_from(SEEDS), st.data())
def test_changed_headers_behind_good_checksums(folder: Path, name: str, data: st.DataObject) -> None:
    header, members = unzip(seed(name))
    for _ in range(data.draw(st.integers(1, 3))):
        mutate(header, data)
    survives(rezip(header, members), folder)


NUMBERS = st.one_of(
    st.floats(width=64),
    st.sampled_from([0.0, -0.0, 1.0, -1.0, 1e308, -1e308, 1e154, 1e-308, 5e-324, np.inf, np.nan, 1e16]),
)


@many
@given(st.sampled_from(SEEDS), st.data())
def test_changed_numbers_behind_good_checksums(folder: Path, name: str, data: st.DataObject) -> None:
    header, members = unzip(seed(name))
    for _ in range(data.draw(st.integers(1, 3))):
        member = data.draw(st.sampled_from(sorted(members) or ["none"]))
        if member == "none":
            return
        array = np.load(io.BytesIO(members[member]))
        if array.size == 0:
            continue
        flat = array.reshape(-1)
        place = data.draw(st.integers(0, array.size - 1))
        if array.dtype.kind == "f":
            flat[place] = data.draw(NUMBERS)
        else:
            flat[place] = data.draw(st.integers(-3, 9))
        buffer = io.BytesIO()
        np.save(buffer, array)
        members[member] = buffer.getvalue()
    survives(rezip(header, members), folder)


@many
@given(st.sampled_from(SEEDS), st.data())
def test_changed_members_behind_good_checksums(folder: Path, name: str, data: st.DataObject) -> None:
    header, members = unzip(seed(name))
    known = sorted(members)
    if not known:
        return
    one, other = data.draw(st.sampled_from(known)), data.draw(st.sampled_from(known))
    kind = data.draw(st.sampled_from(["swap", "cut", "drop", "grow", "flip", "rename"]))
    content = members[one]
    if kind == "swap":
        members[one], members[other] = members[other], content
        header["members"][one], header["members"][other] = header["members"][other], header["members"][one]
    elif kind == "cut":
        members[one] = content[: data.draw(st.integers(0, len(content)))]
    elif kind == "drop":
        del members[one]
    elif kind == "grow":
        members[one] = content + data.draw(st.binary(max_size=20))
    elif kind == "flip":
        spot = data.draw(st.integers(0, min(len(content) - 1, 140)))
        members[one] = content[:spot] + data.draw(st.binary(min_size=1, max_size=1)) + content[spot + 1 :]
    else:
        members[data.draw(st.text(max_size=8)) or "x"] = members.pop(one)
    survives(rezip(header, members), folder)


@settings(many, max_examples=max(30, EXAMPLES // 3))
@given(st.sampled_from(FOREIGN), st.data())
def test_changed_estimators_of_scikit_learn(folder: Path, name: str, data: st.DataObject) -> None:
    pytest.importorskip("skops")
    header, members = unzip(seed(name))
    inner = unpacked(members["f0.skops"])
    schema = json.loads(inner.pop("schema.json"))
    if data.draw(st.booleans()):
        mutate(schema, data)
    else:
        one = data.draw(st.sampled_from(sorted(inner)))
        content = inner[one]
        spot = data.draw(st.integers(0, len(content) - 1))
        inner[one] = content[:spot] + data.draw(st.binary(min_size=1, max_size=1)) + content[spot + 1 :]
    members["f0.skops"] = plain_zip({"schema.json": json.dumps(schema).encode(), **inner})
    survives(rezip(header, members), folder)
