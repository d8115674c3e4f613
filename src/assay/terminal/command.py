"""Commands: options are given once, and an unknown command is answered with those that there are."""

from __future__ import annotations

from collections import Counter
from difflib import get_close_matches
from typing import Any

from typer.core import TyperCommand, TyperGroup

from assay.notes import Note


class CommandGroup(TyperGroup):
    """The program: a group of commands."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the arguments begin with; an unknown one is an error."""
        name, known = args[0], self.list_commands(ctx)
        if name not in known and not name.startswith("-"):
            near = get_close_matches(name, known)
            ctx.fail(
                Note("C712", given=name, near=near) if near else Note("C713", given=name, commands=known)
            )
        return super().resolve_command(ctx, args)


class Command(TyperCommand):
    """A command that rejects an option of a single value given twice: the first would be ignored in silence."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Arguments into parameters; a repeated option of a single value is an error."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for parameter, times in Counter(order).items():
            if times > 1 and takes_one_value(parameter):
                ctx.fail(Note("O103", given=parameter.opts[0], times=times))
        return super().parse_args(ctx, args)


def takes_one_value(parameter: Any) -> bool:
    """Whether a parameter is an option with a value that may not be repeated; a switch may be."""
    return parameter.param_type_name == "option" and not (parameter.multiple or parameter.is_flag)
