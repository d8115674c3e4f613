"""A run folder opened as the comparison that it stores."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from assay import catalog, plans
from assay.catalog import ModelCard
from assay.commands.compare.comparison import Comparison
from assay.commands.compare.run import make_comparison
from assay.commands.compare.suspects import find_suspects, without_columns
from assay.data.sources.database_address import source_name
from assay.decision.instability import UNSEEN
from assay.decision.metric_names import MetricLike
from assay.notes import Note, note_of
from assay.numerics.value_key import value_key
from assay.plans import Plan
from assay.sharing.splits import FoldPairs, deeper_of
from assay.workbench.experiment.request import (
    ARRAY,
    ExperimentRequest,
    in_memory,
    labels_beside,
    own_estimators,
)
from assay.workbench.experiment.requested import Candidate, RequestedCandidates, own_card
from assay.workbench.experiment.run_folder import (
    CANDIDATES,
    OWN,
    WITH_SUSPECTS,
    RunFolder,
    check_own,
    fingerprint,
)
from assay.workbench.experiment.setup import make_setup
from assay.workbench.problem import Problem, read_problem
from assay.workbench.row_order import with_split, with_time
from assay.workbench.syntax.metric import MetricRequest

UNSAID = {  # what earlier versions did, whose runs do not say it
    "rule": "min", "split_repeats": True, "keep_suspects": None, "suspects": (), "fingerprint": True,
    "missing": None, "groups": None, "weights": None, "time": None,
}  # fmt: skip


def reopen(
    folder: str | PathLike[str],
    source: object = None,
    *,
    groups: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    candidates: Mapping[str, Candidate | None] | None = None,
    metric: MetricLike | None = None,
) -> Comparison:
    """The comparison of a run folder, from its stored candidates; nothing is computed again.

    Parameters
    ----------
    folder : path
    source : anything that `read` reads, optional
        The table, if it has moved since the run; a run folder stores neither rows nor passwords. It is read again and
        must not have changed. Rows and labels that were given separately are the pair ``(X, y)``.
    groups, weights : array, optional
        The same arrays as in the run, if these were arrays; columns are known by name.
    candidates : dict, optional
        The same estimators as in the run, where they are your own: a run folder does not store them. Without them
        there are their scores, but no fit of them.
    metric : function or FunctionMetric, optional
        The same function as in the run, where one of your own chose.
    """
    run = RunFolder(Path(folder))
    known = {**UNSAID, **run.description()}
    finished = [name for name in known["candidates"] if (run.path / "candidates" / f"{name}.npz").exists()]
    if not finished:
        raise ValueError(Note("C024", folder=str(folder)))
    roles = {role: _role(known, role, given) for role, given in (("groups", groups), ("weights", weights))}
    problem = _read_problem(known, str(folder), source, roles)
    plan = _plan_of(known["plan"])
    problem, plan = with_split(with_time(problem, plan, known["time"]), plan)
    suspects, metrics = find_suspects(problem, known["keep_suspects"]), _metrics(known, str(folder), metric)
    setup = make_setup(
        without_columns(problem, suspects.columns), plan, known["loss"], known["priors"],
        known["random_state"], None, known["rule"], known["split_repeats"],
        tuple(known["suspects"]) if known["keep_suspects"] else (), metrics,
    )  # fmt: skip
    setup = replace(setup, fingerprint=known["fingerprint"])
    if fingerprint(setup) != known["data"]:
        raise ValueError(Note("C025", name=_name(known, source), folder=str(folder)))
    entries = _entries(known, str(folder), candidates or {})
    results = [
        stored
        for entry in entries
        if entry.name in finished and (stored := run.load(entry, setup)) is not None
    ]
    request = replace(_request(known, source, entries, roles, bool(run.noise())), metrics=metrics)
    reasons = run.omitted()
    omitted: dict[str, str] = {
        e.name: reasons.get(e.name, Note("C154")) for e in entries if e.name not in finished
    }
    result = make_comparison(request, setup, list(entries), results, omitted, folder, suspects=suspects)
    other = run.path / WITH_SUSPECTS
    if suspects.columns and any((other / CANDIDATES).glob("*.npz")):
        again = reopen(other, source, groups=groups, weights=weights, candidates=candidates, metric=metric)
        result = replace(result, with_suspects=again)
    return replace(result, noise=run.noise(), notes=(*result.notes, *_of_intervals(known, result)))


def _of_intervals(known: dict[str, Any], result: Comparison) -> tuple[Note, ...]:
    """A note where the run was made before candidates kept what its intervals would count."""
    pairs = FoldPairs.of(deeper_of(result.bench.splits)) is not None
    if not pairs or all(candidate.nested.pairs is not None for candidate in result.results.values()):
        return ()
    return (Note("C194", version=str(known.get("assay")), factor=UNSEEN),)


def _name(known: dict[str, Any], source: object) -> str:
    return str(known["source"]) if source is None else source_name(source)


def _request(
    known: dict[str, Any],
    source: object,
    entries: tuple[ModelCard, ...],
    roles: dict[str, ArrayLike | None],
    noise: bool,
) -> ExperimentRequest:
    """What was asked for in a run."""
    asked = RequestedCandidates(entries, (), list(known["candidates"]))
    return ExperimentRequest(
        _name(known, source), known["target"], known["loss"], known["priors"], asked, known["plan"],
        known["random_state"], known["types"], known["drop"], known["query"], source is not None and in_memory(source),
        known["rule"], _own_ranges(known["candidates"]), noise, roles["groups"], roles["weights"], known["missing"],
        labels_beside(source), known["split_repeats"], known["fingerprint"], known["keep_suspects"],
        tuple(known["suspects"]), time=known["time"],
    )  # fmt: skip


def _entries(
    known: dict[str, Any], folder: str, given: Mapping[str, Candidate | None]
) -> tuple[ModelCard, ...]:
    """The cards of a run; those of the user's own estimators as far as these are given again."""
    own_cards = known.get(OWN, {})
    for name in given:
        if name not in own_cards:
            raise ValueError(Note("C414", name=name, path=folder))
    entries = [
        catalog.entry(name) if name in catalog.names() else own_card(name, given.get(name), position)
        for position, name in enumerate(known["candidates"])
    ]
    check_own(own_cards, own_estimators(entry for entry in entries if entry.name in given), folder)
    return tuple(entries)


def _own_ranges(candidates: dict[str, list[dict[str, object]]]) -> dict[str, dict[str, list[object]]] | None:
    """Ranges of a stored run that are not the catalog's."""
    ranges: dict[str, dict[str, list[object]]] = {}
    for name, settings in candidates.items():
        if name in catalog.names() and settings != json.loads(json.dumps(catalog.entry(name).settings())):
            ranges[name] = {
                key: list({value_key(s[key]): s[key] for s in settings}.values()) for key in settings[0]
            }
    return ranges or None


def _metrics(known: dict[str, Any], folder: str, given: MetricLike | None) -> MetricRequest:
    """The metric of a run: by name, or the function that is given again."""
    stored = known.get("metric")
    if isinstance(stored, dict):
        if given is None:
            raise ValueError(Note("C203", folder=folder, name=stored["function"]))
        stored = given
    return MetricRequest(stored, known.get("positive"))


def _role(known: dict[str, Any], role: str, given: ArrayLike | None) -> ArrayLike | None:
    """The groups or weights of a run: a column by name, or the array that is given again."""
    stored: ArrayLike | None = known[role]
    if stored != ARRAY:
        return stored
    if given is None:
        raise ValueError(Note("C026", role=role))
    return given


def _read_problem(known: dict[str, Any], folder: str, source: object, roles: dict[str, Any]) -> Problem:
    """The problem of a run, read again."""
    stored = known["source"]
    if source is None and not (Path(stored).exists() or "://" in stored):
        raise FileNotFoundError(Note("C027", folder=folder, source=stored))
    options = {"types": known["types"], "drop": known["drop"], "query": known["query"], **roles}
    options["missing"] = known["missing"]
    try:
        return read_problem(stored if source is None else source, known["target"], **options)
    except ConnectionError as error:
        if source is not None:
            raise
        # The reason may be that the run folder stores no password.
        raise ConnectionError(Note("C029", reason=note_of(error) or str(error))) from None


def _plan_of(text: str) -> Plan:
    """The plan that `repr` wrote: a name and numbers; anything else is rejected."""
    call = ast.parse(text, mode="eval").body
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
        raise ValueError(Note("C028", scheme=text))
    values = {word.arg: ast.literal_eval(word.value) for word in call.keywords if word.arg}
    plan: Plan = getattr(plans, call.func.id)(**values)
    return plan
