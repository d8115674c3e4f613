"""`assay separable`: yes with a plane, or no with a proof, about tables of every kind."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assay.commands.separable.job import separable_table
from tests.commands.conftest import Run, write_csv
from tests.program import refused
from tests.raised import raises

CORNERS = [[0, 0], [0, 1], [1, 0], [1, 1]]


@pytest.fixture
def gates(tmp_path: Path) -> Path:
    rows = [[a, b, "ny"[a and b], "ny"[a or b], "ny"[a != b]] for a, b in CORNERS * 3]
    return write_csv(tmp_path / "gates.csv", ["a", "b", "and", "or", "xor"], rows)


@pytest.mark.parametrize(("gate", "others"), [("and", ("or", "xor")), ("or", ("and", "xor"))])
def test_and_and_or_have_a_plane(run: Run, gates: Path, gate: str, others: tuple[str, str]) -> None:
    drop = [word for name in others for word in ("--drop", name)]
    result = run("separable", gates, "--target", gate, *drop, "--json").json
    (plane,) = result["planes"]
    weights = np.array(list(plane["weights"].values()))
    score = np.array(CORNERS) @ weights + plane["intercept"]
    truth = [a and b if gate == "and" else a or b for a, b in CORNERS]
    assert result["separable"] and plane["class"] == "y" and (score > 0).tolist() == [bool(t) for t in truth]
    assert result["margin"] == pytest.approx(np.abs(score).min() / np.linalg.norm(weights))
    assert "A plane that separates them" in run("separable", gates, "--target", gate, *drop).text


def test_xor_has_a_proof_that_names_rows(run: Run, gates: Path) -> None:
    options = ("--target", "xor", "--drop", "and", "--drop", "or")
    result = run("separable", gates, *options, "--json").json
    assert not result["separable"] and result["kind"] == "none" and result["planes"] == []
    sides = {"n": np.zeros(2), "y": np.zeros(2)}
    for part in result["proof"]:
        a, b, label = (CORNERS * 3)[part["row"] - 1] + [None]
        assert part["class"] == "ny"[a != b] and part["rival"] != part["class"]
        sides[part["class"]] += part["multiplier"] * np.array([a, b])
    np.testing.assert_allclose(
        sides["n"], sides["y"], atol=1e-12
    )  # one point, a weighted mean of either class
    assert "Rows of the proof" in run("separable", gates, *options).text


def test_tables_of_every_kind_and_many_classes(run: Run, iris: Path, loans: Path) -> None:
    assert run("separable", iris, "--target", "species", "--json").json["kind"] == "quasi"
    done = run("separable", loans)
    assert done.code == 0 and "separable no" in done.text


@pytest.mark.parametrize(
    ("rows", "options", "words"),
    [
        ([["1", "a"]] * 20, (), ("'class'", "'a'")),
        ([["1", "a"], ["2", "b"]] * 10, ("--target", "clas"), ("'clas'", "'class'")),
        ([["one text here", "a"], ["another text there", "b"]] * 10, ("--type", "x=text"), ("'x'", "--type")),
    ],
)
def test_wrong_input_is_one_sentence(
    run: Run, tmp_path: Path, rows: list[list[str]], options: tuple[str, ...], words: tuple[str, ...]
) -> None:
    table = write_csv(tmp_path / "t.csv", ["x", "class"], rows)
    refused(run("separable", table, *options), *words)


def test_a_table_of_texts_alone_has_no_columns_to_decide_by() -> None:
    texts = {"x": ["red apple", "green pear", "red cherry"] * 6, "class": ["a", "b", "a"] * 6}
    with raises("P740") as caught:
        separable_table(texts, "class", types={"x": "text"})
    assert "'x'" in caught.value.args[0].values["first"]
