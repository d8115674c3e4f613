"""Options that several commands take together: one parameter of the function behind a command."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, get_type_hints

from assay.terminal.options import AsJson, Drop, Ignore, Missing, Query, Quiet, Types

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


@dataclass(frozen=True)
class ReadingOptions:
    """How the source is read; `source_options` parses them."""

    types: Types = None
    drop: Drop = None
    query: Query = None
    missing: Missing = None


@dataclass(frozen=True)
class OutputOptions:
    """How the result is printed; `--ignore` takes effect while options are parsed."""

    as_json: AsJson = False
    quiet: Quiet = False
    ignore: Ignore = None


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """The command as the program calls it: each parameter that is a group of options is replaced by the options.

    >>> def show(source: str, *, output: OutputOptions) -> None:
    ...     print(source, output.quiet)
    >>> flat = with_groups(show)
    >>> list(inspect.signature(flat).parameters)
    ['source', 'as_json', 'quiet', 'ignore']
    >>> flat(source="iris.csv", as_json=False, quiet=True, ignore=None)
    iris.csv True
    """
    hints = get_type_hints(command, include_extras=True)
    given = inspect.signature(command).parameters
    groups: dict[str, type[DataclassInstance]] = {
        name: hints[name] for name in given if is_dataclass(hints[name])
    }

    def flat(**options: object) -> None:
        for name, group in groups.items():
            options[name] = group(**{field.name: options.pop(field.name) for field in fields(group)})
        command(**options)

    parameters = []
    for name, parameter in given.items():
        if name in groups:
            parameters += _parameters(groups[name])
        else:
            parameters.append(parameter.replace(annotation=hints[name]))
    flat.__name__, flat.__doc__ = command.__name__, command.__doc__
    flat.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    flat.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return flat


def _parameters(group: type[DataclassInstance]) -> list[inspect.Parameter]:
    """The options of a group, each with its default; all options of a group have one."""
    hints = get_type_hints(group, include_extras=True)
    kind = inspect.Parameter.KEYWORD_ONLY
    return [
        inspect.Parameter(field.name, kind, default=field.default, annotation=hints[field.name])
        for field in fields(group)
    ]
