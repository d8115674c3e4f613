"""Advice in the words of whoever asked."""

from __future__ import annotations

import pytest

from assay.notes.speech import said, spoken


def test_python_speaks_for_itself() -> None:
    assert said("Leave it out with drop=.") == "Leave it out with drop=."


def test_another_tongue_ends_where_it_began() -> None:
    with pytest.raises(ValueError, match="stop"), spoken(str.upper):
        assert said("aloud") == "ALOUD"
        raise ValueError("stop")
    assert said("aloud") == "aloud"
