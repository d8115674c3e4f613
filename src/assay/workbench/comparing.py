"""A comparison asked for in text: what `assay compare` does between reading its options and printing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from assay.workbench.comparison import Comparison
from assay.workbench.experiment import compare
from assay.workbench.notation import read_plan, read_time
from assay.workbench.run_folder import MODEL, REPORT


def compare_as_asked(
    source: Any,
    target: str,
    *,
    loss: str | None,
    priors: str | None,
    candidates: str | None,
    plan: str,
    budget: str,
    seed: int,
    types: Mapping[str, str],
    drop: Collection[str],
    query: str | None,
    **options: Any,
) -> Comparison:
    """`compare` with plan, budget and candidates as text too."""
    rule, seconds = read_plan(plan, seed), None if budget.strip().lower() == "none" else read_time(budget)
    names = None if candidates is None else [name.strip() for name in candidates.split(",") if name.strip()]
    return compare(
        source,
        target,
        loss=loss,
        priors=priors,
        candidates=names,
        plan=rule,
        budget=seconds,
        random_state=seed,
        types=types,
        drop=drop,
        query=query,
        **options,
    )


def figures(found: Comparison) -> dict[str, Any]:
    """Everything that is printed, as plain values."""
    honest = found.honest
    return {
        "source": found.name,
        "target": found.target,
        "classes": found.classes,
        "rows": found.n_rows,
        "columns": len(found.schema),
        "plan": repr(found.plan),
        "random_state": found.random_state,
        "verdict": found.verdict,
        "best": found.best_name,
        "leaderboard": found.leaderboard,
        "honest": {
            "error": honest.error,
            "error_interval": tuple(honest.error_interval),
            "loss": honest.mean_loss(),
            "loss_interval": tuple(honest.error_interval if found.loss is None else honest.interval("loss")),
        },
        "optimism": found.optimism,
        "omitted": found.omitted,
        "warnings": [each.sentence for each in found.diagnosis.findings if each.warn],
        "notes": found.notes,
        "interrupted": found.interrupted,
        "commands": found.commands,
        **files(found),
    }


def files(found: Comparison) -> dict[str, str | None]:
    """Where report and model lie; None for one that was not written."""
    there = {"folder": found.folder}
    for name, file in (("report", REPORT), ("model", MODEL)):
        path = None if found.folder is None else found.folder / file
        there[name] = path if path is not None and path.exists() else None
    return {name: None if path is None else str(path) for name, path in there.items()}
