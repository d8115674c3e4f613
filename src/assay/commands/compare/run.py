"""One run over all candidates: from their results to a comparison and its files."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from os import PathLike
from pathlib import Path

from assay.catalog import ModelCard, registration_notes
from assay.commands.compare.comparison import Comparison
from assay.commands.compare.suspects import NO_SUSPECTS, Suspects
from assay.data.write.atomic import write_text
from assay.engines.progress import ShareProgress
from assay.notes import Note
from assay.notes.voices import Voice
from assay.workbench.diagnosis.diagnose import diagnosis_of
from assay.workbench.experiment.candidates import column_notes
from assay.workbench.experiment.evaluate_candidate import CandidateResult
from assay.workbench.experiment.procedure import ranked
from assay.workbench.experiment.reproduce import reproduce
from assay.workbench.experiment.request import ExperimentRequest
from assay.workbench.experiment.run_folder import BOARD, MODEL, REPORT, RunFolder
from assay.workbench.experiment.schedule import Finished, Schedule
from assay.workbench.experiment.setup import ExperimentSetup


@dataclass(frozen=True, eq=False)
class Run:
    """The candidates, the setup and the folder of one run."""

    request: ExperimentRequest
    setup: ExperimentSetup
    entries: list[ModelCard]
    suspects: Suspects
    folder: RunFolder | None
    kept: bool = False  # in the cache: the folder has no name that a user gave

    @classmethod
    def begin(
        cls,
        request: ExperimentRequest,
        setup: ExperimentSetup,
        suspects: Suspects,
        out: str | PathLike[str] | None,
        resume: bool,
        kept: bool = False,
    ) -> Run:
        """A run of the named candidates, or of those that apply to the table; its folder is created or resumed."""
        entries = request.candidates.for_table(setup.problem.features)
        setup.read_texts(entries)
        folder = None if out is None else RunFolder.open(out, request.description(setup, entries), resume)
        return cls(request, setup, entries, suspects, folder, kept)

    def close(self) -> None:
        """Let other processes write to the folder."""
        if self.folder is not None:
            self.folder.close()

    def compare(
        self,
        progress: ShareProgress,
        seconds: float | None,
        threads: int,
        finished: Finished | None = None,
    ) -> Comparison:
        """Evaluate the candidates."""
        schedule = Schedule(self.setup, self.folder, progress, seconds, threads, finished=finished)
        schedule.run(self.entries)
        folder = None if self.folder is None else self.folder.path
        result = make_comparison(
            self.request, self.setup, self.entries, schedule.results, schedule.omitted,
            None if self.kept else folder, schedule.interrupted, self.suspects, schedule.notes,
        )  # fmt: skip
        return replace(result, folder=folder, kept=self.kept)


def make_comparison(
    request: ExperimentRequest,
    setup: ExperimentSetup,
    entries: list[ModelCard],
    results: list[CandidateResult],
    omitted: dict[str, str],
    out: str | PathLike[str] | None,
    interrupted: bool = False,
    suspects: Suspects = NO_SUSPECTS,
    notes: tuple[Note, ...] = (),
) -> Comparison:
    """The comparison of these results, with the diagnosis of the table."""
    problem = setup.problem
    registered = registration_notes() if request.candidates.usual else ()
    diagnosis = diagnosis_of(
        problem.features,
        problem.codes,
        problem.n_classes,
        classes=problem.classes.tolist(),
        grouped=problem.groups is not None,
        copies=problem.group_codes if problem.copies else None,
        time=request.time,
    )
    return Comparison(
        name=request.source,
        bench=setup,
        results=ranked(results),
        omitted=omitted,
        diagnosis=replace(diagnosis, leaks=(*suspects.findings, *diagnosis.leaks)),
        notes=(
            *problem.notes,
            *suspects.notes,
            *column_notes(entries, problem.features),
            *registered,
            *notes,
        ),
        commands=reproduce(request, setup, out),
        interrupted=interrupted,
        folder=None if out is None else Path(out),
        suspects=suspects.columns,
    )


def write_files(result: Comparison, folder: RunFolder, voice: Voice, model: Path | None = None) -> None:
    """The files of a finished run: leaderboard, model and report; the model is in the folder unless it is named.

    A run in the cache has no report, which takes longer than all else; `assay report` writes it.
    """
    path = folder.path / MODEL if model is None else model
    folder.keep_noise(result.noise)
    board = [asdict(row) for row in result.leaderboard]
    write_text(folder.path / BOARD, json.dumps(board, indent=2, allow_nan=False, default=repr) + "\n")
    if result.results[result.best_name].entry.storable:
        _write_model(result, folder, path)
    if not result.kept:
        result.report(folder.path / REPORT, voice=voice)
    folder.log("files written")


def _write_model(result: Comparison, folder: RunFolder, path: Path) -> None:
    from assay.storage.model_file import save

    try:
        roles = {name: role for name, role in result.bench.problem.row_roles.items() if role is not None}
        rows = result.results[result.best_name].sample_rows
        sample = {} if rows is None else {"sample": {"rows": rows, "of": result.n_rows}}
        about = {"source": result.name, "target": result.target, **roles, **sample}
        save(result.best, path, about=about)
    except ValueError as error:  # a model of another library that cannot be stored
        folder.log(f"the model was not stored: {error}")
        with suppress(FileNotFoundError):
            path.unlink()
