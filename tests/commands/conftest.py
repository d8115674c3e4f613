"""Small tables to run the program on."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

from tests.program import Done, Run

__all__ = ["Done", "Run"]


def write_csv(path: Path, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows(rows)
    return path


@pytest.fixture
def iris(tmp_path: Path) -> Path:
    """Fisher's irises: four numbers, three species."""
    bunch = load_iris()
    names = ["sepal_length", "sepal_width", "petal_length", "petal_width", "species"]
    rows = [[*row, bunch.target_names[k]] for row, k in zip(bunch.data.tolist(), bunch.target, strict=True)]
    return write_csv(tmp_path / "iris.csv", names, rows)


@pytest.fixture
def loans(tmp_path: Path) -> Path:
    """Numbers, categories, gaps and an identifier; two classes that overlap."""
    rng = np.random.default_rng(3)
    rows = []
    for i in range(240):
        bad = rng.random() < 0.3
        amount = round(float(rng.normal(3000 if bad else 2000, 800)), 1)
        job = str(rng.choice(["none", "skilled", "manager"], p=[0.5, 0.3, 0.2] if bad else [0.1, 0.6, 0.3]))
        age = "" if rng.random() < 0.1 else str(int(rng.integers(20, 70)))
        phone = str(rng.choice(["yes", "no"]))
        rows.append([f"L{i:04d}", amount, job, age, phone, "bad" if bad else "good"])
    return write_csv(tmp_path / "loans.csv", ["loan", "amount", "job", "age", "phone", "class"], rows)
