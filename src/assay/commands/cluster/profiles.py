"""What a cluster stands out by, where clusters lie, and how far they agree with classes."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray

from assay.commands.cluster.result import ClusterProfile, ColumnDeviation
from assay.models.projection.pca import PCA
from assay.notes.numbers import plain_number, plain_percent
from assay.types import Array
from assay.workbench.numeric_design import NumericDesign

MOST_SHOWN = 3
LEAST_DEVIATION = 0.3  # standard deviations from the mean of all rows that are worth a word
LONGEST = 40  # letters of a column's name


def cluster_profiles(design: NumericDesign, labels: NDArray[np.int32]) -> tuple[ClusterProfile, ...]:
    """The profile of each cluster, in the units of the table."""
    known = ~np.isnan(design.values)
    values = np.where(known, design.values, 0.0)
    counts = np.maximum(known.sum(axis=0), 1)
    overall = values.sum(axis=0) / counts
    deviation = np.sqrt((np.where(known, design.values - overall, 0.0) ** 2).sum(axis=0) / counts)
    profiles = []
    for cluster in range(int(labels.max()) + 1):
        rows = labels == cluster
        present = known[rows].sum(axis=0)
        mean = np.where(present > 0, values[rows].sum(axis=0) / np.maximum(present, 1), overall)
        away = (mean - overall) / np.where(deviation > 0, deviation, 1.0)
        traits = [
            ColumnDeviation(
                design.names[j], design.kinds[j], float(mean[j]), float(overall[j]), float(away[j])
            )
            for j in np.argsort(-np.abs(away), kind="stable")
        ]
        profiles.append(ClusterProfile(int(rows.sum()), float(rows.mean()), tuple(traits)))
    return tuple(profiles)


def principal_plane(points: Array) -> tuple[Array, tuple[float, ...]]:
    """Rows along the first two principal components (one, if there is no second), and their shares of the variance."""
    pca = PCA(min(2, points.shape[1])).fit(points)
    dimensions = max(1, int((pca.explained_variance_ratio_ > 1e-12).sum()))
    return pca.transform(points)[:, :dimensions], tuple(pca.explained_variance_ratio_[:dimensions].tolist())


def adjusted_rand(table: NDArray[np.int64]) -> float:
    """Adjusted Rand index of two partitions, from the rows that their parts share.

    >>> adjusted_rand(np.array([[5, 0], [0, 5]])), adjusted_rand(np.array([[2, 2], [2, 2]])) < 0.0
    (1.0, True)
    """

    def pairs(counts: NDArray[np.int64]) -> float:
        exact = counts.astype(np.float64)
        return float((exact * (exact - 1.0)).sum() / 2.0)

    total = pairs(np.array([table.sum()]))
    both, rows, columns = pairs(table), pairs(table.sum(axis=1)), pairs(table.sum(axis=0))
    chance = rows * columns / total if total else 0.0
    most = (rows + columns) / 2.0
    return 1.0 if most == chance else (both - chance) / (most - chance)


def value_text(kind: str, value: float) -> str:
    """A mean as it is read: a number, a date, or a percentage.

    >>> value_text("number", 5.8433), value_text("share", 0.25), value_text("date", 365.2)
    ('5.84', '25.0 %', '1971-01-01')
    """
    if kind == "share":
        return f"{plain_percent(value)} %"
    if kind == "date" and abs(value) < 700_000:  # between the years 53 and 3886
        return (date(1970, 1, 1) + timedelta(days=round(value))).isoformat()
    return plain_number(value)


def largest_deviations(profile: ClusterProfile, most: int = MOST_SHOWN) -> list[ColumnDeviation]:
    """The columns in which a cluster differs most from all rows."""
    return [trait for trait in profile.traits if abs(trait.away) >= LEAST_DEVIATION][:most]


def deviation_text(trait: ColumnDeviation) -> str:
    """The mean of a column in a cluster, beside that of all rows."""
    name = " ".join(trait.column.split()) or "(empty)"
    name = name if len(name) <= LONGEST else name[: LONGEST - 3] + "..."
    return f"{name} {value_text(trait.kind, trait.mean)} (all: {value_text(trait.kind, trait.overall)})"
