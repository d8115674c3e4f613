"""How often the interval of a comparison contains the truth: ``python -m benchmarks.coverage --out FILE``.

Every sample of a population is compared as `assay compare` does it, with its candidates, settings and folds; the
winner, fitted to the whole sample, is tested on 20 000 new rows. The file gets a line per sample, so that a run can be
stopped and continued; the table is of all its lines. ``--samples 0`` prints the table of a file.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from assay import catalog
from assay.selection.nested import nest_in
from assay.sharing.settings import Settings
from assay.workbench.experiment.evaluate_candidate import CandidateResult
from assay.workbench.experiment.procedure import nested_estimate, ranked
from assay.workbench.experiment.setup import ExperimentSetup, make_setup
from assay.workbench.problem import read_problem
from benchmarks.populations import POPULATIONS, Labels, Population, Rows

CANDIDATES = (
    "baseline", "gaussian_nb", "gaussian_shared", "gaussian_full", "logistic", "knn", "decision_tree", "kernel_svm",
)  # fmt: skip
NEW_ROWS = 20_000
COLUMNS = ("population", "rows", "samples", "covered", "misses below", "above", "width", "estimate", "truth")


class Task(NamedTuple):
    """A sample of a population."""

    population: str
    sample: int
    candidates: tuple[str, ...]
    plan: str
    new_rows: int


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(arguments)
    done = {(line["population"], line["sample"]) for line in read_lines(options.out)}
    tasks = [
        Task(name, sample, tuple(options.candidates), options.plan, options.new_rows)
        for sample in range(options.samples)
        for name in options.populations
        if (name, sample) not in done
    ]
    if tasks:
        with options.out.open("a", encoding="utf-8") as file:
            for number, line in enumerate(measured(tasks, options.processes), 1):
                file.write(json.dumps(line) + "\n")
                file.flush()
                sys.stderr.write(f"\r{number} of {len(tasks)} samples")
        sys.stderr.write("\n")
    sys.stdout.write(table(read_lines(options.out)) + "\n")


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of the command."""
    names = [population.name for population in POPULATIONS]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
    parser.add_argument("--populations", nargs="+", choices=names, default=names, metavar="NAME")
    parser.add_argument("--samples", type=int, default=400, help="of each population (default 400)")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="a line of JSON for each sample"
    )
    parser.add_argument(
        "--candidates", nargs="+", default=list(CANDIDATES), choices=catalog.names(), metavar="NAME"
    )
    parser.add_argument("--plan", default="kfold:10", help="validation scheme (default kfold:10)")
    parser.add_argument("--new-rows", type=int, default=NEW_ROWS, help="by which the truth is measured")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    return parser.parse_args(arguments)


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The samples of a file; a line that was cut off is left out, and measured again."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []
    whole = [line for line in lines if line.endswith("}\n")]
    if len(whole) < len(lines):
        path.write_text("".join(whole), encoding="utf-8")
    return [json.loads(line) for line in whole]


def measured(tasks: Sequence[Task], processes: int) -> Iterator[dict[str, Any]]:
    """What each sample gave, as it is finished."""
    if processes == 1:
        yield from map(measure, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(measure, tasks)


def measure(task: Task) -> dict[str, Any]:
    """The interval of the choice on a sample, and the error of its winner on new rows."""
    population = next(each for each in POPULATIONS if each.name == task.population)
    generator = np.random.default_rng([zlib.crc32(task.population.encode()), task.sample])
    X, y = population.take(generator)
    setup = make_setup(read_problem(X, y), task.plan, None, None, task.sample, 1, "min", True)
    results = [evaluated(name, setup) for name in task.candidates]
    nested = nested_estimate(results)
    rows = nested.interval("error", method="wilson")
    return {
        "population": population.name,
        "sample": task.sample,
        "plan": task.plan,
        "error": nested.error,
        "interval": list(nested.error_interval),
        "wilson": list(rows),
        "factor": nested.variance_factor(),
        "truth": true_error(
            next(iter(ranked(results).values())), setup, population, (X, y), generator, task.new_rows
        ),
    }


def evaluated(name: str, setup: ExperimentSetup) -> CandidateResult:
    """A candidate tuned inside the folds; without its learning curve and times, which no interval needs."""
    entry = catalog.entry(name)
    settings = entry.settings()
    models = [setup.classifier(entry, setting).matrix_estimator() for setting in settings]
    nested = nest_in(setup.study(entry), Settings.called(name, models), setup.plan, rule=setup.rule)
    return CandidateResult(entry, tuple(settings), nested, 0.0, 0.0, ())


def true_error(
    winner: CandidateResult,
    setup: ExperimentSetup,
    population: Population,
    sample: tuple[Rows, Labels],
    generator: np.random.Generator,
    new_rows: int,
) -> float:
    """Error of the winner in its final setting, fitted to the sample, on new rows."""
    X, y = population.draw(generator, new_rows)
    model = setup.classifier(winner.entry, winner.setting).matrix_estimator().fit(*sample)
    return float((model.predict(X) != y).mean())


def table(lines: Sequence[dict[str, Any]]) -> str:
    """Coverage of every population as a table in Markdown."""
    out = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    for population in POPULATIONS:
        of = [line for line in lines if line["population"] == population.name]
        if of:
            out.append("| " + " | ".join(_row(population, of)) + " |")
    return "\n".join(out)


def _row(population: Population, lines: Sequence[dict[str, Any]]) -> list[str]:
    truth = np.array([line["truth"] for line in lines])
    low, high = np.array([line["interval"] for line in lines]).T
    wilson = np.ptp(np.array([line["wilson"] for line in lines]), axis=1)
    below, above = float((high < truth).mean()), float((low > truth).mean())
    shares = [1.0 - below - above, below, above]
    return [
        population.description,
        str(population.rows),
        str(len(lines)),
        *(f"{share:.3f}" for share in shares),
        f"{float((high - low).mean() / wilson.mean()):.2f}",
        f"{float(np.mean([line['error'] for line in lines])):.3f}",
        f"{float(truth.mean()):.3f}",
    ]


if __name__ == "__main__":
    main()
