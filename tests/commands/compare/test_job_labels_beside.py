"""`compare(X, y)`: labels beside the rows instead of the name of a column."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.datasets import load_iris

import assay
from assay import KFold, compare, read
from assay.commands.compare.comparison import Comparison
from assay.commands.compare.reopen import reopen
from tests.commands.compare.purchases import board, mixed
from tests.raised import Expected, raises

COLUMNS = {name: values.tolist() for name, values in mixed(150).items()}
FEATURES = {name: values for name, values in COLUMNS.items() if name != "bought"}
LABELS = COLUMNS["bought"]
OPTIONS: dict[str, Any] = {"candidates": ["baseline", "gaussian_nb", "gaussian_shared"], "plan": KFold(3)}
FORMS: dict[str, tuple[Any, Any]] = {
    "pandas": (pd.DataFrame(FEATURES), pd.Series(LABELS, name="bought")),
    "pandas categories": (pd.DataFrame(FEATURES), pd.Series(LABELS, name="bought", dtype="category")),
    "polars": (pl.DataFrame(FEATURES), pl.Series("bought", LABELS)),
    "arrow": (pa.table(FEATURES), pa.array(LABELS)),
    "arrow categories": (pa.table(FEATURES), pa.array(LABELS).dictionary_encode()),
    "typed": (read(FEATURES), np.array(LABELS)),
    "dictionary": (FEATURES, LABELS),
    "frame of labels": (pd.DataFrame(FEATURES), pd.DataFrame({"bought": LABELS})),
}


def run(*given: Any, **more: Any) -> Comparison:
    return compare(*given, progress=False, **OPTIONS, **more)


@pytest.mark.parametrize("form", FORMS)
def test_the_second_argument_is_one_label_per_row(form: str) -> None:
    X, y = FORMS[form]
    found, by_name = run(X, y), run(pd.DataFrame(COLUMNS), "bought")
    assert board(found) == board(by_name)
    unnamed = form in ("arrow", "arrow categories", "typed", "dictionary")
    assert found.target == ("target" if unnamed else "bought")
    np.testing.assert_array_equal(found.best.predict(X), by_name.best.predict(X))


def test_arrays_and_labels_keep_their_types() -> None:
    X, y = load_iris(return_X_y=True)
    found = run(X, y + 1)
    assert found.best.predict(X).dtype == y.dtype and found.nested.classes.tolist() == [1, 2, 3]
    assert board(found) == board(run((X, y + 1)))


def test_types_of_a_typed_table_are_kept() -> None:
    table = read({**FEATURES, "zip": np.arange(150) % 7 + 10.5}, types={"zip": "categorical"})
    assert run(table, LABELS).bench.problem.features.schema["zip"].type == "categorical"


def test_texts_and_labels() -> None:
    rng = np.random.default_rng(1)
    words = {"ham": ["tea", "sun", "walk", "book"], "spam": ["cash", "win", "now", "free"]}
    y = np.array(["ham", "spam"])[rng.integers(0, 2, 60)]
    texts = [" ".join(rng.choice(words[label], 5)) for label in y]
    forms = (texts, np.array(texts, dtype=object), pd.Series(texts), pl.Series(texts), pa.array(texts))
    boards = []
    for X in forms:
        found = compare(X, y, candidates=["baseline", "multinomial_nb"], plan=KFold(3), progress=False)
        boards.append(board(found))
        assert found.bench.problem.features.schema["text"].type == "text"
        assert (found.best.predict(texts) == y).all()
    assert all(each == boards[0] for each in boards)


def test_a_run_is_resumed_and_reopened_and_its_line_repeats_it(tmp_path: Path) -> None:
    X, y = FORMS["pandas"]
    found = run(X, y, out=tmp_path / "run")
    (line,) = found.commands
    assert line.startswith("assay.compare(X, y, ")
    assert board(run(X, y, out=tmp_path / "run", resume=True)) == board(found)
    opened = reopen(tmp_path / "run", (X, y))
    assert board(opened) == board(found) and opened.target == "bought"
    assert opened.commands[0].startswith("assay.compare(X, y, ")
    repeated = eval(run(X, y).commands[0], {"assay": assay, "X": X, "y": y})
    assert board(repeated) == board(found)
    with raises("C025"):
        reopen(tmp_path / "run", (X, y[::-1]))


BAD: dict[str, tuple[Any, Any, Expected]] = {
    "the column is in X": (
        pd.DataFrame(COLUMNS),
        pd.Series(LABELS, name="bought"),
        Expected("D098", label="bought"),
    ),
    "the column is in a typed table": (
        read(COLUMNS),
        pl.Series("bought", LABELS),
        Expected("D098", label="bought"),
    ),
    "a name for no name": (
        pd.DataFrame({"target": LABELS, "x": range(150)}),
        LABELS,
        Expected("D098", label="target"),
    ),
    "too few labels": (
        pd.DataFrame(FEATURES),
        LABELS[1:],
        Expected("D036", rows=150, labels=149),
    ),
    "too few for a typed table": (read(FEATURES), LABELS[1:], Expected("D036", rows=150, labels=149)),
    "several columns": (pd.DataFrame(FEATURES), np.zeros((150, 2)), Expected("D032", dimensions=2)),
    "a file": ("shop.csv", LABELS, Expected("P009", source="shop.csv")),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_labels_are_one_sentence(case: str) -> None:
    X, y, expected = BAD[case]
    with raises(expected) as error:
        run(X, y)
    assert "\n" not in str(error.value)
