"""Comparisons to report on: three small ones, and one whose names are meant to break a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.datasets import load_breast_cancer, load_iris

from assay.commands.compare.comparison import Comparison
from assay.commands.compare.job import compare
from assay.data import Column, Schema, Table

QUICK = ["baseline", "gaussian_nb", "gaussian_shared"]
COSTS = {"benign": {"benign": 0, "malignant": 1}, "malignant": {"benign": 10, "malignant": 0}}
SCRIPT = "<script>alert(1)</script>"
ODD_CLASSES = (SCRIPT, "x" * 200, "Größe \u2028 <!-- & 'ü\" 分類 </script>")
ODD_COLUMN = "</script><img src=x onerror=alert(2)>[0].a"


def table(
    X: Any, labels: Sequence[Any], names: Sequence[str], target: str, more: dict[str, Any] | None = None
) -> Table:
    """Numeric columns, columns of levels (`more`: name to levels and codes) and a target."""
    levels = tuple(sorted(set(labels)))
    code = {level: k for k, level in enumerate(levels)}
    columns = {name: np.asarray(X[:, j], dtype=np.float64) for j, name in enumerate(names)}
    kinds = [Column(name, "numeric", examples=("1", "2"), reason="numbers") for name in names]
    for name, (known, codes) in (more or {}).items():
        columns[name] = np.asarray(codes, dtype=np.int32)
        kinds.append(Column(name, "categorical", known, distinct=len(known), reason="few values"))
    columns[target] = np.array([code[label] for label in labels], dtype=np.int32)
    kinds.append(Column(target, "categorical", levels, reason="the target"))
    return Table(Schema(tuple(kinds)), columns)


@cache
def iris() -> Comparison:
    """Three classes, a linear winner."""
    bunch = load_iris()
    labels = [str(bunch.target_names[k]) for k in bunch.target]
    rows = table(bunch.data, labels, bunch.feature_names, "species")
    return compare(rows, "species", candidates=[*QUICK, "fisher", "gaussian_full"], plan=5, progress=False)


@cache
def cancer() -> Comparison:
    """Two classes with costs."""
    bunch = load_breast_cancer()
    labels = [str(bunch.target_names[k]) for k in bunch.target]
    rows = table(bunch.data[:, :12], labels, bunch.feature_names[:12], "diagnosis")
    return compare(rows, "diagnosis", loss=COSTS, candidates=QUICK, plan=5, progress=False)


@cache
def tree() -> Comparison:
    """Two classes that only a tree tells apart."""
    draw = np.random.default_rng(3)
    X = draw.normal(size=(240, 3))
    labels = [bool(v) for v in (X[:, 0] * X[:, 1] > 0)]
    more = {"colour": (("blue", "red"), draw.integers(2, size=240))}
    rows = table(X, labels, ["a", "b", "noise"], "same sign", more)
    return compare(
        rows, "same sign", candidates=["baseline", "gaussian_nb", "decision_tree"], plan=5, progress=False
    )


@cache
def noise() -> Comparison:
    """Two classes in turn: neighbours are wrong more often than the baseline."""
    labels = [("no", "yes")[at % 2] for at in range(81)]
    rows = table(np.arange(81.0)[:, np.newaxis], labels, ["a"], "class")
    return compare(rows, "class", candidates=["baseline", "gaussian_nb", "knn"], plan=5, progress=False)


@cache
def odd() -> Comparison:
    """Names that would end a script, fill a line or fall out of a font."""
    draw = np.random.default_rng(0)
    codes = np.repeat(np.arange(3), 40)
    X = draw.normal(size=(120, 2)) + 3 * np.stack([codes == 1, codes == 2], axis=1)
    more = {"level": ((SCRIPT, "b\u2029c"), draw.integers(2, size=120))}
    rows = table(X, [ODD_CLASSES[k] for k in codes], [ODD_COLUMN, "n" * 150], "target <b>", more)
    return compare(rows, "target <b>", candidates=QUICK, plan=4, progress=False)


@cache
def many() -> Comparison:
    """24 classes and 60 columns."""
    draw = np.random.default_rng(1)
    codes = np.arange(24 * 25) % 24
    X = draw.normal(size=(len(codes), 60))
    X[:, :8] += 1.5 * draw.normal(size=(24, 8))[codes]
    names = [f"measurement number {j}" for j in range(60)]
    rows = table(X, [f"kind {k:02d}" for k in codes], names, "kind")
    return compare(rows, "kind", candidates=QUICK, plan=4, progress=False)


@cache
def texts() -> Comparison:
    """Four topics told by their words; some texts would end a script or run backwards."""
    draw = np.random.default_rng(2)
    topics = {
        "space": "orbit moon launch shuttle nasa",
        "cars": "engine wheel brake fuel dealer",
        "faith": "church prayer psalm gospel saint",
        SCRIPT: "script alert onerror img src",
    }
    rare = [f"word{i}" for i in range(400)]
    labels = [topic for topic in topics for _ in range(40)]
    rows = [
        " ".join([*draw.choice(topics[label].split(), 4), *draw.choice(rare, 8), "the", "of"])
        for label in labels
    ]
    rows[3] = "</script><img src=x onerror=alert(2)> church prayer psalm \u202e gospel \0 saint " * 20
    columns = {"text": pa.array(rows), "topic": np.repeat(np.arange(4), 40).astype(np.int32)}
    levels = tuple(topics)
    schema = Schema((Column("text", "text"), Column("topic", "categorical", levels)))
    names = ["baseline", "multinomial_nb", "bernoulli_nb", "complement_nb"]
    return compare(Table(schema, columns), "topic", candidates=names, plan=4, progress=False)


@cache
def penalised() -> Comparison:
    """Two classes that a weighted sum of two columns tells apart, and noise."""
    draw = np.random.default_rng(5)
    X = draw.normal(size=(200, 6))
    labels = ["yes" if value > 0 else "no" for value in X[:, 0] + 0.5 * X[:, 1] + 0.6 * draw.normal(size=200)]
    more = {"colour": (("blue", "green", "red"), draw.integers(3, size=200))}
    rows = table(X, labels, list("abcdef"), "answer", more)
    return compare(rows, "answer", candidates=["baseline", "logistic"], plan=5, progress=False)


def simplest_is(found: Comparison, one_se: int) -> Comparison:
    """The comparison with losses such that this setting is the simplest within one standard error."""
    winner = found.results[found.best_name]
    losses = np.full(len(winner.settings), 0.3)
    losses[[one_se, 3]] = 0.105, 0.1
    nested = replace(winner.nested, losses=losses, standard_errors=np.full(len(losses), 0.01), final=3)
    return replace(found, results={**found.results, found.best_name: replace(winner, nested=nested)})
