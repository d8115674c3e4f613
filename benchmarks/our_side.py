"""Our side of one workload, run when asked: ``python -m benchmarks.our_side NAME [--quick]``.

One line of JSON lists the jobs; then every line read is a request in JSON, answered by one line: ["time", number] runs
a job and answers its seconds and how many cores were busy, ["count", number] the rows of every model that it fits. Two
such processes, each with another version of Assay, are timed in turns by `benchmarks.against`.
"""

from __future__ import annotations

import gc
import json
import sys
from functools import partial
from time import perf_counter

from benchmarks.fitted_rows import fitted_rows
from benchmarks.harness import Case, OurJobs, Run, Settings, repeated
from benchmarks.processor import processor_seconds
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


def measured(run: Run) -> tuple[float, float]:
    """Median seconds of a job's turn, and the cores that were busy: processor seconds per second."""
    gc.collect()
    start, spent = perf_counter(), processor_seconds()
    seconds, _ = repeated(run)
    return seconds, (processor_seconds() - spent) / (perf_counter() - start)


REQUESTS = {"time": measured, "count": fitted_rows}


def main() -> None:
    name, *options = sys.argv[1:]
    # What a workload prints is not an answer.
    answers, sys.stdout = sys.stdout, sys.stderr
    jobs = jobs_of(name, Settings(quick="--quick" in options, ours_alone=True))
    answers.write(json.dumps([*jobs]) + "\n")
    answers.flush()
    for line in sys.stdin:
        request, number = json.loads(line)
        answers.write(json.dumps(REQUESTS[request]([*jobs.values()][number])) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
