"""What a section of the page says and shows."""

from __future__ import annotations

from assay.charts.document import Callout, Figure, Paragraph, Section
from assay.notes.numbers import THIN


def words(section: Section | None) -> str:
    """Paragraphs, notes and captions."""
    assert section is not None
    said = [part.text for part in section.parts if isinstance(part, Paragraph | Callout)]
    said += [f"{part.says} {part.caption}" for part in section.parts if isinstance(part, Figure)]
    return " ".join(said).replace(THIN, " ")


def figures(section: Section | None) -> dict[str, Figure]:
    assert section is not None
    return {part.key: part for part in section.parts if isinstance(part, Figure)}
