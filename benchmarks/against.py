"""This version of Assay against another revision of it: ``python -m benchmarks.against REV [names...]``.

The other revision is built in an environment of its own below ``build/against``. Both sides run the workloads of this
version, job by job in alternating rounds; a ratio above 1 means that this version is slower. Beside it stand the cores
that were busy on both sides (processor seconds per second) and, where a setting is chosen inside folds by models that
are refitted, how many times the rows of the other revision this version fits. All fits of the job are counted, those
of its learning curve too, since its seconds include them.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks.workloads import WORKLOADS

ROOT = Path(__file__).resolve().parents[1]
FEWEST_ROUNDS = 7
OWN_PROCESSES = (
    "memory",
    "streaming",
    "start_up",
)  # they start processes themselves, and measure memory or starts
CHOOSING = ("nested", "calibrated", "compare", "compare_grid", "compare_small")  # inside folds


class Turn(NamedTuple):
    """One run of a job."""

    seconds: float
    busy: float  # cores


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

    def turn(self, job: str) -> Turn | None:
        """One run of a job; None where it fails."""
        answer = self._ask("time", job)
        return None if answer is None else Turn(*answer)

    def fitted(self, job: str) -> list[int] | None:
        """Rows of every model that a job fits; None where it fails."""
        rows: list[int] | None = self._ask("count", job)
        return rows

    def _ask(self, request: str, job: str) -> Any:
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps([request, self.jobs.index(job)]) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return None
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

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
    new_side, old_side = (Side.start(python, name, quick) for python in (new, old))
    if new_side is None or old_side is None:
        side = "this version" if new_side is None else "the other revision"
        return [f"{name}: {side} cannot run it"]
    lines = []
    for job in new_side.jobs:
        turns = _rounds(new_side, old_side, job, rounds) if job in old_side.jobs else None
        if turns is None:
            lines.append(f"{job}: the other revision cannot run it")
            continue
        words = [_times(*turns), _busy(*turns)]
        if name in CHOOSING:
            words.append(_fitted(new_side.fitted(job), old_side.fitted(job)))
        lines.append(f"{job}: {', '.join(filter(None, words))}{_mark(*turns)}")
    new_side.stop()
    old_side.stop()
    return lines


def _rounds(new: Side, old: Side, job: str, rounds: int) -> tuple[list[Turn], list[Turn]] | None:
    turns: tuple[list[Turn], list[Turn]] = ([], [])
    for round_ in range(rounds):
        for at in (0, 1) if round_ % 2 == 0 else (1, 0):
            turn = (new, old)[at].turn(job)
            if turn is None:
                return None
            turns[at].append(turn)
    return turns


def _ratios(new: list[Turn], old: list[Turn]) -> list[float]:
    return [mine.seconds / theirs.seconds for mine, theirs in zip(new, old, strict=True)]


def _times(new: list[Turn], old: list[Turn]) -> str:
    ratios = _ratios(new, old)
    mine, theirs = (median(turn.seconds for turn in turns) for turns in (new, old))
    return (
        f"{median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}), {mine:.3g} s against {theirs:.3g} s"
    )


def _busy(new: list[Turn], old: list[Turn]) -> str:
    mine, theirs = (median(turn.busy for turn in turns) for turns in (new, old))
    return f"busy {mine:.1f} / {theirs:.1f} cores"


def _fitted(new: list[int] | None, old: list[int] | None) -> str:
    """How many times the rows this version fits; empty where both sides share all but one fit, that to all rows."""
    if new is None or old is None:
        return "fits were not counted"
    if max(len(new), len(old)) <= 1:
        return ""
    times = sum(new) / sum(old) if old else math.inf
    return f"fits {times:.2f} times the rows ({len(new)} / {len(old)} models)"


def _mark(new: list[Turn], old: list[Turn]) -> str:
    return "" if median(_ratios(new, old)) <= 1.1 else "  slower"


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
