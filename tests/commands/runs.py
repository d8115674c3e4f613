"""Running the program as people do: from a shell, in a pipe, on a terminal of a given size."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

from tests.realdata import ROOT

COMMAND = [sys.executable, "-m", "assay"]
# What a developer's shell may set and a test must not inherit.
UNSET = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "ASSAY_DEBUG", "ASSAY_THREADS", "PYTHONIOENCODING")


def environment(**changes: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in UNSET}
    return kept | {"TERM": "xterm-256color", "PYTHONUTF8": "1"} | changes


def in_pipe(*arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
    """Standard output and error as text, with no terminal anywhere."""
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=ROOT,
        env=environment(**changes),
        capture_output=True,
        text=True,
        check=False,
    )


def on_terminal(columns: int, *arguments: str) -> tuple[int, str]:
    """Exit code and everything a terminal of this width received, control codes included."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    process = subprocess.Popen([*COMMAND, *arguments], cwd=ROOT, env=environment(), **streams)
    os.close(theirs)
    received = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # Linux reports the end of a terminal as an error
            break
        if not part:
            break
        received += part
    os.close(ours)
    return process.wait(), received.decode()


def visible(text: str) -> list[str]:
    """Lines as they stand on the screen: control codes gone, and of a line written twice the last version."""
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
    return [line.split("\r")[-1].rstrip() for line in plain.replace("\r\n", "\n").split("\n")]
