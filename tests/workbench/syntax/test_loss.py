"""Losses and priors as people write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay.decision import LossMatrix
from assay.workbench.syntax.loss import parse_loss, parse_priors
from tests.raised import Expected, raises

CLASSES = ["bad", "good"]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("good:bad=5,bad:good=1", [[0, 1], [5, 0]]),
        ("good:bad=5", [[0, 1], [5, 0]]),
        (" good : bad = 5 , ", [[0, 1], [5, 0]]),
        ("*:bad=2", [[2, 1], [2, 0]]),
        ("good:bad=5,good:bad=6", [[0, 1], [6, 0]]),
    ],
)
def test_a_line_changes_the_pairs_it_names(text: str, values: list[list[float]]) -> None:
    assert parse_loss(text, CLASSES).values.tolist() == values


def test_an_action_that_is_no_class_has_one_price_or_one_for_each() -> None:
    one = parse_loss("*:ask=0.2", CLASSES)
    assert one.actions == ("bad", "good", "ask") and one.values[:, 2].tolist() == [0.2, 0.2]
    each = parse_loss("bad:ask=0.1,good:ask=0.3", CLASSES)
    assert each.values[:, 2].tolist() == [0.1, 0.3]


def test_names_may_hold_the_signs_of_the_notation() -> None:
    loss = parse_loss("<=50K:>50K=3", ["<=50K", ">50K"])
    assert loss.values.tolist() == [[0, 3], [1, 0]]
    assert parse_loss("a:b:c=3", ["a:b", "c"]).values.tolist() == [[0, 3], [1, 0]]
    assert parse_priors("<=50K=0.25,>50K=0.75", ["<=50K", ">50K"]).tolist() == [0.25, 0.75]  # type: ignore[union-attr]


@pytest.mark.parametrize("classes", [[0, 1], [0.0, 1.0], np.array([0, 1]), ["0", "1"]])
def test_labels_match_by_their_spelling(classes: Any) -> None:
    assert parse_loss("1:0=5", classes).values.tolist() == [[0, 1], [5, 0]]
    assert parse_priors("1=0.25,0=0.75", classes).tolist() == [0.75, 0.25]  # type: ignore[union-attr]


def test_files(tmp_path: Path) -> None:
    expected = [[0.0, 1.0, 0.5], [5.0, 0.0, 0.5]]
    files = {
        "loss.csv": "true,bad,good,ask\ngood,5,0,0.5\nbad,0,1,0.5\n",
        "loss.tsv": "true\tgood\tbad\task\nbad\t1\t0\t0.5\ngood\t0\t5\t0.5\n",
        "semi.csv": "\ufefftrue;bad;good;ask\ngood;5;0;0.5\n\nbad;0;1;0.5\n",
        "loss.json": json.dumps(
            {"good": {"bad": 5, "good": 0, "ask": 0.5}, "bad": {"bad": 0, "good": 1, "ask": 0.5}}
        ),
    }
    for name, text in files.items():
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        for given in (path, str(path)):
            loss = parse_loss(given, CLASSES)
            assert loss.actions == ("bad", "good", "ask")
            assert loss.values.tolist() == expected, name
    (tmp_path / "rows.json").write_text("[[0, 1], [5, 0]]")
    assert parse_loss(tmp_path / "rows.json", CLASSES).values.tolist() == [[0, 1], [5, 0]]


def test_what_python_knows_already_passes() -> None:
    assert parse_loss(None, CLASSES).values.tolist() == [[0, 1], [1, 0]]
    matrix = LossMatrix.zero_one(CLASSES, reject=0.1)
    assert parse_loss(matrix, CLASSES).actions == matrix.actions
    assert parse_priors(None, CLASSES) is None
    assert parse_priors([0.5, 0.5], CLASSES).tolist() == [0.5, 0.5]  # type: ignore[union-attr]
    assert parse_priors({"good": 0.9, "bad": 0.1}, CLASSES).tolist() == [0.1, 0.9]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("godo:bad=5", Expected("O002", key="godo")),
        ("xyz:bad=5", Expected("O002")),
        ("good:bda=5", Expected("O706", action="bda", label="bad", name="bda")),
        ("good:ask=5", Expected("O017", action="ask", label="bad", name="ask")),
        ("good=5", Expected("O006")),
        ("good:=5", Expected("O001")),
        ("good:bad=many", Expected("O010", pair="good:bad", value="many")),
        ("good:bad=nan", Expected("O010")),
        ("good:bad=", Expected("O010")),
        ("good:bad=5,good", Expected("O009", part="good")),
        ("absent.csv", Expected("O003", loss="absent.csv")),
        ("absent", Expected("O003", loss="absent")),
        ("x" * 5000 + "=1", Expected("O006")),
    ],
)
def test_wrong_lines_are_one_sentence(text: str, expected: Expected) -> None:
    with raises(expected, (ValueError, FileNotFoundError)) as caught:
        parse_loss(text, CLASSES)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.csv", b"true,bad,good\nbad,0,1\ngodo,5,0\n", Expected("O703", key="godo")),
        ("a.csv", b"true,bad,good\nbad,0\ngood,5,0\n", Expected("O015", row=2, cells=2)),
        ("a.csv", b"true,bad,bad\nbad,0,1\ngood,5,0\n", Expected("O008", action="bad")),
        ("a.csv", b"true,bad,good\nbad,0,1\nbad,5,0\n", Expected("O016", label="bad")),
        ("a.csv", b"true,bad,good\nbad,0,x\ngood,5,0\n", Expected("O010", pair="bad:good", value="x")),
        ("a.csv", b"true,bad,good\nbad,0,1\n", Expected("L026", label="good")),
        ("a.csv", b"", Expected("O007")),
        ("a.csv", b"\xff\xfe\x00", Expected("O012", byte=0)),
        ("a.json", b"{", Expected("O013")),
        ("a.json", b'{"bad": 3}', Expected("O014")),
        ("a.json", b"[1, 2]", Expected("L015")),
    ],
)
def test_wrong_files_are_one_sentence(tmp_path: Path, name: str, content: bytes, expected: Expected) -> None:
    (tmp_path / name).write_bytes(content)
    with raises(expected):
        parse_loss(tmp_path / name, CLASSES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("good=0.5", Expected("O011", label="bad")),
        ("good=0.5,bda=0.5", Expected("O704", name="priors", key="bda")),
        ("good=0.5,bad=0.6", Expected("L050", total=1.1)),
        ("good=x,bad=0.6", Expected("O705", label="good", value="x")),
        ("0.5,0.5", Expected("O009")),
    ],
)
def test_wrong_priors_are_one_sentence(text: str, expected: Expected) -> None:
    with raises(expected):
        parse_priors(text, CLASSES)
