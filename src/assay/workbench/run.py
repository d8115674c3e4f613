"""One run over all candidates: what is made of their results, and the files that it ends with."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from assay.models import catalog
from assay.models.catalog import Entry
from assay.workbench.asked import Asked
from assay.workbench.bench import Bench
from assay.workbench.candidate import CandidateResult
from assay.workbench.commands import reproduce
from assay.workbench.comparison import Comparison
from assay.workbench.diagnose import diagnose
from assay.workbench.files import write_text
from assay.workbench.readers import reading_notes
from assay.workbench.run_folder import BOARD, MODEL, REPORT, RunFolder


def make_comparison(
    asked: Asked,
    bench: Bench,
    entries: list[Entry],
    results: list[CandidateResult],
    omitted: dict[str, str],
    out: Any,
    interrupted: bool = False,
) -> Comparison:
    """What is made of the candidates' results: their order, and what the table itself says."""
    problem = bench.problem
    return Comparison(
        name=asked.source,
        bench=bench,
        results=_ranked(results),
        omitted=omitted,
        diagnosis=diagnose(
            problem.features,
            problem.codes,
            problem.n_classes,
            classes=problem.classes.tolist(),
            grouped=problem.groups is not None,
            copies=problem.group_codes if problem.copies else None,
        ),
        notes=(*problem.notes, *reading_notes(entries, problem.features.schema)),
        commands=reproduce(asked, bench, out),
        interrupted=interrupted,
        folder=None if out is None else Path(out),
    )


def _ranked(results: list[CandidateResult]) -> dict[str, CandidateResult]:
    """Best first, by what each scored with its best setting; the simpler one among equals."""
    order = catalog.names()
    ranked = sorted(results, key=lambda result: (result.scored, order.index(result.name)))
    return {result.name: result for result in ranked}


def write_files(found: Comparison, folder: RunFolder) -> None:
    """The files that a finished run ends with."""
    from assay.workbench.model_file import save

    folder.keep_noise(found.noise)
    board = [asdict(standing) for standing in found.leaderboard]
    write_text(folder.path / BOARD, json.dumps(board, indent=2, allow_nan=False) + "\n")
    try:
        told = {role: said for role, said in found.bench.problem.rows_told.items() if said is not None}
        save(found.best, folder.path / MODEL, about={"source": found.name, "target": found.target, **told})
    except ValueError as error:  # a model of another library that cannot be stored
        folder.log(f"the model was not stored: {error}")
        with suppress(FileNotFoundError):
            (folder.path / MODEL).unlink()
    found.report(folder.path / REPORT)
    folder.log("report and model written")
