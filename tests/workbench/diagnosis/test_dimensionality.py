"""Dimension diagnostics: uniform cubes show the expected figures, and warnings come where they should."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.data.row_sample import sampled_rows
from assay.notes import Note
from assay.workbench.diagnosis import diagnose, dimensionality
from assay.workbench.diagnosis.dimensionality import design_width, dimension_findings
from assay.workbench.diagnosis.findings import Finding
from tests.commands.tables import category, joined, matrix, numbers, text

TITLES = [
    "Rows in the outer shell",
    "Mean squared norm",
    "Empty cells",
    "Cells with one row",
    "Spread of distances",
    "Rows for each column, smallest class",
]


def found(X: np.ndarray, codes: np.ndarray | None = None) -> dict[str, Finding]:
    codes = np.arange(len(X)) % 2 if codes is None else codes
    return {f.title: f for f in dimension_findings(matrix(X), codes, int(codes.max()) + 1)}


@pytest.mark.parametrize("d", [1, 3, 9, 40])
def test_a_uniform_cube_is_what_it_is_compared_with(d: int) -> None:
    findings = found(np.random.default_rng(d).uniform(size=(4000, d)))
    assert list(findings) == TITLES
    for title in TITLES[:4]:
        assert findings[title].observed == pytest.approx(findings[title].expected, abs=0.03 * max(1, d / 3))
    # 500 rows make dependent pairs, so that the spread is a little less certain.
    spread = findings["Spread of distances"]
    assert spread.observed == pytest.approx(spread.expected, rel=0.1)


def test_expected_figures_of_three_columns() -> None:
    findings = found(np.random.default_rng(0).uniform(size=(1000, 3)))
    assert findings["Rows in the outer shell"].expected == pytest.approx(0.142625)
    assert findings["Mean squared norm"].expected == pytest.approx(1.0)
    assert findings["Empty cells"].expected == pytest.approx((26 / 27) ** 1000)
    assert findings["Spread of distances"].expected == pytest.approx(np.sqrt(1.4 / 3))
    assert not any(finding.warn for finding in findings.values())


def test_one_warning_names_the_columns_whatever_shows_that_they_are_too_many() -> None:
    table = matrix(np.random.default_rng(0).uniform(size=(150, 200)))
    warned = diagnose.diagnosis_of(table, np.arange(150) % 2, 2).warnings
    assert [finding.note.code for finding in warned] == ["P146", "P115"]
    values = warned[0].note.values
    assert (values["columns"], values["rows"], values["names"]) == (200, 150, table.schema.names)
    few = matrix(np.random.default_rng(0).uniform(size=(150, 2)))
    assert diagnose.diagnosis_of(few, np.arange(150) % 2, 2).warnings == ()


def test_a_high_cube_has_an_empty_shell_few_filled_bins_and_equal_distances() -> None:
    findings = found(np.random.default_rng(0).uniform(size=(150, 200)))
    assert [title for title, finding in findings.items() if finding.warn] == TITLES[-1:]
    assert (
        findings["Empty cells"].note.code == "P107" and findings["Empty cells"].note.values["columns"] == 200
    )
    assert findings["Spread of distances"].note.code == "P112"


def test_many_columns_that_hang_on_two_numbers_are_not_far_apart_from_everything() -> None:
    hidden = np.random.default_rng(0).uniform(size=(500, 2))
    findings = found(hidden @ np.random.default_rng(1).normal(size=(2, 100)))
    assert not findings["Spread of distances"].warn
    assert findings["Spread of distances"].observed > 3 * findings["Spread of distances"].expected


def test_skewed_columns_crowd_at_the_edge() -> None:
    finding = found(np.exp(3 * np.random.default_rng(0).normal(size=(2000, 5))))["Mean squared norm"]
    assert not finding.warn
    assert finding.note.code == "P104"


def test_a_large_table_is_measured_on_a_sample_that_is_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(0).uniform(size=(2000, 3))
    monkeypatch.setattr(dimensionality, "MOST_ROWS", 500)
    monkeypatch.setattr(diagnose, "MOST_ROWS", 500)
    rows = sampled_rows(2000, 500)
    whole, part = found(X), found(X[rows])
    for title in TITLES[:4]:
        assert whole[title].observed == part[title].observed
    notes = diagnose.diagnosis_of(numbers(a=X[:, 0]), np.arange(2000) % 2, 2).notes
    assert Note("P147", rows=500) in notes


def test_missing_values_are_skipped() -> None:
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(4000, 4))
    X[rng.random(X.shape) < 0.2] = np.nan
    findings = found(X)
    axes = (~np.isnan(X)).sum(axis=1)
    assert findings["Rows in the outer shell"].expected == pytest.approx((1 - 0.95**axes).mean())
    for title in TITLES[:4]:
        assert findings[title].observed == pytest.approx(findings[title].expected, abs=0.03)


def test_an_axis_that_most_rows_lack_is_not_binned() -> None:
    X = np.random.default_rng(0).uniform(size=(400, 3))
    X[20:, 1] = np.nan
    values = found(X)["Empty cells"].note.values
    assert (values["axes"], values["columns"], values["rows"]) == (2, 3, 400)


def test_the_smallest_class_is_named_with_its_rows() -> None:
    table = joined(
        numbers(a=np.arange(60), b=np.arange(60) % 7),
        category("c", list("xyz") * 20),
        text("t", ["word"] * 60),
    )
    codes = np.repeat([0, 1, 1], 20)
    finding = dimension_findings(table, codes, 2, classes=["rare", "common"])[-1]
    assert design_width(table) == 4
    assert (finding.observed, finding.expected) == (5.0, 10.0)
    assert finding.note.code == "P116"
    assert (
        finding.note.values["label"] == "class 'rare'"
        and finding.note.values["ratios"][1] == "class 'common' 10"
    )
    assert (finding.note.values["rows"], finding.note.values["columns"]) == (20, 4)


def test_a_table_without_numbers_has_no_cube() -> None:
    table = joined(category("c", list("xyz") * 20))
    assert [f.title for f in dimension_findings(table, np.arange(60) % 2, 2)] == TITLES[-1:]
    assert dimension_findings(joined(text("t", ["word"] * 60)), np.arange(60) % 2, 2) == ()


@pytest.mark.parametrize("n", [1, 2, 3])
def test_tiny_tables_do_not_fail(n: int) -> None:
    for finding in found(np.arange(2.0 * n).reshape(n, 2), np.zeros(n, dtype=int)).values():
        assert finding.observed is None or np.isfinite(finding.observed)


def test_equal_rows_have_no_distances() -> None:
    X = np.zeros((1000, 2))
    X[[3, 4]] = [[1, 0], [0, 1]]
    assert found(X)["Mean squared norm"].note.code == "P104"
    assert all(np.isfinite(finding.observed) for finding in found(X).values())


@given(st.integers(2, 40), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_any_table_gives_finite_figures(n: int, d: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.choice([0.0, 1.0, -3.5, 1e300, -1e300, np.nan, np.inf], size=(n, d))
    for finding in found(X, rng.integers(0, 3, n)).values():
        assert np.isfinite(finding.observed) and np.isfinite(finding.expected)
        assert finding.sentence.endswith(".")


@given(st.permutations(range(5)), st.integers(0, 100))
def test_the_order_of_columns_changes_nothing_but_bins(order: list[int], seed: int) -> None:
    X = np.random.default_rng(seed).normal(size=(50, 5))
    one, other = found(X), found(X[:, order])
    for title in ("Rows in the outer shell", "Mean squared norm", "Spread of distances"):
        assert one[title].observed == pytest.approx(other[title].observed)


def test_rows_alone_in_halves_of_all_axes_are_counted() -> None:
    few = found(np.random.default_rng(0).uniform(size=(400, 3)))["Cells with one row"]
    assert (few.note.code, few.note.values["halved"], few.note.values["alone"]) == ("P111", 3, 0.0)
    many = found(np.random.default_rng(0).uniform(size=(400, 25)))["Cells with one row"]
    assert (many.note.code, many.note.values["halved"], many.note.values["alone"]) == ("P110", 25, 1.0)
    by_hand = np.array([[0, 0], [0.1, 0.2], [1, 0.1], [0.9, 1.0], [0.2, 0.8], [0.1, 0.9]])
    assert found(by_hand)["Cells with one row"].note.values["alone"] == pytest.approx(1 / 3)


def test_every_figure_of_the_curse_of_dimension_is_shown_beside_what_a_cube_has() -> None:
    """Shell, norm, empty and single bins, distances, rows for each column: observed, expected and words."""
    for finding in found(np.random.default_rng(0).normal(size=(90, 12))).values():
        assert finding.observed is not None and finding.expected is not None
        assert finding.note.level == ("warning" if finding.warn else "info")
        if "observed" in finding.note.values:
            assert finding.note.values["observed"] == finding.observed
            assert finding.note.values["expected"] == finding.expected
