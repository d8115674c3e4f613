"""Training parts and penalties of linear models, solved together; what stands before a model is a map of its weights.

A step maps each part's columns by its own x ↦ (x - c) A + shift. Weights θ behind the steps are weights A θ of the
table as it is, so one pass over the table serves all parts. Where a step only scales columns, the map is a change of
the penalty: l2 / a² and l1 / a for a column times a.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import spread, thread_count
from assay.models.class_weight import weighted
from assay.models.pathwise import PathClassifier
from assay.models.sharing.chain import Background, Chain
from assay.models.validation import TrainingData
from assay.numerics.blas import single_threaded
from assay.plans import ALWAYS_TRAIN, Partition
from assay.sharing.forms import ScoreForm
from assay.sharing.path.standard import Standard, parts_of, trouble_of
from assay.sharing.value_key import value_key
from assay.solvers.passes import Passes
from assay.statistics.solve_diagnostics import Trouble

Array = NDArray[np.float64]
Answer = tuple[ScoreForm, Trouble]


def solve_all(
    chains: list[Chain],
    background: Background,
    data: TrainingData,
    partition: Partition,
    member: NDArray[np.bool_],
    n_jobs: int | None,
) -> list[Answer]:
    """Models of every group of the background for each chain, those that differ by their penalties alone together.

    member : (G, F) bool
        Folds that each group is trained on; rows that are always trained on are one more fold.
    """
    answers: dict[int, Answer] = {}
    for batch in _batches(chains):
        first = chains[batch[0]]
        if not isinstance(first.model, PathClassifier):
            found = spread(lambda i, _: chains[i].solve(background), batch, n_jobs)
            answers.update(zip(batch, found, strict=True))
            continue
        penalties = np.array(
            [model._penalties() for i in batch if isinstance(model := chains[i].model, PathClassifier)]
        )
        found = _solve_path(first, penalties, background, data, partition, member, n_jobs)
        if not first.model.penalties:  # nothing tells the models apart: one solution is that of all
            found = found * len(batch)
        answers.update(zip(batch, found, strict=True))
    return [answers[i] for i in range(len(chains))]


def _batches(chains: list[Chain]) -> list[list[int]]:
    """Numbers of the chains that are solved in one go."""
    found: dict[Any, list[int]] = {}
    for i, chain in enumerate(chains):
        model = chain.model
        alike = (
            (model._alike(), value_key(chain.steps)) if isinstance(model, PathClassifier) else ("statistics",)
        )
        found.setdefault(alike, []).append(i)
    return list(found.values())


def _solve_path(
    chain: Chain,
    penalties: Array,
    background: Background,
    data: TrainingData,
    partition: Partition,
    member: NDArray[np.bool_],
    n_jobs: int | None,
) -> list[Answer]:
    model = chain.model
    assert isinstance(model, PathClassifier)
    with single_threaded():
        mapped = chain.mapped(background)
        standard = Standard.of(mapped.original)
        data = weighted(data, model.class_weight)
        rows = standard.rows(data.X, background.filling)
        fold = np.where(partition.fold == ALWAYS_TRAIN, partition.n_folds, partition.fold).astype(np.int32)
        parts = replace(parts_of(mapped, standard, member), unit=background.unit)
        n_folds = member.shape[1]
        with Passes(rows, data.codes, data.weight, fold, n_folds, thread_count(n_jobs)) as passes:
            found = model.solve_parts(passes, parts, data.n_classes, *penalties.T.copy())
        return [
            (standard.form(B), trouble_of(mapped, parts.active, converged))
            for B, converged in zip(found.B, found.converged, strict=True)
        ]
