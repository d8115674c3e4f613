"""An experiment: from a table to a leaderboard, a winner, a report and a model."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay import catalog
from assay.catalog import Entry
from assay.commands.compare.comparison import Comparison
from assay.commands.compare.run import Run, write_files
from assay.commands.compare.shuffled_labels import noise_check as check_on_noise
from assay.commands.compare.suspects import NO_SUSPECTS, find_suspects, without_columns
from assay.data.sources.database_address import source_name
from assay.engines.local import thread_count
from assay.engines.progress import Meter
from assay.models.base.keywords import explained
from assay.notes import Note
from assay.notes.phrases import spell_columns
from assay.numerics.random_state import RandomState, as_seed
from assay.workbench.experiment.request import ExperimentRequest, in_memory, labels_beside
from assay.workbench.experiment.run_folder import MODEL_WITH_SUSPECTS, WITH_SUSPECTS
from assay.workbench.experiment.schedule import NothingTriedError, Tell
from assay.workbench.experiment.setup import make_setup
from assay.workbench.problem import Problem, pose
from assay.workbench.syntax.settings import read_budget, read_names

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
    fingerprint: bool = True,
    keep_suspects: bool | None = False,
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
        They are in one fold, outer and inner, and intervals and tests count groups. The column is not a feature.
    weights : str or array, optional
        What each row counts, in training and in every figure: a column, or one number for each row of the source.
        Whole numbers count rows: 2 is the row twice; others are importance weights, whose scale does not matter. A row
        of weight 0 is left out. The column is not a feature.
    split_repeats : bool
        Divide rows that repeat an earlier row over the folds like all others. By default they follow it into its
        fold and intervals count them once, if the table has a text column, or a numeric column with at least half as
        many different values as there are different rows; groups and splits that are given stay as they are.
    fingerprint : bool
        Whether fitted models keep hashes of their training rows, by which ``assay evaluate`` knows rows again.
    keep_suspects : bool or None
        Run once, with the columns that look filled in after the outcome was known. By default the comparison is made
        without them, and then with them on the same folds, each with half of the budget: `with_suspects` of the
        result. None runs once with them, and says nothing where there are none.
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
    suspects, seed = find_suspects(problem, keep_suspects), as_seed(random_state)
    bench = make_setup(
        without_columns(problem, suspects.columns), plan, loss, priors, seed, n_jobs, rule, split_repeats
    )
    bench = replace(bench, fingerprint=fingerprint)
    asked = ExperimentRequest(
        source_name(source), target, loss, priors, names, repr(bench.plan), seed, types, drop, query,
        in_memory(source), rule, ranges, noise_check, groups, weights, missing,
        labels_beside(source, target), split_repeats, fingerprint, keep_suspects, suspects.columns,
    )  # fmt: skip
    run = Run.begin(asked, bench, known, suspects, out, resume)
    again = _run_with_suspects(run, problem, known, resume) if suspects.columns else None
    with Meter(PARTS, "compare", None if callable(progress) else progress) as meter:
        tell: Tell = (
            progress if callable(progress) else lambda doing, share: meter.move(doing, int(PARTS * share))
        )
        return _compared(run, again, noise_check, seconds, tell)


def _compared(
    run: Run, again: Run | None, noise_check: bool, seconds: float | None, tell: Tell
) -> Comparison:
    """All runs that were asked for, and their files."""
    stages = _stages(tell, 1 + (again is not None) + noise_check)  # shuffled labels take as long again
    if again is not None and seconds is not None:
        seconds /= 2.0
    found = run.compare(next(stages), seconds, thread_count(run.bench.n_jobs))
    if again is not None and not found.interrupted:
        found = _with_suspects(found, again, next(stages), seconds)
    if noise_check and not found.interrupted:
        found = _checked(found, next(stages))
    if run.folder is not None:
        tell("writing the report and the model", 1.0)
        if again is not None and again.folder is not None and found.with_suspects is not None:
            write_files(found.with_suspects, again.folder, run.folder.path / MODEL_WITH_SUSPECTS)
        write_files(found, run.folder)
    return found


def _stages(tell: Tell, count: int) -> Iterator[Tell]:
    """A progress bar in so many parts of equal length, each to be told like a whole one."""
    for number in range(count):
        yield lambda doing, share, before=number: tell(doing, (before + share) / count)  # type: ignore[misc]


def _run_with_suspects(run: Run, problem: Problem, known: list[Entry], resume: bool) -> Run:
    """The second run: the same rows, folds and copies, and all columns of the problem."""
    whole = replace(run.bench.problem, table=problem.table, features=problem.features)
    out = None if run.folder is None else run.folder.path / WITH_SUSPECTS
    asked = replace(run.asked, keep_suspects=True)
    return Run.begin(asked, replace(run.bench, problem=whole), known, NO_SUSPECTS, out, resume)


def _with_suspects(found: Comparison, run: Run, tell: Tell, seconds: float | None) -> Comparison:
    """The comparison and the one with the suspects; if that has no result, what was found before stays."""
    names = spell_columns(found.suspects)
    try:
        other = run.compare(
            lambda doing, share: tell(f"with {names}: {doing}", share),
            seconds,
            thread_count(run.bench.n_jobs),
        )
    except KeyboardInterrupt:
        return replace(found, interrupted=True)
    except NothingTriedError as error:
        return replace(found, notes=(*found.notes, f"With {names}: {error}"))
    return replace(found, with_suspects=other, interrupted=other.interrupted)


def _entries(names: Sequence[str] | None, posteriors: bool) -> list[Entry]:
    """The candidates asked for, or those that are tried unasked."""
    if names is None:
        return list(catalog.usual(posteriors))
    if not names:
        raise ValueError(Note("C022"))
    return [catalog.entry(name) for name in names]


def _tuned_over(entries: list[Entry], ranges: Mapping[str, Mapping[str, Sequence[Any]]]) -> list[Entry]:
    """The entries with other ranges, each value checked against the bounds of its parameter."""
    for name in ranges:
        if all(entry.name != name for entry in entries):
            raise ValueError(Note("C023", name=name))
    return [entry.over(ranges[entry.name]) if ranges.get(entry.name) else entry for entry in entries]


def _checked(found: Comparison, tell: Tell) -> Comparison:
    """With the noise check; if somebody stops that, what was found before stays."""
    try:
        return replace(found, noise=check_on_noise(found, tell).sentence)
    except KeyboardInterrupt:
        return replace(found, interrupted=True)
