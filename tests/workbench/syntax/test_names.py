"""Names in a line of text: whatever they hold, they are read as they were written."""

from __future__ import annotations

import shlex
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.decision import LossMatrix
from assay.notes.names import spell_name
from assay.notes.numbers import spell_number
from assay.workbench.experiment.reproduce import loss_text, priors_text
from assay.workbench.syntax.loss import parse_loss, parse_priors
from assay.workbench.syntax.names import cuts, parts, read_name
from assay.workbench.syntax.settings import parse_types
from tests.raised import Expected, raises

SIGNS = st.sampled_from(list(",:=\"*'\\ \t\n$`<>ab1é"))
NAMES = st.one_of(st.text(SIGNS, max_size=8), st.text(max_size=8))
COSTS = st.floats(-1e300, 1e300)


@st.composite
def losses(draw: st.DrawFn) -> LossMatrix:
    classes = sorted(draw(st.lists(NAMES, min_size=2, max_size=4, unique=True)))
    others = draw(st.lists(NAMES.filter(lambda name: name not in classes), max_size=2, unique=True))
    offered = draw(st.lists(st.sampled_from(classes), min_size=1, unique=True))
    actions = [*(name for name in classes if name in offered), *others]
    values = [[draw(COSTS) for _ in actions] for _ in classes]
    return LossMatrix(np.array(values), np.array(classes, dtype=object), tuple(actions))


@given(NAMES)
def test_a_name_is_read_as_it_was_written(name: str) -> None:
    text = spell_name(name)
    assert read_name(text) == name and cuts(text, ":") == cuts(text, "=") == cuts(text, ",") == []
    assert text.isprintable()
    assert shlex.split(shlex.quote(text)) == [text]


@given(st.lists(NAMES, max_size=5))
def test_parts_of_a_line_are_the_names_it_was_made_of(names: list[str]) -> None:
    assert [read_name(part) for part in parts(" , ".join(map(spell_name, names)))] == names


@given(losses())
def test_a_loss_is_read_as_it_was_written(loss: LossMatrix) -> None:
    words = shlex.split(shlex.join(["assay", "--loss", loss_text(loss)]))
    again = parse_loss(words[2], loss.classes)
    assert again.actions == loss.actions
    np.testing.assert_array_equal(again.values, loss.values)


@given(
    st.lists(NAMES, min_size=2, max_size=4, unique=True), st.lists(st.floats(0.01, 1), min_size=4, max_size=4)
)
def test_priors_are_read_as_they_were_written(names: list[str], weights: list[float]) -> None:
    priors = np.array(weights[: len(names)]) / sum(weights[: len(names)])
    again = parse_priors(
        shlex.split(shlex.quote(priors_text(names, priors.tolist())))[0], np.array(names, dtype=object)
    )
    np.testing.assert_array_equal(again, priors)


@given(NAMES)
def test_a_column_is_read_as_it_was_written(name: str) -> None:
    assert parse_types([f"{spell_name(name)}=text"]) == {name: "text"}


@pytest.mark.parametrize("classes", [[0, 1], [0.0, 1.0], [False, True]])
def test_labels_that_are_no_text_come_back_as_they_are(classes: list[Any]) -> None:
    loss = LossMatrix.of([[0, 5], [0.1, 0]], classes)
    again = parse_loss(loss_text(loss), classes)
    assert again.actions == tuple(classes) and again.values.tolist() == loss.values.tolist()


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_keep_all_their_digits(value: float) -> None:
    assert float(spell_number(value)) == value


def test_plain_names_stay_plain() -> None:
    loss = LossMatrix.of({"good": {"good": 0, "bad": 5}, "bad": {"good": 1, "bad": 0}}, ["bad", "good"])
    assert loss_text(loss) == "good:bad=5"
    assert priors_text(["bad", "good"], [0.25, 0.75]) == "bad=0.25,good=0.75"


def test_every_class_and_a_class_called_so_are_told_apart() -> None:
    assert parse_loss('"*":a=3', ["*", "a"]).values.tolist() == [[0, 3], [1, 0]]
    assert parse_loss("*:a=3", ["*", "a"]).values.tolist() == [[0, 3], [1, 3]]


def test_an_action_that_is_not_to_be_had() -> None:
    loss = parse_loss("*:ask=0.2,*:bad=never", ["bad", "good"])
    assert loss.actions == ("good", "ask") and loss.values.tolist() == [[1, 0.2], [0, 0.2]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"a:b=3', Expected("O105")),
        ('"\\x":b=3', Expected("O104")),
        ('"a"b:b=3', Expected("O002")),
        ("a:b=never", Expected("O004")),
        ("*:a=never,*:b=never", Expected("O005")),
    ],
)
def test_wrong_quotes_are_one_sentence(text: str, expected: Expected) -> None:
    with raises(expected) as caught:
        parse_loss(text, ["a", "b"])
    assert "\n" not in str(caught.value)
