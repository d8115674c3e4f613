"""Groups as rows of a file and as plain figures."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay.commands.cluster.job import Clustered
from assay.data.write.atomic import check_writable, write_atomic, write_text
from assay.data.write.rows import Block, write_rows
from assay.notes import Note

BLOCK = 16384
LABELS, REPORT = "labels.csv", "report.html"


def label_blocks(found: Clustered, rows: int | None = BLOCK) -> Iterator[Block]:
    """Row number from 1, group from 1, and the class of every row, in blocks of so many rows (None: one block)."""
    count = len(found.labels)
    label = found.target
    while label is not None and label in ("row", "group"):  # a target may be called like one of the others
        label += "_"
    for start in range(0, count, rows or count):
        part = slice(start, start + (rows or count))
        block: dict[str, list[Any]] = {
            "row": list(range(start + 1, min(count, start + (rows or count)) + 1)),
            "group": (found.labels[part] + 1).tolist(),
        }
        if label is not None and found.codes is not None and found.classes is not None:
            names = [*found.classes.tolist(), None]
            block[label] = [names[code] for code in found.codes[part].tolist()]
        yield block


def check_folder(path: str | os.PathLike[str]) -> Path:
    """The path, if it is no file and there is a folder to make it in; for the beginning of long work."""
    folder = Path(path)
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(Note("C018", path=str(path)))
    if folder.is_dir():
        for name in (LABELS, REPORT):
            check_writable(folder / name)
    return folder


def open_folder(path: str | os.PathLike[str]) -> Path:
    """A folder that labels and report can be written to; it is made if there is none."""
    folder = check_folder(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OSError(Note("C008", path=str(path), strerror=error.strerror)) from None
    return check_folder(folder)


def write_files(found: Clustered, folder: Path, page: str) -> None:
    """Labels and report, each whole or not at all."""
    write_atomic(folder / LABELS, lambda file: write_rows(file, label_blocks(found), "csv"))
    write_text(folder / REPORT, page)


def figures(found: Clustered) -> dict[str, Any]:
    """Everything that is printed, as plain values."""
    return {
        "source": found.name,
        "rows": len(found.labels),
        "columns": len(found.columns),
        "method": found.method,
        "linkage": found.linkage,
        "criterion": found.criterion,
        "trials": found.trials,
        "chosen": found.chosen,
        "groups": found.groups,
        "target": found.target,
        "classes": None if found.classes is None else found.classes.tolist(),
        "contingency": None if found.codes is None else found.contingency(),
        "agreement": found.agreement,
        "notes": found.notes,
    }
