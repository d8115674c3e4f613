"""A run on disk: its description, one file for each finished candidate, and a log.

Every file is written whole or not at all, so a killed run resumes with the candidates that were finished. A run of
another description is rejected: its candidates cannot be compared with those of this one.
"""

from __future__ import annotations

import hashlib
import io
import json
import time
import zipfile
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from assay import __version__
from assay.catalog import ModelCard
from assay.data.table import Values
from assay.data.write.atomic import SPARE, check_writable, clear_spares, write_bytes, write_text
from assay.notes import Note
from assay.notes.note import UNCODED
from assay.notes.texts import INFO, WARNING
from assay.selection.criteria import Criteria
from assay.selection.evaluation import Evaluation
from assay.selection.nested import Nested, with_instability
from assay.selection.pair_losses import PairLosses
from assay.selection.scored_pairs import SplitScores
from assay.types import Cells, Json
from assay.workbench.experiment.evaluate_candidate import CandidateResult
from assay.workbench.experiment.learning_curve import CurvePoint
from assay.workbench.experiment.run_lock import LOCK, RunLock
from assay.workbench.experiment.setup import ExperimentSetup
from assay.workbench.experiment.stored_notes import decode_note, encode_note

OWN = "own"  # of the description: digests of the user's own estimators
FORMAT = 2  # of run folders; a folder of a larger one is rejected, one of a smaller one is not resumed
DESCRIPTION, CANDIDATES, LOG = "experiment.json", "candidates", "log.txt"
OMITTED, OMITTED_NOTES = "omitted.json", "omitted-notes.json"  # the sentences, and their codes and values
NOISE, NOISE_NOTE = "noise.txt", "noise.json"
PAIR = "pairs_"  # before the names of arrays of losses without pairs of folds
OLD_PASSED = "On shuffled labels this procedure scores chance: yes"
REPORT, MODEL, BOARD = "report.html", "model.assay", "leaderboard.json"
WITH_SUSPECTS, MODEL_WITH_SUSPECTS = "with-suspects", "model-with-suspects.assay"


@dataclass(frozen=True)
class RunFolder:
    """The folder of one run."""

    path: Path
    lock: RunLock | None = None  # held while this process writes

    @classmethod
    def open(cls, path: str | PathLike[str], description: dict[str, Any], resume: bool) -> RunFolder:
        """Start a run, or resume one of the same description, with the same candidates or further ones."""
        folder = cls(Path(path))
        if folder.path.exists() and not folder.path.is_dir():
            raise NotADirectoryError(Note("C004", path=str(path)))
        known = folder.description() if (folder.path / DESCRIPTION).exists() else None
        if known is None and folder.path.exists() and not _untouched(folder.path):
            raise FileExistsError(Note("C005", path=str(path)))
        if known is not None and not resume:
            raise FileExistsError(Note("C006", path=str(path)))
        if known is not None:
            _check_same(known, description, str(path))
        try:
            (folder.path / CANDIDATES).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OSError(Note("C008", path=str(path), strerror=error.strerror)) from None
        check_writable(folder.path / DESCRIPTION)
        folder = cls(folder.path, RunLock.of(folder.path))
        clear_spares(folder.path, folder.path / CANDIDATES)
        if known is None or len(known[CANDIDATES]) < len(description[CANDIDATES]):
            write_text(folder.path / DESCRIPTION, json.dumps(description, indent=2, allow_nan=False) + "\n")
        return folder

    def close(self) -> None:
        """Let other processes write."""
        if self.lock is not None:
            self.lock.release()

    def description(self) -> dict[str, Any]:
        """What the run is about."""
        try:
            description: dict[str, Any] = json.loads((self.path / DESCRIPTION).read_text(encoding="utf-8"))
        except (FileNotFoundError, NotADirectoryError):
            raise FileNotFoundError(Note("C009", path=str(self.path))) from None
        except ValueError:
            raise ValueError(Note("C010", path=str(self.path / DESCRIPTION))) from None
        form = format_of(description) if isinstance(description, dict) else None
        if not isinstance(form, int) or form < 1:
            raise ValueError(Note("C010", path=str(self.path / DESCRIPTION)))
        if form > FORMAT:  # the same words may mean something else there: nothing of it is read
            version = str(description.get("assay"))
            raise ValueError(
                Note(
                    "C710",
                    path=str(self.path),
                    format=form,
                    version=version,
                    known=FORMAT,
                    installed=__version__,
                )
            )
        return description

    def log(self, text: str) -> None:
        """Add a line to the log."""
        with open(self.path / LOG, "a", encoding="utf-8") as file:
            file.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')}  {text}\n")

    def keep_omitted(self, reasons: dict[str, str]) -> None:
        """Store why candidates were omitted; reasons of an earlier part of the run are replaced."""
        notes = {name: encode_note(reason) for name, reason in reasons.items()}
        for file, values in ((OMITTED, reasons), (OMITTED_NOTES, notes)):
            if values:
                write_text(self.path / file, json.dumps(values, indent=2) + "\n")
            else:
                (self.path / file).unlink(missing_ok=True)

    def omitted(self) -> dict[str, Note]:
        """Why candidates were omitted, as far as the run has stored it."""
        reasons, notes = self._read_names(OMITTED), self._read_names(OMITTED_NOTES)
        return {name: decode_note(notes.get(name), str(reason)) for name, reason in reasons.items()}

    def _read_names(self, file: str) -> dict[str, Json]:
        """A JSON object of the folder; empty if it is of an older version or damaged: no result depends on it."""
        try:
            values = json.loads((self.path / file).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return values if isinstance(values, dict) else {}

    def keep_noise(self, note: str) -> None:
        """Store the result on shuffled labels, if there is one: its sentence, and its code and values."""
        if isinstance(note, Note):
            record = {"code": note.code, "values": note.values}
            write_text(self.path / NOISE_NOTE, json.dumps(record, indent=2) + "\n")
        if note:
            write_text(self.path / NOISE, note + "\n")

    def noise(self) -> str:
        """The result on shuffled labels; empty where there is none, a plain sentence in runs of older versions."""
        try:
            record = json.loads((self.path / NOISE_NOTE).read_text(encoding="utf-8"))
            return Note(record["code"], values=record["values"])
        except (OSError, ValueError, KeyError, TypeError):
            pass
        try:
            sentence = (self.path / NOISE).read_text(encoding="utf-8").strip()
        except (OSError, ValueError):
            return ""
        # Versions before notes had codes stored a sentence alone, which began so if the check had passed.
        level = INFO if sentence.startswith(OLD_PASSED) else WARNING
        return Note(UNCODED, level=level, sentence=sentence) if sentence else ""

    def store(self, result: CandidateResult) -> None:
        """Store a finished candidate."""
        write_bytes(self._file(result.name), pack(result))

    def load(self, entry: ModelCard, setup: ExperimentSetup) -> CandidateResult | None:
        """A finished candidate, or None if there is none that can be read."""
        path = self._file(entry.name)
        if not path.exists():
            return None
        try:
            return unpack(path.read_bytes(), setup, entry)
        except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile):
            self.log(f"{entry.name}: the stored result is damaged and is computed again")
            return None

    def has(self, name: str) -> bool:
        """Whether a finished candidate is stored, which may be damaged."""
        return self._file(name).exists()

    def _file(self, name: str) -> Path:
        return self.path / CANDIDATES / f"{name}.npz"


def _untouched(path: Path) -> bool:
    """Whether a folder is empty, or contains only the traces of a run killed before its description was written."""
    traces = (path / CANDIDATES, path / LOCK)
    return all(entry in traces or entry.match(SPARE.format("*")) for entry in path.rglob("*"))


def pack(result: CandidateResult) -> bytes:
    """A candidate's result as a file of arrays and one line of JSON."""
    evaluation = result.evaluation
    tested = evaluation.tested
    about = {
        "name": result.name,
        "settings": result.entry.plain_settings(),
        "final": result.nested.final,
        "seconds": result.nested.seconds,
        "fit_seconds": result.fit_seconds,
        "predict_seconds": result.predict_seconds,
        "curve": [list(point) for point in result.curve],
        "notes": list(result.notes),
        "note_codes": [encode_note(note) for note in result.notes],
        "criteria": list(result.criteria) if isinstance(result.criteria, Criteria) else result.criteria,
        "criteria_code": encode_note(result.criteria) if isinstance(result.criteria, str) else None,
        "probabilistic": evaluation.probabilistic,
        "n_splits": evaluation.n_splits,
        "sample_rows": result.sample_rows,
        "strategy": evaluation.strategy,
    }
    arrays: dict[str, Cells] = {
        "inner": result.inner,
        "chosen": result.chosen,
        "losses": result.cv_loss,
        "errors": result.cv_error,
        "standard_errors": result.nested.standard_errors,
        "split": tested.split,
        "scores": tested.scores,
        "predicted": tested.predicted,
        "priors": tested.priors,
        "about": np.frombuffer(json.dumps(about).encode("utf-8"), dtype=np.uint8),
    }
    if tested.rows is not None:
        arrays["rows"] = tested.rows
    pairs = result.nested.pairs
    if pairs is not None:
        arrays |= {PAIR + name: values for name, values in pairs.arrays().items()}
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def unpack(data: bytes, setup: ExperimentSetup, entry: ModelCard) -> CandidateResult:
    """The result of a candidate that `pack` wrote, for the same setup."""
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    about = json.loads(arrays["about"].tobytes().decode("utf-8"))
    codes = about.get("note_codes", [None] * len(about["notes"]))
    notes = tuple(decode_note(*pair) for pair in zip(codes, about["notes"], strict=True))
    nested = Nested(
        evaluation=_evaluation(about, arrays, setup, notes),
        inner=arrays["inner"],
        chosen=arrays["chosen"],
        losses=arrays["losses"],
        errors=arrays["errors"],
        final=about["final"],
        seconds=about["seconds"],
        standard_errors=arrays.get("standard_errors", np.zeros(0)),
        pairs=_pairs(arrays),
    )
    nested = replace(nested, evaluation=with_instability(nested.evaluation, [nested.pairs]))
    curve = tuple(CurvePoint(*point) for point in about["curve"])
    return CandidateResult(
        entry,
        entry.stored_settings(about["settings"]),
        nested,
        about["fit_seconds"],
        about["predict_seconds"],
        curve,
        notes,
        _criteria(about.get("criteria"), about.get("criteria_code")),
        sample_rows=about.get("sample_rows"),
    )


def _pairs(arrays: dict[str, Any]) -> PairLosses | None:
    """The losses without pairs of folds; None where there are none, or in a run of an older version."""
    stored = {name.removeprefix(PAIR): values for name, values in arrays.items() if name.startswith(PAIR)}
    return PairLosses.of_arrays(stored) if stored else None


def _evaluation(
    about: dict[str, Any], arrays: dict[str, Any], setup: ExperimentSetup, notes: tuple[Note, ...]
) -> Evaluation:
    tested = SplitScores(
        rows=arrays.get("rows"),
        split=arrays["split"],
        scores=arrays["scores"],
        predicted=arrays["predicted"],
        priors=arrays["priors"],
        notes=notes,
    )
    return Evaluation(
        name=about["name"],
        classes=setup.problem.classes,
        codes=setup.problem.codes,
        weight=setup.problem.weight,
        tested=tested,
        probabilistic=about["probabilistic"],
        n_splits=about["n_splits"],
        strategy=about["strategy"],
        seconds=about["seconds"],
        plan=setup.plan,
        loss=setup.loss,
        priors=setup.priors,
        notes=notes,
        groups=setup.problem.group_codes,
        metric=setup.metrics.metric,
    )


def _criteria(stored: list[Any] | str | None, code: Json) -> Criteria | Note | None:
    """AIC and BIC as stored, or the reason why there are none."""
    if isinstance(stored, list):
        return Criteria(*stored)
    return None if stored is None else decode_note(code, stored)


def fingerprint(setup: ExperimentSetup) -> str:
    """A hash of the table, the labels, groups, weights and folds: what must not change between the parts of a run."""
    digest = hashlib.sha256()
    problem = setup.problem
    digest.update(json.dumps(problem.features.schema.to_json(), default=str).encode("utf-8"))
    digest.update(repr(problem.classes.tolist()).encode("utf-8"))
    digest.update(np.ascontiguousarray(problem.codes).tobytes())
    for name in problem.features.schema.names:
        digest.update(_bytes(problem.features[name]))
    for role in (problem.group_codes, problem.weight):
        if role is not None:
            digest.update(np.ascontiguousarray(role).tobytes())
    for partition in setup.partitions:
        digest.update(partition.fold.tobytes())
    return digest.hexdigest()


def _bytes(column: Values) -> bytes:
    if isinstance(column, np.ndarray):
        return np.ascontiguousarray(column).tobytes()
    return "\0".join("" if value is None else value for value in column.to_pylist()).encode("utf-8")


def _check_same(known: dict[str, Any], wanted: dict[str, Any], path: str) -> None:
    """Nothing in the description of a run has changed; candidates may have been added."""
    if "inner_folds" not in known:  # of versions whose candidates did not share them
        raise ValueError(Note("C003", path=path, version=known.get("assay")))
    if (
        format_of(known) < FORMAT
    ):  # of versions whose candidates did not keep their losses without pairs of folds
        raise ValueError(Note("C066", path=path, version=known.get("assay")))
    for key, value in wanted.items():
        if key in ("assay", "source", "format"):
            continue
        if known.get(key) != json.loads(json.dumps(value)) and not _added(key, known, wanted, path):
            if key == "data":
                raise ValueError(Note("C196", path=path))
            before = known.get(key)
            if key == CANDIDATES and before is not None and list(before) != list(value):
                before, value = list(before), list(value)  # their names tell more than all their settings
            raise ValueError(Note("C007", path=path, key=key, before=before, now=value))


def format_of(description: dict[str, Any]) -> Any:
    """The format of a run; the first versions did not write it down."""
    return description.get("format", 1)


def _added(key: str, known: dict[str, Any], wanted: dict[str, Any], path: str) -> bool:
    """Whether all that is new are further candidates."""
    if key == OWN:  # those of the run are the same by value
        of_run = {name: digest for name, digest in wanted[OWN].items() if name in known[CANDIDATES]}
        check_own(known.get(OWN, {}), of_run, path)
        return True
    if key != CANDIDATES:
        return False
    now = json.loads(json.dumps(wanted[CANDIDATES]))
    return all(name in now and now[name] == settings for name, settings in known[CANDIDATES].items())


def check_own(known: dict[str, str], digests: dict[str, str], path: str) -> None:
    """The user's own estimators are those of the run, by value."""
    for name, digest in digests.items():
        if known.get(name) != digest:
            raise ValueError(Note("C408", path=path, name=name))
