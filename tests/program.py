"""The program run in process, as a shell would run it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from assay.main import main


class Done(NamedTuple):
    """What a run left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one JSON object on standard output; NaN and infinity are no JSON."""

        def refuse(constant: str) -> Any:
            raise AssertionError(f"{constant} is not JSON")

        parsed: dict[str, Any] = json.loads(self.out, parse_constant=refuse)
        return parsed

    @property
    def text(self) -> str:
        """Standard output as one line: paragraphs are wrapped."""
        return " ".join(self.out.split())


Run = Callable[..., Done]


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., Done]:
    """Runs the program in an empty folder, as a shell there would."""
    for name in ("COLUMNS", "ASSAY_DEBUG", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object) -> Done:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return Done(code, *capsys.readouterr())

    return call


def refused(done: Done, *words: str) -> None:
    """Check that a run ended with exit code 2 and one sentence that has these words."""
    assert done.code == 2, done
    assert done.out == ""
    assert done.err.startswith("assay: ") and done.err.count("\n") == 1, done.err
    assert "Traceback" not in done.err and "fault of Assay" not in done.err
    for word in words:
        assert word in done.err, done.err
