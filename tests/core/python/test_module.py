"""What Python sees of the kernels: the declared names, arguments that do not fit, other kinds of processor."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay import _core
from tests.core.declarations import declared


def compiled() -> dict[str, list[str]]:
    """The same, as nanobind shows them."""
    rooms = inspect.getmembers(_core, inspect.ismodule)
    found = {}
    for room, module in [("", _core), *((f"{name}.", module) for name, module in rooms)]:
        for name, value in inspect.getmembers(module, callable):
            members = inspect.getmembers(value, callable) if isinstance(value, type) else [("", value)]
            for part, function in members:
                if not name.startswith("_") and not part.startswith("_"):
                    found[room + f"{name}.{part}".rstrip(".")] = _arguments(function)
    return found


def _arguments(function: Any) -> list[str]:
    signature = (function.__doc__ or "").splitlines()[0]
    return re.findall(r"[(,]\s*(\w+):", re.sub(r"\[[^\]]*\]", "", signature))


def test_the_stub_names_what_the_binary_has() -> None:
    assert declared() == compiled()


# -- arguments that do not fit ------------------------------------------------------------------------------


def moments_arguments() -> dict[str, Any]:
    return {
        "x": np.ones((10, 3)),
        "cell": np.zeros(10, dtype=np.int32),
        "weight": np.ones(10),
        "center": np.zeros((4, 3)),
        "threads": 1,
        "total": np.zeros(4),
        "sum": np.zeros((4, 3)),
    }


DIAGONAL = {"square": np.zeros((4, 3)), "present": None}
FULL = {"pool": 2, "fill": None, "indicators": None, "product": np.zeros((2, 3, 3))}


@pytest.mark.parametrize(
    "change",
    [
        {"cell": np.zeros(9, dtype=np.int32)},
        {"cell": np.full(10, 4, dtype=np.int32)},
        {"weight": np.ones(11)},
        {"center": np.zeros((4, 2))},
        {"center": np.zeros(12)},
        {"total": np.zeros(3)},
        {"sum": np.zeros((4, 2))},
        {"x": np.ones((10, 3), dtype=np.int64)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_moments_refuse_what_does_not_fit(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        _core.moments.diagonal_moments(**{**moments_arguments(), **DIAGONAL, **change})
    with pytest.raises(ValueError):
        _core.moments.full_moments(**{**moments_arguments(), **FULL, **change})


@pytest.mark.parametrize(
    "change",
    [
        {"pool": 3},
        {"pool": 0},
        {"pool": -1},
        {"product": np.zeros((4, 3, 3))},
        {"fill": np.zeros(2)},
        {"fill": np.zeros(3), "indicators": np.array([3], dtype=np.int32)},
        {"fill": np.zeros(3), "indicators": np.array([-1], dtype=np.int32)},
    ],
)
def test_full_moments_refuse_what_does_not_fit(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        _core.moments.full_moments(**{**moments_arguments(), **FULL, **change})


def test_what_fits_is_taken() -> None:
    arguments = moments_arguments()
    _core.moments.diagonal_moments(**arguments, **DIAGONAL)
    assert arguments["total"].tolist() == [10, 0, 0, 0]
    arguments = moments_arguments()
    _core.moments.full_moments(**arguments, **FULL)
    assert arguments["total"].tolist() == [10, 0, 0, 0]


@pytest.mark.parametrize(
    "output", [np.zeros((4, 6))[:, ::2], np.zeros((4, 3), dtype=np.float32), np.zeros((3, 4)).T]
)
def test_an_output_is_never_copied_in_silence(output: np.ndarray) -> None:
    with pytest.raises(TypeError):
        _core.moments.diagonal_moments(**{**moments_arguments(), **DIAGONAL, "sum": output})


def replicate_arguments() -> dict[str, Any]:
    shared = {name: value for name, value in moments_arguments().items() if name not in ("total", "sum")}
    return {
        **shared,
        "multiplicity": np.ones((2, 10), dtype=np.uint16),
        "pool": 4,
        "total": np.zeros((2, 4)),
        "drawn": np.zeros((2, 4)),
        "sum": np.zeros((2, 4, 3)),
        "product": np.zeros((2, 1, 3, 3)),
    }


@pytest.mark.parametrize(
    "change",
    [
        {"multiplicity": np.ones((2, 9), dtype=np.uint16)},
        {"drawn": np.zeros((1, 4))},
        {"total": np.zeros((1, 4))},
        {"product": np.zeros((2, 4, 3, 3))},
        {"cell": np.full(10, 4, dtype=np.int32)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_replicates_refuse_what_does_not_fit(change: dict[str, Any]) -> None:
    _core.moments.replicate_moments(**replicate_arguments())
    with pytest.raises(ValueError):
        _core.moments.replicate_moments(**{**replicate_arguments(), **change})


def score_arguments(kernel: str) -> dict[str, Any]:
    own = {
        "linear_scores": {"center": np.zeros((2, 3)), "weights": np.zeros((2, 4, 3))},
        "diagonal_scores": {"mean": np.zeros((2, 4, 3)), "precision": np.ones((2, 4, 3)), "marginal": False},
        "quadratic_scores": {
            "mean": np.zeros((2, 4, 3)),
            "whitener": np.ones((2, 4, 3, 3)),
            "triangular": True,
        },
    }[kernel]
    return {
        "x": np.ones((10, 3)),
        "rows": None,
        "models": None,
        "fill": None,
        "indicators": None,
        "bias": np.zeros((2, 4)),
        "threads": 1,
        "out": np.zeros((10, 4)),
        **own,
    }


ANY = [
    {"rows": np.full(10, 10)},
    {"rows": np.full(10, -1)},
    {"rows": np.zeros(9, dtype=np.int64)},
    {"models": np.full(10, 2, dtype=np.int32)},
    {"models": np.full(10, -1, dtype=np.int32)},
    {"models": np.zeros(9, dtype=np.int32)},
    {"out": np.zeros((9, 4))},
    {"bias": np.zeros((2, 3))},
    {"x": np.ones((10, 4))},
    {"out": np.zeros((3, 10, 4))},
    {"best": np.zeros(10, dtype=np.int32)},  # nowhere to count what cannot be normalised
    {"best": np.zeros(9, dtype=np.int32), "unusable": np.zeros(1, dtype=np.int64)},
    {
        "out": np.zeros((2, 10, 2)),
        "best": np.zeros((2, 10), dtype=np.int32),
        "unusable": np.zeros(1, dtype=np.int64),
    },
]


@pytest.mark.parametrize(
    ("kernel", "change"),
    [
        (kernel, change)
        for kernel in ("linear_scores", "diagonal_scores", "quadratic_scores")
        for change in ANY
    ]
    + [
        ("linear_scores", {"center": np.zeros((1, 3))}),
        ("diagonal_scores", {"precision": np.ones((2, 4, 2))}),
        ("quadratic_scores", {"whitener": np.ones((2, 4, 3, 2))}),
        ("quadratic_scores", {"whitener": np.ones((2, 4, 2, 3)), "triangular": False}),
        ("quadratic_scores", {"whitener": np.ones((8, 3, 3))}),
    ],
)
def test_scores_refuse_what_does_not_fit(kernel: str, change: dict[str, Any]) -> None:
    getattr(_core.scores, kernel)(**score_arguments(kernel))
    with pytest.raises(ValueError):
        getattr(_core.scores, kernel)(**{**score_arguments(kernel), **change})


def test_posteriors_refuse_what_does_not_fit() -> None:
    with pytest.raises(ValueError):
        _core.scores.normalize_scores(np.zeros((5, 3)), 1, np.zeros(4, dtype=np.int32))
    with pytest.raises(ValueError):
        _core.scores.normalize_scores(np.zeros((5, 0)), 1, np.zeros(5, dtype=np.int32))
    with pytest.raises(ValueError):
        _core.scores.posteriors(np.zeros(5), 1, np.zeros(4))


def test_more_threads_than_the_system_grants_are_not_needed() -> None:
    script = """
import resource
import numpy as np
from assay import _core
X = np.random.default_rng(0).normal(size=(200_000, 2))
cell, out = np.zeros(200_000, dtype=np.int32), []
for threads in (1, 1000):
    if threads > 1:  # the stack of every thread counts as address space
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 2**28, used + 2**28))
    scores = np.zeros((200_000, 1))
    model = np.zeros((1, 2)), np.ones((1, 1, 2)), np.zeros((1, 1))
    _core.scores.linear_scores(X, None, None, None, None, *model, threads, scores)
    out.append(scores)
assert np.array_equal(*out)
"""
    if not Path("/proc/self/statm").exists():
        pytest.skip(reason="this system does not limit address space as Linux does")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


# -- other kinds of processor -------------------------------------------------------------------------------

PORTABLE = """
import sys
import numpy as np
import assay
from assay import _core
from assay.statistics import collect
rng = np.random.default_rng(0)
codes = rng.integers(0, 3, 3000).astype(np.int32)
X = rng.normal(size=(3000, 13)) + codes[:, None]
arrays = {"isa": np.array(_core.isa())}
for form in ("diagonal", "pooled", "full"):
    m = collect(X, codes, 3, form=form, weight=rng.uniform(0.5, 2, 3000))
    arrays[f"{form} mean"], arrays[f"{form} scatter"] = m.mean, m.scatter
for name in ("full", "shared", "diagonal"):
    arrays[name] = assay.GaussianClassifier(covariance=name).fit(X, codes).predict_log_proba(X)
np.savez(sys.argv[1], **arrays)
"""


def test_the_portable_kernels_give_the_same_to_rounding(tmp_path: Path) -> None:
    found = {}
    for isa in ("", "portable"):
        path = tmp_path / f"{isa or 'own'}.npz"
        environment = {**os.environ, "ASSAY_ISA": isa}
        if not isa:
            del environment["ASSAY_ISA"]
        done = subprocess.run(
            [sys.executable, "-c", PORTABLE, str(path)], env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        found[isa] = np.load(path)
    assert str(found["portable"]["isa"]) == "portable"
    for name in found[""].files:
        if name != "isa":
            scale = np.abs(found[""][name]).max()
            np.testing.assert_allclose(
                found["portable"][name], found[""][name], rtol=1e-12, atol=1e-12 * scale
            )
