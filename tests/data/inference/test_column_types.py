"""Types of columns: the rules on small made-up columns, and the judgement on real tables."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pytest

from assay.data import Column, read
from assay.data.inference.value_counts import MOST_TEXTS
from assay.notes import as_note
from tests.raised import raises
from tests.realdata import data_path

RANDOM = np.random.default_rng(5)


def column(values: Any, name: str = "x", **options: Any) -> Column:
    return read({name: values}, **options).schema[name]


COLUMNS: list[tuple[str, Any, str, str]] = [
    ("decimals", [1.5, 2.0, 3.25], "numeric", "numbers with decimals"),
    ("numbers as text", ["1", "2.5", " 3 ", "1e-4", "+7"], "numeric", "numbers with decimals"),
    ("two numbers", [1, 5] * 20, "binary", "two values"),
    ("two numbers in few rows", [31, 40], "numeric", "whole numbers"),
    ("zero and one in few rows", [0, 1, 1], "binary", "two values"),
    ("two words", ["yes", "no", "yes"], "binary", "two values"),
    ("truth", [True, False], "binary", "two values"),
    ("codes", [1, 2, 3] * 40, "categorical", "whole numbers, 3 values"),
    (
        "codes far apart",
        [20, 30, 45, 60, 75, 80, 85, 90, 120, 160, 190, 180] * 40,
        "categorical",
        "12 values",
    ),
    ("a scale", list(range(1, 17)) * 40, "numeric", "whole numbers"),
    ("counts", [0] * 600 + [1] * 200 + [2] * 60 + [3] * 20 + [4] * 8, "numeric", "whole numbers"),
    ("codes from zero", [0] * 140 + [1] * 50 + [2] * 87 + [3] * 23, "categorical", "whole numbers, 4 values"),
    ("many whole numbers", RANDOM.integers(0, 500, 400), "numeric", "whole numbers"),
    ("whole numbers with gaps", [1.0, None, 3.0] * 40, "binary", "two values"),
    ("a sequence", list(range(1, 51)), "identifier", "consecutive numbers, each once"),
    ("rising numbers", np.cumsum(RANDOM.integers(1, 9, 60)), "identifier", "increasing"),
    (
        "long numbers",
        RANDOM.permutation(np.arange(60) * 9973 + 200_000),
        "identifier",
        "all of the same length",
    ),
    ("measured whole numbers", RANDOM.permutation(np.arange(60) * 97), "numeric", "whole numbers"),
    ("keys", [f"k{i}" for i in range(50)], "identifier", "100 % of the values different"),
    ("long keys", [str(10**17 + i) for i in range(50)], "identifier", "100 % of the values different"),
    ("long keys as numbers", [10**17 + i for i in range(50)], "identifier", "100 % of the values different"),
    ("few words, all different", list("abcdef"), "categorical", "text, 6 values"),
    ("leading zeros", ["00087", "01234", "00087", "99999"], "categorical", "text, 3 values"),
    ("sentences", ["this is a text", "and so is that one", "the last of three"], "text", "words on average"),
    ("days", ["2024-02-29", "2023-01-01", None], "date", "dates"),
    ("moments", ["2024-02-29 10:30", "2024-02-29T10:30:05.5", ""], "date", "dates"),
    ("zones", ["2024-02-29T10:30:00Z", "2024-02-29T10:30:00+02:00"], "date", "dates"),
    ("dates", [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)], "date", "dates"),
    ("one value", ["a", "a", "a"], "constant", "one value in every row"),
    ("one value or none", ["a", None, "a"], "binary", "one value or none"),
    ("one number or none", [1, None, 1], "binary", "one value or none"),
    ("one date or none", [datetime.date(2020, 1, 1), None], "date", "dates"),
    ("one price or none", ["$5", None, "$5"], "numeric", "whole numbers, written like $1234.5"),
    ("one text and nothing else", ["a", "a", "?"], "binary", "one value or none"),
    ("nothing", [None, "", " NA "], "constant", "no value in any row"),
    ("nothing at all", [None, None], "constant", "no value in any row"),
    ("words among numbers", ["1", "2", "C D", "3", "A"] * 20, "categorical", "text, 5 values"),
]


@pytest.mark.parametrize(
    "values, kind, reason", [row[1:] for row in COLUMNS], ids=[row[0] for row in COLUMNS]
)
def test_a_column_is_taken_for(values: Any, kind: str, reason: str) -> None:
    found = column(values)
    assert (found.type, reason in found.reason) == (kind, True), found


@pytest.mark.parametrize("name", ["id", "ID", "customer_id", "customerId", "Unnamed: 0", "row.id", "index"])
def test_the_name_of_a_key_helps(name: str) -> None:
    values = RANDOM.integers(0, 200, 100)
    assert column(values, name).type == "identifier"
    assert column(values, "width").type == "numeric"
    assert column([1, 2, 3] * 40, name).type == "categorical"


def test_missing_values_are_counted_in_every_spelling() -> None:
    markers = [
        "",
        "NA",
        "na",
        "N/A",
        "n/a",
        "null",
        "NULL",
        "?",
        "nan",
        "NaN",
        "-",
        "  ",
        " NA ",
        "\tnull",
        None,
    ]
    found = read({"x": [*markers, "2.5", "4"], "y": [*markers, "a", "b"]})
    assert [c.missing for c in found.schema] == [len(markers)] * 2
    assert found.schema["x"].distinct == found.schema["y"].distinct == 2
    assert np.isnan(found["x"][: len(markers)]).all() and found["x"][-1] == 4.0
    assert (found["y"][: len(markers)] == -1).all() and found.schema["y"].levels == ("a", "b")


@pytest.mark.parametrize("word", ["none", "unknown", "N", "nil", "--", "0"])
def test_other_words_are_values(word: str) -> None:
    assert column([word, "x", "y"]).missing == 0


def test_levels_are_of_the_type_of_their_values() -> None:
    assert column([3, 1, 2] * 40).levels == (1, 2, 3)
    assert [type(level) for level in column(["1", "0"] * 40).levels] == [int, int]
    assert column([0.5, 1.5] * 40).levels == (0.5, 1.5)
    assert column([True, False, True]).levels == (False, True)
    assert column(["b", "a", "c"] * 10).levels == ("a", "b", "c")


def test_examples_are_the_most_frequent_or_the_first_values() -> None:
    assert column(["a"] * 5 + ["b"] * 9 + ["c"] * 2 + ["d"]).examples == ("b", "a", "c")
    assert column([2.5, 2.5, 7.0, 1.25]).examples == ("2.5", "7", "1.25")
    assert column(["x" * 100, "y" * 100, "z"]).examples[0] == "x" * 37 + "..."


@pytest.mark.parametrize("kind", ["numeric", "categorical", "text", "identifier", "binary"])
def test_types_are_overridden(kind: str) -> None:
    found = read({"x": ["1", "0", "1"]}, types={"x": kind})
    assert (found.schema["x"].type, as_note(found.schema["x"].reason).code) == (kind, "D216")
    expected = {"numeric": [1.0, 0.0, 1.0], "categorical": [1, 0, 1], "binary": [1, 0, 1]}
    assert found["x"].tolist() == expected.get(kind, ["1", "0", "1"]) if kind in expected else True


def test_identifiers_keep_their_digits() -> None:
    long = [str(2**63 + i) for i in range(30)]
    found = read({"a": long, "b": [2**53 + 1 + i for i in range(30)], "c": [f"{i:05}" for i in range(30)]})
    assert found["a"].to_pylist() == long
    assert found["b"].to_pylist() == [str(2**53 + 1 + i) for i in range(30)]
    assert found["c"].to_pylist()[7] == "00007"


@pytest.mark.parametrize(
    "values, kind, levels",
    [
        ([3, 1, 7, 1], "categorical", (1, 3, 7)),
        (["3", "1"], "binary", ("1", "3")),
        ([0.5, 1.5, 2.5], "categorical", ("0.5", "1.5", "2.5")),
        (["a", "a"], "categorical", ("a",)),
        ([True, False], "binary", (False, True)),
        (list(range(50)), "categorical", tuple(range(50))),
        ([f"k{i:02}" for i in range(60)], "categorical", tuple(f"k{i:02}" for i in range(60))),
    ],
)
def test_a_target_has_levels_whatever_its_values(values: Any, kind: str, levels: tuple[Any, ...]) -> None:
    found = column(values, target="x")
    assert (found.type, found.levels, found.reason) == (kind, levels, "the target")


@pytest.mark.parametrize(
    "values",
    [
        ["2020-01-01", "2021-01-01"],
        ["31.12.2020", "01.12.2020"],
        ["1/2/2020", "3/4/2020"],
        [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)],
        np.array(["2020-01-01", "2021-01-01"], dtype="datetime64[ns]"),
    ],
)
def test_a_target_of_dates_is_refused_unless_each_is_a_class(values: Any) -> None:
    with raises("D093"):
        column(values, target="x")
    assert len(column(values, target="x", types={"x": "categorical"}).levels) == 2


def test_a_target_with_many_whole_numbers_that_repeat_is_one() -> None:
    assert len(column(list(range(60)) * 30, target="x").levels) == 60


def test_ten_thousand_categories_and_three_hundred_constants() -> None:
    words = [f"w{i % 10_000}" for i in range(40_000)]
    found = read({"words": words, **{f"c{i}": ["k"] * 40_000 for i in range(300)}})
    assert len(found.schema["words"].levels) == 10_000
    assert {c.type for c in found.schema.without("words")} == {"constant"}
    assert found.labels("words").tolist() == words


def test_beyond_what_is_counted() -> None:
    keys = column([f"k{i}" for i in range(MOST_TEXTS + 5)])
    assert (keys.type, keys.distinct) == ("identifier", None)
    words = column([f"k{i // 2}" for i in range(2 * MOST_TEXTS + 10)])
    assert (words.type, words.reason) == ("text", "too many different values for categories")
    assert column(np.arange(3 * MOST_TEXTS)).reason == "a new number in every row, increasing"


REAL = {
    "adult.csv.gz": {
        "numeric": "age fnlwgt education-num capital-gain capital-loss hours-per-week",
        "binary": "split sex income",
        "categorical": "workclass education marital-status occupation relationship race native-country",
    },
    "titanic3.csv.gz": {
        "numeric": "age sibsp parch fare body",
        "binary": "sex survived",
        "categorical": "pclass ticket cabin embarked boat home.dest",
        "text": "name",
    },
    "penguins.csv.gz": {
        "numeric": "bill_length_mm bill_depth_mm flipper_length_mm body_mass_g",
        "binary": "sex",
        "categorical": "species island year",
    },
    "bank_full.csv.gz": {
        "numeric": "age balance day duration campaign pdays previous",
        "binary": "default housing loan y",
        "categorical": "job marital education contact month poutcome",
    },
    "sms_spam.tsv.gz": {"binary": "label", "text": "text"},
    "glass.csv.gz": {"numeric": "RI Na Mg Al Si K Ca Ba Fe", "categorical": "Type"},
    "enron1_spam.tsv.gz": {"binary": "label", "identifier": "id", "text": "text"},
}


@pytest.mark.parametrize("name", REAL)
def test_real_tables_are_judged_as_a_person_would(name: str) -> None:
    table = read(data_path(name))
    found: dict[str, set[str]] = {}
    for part in table.schema:
        found.setdefault(part.type, set()).add(part.name)
    assert found == {kind: set(names.split()) for kind, names in REAL[name].items()}


def test_adult_counts() -> None:
    table = read(data_path("adult.csv.gz"), target="income")
    assert table.shape == (48842, 16)
    assert {c.name: c.missing for c in table.schema if c.missing} == {
        "workclass": 2799,
        "occupation": 2809,
        "native-country": 857,
    }
    assert np.bincount(table["income"]).tolist() == [37155, 11687]
