"""The chart of training against validation error."""

from __future__ import annotations

import json

import numpy as np

from assay.charts.complexity import complexity_chart
from assay.charts.palette import LIGHT
from assay.selection.complexity_curve import ComplexityCurve


def test_the_chart_names_what_neighbouring_settings_have_in_common() -> None:
    errors = np.array([0.3, 0.2, 0.1, 0.105, 0.3])
    curve = ComplexityCurve("depth", [1, 2, 3, 4, None], errors / 2, errors, np.full(5, 0.01), [])
    spec = complexity_chart(curve, "depth of the tree").to_dict()
    words = spec["layer"][1]["data"]["values"]
    assert [(each["label"], each["from"], each["to"]) for each in words] == [
        ("under-fitted", -0.5, 1.5),
        ("about right", 1.5, 3.5),
        ("over-fitted", 3.5, 4.5),
    ]
    axis = spec["layer"][2]["encoding"]["x"]["axis"]
    assert axis["labelExpr"] == '["1", "2", "3", "4", "None"][datum.value]'
    assert len(spec["layer"][0]["data"]["values"]) == 1
    text = json.dumps(spec)
    assert LIGHT["accent"] in text and "depth of the tree" in text
