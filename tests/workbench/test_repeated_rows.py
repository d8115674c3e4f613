"""Copies of rows are in one fold and count once, where they cannot be chance."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold, TimeSeriesSplit

from assay import HoldOut, compare
from assay.commands.compare.figures import row_figures
from assay.commands.compare.reopen import reopen
from assay.commands.compare.tune_job import tune_table
from assay.data import Column, Schema, Table
from assay.decision import wilson
from assay.plans import as_plan
from assay.workbench.experiment.setup import with_repeats
from assay.workbench.experiment.shuffled_labels import check_shuffled_labels
from assay.workbench.problem import Problem, read_problem
from assay.workbench.repeated_rows import Repeats, repeated_rows, row_keys
from assay.workbench.row_hashes import hash_rows
from tests.raised import raises

Frame = dict[str, Any]
KNN = {"candidates": ["baseline", "knn"], "ranges": {"knn": {"n_neighbors": [1, 9]}}, "progress": False}
SAID = "150 rows of 300 repeat an earlier row in all features and the label."


def noise(rows: int = 150, times: int = 2) -> Frame:
    """Three columns that know nothing about the class, each row several times."""
    draw = np.random.default_rng(1)
    columns = {name: np.tile(draw.normal(size=rows), times) for name in "abc"}
    return {**columns, "class": np.tile(draw.permutation(rows) % 2, times)}


def repeats_of(frame: Frame, plan: Any = 10, split: bool = False, **roles: Any) -> Repeats | None:
    problem: Problem = read_problem(frame, "class", **roles)
    return with_repeats(problem, as_plan(plan), split).repeats


@pytest.mark.parametrize("plan", ["kfold:10", "kfold:2x2", "holdout:0.5", "split:50/25/25"])
def test_a_table_of_noise_that_was_copied_scores_chance(plan: str) -> None:
    found = compare(noise(), "class", plan=plan, **KNN)
    assert found.evaluations["knn"].error > 0.36
    split = compare(noise(), "class", plan=plan, split_repeats=True, **KNN)
    assert split.evaluations["knn"].error < found.evaluations["knn"].error - 0.1  # what copies make of noise


@pytest.mark.parametrize("plan", ["kfold:10", "kfold:2", "holdout:0.5"])
def test_inner_folds_keep_copies_together_too(plan: str) -> None:
    found = compare(noise(), "class", plan=plan, **KNN)
    assert found.results["knn"].inner.min(axis=1).mean() > 0.36


def test_other_rows_keep_their_folds_and_copies_follow_the_first() -> None:
    frame = noise(120, 1)
    frame = {name: np.append(values, values[[3, 3, 50]]) for name, values in frame.items()}
    together = compare(frame, "class", candidates=["baseline"], progress=False)
    split = compare(frame, "class", candidates=["baseline"], split_repeats=True, progress=False)
    fold, before = together.bench.partitions[0].fold, split.bench.partitions[0].fold
    np.testing.assert_array_equal(fold[:120], before[:120])
    assert fold[120:].tolist() == [before[3], before[3], before[50]]
    assert (fold[120:] != before[120:]).any()


def test_intervals_count_a_set_of_copies_once() -> None:
    found = compare(noise(), "class", **KNN)
    evaluation = found.evaluations["knn"]
    once = wilson(150 * evaluation.error, 150)
    np.testing.assert_allclose(evaluation.interval(method="wilson"), once, atol=0.01)
    # What the choice of folds adds is counted on top of that, and once, too.
    size = 150 / evaluation.variance_factor()
    np.testing.assert_allclose(evaluation.error_interval, wilson(size * evaluation.error, size), atol=0.01)
    alone = compare(noise(times=1), "class", **KNN).evaluations["knn"]
    widths = [np.diff(result.error_interval).item() for result in (evaluation, alone)]
    assert widths[0] == pytest.approx(widths[1], abs=0.02)  # twice as many rows would take 0.06 off
    assert evaluation.groups is not None and len(np.unique(evaluation.groups)) == 150


def test_the_count_is_said_and_written_down(tmp_path: Path) -> None:
    found = compare(noise(), "class", out=tmp_path / "run", candidates=["baseline"], progress=False)
    (note,) = found.notes
    assert (note.code, note.values) == ("P143", {"repeated": 150, "rows": 300})
    assert row_figures(found)["repeats"] == {"rows": 150, "different_rows": 150, "together": True}
    again = reopen(tmp_path / "run", noise())
    assert again.notes == found.notes and again.bench.partitions == found.bench.partitions
    split = compare(noise(), "class", candidates=["baseline"], split_repeats=True, progress=False)
    assert split.notes == (SAID,) and "split_repeats=True" in split.commands[-1]
    with raises("C007", key="split_repeats", before=False, now=True):
        compare(
            noise(), "class", out=tmp_path / "run", candidates=["baseline"], resume=True, split_repeats=True,
            progress=False,
        )  # fmt: skip


def test_groups_and_splits_that_are_given_stay() -> None:
    together = repeats_of(noise())
    assert together is not None and together.together and together.count == 150
    rows = np.arange(300)
    cases: list[tuple[Any, dict[str, Any]]] = [
        (10, {"groups": rows // 3}),
        (TimeSeriesSplit(3), {}),
        (StratifiedKFold(5), {}),
        ([(rows[:200], rows[200:])], {}),
    ]
    for plan, roles in cases:
        told = repeats_of(noise(), plan, **roles)
        assert told is not None and not told.together and told.in_folds == told.note == SAID
    given = compare(
        noise(), "class", plan=[(rows[:200], rows[200:])], candidates=["baseline"], progress=False
    )
    assert given.notes == (SAID,)
    assert given.bench.partitions[0].test_rows(0).tolist() == list(range(200, 300))


def test_columns_of_weights_groups_and_identifiers_are_not_compared() -> None:
    number = np.arange(300)
    weighed = repeats_of({**noise(), "weight": 1.0 + number}, weights="weight")
    assert weighed is not None and weighed.together and weighed.count == 150
    grouped = repeats_of({**noise(), "who": number // 2}, groups="who")
    assert grouped is not None and not grouped.together and grouped.count == 150
    numbered = repeats_of({**noise(), "row_id": [f"R{at:05d}x" for at in number]})
    assert numbered is not None and numbered.count == 150
    told_apart = repeats_of({**noise(), "further": np.sin(number)})
    assert told_apart is None


def test_rows_of_other_labels_are_not_copies() -> None:
    frame = noise()
    frame["class"] = np.append(frame["class"][:150], 1 - frame["class"][:150])
    assert repeats_of(frame) is None


@pytest.mark.parametrize(("values", "chance"), [(49, True), (50, False)])
def test_a_numeric_column_decides_by_half_as_many_values_as_rows(values: int, chance: bool) -> None:
    """A hundred different rows."""
    a, b = np.arange(100) % values, np.arange(100) // values
    table = Table(
        Schema((Column("a", "numeric"), Column("b", "categorical", ("x", "y", "z")))),
        {"a": np.append(a, a[:7]).astype(float), "b": np.append(b, b[:7]).astype(np.int32)},
    )
    labels = np.zeros(107, dtype=np.int32)
    halves = [table.take(np.arange(60)), table.take(np.arange(60, 107))]
    for blocks in ([table], halves):
        codes = repeated_rows(row_keys(table, labels, range(10)), table.schema, blocks)
        assert (codes is None) == chance
    if codes is not None:
        np.testing.assert_array_equal(codes[100:], codes[:7])


def test_missing_values_agree() -> None:
    frame = noise()
    frame["a"][[5, 155]] = np.nan
    told = repeats_of(frame)
    assert told is not None and told.count == 150
    frame["a"][5] = 0.5
    told = repeats_of(frame)
    assert told is not None and told.count == 149


def test_a_text_column_makes_copies_and_is_not_warned_about_twice() -> None:
    draw = np.random.default_rng(2)
    words = np.array("red green blue old new big small round flat warm cold wet dry".split())
    texts = [" ".join(draw.choice(words, 9)) + f" {at}" for at in range(60)] * 2
    labels = np.tile(draw.permutation(60) % 2, 2)
    frame = {"text": texts, "class": np.array(["no", "yes"])[labels]}
    options: dict[str, Any] = {"candidates": ["baseline", "multinomial_nb"], "types": {"text": "text"}}
    found = compare(frame, "class", progress=False, **options)
    assert found.bench.problem.repeats is not None and found.bench.problem.repeats.count == 60
    assert not [each for each in found.diagnosis.leaks if each.title == "repeated texts"]
    split = compare(frame, "class", split_repeats=True, progress=False, **options)
    assert [each for each in split.diagnosis.leaks if each.title == "repeated texts"]


def test_tables_of_few_categories_stay_as_they_are() -> None:
    """New rows repeat old ones there too: with copies in one fold the error would look like .6 where .33 is true."""
    gaps = []
    for seed in range(20):
        draw = np.random.default_rng(seed)
        chance = draw.uniform(size=81)
        rows = draw.integers(3, size=(3400, 4))
        labels = (draw.uniform(size=3400) < chance[rows @ [27, 9, 3, 1]]).astype(int)
        levels = np.array(["low", "middle", "high"])[rows]
        table = {f"c{j}": levels[:400, j] for j in range(4)} | {"class": labels[:400]}
        ranges = {"knn": {"n_neighbors": [9]}}
        found = compare(table, "class", candidates=["knn"], ranges=ranges, progress=False)
        assert found.bench.problem.repeats is None and not found.notes
        new = found.predict({f"c{j}": levels[400:, j] for j in range(4)})
        gaps.append(found.nested_error - (new != labels[400:]).mean())
    assert abs(np.mean(gaps)) < 0.03


def test_one_model_is_tuned_with_copies_together() -> None:
    options: dict[str, Any] = {"ranges": {"n_neighbors": [1, 9]}, "progress": False, "plan": HoldOut(0.5)}
    found = tune_table(noise(), "class", "knn", **options)
    assert found.evaluations["knn"].error > 0.36
    split = tune_table(noise(), "class", "knn", split_repeats=True, **options)
    assert split.evaluations["knn"].error < 0.3


def test_shuffled_labels_move_from_set_to_set() -> None:
    found = compare(noise(), "class", **KNN)
    assert check_shuffled_labels(found.bench, found.cards).passed


def test_hashes_are_by_value_and_not_by_code() -> None:
    def table(levels: tuple[str, ...], codes: list[int]) -> Table:
        column = Column("c", "categorical", levels)
        return Table(Schema((column,)), {"c": np.array(codes, dtype=np.int32)})

    one = hash_rows(table(("a", "b"), [0, 1, -1]), ["c"])
    other = hash_rows(table(("b", "a"), [1, 0, -1]), ["c"])
    np.testing.assert_array_equal(one, other)
    assert len(set(one.tolist())) == 3
