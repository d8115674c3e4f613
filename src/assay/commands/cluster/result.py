"""Clusters of rows: the record, its files and its JSON."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.data.write.atomic import check_writable, write_atomic, write_text
from assay.data.write.rows import Block, write_rows
from assay.models.cluster.hierarchy import Dendrogram
from assay.notes import Note
from assay.types import Array, Labels

BLOCK = 16384
LABELS, REPORT = "labels.csv", "report.html"
CRITERION_TITLES = {"bic": "BIC", "held-out": "held-out log likelihood"}


@dataclass(frozen=True)
class Trial:
    """One number of clusters.

    Attributes
    ----------
    error : float
        Mean squared distance to the mean of the cluster.
    explained : float
        Proportion of the variance that lies between the clusters.
    held_out : float or None
        Mean log likelihood of held-out rows, None where it was not computed.
    """

    k: int
    error: float
    explained: float
    bic: float
    held_out: float | None


@dataclass(frozen=True)
class ColumnDeviation:
    """One column in one cluster: its mean, the mean of all rows, and the difference in standard deviations."""

    column: str
    kind: str
    mean: float
    overall: float
    away: float


@dataclass(frozen=True)
class ClusterProfile:
    """One cluster: its rows, and all columns, those that deviate most first."""

    rows: int
    share: float
    traits: tuple[ColumnDeviation, ...]


@dataclass(frozen=True, eq=False)
class ClusterResult:
    """The rows of a table in clusters.

    Attributes
    ----------
    name, method, linkage, criterion : str
        Linkage is None except for a hierarchy.
    trials : tuple of Trial
    chosen : int
        Number of clusters; fewer may have rows.
    labels : (N,)
        Cluster of each row, 0 the largest.
    profiles : tuple of ClusterProfile
    target, codes, classes
        The column that was left out, None without one.
    agreement : float or None
        Adjusted Rand index of clusters and classes: 1 for the same partition, about 0 for unrelated ones.
    tree : Dendrogram or None
    points : (N, 2) or (N, 1)
        Coordinates along the first two principal components, which explain `variance_ratios` of the variance.
    """

    name: str
    method: str
    linkage: str | None
    criterion: str
    trials: tuple[Trial, ...]
    chosen: int
    labels: NDArray[np.int32]
    profiles: tuple[ClusterProfile, ...]
    columns: tuple[str, ...]
    target: str | None
    codes: NDArray[np.int32] | None
    classes: Labels | None
    agreement: float | None
    tree: Dendrogram | None
    points: Array
    variance_ratios: tuple[float, ...]
    notes: tuple[str, ...]

    @property
    def trial(self) -> Trial:
        """The trial of the chosen number."""
        return next(trial for trial in self.trials if trial.k == self.chosen)

    @property
    def headline(self) -> Note:
        """How many clusters, in a sentence."""
        rows, columns = len(self.labels), len(self.columns)
        if len(self.trials) == 1:
            return Note("C300", rows=rows, columns=columns, clusters=self.chosen)
        fewest, most = self.trials[0].k, self.trials[-1].k
        if self.chosen == 1:
            return Note("C301", rows=rows, columns=columns, fewest=fewest, most=most)
        return Note(
            "C302",
            clusters=self.chosen,
            rows=rows,
            columns=columns,
            fewest=fewest,
            most=most,
            criterion=CRITERION_TITLES[self.criterion],
        )

    def contingency(self) -> NDArray[np.int64]:
        """Rows of each cluster and class."""
        assert self.codes is not None and self.classes is not None
        known = self.codes >= 0
        table = np.zeros((len(self.profiles), len(self.classes)), dtype=np.int64)
        np.add.at(table, (self.labels[known], self.codes[known]), 1)
        return table

    def to_json(self) -> dict[str, object]:
        """Everything that is printed, as plain values."""
        return {
            "source": self.name,
            "rows": len(self.labels),
            "columns": len(self.columns),
            "method": self.method,
            "linkage": self.linkage,
            "criterion": self.criterion,
            "trials": self.trials,
            "chosen": self.chosen,
            "groups": self.profiles,
            "target": self.target,
            "classes": None if self.classes is None else self.classes.tolist(),
            "contingency": None if self.codes is None else self.contingency(),
            "agreement": self.agreement,
            "notes": self.notes,
        }


def label_blocks(result: ClusterResult, rows: int | None = BLOCK) -> Iterator[Block]:
    """Row number from 1, cluster from 1, and the class of every row, in blocks of so many rows (None: one block)."""
    count = len(result.labels)
    label = result.target
    while label is not None and label in ("row", "group"):  # a target may have the name of one of the others
        label += "_"
    for start in range(0, count, rows or count):
        part = slice(start, start + (rows or count))
        block: dict[str, list[object]] = {
            "row": list(range(start + 1, min(count, start + (rows or count)) + 1)),
            "group": (result.labels[part] + 1).tolist(),
        }
        if label is not None and result.codes is not None and result.classes is not None:
            names = [*result.classes.tolist(), None]
            block[label] = [names[code] for code in result.codes[part].tolist()]
        yield block


def check_folder(path: str | os.PathLike[str]) -> Path:
    """The path, if it is not a file and can be written to; for the beginning of long work."""
    folder = Path(path)
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(Note("C018", path=str(path)))
    if folder.is_dir():
        for name in (LABELS, REPORT):
            check_writable(folder / name)
    return folder


def open_folder(path: str | os.PathLike[str]) -> Path:
    """A folder that labels and report can be written to; it is created if there is none."""
    folder = check_folder(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OSError(Note("C008", path=str(path), strerror=error.strerror)) from None
    return check_folder(folder)


def write_files(result: ClusterResult, folder: Path, page: str) -> None:
    """Labels and report, each whole or not at all."""
    write_atomic(folder / LABELS, lambda file: write_rows(file, label_blocks(result), "csv"))
    write_text(folder / REPORT, page)
