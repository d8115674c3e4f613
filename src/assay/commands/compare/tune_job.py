"""One model of the catalog tuned on a table, for `assay tune`.

It is a comparison of the model with the baseline, over the given ranges: the same folds, nesting and report.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from assay.catalog import entry
from assay.commands.compare.comparison import Comparison
from assay.commands.compare.figures import files, row_figures
from assay.commands.compare.job import compare
from assay.notes import Note
from assay.workbench.experiment.procedure import BASELINE
from assay.workbench.syntax.ranges import parse_ranges, simple_first
from assay.workbench.syntax.settings import assigned_names


def tune_table(
    source: object,
    target: str | None,
    model: str,
    *,
    ranges: Collection[str] | Mapping[str, Sequence[object]] = (),
    **options: Any,
) -> Comparison:
    """Tune a model of the catalog on a table.

    Parameters
    ----------
    source, target, **options
        As for `compare`.
    model : str
        A name in the catalog.
    ranges : texts such as ``l2=0.1,1,10``, or a dict of lists
        Values to tune over; the catalog's ranges by default.
    """
    card = entry(model).freed(ranges if isinstance(ranges, Mapping) else assigned_names(ranges))
    if not isinstance(ranges, Mapping):
        ranges = {
            name: simple_first(card, name, values)
            for name, values in parse_ranges(card.name, card.free_parameters(), ranges).items()
        }
    names = [model] if model == BASELINE else [BASELINE, model]
    comparison = compare(
        source,
        target,
        candidates=names,
        ranges={model: dict(ranges)},
        budget=None,
        keep_suspects=None,
        **options,
    )
    if model not in comparison.results:
        raise ValueError(Note("C030", title=card.title, reason=comparison.omitted[model]))
    return comparison


def curve_figures(comparison: Comparison, model: str) -> dict[str, Any]:
    """The settings with their losses, the selected one and its nested estimate, as plain values."""
    result = comparison.results[model]
    nested, evaluation = result.nested, result.evaluation
    return {
        "source": comparison.name,
        "target": comparison.target,
        **row_figures(comparison),
        "name": model,
        "title": result.title,
        "plan": repr(comparison.plan),
        "rule": comparison.bench.rule,
        "curve": [
            {
                "setting": setting,
                "loss": float(nested.losses[s]),
                "error": float(nested.errors[s]),
                "standard_error": float(nested.standard_errors[s]),
                "chosen_inside": int((nested.chosen == s).sum()),
            }
            for s, setting in enumerate(result.settings)
        ],
        "setting": result.setting,
        "scored": result.final_cv_loss,
        "honest": {
            "error": evaluation.error,
            "error_interval": tuple(evaluation.error_interval),
            "loss": evaluation.mean_loss(),
        },
        "optimism": result.selection_bias,
        "noise": comparison.noise or None,
        "notes": (*comparison.notes, *result.notes),
        "interrupted": comparison.interrupted,
        "commands": comparison.commands,
        **files(comparison),
    }
