"""Numbers and dates as people write them: what is written comes back, and what can be read in two ways is said."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.data import Column, Schema, read, scan
from assay.data.convert import MisfitError
from assay.data.inference.detect_format import detect_format
from assay.data.inference.formats import SIGNS, DateFormat, NumberFormat, parse_format
from tests.raised import raises

RANDOM = np.random.default_rng(3)
NUMBERS = st.builds(
    NumberFormat,
    decimal=st.sampled_from([".", ","]),
    thousands=st.sampled_from(["", ",", ".", " ", "'"]),
    sign=st.sampled_from(["", *SIGNS]),
    front=st.booleans(),
).filter(lambda way: way.decimal != way.thousands and (way.sign or not way.front))
DATES = st.builds(DateFormat, st.sampled_from(["dmy", "mdy"]), st.sampled_from([".", "/", "-"]))


def spell(value: float, way: NumberFormat, places: int) -> str:
    """The value as somebody who writes that way would."""
    text = f"{abs(value):,.{places}f}".translate(str.maketrans({",": way.thousands, ".": way.decimal}))
    minus = "-" if value < 0 else ""
    if not way.sign:
        return minus + text
    return f"{minus}{way.sign}{text}" if way.front else f"{minus}{text} {way.sign}"


def spell_date(day: datetime.date, way: DateFormat) -> str:
    parts = {"d": f"{day.day:02}", "m": f"{day.month:02}", "y": f"{day.year:04}"}
    return way.between.join(parts[part] for part in way.order)


def parsed(way: NumberFormat | DateFormat, texts: list[Any]) -> np.ndarray:
    return way.parse(pa.array(texts, pa.large_string()))


def column(values: Any, **options: Any) -> Column:
    return read({"x": values}, **options).schema["x"]


@given(NUMBERS, st.lists(st.floats(-1e12, 1e12), min_size=1, max_size=20), st.integers(0, 4))
def test_numbers_come_back(way: NumberFormat, values: list[float], places: int) -> None:
    rounded = [round(value, places) for value in values]
    texts = [spell(value, way, places) for value in rounded]
    np.testing.assert_array_equal(parsed(way, [*texts, None, " NA "])[: len(values)], rounded)
    assert all(way.fits(text) for text in texts)
    assert np.isnan(parsed(way, [*texts, None, " NA "])[len(values) :]).all()


@given(NUMBERS, st.text(alphabet="0123456789.,' -+€$%eE\u00a0", max_size=9))
def test_a_value_fits_or_is_a_misfit(way: NumberFormat, text: str) -> None:
    fits = way.fits(text.strip())
    try:
        (value,) = parsed(way, [text])
    except MisfitError as misfit:
        assert not fits and misfit.value == text.strip()
    else:
        # What no double can hold is read as infinity, which every model refuses by its row.
        assert np.isnan(value) if text.strip().lower() in ("", "-") else fits and not np.isnan(value)


@given(DATES, st.lists(st.dates(datetime.date(1700, 1, 1), datetime.date(2200, 1, 1)), min_size=1))
def test_dates_come_back(way: DateFormat, days: list[datetime.date]) -> None:
    expected = [(day - datetime.date(1970, 1, 1)).days for day in days]
    np.testing.assert_array_equal(parsed(way, [spell_date(day, way) for day in days]), expected)
    found = detect_format([spell_date(day, way) for day in dict.fromkeys(days)])
    assert found is not None and found.kind == "date"
    order = "dmy" if max(day.day for day in days) <= 12 else way.order
    assert found.example == DateFormat(order, way.between).example
    assert bool(found.doubt) == (max(day.day for day in days) <= 12)


def test_times_of_day_and_impossible_days() -> None:
    way = DateFormat("dmy", ".")
    np.testing.assert_allclose(parsed(way, ["2.1.1970 6:00", "03.01.1970 18:00:00"]), [1.25, 2.75])
    for wrong in ("31.02.2024", "01.13.2024", "1.1.24", "2024-01-01", "01.01.2024 25:00"):
        with pytest.raises(MisfitError):
            parsed(way, [wrong])
        assert not way.fits(wrong)


@given(st.one_of(NUMBERS, DATES))
def test_an_example_tells_the_way(way: NumberFormat | DateFormat) -> None:
    assert parse_format(way.example) == way


@pytest.mark.parametrize(
    "text", ["", "1234", "1,234,5", "$1234.5 €", "yyyy", "dd.mm/yyyy", "dd.dd.yyyy", "1.5"]
)
def test_what_is_no_example(text: str) -> None:
    assert parse_format(text) is None


@given(NUMBERS, st.integers(0, 2**32 - 1))
def test_amounts_with_two_decimals_are_recognised(way: NumberFormat, seed: int) -> None:
    values = np.random.default_rng(seed).lognormal(6, 3, 80).round(2)
    texts = [spell(value, way, 2) for value in values]
    found = detect_format(list(dict.fromkeys(texts)))
    if way == NumberFormat():
        assert found is None
    else:
        assert found is not None and not found.doubt
        np.testing.assert_array_equal(parsed(parse_format(found.example), texts), values)  # type: ignore[arg-type]


COLUMNS: list[tuple[str, list[str], str, float]] = [
    ("decimal commas", ["3,14", "-2,5", "7"], "1234,5", 3.14),
    ("both", ["1.234,56", "7,5", "12"], "1.234,5", 1234.56),
    ("thousands", ["1,234,567", "12", "1,000"], "1,234.5", 1234567.0),
    ("points between thousands", ["1.234.567", "12", "1.000"], "1.234,5", 1234567.0),
    ("blanks", ["1 234,5", "12\u00a0345", "7"], "1 234,5", 1234.5),
    ("apostrophes", ["1'234.50", "12\u2019345", "7"], "1'234.5", 1234.5),
    ("zero and comma", ["0,125", "1,234", "2,500"], "1234,5", 0.125),
    ("dollars", ["$1", "$20", "$3"], "$1234.5", 1.0),
    ("dollars and cents", ["$1,234.50", "-$20", "$3"], "$1,234.5", 1234.5),
    ("euros behind", ["1.234,50 €", "20 €", "-3,5 €"], "1.234,5 €", 1234.5),
    ("euros in front", ["€ 5", "€ 20", "€ -3"], "€1234.5", 5.0),
    ("shares", ["47.9%", "5%", "100 %"], "1234.5 %", 47.9),
    ("exponents", ["1,5e3", "2,5E-2", "7"], "1234,5", 1500.0),
]


@pytest.mark.parametrize(
    "values, written, first", [row[1:] for row in COLUMNS], ids=[row[0] for row in COLUMNS]
)
def test_a_column_is_numeric(values: list[str], written: str, first: float) -> None:
    table = read({"x": values})
    found = table.schema["x"]
    assert (found.type, found.written, found.note) == ("numeric", written, "")
    assert f"written like {written}" in found.reason
    assert table["x"][0] == first and np.isfinite(table["x"]).all()
    assert read({"x": values}, types={"x": "numeric"}).schema["x"].written == written


@pytest.mark.parametrize(
    "values",
    [
        ["3.14", "3,15", "2,5.1"],
        ["$5", "€ 6", "$7"],
        ["$5", "6", "7"],
        ["007,5", "012,5", "100,5"],
        ["555 123", "555 124", "555 777"],
        ["192.168.1.1", "10.0.0.1", "10.0.0.2"],
        ["1,2,3", "2,3,4", "1,5"],
        ["31.02.2024", "01.02.2024", "02.02.2024"],
        ["31/12/2024", "12/31/2024", "01/02/2024"],
        ["01/02/2024", "01.02.2024", "03.02.2024"],
        ["a,b", "c,d", "e,f"],
    ],
)
def test_what_does_not_agree_stays_text(values: list[str]) -> None:
    found = column(values * 3)
    assert (found.type, found.written) == ("categorical", "")


def test_codes_are_numbers_if_somebody_says_so() -> None:
    assert read({"x": ["555 123", "555 124"]}, types={"x": "numeric"})["x"].tolist() == [555123, 555124]


@pytest.mark.parametrize(
    "values, other, taken",
    [
        (["1,234", "5,678", "9,012"], "1234,5", 1234.0),
        (["1.234 €", "5.678 €", "9 €"], "1234.5 €", 1234.0),
        (["$1.234", "$5.678", "$9"], "$1.234,5", 1.234),
        (["1,234%", "5,678%", "9%"], "1,234.5 %", 1.234),
    ],
)
def test_one_sign_before_three_digits_is_in_doubt(values: list[str], other: str, taken: float) -> None:
    table = read({"x": values})
    note = table.schema["x"].note
    assert table["x"][0] == taken
    assert f"types={{'x': 'numeric:{other}'}}" in note and note.endswith(".")
    again = read({"x": values}, types={"x": f"numeric:{other}"})
    assert again["x"][0] == (1.234 if taken == 1234.0 else 1234.0)
    assert again.schema["x"].note == "" and again.schema["x"].written == other


def test_many_thousands_beside_small_numbers_leave_no_doubt() -> None:
    values = [f"{value:,}" for value in range(900, 1000 + 40)]
    assert column(values).note == "" and read({"x": values})["x"].max() == 1039.0


def test_semicolons_speak_for_decimal_commas(tmp_path: Path) -> None:
    for delimiter, first in ((";", 1.234), ("\t", 1234.0)):
        path = tmp_path / "table.txt"
        path.write_text(f"x{delimiter}y\n" + "".join(f"{i},234{delimiter}a{i}\n" for i in range(1, 9)))
        table = read(path)
        assert table["x"][0] == first and table.schema["x"].note


def test_days_before_months_unless_a_value_settles_it() -> None:
    open_ = read({"x": ["03/04/2024", "05/06/2024", "07/08/2023"]})
    assert open_.schema["x"].written == "dd/mm/yyyy"
    assert "types={'x': 'date:mm/dd/yyyy'}" in open_.schema["x"].note
    american = read({"x": ["03/04/2024", "05/06/2024", "07/08/2023"]}, types={"x": "date:mm/dd/yyyy"})
    assert open_["x"][0] - american["x"][0] == 30  # the 3rd of April, the 4th of March
    settled = read({"x": ["03/04/2024", "05/31/2024", ""]})
    assert (settled.schema["x"].written, settled.schema["x"].note) == ("mm/dd/yyyy", "")
    assert settled["x"][0] == american["x"][0]
    assert column(["2024/1/31", "2023/12/01"]).written == "yyyy/mm/dd"


@pytest.mark.parametrize("kind", ["numeric:", "numeric:12", "numeric:dd.mm.yyyy", "date:1,5"])
def test_a_way_that_does_not_exist_is_refused(kind: str) -> None:
    with raises("D092", subject="x", example=kind.partition(":")[2]):
        read({"x": ["1"]}, types={"x": kind})


def test_texts_are_not_written_in_ways() -> None:
    with raises("D091", subject="x", type="text:1234,5"):
        read({"x": ["1"]}, types={"x": "text:1234,5"})


def test_a_stray_word_is_named_with_its_place() -> None:
    values = [f"{i},{i % 7}" for i in range(80)]
    for types in (None, {"x": "numeric"}):
        with raises("D701", expected="numbers", written="1234,5", place="row 81", value="oops"):
            read({"x": [*values, "oops"]}, types=types)


def test_categories_and_targets_keep_their_spelling() -> None:
    values = ["1,5", "2,5", "1,5"] * 20
    assert column(values, types={"x": "categorical"}).levels == ("1,5", "2,5")
    assert column(values, target="x").levels == ("1,5", "2,5")
    with raises("D094", distinct=60):
        column([f"{i},5" for i in range(60)], target="x")


# -- far down a file ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "early, late, written, first",
    [
        (["1,234"], "3,5", "1234,5", 1.234),
        (["1,234"], "1,234,567", "1,234.5", 1234.0),
        (["7"], "3,5", "1234,5", 7.0),
        (["7,5"], "1.234,5", "1.234,5", 7.5),
        (["03/04/2020"], "12/31/2020", "mm/dd/yyyy", 18325.0),
        (["03/04/2020"], "31/12/2020", "dd/mm/yyyy", 18355.0),
    ],
)
def test_a_late_value_settles_the_whole_column(
    tmp_path: Path, early: list[str], late: str, written: str, first: float
) -> None:
    path = tmp_path / "long.tsv"
    path.write_text("x\ty\n" + "".join(f"{text}\tb\n" for text in [*early * 70_000, late]))
    source = scan(path)
    assert (source.schema["x"].written, source.schema["x"].note) == (written, "")
    blocks = list(source.blocks(30_000))
    assert blocks[0]["x"][0] == first and np.isfinite(blocks[-1]["x"][-1])
    np.testing.assert_array_equal(np.concatenate([block["x"] for block in blocks]), read(path)["x"])


def test_a_late_value_that_contradicts_is_named(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("x\n" + "".join(f"{i % 90}.5\n" for i in range(70_000)) + '"3,5"\n')
    with raises("D235", subject="x", expected="numbers", place="line 70002", source="long.csv", value="3,5"):
        scan(path)
    with raises("D701", expected="numbers", written="1234,5", place="line 2", source="long.csv", value="0.5"):
        scan(path, types={"x": "numeric:1234,5"})


def test_values_that_never_agree_end_in_an_error(tmp_path: Path) -> None:
    path = tmp_path / "long.tsv"
    parts = ["7"] * 70_000, ["7,5"] * 70_000, ["1.234,5"] * 70_000, ["1,234.5"]
    path.write_text("x\n" + "\n".join(text for part in parts for text in part) + "\n")
    with raises("D701", written="1.234,5", place="line 210002", source="long.tsv", value="1,234.5"):
        scan(path)


# -- prediction ---------------------------------------------------------------------------------------------------


def test_a_new_table_is_read_the_same_way() -> None:
    rows = {"price": ["1.234,50 €", "7,5 €", "20 €"], "day": ["03/04/2024", "05/31/2024", "01/02/2023"]}
    schema = Schema.from_json(read(rows).schema.to_json())
    assert [(c.name, c.written) for c in schema] == [("price", "1.234,5 €"), ("day", "mm/dd/yyyy")]
    new = read({"price": ["1.234 €", "-"], "day": ["03/04/2024", None]}, schema=schema)
    assert new["price"][0] == 1234.0 and np.isnan(new["price"][1])
    assert new["day"][0] == read(rows)["day"][0]
    # A table in which the column is something else by itself, and numbers that are numbers already.
    assert read(read({"price": ["1.234 €"], "day": ["03/04/2024"]}), schema=schema)["price"].tolist() == [
        1234.0
    ]
    numbers = read({"price": [2.5, 3.5], "day": [datetime.date(2024, 3, 4)] * 2}, schema=schema)
    assert numbers["price"].tolist() == [2.5, 3.5] and numbers["day"][0] == new["day"][0]
    with raises("D700", expected="numbers", written="1.234,5 €", place="row 1", value="3.5"):
        read({"price": ["3.5"], "day": [None]}, schema=schema)


def test_columns_that_are_written_plainly_are_stored_as_ever() -> None:
    assert set(Column("x", "numeric").to_json()) == {
        *("name", "type", "levels", "missing", "distinct", "examples", "reason")
    }
