"""Pictures of results from Python: what is drawn, in which files, and what cannot be drawn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
import pytest
from sklearn.datasets import load_wine, make_blobs
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from assay import (
    Drawing,
    GaussianClassifier,
    GaussianNB,
    KernelSVM,
    KFold,
    KNeighborsClassifier,
    LogisticRegression,
    Standardize,
    TrainValidationTest,
    choose_clusters,
    complexity_curve,
    draw,
    learning_curve,
    nested,
    path,
    select_features,
    tune,
)
from tests.raised import raises

WINE = load_wine(return_X_y=True)
PLAN = KFold(3)


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    scaled = make_pipeline(Standardize(), LogisticRegression())
    blobs = make_blobs(90, centers=[[0, 0], [6, 0], [0, 6]], random_state=0)[0]
    return {
        "tuned": tune(scaled, *WINE, l2=path(5), plan=PLAN, rule="one_se"),
        "parts": tune(scaled, *WINE, l2=path(4), plan=TrainValidationTest()),
        "nested": nested(
            KNeighborsClassifier(), *WINE, n_neighbors=[1, 5, 9], weights=["uniform", "distance"], plan=PLAN
        ),
        "grid": tune(KernelSVM(), *WINE, plan=PLAN, C=[1.0, 10.0], gamma=[1e-4, 1e-3]),
        "costs": tune(GaussianClassifier(), *WINE, blend=[0.0, 0.5], loss=1 - np.eye(3), plan=PLAN),
        "learning": learning_curve(GaussianNB(), *WINE, PLAN, sizes=[0.2, 1.0]),
        "learnings": learning_curve(
            {"a": GaussianNB(), "b": GaussianClassifier()}, *WINE, PLAN, sizes=[0.4, 1.0]
        ),
        "search": select_features(GaussianNB(), *WINE, n_features=4, plan=PLAN),
        "groups": choose_clusters(blobs, range(1, 5), n_starts=2),
        "held out": choose_clusters(blobs, range(1, 5), n_starts=2, criterion="held-out"),
        "complexity": complexity_curve(
            DecisionTreeClassifier(random_state=0), *WINE, PLAN, max_depth=[1, 2, 3]
        ),
    }


NAMES = (
    "tuned", "parts", "nested", "grid", "costs", "learning", "learnings", "search", "groups", "held out", "complexity",
)  # fmt: skip


def picture(found: Any) -> Drawing:
    made = draw(found) if isinstance(found, dict) else found.chart()
    assert isinstance(made, Drawing)
    return made


def points(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """Rows that all layers of a chart share."""
    rows: list[dict[str, Any]] = spec["data"]["values"]
    return rows


@pytest.mark.parametrize("name", NAMES)
def test_every_result_is_drawn_by_vega_lite(results: dict[str, Any], name: str) -> None:
    made = picture(results[name])
    kind = alt.HConcatChart if "hconcat" in made.spec else alt.LayerChart
    kind.from_dict(made.spec, validate=True)
    svg = made._repr_svg_()
    assert svg.startswith("<svg") and "NaN" not in svg and "var(--" not in svg
    assert made.says.endswith(".") and made.figure.data.rows and repr(made).startswith("<Drawing: ")
    assert made.page().count("<figure") == 1


def test_a_curve_of_settings_has_its_band_and_its_ring(results: dict[str, Any]) -> None:
    found = results["tuned"]
    rows = {row["setting"]: row for row in points(picture(found).spec)}
    assert len(rows) == 5
    for s, setting in enumerate(found.settings):
        row = rows[f"l2 = {setting['logisticregression__l2']:g}"]
        assert row["value"] == pytest.approx(found.losses[s], rel=1e-4)
        assert row["high"] - row["low"] == pytest.approx(2 * found.standard_errors[s], rel=1e-3)
        assert row["final"] == (s == found.chosen)
    assert "has the least error" in picture(found).says or "is the first within one" in picture(found).says


def test_the_test_part_is_told_beside_the_validation_curve(results: dict[str, Any]) -> None:
    made = picture(results["parts"])
    assert made.more.startswith("Error on the test rows")
    assert made.figure.data.columns[1] == "error on the validation rows"
    assert made.more in made.page().replace("&#39;", "'")


def test_the_nested_error_stands_beside_a_nested_choice(results: dict[str, Any]) -> None:
    found = results["nested"]
    made = picture(found)
    assert made.more.startswith("Error on new rows, the nested estimate")
    assert sum(int(row[3]) for row in made.figure.data.rows) == 3
    assert picture(results["costs"]).figure.data.columns[1] == "mean loss on the folds"


def test_learning_curves_share_a_picture_the_best_first(results: dict[str, Any]) -> None:
    found = results["learnings"]
    best = min(found, key=lambda name: found[name].errors[-1])
    made = picture(found)
    assert [row[0] for row in made.figure.data.rows][:2] == [best, best] and best in made.says
    assert {row[1] for row in picture(results["learning"]).figure.data.rows} == {
        f"{rows:.0f}" for rows in results["learning"].rows
    }


def test_the_criterion_that_chose_is_drawn_beside_the_distance(results: dict[str, Any]) -> None:
    for name, said in (("groups", "BIC"), ("held out", "held-out log likelihood")):
        made = picture(results[name])
        titles = [layered["layer"][0]["encoding"]["y"]["title"] for layered in made.spec["hconcat"]]
        assert titles == ["mean squared distance", said]
        chosen = [row["k"] for row in points(made.spec["hconcat"][1]) if row["chosen"]]
        assert chosen == [results[name].chosen]


@pytest.mark.parametrize("ending", ["svg", "png", "html", "json", "SVG"])
def test_files(results: dict[str, Any], ending: str, tmp_path: Path) -> None:
    place = tmp_path / f"curve.{ending}"
    assert results["tuned"].chart().save(place) == place
    data = place.read_bytes()
    heads = {"svg": b"<svg", "png": b"\x89PNG", "html": b"<!doctype html>", "json": b"{"}
    assert data.lstrip().lower().startswith(heads[ending.lower()].lower())
    if ending == "json":
        assert json.loads(data) == results["tuned"].chart().spec
    if ending == "html":
        assert b"default-src &#39;none&#39;" in data


def test_an_unknown_ending_is_one_sentence(results: dict[str, Any], tmp_path: Path) -> None:
    with raises("L062", endings=[".svg", ".png", ".html", ".json"]):
        results["tuned"].chart().save(tmp_path / "curve.bmp")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("result", "code"), [(3, "S081"), ("text", "S081"), ({}, "S082"), ({"a": 1}, "S082")]
)
def test_what_cannot_be_drawn_is_one_sentence(result: Any, code: str) -> None:
    with raises(code, TypeError):
        draw(result)
