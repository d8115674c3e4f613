"""Models that follow from the moments of their training sets: one pass over the rows serves all of them.

Whatever the splits are, moments of the training sets are sums over cells. Steps are maps of these moments, models are
solved from what is behind the maps, and one more pass scores the rows.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from assay.decision.priors import class_priors
from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.numerics.value_key import value_key
from assay.sharing.forms import ScoreForm
from assay.sharing.moments.chains import Chain, chains_of, solve_chain
from assay.sharing.moments.mistakes import count_mistakes
from assay.sharing.moments.row_by_row import score_rows
from assay.sharing.moments.training import (
    Reading,
    find_filling,
    needed_bytes,
    training,
    training_extremes,
    whole,
)
from assay.sharing.protocols import asked, has_posterior
from assay.sharing.reductions import Reduction
from assay.sharing.scoring import Job, score
from assay.sharing.settings import Settings, model_of, steps_of
from assay.sharing.steps import (
    SILENT,
    WIDER,
    Trained,
    form_behind,
    imputes,
    needs_extremes,
    unfollowed,
)
from assay.sharing.study import Study
from assay.statistics import cells_bytes
from assay.statistics.solve_diagnostics import SolveDiagnostics, joined
from assay.types import Codes, Floats, Mask

Result = TypeVar("Result")


@dataclass(frozen=True)
class FromMoments:
    """The sharer of models with `solve_moments`."""

    name: str = "statistics"

    def suits(self, settings: Settings, study: Study) -> list[Note | None]:
        """Models solved from moments, behind steps that moments can follow."""
        return [self._unsuited(estimator, study) for estimator in settings.estimators]

    def _unsuited(self, estimator: Any, study: Study) -> Note | None:
        steps, model = steps_of(estimator), model_of(estimator)
        if asked(model, "solve_moments") is None:
            return SILENT
        data = study.dataset
        note = unfollowed(steps, study)
        if note is not None:
            return note
        if not steps and data.n_features >= WIDER * data.n_rows and _among_rows(model, study):
            return SILENT
        if study.splits.row_by_row and needs_extremes(steps):
            return Note("S012")
        filling = find_filling(study) if imputes(steps) else None
        flags = 0 if filling is None else len(filling.indicators)
        form = form_behind(steps, asked(model, "moments_form"), filling is not None)
        need = needed_bytes(study, form, flags)
        if need > data.engine.memory:
            return Note("S005", type(model).__name__, {"gibibytes": need / 2**30})
        return None

    def solve(self, settings: Settings, study: Study) -> SolvedMoments:
        return SolvedMoments(settings, study)


@dataclass(frozen=True, eq=False)
class SolvedMoments:
    """Models that are solved when their scores are asked for."""

    settings: Settings
    study: Study
    troubles: dict[int, list[tuple[Codes, SolveDiagnostics]]] = field(default_factory=dict)
    notes: dict[int, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def chains(self) -> list[Chain]:
        """The settings, and how they read the rows."""
        return chains_of(self.settings, self.study)

    def forms(self, s: int) -> ScoreForm:
        """The models of all training sets of a setting, as functions of the rows as they are read."""
        chain = self.chains[s]
        with single_threaded():
            return self._solve(chain, self._trained([chain], None), None)

    def reduce(self, keep: Reduction[Result], only: Mask | None = None) -> Result:
        """What the reduction keeps of all scores, or of those asked for: only (S, T)."""
        total: Any = None
        with single_threaded():  # once: to set the limit costs more than many of the products inside
            for batch in self._batches():
                chains = [chain for chain in batch if only is None or only[chain.setting].any()]
                if not chains:
                    continue
                for chain in chains:
                    self.troubles.pop(chain.setting, None)
                part = self._counted(chains, keep) if only is None else None
                if part is not None:
                    total = part if total is None else keep.merge(total, part)
                    continue
                if self.study.splits.row_by_row:
                    part = self._row_by_row(chains, keep, only)
                    total = part if total is None else total if part is None else keep.merge(total, part)
                    continue
                for models in self._models(chains, only):
                    part = self._scored(chains, models, keep, only)
                    total = part if total is None else total if part is None else keep.merge(total, part)
        return keep.finish(total)

    def _batches(self) -> Iterator[list[Chain]]:
        """Settings that are solved from the same moments and score the rows together."""
        groups: dict[Hashable, list[Chain]] = {}
        for chain in self.chains:
            reading = chain.reading
            groups.setdefault((reading.form, reading.filling is None, reading.missing), []).append(chain)
        yield from groups.values()

    def _models(self, chains: list[Chain], only: Mask | None) -> Iterator[Codes | None]:
        """Models whose tests are asked for, as many at a time as there is room for; None: all."""
        splits, data = self.study.splits, self.study.dataset
        reading = chains[0].reading
        width = data.n_features + (0 if reading.filling is None else len(reading.filling.indicators))
        each = cells_bytes(reading.form, 1, data.n_classes, width) * (3 + len(chains))
        most = max(1, data.engine.memory // (4 * each))
        if only is None and splits.n_models <= most:
            yield None
            return
        tests = slice(None) if only is None else only[[chain.setting for chain in chains]].any(axis=0)
        models = np.unique(splits.model[tests]).astype(np.int32)
        for at in range(0, len(models), most):
            yield models[at : at + most]

    def _scored(
        self, chains: list[Chain], models: Codes | None, keep: Reduction[Any], only: Mask | None
    ) -> Any:
        trained = self._trained(chains, models)
        engine, filling = self.study.dataset.engine, trained.filling
        forms = list(engine.each(chains, lambda chain: self._solve(chain, trained, models), ""))
        jobs = [
            Job(
                chain.setting,
                form,
                has_posterior(chain.model),
                self._priors(chain.model),
                asked(chain.model, "winners"),
                chain.reading.missing,
            )
            for chain, form in zip(chains, forms, strict=True)
        ]
        return score(self.study, jobs, keep, only, models, filling)

    def _counted(self, chains: list[Chain], keep: Any) -> Any:
        """What a reduction of mistakes alone keeps of settings that share bases; None: scores are needed."""
        splits = self.study.splits
        if not getattr(keep, "counts_mistakes", False) or splits.row_by_row or splits.n_layers > 1:
            return None
        shared = [asked(chain.model, "has_basis") for chain in chains]
        alike = len({type(chain.model) for chain in chains}) == 1
        if not alike or not all(has_basis is not None and has_basis() for has_basis in shared):
            return None
        if (
            any(needs_extremes(chain.steps) for chain in chains)
            or next(self._models(chains, None)) is not None
        ):
            return None
        sums = count_mistakes(self.study, chains, self._trained(chains, None), keep)
        return None if sums is None else keep.sums(sums)

    def _row_by_row(self, chains: list[Chain], keep: Reduction[Any], only: Mask | None) -> Any:
        priors = [self._priors(chain.model) for chain in chains]
        kept, difficult = score_rows(self.study, chains, priors, keep, only)
        for chain, (trouble, notes) in zip(chains, difficult, strict=True):
            self.notes[chain.setting] = notes
            if trouble is not None:
                models = np.arange(len(trouble.unseen), dtype=np.int32)
                self.troubles[chain.setting] = [(models, trouble)]
        return kept

    def _trained(self, chains: list[Chain], models: Codes | None) -> Trained:
        reading = chains[0].reading
        extremes = None
        if any(needs_extremes(chain.steps) for chain in chains):
            extremes = training_extremes(self.study, models)
        return Trained(training(self.study, reading, models).in_rows(), extremes, reading.filling)

    def _solve(self, chain: Chain, trained: Trained, models: Codes | None) -> ScoreForm:
        """The models of a setting as functions of the rows as they are read."""
        form, trouble = solve_chain(chain.steps, chain.model, trained)
        if trouble is not None:
            some = np.arange(self.study.splits.n_models, dtype=np.int32) if models is None else models
            self.troubles.setdefault(chain.setting, []).append((some, trouble))
        return form

    def _priors(self, model: Any) -> Floats:
        """Class probabilities that the model of each test uses, (T, K)."""
        priors, splits = asked(model, "priors"), self.study.splits

        def make() -> Floats:
            return class_priors(priors, self.study.training_weight())[splits.model]

        return self.study.once(("priors", id(splits), value_key(priors)), make)

    def spent(self, s: int) -> float | None:
        """Settings are solved together."""
        return None

    def difficulties(self, s: int) -> tuple[str, ...]:
        """What was difficult in the models of the plan's tests."""
        found = self.troubles.get(s, [])
        if not found:
            return self.notes.get(s, ())
        splits = self.study.splits
        if splits.row_by_row:
            told = found[0][1].summary(self.study.dataset.classes, splits.called)
            return (*told, *self.notes.get(s, ()))
        outer = np.unique(splits.model[splits.outer])
        parts = [trouble.part(np.isin(models, outer)) for models, trouble in found]
        parts = [part for part in parts if len(part.unseen)]
        if not parts:  # tests inside training sets alone were asked for
            return self.notes.get(s, ())
        whole = parts[0] if len(parts) == 1 else joined(parts)
        return whole.summary(self.study.dataset.classes, splits.called)


def _among_rows(model: Any, study: Study) -> bool:
    """Whether equations among the rows serve a model of a table wider than long: they are the smaller ones."""
    keeps_digits, data = asked(model, "keeps_digits"), study.dataset
    if keeps_digits is None or model.gram_note(data.n_rows, data.width, data.engine.memory) is not None:
        return False
    return bool(keeps_digits(float(whole(study, Reading("diagonal"))[None].total_variance().sum())))


MOMENTS = FromMoments()
