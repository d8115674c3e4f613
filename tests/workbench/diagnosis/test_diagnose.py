"""The whole diagnosis: order, notes, JSON, real tables, and what it does not import."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from assay.notes import as_note
from assay.workbench.diagnosis import leakage as leaks
from assay.workbench.diagnosis.diagnose import Diagnosis, Finding, diagnosis_of
from assay.workbench.problem import read_problem
from tests.commands.tables import category, joined, matrix, numbers, text
from tests.raised import raises
from tests.realdata import data_path

# Columns that must be warned of; an empty tuple says that the table is honest.
WARNED = {
    "adult": ("income", ()),
    "bank_full": ("y", ()),
    "colon_alon": ("class", ()),
    "covertype_subset": ("Cover_Type", ()),
    "credit_g": ("class", ()),
    "glass": ("Type", ()),
    "house_votes_84": ("Class", ()),
    "mushroom": ("class", ()),
    "penguins": ("species", ()),
    "shuttle": ("Class", ()),
    "sonar": ("Class", ()),
    "spambase": ("class", ()),
    # Whoever travelled together shares a ticket, a cabin or a home, and their fates are not independent.
    "titanic3": ("survived", ("boat", "body", "cabin", "home.dest", "ticket")),
    "vowel_esl": ("y", ()),
    "waveform5000": ("class", ()),
    "zoo": ("type", ()),
}


def test_warnings_come_first_and_leaks_before_dimension() -> None:
    y = np.arange(100) % 2
    table = joined(
        matrix(np.random.default_rng(0).uniform(size=(100, 120))),
        numbers(leak=1.0 * y),
        text("id", [f"n{i}" for i in range(100)], "identifier"),
    )
    diagnosis = diagnosis_of(table, y, 2)
    assert [finding.warn for finding in diagnosis.findings] == sorted(
        (finding.warn for finding in diagnosis.findings), reverse=True
    )
    assert diagnosis.findings[0].column == "leak"
    assert diagnosis.warnings == tuple(finding for finding in diagnosis.findings if finding.warn)
    assert [finding.column for finding in diagnosis.leaks] == ["leak", "id"]


def test_json_gives_it_back() -> None:
    y = np.arange(100) % 2
    diagnosis = diagnosis_of(numbers(leak=1.0 * y, x=np.arange(100)), y, 2)
    data = json.loads(json.dumps(diagnosis.to_json(), allow_nan=False))
    assert Diagnosis.from_json(data) == diagnosis
    finding = Finding("a", 1.0, None, "Sentence.")
    assert Finding.from_json(finding.to_json()) == finding


def test_notes_say_what_was_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaks, "MOST_ROWS", 50)
    y = (np.arange(100) % 10 == 0).astype(int)
    notes = diagnosis_of(joined(category("c", list("ab") * 50)), y, 2).notes
    assert [(as_note(note).code, as_note(note).values) for note in notes] == [
        ("P118", {}),
        ("P120", {"rows": 50}),
        ("P121", {"rows": 10}),
    ]


def test_codes_must_fit_the_rows() -> None:
    with raises("P001", n_codes=2, n_rows=3):
        diagnosis_of(numbers(x=[1, 2, 3]), np.array([0, 1]), 2)


@pytest.mark.parametrize("name", WARNED)
def test_real_tables(name: str) -> None:
    target, expected = WARNED[name]
    problem = read_problem(data_path(f"{name}.csv.gz"), target)
    diagnosis = diagnosis_of(problem.features, problem.codes, problem.n_classes, classes=problem.classes)
    assert {finding.column for finding in diagnosis.leaks if finding.warn} == set(expected)
    measured = [finding for finding in diagnosis.dimension if finding.note.code != "P146"]
    assert measured and all(np.isfinite(finding.observed) for finding in measured)


def test_mushroom_odor_is_mentioned_without_a_warning() -> None:
    problem = read_problem(data_path("mushroom.csv.gz"), "class")
    (finding,) = diagnosis_of(problem.features, problem.codes, 2).leaks
    assert (finding.column, finding.warn) == ("odor", False)
    assert finding.observed == pytest.approx(0.969, abs=0.001)


def test_scikit_learn_is_not_imported() -> None:
    code = (
        "import sys, numpy as np\n"
        "import assay.workbench.problem, assay.workbench.diagnosis.leakage, assay.workbench.diagnosis.dimensionality\n"
        "from assay.workbench.diagnosis.diagnose import diagnosis_of\n"
        "from assay.commands.describe.job import describe\n"
        "table = {'x': np.sqrt(np.arange(60.0)), 'class': list('abb') * 20}\n"
        "describe(table, 'class')\n"
        "problem = assay.workbench.problem.read_problem(table, None)\n"
        "diagnosis_of(problem.features, problem.codes, 2)\n"
        "print([name for name in ('sklearn', 'scipy.stats', 'altair') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
