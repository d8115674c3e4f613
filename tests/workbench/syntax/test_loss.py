"""Losses and priors as people write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay.decision import LossMatrix
from assay.workbench.syntax.loss import parse_loss, parse_priors

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
    ("text", "sentence"),
    [
        ("godo:bad=5", "The loss names 'godo', which is not a class (did you mean 'good'"),
        ("xyz:bad=5", "which is not a class; the classes are 'bad', 'good'"),
        ("good:bda=5", "Unknown class 'bda' (did you mean 'bad'"),
        ("good:ask=5", "as in '*:ask=cost'; it is missing for class 'bad'"),
        ("good=5", "write true:action=cost"),
        ("good:=5", "names no action"),
        ("good:bad=many", "The loss of 'good:bad' is 'many'; give a number."),
        ("good:bad=nan", "give a number"),
        ("good:bad=", "give a number"),
        ("good:bad=5,good", "'good' gives no number"),
        ("absent.csv", "There is no loss file 'absent.csv'"),
        ("absent", "There is no loss file 'absent'"),
        ("x" * 5000 + "=1", "write true:action=cost"),
    ],
)
def test_wrong_lines_are_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises((ValueError, FileNotFoundError)) as caught:
        parse_loss(text, CLASSES)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.csv", b"true,bad,good\nbad,0,1\ngodo,5,0\n", "names 'godo', which is not a class"),
        ("a.csv", b"true,bad,good\nbad,0\ngood,5,0\n", "Row 2 of"),
        ("a.csv", b"true,bad,bad\nbad,0,1\ngood,5,0\n", "two columns called 'bad'"),
        ("a.csv", b"true,bad,good\nbad,0,1\nbad,5,0\n", "two rows for class 'bad'"),
        ("a.csv", b"true,bad,good\nbad,0,x\ngood,5,0\n", "The loss of 'bad:good' is 'x'"),
        ("a.csv", b"true,bad,good\nbad,0,1\n", "no row for class 'good'"),
        ("a.csv", b"", "holds no loss matrix"),
        ("a.csv", b"\xff\xfe\x00", "is not UTF-8 text (byte 0)"),
        ("a.json", b"{", "is not JSON"),
        ("a.json", b'{"bad": 3}', "give action: cost pairs"),
        ("a.json", b"[1, 2]", "dimensions"),
    ],
)
def test_wrong_files_are_one_sentence(tmp_path: Path, name: str, content: bytes, sentence: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError) as caught:
        parse_loss(tmp_path / name, CLASSES)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("good=0.5", "leave out class 'bad'"),
        ("good=0.5,bda=0.5", "The priors name 'bda', which is not a class (did you mean 'bad'"),
        ("good=0.5,bad=0.6", "sum to 1.1"),
        ("good=x,bad=0.6", "The prior of class 'good' is 'x'; give a number."),
        ("0.5,0.5", "gives no number to a name"),
    ],
)
def test_wrong_priors_are_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_priors(text, CLASSES)
    assert sentence in str(caught.value)
