"""Model files of every format that was ever released load for ever, and predict what they predicted then."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.storage.model_file import FORMAT
from tests.golden.make import EXPECTED, FOLDER, MODELS, main, said

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("format*/*.assay"))


def test_every_format_has_goldens() -> None:
    assert {path.parent.name for path in FILES} == {f"format{number}" for number in range(1, FORMAT + 1)}
    assert {path.stem for path in FOLDER.glob("*.assay")} == set(MODELS)
    for folder in HERE.glob("format*"):
        expected = json.loads((folder / EXPECTED).read_text(encoding="utf-8"))
        assert {path.stem for path in folder.glob("*.assay")} == set(expected)
    assert all(path.stat().st_size < 20_000 for path in FILES)


@pytest.mark.filterwarnings("ignore:.*never seen in training")
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_golden_file_predicts_as_it_did(path: Path) -> None:
    expected = json.loads((path.parent / EXPECTED).read_text(encoding="utf-8"))[path.stem]
    found = said(path.stem, assay.load(path), expected.get("rows"))
    scores, wanted = found.pop("scores"), expected.pop("scores")
    assert found == expected
    np.testing.assert_allclose(scores, wanted, rtol=1e-10, atol=1e-10)


def test_goldens_are_never_written_again(capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in FOLDER.iterdir()}
    assert main() == 1
    assert "never written again" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in FOLDER.iterdir()} == before
