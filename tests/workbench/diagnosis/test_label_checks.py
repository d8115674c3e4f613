"""Labels and categories that look alike, labels of a single row: what a shell is told to do about them."""

from __future__ import annotations

import numpy as np
import pytest

from assay.data import Column
from assay.notes import note_of, render
from assay.notes.voices import PYTHON, SHELL
from assay.workbench.diagnosis.label_checks import label_findings
from assay.workbench.target import labels as labels_of
from tests.raised import raises


@pytest.mark.parametrize("target", ["Result", "it's", 'a "b" [c]'])
def test_a_shell_is_shown_no_code_for_frames(target: str) -> None:
    labels = ["Yes", "yes", "it's {x: 'other'}) does", 7]
    findings = label_findings(target, labels, [40, 31, 1, 12])
    assert [finding.note.code for finding in findings] == ["P130", "P132"]
    assert all("frame[" in render(finding.note, PYTHON) for finding in findings)
    assert not any("frame[" in render(finding.note, SHELL) for finding in findings)
    (single,) = label_findings(target, [7, 8], [1, 12])
    assert single.note.code == "P132" and "frame[" not in render(single.note, SHELL)


@pytest.mark.parametrize("target", ["Result", "it's", 'a "b" [c]'])
def test_a_numeric_target_of_many_values_is_to_be_binned(target: str) -> None:
    with raises("P032", subject=target, distinct=90) as caught:
        labels_of(Column(target, "numeric"), np.arange(90.0))
    note = note_of(caught.value)
    assert note is not None and "pandas.cut" in render(note, PYTHON) and "pandas" not in render(note, SHELL)
