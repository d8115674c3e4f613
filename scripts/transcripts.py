"""Run the commands that a page shows, and write what they print into it: ``transcripts.py docs/commands.md``.

In a page, the first ``python`` block that is not a dialogue makes the files that the commands need. A ``console`` block
holds commands behind ``$`` and their output; ``> file`` and ``| head -N`` are understood. Everything is run in one
process, in a folder that is thrown away.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.main import main

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MAKING = re.compile(r"^```python\n(?!>>>)(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Shown:
    """A command as a page shows it, and the output it shows."""

    command: str
    output: str


def shown(block: str) -> list[Shown]:
    """The commands of a console block."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)
    return [Shown(*_halves(part)) for part in parts if part.strip()]


def _halves(part: str) -> tuple[str, str]:
    command, _, output = part.partition("\n")
    return command.strip(), output.rstrip() + "\n" if output.strip() else ""


def shown_in(page: str) -> list[Shown]:
    """Every command that a page shows."""
    return [each for block in BLOCK.findall(page) for each in shown(block)]


@contextlib.contextmanager
def prepared(page: str) -> Iterator[Path]:
    """A folder with the files that the page's first Python block makes; commands are run in it."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            found = MAKING.search(page)
            if found:
                exec(compile(found[1], "page", "exec"), {})
            yield Path(folder)
        finally:
            os.chdir(before)


def run(command: str) -> str:
    """What a command prints: standard output, or the sentence on the error stream."""
    text, _, file = command.partition(" > ")
    text, _, head = text.partition(" | head -")
    words = shlex.split(text)
    said = Path(words[1]).read_text(encoding="utf-8") if words[0] == "cat" else _said(words)
    if file:
        Path(file.strip()).write_text(said, encoding="utf-8")
        return ""
    return "".join(said.splitlines(keepends=True)[: int(head)]) if head else said


def _said(words: list[str]) -> str:
    if words[0] != "assay":
        raise ValueError(f"{shlex.join(words)!r} is not a command of assay.")
    out, err = _Captured(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words[1:])
    return out.text() if code == 0 else err.getvalue()


class _Captured(io.TextIOWrapper):
    """Standard output in memory, its bytes included."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)

    def text(self) -> str:
        self.flush()
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue().decode("utf-8")


def renewed(page: str) -> str:
    """The page with every output replaced by what its command prints now."""
    with prepared(page):
        return BLOCK.sub(lambda found: f"```console\n{_again(found[1])}```", page)


def _again(block: str) -> str:
    parts = (f"$ {each.command}\n" + _trimmed(run(each.command)) for each in shown(block))
    return "\n".join(parts)


def _trimmed(output: str) -> str:
    lines = [line.rstrip() for line in output.strip("\n").splitlines()]
    return "\n".join(lines) + "\n" if lines else ""


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name).resolve()
        text = renewed(path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8")
