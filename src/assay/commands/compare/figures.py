"""A comparison as plain values, for JSON, and the paths of its files."""

from __future__ import annotations

import os
from pathlib import Path

from assay.commands.compare.comparison import Comparison
from assay.commands.compare.result import ComparisonResult
from assay.workbench.experiment.run_folder import MODEL, MODEL_WITH_SUSPECTS, REPORT


def figures(result: Comparison) -> dict[str, object]:
    """Everything that `assay compare` prints, as plain values."""
    nested, by_error = result.nested, result.loss is None and result.metric is None
    return {
        "source": result.name,
        "target": result.target,
        "classes": result.classes,
        "rows": result.n_rows,
        "features": len(result.schema),
        **row_figures(result),
        "plan": repr(result.plan),
        "random_state": result.random_state,
        "verdict": result.verdict,
        "best": result.best_name,
        "recommended": result.recommended,
        "metric": None if result.metric is None else result.metric.name,
        "positive": None
        if (code := result.bench.metrics.positive) is None
        else result.classes.tolist()[code],
        "leaderboard": result.leaderboard,
        "honest": {
            "error": nested.error,
            "error_interval": tuple(nested.error_interval),
            "loss": nested.mean_loss(),
            "loss_interval": tuple(nested.interval("error" if by_error else "loss")),
        },
        "optimism": result.optimism,
        "noise": result.noise or None,
        "omitted": result.omitted,
        "suspects": result.suspects,
        "warnings": [finding.sentence for finding in result.diagnosis.findings if finding.warn],
        "notes": (*result.notes, *(() if result.sampled is None else (result.sampled,))),
        "interrupted": result.interrupted,
        "commands": result.commands,
        **files(result),
        "with_suspects": _figures_with_suspects(result),
    }


def _figures_with_suspects(result: Comparison) -> dict[str, object] | None:
    """The values of the comparison with the leakage suspects."""
    if result.with_suspects is None:
        return None
    return {**figures(result.with_suspects), **files_with_suspects(result)}


def row_figures(result: ComparisonResult) -> dict[str, object]:
    """Groups, weights and duplicate rows; None where there are none."""
    repeats = result.bench.problem.repeats
    return {**result.bench.problem.row_roles, "repeats": None if repeats is None else repeats.figures}


def files(result: ComparisonResult) -> dict[str, str | None]:
    """The paths of report and model; None for one that was not written."""
    return _existing(result.folder, REPORT, MODEL)


def files_with_suspects(result: ComparisonResult) -> dict[str, str | None]:
    """The same of the comparison with the leakage suspects; its model is beside that of the first one."""
    other = result.with_suspects
    return _existing(None if other is None else other.folder, REPORT, f"../{MODEL_WITH_SUSPECTS}")


def _existing(folder: Path | None, report: str, model: str) -> dict[str, str | None]:
    paths = {"folder": folder}
    for name, file in (("report", report), ("model", model)):
        path = None if folder is None else Path(os.path.normpath(folder / file))
        paths[name] = path if path is not None and path.exists() else None
    return {name: None if path is None else str(path) for name, path in paths.items()}
