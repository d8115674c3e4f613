"""Classes by the names under which they are stored."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any


def load(home: str) -> Any:
    """The class at "module:Class"."""
    module, _, name = home.partition(":")
    return getattr(importlib.import_module(module), name)


def name_of(value: object, homes: Mapping[str, str]) -> str | None:
    """The name under which a value's class is listed; None if it is not."""
    ending = f":{type(value).__name__}"
    for name, home in homes.items():  # a class that was renamed keeps the name it was first stored under
        if home.endswith(ending) and type(value) is load(home):
            return name
    return None
