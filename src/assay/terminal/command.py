"""A command whose options are given once: of two values the first would be ignored in silence."""

from __future__ import annotations

from collections import Counter
from typing import Any

from typer.core import TyperCommand

from assay.notes import Note


class Command(TyperCommand):
    """A command that rejects an option of a single value given twice."""

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
