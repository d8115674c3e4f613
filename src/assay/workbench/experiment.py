"""An experiment: from a table to a leaderboard, a winner, a report and a model."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from assay.engines.local import thread_count
from assay.models import catalog
from assay.models.catalog import Entry
from assay.models.keywords import explained
from assay.models.value_key import value_key
from assay.numerics.random_state import RandomState, as_seed
from assay.plans import Bootstrap, KFold, LeaveOneOut, Plan, TrainValidationTest, as_plan
from assay.selection.criteria import check_rule
from assay.selection.progress import Meter
from assay.workbench.asked import ARRAY, Asked, in_memory, labels_beside
from assay.workbench.bench import Bench
from assay.workbench.candidate import CandidateResult
from assay.workbench.commands import reproduce
from assay.workbench.comparison import Comparison
from assay.workbench.diagnose import diagnose
from assay.workbench.files import write_text
from assay.workbench.losses import read_loss, read_priors
from assay.workbench.noise import noise_check as check_on_noise
from assay.workbench.notation import read_budget, read_names, read_plan
from assay.workbench.prediction import source_name
from assay.workbench.problem import Problem, pose
from assay.workbench.readers import fitting, reading_notes
from assay.workbench.repeated_rows import with_repeats
from assay.workbench.run_folder import BOARD, MODEL, REPORT, RunFolder, fingerprint
from assay.workbench.runner import Runner, Tell

BUDGET = 600.0  # seconds, unless asked otherwise
PARTS = 1000  # of a progress bar


@explained
def compare(
    source: Any,
    target: Any = None,
    *,
    loss: Any = None,
    priors: Any = None,
    candidates: str | Sequence[str] | None = None,
    plan: Any = None,
    rule: str = "min",
    ranges: Mapping[str, Mapping[str, Sequence[Any]]] | None = None,
    budget: float | str | None = BUDGET,
    random_state: RandomState = 0,
    out: Any = None,
    types: Mapping[str, str] | None = None,
    drop: str | Collection[str] = (),
    query: str | None = None,
    missing: Any = None,
    resume: bool = False,
    noise_check: bool = False,
    groups: Any = None,
    weights: Any = None,
    split_repeats: bool = False,
    n_jobs: int | None = None,
    progress: bool | Tell | None = None,
) -> Comparison:
    """Try every candidate of the catalog on a table and say which to use, and how wrong it will be.

    Each candidate is tuned inside the folds. So is the choice among candidates, and the estimate of the chosen
    one is that of the whole procedure on rows that had no say in it.

    Parameters
    ----------
    source : path, frame, array, database address, ...
        Anything that `read` reads.
    target : str or array, optional
        Column to predict, or one label per row, as in ``compare(X, y)``; without it, the only column called class,
        target, label or y.
    loss : array, nested dict, table or text, optional
        ``loss[true, action]``; what is minimised instead of the error. A text is a file, or pairs such as
        ``"good:bad=5,*:ask=0.2"``.
    priors : array, dict or text, optional
        Class probabilities where decisions will be made; an array in the order of the sorted classes.
    candidates : str or sequence of str, optional
        Names in the catalog; a text may hold several, with commas between them. If not given, all that can read a
        column of the table: models of words read texts, the others read the other columns. A calibrated model is tried
        beside its margins only where a loss or priors need posteriors.
    plan : plan, int, splitter or text such as "kfold:5x3", default KFold(10)
    rule : "min" or "one_se"
        Choice among settings: of least loss, or the simplest within one standard error of it.
    ranges : dict of dict of lists, optional
        Values to tune over in place of the catalog's: ``{"knn": {"n_neighbors": [1, 5, 25]}}``, the simplest first.
    budget : float, str or None
        Seconds, or a text such as "90s", "10m" or "1h30m"; None sets no limit. Candidates that would take longer
        than what is left are omitted by name.
    random_state : int, None, RandomState or Generator
        Seed of the folds and of models that draw.
    out : path, optional
        Folder to keep results, report and model in; one file a candidate, so that a killed run can be resumed.
    types, drop, query, missing
        As for `read`.
    resume : bool
        Go on with the run in `out`.
    noise_check : bool
        Do it all once more on shuffled labels, and say whether that scores chance; takes as long again.
    groups : str or array, optional
        Rows that belong together, as all rows of one patient do: a column, or one value for each row of the source.
        They are in one fold, outer and inner, and intervals and tests count groups. The column is no feature.
    weights : str or array, optional
        What each row counts, in training and in every figure: a column, or one number for each row of the source. A
        row of weight 2 counts as two rows, one of weight 0 is left out. The column is no feature.
    split_repeats : bool
        Divide rows that repeat an earlier row over the folds like all others. By default they follow it into its
        fold and intervals count them once, if the table has a text column, or a numeric column with at least half as
        many different values as there are different rows; groups and splits that are given stay as they are.
    n_jobs : int, optional
        Threads; the results are the same bits for any number.
    progress : bool or callable, optional
        A bar on the terminal by default; a function is told (what is being done, share done).

    Returns
    -------
    Comparison
        After Ctrl-C, what had finished.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> found = compare(load_iris(return_X_y=True), candidates=["baseline", "gaussian_nb", "fisher"])
    >>> found.best_name, round(found.honest_error, 3)
    ('fisher', 0.02)
    """
    names = None if candidates is None else read_names(candidates)
    known = _tuned_over(_entries(names, posteriors=loss is not None or priors is not None), ranges or {})
    seconds, drop = read_budget(budget), (drop,) if isinstance(drop, str) else tuple(drop)
    problem = pose(
        source, target, types=types, drop=drop, query=query, missing=missing, groups=groups, weights=weights
    )
    entries = known if names is not None else fitting(known, problem.features.schema)
    seed = as_seed(random_state)
    bench = _bench(problem, plan, loss, priors, seed, n_jobs, rule, split_repeats)
    asked = Asked(
        source_name(source), target, loss, priors, names, repr(bench.plan), seed, types, drop, query,
        in_memory(source), rule, ranges, noise_check, groups, weights, missing,
        labels_beside(source, target), split_repeats,
    )  # fmt: skip
    bench.read_texts(entries)
    folder = None if out is None else RunFolder.open(out, asked.description(bench, entries), resume)
    with Meter(PARTS, "compare", None if callable(progress) else progress) as meter:
        tell: Tell = (
            progress if callable(progress) else lambda doing, share: meter.move(doing, int(PARTS * share))
        )
        first = 0.5 if noise_check else 1.0  # shuffled labels take as long again
        threads = thread_count(n_jobs)
        runner = Runner(bench, folder, lambda doing, share: tell(doing, first * share), seconds, threads)
        runner.run(entries)
        found = _comparison(asked, bench, entries, runner.results, runner.omitted, out, runner.interrupted)
        if noise_check and not found.interrupted:
            found = _checked(found, lambda doing, share: tell(doing, first + (1.0 - first) * share))
        if folder is not None:
            tell("writing the report and the model", 1.0)
            _finish(found, folder)
    return found


def reopen(folder: Any, source: Any = None, *, groups: Any = None, weights: Any = None) -> Comparison:
    """The comparison that a run folder holds, from its stored candidates; nothing is computed again.

    Parameters
    ----------
    folder : path
    source : anything that `read` reads, optional
        The table, if it is not where the run found it any more; a run keeps neither rows nor passwords. It is read
        again and must not have changed. Rows and labels that were given apart are the pair ``(X, y)``.
    groups, weights : array, optional
        The same as then, if these were arrays; columns are known by name.
    """
    run = RunFolder(Path(folder))
    known = run.description()
    name = known["source"] if source is None else source_name(source)
    finished = [name for name in known["candidates"] if (run.path / "candidates" / f"{name}.npz").exists()]
    if not finished:
        raise ValueError(f"The run in {str(folder)!r} has no finished candidate; resume it with --resume.")
    roles = {role: _role(known, role, given) for role, given in (("groups", groups), ("weights", weights))}
    problem = _posed_again(known, str(folder), source, roles)
    plan = _plan_of(known["plan"])
    rule, split = known.get("rule", "min"), known.get("split_repeats", True)  # runs of before did split them
    bench = _bench(problem, plan, known["loss"], known["priors"], known["random_state"], None, rule, split)
    if fingerprint(bench) != known["data"]:
        raise ValueError(f"{name!r} has changed since the run in {str(folder)!r}; compare it again.")
    results = [result for name in finished if (result := run.load(name, bench)) is not None]
    asked = Asked(
        name, known["target"], known["loss"], known["priors"], list(known["candidates"]), known["plan"],
        known["random_state"], known["types"], known["drop"], known["query"], source is not None and in_memory(source),
        rule, _own_ranges(known["candidates"]), bool(run.noise()), roles["groups"], roles["weights"],
        known.get("missing"),
        labels_beside(source), split,
    )  # fmt: skip
    entries = [catalog.entry(name) for name in known["candidates"]]
    reasons = run.omitted()
    omitted = {
        e.name: reasons.get(e.name, "Not finished in this run.") for e in entries if e.name not in finished
    }
    return replace(_comparison(asked, bench, entries, results, omitted, folder), noise=run.noise())


def _entries(names: Sequence[str] | None, posteriors: bool) -> list[Entry]:
    """The candidates asked for, or those that are tried unasked."""
    if names is None:
        return list(catalog.usual(posteriors))
    if not names:
        raise ValueError("There is no candidate to compare; name at least one, or leave candidates out.")
    return [catalog.entry(name) for name in names]


def _tuned_over(entries: list[Entry], ranges: Mapping[str, Mapping[str, Sequence[Any]]]) -> list[Entry]:
    """The entries with other ranges, each value checked against the bounds of its parameter."""
    for name in ranges:
        if all(entry.name != name for entry in entries):
            raise ValueError(f"There is a range for {name!r}, which is not among the candidates.")
    return [entry.over(ranges[entry.name]) if ranges.get(entry.name) else entry for entry in entries]


def _own_ranges(candidates: dict[str, list[dict[str, Any]]]) -> dict[str, dict[str, list[Any]]] | None:
    """Ranges of a stored run that are not the catalog's."""
    found: dict[str, dict[str, list[Any]]] = {}
    for name, settings in candidates.items():
        if settings != json.loads(json.dumps(catalog.entry(name).settings())):
            found[name] = {
                key: list({value_key(s[key]): s[key] for s in settings}.values()) for key in settings[0]
            }
    return found or None


def _comparison(
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


def _checked(found: Comparison, tell: Tell) -> Comparison:
    """With the noise check; if somebody stops that, what was found before stays."""
    try:
        return replace(found, noise=check_on_noise(found, tell).sentence)
    except KeyboardInterrupt:
        return replace(found, interrupted=True)


def _role(known: dict[str, Any], role: str, given: Any) -> Any:
    """The groups or weights of a run: a column by name, or the array that was given again."""
    said = known.get(role)  # not in runs of before there were any
    if said != ARRAY:
        return said
    if given is None:
        raise ValueError(
            f"The run was made with an array of {role}, and keeps no rows; give it again with {role}=."
        )
    return given


def _posed_again(known: dict[str, Any], folder: str, source: Any, roles: dict[str, Any]) -> Problem:
    """The problem of a run; where its source cannot be reached, how to name another."""
    stored = known["source"]
    if source is None and not (Path(stored).exists() or "://" in stored):
        raise FileNotFoundError(
            f"The run in {folder!r} was made from {stored!r}, which is not there; call this from the folder that the "
            "comparison was started in, or name the table with source= (--source)."
        )
    asked = {"types": known["types"], "drop": known["drop"], "query": known["query"], **roles}
    asked["missing"] = known.get("missing")
    try:
        return pose(stored if source is None else source, known["target"], **asked)
    except ConnectionError as error:
        if source is not None:
            raise
        # The whole reason may be that the run keeps no password.
        raise ConnectionError(
            f"{str(error).rstrip('.')}; a run keeps no passwords, so set PGPASSWORD or give the address with source= "
            "(--source)."
        ) from None


def _bench(
    problem: Problem,
    plan: Any,
    loss: Any,
    priors: Any,
    random_state: int,
    n_jobs: int | None,
    rule: str,
    split_repeats: bool,
) -> Bench:
    if plan is None or isinstance(plan, str):
        chosen: Plan = read_plan("kfold:10" if plan is None else plan, random_state)
    else:
        chosen = as_plan(plan)
    if isinstance(chosen, LeaveOneOut | Bootstrap):
        raise ValueError(
            f"Candidates cannot be tuned inside {type(chosen).__name__}; compare by folds (kfold:10) or a hold-out, "
            "and use evaluate for the chosen one."
        )
    _check_groups(chosen, problem)
    return Bench(
        problem=with_repeats(problem, chosen, split_repeats),
        plan=chosen,
        loss=None if loss is None else read_loss(loss, problem.classes),
        priors=read_priors(priors, problem.classes),
        random_state=random_state,
        n_jobs=n_jobs,
        rule=check_rule(rule),
    )


def _check_groups(plan: Plan, problem: Problem) -> None:
    """There are as many groups as folds, and three parts of whole groups where three are asked for."""
    least = plan.n_splits if isinstance(plan, KFold) else 3 if isinstance(plan, TrainValidationTest) else 2
    if problem.groups is None or problem.groups.count >= least:
        return
    parts = f"{least} folds" if isinstance(plan, KFold) else f"{least} parts"
    count = problem.groups.count
    advice = f", such as kfold:{count}" if isinstance(plan, KFold) and count > 2 else ""
    raise ValueError(
        f"{parts} need at least {least} groups, and {problem.groups.called} has {count}: use fewer{advice}, or other "
        "groups."
    )


def _ranked(results: list[CandidateResult]) -> dict[str, CandidateResult]:
    """Best first, by what each scored with its best setting; the simpler one among equals."""
    order = catalog.names()
    ranked = sorted(results, key=lambda result: (result.scored, order.index(result.name)))
    return {result.name: result for result in ranked}


def _finish(found: Comparison, folder: RunFolder) -> None:
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


def _plan_of(text: str) -> Plan:
    """The plan that `repr` wrote: a name and numbers, nothing else is read."""
    import ast

    from assay import plans

    call = ast.parse(text, mode="eval").body
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)):
        raise ValueError(f"The run's plan {text!r} cannot be read again; compare anew.")
    values = {word.arg: ast.literal_eval(word.value) for word in call.keywords if word.arg}
    plan: Plan = getattr(plans, call.func.id)(**values)
    return plan
