"""Section: the leaderboard, differences between candidates, criteria, omitted candidates."""

from __future__ import annotations

from typing import Any

from assay import catalog
from assay.charts import evaluation as charts
from assay.charts.document import (
    Figure,
    Panel,
    Part,
    Section,
    grid,
)
from assay.charts.document import Grid as DataTable
from assay.charts.document import (
    Note as Callout,
)
from assay.charts.document import (
    Text as Paragraph,
)
from assay.commands.compare.page.context import PageContext, tone_of
from assay.commands.compare.result import BASELINE
from assay.notes.numbers import (
    DASH,
    LEVEL,
    count,
    number,
    percent,
    percent_range,
    plural,
    points,
    seconds,
)
from assay.notes.phrases import choosing_inside
from assay.notes.speech import said
from assay.selection.criteria import Criteria
from assay.selection.evaluation import Evaluation

_STRATEGIES = {
    "statistics": "one pass over the rows",
    "closed form": "a closed form",
    "path": "all folds and penalties solved together",
    "counts": "one pass of counting",
    "neighbors": "one search for neighbours",
    "gram": "one Gram matrix for all folds",
    "refit": "a fit for each",
}
_KINDS = {
    "same": "the same in practice",
    "apart": "beaten",
    "ordered": "behind, maybe by little",
    "unknown": "no evidence of a difference",
}


def leaderboard_section(s: PageContext) -> Section:
    """All candidates side by side, and what choosing among them costs."""
    parts: list[Part] = [
        Paragraph(_choosing(s)),
        _interval_figure(s),
        _table(s),
        *_differences(s),
        *_criteria(s),
        _readings(s),
    ]
    if noise := s.comparison.noise:
        parts.insert(
            1,
            Callout(said(noise), "Sanity check on shuffled labels", tone_of(noise)),
        )
    omitted = s.comparison.omitted
    if omitted:
        rows = [(_title(name), said(str(reason))) for name, reason in omitted.items()]
        parts.append(grid("Candidates left out: nothing is known of them", ("candidate", "why"), rows))
    return Section("leaderboard", "The candidates", "Candidates", tuple(parts))


def _title(name: str) -> str:
    """What a candidate is called; the name itself of one that the catalog does not have."""
    return catalog.entry(name).title if name in catalog.names() else name


def _choosing(s: PageContext) -> str:
    """What the winner scored, what the procedure is worth, and the difference."""
    scored = s.winner.final_cv_loss
    if scored is None:
        scored = s.figure(s.evaluation)
    nested = s.figure(s.nested)
    show = percent if s.loss is None else number
    optimism = s.comparison.optimism
    optimism = nested - scored if optimism is None else optimism
    what = "an error" if s.loss is None else "a mean loss"
    tuned = f"on {s.chosen_on}" if s.in_parts else f"inside {plural(s.evaluation.n_splits, 'split')}"
    text = (
        f"Every candidate was tuned {tuned} and tested on rows that had no say in its settings. On "
        f"{s.chosen_on} it was chosen by, {s.titles[s.best]} scored {what} of {show(scored)}. "
        f"{choosing_inside(s.plan.in_parts, 'the method and its settings ')}, gives "
        f"{s.shown(s.nested)} ({s.shown_interval(s.nested)}), which is what a new row will meet. "
    )
    size = points(optimism) if s.loss is None else number(optimism)
    if abs(optimism) < (5e-4 if s.loss is None else 5e-4 * max(abs(nested), 1e-12)):
        return text + "The choice itself flattered the score by nothing to speak of."
    verb = "flattered the score by" if optimism > 0 else "did not flatter the score: the difference is"
    return text + f"The choice itself {verb} {size}."


def _interval_figure(s: PageContext) -> Figure:
    what = "error on new rows" if s.loss is None else "mean loss of a new row"
    rows: list[dict[str, Any]] = []
    for name, result in s.results.items():
        low, high = s.figure_interval(result.evaluation)
        shown = f"{s.shown(result.evaluation)} ({s.shown_interval(result.evaluation)})"
        rows.append(
            {
                "name": s.titles[name],
                "value": s.figure(result.evaluation),
                "low": low,
                "high": high,
                "shown": shown,
                "best": name == s.best,
            }
        )
    baseline = None if s.baseline is None else s.figure(s.baseline)
    says = (
        f"{what.capitalize()} of {plural(len(rows), 'candidate')} with {LEVEL} intervals, best first: "
        + "; ".join(f"{row['name']} {row['shown']}" for row in rows[:3])
        + ("." if len(rows) <= 3 else f"; and {len(rows) - 3} more.")
    )
    line = "" if s.baseline is None else f" The dashed line is the baseline, {s.shown(s.baseline)}."
    return Figure(
        "intervals",
        (Panel(charts.interval_chart(rows, baseline, what, s.loss is None)),),
        says,
        f"Dots are nested estimates, lines their {LEVEL} intervals: where they overlap widely the order is luck.{line}",
        grid(what, ("candidate", what), [(row["name"], row["shown"]) for row in rows], (1,)),
    )


def _table(s: PageContext) -> DataTable:
    """The figures side by side."""
    heads = ["candidate", "scored", "error", f"{LEVEL} interval", "log loss", "AUC", "training", "one row"]
    if s.loss is not None:
        heads.insert(4, "mean loss")
    rows = []
    for name, result in s.results.items():
        e, scored = result.evaluation, result.final_cv_loss
        row = [
            s.titles[name],
            percent(scored) if s.loss is None else number(scored),
            percent(e.error),
            percent_range(e.error_interval),
            number(e.log_loss) if e.probabilistic else DASH,
            _auc(e),
            seconds(result.fit_seconds),
            seconds(result.predict_seconds),
        ]
        if s.loss is not None:
            row.insert(4, s.shown(e))
        rows.append(row)
    best = frozenset({list(s.results).index(s.best)})
    caption = "All candidates, in the order of what their best setting scored; the other figures are nested"
    return grid(caption, heads, rows, range(1, len(heads)), marked=best)


def _differences(s: PageContext) -> list[Part]:
    """Is the difference to the winner real? Tests, probabilities, and what to make of them."""
    leaderboard = s.comparison.leaderboard
    tested = [(each, against) for each in leaderboard if (against := each.against_best) is not None]
    if not tested:
        return []
    rows = [_difference(s, each.title, against) for each, against in tested]
    margin = tested[0][1].margin
    size = points(margin) if s.loss is None else number(margin)
    heads = ("candidate", "behind by", "t-test", "McNemar", "P(better)", "P(same)", "P(worse)", "in words")
    caption = (
        f"Is the lead of {s.titles[s.best]} real? p-values of the corrected resampled t-test and of McNemar's, and how "
        f"probably each is better, the same or worse; less than {size} counts as the same"
    )
    second = next((against for each, against in tested if each.name != BASELINE), tested[0][1])
    return [Paragraph(second.verdict), grid(caption, heads, rows, range(1, 7))]


def _difference(s: PageContext, title: str, found: Any) -> tuple[str, ...]:
    shown = f"{100 * found.difference:+.2f} points" if s.loss is None else f"{found.difference:+.3g}"
    tests = [DASH if p is None else f"{p:.2g}" for p in (found.resampled_p, found.mcnemar_p)]
    chances = [percent(p) for p in (found.better, found.same, found.worse)]
    return (title, shown, *tests, *chances, _KINDS[found.kind] + ", simpler" * found.simpler)


def _criteria(s: PageContext) -> list[Part]:
    """AIC and BIC beside the log loss on rows that were not seen; likelihoods of other columns are no rivals."""
    stored = {name: result.criteria for name, result in s.results.items()}
    if sum(figures is not None for figures in stored.values()) < 2:
        return []
    rows = []
    for name, figures in stored.items():
        if isinstance(figures, Criteria):
            of = f"{figures.likelihood}, {_columns(s.results[name].entry)}"
            shown = (of, count(figures.n_parameters), number(figures.aic, 5), number(figures.bic, 5))
            rows.append((s.titles[name], *shown, _log_loss(s, name)))
        elif figures is not None:
            rows.append((s.titles[name], figures, DASH, DASH, DASH, _log_loss(s, name)))
    rows.sort(key=lambda row: (row[3] == DASH, row[1]))
    caption = (
        "AIC and BIC of the models with a likelihood, at its maximum, beside the log loss on rows that they had not "
        "seen; less is better, and only within one kind of likelihood and of columns. Settings that differ in "
        "smoothing, blend, shrinkage or variance floor share one AIC, which cannot rank them"
    )
    if s.weighted:
        caption += "; the number of rows is the sum of their weights"
    heads = ("candidate", "likelihood of, or why there is none", "parameters", "AIC", "BIC", "log loss")
    return [grid(caption, heads, rows, range(2, 6), folded=True)]


def _columns(entry: Any) -> str:
    """Which columns a likelihood is of: densities of other or rescaled columns have other units."""
    return f"{entry.encoding}{', scaled' if entry.scaled else ''}"


def _log_loss(s: PageContext, name: str) -> str:
    e = s.results[name].evaluation
    return number(e.log_loss) if e.probabilistic else DASH


def _readings(s: PageContext) -> DataTable:
    """What there is to see in each model, and how its folds were worked out."""
    rows = [
        (
            s.titles[name],
            result.entry.interpretability,
            _STRATEGIES.get(result.evaluation.strategy, result.evaluation.strategy),
        )
        for name, result in s.results.items()
    ]
    return grid(
        "What there is to read in each",
        ("candidate", "to read", "all splits by"),
        rows,
        folded=len(rows) > 12,
    )


def _auc(e: Evaluation) -> str:
    """Area under the curve, or a dash where a class has too few rows for it."""
    try:
        return f"{e.auc:.3f}"
    except ValueError:
        return DASH
