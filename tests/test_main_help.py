"""Help: every command, every option described, an example that the program understands, exit codes."""

from __future__ import annotations

import re
import shlex

import pytest
import typer.main

from assay.main import _COMMANDS, app
from tests.program import Run

NAMES = [run.__name__ for run, _, _ in _COMMANDS]


@pytest.mark.parametrize("name", NAMES)
def test_help_tells_options_example_and_exit_codes(run: Run, name: str) -> None:
    done = run(name, "--help")
    assert (done.code, done.err) == (0, "")
    assert f"assay {name} " in done.text
    for code in ("0 success", "1 internal error", "2 invalid input", "130 interrupted", "141 broken pipe"):
        assert code in done.text
    assert done.out.isascii()


@pytest.mark.parametrize("name", NAMES)
def test_every_option_has_a_line(name: str) -> None:
    command = typer.main.get_command(app).commands[name]  # type: ignore[attr-defined]
    for parameter in command.params:
        assert getattr(parameter, "help", None), f"{name}: {parameter.name}"
        assert len(parameter.help) <= 110, f"{name}: {parameter.name}"


@pytest.mark.parametrize("name", [name for name in NAMES if name != "demo"])  # which runs other commands
def test_every_command_speaks_json_and_can_be_quiet(name: str) -> None:
    command = typer.main.get_command(app).commands[name]  # type: ignore[attr-defined]
    assert {"--json", "--quiet"} <= {option for parameter in command.params for option in parameter.opts}


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_parse(name: str) -> None:
    """Click accepts every option and argument of the example; nothing is run."""
    command = typer.main.get_command(app).commands[name]  # type: ignore[attr-defined]
    examples = re.findall(r"^ +(assay .*)$", command.epilog, flags=re.MULTILINE)
    assert examples
    for example in examples:
        words = shlex.split(example.partition(">")[0])[2:]
        context = command.make_context(name, words, resilient_parsing=False)
        assert context.params


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("predcit", "Did you mean 'predict' or 'project'?"),
        ("xyzzy", "The command is one of describe, compare, tune, models, fit"),
    ],
)
def test_an_unknown_command_is_answered_with_the_commands(run: Run, word: str, sentence: str) -> None:
    done = run(word)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"assay: No such command '{word}'.") and sentence in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("command", "option", "known"),
    [
        ("compare", "--models", "--candidates"),
        ("compare", "--model", "--candidates"),
        ("fit", "--models", "--model"),
    ],
)
def test_an_option_of_another_name_is_answered_with_its_name(
    run: Run, command: str, option: str, known: str
) -> None:
    done = run(command, "table.csv", option, "knn")
    assert done.code == 2 and done.out == ""
    assert done.err == f"assay: No such option: {option}. {command} names its models with {known}.\n"
