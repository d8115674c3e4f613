"""Real data for workloads that need it: found where `ASSAY_DATA` points, as the tests find it."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DEFAULT = "../shared/data"


def shown(name: str) -> str:
    """The file as a person would look for it."""
    return f"{os.environ.get('ASSAY_DATA', DEFAULT)}/{name}"


def path_of(name: str) -> Path:
    """The file itself; relative folders are counted from the repository's root."""
    return ROOT / shown(name)


def absent(name: str) -> str:
    """Why a workload that needs the file is left out, or an empty text."""
    return "" if path_of(name).is_file() else f"{shown(name)} is not there (ASSAY_DATA names the folder)"
