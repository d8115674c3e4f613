"""Every way a model file can be wrong is one sentence, before anything is allocated or run."""

from __future__ import annotations

import copy
import io
import json
import os
import pickle
import struct
import sys
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from tests.raised import raises
from tests.storage.damage import PART, STATE, Header, npy, refusal, set_in
from tests.storage.stored import MAKERS, X, plain_zip, rezip, saved, unzip, y

Members = dict[str, bytes]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return saved(MAKERS["gaussian_shared"](), tmp_path_factory.mktemp("model"))


def state(header: Header) -> dict[str, Any]:
    found: dict[str, Any] = header["model"]["part"]["state"]
    return found


# -- not the file it should be ----------------------------------------------------------------------------


def test_other_kinds_of_files_are_told(tmp_path: Path) -> None:
    assert "it is not a model file; give a file written by assay.save" in refusal(b"age,sex\n1,f\n", tmp_path)
    assert "it is not a model file" in refusal(b"", tmp_path)
    assert "it is a pickle, which can run any code and is never loaded" in refusal(
        pickle.dumps([1]), tmp_path
    )
    assert "there is no model.json in it" in refusal(plain_zip({"a.npy": b"1"}), tmp_path)
    with raises("F086", FileNotFoundError):
        assay.load(tmp_path / "none.assay")
    with raises("F003"):
        assay.load(tmp_path)
    with raises("F089"):
        assay.load("a\0b")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.assay")
    with raises("F003"):
        assay.load(tmp_path / "pipe.assay")


def test_a_newer_format_asks_for_an_upgrade(tmp_path: Path, shared: bytes) -> None:
    header, members = unzip(shared)
    header["format"] = 3
    header["novelty"] = True
    message = refusal(rezip(header, members), tmp_path)
    assert "written by a newer version of Assay (format 3); upgrade with pip install -U assay-ml" in message


def test_truncation_at_every_place_is_told(tmp_path: Path, shared: bytes) -> None:
    for length in range(0, len(shared), 13):
        refusal(shared[:length], tmp_path)
    refusal(shared + b"\0", tmp_path)


def test_checksums_find_changed_bytes(tmp_path: Path, shared: bytes) -> None:
    header, members = unzip(shared)
    name = next(iter(members))
    changed = {**members, name: members[name][:-1] + b"\x7f"}
    message = refusal(rezip(header, changed, listed=False), tmp_path)
    assert f"the checksum of member {name!r} is wrong; the file is damaged or was changed" in message


# -- the zip ----------------------------------------------------------------------------------------------


def with_info(change: Callable[[zipfile.ZipInfo], None], data: bytes, name: str = "a0.npy") -> bytes:
    """The archive with one entry of its directory changed."""
    header, members = unzip(data)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for member, content in {"model.json": json.dumps(header).encode(), **members}.items():
            info = zipfile.ZipInfo(member)
            archive.writestr(info, content)
            if member == name:
                change(info)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda info: setattr(info, "external_attr", 0o120777 << 16), "is a link or a device"),
        (lambda info: setattr(info, "external_attr", 0o020666 << 16), "is a link or a device"),
        (lambda info: setattr(info, "flag_bits", 1), "packed in a way that model files do not use"),
        (lambda info: setattr(info, "flag_bits", 8), "packed in a way that model files do not use"),
        (lambda info: setattr(info, "compress_type", 12), "packed in a way that model files do not use"),
        (lambda info: setattr(info, "file_size", 2**31), "would unpack to 2147483648 bytes from"),
        (lambda info: setattr(info, "file_size", info.file_size - 1), "is not as long as model.json says"),
        (lambda info: setattr(info, "filename", "a/b.npy"), "has a name that no member of a model file has"),
        (
            lambda info: setattr(info, "filename", "../a0.npy"),
            "has a name that no member of a model file has",
        ),
        (lambda info: setattr(info, "filename", "C:a0.npy"), "has a name that no member of a model file has"),
        (lambda info: setattr(info, "filename", "model.json"), "is there twice"),
        (lambda info: setattr(info, "filename", "a1.npy"), "is there twice"),
        (lambda info: setattr(info, "CRC", 1), "its zip archive cannot be unpacked"),
        (lambda info: setattr(info, "header_offset", 5), "its zip archive cannot be unpacked"),
    ],
)
def test_a_directory_that_lies_is_told(
    tmp_path: Path, shared: bytes, change: Callable[[zipfile.ZipInfo], None], words: str
) -> None:
    assert words in refusal(with_info(change, shared), tmp_path)


def test_other_archives_are_refused_by_their_end(tmp_path: Path, shared: bytes) -> None:
    header, members = unzip(shared)
    everything = {"model.json": json.dumps(header).encode(), **members}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.comment = b"hello"
        for name, content in everything.items():
            archive.writestr(name, content)
    assert "does not end as a model file does" in refusal(buffer.getvalue(), tmp_path)
    prefixed = b"PK\x03\x04" + plain_zip(everything)
    assert "directory of members is not where it should be" in refusal(prefixed, tmp_path)


def test_a_directory_of_millions_is_not_parsed(tmp_path: Path, shared: bytes) -> None:
    end = struct.unpack("<4s4H2LH", shared[-22:])
    many = struct.pack("<4s4H2LH", end[0], 0, 0, 60_000, 60_000, *end[5:])
    assert "it has 60000 members, more than" in refusal(shared[:-22] + many, tmp_path)
    wide = struct.pack("<4s4H2LH", end[0], 0, 0, 65_535, 65_535, end[5], end[6], 0)
    assert "more than" in refusal(shared[:-22] + wide, tmp_path)


def test_unlisted_missing_and_unused_members_are_told(tmp_path: Path, shared: bytes) -> None:
    header, members = unzip(shared)
    extra = {**members, "x.npy": npy(np.zeros(2))}
    assert "member 'x.npy' is not listed in model.json" in refusal(rezip(header, extra), tmp_path)
    listed = copy.deepcopy(header)
    listed["members"]["x.npy"] = {"dtype": "<f8", "shape": [2]}
    assert "member 'x.npy' belongs to nothing in model.json" in refusal(rezip(listed, extra), tmp_path)
    fewer = {name: content for name, content in members.items() if name != "a0.npy"}
    assert "member 'a0.npy' is listed in model.json but missing" in refusal(rezip(header, fewer), tmp_path)
    twice = copy.deepcopy(header)
    state(twice)["statistics_"]["moments"]["rows"] = {"array": "a0.npy"}
    assert "which is not there for it" in refusal(rezip(twice, members), tmp_path)


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path, shared: bytes) -> None:
    header, members = unzip(shared)
    bomb = plain_zip(
        {"model.json": json.dumps(header).encode(), **members, "a0.npy": bytes(2**26)},
        compression=zipfile.ZIP_DEFLATED,
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model.json", bytes(2**27))
    tracemalloc.start()
    assert "would unpack to 67108864 bytes from" in refusal(bomb, tmp_path)
    assert "would unpack to 134217728 bytes from" in refusal(buffer.getvalue(), tmp_path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**24


# -- model.json -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"{", "model.json is not valid JSON"),
        (b"\xff\xfe", "model.json is not valid JSON"),
        (b"[1]", "model.json does not describe a model"),
        (b"[" * 100_000 + b"]" * 100_000, "model.json is nested"),
        (b"[" * 200 + b"]" * 200, "model.json is nested"),
        (b'{"format": NaN}', "model.json holds NaN, which is not a number"),
        (b'{"format": 1e999}', "model.json holds a number beyond double precision"),
        (b'{"format": ' + b"9" * 5000 + b"}", "model.json holds an integer of more than 64 bits"),
        (b'{"format": 1, "format": 1}', "model.json names something twice"),
        (b'{"format": "1"}', "model.json does not say which format it has"),
        (b'{"format": true}', "model.json does not say which format it has"),
        (b'{"format": 0}', "model.json does not say which format it has"),
        (b'{"format": 1}', "model.json does not have the entries of its format"),
        (b'{"format": "\\ud800"}', "model.json holds text that is not Unicode"),
    ],
)
def test_a_header_that_is_not_one_is_told(tmp_path: Path, shared: bytes, text: bytes, words: str) -> None:
    assert words in refusal(rezip(text, unzip(shared)[1]), tmp_path)


MOMENTS = (*STATE, "statistics_", "moments")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (set_in(*PART, "class", "Nope"), "the class 'Nope' is unknown to this version of Assay"),
        (set_in(*PART, "class", "os:system"), "the class 'os:system' is unknown"),
        (set_in(*PART, "class", ["GaussianNB"]), "a model in it has no class or parameters"),
        (set_in(*PART, "class", "OneHot"), "the OneHot in it cannot be used"),
        (set_in(*PART, "class", "Pipeline"), "the Pipeline in it cannot be used"),
        (set_in(*PART, "parameters", "shrinkage", 2.0), r"GaussianClassifier(shrinkage=2.0) is not allowed"),
        (set_in(*PART, "parameters", "shrinkage", "x"), "GaussianClassifier(shrinkage='x') is not allowed"),
        (set_in(*PART, "parameters", "shrinkage", {"number": "nan"}), "(shrinkage=nan) is not allowed"),
        (set_in(*PART, "parameters", "priors", [0.5, 0.5]), "The priors have shape (2,)"),
        (set_in(*PART, "parameters", "priors", {"mapping": [["a", 1]]}), "The priors are not numbers"),
        (set_in(*PART, "parameters", "power", 1), "it has no parameter 'power'"),
        (set_in(*PART, "parameters", "covariance", "full"), "it is solved from full moments and has pooled"),
        (set_in(*STATE, "coef_", 1), "it has an attribute 'coef_' that it should not have"),
        (set_in(*STATE, "n_features_in_", 5), "has an axis of length 4 where others have 5"),
        (set_in(*STATE, "n_features_in_", True), "'n_features_in_' is not a number of columns"),
        (set_in(*STATE, "n_features_in_", 10**12), "'n_features_in_' is not a number of columns"),
        (set_in(*STATE, "classes_", "labels", "values", ["a", "b"]), "where others have 2"),
        (set_in(*STATE, "classes_", "labels", "values", ["a", "c", "b"]), "different labels in order"),
        (set_in(*STATE, "classes_", "labels", "values", ["a", "b", "b"]), "different labels in order"),
        (set_in(*STATE, "classes_", "labels", "values", ["a", 1, 2]), "labels in it are of several types"),
        (set_in(*STATE, "classes_", "labels", "values", "abc"), "labels in it are not a list"),
        (set_in(*STATE, "classes_", "labels", "dtype", "<i8"), "labels in it do not fit their type"),
        (set_in(*STATE, "classes_", "labels", "dtype", "|V8"), "labels in it have the type '|V8'"),
        (set_in(*STATE, "classes_", ["a", "b", "c"]), "'classes_' is not an array of labels"),
        (set_in(*STATE, "classes_", {"array": "a9.npy"}), "which is not there for it"),
        (set_in(*STATE, "classes_", {"labels": {}, "tuple": []}), "a value in it has more than one kind"),
        (set_in(*STATE, "classes_", {"pickle": "gASV"}), "of the unknown kind 'pickle'"),
        (set_in(*STATE, "statistics_", 1), "'statistics_' is not a set of moments"),
        (set_in(*MOMENTS, "form", "full"), "has shape (4, 4), not (3, 4, 4)"),
        (set_in(*MOMENTS, "form", 1), "moments in it are not arrays of numbers"),
        (set_in(*MOMENTS, "extra", 1.0), "moments in it are not arrays of numbers"),
        (set_in(*PART, "state", None), "the model in it is not fitted"),
        (
            set_in("model", {"estimator": {"class": "Popen", "member": "a0.npy"}}),
            "of the unknown class 'Popen'",
        ),
        (set_in("model", 5), "model.json does not describe a model"),
        (set_in("model", {"tuple": []}), "model.json does not describe a model"),
        (set_in("members", []), "model.json has no list of members"),
        (set_in("members", "a0.npy", "dtype", "|O"), "has the type '|O'"),
        (set_in("members", "a0.npy", "dtype", ">f8"), "has the type '>f8'"),
        (set_in("members", "a0.npy", "dtype", ["<f8"]), "which is not one of numbers or booleans"),
        (set_in("members", "a0.npy", "shape", [3, 10**9]), "takes 24000000000 bytes"),
        (set_in("members", "a0.npy", "shape", [-3]), "which no array has"),
        (set_in("members", "a0.npy", "shape", [3.0]), "which no array has"),
        (set_in("members", "a0.npy", "shape", [1] * 9), "which no array has"),
        (set_in("members", "a0.npy", "shape", [0, 10**15]), "which no array has"),
        (set_in("members", "a0.npy", "shape", "3"), "which no array has"),
        (set_in("about", None), "does not have the entries of its format"),
    ],
)
def test_a_header_that_lies_is_told(
    tmp_path: Path, shared: bytes, change: Callable[[Header], None], words: str
) -> None:
    header, members = unzip(shared)
    change(header)
    assert words in refusal(rezip(header, members), tmp_path)


# -- arrays -----------------------------------------------------------------------------------------------


def with_array(name: str, value: Any, data: bytes) -> bytes:
    """The archive with one array of the moments replaced; header and checksums follow."""
    header, members = unzip(data)
    member = state(header)["statistics_"]["moments"][name]["array"]
    content = value if isinstance(value, bytes) else npy(value)
    header["members"][member] = {
        "dtype": "<f8",
        "shape": list(np.shape(np.load(io.BytesIO(members[member])))),
    }
    if not isinstance(value, bytes):
        header["members"][member] = {"dtype": value.dtype.str, "shape": list(value.shape)}
    return rezip(header, {**members, member: content})


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("weight", np.array([1.0, -2.0, 3.0]), "negative weights"),
        ("weight", np.zeros(3), "negative weights, or none at all"),
        (
            "weight",
            np.array([1.0, np.nan, 3.0]),
            "its weight of the moments holds values that are not finite",
        ),
        ("weight", np.array([1.0, 2.0]), "has shape (2,), not (3,)"),
        ("weight", np.array([1, 2, 3]), "moments in it are not arrays of numbers"),
        ("rows", np.array([20.0, 0.0, 20.0]), "weights without rows, or rows without weights"),
        ("center", np.full((3, 4), np.inf), "its center of the moments holds values that are not finite"),
        ("center", np.zeros((3, 5)), "has shape (3, 4), not (3, 5)"),
        ("center", np.zeros((1, 3, 4)), "has shape"),
        ("center", np.zeros((3, 0)), "has shape"),
        ("scatter", -np.eye(4), "a scatter that no rows have"),
        ("scatter", np.triu(np.ones((4, 4))), "a scatter that no rows have"),
        ("offset", np.full((3, 4), 1e308), "means whose squares overflow"),
        ("offset", np.full((3, 4), 4e153), "means whose squares overflow"),
    ],
)
def test_moments_that_cannot_be_are_told(
    tmp_path: Path, shared: bytes, name: str, value: Any, words: str
) -> None:
    assert words in refusal(with_array(name, value, shared), tmp_path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (npy(np.array([1, 2, "a"], dtype=object), allow_pickle=True), "does not fit"),
        (b"\x80\x04cos\nsystem\n.", ""),
        (
            npy(np.zeros(3)).replace(b"(3,)", b"(4,)"),
            "is <f8 of shape (4,), but model.json lists <f8 of (3,)",
        ),
        (npy(np.zeros(3)).replace(b"'<f8'", b"'>f8'"), "is >f8 of shape (3,), but model.json lists"),
        (npy(np.zeros(3)).replace(b"False", b"1+1  "), "has a header that is not one of plain numbers"),
        (npy(np.zeros(3)).replace(b"NUMPY\x01", b"NUMPY\x02"), "is not an array in NumPy's format 1.0"),
        (npy(np.zeros(3))[:-8], "takes 24 bytes, not"),
        (npy(np.zeros(3)) + b"12345678", "takes 24 bytes, not 32"),
    ],
)
def test_members_that_are_no_arrays_are_told(
    tmp_path: Path, shared: bytes, content: bytes, words: str
) -> None:
    refusal(with_array("weight", content, shared), tmp_path)


def test_fortran_order_is_read_and_big_endian_is_not_written(tmp_path: Path) -> None:
    model = assay.PCA().fit(np.asfortranarray(X[:3]))
    model.components_ = np.asfortranarray(model.components_)
    model.mean_ = model.mean_.astype(">f8")
    loaded = assay.load(assay.save(model, tmp_path / "m.assay"))
    assert loaded.components_.flags.f_contiguous and loaded.mean_.dtype == np.float64
    assert np.array_equal(loaded.transform(X), model.transform(X))


def test_booleans_are_zero_or_one(tmp_path: Path) -> None:
    header, members = unzip(
        saved(assay.GaussianNB(priors=np.array([True, False, False])).fit(X, y), tmp_path)
    )
    name = header["model"]["part"]["parameters"]["priors"]["array"]
    members[name] = members[name][:-1] + b"\x02"
    assert "holds bytes that are neither true nor false" in refusal(rezip(header, members), tmp_path)


# -- models made of parts ---------------------------------------------------------------------------------


def edited(name: str, tmp_path: Path, change: Callable[[Header, Members], None]) -> bytes:
    header, members = unzip(saved(MAKERS[name](), tmp_path))
    change(header, members)
    return rezip(header, members)


def steps(header: Header) -> list[Any]:
    found: list[Any] = header["model"]["part"]["parameters"]["steps"]
    return found


def test_pipelines_whose_parts_do_not_fit_are_told(tmp_path: Path) -> None:
    def swap(header: Header, _: Members) -> None:
        steps(header)[1], steps(header)[2] = steps(header)[2], steps(header)[1]

    assert "Standardize takes 4 columns and gets 2" in refusal(edited("pipeline", tmp_path, swap), tmp_path)
    for value in ([], "x", [["a", None]], {"tuple": []}, [{"tuple": ["a", 3]}], [{"tuple": [1, None]}]):
        change = set_in(*PART, "parameters", "steps", value)
        header, members = unzip(saved(MAKERS["pipeline"](), tmp_path))
        change(header)
        refusal(rezip(header, members), tmp_path)
    refusal(
        edited("pipeline", tmp_path, lambda h, _: set_in(*PART, "parameters", "memory", "/tmp/cache")(h)),
        tmp_path,
    )


def test_parts_inside_parts_have_a_depth(tmp_path: Path) -> None:
    header, members = unzip(saved(MAKERS["pipeline"](), tmp_path))
    inner = header["model"]
    for _ in range(8):
        inner = {
            "part": {
                "class": "Pipeline",
                "parameters": {"steps": [{"tuple": ["a", inner]}]},
                "state": {},
            }
        }
    header["model"] = inner
    message = refusal(rezip(header, members), tmp_path)
    assert "lies too deep" in message or "nested" in message


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (set_in(*STATE, "encoder_", "part", "state", "groups_", {"tuple": []}), "groups differ in number"),
        (
            set_in(*STATE, "encoder_", "part", "state", "schema_", "schema", 0, "type", "number"),
            "column 'age' of its schema is not one that a table has",
        ),
        (
            set_in(*STATE, "encoder_", "part", "state", "schema_", "schema", 1, "levels", ["none", "paid"]),
            "its group of column 'work' is not where it should be",
        ),
        (set_in(*STATE, "encoder_", "part", "state", "schema_", "schema", 1, "levels", [[]]), "not one that"),
        (set_in(*STATE, "encoder_", "part", "state", "schema_", "schema", 1, "missing", -1), "not one that"),
        (set_in(*STATE, "encoder_", "part", "state", "schema_", "schema", 1, "__x", 1), "properties that"),
        (set_in(*STATE, "encoder_", {"tuple": []}), "'encoder_' is not a fitted encoder"),
        (set_in(*STATE, "encoder_", "part", "state", None), "'encoder_' is not a fitted encoder"),
        (set_in(*STATE, "estimator_", 1.5), "'estimator_' is not a fitted classifier"),
        (set_in(*STATE, "target_", 1), "'target_' is not text"),
        (set_in(*STATE, "class_prior_", [1.0]), "'class_prior_' is not an array of finite numbers"),
    ],
)
def test_classifiers_of_tables_that_cannot_be_are_told(
    tmp_path: Path, change: Callable[[Header], None], words: str
) -> None:
    data = edited("table", tmp_path, lambda header, _: change(header))
    if "class_prior_" in words or "encoder_" in words or "estimator_" in words or "target_" in words:
        assert words.split(" is ")[0] in refusal(data, tmp_path) or "belongs to nothing" in refusal(
            data, tmp_path
        )
    else:
        assert words in refusal(data, tmp_path)


def test_a_model_that_needs_more_memory_than_there_is(
    tmp_path: Path, shared: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhausted(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(assay.GaussianClassifier, "_learn", exhausted)
    assert "it needs more memory than is available" in refusal(shared, tmp_path)


def test_nothing_in_a_file_is_imported(tmp_path: Path, shared: bytes) -> None:
    header, members = unzip(shared)
    header["model"]["part"]["class"] = "antigravity:fly"
    refusal(rezip(header, members), tmp_path)
    assert "antigravity" not in sys.modules


def test_numbers_that_overflow_when_they_are_squared_warn_nobody(tmp_path: Path) -> None:
    """Found by fuzzing: diagnostics of a classifier of tables were computed where warnings were on."""
    header, members = unzip(saved(MAKERS["table"](), tmp_path))
    name = header["model"]["part"]["state"]["estimator_"]["part"]["parameters"]["steps"][-1]["tuple"][1][
        "part"
    ]["state"]["statistics_"]["moments"]["offset"]["array"]
    array = np.load(io.BytesIO(members[name]))
    array[0, 0] = 9e149
    members[name] = npy(array)
    path = tmp_path / "large.assay"
    path.write_bytes(rezip(header, members))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assay.load(path)
