"""The stub of public names is the one that the script writes."""

from __future__ import annotations

from scripts.public_names import PLACE, public_names


def test_the_stub_lists_every_public_name() -> None:
    assert PLACE.read_text(encoding="utf-8") == public_names(), "run python scripts/public_names.py"
