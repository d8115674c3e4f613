"""How many threads a computation may use."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay.engines import local
from assay.engines.local import MOST_THREADS, thread_count
from tests.raised import raises


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Sixteen processors, no quota, nothing in the environment."""
    for name in ("ASSAY_THREADS", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(16)), raising=False)
    grant(monkeypatch, "max 100000\n")
    return monkeypatch


def grant(monkeypatch: pytest.MonkeyPatch, answer: str | Exception) -> None:
    """Let the control group's file say this."""

    def read_text(path: Path, *args: Any, **kwargs: Any) -> str:
        assert path.as_posix() == "/sys/fs/cgroup/cpu.max"
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(Path, "read_text", read_text)


def test_all_processors_by_default() -> None:
    assert thread_count() == thread_count(-1) == 16


@pytest.mark.parametrize("n_jobs", [1, 3, 40, np.int64(5)])
def test_n_jobs_wins(n_jobs: int, machine: pytest.MonkeyPatch) -> None:
    machine.setenv("ASSAY_THREADS", "7")
    machine.setenv("OMP_NUM_THREADS", "2")
    assert thread_count(n_jobs) == n_jobs


def test_assay_threads_wins_over_the_machine_but_not_over_all(machine: pytest.MonkeyPatch) -> None:
    machine.setenv("ASSAY_THREADS", "32")
    machine.setenv("OMP_NUM_THREADS", "2")
    assert thread_count() == 32
    assert thread_count(-1) == 2


@pytest.mark.parametrize(("text", "count"), [("3", 3), ("4,2", 4), (" 5 ", 5), ("99", 16), ("", 16)])
def test_omp_num_threads_limits(text: str, count: int, machine: pytest.MonkeyPatch) -> None:
    machine.setenv("OMP_NUM_THREADS", text)
    assert thread_count() == count


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        ("400000 100000", 4),
        ("250000 100000", 2),
        ("50000 100000", 1),
        ("3200000 100000", 16),
        ("max 100000", 16),
        (FileNotFoundError("no control groups here"), 16),
        (PermissionError("not yours"), 16),
        ("nonsense", 16),
        ("1 2 3", 16),
        ("100000 0", 16),
        ("", 16),
    ],
)
def test_a_container_limits_and_a_strange_one_does_not(
    answer: str | Exception, count: int, machine: pytest.MonkeyPatch
) -> None:
    grant(machine, answer)
    assert thread_count() == count


def test_without_affinity_the_processors_count(machine: pytest.MonkeyPatch) -> None:
    machine.delattr(os, "sched_getaffinity")
    machine.setattr(os, "cpu_count", lambda: 6)
    assert thread_count() == 6
    machine.setattr(os, "cpu_count", lambda: None)
    assert thread_count() == 1


def test_a_slip_of_the_keyboard_asks_for_no_million_threads(machine: pytest.MonkeyPatch) -> None:
    assert thread_count(10**12) == MOST_THREADS
    machine.setenv("ASSAY_THREADS", "1000000")
    assert thread_count() == MOST_THREADS


@pytest.mark.parametrize("n_jobs", [0, -2, -100])
def test_n_jobs_out_of_range(n_jobs: int) -> None:
    with raises("O200", n_jobs=n_jobs):
        thread_count(n_jobs)


@pytest.mark.parametrize("n_jobs", [2.5, "two", "2", [2]])
def test_n_jobs_of_the_wrong_type(n_jobs: Any) -> None:
    with raises("O200", TypeError):
        thread_count(n_jobs)


@pytest.mark.parametrize("name", ["ASSAY_THREADS", "OMP_NUM_THREADS"])
@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5", "²", "x,2"])
def test_a_bad_environment_is_named(name: str, text: str, machine: pytest.MonkeyPatch) -> None:
    machine.setenv(name, text)
    with raises("N046", name=name):
        thread_count()


def test_the_real_machine_grants_at_least_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.delenv("ASSAY_THREADS", raising=False)
    assert 1 <= thread_count() <= local._affinity()
