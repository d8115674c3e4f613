"""Hashes of training rows: a sample of bounded size, and the share of known rows that it tells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay.data import Column, Schema
from assay.models.table.fingerprint import MOST_HASHES, Fingerprint, FingerprintTally

NUMBERS = Schema((Column("x", "numeric", distinct=None),))
CATEGORIES = Schema((Column("x", "categorical", ("a", "b")),))


def keys(seed: int, size: int, most: int = 2**63) -> Any:
    return np.random.default_rng(seed).integers(0, most, size, dtype=np.uint64)


def of(rows: Any, schema: Schema = NUMBERS) -> Fingerprint:
    return FingerprintTally(schema).add(rows).fingerprint()


@pytest.mark.parametrize("size", [200, 1024, 50_000])
def test_the_share_of_known_rows_is_estimated(size: int) -> None:
    trained = keys(1, size)
    found = of(trained)
    assert len(found.hashes) == min(size, MOST_HASHES) and found.complete == (size <= MOST_HASHES)
    assert found.hashes.nbytes <= 4096
    for share in (1.0, 0.7):
        known = int(share * size)
        rows = np.concatenate([trained[:known], keys(2, size - known)])
        told = found.known_share(found.salted(rows))
        assert told == pytest.approx(known / size, abs=1e-9 if size <= MOST_HASHES else 0.06)
    assert found.known_share(found.salted(keys(3, 50_000))) is None


def test_fewer_than_ten_matches_are_not_said() -> None:
    trained = keys(1, 500)
    found = of(trained)
    assert found.known_share(found.salted(np.concatenate([trained[:9], keys(2, 20)]))) is None
    assert found.known_share(found.salted(np.concatenate([trained[:10], keys(2, 20)]))) == pytest.approx(
        1 / 3
    )
    assert found.known_share(found.salted(np.repeat(trained[:9], 50))) is None  # nine rows, however often


def test_rows_of_few_categories_agree_by_chance() -> None:
    found = of(keys(1, 400, 300), CATEGORIES)
    assert found.chance > 0.5
    said = [found.known_share(found.salted(keys(seed, 400, 300))) for seed in range(2, 42)]
    assert sum(share is not None for share in said) <= 1
    assert found.known_share(found.salted(keys(1, 400, 300))) == 1.0


def test_copies_that_cannot_be_chance_do_not_hide_known_rows() -> None:
    trained = np.repeat(keys(1, 150), 2)
    assert of(trained).chance == 0.0 and of(trained).known_share(of(trained).salted(trained)) == 1.0


def test_blocks_give_what_all_rows_give() -> None:
    rows = keys(1, 5000, 4000)
    tally = FingerprintTally(CATEGORIES)
    for start in range(0, 5000, 700):
        tally.add(rows[start : start + 700])
    one, all_rows = tally.fingerprint(), of(rows, CATEGORIES)
    assert np.array_equal(one.hashes, all_rows.hashes) and one.complete == all_rows.complete
    # A hash that left the sample and came back within another block would miscount; none does.
    assert (one.sampled, one.chance) == (all_rows.sampled, all_rows.chance)


def test_another_table_has_another_salt() -> None:
    assert of(keys(1, 5)).salt != of(keys(1, 5), CATEGORIES).salt
    assert of(keys(1, 5)).salt == of(keys(2, 5)).salt  # the schema's, so that files are the same each time
