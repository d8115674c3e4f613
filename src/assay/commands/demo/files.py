"""Files that the demonstration works on: the bundled table, and one patient of it as a new row."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from assay.commands.demo.race import load_cells
from assay.data.read import read
from assay.data.write.atomic import write_text
from assay.storage.model_file import load
from assay.workbench.experiment.run_folder import DESCRIPTION, RunFolder

TARGET, WATCHED = "diagnosis", "malignant"
DOUBTFUL = 0.3  # posterior of malignant cells: not the most probable class, and too likely to neglect


def write_table(path: Path) -> None:
    """The measurements and the diagnosis of every patient, as a CSV file."""
    X, y, names = load_cells()
    _write(path, [*names, TARGET], ([*row, label] for row, label in zip(X.tolist(), y, strict=True)))


def write_patient(model: Path, table: Path, path: Path) -> None:
    """The measurements of the patient whom the costs of a mistake decide, as a CSV file of one row."""
    X, _, names = load_cells()
    fitted = load(model)
    posterior = fitted.predict_proba(read(table))[:, fitted.classes_.tolist().index(WATCHED)]
    _write(path, names, [X[np.abs(posterior - DOUBTFUL).argmin()].tolist()])


def clear_earlier(folder: Path, table: Path) -> None:
    """Remove the run of an earlier demonstration; any other folder stays, and the comparison refuses it."""
    if (folder / DESCRIPTION).exists() and RunFolder(folder).description().get("source") == str(table):
        shutil.rmtree(folder)


def _write(path: Path, names: list[str], rows: Iterable[list[object]]) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([names, *rows])
    write_text(path, text.getvalue())
