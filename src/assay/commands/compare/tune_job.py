"""One model of the catalog tuned on a table: what `assay tune` does.

It is a comparison of the model with the baseline, over the ranges that were asked for: the same folds, the same
nesting, the same report.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from assay.catalog import entry
from assay.commands.compare.comparison import Comparison
from assay.commands.compare.job import compare
from assay.commands.compare.result import files, row_roles
from assay.commands.compare.verdict import BASELINE
from assay.notes import Note
from assay.workbench.syntax.ranges import parse_ranges, simple_first


def tune_table(
    source: Any,
    target: str | None,
    model: str,
    *,
    ranges: Collection[str] | Mapping[str, Sequence[Any]] = (),
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
        What to try; the catalog's own ranges where nothing is given.
    """
    chosen = entry(model)
    if not isinstance(ranges, Mapping):
        ranges = {
            name: simple_first(chosen, name, values)
            for name, values in parse_ranges(chosen.name, chosen.free_parameters(), ranges).items()
        }
    names = [model] if model == BASELINE else [BASELINE, model]
    found = compare(
        source,
        target,
        candidates=names,
        ranges={model: dict(ranges)},
        budget=None,
        keep_suspects=None,
        **options,
    )
    if model not in found.results:
        raise ValueError(Note("C030", title=chosen.title, omitted=found.omitted[model]))
    return found


def curve_figures(found: Comparison, model: str) -> dict[str, Any]:
    """The curve, the choice and what it is worth, as plain values."""
    result = found.results[model]
    nested, evaluation = result.nested, result.evaluation
    return {
        "source": found.name,
        "target": found.target,
        **row_roles(found),
        "name": model,
        "title": result.title,
        "plan": repr(found.plan),
        "rule": found.bench.rule,
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
        "scored": result.scored,
        "honest": {
            "error": evaluation.error,
            "error_interval": tuple(evaluation.error_interval),
            "loss": evaluation.mean_loss(),
        },
        "optimism": result.optimism,
        "noise": found.noise or None,
        "notes": (*found.notes, *result.notes),
        "interrupted": found.interrupted,
        "commands": found.commands,
        **files(found),
    }
