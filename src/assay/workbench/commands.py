"""The commands that do a comparison again."""

from __future__ import annotations

import shlex
from typing import Any


def reproduce(asked: Any, out: Any) -> tuple[str, ...]:
    """The shell command and the Python lines of what was asked.

    Parameters
    ----------
    asked : Asked
        What the caller gave.
    out : path or None
    """
    return _shell(asked, out), _python(asked, out)


def _shell(asked: Any, out: Any) -> str:
    words = ["assay", "compare", asked.source]
    if asked.target is not None:
        words += ["--target", asked.target]
    for column, kind in dict(asked.types or {}).items():
        words += ["--type", f"{column}={kind}"]
    for column in asked.drop:
        words += ["--drop", column]
    if asked.query is not None:
        words += ["--query", asked.query]
    if asked.candidates is not None:
        words += ["--candidates", ",".join(asked.candidates)]
    words += ["--seed", str(asked.random_state)]
    if out is not None:
        words += ["--out", str(out)]
    return shlex.join(words)


def _python(asked: Any, out: Any) -> str:
    given = {
        "loss": asked.loss,
        "priors": asked.priors,
        "candidates": asked.candidates,
        "types": dict(asked.types) if asked.types else None,
        "drop": list(asked.drop) or None,
        "query": asked.query,
        "out": None if out is None else str(out),
    }
    words = [repr(asked.source), f"target={asked.target!r}"]
    words += [f"{name}={value!r}" for name, value in given.items() if value is not None]
    return f"assay.compare({', '.join(words)}, plan={asked.plan}, random_state={asked.random_state})"
