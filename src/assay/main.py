"""The program `assay`: its commands, errors and exit codes.

Nothing here imports scikit-learn, so that --help and --version answer at once.
"""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Annotated, TextIO

import typer

from assay import __version__
from assay.commands import models
from assay.commands.cluster import cli as cluster
from assay.commands.compare import cli as compare
from assay.commands.compare import tune
from assay.commands.decide import cli as decide
from assay.commands.demo import cli as demo
from assay.commands.describe import cli as describe
from assay.commands.evaluate import cli as evaluate
from assay.commands.explain import cli as explain
from assay.commands.features import cli as features
from assay.commands.fit import cli as fit
from assay.commands.predict import cli as predict
from assay.commands.project import cli as project
from assay.commands.recommend import cli as recommend
from assay.commands.separable import cli as separable
from assay.notes import Note, as_note, note_of, render
from assay.notes.voices import SHELL
from assay.terminal.command import Command, CommandGroup
from assay.terminal.option_groups import with_groups
from assay.terminal.options import EXIT_CODES

INTERNAL_ERROR, INVALID_INPUT, INTERRUPTED, BROKEN_PIPE = 1, 2, 130, 141

# Plain help: the same text on a terminal and in a pipe.
app = typer.Typer(
    name="assay",
    cls=CommandGroup,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(requested: bool) -> None:
    if requested:
        typer.echo(f"assay {__version__}")
        raise typer.Exit()


@app.callback(invoke_without_command=True, epilog=EXIT_CODES)
def assay(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Compare classifiers, estimate their error on new data, and decide with their probabilities."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


_COMMANDS = (
    (describe.describe, "Show the inferred type of each column.", describe.EPILOG),
    (compare.compare, "Compare models and estimate the error of the best.", compare.EPILOG),
    (tune.tune, "Tune one model with a nested estimate of its error.", tune.EPILOG),
    (models.models, "List the models, or show one in detail.", models.EPILOG),
    (fit.fit, "Fit one model and save it.", fit.EPILOG),
    (predict.predict, "Classify new rows with a saved model.", predict.EPILOG),
    (evaluate.evaluate, "Test a saved model on labelled rows.", evaluate.EPILOG),
    (decide.decide, "Choose actions from posteriors and costs.", decide.EPILOG),
    (explain.explain, "Explain a prediction.", explain.EPILOG),
    (cluster.cluster, "Cluster the rows of a table.", cluster.EPILOG),
    (features.features, "Select the columns that a model needs.", features.EPILOG),
    (separable.separable, "Test whether planes separate the classes.", separable.EPILOG),
    (project.project, "Project the rows onto a few directions.", project.EPILOG),
    (recommend.recommend, "Recommend items from ratings.", recommend.EPILOG),
    (compare.report, "Write the report of a run again.", compare.REPORT_EPILOG),
    (demo.demo, "Run the main commands on a bundled table.", demo.EPILOG),
)
_RENAMED_OPTIONS = {
    ("compare", "--models"): "--candidates",
    ("compare", "--model"): "--candidates",
    ("fit", "--models"): "--model",
    ("fit", "--candidates"): "--model",
}
for _command, _short, _epilog in _COMMANDS:
    app.command(cls=Command, short_help=_short, epilog=_epilog)(with_groups(_command))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code; an error is one sentence on the error stream.

    Warnings of other libraries are not for whoever typed a command; those about a candidate are notes of its result.
    """
    _spell_out(sys.stdout, sys.stderr)
    with warnings.catch_warnings(record=True):
        return _run(arguments)


def _run(arguments: Sequence[str] | None) -> int:
    """Run a command; its exit code."""
    try:
        code = app(args=arguments, prog_name="assay", standalone_mode=False) or 0
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):  # Rich raises SystemExit on a broken pipe
        _silence_stdout()
        return BROKEN_PIPE
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except Exception as error:
        return _explain(error)
    if code == INTERRUPTED:
        typer.echo("assay: interrupted.", err=True)
    return int(code)


def _explain(error: Exception) -> int:
    """One sentence about the error, and its exit code; ASSAY_DEBUG asks for the traceback instead."""
    if os.environ.get("ASSAY_DEBUG"):
        raise error
    if hasattr(error, "format_message"):  # Typer's own errors: unknown options, wrong values
        note = _renamed_option(error) or _missing_model(error) or as_note(error.format_message())
        return _complain(note, INVALID_INPUT)
    # ImportError: the kernels that were asked for, or a package, are not on this machine.
    if isinstance(error, ValueError | TypeError | OSError | ImportError):
        return _complain(note_of(error) or as_note(str(error)), INVALID_INPUT)
    if isinstance(error, MemoryError):
        return _complain(note_of(error) or Note("O101"), INVALID_INPUT)
    return _complain(Note("O100", kind=type(error).__name__, message=str(error)), INTERNAL_ERROR)


def _complain(note: Note, code: int) -> int:
    """Print a note on the error stream; the exit code."""
    typer.echo(f"assay: {_one_line(render(note, SHELL))}", err=True)
    return code


def _renamed_option(error: Exception) -> Note | None:
    """A note about an option that has another name in this command; None for any other error."""
    command = str(getattr(getattr(error, "ctx", None), "info_name", None))
    option = str(getattr(error, "option_name", None))
    known = _RENAMED_OPTIONS.get((command, option))
    return None if known is None else Note("O102", given=option, command=command, known=known)


def _missing_model(error: Exception) -> Note | None:
    """A note about a missing model, with the command that lists models; None for any other error."""
    options = getattr(getattr(error, "param", None), "opts", ())
    missing = type(error).__name__ == "MissingParameter"
    return Note("C711", given="--model") if missing and "--model" in options else None


def _spell_out(*streams: TextIO) -> None:
    """Characters that the encoding of the locale lacks (LANG=C) are written as escapes."""
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _silence_stdout() -> None:
    """After a broken pipe (`assay demo | head`) what Python flushes at exit must not fail again."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = open(os.devnull, "w")
