"""Colours can be told apart, by every eye and on both backgrounds."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from assay.charts.confusion import DARKEST
from assay.charts.palette import CLASS_NAMES, DARK, DASHES, LIGHT, SHAPES, config, in_picture, tint, variables

# Machado, Oliveira and Fernandes (2009), severity 1.
BLIND = {
    "none": np.eye(3),
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
THEMES = {"light": LIGHT, "dark": DARK}


def linear(colour: str) -> NDArray[np.float64]:
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    low, high = sorted(float(linear(each) @ [0.2126, 0.7152, 0.0722]) for each in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    to_xyz = [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
    xyz = np.array(to_xyz) @ np.clip(rgb, 0, 1) / np.array([0.95047, 1, 1.08883])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("theme", THEMES)
def test_marks_and_words_stand_out(theme: str) -> None:
    colours = THEMES[theme]
    for name in (*CLASS_NAMES, "accent", "second", "other"):
        assert contrast(colours[name], colours["paper"]) >= 3.0, name
    for name in ("ink", "quiet", "accent"):
        for ground in ("paper", "raised", "good-soft"):
            assert contrast(colours[name], colours[ground]) >= 4.5, (name, ground)
    assert contrast(colours["warn"], colours["warn-soft"]) >= 4.5


@pytest.mark.parametrize("eye", BLIND)
@pytest.mark.parametrize("theme", THEMES)
def test_class_colours_differ_for_every_eye(theme: str, eye: str) -> None:
    seen = {name: lab(np.array(BLIND[eye]) @ linear(THEMES[theme][name])) for name in CLASS_NAMES}
    nearest = min((float(np.linalg.norm(seen[a] - seen[b])), a, b) for a, b in combinations(CLASS_NAMES, 2))
    assert nearest[0] >= 15.0, nearest


def test_every_class_colour_has_a_shape_and_a_dash() -> None:
    assert len(SHAPES) == len(CLASS_NAMES) == len(set(SHAPES))
    assert len(DASHES) == len(CLASS_NAMES) == len(set(DASHES))


def test_both_themes_name_the_same_colours() -> None:
    assert set(LIGHT) == set(DARK)
    assert "--t1: " in variables(DARK) and "--tother: " in variables(LIGHT)
    assert tint("#000000", "#FFFFFF", 0.5) == "#808080"


def test_a_chart_knows_colours_by_name_only() -> None:
    page, picture = json.dumps(config()), json.dumps(config(in_picture))
    assert "#" not in page and "var(--c1)" in page
    assert "var(" not in picture and LIGHT["c1"] in picture


def test_tints_have_colours_outside_the_page() -> None:
    assert in_picture("t1") == tint(LIGHT["c1"], LIGHT["paper"])
    assert in_picture("tother") == tint(LIGHT["other"], LIGHT["paper"])


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("shade", [0.04, 0.3, DARKEST])
def test_numbers_in_the_matrix_can_be_read_on_every_shade(theme: str, shade: float) -> None:
    colours = THEMES[theme]
    assert contrast(tint(colours["accent"], colours["paper"], shade), colours["ink"]) >= 4.5
