"""What a comparison found, as plain values, and where its files lie."""

from __future__ import annotations

from typing import Any

from assay.workbench.comparison import Comparison
from assay.workbench.run_folder import MODEL, REPORT


def figures(found: Comparison) -> dict[str, Any]:
    """Everything that is printed, as plain values."""
    honest = found.honest
    return {
        "source": found.name,
        "target": found.target,
        "classes": found.classes,
        "rows": found.n_rows,
        "features": len(found.schema),
        **rows_told(found),
        "plan": repr(found.plan),
        "random_state": found.random_state,
        "verdict": found.verdict,
        "best": found.best_name,
        "recommended": found.recommended,
        "leaderboard": found.leaderboard,
        "honest": {
            "error": honest.error,
            "error_interval": tuple(honest.error_interval),
            "loss": honest.mean_loss(),
            "loss_interval": tuple(honest.error_interval if found.loss is None else honest.interval("loss")),
        },
        "optimism": found.optimism,
        "noise": found.noise or None,
        "omitted": found.omitted,
        "warnings": [each.sentence for each in found.diagnosis.findings if each.warn],
        "notes": found.notes,
        "interrupted": found.interrupted,
        "commands": found.commands,
        **files(found),
    }


def rows_told(found: Comparison) -> dict[str, Any]:
    """What is known about groups, weights and repeated rows; None where there are none."""
    repeats = found.bench.problem.repeats
    return {**found.bench.problem.rows_told, "repeats": None if repeats is None else repeats.figures}


def files(found: Comparison) -> dict[str, str | None]:
    """Where report and model lie; None for one that was not written."""
    there = {"folder": found.folder}
    for name, file in (("report", REPORT), ("model", MODEL)):
        path = None if found.folder is None else found.folder / file
        there[name] = path if path is not None and path.exists() else None
    return {name: None if path is None else str(path) for name, path in there.items()}
