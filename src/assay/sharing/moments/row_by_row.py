"""Every row under the model of all others: closed form where the family has one, else moments less the row.

The row leaves the moments in the block that scores it. Where that would cost too many digits, as with a row that
carries a class or a direction by itself, the others are summed again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from assay.sharing.dataset import Block
from assay.sharing.forms import Pairs
from assay.sharing.moments.chains import Chain, solve_chain
from assay.sharing.moments.training import whole
from assay.sharing.protocols import asked, has_posterior
from assay.sharing.reductions import Part, Reduction
from assay.sharing.scoring import settled, taken, unusable_rows
from assay.sharing.steps import Trained
from assay.sharing.study import Study
from assay.statistics import Filling, Moments, collect
from assay.statistics.checks import check_finite
from assay.statistics.solve_diagnostics import SolveDiagnostics, joined, repeated
from assay.types import Floats, Index, Mask

LABEL = "Scores"
BATCH_NUMBERS = 1 << 22  # numbers in the moments of one batch of left-out rows
# Moments less one row are trusted to this relative error; beyond it the other rows are summed again.
DOWNDATE_LIMIT = 1e-10


class Fragile(NamedTuple):
    """A row that the moments cannot lose, for a setting."""

    chain: int
    rows: Block  # the one row


@dataclass
class Told:
    """What a pass leaves behind of one setting beside scores."""

    covered: int = 0
    troubles: list[SolveDiagnostics] = field(default_factory=list)


@dataclass
class Passed:
    """What a block, or several, leave behind."""

    kept: Any
    told: list[Told]
    fragile: list[Fragile]

    def merge(self, other: Passed, keep: Reduction[Any]) -> Passed:
        both = self.kept is not None and other.kept is not None
        kept = keep.merge(self.kept, other.kept) if both else other.kept if self.kept is None else self.kept
        told = [
            Told(a.covered + b.covered, a.troubles + b.troubles)
            for a, b in zip(self.told, other.told, strict=True)
        ]
        return Passed(kept, told, self.fragile + other.fragile)


def score_rows(
    study: Study, chains: Sequence[Chain], priors: Sequence[Floats], keep: Reduction[Any], only: Mask | None
) -> tuple[Any, list[tuple[SolveDiagnostics | None, tuple[str, ...]]]]:
    """What the reduction keeps, unfinished; and of every setting what was difficult."""
    data = study.dataset
    everyone = whole(study, chains[0].reading)
    work = _Score(tuple(chains), tuple(priors), everyone, only, data.names, data.engine.threads, keep)
    width = everyone.scatter.size // max(1, everyone.n_classes)
    found = study.reduce(work, lambda a, b: a.merge(b, keep), LABEL, 8 * (width + 8 * data.n_classes))
    found = _again(study, found, work)
    return found.kept, [work.difficulties(number, told) for number, told in enumerate(found.told)]


def _again(study: Study, found: Passed, work: _Score) -> Passed:
    """The rows that moments could not lose, each by moments of all others."""
    for number, block in found.fragile:
        chain, data = work.chains[number], study.dataset
        others = _Others(block.start, chain, data.n_classes, data.names, data.engine.threads)
        left = study.reduce(others, lambda a, b: a.merge(b), LABEL)
        left = replace(left[None], importance=data.importance)
        found = found.merge(work.solved(number, block, left, np.zeros(1, dtype=np.intp)), work.keep)
    return replace(found, fragile=[])


@dataclass(frozen=True)
class _Others:
    """Moments of a block without one row."""

    row: int
    chain: Chain
    n_classes: int
    names: Any
    threads: int

    def __call__(self, block: Block) -> Moments:
        some = block if not block.start <= self.row < block.start + block.n_rows else self._without(block)
        form, filling, missing = self.chain.reading
        found = collect(
            some.X, some.codes, self.n_classes, form=self.chain.form, weight=some.weight,
            missing=missing and self.chain.form == "diagonal", filling=filling, n_jobs=self.threads,
        )  # fmt: skip
        check_finite(found, some.X, self.names, missing_allowed=missing or filling is not None)
        return found

    def _without(self, block: Block) -> Block:
        rest = np.arange(block.n_rows) != self.row - block.start
        return _part(block, np.flatnonzero(rest))


def _part(block: Block, rows: Index) -> Block:
    """Some rows of a block; they keep no numbers but that of the first."""
    weight = None if block.weight is None else block.weight[rows]
    first = block.start + int(rows[0]) if len(rows) else block.start
    return Block(first, block.X[rows], block.codes[rows], weight, block.cells[:, rows])


@dataclass(frozen=True)
class _Score:
    """The pass over one block."""

    chains: tuple[Chain, ...]
    priors: tuple[Floats, ...]
    everyone: Moments
    only: Mask | None
    names: Any
    threads: int
    keep: Reduction[Any]

    def __call__(self, block: Block) -> Passed:
        total = Passed(None, [Told() for _ in self.chains], [])
        for number, chain in enumerate(self.chains):
            own = self._own(chain)
            rows = np.arange(block.n_rows)
            if self.only is not None:
                rows = np.flatnonzero(self.only[chain.setting][block.cells[0]])
            scores = self._closed_form(chain, own, block, rows)
            left_open = np.isnan(scores).any(axis=1)
            total = total.merge(self._closed(number, block, rows[~left_open], scores[~left_open]), self.keep)
            each = own.scatter.size + 3 * own.center.size
            batch = max(1, BATCH_NUMBERS // max(1, each))
            rest = rows[left_open]
            for start in range(0, len(rest), batch):
                total = total.merge(
                    self._downdated(number, own, block, rest[start : start + batch]), self.keep
                )
        return total

    def _own(self, chain: Chain) -> Moments:
        return self.everyone.converted(chain.form)

    def _closed_form(self, chain: Chain, own: Moments, block: Block, rows: Index) -> Floats:
        """The family's closed form, NaN in the rows it does not cover."""
        solve = asked(chain.model, "loo_moments")
        plain = not chain.steps and block.weight is None and own.present is None
        if solve is not None and plain and len(rows):
            found: Floats | None = solve(own, block if len(rows) == block.n_rows else _part(block, rows))
            if found is not None:
                return found
        return np.full((len(rows), own.n_classes), np.nan)

    def _closed(self, number: int, block: Block, rows: Index, scores: Floats) -> Passed:
        told = [Told() for _ in self.chains]
        told[number].covered = len(rows)
        return Passed(self._added(number, block, rows, scores), told, [])

    def _added(self, number: int, block: Block, rows: Index, scores: Floats) -> Any:
        if not len(rows):
            return None
        chain = self.chains[number]
        posterior = has_posterior(chain.model)
        found = settled(np.ascontiguousarray(scores), posterior, asked(chain.model, "winners"), self.threads)
        if found.unusable:
            gaps = chain.reading.missing or chain.reading.filling is not None
            raise unusable_rows(block, self.names, found.unusable, gaps)
        row, codes, weight = taken(block, rows)
        test = block.cells[0][rows].astype(np.int32)
        return self.keep.add(
            Part(
                chain.setting,
                row,
                test,
                found.scores,
                found.best,
                codes,
                weight,
                self.priors[number],
                posterior,
            )
        )

    def _downdated(self, number: int, own: Moments, block: Block, rows: Index) -> Passed:
        """The model of each left-out row from the moments of the others."""
        filling = self.chains[number].reading.filling
        left, error = own[None].without(_single_rows(block, own, rows, filling))
        sure = error.max(axis=-1) <= DOWNDATE_LIMIT
        found = self.solved(number, block, left[sure], rows[sure])
        fragile = [Fragile(number, _part(block, rows[i : i + 1])) for i in np.flatnonzero(~sure)]
        return replace(found, fragile=fragile)

    def solved(self, number: int, block: Block, left: Moments, rows: Index) -> Passed:
        """Rows of a block by models of these moments, one for each."""
        told = [Told() for _ in self.chains]
        if not len(rows):
            return Passed(None, told, [])
        chain = self.chains[number]
        form, trouble = solve_chain(
            chain.steps, chain.model, Trained(left.in_rows(), None, chain.reading.filling)
        )
        if trouble is not None:
            told[number].troubles.append(trouble)
        pairs = Pairs(rows.astype(np.int64), np.arange(len(rows), dtype=np.int32))
        scores = form.scores(block.X, pairs, chain.reading.filling, self.threads)
        return Passed(self._added(number, block, rows, scores), told, [])

    def difficulties(self, number: int, told: Told) -> tuple[SolveDiagnostics | None, tuple[str, ...]]:
        """What was difficult in a setting; rows in closed form met what the model of all rows meets."""
        chain, troubles = self.chains[number], list(told.troubles)
        one_by_one = sum(len(trouble.unseen) for trouble in troubles)
        if told.covered:
            trained = Trained(self._own(chain).in_rows()[None], None, chain.reading.filling)
            trouble = solve_chain(chain.steps, chain.model, trained)[1]
            troubles = [] if trouble is None else [repeated(trouble, told.covered), *troubles]
        alone = one_by_one > 0 and told.covered > 0
        carry = "1 row carries" if one_by_one == 1 else f"{one_by_one} rows carry"
        notes = (f"{carry} a direction or a class alone: solved one by one.",) if alone else ()
        return joined(troubles) if troubles else None, notes


def _single_rows(block: Block, own: Moments, rows: Index, filling: Filling | None) -> Moments:
    """Each row as moments of its own."""
    index, codes = np.arange(len(rows)), block.codes[rows]
    values = block.X[rows].astype(np.float64) if filling is None else filling.read(block.X[rows])
    weight = np.zeros((len(rows), own.n_classes))
    weight[index, codes] = 1.0 if block.weight is None else block.weight[rows]
    center = np.zeros((len(rows), *own.center.shape))
    center[index, codes] = np.nan_to_num(values) if own.present is not None else values
    present = None
    if own.present is not None:
        present = np.zeros(center.shape)
        present[index, codes] = weight[index, codes][:, None] * ~np.isnan(values)
    scatter = np.zeros((len(rows), *own.scatter.shape))
    return Moments(
        own.form, weight, (weight > 0).astype(np.float64), center, np.zeros(center.shape), scatter, present
    )
