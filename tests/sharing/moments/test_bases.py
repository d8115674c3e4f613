"""Bases along a line: every second one lies between two others, and beyond two."""

from __future__ import annotations

import numpy as np
import pytest

from assay.sharing.moments.bases import places_along


@pytest.mark.parametrize("count", range(1, 10))
def test_places_tell_where_the_bases_lie(count: int) -> None:
    at = np.random.default_rng(count).uniform(size=count).tolist()
    found = places_along(at)
    middle = [place is not None for place in found]
    assert sum(middle) == (max(0, (count - 1) // 2) if count >= 4 else 0)
    for own, place in zip(at, found, strict=True):
        if place is None:
            continue
        near, other, far = place.near, place.other, place.far
        assert len({near, other, far}) == 3 and not any(middle[end] for end in (near, other, far))
        assert (1 - place.share) * at[near] + place.share * at[other] == pytest.approx(own)
        assert (1 + place.beyond) * at[near] - place.beyond * at[far] == pytest.approx(own)
        assert 0.0 < place.share < 1.0 and place.beyond > 0.0


def test_equal_places_are_no_line() -> None:
    assert places_along([0.1, 0.2, 0.2, 0.3, 0.4]) == [None] * 5
