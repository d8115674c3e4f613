"""The commands that do a comparison again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from assay.catalog import entry
from assay.data.missing_values import read_markers
from assay.decision import LossMatrix
from assay.notes.names import spell_name
from assay.notes.numbers import spell_number
from assay.workbench.experiment.setup import Bench
from assay.workbench.syntax.plan import plan_option
from assay.workbench.syntax.ranges import format_range


def reproduce(asked: Any, bench: Bench, out: Any) -> tuple[str, ...]:
    """The shell command and the Python line of a comparison; the line alone where no command can say the same.

    Parameters
    ----------
    asked : Asked
        What the caller gave.
    bench : Bench
        What was made of it.
    out : path or None
    """
    line = _python(asked, bench, out)
    plan = plan_option(bench.plan)
    if not asked.by_name or plan is None:
        return (line,)
    return _shell(asked, bench, out, plan), line


def _shell(asked: Any, bench: Bench, out: Any, plan: str) -> str:
    source = f"./{asked.source}" if asked.source.startswith("-") else asked.source  # no option
    tuned = _tuned(asked)
    words = ["assay", "tune" if tuned else "compare", source, "--target", bench.problem.target]
    if tuned:
        words += ["--model", tuned]
        for name, values in asked.ranges[tuned].items():
            words += ["--range", format_range(name, values, entry(tuned))]
    for column, kind in dict(asked.types or {}).items():
        words += ["--type", f"{spell_name(column)}={kind}"]
    for column in asked.drop:
        words += ["--drop", column]
    if asked.missing is not None:
        for marker in read_markers(asked.missing) or ("",):
            words += ["--missing", marker]
    given = {
        "--query": asked.query,
        "--groups": asked.groups,
        "--weights": asked.weights,
        "--loss": None if bench.loss is None else loss_text(bench.loss),
        "--priors": _priors(bench),
        "--candidates": None if asked.candidates is None or tuned else ",".join(asked.candidates),
        "--plan": plan,
        "--rule": None if asked.rule == "min" else asked.rule,
        "--seed": str(asked.random_state),
        "--out": None if out is None else str(out),
    }
    for option, value in given.items():
        words += [] if value is None else [option, value]
    flags = {
        "--split-repeats": asked.split_repeats,
        "--no-fingerprint": not asked.fingerprint,
        "--keep-suspects": asked.keep_suspects,
        "--noise-check": asked.noise,
    }
    return shlex.join([*words, *(flag for flag, wanted in flags.items() if wanted)])


def _tuned(asked: Any) -> str | None:
    """The model that `assay tune` was asked for; None of a comparison."""
    return next(iter(asked.ranges)) if asked.ranges and len(asked.ranges) == 1 else None


def _priors(bench: Bench) -> str | None:
    if bench.priors is None:
        return None
    return priors_text(bench.problem.classes.tolist(), bench.priors.tolist())


def use(found: Any, model: str) -> list[str]:
    """The commands that classify new rows with the model of a run; under costs they give actions."""
    return [shlex.join(["assay", "predict", model, "NEW.csv"])]


def loss_text(loss: LossMatrix) -> str:
    """The matrix as the option --loss reads it: every pair that zero-one loss would not give.

    >>> loss_text(LossMatrix.of([[0, 5], [1, 0]], ["bad", "good"]))
    'bad:good=5'
    """
    pairs = []
    labels = [spell_name(str(label)) for label in loss.classes.tolist()]
    for k, label in enumerate(labels):
        for a, action in enumerate(loss.actions):
            usual = None if loss.class_of_action[a] < 0 else float(loss.class_of_action[a] != k)
            if loss.values[k, a] != usual:
                pairs.append(f"{label}:{spell_name(str(action))}={spell_number(loss.values[k, a])}")
    absent = sorted(set(range(len(labels))) - set(loss.class_of_action.tolist()))
    pairs += [f"*:{labels[k]}=never" for k in absent]
    return ",".join(pairs) if pairs else f"{labels[0]}:{labels[0]}=0"


def priors_text(classes: Sequence[Any], priors: Sequence[float]) -> str:
    """The priors as the option --priors reads them.

    >>> priors_text(["a=b", "c"], [0.25, 0.75])
    '"a=b"=0.25,c=0.75'
    """
    pairs = zip(classes, priors, strict=True)
    return ",".join(f"{spell_name(str(label))}={spell_number(prior)}" for label, prior in pairs)


def _python(asked: Any, bench: Bench, out: Any) -> str:
    given = {
        "loss": None if bench.loss is None else loss_text(bench.loss),
        "priors": None if bench.priors is None else bench.priors.tolist(),
        "candidates": None if asked.candidates is None else list(asked.candidates),
        "ranges": {key: dict(value) for key, value in (asked.ranges or {}).items() if value} or None,
        "rule": None if asked.rule == "min" else asked.rule,
        "types": dict(asked.types) if asked.types else None,
        "drop": list(asked.drop) or None,
        "query": asked.query,
        "missing": None if asked.missing is None else list(read_markers(asked.missing)),
        "split_repeats": True if asked.split_repeats else None,
        "fingerprint": None if asked.fingerprint else False,
        "keep_suspects": True if asked.keep_suspects else None,
        "noise_check": True if asked.noise else None,
        "out": None if out is None else str(out),
    }
    source = "table" if asked.in_memory else repr(asked.source)
    words = ["X", "y"] if asked.labels else [source, f"target={bench.problem.target!r}"]
    words += [f"{name}={value!r}" for name, value in given.items() if value is not None]
    if asked.keep_suspects is None:
        words.append("keep_suspects=None")
    for role, said in (("groups", asked.groups), ("weights", asked.weights)):
        if said is not None:
            words.append(f"{role}={said!r}" if isinstance(said, str) else f"{role}={role}")
    plan = f"assay.{asked.plan}" if bench.plan.drawn else asked.plan
    return f"assay.compare({', '.join(words)}, plan={plan}, random_state={asked.random_state})"
