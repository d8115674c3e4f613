"""The commands that reproduce a comparison."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from assay.catalog import entry
from assay.data.missing_values import read_markers
from assay.decision import LossMatrix
from assay.models.base.own_card import OwnCard
from assay.notes.names import spell_name
from assay.notes.numbers import spell_number
from assay.types import Label
from assay.workbench.experiment.request import ExperimentRequest
from assay.workbench.experiment.requested import DEFAULT
from assay.workbench.experiment.setup import ExperimentSetup
from assay.workbench.syntax.plan import plan_option
from assay.workbench.syntax.ranges import format_range


def reproduce(request: ExperimentRequest, setup: ExperimentSetup, out: object) -> tuple[str, ...]:
    """The shell command and the Python line of a comparison; the line alone where there is no such command.

    Parameters
    ----------
    request : ExperimentRequest
    setup : ExperimentSetup
        The setup made from it.
    out : path or None
    """
    line = _python(request, setup, out)
    plan = plan_option(setup.plan)
    if not request.by_name or plan is None or not _in_words(request):
        return (line,)
    return _shell(request, setup, out, plan), line


def resume_commands(commands: Sequence[str], folder: object, budget: str | None = None) -> tuple[str, str]:
    """The Python line and the shell command that go on with a run in its folder; the line twice without a command.

    >>> resume_commands(["assay compare a.csv", "assay.compare('a.csv')"], "run", "30m")[1]
    'assay compare a.csv --out run --resume --budget 30m'
    """
    words = {"out": str(folder), "resume": True, **({} if budget is None else {"budget": budget})}
    given = [f"{name}={value!r}" for name, value in words.items() if f", {name}=" not in commands[-1]]
    line = f"{commands[-1].removesuffix(')')}, {', '.join(given)})"
    if len(commands) == 1:
        return line, line
    options = [] if " --out " in commands[0] else ["--out", str(folder)]
    options += ["--resume", *([] if budget is None else ["--budget", budget])]
    return line, f"{commands[0]} {shlex.join(options)}"


def _shell(request: ExperimentRequest, setup: ExperimentSetup, out: object, plan: str) -> str:
    source = f"./{request.source}" if request.source.startswith("-") else request.source  # no option
    tuned = _tuned(request)
    words = ["assay", "tune" if tuned else "compare", source, "--target", setup.problem.target]
    if tuned and request.ranges:
        words += ["--model", tuned]
        for name, values in request.ranges[tuned].items():
            words += ["--range", format_range(name, values, entry(tuned))]
    for column, kind in dict(request.types or {}).items():
        words += ["--type", f"{spell_name(column)}={kind}"]
    for column in request.drop:
        words += ["--drop", column]
    if request.missing is not None:
        for marker in read_markers(request.missing) or ("",):
            words += ["--missing", marker]
    for card in _own(request):
        words += ["--candidate", f"{card.name}={card.address}"]
    given = {
        "--query": request.query,
        "--groups": request.groups,
        "--weights": request.weights,
        "--loss": None if setup.loss is None else loss_text(setup.loss),
        "--priors": _priors(setup),
        "--candidates": None if tuned else _catalog_names(request),
        "--plan": plan,
        "--time": request.time,
        "--rule": None if request.rule == "min" else request.rule,
        "--metric": request.metrics.text,
        "--positive": request.metrics.positive,
        "--show": ",".join(request.metrics.names) or None,
        "--seed": str(request.random_state),
        "--out": None if out is None else str(out),
    }
    for option, value in given.items():
        words += [] if value is None else [option, str(value)]
    flags = {
        "--split-repeats": request.split_repeats,
        "--no-fingerprint": not request.fingerprint,
        "--keep-suspects": request.keep_suspects,
        "--noise-check": request.noise,
    }
    return shlex.join([*words, *(flag for flag, wanted in flags.items() if wanted)])


def _tuned(request: ExperimentRequest) -> str | None:
    """The model of `assay tune`; None for a comparison."""
    return next(iter(request.ranges)) if request.ranges and len(request.ranges) == 1 else None


def _own(request: ExperimentRequest) -> list[OwnCard]:
    """The candidates that are the user's own estimators."""
    return [card for card in request.candidates.named if isinstance(card, OwnCard)]


def _in_words(request: ExperimentRequest) -> bool:
    """Whether options of a shell can name the candidates: a function makes each estimator, beside others, untuned."""
    own_cards, names = _own(request), request.candidates.names or ()
    return not own_cards or (
        all(card.address for card in own_cards)
        and len(names) > len(own_cards)
        and not any((request.ranges or {}).values())
    )


def _catalog_names(request: ExperimentRequest) -> str | None:
    """The names of the catalog as --candidates lists them; None where those are tried that are tried unasked."""
    own_names = {card.name for card in _own(request)}
    names = [name for name in request.candidates.names or () if name not in own_names]
    return None if not names or names == [DEFAULT] else ",".join(names)


def _candidates(request: ExperimentRequest) -> list[str]:
    """The argument `candidates` of a Python line; an estimator without an address is a variable of its name."""
    names = request.candidates.names
    if names is None:
        return []
    addresses = {card.name: repr(card.address) if card.address else card.name for card in _own(request)}
    if not addresses:
        return [f"candidates={names!r}"]
    return ["candidates={" + ", ".join(f"{name!r}: {addresses.get(name)}" for name in names) + "}"]


def _option_or_text(setup: ExperimentSetup, request: ExperimentRequest) -> str:
    """A plan that is not drawn: as the command line writes it, if it can."""
    option = plan_option(setup.plan)
    return request.plan if option is None else repr(option)


def _priors(setup: ExperimentSetup) -> str | None:
    if setup.priors is None:
        return None
    return priors_text(setup.problem.classes.tolist(), setup.priors.tolist())


def predict_commands(model: str) -> list[str]:
    """The commands that classify new rows with a model file; with a loss they choose actions."""
    return [shlex.join(["assay", "predict", model, "NEW.csv"])]


def loss_text(loss: LossMatrix) -> str:
    """The matrix as the option --loss reads it: every pair that differs from zero-one loss.

    >>> loss_text(LossMatrix.of([[0, 5], [1, 0]], ["bad", "good"]))
    'bad:good=5'
    """
    pairs = []
    labels = [spell_name(str(label)) for label in loss.classes.tolist()]
    for k, label in enumerate(labels):
        for a, action in enumerate(loss.actions):
            default_candidates = None if loss.class_of_action[a] < 0 else float(loss.class_of_action[a] != k)
            if loss.values[k, a] != default_candidates:
                pairs.append(f"{label}:{spell_name(str(action))}={spell_number(loss.values[k, a])}")
    absent = sorted(set(range(len(labels))) - set(loss.class_of_action.tolist()))
    pairs += [f"*:{labels[k]}=never" for k in absent]
    return ",".join(pairs) if pairs else f"{labels[0]}:{labels[0]}=0"


def priors_text(classes: Sequence[Label], priors: Sequence[float]) -> str:
    """The priors as the option --priors reads them.

    >>> priors_text(["a=b", "c"], [0.25, 0.75])
    '"a=b"=0.25,c=0.75'
    """
    pairs = zip(classes, priors, strict=True)
    return ",".join(f"{spell_name(str(label))}={spell_number(prior)}" for label, prior in pairs)


def _python(request: ExperimentRequest, setup: ExperimentSetup, out: object) -> str:
    costs = {
        "loss": None if setup.loss is None else loss_text(setup.loss),
        "priors": None if setup.priors is None else setup.priors.tolist(),
    }
    given = {
        "ranges": {key: dict(value) for key, value in (request.ranges or {}).items() if value} or None,
        "rule": None if request.rule == "min" else request.rule,
        "metric": None if request.metrics.function else request.metrics.metric,
        "time": request.time,
        "positive": request.metrics.positive,
        "show": request.metrics.names or None,
        "types": dict(request.types) if request.types else None,
        "drop": list(request.drop) or None,
        "query": request.query,
        "missing": None if request.missing is None else list(read_markers(request.missing)),
        "split_repeats": True if request.split_repeats else None,
        "fingerprint": None if request.fingerprint else False,
        "keep_suspects": True if request.keep_suspects else None,
        "noise_check": True if request.noise else None,
        "out": None if out is None else str(out),
    }
    source = "table" if request.in_memory else repr(request.source)
    words = ["X", "y"] if request.labels else [source, f"target={setup.problem.target!r}"]
    words += [f"{name}={value!r}" for name, value in costs.items() if value is not None]
    words += _candidates(request)
    words += [f"{name}={value!r}" for name, value in given.items() if value is not None]
    if request.metrics.function:
        words.append(f"metric={request.metrics.text}")
    if request.keep_suspects is None:
        words.append("keep_suspects=None")
    for role, value in (("groups", request.groups), ("weights", request.weights)):
        if value is not None:
            words.append(f"{role}={value!r}" if isinstance(value, str) else f"{role}={role}")
    plan = f"assay.{request.plan}" if setup.plan.drawn else _option_or_text(setup, request)
    return f"assay.compare({', '.join(words)}, plan={plan}, random_state={request.random_state})"
