"""This version of Assay against another revision of it: ``python -m benchmarks.against REV [names...]``.

The other revision is built in an environment of its own below ``build/against``. Both sides run the workloads of this
version, job by job in alternating rounds; a ratio above 1 means that this version is slower.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from statistics import median

from benchmarks.workloads import WORKLOADS

ROOT = Path(__file__).resolve().parents[1]
FEWEST_ROUNDS = 7
OWN_PROCESSES = (
    "memory",
    "streaming",
    "start_up",
)  # they start processes themselves, and measure memory or starts


@dataclass
class Side:
    """A process with one version of Assay and the jobs of one workload."""

    process: subprocess.Popen[str]
    jobs: list[str]

    @classmethod
    def start(cls, python: Path, name: str, quick: bool) -> Side | None:
        """The side once it has prepared its jobs; None where this version cannot run the workload."""
        process = subprocess.Popen(
            [str(python), "-m", "benchmarks.our_side", name, *(["--quick"] if quick else [])],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stdout is not None
        line = process.stdout.readline()
        return cls(process, json.loads(line)) if line else None

    def seconds(self, job: str) -> float | None:
        """Seconds of one run; None where the job fails."""
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write(f"{self.jobs.index(job)}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return None
        line = self.process.stdout.readline()
        return float(line) if line else None

    def stop(self) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.process.wait()


def built(revision: str) -> tuple[str, Path]:
    """The short name of a revision, and the Python of an environment that it is installed in."""
    name = subprocess.run(
        ["git", "rev-parse", "--short", f"{revision}^{{commit}}"], cwd=ROOT, capture_output=True, text=True
    )
    if name.returncode:
        raise SystemExit(f"There is no revision {revision!r}; name a commit, a branch or a tag.")
    short = name.stdout.strip()
    tree = ROOT / "build" / "against" / short
    if not tree.exists():
        archive = subprocess.run(["git", "archive", short], cwd=ROOT, capture_output=True, check=True)
        with tarfile.open(fileobj=BytesIO(archive.stdout)) as files:
            files.extractall(tree, filter="data")
    subprocess.run([sys.executable, "scripts/environment.py", "demo"], cwd=tree, check=True)
    return short, tree / ".venv" / "bin" / "python"


def compared(name: str, new: Path, old: Path, rounds: int, quick: bool) -> list[str]:
    """A line for every job of a workload that both versions can run."""
    sides = [Side.start(python, name, quick) for python in (new, old)]
    if sides[0] is None or sides[1] is None:
        side = "this version" if sides[0] is None else "the other revision"
        return [f"{name}: {side} cannot run it"]
    lines = []
    for job in sides[0].jobs:
        found = _rounds(sides[0], sides[1], job, rounds) if job in sides[1].jobs else None
        lines.append(f"{job}: the other revision cannot run it" if found is None else _line(job, *found))
    for side in sides:
        if side is not None:
            side.stop()
    return lines


def _rounds(new: Side, old: Side, job: str, rounds: int) -> tuple[list[float], list[float]] | None:
    seconds: tuple[list[float], list[float]] = ([], [])
    for round_ in range(rounds):
        for at in (0, 1) if round_ % 2 == 0 else (1, 0):
            taken = (new, old)[at].seconds(job)
            if taken is None:
                return None
            seconds[at].append(taken)
    return seconds


def _line(job: str, new: list[float], old: list[float]) -> str:
    ratios = [mine / theirs for mine, theirs in zip(new, old, strict=True)]
    mark = "" if median(ratios) <= 1.1 else "  slower"
    return (
        f"{job}: {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}), "
        f"{median(new):.3g} s against {median(old):.3g} s{mark}"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    known = [workload.name for workload in WORKLOADS if workload.name not in OWN_PROCESSES]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.against", description=__doc__)
    parser.add_argument("revision", help="what to compare with: a commit, a branch or a tag")
    parser.add_argument("names", nargs="*", metavar="name", help=f"default all of {', '.join(known)}")
    parser.add_argument("--rounds", type=int, default=FEWEST_ROUNDS, help="alternating rounds (default 7)")
    parser.add_argument("--quick", action="store_true", help="a twentieth of the rows, as a smoke test")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.names) - set(known))
    if unknown:
        parser.error(f"no workload is called {unknown[0]!r}; choose from {', '.join(known)}")
    if options.rounds < FEWEST_ROUNDS:
        parser.error(f"--rounds {options.rounds} is too few; give at least {FEWEST_ROUNDS}")
    short, old = built(options.revision)
    sys.stdout.write(
        f"new/old against {short}: median (spread) of {options.rounds} alternating rounds, our side\n"
    )
    for name in options.names or known:
        for line in compared(name, Path(sys.executable), old, options.rounds, options.quick):
            sys.stdout.write(line + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    os.environ.pop("PYTHONPATH", None)
    main()
