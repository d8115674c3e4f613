"""Our side of one workload, run when asked: ``python -m benchmarks.our_side NAME [--quick]``.

One line of JSON lists the jobs; then every line read is the number of a job to run once, answered by its seconds. Two
such processes, each with another version of Assay, are timed in turns by `benchmarks.against`.
"""

from __future__ import annotations

import json
import sys
from functools import partial

from benchmarks.harness import Case, OurJobs, Run, Settings, timed
from benchmarks.workloads import WORKLOADS


def jobs_of(name: str, settings: Settings) -> dict[str, Run]:
    """Every job of ours in a workload, by a title that tells its cases apart."""
    (workload,) = (each for each in WORKLOADS if each.name == name)
    found: dict[str, Run] = {}
    for number, case in enumerate(workload.cases(settings), 1):
        try:
            list(case())
        except OurJobs as ours:
            found |= {_title(f"{name} {number}", case, key): run for key, run in ours.jobs.items()}
    return found


def _title(name: str, case: Case, key: str) -> str:
    given = case.args if isinstance(case, partial) else ()
    told = [str(part) for part in given if isinstance(part, str | int | float)]
    return ", ".join(part for part in (name, *told, key) if part)


def main() -> None:
    name, *options = sys.argv[1:]
    # What a workload prints is not an answer.
    answers, sys.stdout = sys.stdout, sys.stderr
    jobs = jobs_of(name, Settings(quick="--quick" in options, ours_alone=True))
    answers.write(json.dumps([*jobs]) + "\n")
    answers.flush()
    for line in sys.stdin:
        seconds, _ = timed([*jobs.values()][int(line)])
        answers.write(f"{seconds!r}\n")
        answers.flush()


if __name__ == "__main__":
    main()
