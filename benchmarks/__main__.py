"""Command line: `python -m benchmarks [names...] [--quick] [--rounds N] [--json PATH] [--markdown]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import machine, ours, table
from benchmarks.harness import Settings
from benchmarks.listing import Listing
from benchmarks.rows import Row
from benchmarks.workloads import WORKLOADS


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    names = [workload.name for workload in WORKLOADS]
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=f"default all of {', '.join(names)}")
    parser.add_argument("--quick", action="store_true", help="a twentieth of the rows, as a smoke test")
    parser.add_argument("--rounds", type=int, default=3, help="alternating rounds (default 3)")
    parser.add_argument("--slow", type=float, default=15.0, help="seconds from which a rival runs only twice")
    parser.add_argument("--json", type=Path, metavar="PATH", help="also write the raw figures")
    parser.add_argument("--markdown", action="store_true", help="print the table as markdown")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.names) - set(names))
    if unknown:
        parser.error(f"no workload is called {unknown[0]!r}; choose from {', '.join(names)}")
    if options.rounds < 3:
        parser.error(f"--rounds {options.rounds} is too few for a spread; give at least 3")
    return options


def main(arguments: Sequence[str] | None = None) -> None:
    options = parse(arguments)
    settings = Settings(options.quick, options.rounds, options.slow, progress)
    described = machine.describe()
    sys.stdout.write("\n".join(machine.lines(described)) + "\n\n")
    sys.stdout.flush()
    ours.warm_up()
    measured: list[Row | Listing] = []
    for workload in WORKLOADS:
        if not options.names or workload.name in options.names:
            progress(f"measuring {workload.name}")
            measured.extend(workload.rows(settings))
    rows = [each for each in measured if isinstance(each, Row)]
    listings = [each for each in measured if isinstance(each, Listing)]
    sys.stdout.write(table.render(rows, markdown=options.markdown, quick=options.quick) + "\n")
    for listing in listings:
        sys.stdout.write("\n" + listing.render(markdown=options.markdown) + "\n")
    if options.json is not None:
        table.write_json(options.json, described, rows, listings, quick=options.quick)


def progress(line: str) -> None:
    """Tell whoever waits what is being run; the table itself goes to standard output."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
