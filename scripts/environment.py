"""Set up the virtual environment of a make target: ``environment.py demo | test | bench | pictures | constraints``.

Only the standard library is used, nothing is installed twice, and what was installed is remembered by
content: a stamp in the environment holds a hash of everything the step depends on.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONSTRAINTS = ROOT / "constraints.txt"
BUILD_INPUTS = ("pyproject.toml", "CMakeLists.txt", "constraints.txt", "LICENSE", "core", "src")
MISSING = 2


@dataclass(frozen=True)
class Target:
    """What a make target needs: a folder, groups of requirements by name, and whether assay goes in."""

    folder: Path
    groups: dict[str, list[str]]
    package: bool = True


class SetupError(Exception):
    """A sentence for the user, and the exit code that goes with it."""

    def __init__(self, sentence: str, code: int = 1) -> None:
        super().__init__(sentence)
        self.code = code


def target_named(name: str) -> Target:
    """The target called ``name``, its requirements read from pyproject.toml and requirements/."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    runtime = {"dependencies": project["dependencies"]}
    match name:
        case "demo":
            return Target(ROOT / ".venv", runtime)
        case "test":
            return Target(ROOT / ".venv", runtime | {"test tools": project["optional-dependencies"]["test"]})
        case "bench":
            return Target(ROOT / ".venv-bench", runtime | {"rivals": listed("bench")})
        case "pictures":
            drawing = {"drawing tools": project["optional-dependencies"]["docs"]}
            return Target(ROOT / ".venv-docs", runtime | drawing)
        case "constraints":
            return Target(ROOT / "build" / "uv", {"uv": listed("tools")}, package=False)
    raise SetupError(f"There is no target {name!r}: use demo, test, bench, pictures or constraints.", MISSING)


def listed(name: str) -> list[str]:
    """The requirements in ``requirements/<name>.in``, comments left out."""
    lines = (ROOT / "requirements" / f"{name}.in").read_text().splitlines()
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]


# --- what must be on the machine ------------------------------------------------------------------


def check_python() -> None:
    """Refuse a Python that cannot make environments."""
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        raise SetupError(
            f"Python's venv module is missing for {sys.executable}: install it with "
            "`sudo apt install python3-venv` (Debian, Ubuntu), `sudo dnf install python3` (Fedora) or "
            "`brew install python` (macOS), then run make again.",
            MISSING,
        )


def check_headers() -> None:
    """Refuse a Python that extensions cannot be compiled for."""
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        raise SetupError(
            f"Python's C headers (Python.h) are missing for {sys.executable}: install them with "
            "`sudo apt install python3-dev` (Debian, Ubuntu), `sudo dnf install python3-devel` (Fedora) or "
            "`brew install python` (macOS), then run make again.",
            MISSING,
        )


def find_compiler() -> str:
    """The first compiler that understands C++17; a name proves nothing (macOS ships placeholders)."""
    named = os.environ.get("CXX")
    for compiler in [named] if named else ["c++", "g++", "clang++"]:
        if compiles(compiler):
            return compiler
    subject = f"CXX names {named}, which does not compile C++17" if named else "A C++17 compiler is missing"
    raise SetupError(
        f"{subject}: install one with `sudo apt install g++` (Debian, Ubuntu), "
        "`sudo dnf install gcc-c++` (Fedora) or `xcode-select --install` (macOS), then run make again.",
        MISSING,
    )


def compiles(compiler: str) -> bool:
    """Whether ``compiler`` (a command, perhaps with options) accepts a small C++17 program."""
    program = "#include <optional>\nint main() { return std::optional<int>(0).value(); }\n"
    command = [*compiler.split(), "-std=c++17", "-fsyntax-only", "-x", "c++", "-"]
    try:
        return subprocess.run(command, input=program, text=True, capture_output=True).returncode == 0
    except OSError:
        return False


# --- what was done before -------------------------------------------------------------------------


def digest(parts: Iterable[bytes]) -> str:
    """Hash of a list of byte strings, their borders included."""
    total = hashlib.sha256()
    for part in parts:
        total.update(hashlib.sha256(part).digest())
    return total.hexdigest()


def source_digest() -> str:
    """Hash of the names and contents of everything the wheel is built from, and of the Python it is for."""
    parts = [sys.version.encode()]
    for name in BUILD_INPUTS:
        path = ROOT / name
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and "__pycache__" not in file.parts and file.suffix != ".so":
                parts += [file.relative_to(ROOT).as_posix().encode(), file.read_bytes()]
    return digest(parts)


def requirements_digest(requirements: list[str]) -> str:
    """Hash of a list of requirements, of all pins, and of the Python they are for."""
    return digest([sys.version.encode(), CONSTRAINTS.read_bytes(), *(line.encode() for line in requirements)])


@dataclass(frozen=True)
class Environment:
    """A virtual environment that remembers, in stamp files, what was done to it."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def log(self) -> Path:
        return self.folder / ".assay" / "setup.log"

    def stamp(self, name: str) -> Path:
        return self.folder / ".assay" / name.replace(" ", "-")

    def has(self, name: str, content: str) -> bool:
        stamp = self.stamp(name)
        return stamp.is_file() and stamp.read_text() == content

    def check_ours(self) -> None:
        """Refuse to touch an environment that somebody else made."""
        if self.folder.exists() and not self.log.parent.is_dir():
            sentence = f"{self.folder.name} was not made by make: move or remove it, then run make again."
            raise SetupError(sentence, MISSING)

    def create(self) -> None:
        """Make the environment anew; its mark comes first, so that a broken one is still known as ours."""
        if self.folder.exists():
            shutil.rmtree(self.folder)
        self.log.parent.mkdir(parents=True)
        run([sys.executable, "-m", "venv", str(self.folder)], self.log)

    def pip(self, *arguments: str, **variables: str) -> None:
        """Run pip with the pins in force, inside isolated builds too.

        Older versions of pip hand PIP_CONSTRAINT down to the build, newer ones read PIP_BUILD_CONSTRAINT;
        each ignores the other's. A URL, because pip splits the value at blanks.
        """
        pins = CONSTRAINTS.as_uri()
        settings = {"PIP_CONSTRAINT": pins, "PIP_BUILD_CONSTRAINT": pins}
        settings |= {"PIP_USER": "0", "PIP_NO_INPUT": "1"}
        command = [str(self.python), "-I", "-m", "pip", "--disable-pip-version-check", *arguments]
        run(command, self.log, os.environ | settings | variables)


def run(command: list[str], log: Path, variables: dict[str, str] | None = None) -> None:
    """Run ``command`` with its output in ``log``, a dot a package; on failure show the end of it."""
    with log.open("w") as kept:
        process = subprocess.Popen(
            command, cwd=ROOT, env=variables, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        assert process.stdout is not None
        for line in process.stdout:
            kept.write(line)
            if line.lstrip().startswith(("Collecting ", "Building ")):
                print(".", end="", flush=True)
    if process.wait() != 0:
        tail = "".join(log.read_text().splitlines(keepends=True)[-40:])
        print(f" failed\n{tail}", flush=True)
        raise SetupError(f"The step above failed: its whole output is in {log.relative_to(ROOT)}.")


# --- the steps ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """Something to do once for each ``content``."""

    name: str
    content: str
    words: str
    action: Callable[[], None]


def install_package(environment: Environment) -> None:
    """Build a wheel away from the source tree and install it."""
    with tempfile.TemporaryDirectory() as build:
        settings = f"--config-settings=build-dir={build}"
        environment.pip("install", "--no-deps", "--force-reinstall", settings, ".", CXX=find_compiler())


def steps_of(target: Target, environment: Environment) -> list[Step]:
    """The steps of a target in order: the environment, its requirements by group, assay itself."""
    made_for = digest([sys.version.encode(), str(target.folder).encode()])
    words = f"creating {target.folder.relative_to(ROOT)} (Python {sys.version.split()[0]})"
    steps = [Step("created", made_for, words, environment.create)]
    for name, wanted in target.groups.items():
        install = partial(environment.pip, "install", *wanted)
        steps.append(Step(name, requirements_digest(wanted), f"installing {name}", install))
    if target.package:
        build = partial(install_package, environment)
        steps.append(Step("package", source_digest(), "building and installing assay", build))
    return steps


def set_up(target: Target) -> None:
    """Bring the target's environment up to date, a line a step."""
    environment = Environment(target.folder)
    steps = steps_of(target, environment)
    check_python()
    environment.check_ours()
    if target.package and not all(environment.has(step.name, step.content) for step in steps):
        # Before minutes of downloads, not after them.
        check_headers()
        find_compiler()
    for number, step in enumerate(steps, start=1):
        print(f"[{number}/{len(steps)}] {step.words} ...", end="", flush=True)
        if environment.has(step.name, step.content):
            print(" up to date", flush=True)
            continue
        start = time.monotonic()
        step.action()
        environment.stamp(step.name).write_text(step.content)
        print(f" {time.monotonic() - start:.0f} s", flush=True)


def main() -> int:
    start = time.monotonic()
    try:
        set_up(target_named(sys.argv[1] if len(sys.argv) == 2 else ""))
    except SetupError as error:
        print(error, file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        print("\nInterrupted: run the same command again to go on.", file=sys.stderr)
        return 130
    print(f"set-up: {time.monotonic() - start:.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
