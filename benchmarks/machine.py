"""What the figures were measured on."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import scipy.linalg  # noqa: F401 - loads SciPy's own BLAS, so that its threads are counted too
from threadpoolctl import threadpool_info

PACKAGES = ("assay", "numpy", "scipy", "scikit-learn", "joblib", "scikit-learn-intelex")


def describe() -> dict[str, object]:
    """Cores, processor, versions and BLAS threads of this process."""
    return {
        "cores": usable_cores(),
        "cpu": cpu_name(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in PACKAGES},
        "blas": blas_threads(),
        "variables": {name: os.environ[name] for name in sorted(os.environ) if _matters(name)},
    }


def lines(machine: dict[str, object]) -> list[str]:
    """The description as the lines printed above the table."""
    versions = machine["versions"]
    assert isinstance(versions, dict)
    variables = machine["variables"]
    assert isinstance(variables, dict)
    return [
        f"machine: {machine['cores']} cores, {machine['cpu']}, {machine['system']}",
        f"python {machine['python']}, " + ", ".join(f"{name} {found}" for name, found in versions.items()),
        f"BLAS: {machine['blas']}",
        "environment: " + (", ".join(f"{k}={v}" for k, v in variables.items()) or "no thread limits set"),
    ]


def usable_cores() -> int:
    """Cores this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def cpu_name() -> str:
    """Model name of the processor."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def blas_threads() -> str:
    """One phrase for each BLAS loaded: library, version, kernels and threads."""
    np.ones((2, 2)) @ np.ones((2, 2))
    found = [info for info in threadpool_info() if info["user_api"] == "blas"]
    return "; ".join(_blas_phrase(info) for info in found)


def _blas_phrase(info: dict[str, Any]) -> str:
    name = f"{info['internal_api']} {info.get('version')} {info.get('architecture', '')}".strip()
    return f"{name} with {info['num_threads']} threads"


def _matters(name: str) -> bool:
    return name.startswith("ASSAY_") or name.endswith("_NUM_THREADS")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"
