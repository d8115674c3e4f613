"""`compare`: from a table to a leaderboard, a winner, a report and a model."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from os import PathLike

from numpy.typing import ArrayLike

from assay.commands.compare.comparison import Comparison
from assay.commands.compare.run import Run, write_files
from assay.commands.compare.suspects import NO_SUSPECTS, Suspects, find_suspects, without_columns
from assay.data.read import Markers
from assay.data.sources.database_address import source_name
from assay.decision import LossLike
from assay.decision.metric_names import MetricLike
from assay.engines.local import thread_count
from assay.engines.progress import Meter, ShareProgress
from assay.models.base.keywords import explained
from assay.notes import Note, note_of
from assay.notes.phrases import spell_columns
from assay.notes.voices import PAGE, Voice
from assay.numerics.random_state import RandomState, as_seed
from assay.numerics.scalars import names_of
from assay.plans import Plan
from assay.plans.foreign import PlanLike
from assay.types import Label
from assay.workbench.experiment.request import ExperimentRequest, in_memory, labels_beside
from assay.workbench.experiment.requested import Candidates, requested_candidates
from assay.workbench.experiment.run_cache import keep_run, remove_old_runs
from assay.workbench.experiment.run_folder import MODEL_WITH_SUSPECTS, WITH_SUSPECTS
from assay.workbench.experiment.schedule import Finished, NoCandidateError
from assay.workbench.experiment.setup import ExperimentSetup, make_setup
from assay.workbench.experiment.shuffled_labels import check_shuffled_labels
from assay.workbench.problem import Problem, read_problem
from assay.workbench.row_order import with_split, with_time
from assay.workbench.syntax.duration import parse_budget
from assay.workbench.syntax.loss import ClassPriors
from assay.workbench.syntax.metric import MetricRequest
from assay.workbench.syntax.plan import parse_plan

BUDGET = 600.0  # seconds
PARTS = 1000  # of a progress bar


@explained
def compare(
    source: object,
    target: ArrayLike | None = None,
    *,
    loss: LossLike | PathLike[str] = None,
    priors: ClassPriors = None,
    candidates: Candidates = None,
    plan: PlanLike | None = None,
    rule: str = "min",
    metric: MetricLike | None = None,
    positive: Label | None = None,
    time: str | None = None,
    show: str | Sequence[str] = (),
    ranges: Mapping[str, Mapping[str, Sequence[object]]] | None = None,
    budget: float | str | None = BUDGET,
    random_state: RandomState = 0,
    out: str | PathLike[str] | None = None,
    types: Mapping[str, str] | None = None,
    drop: str | Collection[str] = (),
    query: str | None = None,
    missing: Markers = None,
    keep: bool = False,
    resume: bool = False,
    noise_check: bool = False,
    groups: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    split_repeats: bool = False,
    fingerprint: bool = True,
    keep_suspects: bool | None = False,
    n_jobs: int | None = None,
    progress: bool | ShareProgress | None = None,
    finished: Finished | None = None,
    voice: Voice = PAGE,
) -> Comparison:
    """Compare the models of the catalog on a table: which one to use, and its error rate on new data.

    The hyperparameters of each candidate are tuned by nested cross-validation, and so is the choice among candidates:
    the estimate is that of the whole procedure, on rows that took no part in the choice.

    Parameters
    ----------
    source : path, frame, array, database address, ...
        Anything that `read` reads.
    target : str or array, optional
        Column to predict, or one label per row, as in ``compare(X, y)``; without it, the only column called class,
        target, label or y.
    loss : array, nested dict, table or text, optional
        ``loss[true, action]``, minimised instead of the error rate. A text is a file, or pairs such as
        ``"good:bad=5,*:ask=0.2"``.
    priors : array, dict or text, optional
        Class prevalence at deployment; an array in the order of the sorted classes.
    candidates : str, sequence of str or dict, optional
        Names in the catalog; a text may list several, separated by commas. A dict adds estimators of your own:
        ``{"mine": pipeline, "logistic": None}``; "default" stands for the candidates that are tried by default. An
        estimator gets the columns as numbers, one for each category, missing values replaced by the mean; a
        `TableClassifier` gets the table and encodes it by itself. By default, all models that can use a
        column of the table: text models use texts, the others use the other columns. A calibrated model is evaluated
        beside its margin model only where a loss or priors need posteriors.
    plan : plan, int, splitter or text such as "kfold:5x3", default KFold(10)
    time : str, optional
        The column of dates or numbers that brings the rows in order, for a plan of windows in time such as "time:5". It
        is not used as a feature.
    rule : "min" or "one_se"
        Choice of hyperparameters: least CV loss, or the simplest within one standard error of it.
    metric : str, function or FunctionMetric, optional
        What hyperparameters and candidates are chosen by in place of the error rate, as in `tune`; a text may be
        "module:function". Not with `loss`.
    positive : label, optional
        The class that precision, recall, specificity, F1 and average precision are about: of two classes the rarer one
        by default.
    show : str or sequence of str
        Further metrics of the leaderboard, such as "f1,recall,mcc".
    ranges : dict of dict of lists, optional
        Values to tune over instead of the catalog's: ``{"knn": {"n_neighbors": [1, 5, 25]}}``, the simplest first.
    budget : float, str or None
        Seconds, or a text such as "90s", "10m" or "1h30m"; None sets no limit. Candidates that would take longer
        than the time left are omitted, and listed with the reason.
    random_state : int, None, RandomState or Generator
        Seed of the folds and of randomised models.
    out : path, optional
        Folder for results, report and model; one file per candidate, so that a killed run can be resumed.
    keep : bool
        Without `out`, whether the run is kept in the user's cache, as the command does: the newest 20, and 1 GB.
    types, drop, query, missing
        As for `read`.
    resume : bool
        Resume the interrupted run in `out`, or add candidates to a finished one.
    noise_check : bool
        Sanity check: repeat everything on shuffled labels, where the error should be at chance level. It doubles the
        time.
    groups : str or array, optional
        Rows that belong together, such as all rows of one patient: a column, or one value per row of the source.
        They are in one fold, outer and inner, and intervals and tests count groups. The column is not used as a
        feature.
    weights : str or array, optional
        Sample weights, in training and in every metric: a column, or one number per row of the source. Whole numbers
        are frequencies: a weight of 2 counts the row twice; others are importance weights, whose scale does not matter.
        A row of weight 0 is left out. The column is not used as a feature.
    split_repeats : bool
        Assign duplicate rows to folds like all other rows. By default duplicates are in the same fold and intervals
        count them once, if the table has a text column, or a numeric column with at least half as many distinct values
        as there are distinct rows; given groups and splits stay as they are.
    fingerprint : bool
        Whether fitted models store hashes of their training rows, by which ``assay evaluate`` recognises them.
    keep_suspects : bool or None
        Run once, including columns that may leak the target because they look filled in after the outcome was known.
        By default the comparison is run without them, and then with them on the same folds, each with half of the
        budget: `with_suspects` of the result. None runs once with them, and adds no note where there are none.
    n_jobs : int, optional
        Threads; the results are the same bits for any number.
    progress : bool or callable, optional
        A bar on the terminal by default; a function is called with what is being done and the proportion done.
    finished : callable, optional
        Called with the `CandidateResult` of each candidate as soon as there is one, in the order of the work.
    voice : Voice
        The words of the notes in the report of `out`: those of Python, unless a command asks for those of the shell.

    Returns
    -------
    Comparison
        After Ctrl-C, with the candidates that were finished.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> result = compare(load_iris(return_X_y=True), candidates=["baseline", "gaussian_nb", "fisher"])
    >>> result.best_name, round(result.nested_error, 3)
    ('fisher', 0.02)
    """
    metrics = MetricRequest(metric, positive, show)
    posteriors = loss is not None or priors is not None or metrics.needs_posteriors
    known = requested_candidates(candidates, posteriors).over(ranges or {})
    seconds, drop = parse_budget(budget), names_of(drop)
    problem = read_problem(
        source, target, types=types, drop=drop, query=query, missing=missing, groups=groups, weights=weights
    )
    seed = as_seed(random_state)
    problem, scheme = _in_order(problem, plan, time, seed)
    suspects = find_suspects(problem, keep_suspects)
    setup = make_setup(
        without_columns(problem, suspects.columns), scheme, loss, priors, seed, n_jobs, rule, split_repeats,
        metrics=metrics,
    )  # fmt: skip
    setup = replace(setup, fingerprint=fingerprint)
    request = ExperimentRequest(
        source_name(source), target, loss, priors, known, repr(setup.plan), seed, types, drop, query,
        in_memory(source), rule, ranges, noise_check, groups, weights, missing,
        labels_beside(source, target), split_repeats, fingerprint, keep_suspects, suspects.columns, metrics, time,
    )  # fmt: skip
    notes: list[Note] = []
    with (
        _runs(request, setup, suspects, problem, out, keep, resume, notes) as runs,
        _shown(progress) as meter,
    ):
        result = _compare(*runs, noise_check, seconds, meter, finished, voice)
    return replace(result, notes=(*result.notes, *notes))


@contextmanager
def _runs(
    request: ExperimentRequest,
    setup: ExperimentSetup,
    suspects: Suspects,
    problem: Problem,
    out: str | PathLike[str] | None,
    keep: bool,
    resume: bool,
    notes: list[Note],
) -> Iterator[tuple[Run, Run | None]]:
    """The run, and the one with suspects; their folders are closed at the end. Notes say why they are not kept."""
    kept, why_not = keep_run(request.source) if keep and out is None else (None, ())
    notes.extend(why_not)
    with ExitStack() as stack:
        place = out if kept is None else kept
        run = stack.enter_context(
            closing(Run.begin(request, setup, suspects, place, resume, kept is not None))
        )
        again = _run_with_suspects(run, problem, resume) if suspects.columns else None
        if again is not None:
            stack.enter_context(closing(again))
        yield run, again
    if kept is not None:
        remove_old_runs()


def _in_order(
    problem: Problem, plan: PlanLike | None, time: str | None, seed: int
) -> tuple[Problem, PlanLike | None]:
    """The problem without the columns of time and split, and the plan with what they say."""
    scheme = parse_plan(plan, seed) if isinstance(plan, str) else plan
    problem = with_time(problem, scheme, time)
    return with_split(problem, scheme) if isinstance(scheme, Plan) else (problem, scheme)


@contextmanager
def _shown(progress: bool | ShareProgress | None) -> Iterator[ShareProgress]:
    """The caller's own progress function, or one that moves a bar on the terminal."""
    with Meter(PARTS, "compare", None if callable(progress) else progress) as meter:

        def move_meter(doing: str, share: float) -> None:
            meter.move(doing, int(PARTS * share))

        yield progress if callable(progress) else move_meter


def _compare(
    run: Run,
    again: Run | None,
    noise_check: bool,
    seconds: float | None,
    progress: ShareProgress,
    finished: Finished | None,
    voice: Voice,
) -> Comparison:
    """The run, the one with the leakage suspects, the one on shuffled labels, and their files."""
    stages = _stages(progress, 1 + (again is not None) + noise_check)  # shuffled labels take as long again
    if again is not None and seconds is not None:
        seconds /= 2.0
    result = run.compare(next(stages), seconds, thread_count(run.setup.n_jobs), finished)
    if again is not None and not result.interrupted:
        result = _add_suspects(result, again, next(stages), seconds)
    if noise_check and not result.interrupted:
        result = _add_noise_check(result, next(stages))
    if run.folder is not None:
        progress("writing the report and the model", 1.0)
        if again is not None and again.folder is not None and result.with_suspects is not None:
            write_files(result.with_suspects, again.folder, voice, run.folder.path / MODEL_WITH_SUSPECTS)
        write_files(result, run.folder, voice)
    return result


def _stages(progress: ShareProgress, count: int) -> Iterator[ShareProgress]:
    """A progress bar in parts of equal length, each to be used like a whole one."""

    def stage(before: int) -> ShareProgress:
        return lambda doing, share: progress(doing, (before + share) / count)

    return map(stage, range(count))


def _run_with_suspects(run: Run, problem: Problem, resume: bool) -> Run:
    """The second run: the same rows, folds and duplicates, and all columns of the problem."""
    whole = replace(run.setup.problem, table=problem.table, features=problem.features)
    out = None if run.folder is None else run.folder.path / WITH_SUSPECTS
    request = replace(run.request, keep_suspects=True)
    return Run.begin(request, replace(run.setup, problem=whole), NO_SUSPECTS, out, resume, run.kept)


def _add_suspects(result: Comparison, run: Run, progress: ShareProgress, seconds: float | None) -> Comparison:
    """The comparison and the one with the suspects; if the second has no result, the first stays."""
    names = spell_columns(result.suspects)
    try:
        other = run.compare(
            lambda doing, share: progress(f"with {names}: {doing}", share),
            seconds,
            thread_count(run.setup.n_jobs),
        )
    except KeyboardInterrupt:
        return replace(result, interrupted=True)
    except NoCandidateError as error:
        note = Note("C173", columns=result.suspects, reason=note_of(error) or str(error))
        return replace(result, notes=(*result.notes, note))
    return replace(result, with_suspects=other, interrupted=other.interrupted)


def _add_noise_check(result: Comparison, progress: ShareProgress) -> Comparison:
    """The comparison with the check on shuffled labels; if that is interrupted, the comparison stays."""
    try:
        check = check_shuffled_labels(result.bench, result.cards, progress)
    except KeyboardInterrupt:
        return replace(result, interrupted=True)
    return replace(result, noise=check.note)
