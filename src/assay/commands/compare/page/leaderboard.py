"""Section: the leaderboard, differences between candidates, criteria, omitted candidates."""

from __future__ import annotations

from typing import Any

from assay import catalog
from assay.catalog import ModelCard
from assay.charts.document import (
    Callout,
    Figure,
    Panel,
    Paragraph,
    Part,
    Section,
    data_table,
)
from assay.charts.document import DataTable as DataTable
from assay.charts.leaderboard import IntervalRow, interval_chart
from assay.commands.compare.metric_notes import metric_name
from assay.commands.compare.page.context import PageContext, tone_of
from assay.commands.compare.verdict import how_chosen
from assay.notes.numbers import (
    DASH,
    LEVEL,
    count,
    format_duration,
    number,
    number_range,
    percent,
    percent_range,
    points,
    setting_text,
)
from assay.notes.phrases import page_plural as plural
from assay.selection.criteria import Criteria
from assay.selection.evaluation import Evaluation
from assay.workbench.experiment.procedure import BASELINE

_STRATEGIES = {
    "statistics": "one pass over the rows",
    "closed form": "a closed form",
    "path": "all folds and penalties together",
    "counts": "one pass of counts",
    "neighbors": "one nearest-neighbour search",
    "gram": "one Gram matrix for all folds",
    "refit": "one fit per split",
}
_KINDS = {
    "same": "practically equivalent",
    "apart": "worse",
    "ordered": "worse, maybe by little",
    "unknown": "no evidence of a difference",
}


def leaderboard_section(s: PageContext) -> Section:
    """All candidates side by side, and the selection bias of choosing among them."""
    parts: list[Part] = [
        Paragraph(_choosing(s)),
        _interval_figure(s),
        _table(s),
        _five_criteria(s),
        *_differences(s),
        *_criteria(s),
        _readings(s),
    ]
    if noise := s.comparison.noise:
        parts.insert(1, Callout(s.words(noise), "Sanity check on shuffled labels", tone_of(noise)))
    if (sampled := s.comparison.sampled) is not None:
        parts.insert(1, Paragraph(s.words(sampled)))
    omitted = s.comparison.omitted
    if omitted:
        rows = [(_title(name), s.words(reason)) for name, reason in omitted.items()]
        parts.append(data_table("Omitted candidates", ("candidate", "reason"), rows))
    return Section("leaderboard", "The candidates", "Candidates", tuple(parts))


def _title(name: str) -> str:
    """The title of a candidate; the name itself of one that is not in the catalog."""
    return catalog.entry(name).title if name in catalog.names() else name


def _choosing(s: PageContext) -> str:
    """How candidates were tuned; CV loss of the winner, nested estimate of the procedure, and selection bias."""
    tuned = f"on {s.chosen_on}" if s.in_parts else f"inside {plural(s.evaluation.n_splits, 'split')}"
    winner, comparison = s.winner, s.comparison
    name = f"{s.titles[s.best]} ({setting_text(winner.setting)})" if winner.setting else s.titles[s.best]
    choice = how_chosen(comparison, name, winner.final_cv_loss, s.nested, comparison.optimism)
    return f"Every candidate was tuned {tuned} and tested on other rows. {s.words(choice)}"


def _interval_figure(s: PageContext) -> Figure:
    what = "error rate on new data" if s.loss is None else "mean loss on new data"
    rows: list[IntervalRow] = []
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
        f"{what.capitalize()} of {plural(len(rows), 'candidate')} with {LEVEL} confidence intervals, best first: "
        + "; ".join(f"{row['name']} {row['shown']}" for row in rows[:3])
        + ("." if len(rows) <= 3 else f"; and {len(rows) - 3} more.")
    )
    line = "" if s.baseline is None else f" The dashed line is the baseline, {s.shown(s.baseline)}."
    return Figure(
        "intervals",
        (Panel(interval_chart(rows, baseline, what, s.loss is None)),),
        says,
        f"Dots are nested estimates, lines their {LEVEL} confidence intervals. Candidates whose intervals overlap "
        f"widely may be ordered by chance.{line}",
        data_table(what, ("candidate", what), [(row["name"], row["shown"]) for row in rows], (1,)),
    )


def _table(s: PageContext) -> DataTable:
    """The metrics side by side."""
    metric = s.comparison.metric
    heads = ["candidate", "CV loss" if metric is None else f"CV {metric.title}", "error", f"{LEVEL} CI"]
    for shown in s.comparison.bench.metrics.shown:
        heads += [metric_name(s.comparison, shown), f"{LEVEL} CI"]
    heads += [] if s.loss is None else ["mean loss"]
    heads += ["log loss", "AUC"]
    rows = []
    for line in s.comparison.leaderboard:
        e, scored = s.results[line.name].evaluation, line.scored
        chosen_by = percent(scored) if s.loss is None else number(scored)
        row = [
            s.titles[line.name],
            chosen_by if metric is None else number(metric.loss(scored)),
            percent(e.error),
            percent_range(e.error_interval),
        ]
        for shown_metric in line.metrics.values():
            row += [number(shown_metric.value), number_range(shown_metric.interval)]
        row += [] if s.loss is None else [s.shown(e)]
        rows.append([*row, number(e.log_loss) if e.probabilistic else DASH, _auc(e)])
    caption = f"All candidates, ordered by {heads[1]}; all other metrics are nested estimates"
    return data_table(caption, heads, rows, range(1, len(heads)), marked=_winner(s))


def _five_criteria(s: PageContext) -> DataTable:
    """What a classifier is chosen by: error, times, error with few training rows, interpretability."""
    few = min(result.curve[0].rows for result in s.results.values())
    heads = (
        "candidate",
        "error",
        "fit time",
        "predict / row",
        f"error, n = {count(few)}",
        "interpretability",
    )
    rows = [
        (
            s.titles[name],
            percent(result.evaluation.error),
            format_duration(result.fit_seconds, page=True),
            format_duration(result.predict_seconds, page=True),
            percent(result.curve[0].error),
            result.entry.reading,
        )
        for name, result in s.results.items()
    ]
    caption = (
        "Five criteria side by side: error, time of a fit to all rows, time of a prediction, error with the smallest "
        "training set of the learning curve, interpretability"
    )
    return data_table(caption, heads, rows, range(1, 5), marked=_winner(s))


def _winner(s: PageContext) -> frozenset[int]:
    """The line of the winner, which stands out."""
    return frozenset({list(s.results).index(s.best)})


def _differences(s: PageContext) -> list[Part]:
    """Whether the differences to the winner are significant: tests and probabilities."""
    leaderboard = s.comparison.leaderboard
    tested = [(row, against) for row in leaderboard if (against := row.against_best) is not None]
    if not tested:
        return []
    rows = [_difference(s, row.title, against) for row, against in tested]
    margin = tested[0][1].margin
    size = points(margin) if s.loss is None else number(margin)
    heads = ("candidate", "difference", "t-test", "McNemar", "P(better)", "P(same)", "P(worse)", "conclusion")
    caption = (
        f"Differences to {s.titles[s.best]}: p-values of the corrected resampled t-test and of McNemar's test, and the "
        f"probabilities of being better, equivalent or worse; a difference below {size} counts as equivalent"
    )
    second = next((against for row, against in tested if row.name != BASELINE), tested[0][1])
    return [Paragraph(s.words(second.verdict)), data_table(caption, heads, rows, range(1, 7))]


def _difference(s: PageContext, title: str, found: Any) -> tuple[str, ...]:
    shown = s.shown_difference(found.difference)
    tests = [DASH if p is None else f"{p:.2g}" for p in (found.resampled_p, found.mcnemar_p)]
    chances = [percent(p) for p in (found.better, found.same, found.worse)]
    return (title, shown, *tests, *chances, _KINDS[found.kind] + ", simpler" * found.simpler)


def _criteria(s: PageContext) -> list[Part]:
    """AIC and BIC beside the nested log loss; likelihoods of different columns cannot be compared."""
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
            rows.append((s.titles[name], s.words(figures), DASH, DASH, DASH, _log_loss(s, name)))
    rows.sort(key=lambda row: (row[3] == DASH, row[1]))
    caption = (
        "AIC and BIC at the maximum of the likelihood, beside the nested log loss; smaller is better. Compare them "
        "only within one kind of likelihood and of columns. Settings that differ in smoothing, blend, shrinkage or "
        "variance floor have the same AIC"
    )
    if s.weighted:
        caption += "; the number of rows is the sum of the sample weights"
    heads = ("candidate", "likelihood, or why there is none", "parameters", "AIC", "BIC", "log loss")
    return [data_table(caption, heads, rows, range(2, 6), folded=True)]


def _columns(entry: ModelCard) -> str:
    """The columns of a likelihood: densities of other or rescaled columns have other units."""
    return f"{entry.encoding}{', scaled' if entry.scaled else ''}"


def _log_loss(s: PageContext, name: str) -> str:
    e = s.results[name].evaluation
    return number(e.log_loss) if e.probabilistic else DASH


def _readings(s: PageContext) -> DataTable:
    """Interpretability of each model, and how its splits were computed."""
    rows = [
        (
            s.titles[name],
            result.entry.interpretability,
            _STRATEGIES.get(result.evaluation.strategy, result.evaluation.strategy),
        )
        for name, result in s.results.items()
    ]
    return data_table(
        "Interpretability",
        ("candidate", "interpretability", "splits computed by"),
        rows,
        folded=len(rows) > 12,
    )


def _auc(e: Evaluation) -> str:
    """Area under the curve, or a dash where a class has too few rows for it."""
    try:
        return f"{e.auc:.3f}"
    except ValueError:
        return DASH
