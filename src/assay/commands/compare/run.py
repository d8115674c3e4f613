"""One run over all candidates: what is made of their results, and the files that it ends with."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from assay import catalog
from assay.catalog import Entry
from assay.commands.compare.comparison import Comparison
from assay.commands.compare.suspects import NO_SUSPECTS, Suspects
from assay.data.write.atomic import write_text
from assay.workbench.diagnosis.diagnose import diagnose
from assay.workbench.experiment.candidates import applicable_candidates, reading_notes
from assay.workbench.experiment.evaluate_candidate import CandidateResult
from assay.workbench.experiment.reproduce import reproduce
from assay.workbench.experiment.request import ExperimentRequest
from assay.workbench.experiment.run_folder import BOARD, MODEL, REPORT, RunFolder
from assay.workbench.experiment.schedule import Runner, Tell
from assay.workbench.experiment.setup import ExperimentSetup


@dataclass(frozen=True, eq=False)
class Run:
    """The candidates, and the bench and folder of one run over them."""

    asked: ExperimentRequest
    bench: ExperimentSetup
    entries: list[Entry]
    suspects: Suspects
    folder: RunFolder | None

    @classmethod
    def begin(
        cls,
        asked: ExperimentRequest,
        bench: ExperimentSetup,
        known: list[Entry],
        suspects: Suspects,
        out: Any,
        resume: bool,
    ) -> Run:
        """A run of the named candidates, or of those that fit the table; its folder is made or resumed."""
        entries = (
            known
            if asked.candidates is not None
            else applicable_candidates(known, bench.problem.features.schema)
        )
        bench.read_texts(entries)
        folder = None if out is None else RunFolder.open(out, asked.description(bench, entries), resume)
        return cls(asked, bench, entries, suspects, folder)

    def compare(self, tell: Tell, seconds: float | None, threads: int) -> Comparison:
        """Try the candidates."""
        runner = Runner(self.bench, self.folder, tell, seconds, threads)
        runner.run(self.entries)
        out = None if self.folder is None else self.folder.path
        return make_comparison(
            self.asked, self.bench, self.entries, runner.results, runner.omitted, out, runner.interrupted,
            self.suspects,
        )  # fmt: skip


def make_comparison(
    asked: ExperimentRequest,
    bench: ExperimentSetup,
    entries: list[Entry],
    results: list[CandidateResult],
    omitted: dict[str, str],
    out: Any,
    interrupted: bool = False,
    suspects: Suspects = NO_SUSPECTS,
) -> Comparison:
    """What is made of the candidates' results: their order, and what the table itself says."""
    problem = bench.problem
    diagnosis = diagnose(
        problem.features,
        problem.codes,
        problem.n_classes,
        classes=problem.classes.tolist(),
        grouped=problem.groups is not None,
        copies=problem.group_codes if problem.copies else None,
    )
    return Comparison(
        name=asked.source,
        bench=bench,
        results=_ranked(results),
        omitted=omitted,
        diagnosis=replace(diagnosis, leaks=(*suspects.findings, *diagnosis.leaks)),
        notes=(*problem.notes, *suspects.notes, *reading_notes(entries, problem.features.schema)),
        commands=reproduce(asked, bench, out),
        interrupted=interrupted,
        folder=None if out is None else Path(out),
        suspects=suspects.columns,
    )


def _ranked(results: list[CandidateResult]) -> dict[str, CandidateResult]:
    """Best first, by what each scored with its best setting; the simpler one among equals."""
    order = catalog.names()
    ranked = sorted(results, key=lambda result: (result.scored, order.index(result.name)))
    return {result.name: result for result in ranked}


def write_files(found: Comparison, folder: RunFolder, model: Path | None = None) -> None:
    """The files that a finished run ends with; the model's is in the folder unless it is named."""
    from assay.storage.model_file import save

    path = folder.path / MODEL if model is None else model
    folder.keep_noise(found.noise)
    board = [asdict(standing) for standing in found.leaderboard]
    write_text(folder.path / BOARD, json.dumps(board, indent=2, allow_nan=False) + "\n")
    try:
        told = {role: said for role, said in found.bench.problem.rows_told.items() if said is not None}
        save(found.best, path, about={"source": found.name, "target": found.target, **told})
    except ValueError as error:  # a model of another library that cannot be stored
        folder.log(f"the model was not stored: {error}")
        with suppress(FileNotFoundError):
            path.unlink()
    found.report(folder.path / REPORT)
    folder.log("report and model written")
