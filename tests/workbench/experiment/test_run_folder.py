"""Candidates on disk: read back as they were, and those of older versions too."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
from sklearn.datasets import load_iris

from assay import KFold, compare
from assay.commands.compare.reopen import reopen
from assay.workbench.experiment.run_folder import pack, unpack
from tests.commands.compare.page import cases
from tests.raised import raises


def test_a_candidate_is_read_back_as_it_was() -> None:
    found = cases.iris()
    result = found.results["gaussian_shared"]
    again = unpack(pack(result), found.bench)
    assert again.settings == result.settings
    assert np.array_equal(again.nested.standard_errors, result.nested.standard_errors)
    assert again.nested.one_se == result.nested.one_se is not None


def test_a_run_of_an_older_version_has_no_standard_errors() -> None:
    found = cases.iris()
    with np.load(io.BytesIO(pack(found.results["gaussian_shared"]))) as file:
        kept = {name: file[name] for name in file.files if name != "standard_errors"}
    buffer = io.BytesIO()
    np.savez(buffer, **kept)
    again = unpack(buffer.getvalue(), found.bench)
    assert again.nested.one_se is None and np.array_equal(
        again.cv_loss, found.results["gaussian_shared"].cv_loss
    )


def test_a_run_of_the_version_before_is_read_but_not_resumed(tmp_path: Path) -> None:
    source, folder = tmp_path / "iris.csv", tmp_path / "run"
    load_iris(as_frame=True).frame.to_csv(source, index=False)
    asked = {
        "target": "target",
        "candidates": ["baseline", "gaussian_nb"],
        "plan": KFold(5),
        "progress": False,
    }
    found = compare(source, out=folder, **asked)
    known = json.loads((folder / "experiment.json").read_text())
    assert known.pop("inner_folds") == "the other 4 folds, by pairs"
    (folder / "experiment.json").write_text(json.dumps({**known, "assay": "0.1.0"}))
    again = reopen(folder)
    assert again.verdict == found.verdict and again.report(tmp_path / "again.html").exists()
    with raises("C003", version="0.1.0"):
        compare(source, out=folder, resume=True, **asked)
