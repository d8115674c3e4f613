"""Results that can be drawn."""

from __future__ import annotations

import importlib
from typing import Any


class Chartable:
    """A result with a picture; `assay.draw` makes it."""

    def chart(self) -> Any:
        """The picture: shown by a notebook, and kept by ``save("curve.svg")`` (or .png, .html, .json)."""
        # By name: the report lies above, and the result only hands itself over.
        return importlib.import_module("assay.selection.drawings").draw(self)
