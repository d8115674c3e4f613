"""`assay demo`: the main commands on a bundled table, as a user would type them, and a race."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from assay.engines.progress import progress_bar
from assay.notes.numbers import format_duration
from assay.terminal.console import heading, lines_of_code, prose, stdout_console, table
from assay.terminal.options import epilog

if TYPE_CHECKING:
    from assay.commands.demo.race import Race

EPILOG = epilog("assay demo", "assay demo --out /tmp/demo --race-rows 0")
# A missed cancer costs ten false alarms.
COMPARE = ("--target", "diagnosis", "--loss", "malignant:benign=10")


def demo(
    context: typer.Context,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FOLDER", help="Folder for the report and the model.")
    ] = "demo",
    race_rows: Annotated[
        int,
        typer.Option(help="Rows of the race against scikit-learn, 500 to 1000000; 0: no race.", metavar="N"),
    ] = 30_000,
) -> None:
    """Compare all models on a bundled table, predict and decide with the best, and race against scikit-learn."""
    console = stdout_console()
    with progress_bar() as progress:
        progress("loading scikit-learn", 0.0)
        from assay.commands.demo.files import clear_earlier, write_patient, write_table
        from assay.commands.demo.race import check_rows, race_cells

        if race_rows:
            check_rows(race_rows)
        folder, source = Path(out), Path(f"{out}.csv")
        clear_earlier(folder, source)
        write_table(source)
    model, patient = str(folder / "model.assay"), str(folder / "patient.csv")
    heading(console, f"1  Compare models: 569 patients, 30 measurements of cells, in {source}")
    _run(context, console, "compare", str(source), *COMPARE, "--out", str(folder))
    heading(console, "2  Predict: the most probable class of one patient, as a new row")
    write_patient(folder / "model.assay", source, folder / "patient.csv")
    _run(context, console, "predict", model, patient, "--most-probable", "--proba")
    heading(
        console,
        "3  Decide: the action of least expected cost for the same patient; the costs are in the model file",
    )
    _run(context, console, "predict", model, patient)
    if race_rows:
        with progress_bar() as progress:
            race = race_cells(race_rows, progress)
        _show_race(console, race)
    _show_next(console, folder)


def _run(context: typer.Context, console: Console, *arguments: str) -> None:
    """Show a command as it would be typed, and run it."""
    console.print(Text(f"  $ assay {shlex.join(arguments)}", style="bold"), soft_wrap=True)
    code = context.find_root().command.main(args=list(arguments), prog_name="assay", standalone_mode=False)
    if code:
        raise typer.Exit(int(code))


def _show_race(console: Console, race: Race) -> None:
    heading(console, f"4  The same folds in scikit-learn: run now, median of {race.rounds} alternating runs")
    prose(
        console,
        f"{race.rows:,} rows of {race.features} columns (patients drawn again, with noise), {race.folds} folds: "
        "one cross_val_score per model, against one evaluate call that also keeps all posteriors.",
    )
    columns = [("model", "left"), ("scikit-learn", "left"), ("its\ntime", "right"), ("its\nerrors", "right")]
    columns += [("our\nerrors", "right")]
    rows: list[list[str | Text]] = [
        [e.model, e.rival, format_duration(e.rival_seconds), f"{e.rival_wrong:,}", f"{e.wrong:,}"]
        for e in race.entries
    ]
    table(console, columns, rows)
    worst = max(entry.largest_fold_difference for entry in race.entries)
    agree = "equal in every fold" if worst < 1e-12 else f"within {worst:.1g} of each other in every fold"
    blas = "all BLAS threads" if race.rival_blas_threads is None else "one BLAS thread"
    console.print()
    prose(
        console,
        f"scikit-learn, {len(race.entries)} models: {format_duration(race.rival_seconds)} with {blas}, the faster "
        f"setting in a trial just before. Assay, one call on {race.threads} thread{'s' if race.threads > 1 else ''}: "
        f"{format_duration(race.seconds)}. Errors are {agree}.",
    )
    low, high = min(race.ratios), max(race.ratios)
    prose(console, f"Ratio: {race.ratio:.0f} x ({low:.0f} to {high:.0f} over the runs).", style="bold green")


def _show_next(console: Console, folder: Path) -> None:
    program, activate = program_here()
    heading(console, "Next")
    prose(console, f"The report is {folder / 'report.html'}: open it in a browser. On your own table:")
    lines_of_code(console, [f"{program} compare TABLE.csv --target COLUMN --out run"])
    if activate:
        prose(console, "To type assay alone, activate the environment once per shell:")
        lines_of_code(console, [activate])


def program_here() -> tuple[str, str]:
    """How the program is called from this folder, and what makes its name alone enough, if anything does."""
    program = Path(sys.executable).parent / "assay"
    on_path = shutil.which("assay")
    if not program.exists() or (on_path is not None and os.path.samefile(on_path, program)):
        return "assay", ""
    shown = Path(os.path.relpath(program))
    return str(shown), f". {shown.parent / 'activate'}"
