"""Texts that stand in several rows."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from assay.data import Column, Schema, Table
from assay.workbench.diagnosis.diagnose import diagnosis_of
from assay.workbench.diagnosis.duplicates import repeat_findings
from tests.commands.tables import joined, numbers, text

TEXTS = [f"letter number {i} to the editor" for i in range(97)]


def test_copies_are_counted_once_each_and_gaps_are_none() -> None:
    values = [*TEXTS, TEXTS[3], TEXTS[3], TEXTS[5], None, None]
    (finding,) = repeat_findings(joined(text("body", values)))
    assert finding.warn
    assert finding.column == "body"
    assert finding.observed == 3 / 100
    assert (finding.note.code, finding.note.values) == ("P128", {"repeated": 3, "rows": 100})


def test_a_single_copy_is_spoken_of_in_the_singular() -> None:
    (finding,) = repeat_findings(joined(text("body", [*TEXTS[:40], TEXTS[0]])))
    assert "1 of 41 rows repeats the text" in finding.sentence


def test_few_copies_numbers_and_identifiers_are_not_mentioned() -> None:
    many = [f"word {i} and more" for i in range(500)]
    table = joined(
        numbers(x=np.zeros(501)), text("id", ["a"] * 501, "identifier"), text("t", [*many, many[0]])
    )
    assert repeat_findings(table) == ()


def test_the_diagnosis_warns_of_them_also_in_chunks() -> None:
    values = pa.chunked_array([pa.array(TEXTS, pa.large_string()), pa.array(TEXTS[:20], pa.large_string())])
    table = Table(Schema((Column("body", "text"),)), {"body": values})
    warned = diagnosis_of(table, np.arange(117) % 2, 2).warnings
    assert [finding.title for finding in warned] == ["repeated texts"]
