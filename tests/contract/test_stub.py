"""The stub that mypy reads is the one that the build writes."""

from __future__ import annotations

from scripts.stub import SOURCE, built


def test_the_stub_in_the_sources_is_that_of_the_library() -> None:
    assert {path.name: path.read_text() for path in SOURCE.glob("*.pyi")} == built(), "run `make stub`"
