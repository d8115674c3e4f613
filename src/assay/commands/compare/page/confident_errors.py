"""Section: texts that the best text model gets wrong with high confidence."""

from __future__ import annotations

import numpy as np

from assay.charts.document import (
    Paragraph,
    Quote,
    Quotes,
    Section,
)
from assay.commands.compare.page.context import PageContext
from assay.models.inspection.class_words import (
    Mistake,
    excerpt,
    misleading,
    surest_mistakes,
    training_rows,
)
from assay.notes.numbers import count, number
from assay.notes.phrases import shorten
from assay.numerics.blas import single_threaded
from assay.sharing.fit_pipeline import fit_weighted
from assay.statistics.weights import subset_weight
from assay.workbench.experiment.evaluate_candidate import CandidateResult

MOST_MISTAKES, MISLEADING = 8, 6


def confident_errors_section(s: PageContext) -> Section | None:
    """The texts that the best text model misclassifies with the highest confidence."""
    name = s.best_text_model
    if name is None:
        return None
    result = s.results[name]
    evaluation = result.evaluation
    if not evaluation.probabilistic:
        return None
    mistakes = surest_mistakes(
        evaluation.tested.rows,
        evaluation.tested.split,
        evaluation.log_posterior,
        evaluation.codes,
        MOST_MISTAKES,
    )
    if not mistakes:
        return None
    words = _misled(s, result, mistakes)
    quotes = tuple(_quote(s, mistake, words[mistake.row]) for mistake in mistakes)
    text = (
        f"Texts that {s.titles[name]} misclassifies with high confidence, each by the model of a fold without it. "
        "Common reasons are a wrong label, very few words, or words of another class."
    )
    return Section(
        "mistaken",
        "Confident errors",
        "Confident errors",
        (Paragraph(text), Quotes("Confident errors", quotes)),
    )


def _quote(s: PageContext, mistake: Mistake, words: list[tuple[str, float]]) -> Quote:
    """One text: its true and predicted class, and its misleading words."""
    texts = [column.name for column in s.problem.features.schema if column.type == "text"]
    whole = " ".join(s.problem.features[name][mistake.row].as_py() or "" for name in texts)
    shown = excerpt(whole, words[0][0].rpartition(": ")[2] if words else None)
    misled = ", ".join(f"{shorten(word, 24)} (+{number(amount)})" for word, amount in words)
    odds = mistake.log_odds
    sure = f"log odds {number(odds)}" if odds > np.log(1e4) else f"odds {number(float(np.exp(odds)))} to 1"
    true, predicted = s.class_names[mistake.true], s.class_names[mistake.predicted]
    return Quote(
        f"Row {count(mistake.row + 1)}: {true}, predicted as {predicted} ({sure})",
        shown or "(empty)",
        f"Misleading words: {misled}" if misled else "No word is evidence for the predicted class.",
    )


def _misled(
    s: PageContext, result: CandidateResult, mistakes: list[Mistake]
) -> dict[int, list[tuple[str, float]]]:
    """The words of each text that are evidence for the wrong class, by the model of its fold."""
    bench = s.comparison.bench
    X, names, codes = bench.design(result.entry), bench.design_names(result.entry), s.problem.codes
    weight = s.problem.weight
    evidence = {}
    for split in sorted({mistake.split for mistake in mistakes}):
        rows = training_rows(bench.partitions, split)
        setting = result.settings[int(result.chosen[split])]
        with single_threaded():
            model = bench.classifier(result.entry, setting).matrix_estimator()
            fit_weighted(model, X[rows], codes[rows], subset_weight(weight, rows))
        place = {int(k): at for at, k in enumerate(model.classes_.tolist())}
        for mistake in (m for m in mistakes if m.split == split):
            true, predicted = place.get(mistake.true), place.get(mistake.predicted)
            evidence[mistake.row] = (
                []  # a class too rare for every training set
                if true is None or predicted is None
                else misleading(model, names, X[[mistake.row]], predicted, true, MISLEADING)
            )
    return evidence
