"""How a class is listed that can be stored: where it lives, and which fitted attributes are the whole of it."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.storage.damaged_file import UnusableModelError


@dataclass(frozen=True)
class Field:
    """One fitted attribute.

    kind : how it is checked, see `assay.storage.field_checks`.
    shape : lengths of the axes, by name: D features in, K classes; other names are bound where they first occur.
    """

    name: str
    kind: str
    shape: tuple[str, ...] = ()
    optional: bool = False

    def wrong(self, expected: str) -> UnusableModelError:
        """A clause that says what the attribute should have been."""
        return UnusableModelError(f"its attribute {self.name!r} is not {expected}")


@dataclass(frozen=True)
class Storable:
    """A class that can be stored.

    Attributes
    ----------
    home : "module:Class"
    fields : the fitted attributes that are stored
    solved : fields from which the others are solved again, where the model has them; then only these are stored
    """

    home: str
    fields: tuple[Field, ...] = ()
    solved: tuple[Field, ...] = ()

    def load(self) -> Any:
        return load(self.home)


def load(home: str) -> Any:
    """The class at "module:Class"."""
    module, _, name = home.partition(":")
    return getattr(importlib.import_module(module), name)


def name_of(value: Any, homes: Mapping[str, str]) -> str | None:
    """The name under which a value's class is listed; None if it is not."""
    ending = f":{type(value).__name__}"
    for name, home in homes.items():  # a class that was renamed keeps the name it was first stored under
        if home.endswith(ending) and type(value) is load(home):
            return name
    return None
