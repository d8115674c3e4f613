"""Results that can be drawn."""

from __future__ import annotations

from typing import Any


class Chartable:
    """A result with a picture; `assay.draw` makes it."""

    def chart(self) -> Any:
        """The picture: shown by a notebook, and kept by ``save("curve.svg")`` (or .png, .html, .json)."""
        from assay.selection.drawings import draw  # which draws every result that is chartable

        return draw(self)
