"""The set-up behind make: what it remembers, and what it says when something is missing."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import environment
from scripts.environment import Environment, SetupError
from tests.realdata import ROOT


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small source tree that stands in for the repository."""
    (tmp_path / "core").mkdir()
    (tmp_path / "src" / "assay").mkdir(parents=True)
    (tmp_path / "core" / "kernel.cpp").write_text("int one() { return 1; }\n")
    (tmp_path / "src" / "assay" / "__init__.py").write_text("")
    for name in ("pyproject.toml", "CMakeLists.txt", "LICENSE", "constraints.txt"):
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "CONSTRAINTS", tmp_path / "constraints.txt")
    return tmp_path


@pytest.mark.parametrize(
    "changed", ["core/kernel.cpp", "src/assay/__init__.py", "pyproject.toml", "constraints.txt"]
)
def test_a_changed_source_is_a_new_build(tree: Path, changed: str) -> None:
    before = environment.source_digest()
    (tree / changed).write_text("changed")
    assert environment.source_digest() != before


def test_a_renamed_source_is_a_new_build(tree: Path) -> None:
    before = environment.source_digest()
    (tree / "core" / "kernel.cpp").rename(tree / "core" / "kernels.cpp")
    assert environment.source_digest() != before


def test_what_a_run_leaves_behind_is_no_new_build(tree: Path) -> None:
    before = environment.source_digest()
    (tree / "src" / "assay" / "__pycache__").mkdir()
    (tree / "src" / "assay" / "__pycache__" / "x.pyc").write_bytes(b"x")
    (tree / "src" / "assay" / "_core.so").write_bytes(b"x")
    os.utime(tree / "core" / "kernel.cpp", (1, 1))
    assert environment.source_digest() == before


def test_new_pins_are_a_new_installation(tree: Path) -> None:
    before = environment.requirements_digest(["numpy"])
    assert environment.requirements_digest(["scipy"]) != before
    (tree / "constraints.txt").write_text("numpy==2.4.6")
    assert environment.requirements_digest(["numpy"]) != before


def test_a_stamp_holds_for_its_content_only(tmp_path: Path) -> None:
    made = Environment(tmp_path / ".venv")
    assert not made.has("test tools", "a")
    made.stamp("test tools").parent.mkdir(parents=True)
    made.stamp("test tools").write_text("a")
    assert made.has("test tools", "a")
    assert not made.has("test tools", "b")


def test_an_environment_of_somebody_else_is_left_alone(tree: Path) -> None:
    (tree / ".venv").mkdir()
    with pytest.raises(SetupError, match=r"\.venv was not made by make") as raised:
        Environment(tree / ".venv").check_ours()
    assert raised.value.code == 2


def test_targets_need_what_the_project_declares() -> None:
    demo, test = environment.target_named("demo"), environment.target_named("test")
    assert demo.folder == test.folder
    assert any(line.startswith("numpy") for line in demo.groups["dependencies"])
    assert any(line.startswith("pytest") for line in test.groups["test tools"])
    assert "uv" in environment.target_named("constraints").groups["uv"]
    with pytest.raises(SetupError, match="There is no target 'dmeo'"):
        environment.target_named("dmeo")


def test_a_missing_compiler_is_said_with_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    with pytest.raises(
        SetupError, match=r"A C\+\+17 compiler is missing: install one with `sudo apt install g"
    ) as raised:
        environment.find_compiler()
    assert raised.value.code == 2
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(SetupError, match="CXX names no-such-compiler"):
        environment.find_compiler()


def test_a_missing_venv_module_is_said_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SetupError, match="`sudo apt install python3-venv`") as raised:
        environment.check_python()
    assert raised.value.code == 2


def test_missing_headers_are_said_with_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(environment.sysconfig, "get_path", lambda name: str(tmp_path))
    with pytest.raises(SetupError, match="`sudo apt install python3-dev`") as raised:
        environment.check_headers()
    assert raised.value.code == 2


def set_up_with(python: str) -> subprocess.CompletedProcess[str]:
    command = ["sh", str(ROOT / "scripts" / "setup.sh"), "no-such-target"]
    return subprocess.run(command, env=os.environ | {"PYTHON": python}, capture_output=True, text=True)


def test_an_old_python_is_refused_in_one_sentence(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text('#!/bin/sh\ncase "$2" in *print*) echo 3.9 ;; *) exit 1 ;; esac\n')
    old.chmod(0o755)
    done = set_up_with(str(old))
    assert done.returncode == 2
    assert done.stderr.startswith(
        f"Python 3.11 or newer is missing ({old} is 3.9): install it with `sudo apt"
    )
    assert done.stderr.count("\n") == 1


def test_a_new_python_is_used() -> None:
    done = set_up_with(sys.executable)
    assert done.returncode == 2
    assert (
        done.stderr
        == "There is no target 'no-such-target': use demo, test, bench, pictures or constraints.\n"
    )
