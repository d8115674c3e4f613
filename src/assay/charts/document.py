"""What a page consists of: sections of paragraphs, callouts, tables, figures and commands, as plain data."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias, TypedDict, Unpack

if TYPE_CHECKING:
    from assay.charts.axes import Picture

MOST_ROWS = 400  # of a table that stands beside a chart


@dataclass(frozen=True)
class Paragraph:
    """A paragraph."""

    kind: ClassVar[str] = "paragraph"
    text: str


@dataclass(frozen=True)
class Callout:
    """A remark in a box: something to know ("note") or to look into ("warning")."""

    kind: ClassVar[str] = "callout"
    text: str
    title: str = ""
    tone: Literal["note", "warning"] = "note"


@dataclass(frozen=True)
class Facts:
    """Names and values."""

    kind: ClassVar[str] = "facts"
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Code:
    """Commands to copy."""

    kind: ClassVar[str] = "code"
    text: str
    label: str


@dataclass(frozen=True)
class DataTable:
    """A table; `numeric` lists the columns that are aligned to the right, `folded` hides it behind a line."""

    kind: ClassVar[str] = "table"
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int] = frozenset()
    marked: frozenset[int] = frozenset()  # rows that stand out
    bars: tuple[float, ...] = ()  # shares drawn behind the last column
    folded: bool = False
    total: int = 0  # rows there are, listed or not


@dataclass(frozen=True)
class Quote:
    """A piece of somebody's text, with a line above and a line below."""

    head: str
    text: str
    foot: str


@dataclass(frozen=True)
class Quotes:
    """Pieces of text, one below the other."""

    kind: ClassVar[str] = "quotes"
    label: str
    quotes: tuple[Quote, ...]


@dataclass(frozen=True)
class Panel:
    """One drawing: a Vega-Lite specification, a title where there are several, and its shape on the page.

    `says` is its own text alternative, where several drawings of one figure show different things.
    """

    chart: Picture
    title: str = ""
    shape: Literal["wide", "square", "small"] = "wide"
    says: str = ""


@dataclass(frozen=True)
class Figure:
    """Drawings with their words: `says` is the text alternative, `data` the same as a table."""

    kind: ClassVar[str] = "figure"
    key: str
    panels: tuple[Panel, ...]
    says: str
    caption: str
    data: DataTable
    legend: tuple[str, ...] = ()  # classes in the order of their colours, where the panels share one legend


Part: TypeAlias = Paragraph | Callout | Facts | Code | DataTable | Quotes | Figure


@dataclass(frozen=True)
class Section:
    """A chapter of the page; `menu` is its short name."""

    key: str
    title: str
    menu: str
    parts: tuple[Part, ...] = field(default=())


class TableLook(TypedDict, total=False):
    """How a table looks beside its cells, as in `DataTable`."""

    marked: frozenset[int]
    bars: tuple[float, ...]
    folded: bool


def data_table(
    caption: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    numeric: Iterable[int] = (),
    **options: Unpack[TableLook],
) -> DataTable:
    """A table, long ones cut with a word about it."""
    lines = [tuple(row) for row in rows]
    return DataTable(
        caption,
        tuple(columns),
        tuple(lines[:MOST_ROWS]),
        frozenset(numeric),
        total=len(lines),
        **options,
    )


@dataclass(frozen=True)
class Tile:
    """One figure with its name and what it is to be held against."""

    name: str
    value: str
    beside: str


@dataclass(frozen=True)
class Verdict:
    """First sentence: what to use and how wrong it will be. Second: what speaks for less."""

    first: str
    second: str
    tiles: tuple[Tile, ...]


PACKAGES = ("assay", "numpy", "scipy", "scikit-learn", "altair")


def versions() -> str:
    """Versions of what the figures rest on."""
    packages = [f"Python {platform.python_version()}"]
    for name in PACKAGES:
        try:
            packages.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    return ", ".join(packages)


COLOURED = 8
