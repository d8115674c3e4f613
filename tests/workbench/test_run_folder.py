"""Candidates on disk: read back as they were, and those of older versions too."""

from __future__ import annotations

import io

import numpy as np

from assay.workbench.run_folder import pack, unpack
from tests.report import cases


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
