"""The program `assay`: its commands, and what becomes of an error.

Nothing here imports scikit-learn, so that help and version answer at once.
"""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Annotated, Any, TextIO

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
from assay.notes import note_of, render
from assay.notes.speech import spoken
from assay.notes.voices import SHELL
from assay.terminal.command import Command
from assay.terminal.options import EXIT_CODES
from assay.terminal.wording import for_shell

FAULT, BAD_INPUT, INTERRUPTED, CLOSED_PIPE = 1, 2, 130, 141

# Plain help: the same text on a terminal and in a pipe.
app = typer.Typer(
    name="assay",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"assay {__version__}")
        raise typer.Exit()


@app.callback(invoke_without_command=True, epilog=EXIT_CODES)
def assay(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Which classifier to use, how wrong it will be on new data, and what to do with its probabilities."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


_COMMANDS = (
    (describe.describe, "Show what a table's columns are taken for.", describe.EPILOG),
    (compare.compare, "Find the best model and its error rate on new data.", compare.EPILOG),
    (tune.tune, "Tune one model and estimate its error rate.", tune.EPILOG),
    (models.models, "List the models, or all about one.", models.EPILOG),
    (fit.fit, "Fit one model and save it.", fit.EPILOG),
    (predict.predict, "Classify new rows with a saved model.", predict.EPILOG),
    (evaluate.evaluate, "Test a saved model on labelled rows.", evaluate.EPILOG),
    (decide.decide, "Turn posteriors and costs into actions.", decide.EPILOG),
    (explain.explain, "Show what spoke for a prediction.", explain.EPILOG),
    (cluster.cluster, "Group rows that are alike.", cluster.EPILOG),
    (features.features, "Find the columns that a model needs.", features.EPILOG),
    (project.project, "Show the rows along a few directions.", project.EPILOG),
    (recommend.recommend, "Recommend items from ratings.", recommend.EPILOG),
    (compare.report, "Write the report of a run again.", compare.REPORT_EPILOG),
    (demo.demo, "Do all of it on a bundled table.", demo.EPILOG),
)
_OTHERWISE = {
    ("compare", "--models"): "--candidates",
    ("compare", "--model"): "--candidates",
    ("fit", "--models"): "--model",
    ("fit", "--candidates"): "--model",
}
for _run, _short, _epilog in _COMMANDS:
    app.command(cls=Command, short_help=_short, epilog=_epilog)(_run)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code; an error is one sentence on the error stream."""
    _spell_out(sys.stdout, sys.stderr)
    # What other libraries have to say about a table is not for whoever typed a command; of a candidate it becomes a
    # note. Filters would not do: threads of scikit-learn set them anew.
    shown: Any = warnings.showwarning
    warnings.showwarning = _pass_over
    try:
        return _answer(arguments)
    finally:
        warnings.showwarning = shown


def _pass_over(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: Any = None,
    line: Any = None,
) -> None:
    """Where warnings are shown otherwise."""


def _answer(arguments: Sequence[str] | None) -> int:
    """Run a command; its exit code."""
    try:
        with spoken(for_shell):
            code = app(args=arguments, prog_name="assay", standalone_mode=False) or 0
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):  # Rich leaves by SystemExit when nobody reads its output any more
        _silence_stdout()
        return CLOSED_PIPE
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
        said = _meant(error) or _with_models(_with_commands(error.format_message()))
        typer.echo(f"assay: {_one_line(said)}", err=True)
        return BAD_INPUT
    # ImportError: the kernels that were asked for, or a package, are not to be had on this machine.
    if isinstance(error, ValueError | TypeError | OSError | ImportError):
        note = note_of(error)
        sentence = for_shell(str(error)) if note is None else render(note, SHELL)
        typer.echo(f"assay: {_one_line(sentence)}", err=True)
        return BAD_INPUT
    if isinstance(error, MemoryError):
        typer.echo("assay: There is not enough memory; ask for fewer rows.", err=True)
        return BAD_INPUT
    what = f"{type(error).__name__}: {_one_line(str(error))}"
    typer.echo(f"assay: This is a fault of Assay ({what}); set ASSAY_DEBUG=1 for its traceback.", err=True)
    return FAULT


def _meant(error: Any) -> str | None:
    """What to say of an option that has another name in this command; None of any other error."""
    command, option = (
        getattr(getattr(error, "ctx", None), "info_name", None),
        getattr(error, "option_name", None),
    )
    known = _OTHERWISE.get((str(command), str(option)))
    return (
        None
        if known is None
        else f"No such option: {option}. The models of {command} are named with {known}."
    )


def _with_commands(message: str) -> str:
    """The message; if it says that there is no such command, and suggests none, with the commands there are."""
    if not message.startswith("No such command") or "?" in message:
        return message
    return f"{message} The commands are {', '.join(run.__name__ for run, _, _ in _COMMANDS)}."


def _with_models(message: str) -> str:
    """The message; if it is about a model that nobody named, with where the names are."""
    return f"{message} `assay models` lists them." if message == "Missing option '--model'." else message


def _spell_out(*streams: TextIO) -> None:
    """Signs that the locale's encoding lacks (LANG=C) are written as escapes instead of failing."""
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _silence_stdout() -> None:
    """Nobody reads any more (`assay demo | head`): what Python flushes on its way out must not fail again."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = open(os.devnull, "w")
