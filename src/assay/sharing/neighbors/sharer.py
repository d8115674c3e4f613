"""The sharer of neighbours: settings that find the same rows go together, by the cheapest way that is exact.

A model of neighbours learns nothing but its rows. Where no step stands before it and distances need no training set,
one search among all rows serves every training set (`lists`). Behind steps that multiply columns and leave some out,
one search finds candidates for all of them (`scaled`). Otherwise each training set is fitted once for all settings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.notes import Note
from assay.numerics.blas import one_openmp_thread, single_threaded
from assay.sharing.fit_pipeline import fit_weighted
from assay.sharing.fold_warnings import FoldWarnings, collect_warnings
from assay.sharing.neighbors.lists import one_search
from assay.sharing.neighbors.query import NeighborQuery
from assay.sharing.neighbors.scaled import scaled_shares
from assay.sharing.part import Part
from assay.sharing.protocols import Sharer, offered
from assay.sharing.reductions import Accumulator, Kept, Reduction, reduced
from assay.sharing.refit import REFIT, take_rows
from assay.sharing.settings import Settings, model_of, steps_of, unfitted
from assay.sharing.study import Study
from assay.statistics.weights import subset_weight
from assay.types import Array, Codes, Estimator, Mask

Result = TypeVar("Result")


def takes_neighbors(estimator: Estimator) -> bool:
    """Whether a model, or the one at the end of a pipeline, lets neighbours vote."""
    return offered(model_of(estimator), "near_apart") is not None


def _note(name: str, estimator: Estimator, study: Study) -> Note | None:
    """Models of neighbours whose rows fit into memory."""
    return REFIT.note(name, estimator, study) if takes_neighbors(estimator) else Note("S000", name)


@dataclass(frozen=True, eq=False)
class SolvedNeighbors:
    """Searches that are made when scores are asked for."""

    settings: Settings
    study: Study
    warned: dict[int, FoldWarnings] = field(default_factory=dict)

    def reduce(self, keep: Reduction[Kept, Result], only: Mask | None = None) -> Result:
        """What the reduction keeps of all scores, or of those asked for: only (S, T)."""
        accumulator = Accumulator(keep)
        for group in self.settings.families(lambda model: model.near_apart):
            query = NeighborQuery.of(self.settings, group, self.study, None if only is None else only[group])
            if not len(query.tests):
                continue
            with single_threaded(), one_openmp_thread(), collect_warnings() as warned:
                accumulator.include(_reduced(query, keep))
            self.warned.update(dict.fromkeys(group, warned))
        return keep.finish(accumulator.total)

    def difficulties(self, s: int) -> tuple[str, ...]:
        """Classes that training sets lack, and what was warned about on the way."""
        return self.study.warnings(self.settings.estimators[s], self.warned.get(s))


def _reduced(query: NeighborQuery, keep: Reduction[Kept, object]) -> Kept | None:
    """What the reduction keeps of settings that find the same neighbours, unfinished."""
    sparse = query.study.dataset.sparse  # compressed rows are refused, in words, by a fit alone
    if not steps_of(query.longest) and model_of(query.longest).near_free and not sparse:
        query.check_sizes()
        return one_search(query, keep)
    shares = scaled_shares(query)
    return reduced(_parts(query, _fitted(query) if shares is None else shares), keep)


def _fitted(query: NeighborQuery) -> Iterator[tuple[Codes, list[Array]]]:
    """Tests of each model and the shares of their rows in every setting; a model is fitted once for all settings."""
    data, splits, engine = query.study.dataset, query.study.splits, query.study.dataset.engine
    source = data.source()

    def work(task: tuple[int, Codes]) -> tuple[Codes, list[Array]]:
        m, tests = task
        train, test = splits.train_rows(m), splits.rows_of(tests)[0]
        labels, weight = data.classes[data.codes[train]], subset_weight(data.weight, train)
        fitted = fit_weighted(unfitted(query.longest), take_rows(source, train), labels, weight)
        if not len(test):  # a replicate that drew every row
            return tests, [np.zeros((0, data.n_classes)) for _ in query.votes]
        Z = take_rows(source, test)
        for step in steps_of(fitted):
            Z = step.transform(Z)
        last = model_of(fitted)
        place = np.searchsorted(data.classes, last.classes_)
        votes = last.shares(Z, query.votes, engine.threads)
        return tests, [_spread(shares, place, data.n_classes) for shares in votes]

    return query.each_model(work)


def _spread(shares: Array, place: NDArray[np.intp], n_classes: int) -> Array:
    if len(place) == n_classes:
        return shares
    out = np.zeros((len(shares), n_classes))
    out[:, place] = shares
    return out


def _parts(query: NeighborQuery, model_shares: Iterator[tuple[Codes, list[Array]]]) -> Iterator[Part]:
    """The scores of the tests of one model after the other."""
    data, splits = query.study.dataset, query.study.splits
    for tests, shares in model_shares:
        row, test = splits.rows_of(tests)
        weight = None if data.weight is None else data.weight[row]
        yield from query.answers.parts(row, test, shares, data.codes[row], weight)


NEIGHBORS = Sharer("neighbors", _note, SolvedNeighbors)
