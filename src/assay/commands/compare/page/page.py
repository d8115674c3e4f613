"""The report: one HTML file that asks nobody for anything.

Charts are drawn by Vega-Lite, which stands in the page, with Vega's expression interpreter: nothing is evaluated, and
the page's content security policy names the two scripts and the style sheet it contains by their hashes and allows
nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from assay.charts.document import Section
from assay.charts.html import PageHeader, compose
from assay.commands.compare.page import class_words as documents
from assay.commands.compare.page import data_overview as overview
from assay.commands.compare.page import hyperparameters as tuning
from assay.commands.compare.page import interpretation as views
from assay.commands.compare.page import leaderboard as standings
from assay.commands.compare.page import reproduce
from assay.commands.compare.page import winner as outcomes
from assay.commands.compare.page.context import PageContext
from assay.commands.compare.page.cover import title, verdict
from assay.data.write.atomic import write_text

SECTIONS: tuple[Callable[[PageContext], Section | None], ...] = (
    overview.data_section,
    standings.leaderboard_section,
    standings.learning_section,
    documents.words_section,
    documents.vocabulary_section,
    outcomes.confusion_section,
    documents.mistaken_section,
    outcomes.calibration_section,
    outcomes.roc_section,
    outcomes.cost_section,
    views.plane_section,
    views.uses_section,
    tuning.tuning_section,
    reproduce.reproduce_section,
)


def write(comparison: Any, path: str | os.PathLike[str], *, date: str | None = None) -> Path:
    """Write the report of a comparison; the file is replaced whole or not at all.

    Parameters
    ----------
    comparison : Comparison
        The result of `assay.compare`.
    path : str or path
    date : str, optional
        Printed on the page; without it the page has none, and equal results give equal files.
    """
    return write_text(path, page(comparison, date=date))


def page(comparison: Any, *, date: str | None = None) -> str:
    """The report as text."""
    subject = PageContext(comparison, date)
    return render(subject, sections(subject))


def sections(subject: PageContext) -> list[Section]:
    """The chapters for which there is something to show, in order."""
    return [section for build in SECTIONS if (section := build(subject)) is not None]


def render(subject: PageContext, shown: list[Section]) -> str:
    """The page around the sections."""
    kicker = "Which classifier, how wrong, and why"
    return compose(PageHeader(title(subject), kicker, "Verdict", verdict(subject), subject.date), shown)
