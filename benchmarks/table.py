"""The table as plain text or markdown, and the raw figures as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import median

from benchmarks.listing import Listing
from benchmarks.rows import Row

_TEXTS = ("workload", "rival")
_FIGURES = ("ours", "rival's", "ratio", "min-max", "target", "mark", "x read", "x X'X", "note")
HEADINGS = _TEXTS + _FIGURES
RIGHT = frozenset({"ours", "ratio", "min-max", "target", "x read", "x X'X", "note"})
LEGEND = (
    "ratio: rival / ours (target 'at least') or ours / rival (target 'at most'), median over the rounds",
    "of this run, min-max over the same; x read, x X'X: ours as a multiple of one read of X, one X.T @ X.",
)
MARKS = {True: "reached", False: "not reached", None: "-"}
QUICK = "quick sizes: a smoke test of the benchmark itself, too small to say anything about the targets"


def render(rows: Sequence[Row], *, markdown: bool = False, quick: bool = False) -> str:
    """The whole table with its legend and numbered notes."""
    cells = [_cells(i, row, quick=quick) for i, row in enumerate(rows, start=1)]
    body = _markdown(cells) if markdown else _plain(cells)
    notes = [f"[{i}] {_note(row)}" for i, row in enumerate(rows, start=1)]
    if markdown:
        notes = [f"- {note}" for note in notes]
    return "\n".join([*([QUICK, ""] if quick else []), *body, "", *LEGEND, "", *notes])


def write_json(
    path: Path,
    machine: dict[str, object],
    rows: Sequence[Row],
    listings: Sequence[Listing] = (),
    *,
    quick: bool,
) -> None:
    """Every figure of every round, for whoever wants to compute something else from them."""
    written = {
        "machine": machine,
        "quick": quick,
        "rows": [asdict(row) | _derived(row) for row in rows],
        "listings": [asdict(listing) for listing in listings],
    }
    path.write_text(json.dumps(written, indent=2) + "\n")


def _derived(row: Row) -> dict[str, object]:
    return {} if row.absent else {"ratio": row.ratio, "reached": row.reached}


def _cells(number: int, row: Row, *, quick: bool) -> tuple[str, ...]:
    target = "-" if row.target is None else f"{row.sense} {row.target:g}x"
    if row.absent:
        return (row.workload, row.rival, "-", "absent", "-", "-", target, "absent", "-", "-", f"[{number}]")
    return (
        row.workload,
        row.rival,
        quantity(median(row.ours), row.unit),
        quantity(median(row.theirs), row.unit) + (f" ({row.extrapolated})" if row.extrapolated else ""),
        _times(row.ratio) + row.sign,
        f"{_times(min(row.ratios))}-{_times(max(row.ratios))}",
        target,
        "quick" if quick else MARKS[row.reached],
        _times(row.floors["read"]) if "read" in row.floors else "-",
        _times(row.floors["gram"]) if "gram" in row.floors else "-",
        f"[{number}]",
    )


def _note(row: Row) -> str:
    start = f"{row.workload} / {row.rival}: "
    return start + (f"not measured, {row.absent}" if row.absent else "; ".join(row.notes))


def quantity(value: float, unit: str) -> str:
    """A figure with three digits: 41.2 ms, 5.13 s, 58.0 MB."""
    if unit == "s" and value < 1.0:
        value, unit = 1000.0 * value, "ms"
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:.{digits}f} {unit}"


def _times(value: float) -> str:
    return f"{value:.0f}" if value >= 20 else f"{value:.1f}" if value >= 5 else f"{value:.2f}"


def _plain(cells: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(len(line[i]) for line in (HEADINGS, *cells)) for i in range(len(HEADINGS))]

    def line(texts: Sequence[str]) -> str:
        aligned = (
            text.rjust(width) if heading in RIGHT else text.ljust(width)
            for text, width, heading in zip(texts, widths, HEADINGS, strict=True)
        )
        return "  ".join(aligned).rstrip()

    return [line(HEADINGS), "  ".join("-" * width for width in widths), *(line(texts) for texts in cells)]


def _markdown(cells: Sequence[tuple[str, ...]]) -> list[str]:
    rule = ["---:" if heading in RIGHT else "---" for heading in HEADINGS]
    return ["| " + " | ".join(texts) + " |" for texts in (HEADINGS, rule, *cells)]
