"""What is asked of settings that find the same neighbours: by which models, in which tests, with which votes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from assay.numerics.neighbors import Searcher
from assay.numerics.smoothing import smoothed
from assay.numerics.votes import Setting
from assay.sharing.part import Part
from assay.sharing.settings import Settings, model_of
from assay.sharing.study import Study
from assay.types import Array, Codes, Index, Mask, RowClassifier

Kept = TypeVar("Kept")
Task = tuple[int, Codes]  # a model and the tests that it makes


@dataclass(frozen=True, eq=False)
class VoteScores:
    """Shares of the votes as scores; it may travel to where the rows are."""

    which: list[int]  # numbers of the settings
    only: Mask | None  # (settings, T)
    priors: Array  # (T, K) class probabilities of the model of each test
    votes: list[Setting]
    smoothing: list[float]
    total: Array  # (T,) rows that the model of each test is trained on, by weight

    @cached_property
    def asked(self) -> Mask | None:
        """Tests that any of the settings is asked for; None: all of them."""
        return None if self.only is None else np.asarray(self.only.any(axis=0))

    def parts(
        self, row: Index, test: Codes, shares: list[Array], codes: Codes, weight: Array | None
    ) -> Iterator[Part]:
        """Shares (P, K) of every setting as scores of pairs."""
        for place, (s, proportions) in enumerate(zip(self.which, shares, strict=True)):
            votes = self._smoothed(place, proportions, test)
            part = Part(s, row, test, votes, None, codes, weight, self.priors, True)
            if self.only is not None:
                part = part.take(self.only[place][test])
            if self.only is None or len(part.row):
                predicted = part.scores.argmax(axis=1).astype(np.int32)
                with np.errstate(divide="ignore"):
                    scores = np.log(part.scores)
                yield part._replace(scores=scores, predicted=predicted)

    def _smoothed(self, place: int, shares: Array, test: Codes) -> Array:
        """Shares of the votes (P, K), those that a setting adds among them."""
        smoothing = self.smoothing[place]
        if not smoothing:
            return shares
        votes = np.minimum(self.votes[place][0], self.total[test])
        return smoothed(votes[:, None] * shares, self.priors[test] > 0, smoothing)


@dataclass(frozen=True, eq=False)
class NeighborQuery:
    """Settings that differ in their votes alone."""

    study: Study
    which: list[int]  # numbers of the settings
    votes: list[Setting]
    smoothing: list[float]
    longest: RowClassifier  # the estimator of the most neighbours
    name: str
    only: Mask | None  # (settings, T)

    @classmethod
    def of(cls, settings: Settings, which: list[int], study: Study, only: Mask | None) -> NeighborQuery:
        models = [model_of(settings.estimators[s]) for s in which]
        votes = [model.near_setting() for model in models]
        smoothing = [float(model.smoothing) for model in models]
        most = which[int(np.argmax([k for k, _ in votes]))]
        return cls(study, which, votes, smoothing, settings.estimators[most], settings.names[most], only)

    @property
    def k(self) -> int:
        """The most neighbours."""
        return int(max(k for k, _ in self.votes))

    @cached_property
    def tests(self) -> Codes:
        """Tests that any of the settings is asked for."""
        every = np.arange(self.study.splits.n_tests, dtype=np.int32)
        return every if self.only is None else every[self.only.any(axis=0)]

    @cached_property
    def tasks(self) -> list[Task]:
        """Models, each with the tests that it makes."""
        return self.study.splits.tasks(None if self.only is None else np.asarray(self.only.any(axis=0)))

    @cached_property
    def used(self) -> tuple[Mask, Mask]:
        """Rows that any model is trained on, and rows that any of them tests, (N,) each."""
        splits, data = self.study.splits, self.study.dataset
        trained, tested = np.zeros(data.n_rows, dtype=bool), np.zeros(data.n_rows, dtype=bool)
        if splits.row_by_row:
            trained[:], tested[:] = True, True
        else:
            models = splits.model[self.tests]
            for layer in np.unique(splits.layer[models]):
                in_layer = splits.layer[models] == layer
                cell = splits.cell[layer]
                here = cell >= 0
                trained |= here & (splits.copies[models[in_layer]] > 0).any(axis=0)[cell]
                tested |= here & splits.tested[self.tests[in_layer]].any(axis=0)[cell]
        return trained if data.weight is None else trained & (data.weight > 0), tested

    @cached_property
    def answers(self) -> VoteScores:
        total = self.study.training_weight().sum(axis=1)[self.study.splits.model]
        return VoteScores(self.which, self.only, self.study.priors(), self.votes, self.smoothing, total)

    def searcher(self) -> Searcher:
        """All rows as the model measures them."""
        data = self.study.dataset
        rows: Searcher = model_of(self.longest).near_rows(data.matrix(), data.names)
        return rows

    def check_sizes(self) -> None:
        """Every training set has rows enough."""
        total = self.study.training_weight().sum(axis=1)[[m for m, _ in self.tasks]].min()
        weighted = "M159" if self.study.dataset.weight is None else "M717"
        code = "M718" if self.study.splits.row_by_row else weighted
        model_of(self.longest).check_size(float(total), code)

    def each_model(self, work: Callable[[Task], Kept], tasks: list[Task] | None = None) -> Iterator[Kept]:
        """work(task) of models: several at a time, or one after the other with all threads where they are few."""
        engine, tasks = self.study.dataset.engine, self.tasks if tasks is None else tasks
        return engine.each(tasks, work, self.name, len(tasks) >= 4 * engine.threads)
