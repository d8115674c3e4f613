"""Groups of options: what the program sees of them, and what a command gets."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, fields
from typing import get_type_hints

import pytest
import typer
from typer.testing import CliRunner

from assay.main import _COMMANDS
from assay.terminal.option_groups import OutputOptions, ReadingOptions, with_groups
from assay.terminal.options import Source


def show(source: Source, top: int = 3, *, reading: ReadingOptions, output: OutputOptions) -> None:
    """Show a table."""
    typer.echo(f"{source} {top} {reading.drop} {reading.query} {output.quiet}")


def test_a_command_gets_its_options_in_groups() -> None:
    app = typer.Typer()
    app.command()(with_groups(show))
    run = CliRunner().invoke(app, ["iris.csv", "--top", "5", "--drop", "a", "--drop", "b", "-q"])
    assert run.output == "iris.csv 5 ['a', 'b'] None True\n"
    shown = CliRunner().invoke(app, ["--help"]).output
    assert "Show a table." in shown and "--missing" in shown and "--json" in shown


def test_options_stand_in_the_order_of_their_groups() -> None:
    names = list(inspect.signature(with_groups(show)).parameters)
    assert names == ["source", "top", "types", "drop", "query", "missing", "as_json", "quiet", "ignore"]


@pytest.mark.parametrize(
    "command", [command for command, _, _ in _COMMANDS], ids=lambda command: command.__name__
)
def test_every_option_of_a_group_has_a_default_and_no_option_is_twice(command: object) -> None:
    groups = [kind for kind in get_type_hints(command).values() if hasattr(kind, "__dataclass_fields__")]
    assert all(field.default is not MISSING for group in groups for field in fields(group))
    names = [field.name for group in groups for field in fields(group)]
    alone = [name for name, kind in get_type_hints(command).items() if kind not in groups]
    assert len({*names, *alone}) == len(names) + len(alone)
