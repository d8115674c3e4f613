"""Groups of a table: which columns count, what is found, and what is said of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from assay.commands.cluster.job import METHODS, cluster
from assay.commands.cluster.profiles import adjusted_rand, deviation_text, largest_deviations, value_text
from assay.commands.cluster.result import ClusterResult, label_blocks
from assay.notes import as_note
from assay.workbench.numeric_design import read_design
from tests.raised import raises


def customers(seed: int = 0) -> pd.DataFrame:
    """Three kinds of customers, in units that have nothing to do with each other."""
    rng = np.random.default_rng(seed)
    kind = np.repeat([0, 1, 2], [90, 60, 30])
    frame = pd.DataFrame(
        {
            "income": np.array([20e3, 80e3, 50e3])[kind] + 4e3 * rng.normal(size=180),
            "visits": np.array([0.2, 0.3, 0.9])[kind] + 0.03 * rng.normal(size=180),
            "kind": np.array(["young", "rich", "often"])[kind],
        }
    )
    return frame.sample(frac=1.0, random_state=1).reset_index(drop=True)


@pytest.fixture(scope="module")
def found() -> ClusterResult:
    return cluster(customers(), "kind")


def test_three_planted_groups_are_found_whatever_the_units(found: ClusterResult) -> None:
    assert found.chosen == 3 and [group.rows for group in found.profiles] == [90, 60, 30]
    assert found.agreement == 1.0 and found.target == "kind" and found.columns == ("income", "visits")
    assert sorted(found.contingency().max(axis=1)) == [30, 60, 90]
    assert found.headline.code == "C302" and found.headline.values["criterion"] == "BIC"
    assert str(found.headline) == "3 clusters among 180 rows of 2 columns, chosen from 1 to 10 by BIC."
    assert all(each.held_out is not None for each in found.trials)
    assert [each.error for each in found.trials] == sorted(
        (each.error for each in found.trials), reverse=True
    )


def test_groups_are_described_in_the_units_of_the_table(found: ClusterResult) -> None:
    frame = customers()
    first = {each.column: each for each in found.profiles[0].traits}
    young = frame[frame.kind == "young"]
    assert first["income"].mean == pytest.approx(young.income.mean())
    assert first["income"].overall == pytest.approx(frame.income.mean())
    away = (young.income.mean() - frame.income.mean()) / frame.income.std(ddof=0)
    assert first["income"].away == pytest.approx(away)
    often = largest_deviations(found.profiles[2])[0]
    assert often.column == "visits" and deviation_text(often).startswith("visits 0.9")


def test_the_file_and_the_figures(found: ClusterResult) -> None:
    (block,) = label_blocks(found, None)
    assert list(block) == ["row", "group", "kind"] and block["row"][:3] == [1, 2, 3]
    assert list(block["group"]) == (found.labels + 1).tolist() and set(block["kind"]) == {
        "young",
        "rich",
        "often",
    }
    parts = list(label_blocks(found, 50))
    assert [len(each["row"]) for each in parts] == [50, 50, 50, 30] and parts[3]["row"][-1] == 180
    plain = found.to_json()
    assert plain["chosen"] == 3 and plain["agreement"] == 1.0 and plain["rows"] == 180


@pytest.mark.parametrize("method", METHODS)
def test_every_method_finds_them(method: str) -> None:
    found = cluster(customers(), "kind", method=method, k=range(2, 6))
    assert found.chosen == 3 and found.agreement == 1.0
    assert (found.tree is None) == (method == "k-means")
    if found.tree is not None:
        assert found.tree.sizes.sum() == 180


def test_categories_count_as_much_as_numbers_and_gaps_are_filled() -> None:
    frame = customers()
    frame["town"] = np.where(frame.kind == "rich", "A", np.where(frame.kind == "often", "B", "C"))
    frame["flag"] = np.where(frame.index % 2 == 0, "yes", "no")
    frame.loc[3, "income"] = np.nan
    rows = read_design(frame, "kind")
    spread: dict[str, float] = {}
    for name, variance in zip(rows.names, rows.points.var(axis=0), strict=True):
        spread[name.split("=")[0]] = spread.get(name.split("=")[0], 0.0) + variance
    assert set(spread) == {"income", "visits", "town", "flag"}
    assert all(each == pytest.approx(1.0, abs=0.01) for each in spread.values())
    assert rows.points[3, rows.names.index("income")] == 0.0
    (note,) = [note for note in rows.notes if as_note(note).code == "C304"]
    assert as_note(note).values == {"rows": 1, "total": 180}
    found = cluster(frame, "kind", k=3)
    assert found.agreement == 1.0
    assert any(each.kind == "share" and each.mean == 1.0 for each in found.profiles[0].traits)


def test_nothing_speaks_for_groups_in_one_cloud() -> None:
    cloud = np.random.default_rng(0).normal(size=(300, 3))
    found = cluster(cloud)
    assert found.chosen == 1 and found.headline.code == "C301"


def test_groups_by_held_out_rows() -> None:
    assert cluster(customers(), "kind", criterion="held-out", k=range(1, 6)).chosen == 3


def test_a_target_of_many_numbers_is_no_class() -> None:
    frame = customers().assign(when=np.random.default_rng(0).normal(size=180))
    with raises("D094", subject="when", distinct=180):
        cluster(frame, "when")
    assert cluster(frame, drop=["when", "kind"], k=2).columns == ("income", "visits")


def test_coordinates_called_y_are_no_target() -> None:
    found = cluster(pd.DataFrame(np.random.default_rng(0).normal(size=(20, 2)), columns=["x", "y"]), k=2)
    assert found.columns == ("x", "y") and found.target is None and found.agreement is None


def test_the_largest_number_tried_is_told() -> None:
    found = cluster(customers(), "kind", k=[1, 2])
    assert found.chosen == 2 and "C303" in [as_note(note).code for note in found.notes]


def test_texts_are_grouped_by_their_words() -> None:
    texts = ["the cat sat on the mat today", "a cat and a mat are here now"] * 8
    texts += ["shares fell as markets closed lower", "markets and shares rose again at noon"] * 8
    frame = pd.DataFrame({"text": [f"{text} {number}" for number, text in enumerate(texts)]})
    found = cluster(frame, k=2, types={"text": "text"})
    assert sorted(group.rows for group in found.profiles) == [16, 16]


@pytest.mark.parametrize(
    ("options", "code", "values"),
    [
        ({"k": 181}, "C015", {"n_clusters": 181, "n_rows": 180}),
        ({"k": 0}, "C014", {}),
        ({"k": []}, "C014", {}),
        ({"method": "dbscan"}, "C017", {"option_name": "method", "choice": "dbscan", "choices": METHODS}),
        ({"linkage": "middle"}, "C017", {"option_name": "linkage"}),
        ({"criterion": "elbow"}, "C017", {"option_name": "criterion", "choices": ("bic", "held-out")}),
        ({"criterion": "held-out", "method": "hierarchy"}, "C013", {}),
        ({"target": "kind", "drop": ["kind"]}, "P003", {"target": "kind"}),
    ],
)
def test_options_that_do_not_fit(options: dict[str, Any], code: str, values: dict[str, Any]) -> None:
    with raises(code, **values):
        cluster(customers(), **{"target": "kind", **options})


def test_an_unknown_target_is_named() -> None:
    with raises("D101", name="colour"):
        cluster(customers(), "colour")


@pytest.mark.parametrize(
    ("frame", "code"),
    [({"a": [1.0]}, "P004"), ({"a": [2.0] * 5}, "P002"), ({"a": [1.0, 1e200, 2.0]}, "P005")],
)
def test_tables_that_cannot_be_clustered(frame: dict[str, list[float]], code: str) -> None:
    with raises(code):
        cluster(pd.DataFrame(frame))


def test_infinite_values_are_an_error() -> None:
    with raises("P015", subject="a", row=2):
        cluster(pd.DataFrame({"a": [1.0, np.inf, 2.0]}))


def test_trees_beyond_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_MEMORY", "100K")
    with raises("C016", n_rows=180):
        cluster(customers(), "kind", method="hierarchy")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=40))
def test_agreement_is_the_adjusted_rand_index(pairs: list[tuple[int, int]]) -> None:
    table = np.zeros((4, 3), dtype=np.int64)
    for one, two in pairs:
        table[one, two] += 1
    one, two = zip(*pairs, strict=True)
    assert adjusted_rand(table) == pytest.approx(adjusted_rand_score(one, two), abs=1e-12)


CELLS = st.one_of(st.none(), st.sampled_from(["a", "b", "", "x y"]), st.integers(-3, 3), st.floats(-1e3, 1e3))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(CELLS, CELLS, st.floats(-5, 5)), min_size=1, max_size=25), st.sampled_from(METHODS))
def test_any_small_table_is_grouped_or_refused_in_a_sentence(
    cells: list[tuple[Any, ...]], method: str
) -> None:
    frame = pd.DataFrame([tuple(map(str, row)) for row in cells], columns=["a", "b", "c"])
    try:
        found = cluster(frame, method=method, k=range(1, min(4, len(frame)) + 1), n_starts=2)
    except ValueError as error:
        assert str(error).endswith(".") and "\n" not in str(error)
        return
    assert len(found.labels) == len(frame) and sum(group.rows for group in found.profiles) == len(frame)
    assert (np.diff([group.rows for group in found.profiles]) <= 0).all()
    assert np.isfinite([each.bic for each in found.trials]).all()


def test_values_are_read_as_people_write_them() -> None:
    assert value_text("share", 0.125) == "12.5 %" and value_text("date", 0.0) == "1970-01-01"
    assert value_text("date", 1e9) == "1.00e9"
