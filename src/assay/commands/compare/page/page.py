"""The report: one HTML file that needs no network.

Charts are drawn by Vega-Lite, which stands in the page, with Vega's expression interpreter: nothing is evaluated, and
the page's content security policy names the two scripts and the style sheet it contains by their hashes and allows
nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from assay.charts.document import Section
from assay.charts.html import PageHeader, compose
from assay.commands.compare.page import (
    class_words,
    confident_errors,
    data_overview,
    hyperparameters,
    interpretation,
    leaderboard,
    learning_curve,
    precision_recall,
    reproduce,
    scatter,
    separability,
    winner,
)
from assay.commands.compare.page.context import PageContext
from assay.commands.compare.page.header import title, verdict
from assay.commands.compare.result import ComparisonResult
from assay.data.write.atomic import write_text
from assay.notes.voices import PAGE, Voice

SECTIONS: tuple[Callable[[PageContext], Section | None], ...] = (
    data_overview.data_section,
    leaderboard.leaderboard_section,
    learning_curve.learning_section,
    class_words.words_section,
    class_words.vocabulary_section,
    winner.confusion_section,
    confident_errors.confident_errors_section,
    winner.calibration_section,
    winner.roc_section,
    precision_recall.precision_recall_section,
    winner.cost_section,
    scatter.scatter_section,
    separability.separability_section,
    interpretation.interpretation_section,
    hyperparameters.hyperparameters_section,
    reproduce.reproduce_section,
)


def write(
    comparison: ComparisonResult,
    path: str | os.PathLike[str],
    *,
    date: str | None = None,
    voice: Voice = PAGE,
) -> Path:
    """Write the report of a comparison; the file is replaced whole or not at all.

    Parameters
    ----------
    comparison : Comparison
        The result of `assay.compare`.
    path : str or path
    date : str, optional
        Printed on the page; without it the page has none, and equal results give equal files.
    voice : Voice
        The words of its notes: those of Python, or of the shell for a page that a command writes.
    """
    return write_text(path, page(comparison, date=date, voice=voice))


def page(comparison: ComparisonResult, *, date: str | None = None, voice: Voice = PAGE) -> str:
    """The report as text."""
    subject = PageContext(comparison, date, voice)
    return render(subject, sections(subject))


def sections(subject: PageContext) -> list[Section]:
    """The sections that have something to show, in order."""
    return [section for build in SECTIONS if (section := build(subject)) is not None]


def render(subject: PageContext, shown: list[Section]) -> str:
    """The page around the sections."""
    kicker = "Which classifier, which error rate, and why"
    return compose(PageHeader(title(subject), kicker, "Verdict", verdict(subject), subject.date), shown)
