"""Which rows a model was trained on, as a sample of hashes: enough to tell that a table was in the training data.

Each row has a 32-bit hash of its features and label, salted by the table's schema. The 1 024 smallest of the different
hashes are a random sample of the different rows; every row of another table whose hash is below the largest of them is
either in the sample or was not trained on.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import NDArray

from assay.data import Column
from assay.data.schema import Schema
from assay.numerics.row_hash import row_hashes

Hashes = NDArray[np.uint32]
MOST_HASHES = 1024
FEWEST_MATCHES = 10
ERRORS = 3.0  # standard errors by which known rows must exceed what chance explains


@dataclass(frozen=True, eq=False)
class Fingerprint:
    """Hashes of training rows.

    Attributes
    ----------
    salt : int
    hashes : sorted array of uint32
    complete : bool
        Whether they are those of all rows.
    sampled : int
        Training rows that have these hashes.
    chance : float
        Proportion of them that another row repeats, where rows may agree by chance.
    """

    salt: int
    hashes: Hashes
    complete: bool
    sampled: int
    chance: float

    def salted(self, keys: NDArray[np.uint64]) -> Hashes:
        """The hashes of rows from their keys, in which equal rows are equal."""
        return salted(self.salt, keys)

    def known_share(self, hashes: Hashes) -> float | None:
        """The proportion of these rows that were trained on, None where chance explains those that match."""
        if not len(self.hashes):
            return None
        last = 2**32 - 1 if self.complete else int(self.hashes[-1])
        comparable = hashes[hashes <= last]
        known = np.isin(comparable, self.hashes)
        if len(np.unique(comparable[known])) < FEWEST_MATCHES:
            return None
        share = float(known.mean())
        collisions = len(self.hashes) / (last + 1)  # of a row that is not among them
        expected = self.chance + (1.0 - self.chance) * collisions
        pooled = (known.sum() + expected * self.sampled) / (len(known) + self.sampled)
        error = np.sqrt(pooled * (1.0 - pooled) * (1.0 / len(known) + 1.0 / self.sampled))
        return share if share - expected > ERRORS * error else None


def salted(salt: int, keys: NDArray[np.uint64]) -> Hashes:
    """32-bit hashes of 64-bit keys."""
    return (row_hashes(salt, keys) >> np.uint64(32)).astype(np.uint32)


@dataclass
class FingerprintTally:
    """The smallest hashes and their rows, added block by block in bounded memory."""

    schema: Schema
    hashes: Hashes = field(default_factory=lambda: np.empty(0, dtype=np.uint32))
    counts: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    complete: bool = True

    @property
    def salt(self) -> int:
        """A number that other tables do not have."""
        text = json.dumps(self.schema.to_json(), sort_keys=True)
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "little")

    def add(self, keys: NDArray[np.uint64]) -> Self:
        """Count rows by their keys."""
        hashes = np.concatenate([self.hashes, salted(self.salt, keys)])
        counts = np.concatenate([self.counts, np.ones(len(keys), dtype=np.int64)])
        different, place = np.unique(hashes, return_inverse=True)
        rows = np.bincount(place, counts, len(different)).astype(np.int64)
        self.complete = self.complete and len(different) <= MOST_HASHES
        self.hashes, self.counts = different[:MOST_HASHES], rows[:MOST_HASHES]
        return self

    def fingerprint(self) -> Fingerprint:
        """What a model keeps."""
        sampled = int(self.counts.sum())
        repeated = int(self.counts[self.counts > 1].sum())
        chance = repeated / sampled if sampled and self._may_agree_by_chance() else 0.0
        return Fingerprint(self.salt, self.hashes, self.complete, sampled, chance)

    def _may_agree_by_chance(self) -> bool:
        """Not with a text column, nor with a numeric one that has half as many values as there are different rows."""
        share = 1.0 if self.complete else (int(self.hashes[-1]) + 1) / 2**32
        different = len(self.hashes) / share
        return not any(_tells_rows_apart(column, different) for column in self.schema)


def _tells_rows_apart(column: Column, different: float) -> bool:
    if column.type != "numeric":
        return bool(column.type == "text")
    return column.distinct is None or 2 * column.distinct >= different
