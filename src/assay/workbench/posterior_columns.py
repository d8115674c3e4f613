"""Columns of posteriors in files: P(class)."""

from __future__ import annotations

import re

from assay.types import Label

PREDICTED, ACTION = "predicted", "action"

_OF_CLASS = re.compile(r"P\((.*)\)", re.DOTALL)


def posterior_name(label: Label) -> str:
    """The column that holds the posterior of a class.

    Examples
    --------
    >>> posterior_name("yes")
    'P(yes)'
    """
    return f"P({label})"


def posterior_columns(names: tuple[str, ...]) -> dict[str, str]:
    """From a class to its column: columns called P(class) if there are any, else all but `predicted`.

    Examples
    --------
    >>> posterior_columns(("predicted", "P(yes)", "P(no)"))
    {'yes': 'P(yes)', 'no': 'P(no)'}
    """
    named = {match[1]: name for name in names if (match := _OF_CLASS.fullmatch(name))}
    return named or {name: name for name in names if name != PREDICTED}
