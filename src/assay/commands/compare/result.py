"""What a comparison found, as plain values, and where its files lie."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from assay.commands.compare.comparison import Comparison
from assay.workbench.experiment.run_folder import MODEL, MODEL_WITH_SUSPECTS, REPORT


def figures(found: Comparison) -> dict[str, Any]:
    """Everything that is printed, as plain values."""
    honest = found.honest
    return {
        "source": found.name,
        "target": found.target,
        "classes": found.classes,
        "rows": found.n_rows,
        "features": len(found.schema),
        **row_roles(found),
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
        "suspects": found.suspects,
        "warnings": [each.sentence for each in found.diagnosis.findings if each.warn],
        "notes": found.notes,
        "interrupted": found.interrupted,
        "commands": found.commands,
        **files(found),
        "with_suspects": _figures_with_suspects(found),
    }


def _figures_with_suspects(found: Comparison) -> dict[str, Any] | None:
    """The figures of the comparison with the leak suspects."""
    if found.with_suspects is None:
        return None
    return {**figures(found.with_suspects), **files_with_suspects(found)}


def row_roles(found: Comparison) -> dict[str, Any]:
    """What is known about groups, weights and repeated rows; None where there are none."""
    repeats = found.bench.problem.repeats
    return {**found.bench.problem.row_roles, "repeats": None if repeats is None else repeats.figures}


def files(found: Comparison) -> dict[str, str | None]:
    """Where report and model lie; None for one that was not written."""
    return _existing(found.folder, REPORT, MODEL)


def files_with_suspects(found: Comparison) -> dict[str, str | None]:
    """The same of the comparison with the leak suspects; its model is beside that of the other one."""
    other = found.with_suspects
    return _existing(None if other is None else other.folder, REPORT, f"../{MODEL_WITH_SUSPECTS}")


def _existing(folder: Path | None, report: str, model: str) -> dict[str, str | None]:
    there = {"folder": folder}
    for name, file in (("report", report), ("model", model)):
        path = None if folder is None else Path(os.path.normpath(folder / file))
        there[name] = path if path is not None and path.exists() else None
    return {name: None if path is None else str(path) for name, path in there.items()}
