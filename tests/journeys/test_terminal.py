"""On a real terminal: a bar with the time left while one waits, nothing of it afterwards, none of it in a pipe."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path

from assay.notes import Note
from tests.commands.runs import environment, visible
from tests.journeys.steps import ended, start, write_blobs

ASKED = ("compare", "blobs.csv", "--target", "class", "--candidates", "baseline,fisher,decision_tree")
PLAN = ("--plan", "kfold:5")
# A session of its own whose terminal is the given one, so that Ctrl-C typed there reaches the program.
PROGRAM = (
    "import fcntl, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "from assay.main import main; sys.exit(main(sys.argv[1:]))"
)
HIDE, SHOW, ERASE = "\x1b[?25l", "\x1b[?25h", "\x1b[2K"


class Terminal:
    """A terminal of 100 columns with the program in it."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        self.before = termios.tcgetattr(theirs)
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *arguments],
            cwd=folder, env=environment(), stdin=theirs, stdout=theirs, stderr=theirs, text=True,
            start_new_session=True,
        )  # fmt: skip
        self.theirs = theirs
        self.received = ""

    def read(self, until: Callable[[str], bool] = lambda text: False) -> str:
        """What arrives, until it is enough or the program has ended."""
        os.set_blocking(self.ours, False)
        while not until(self.received):
            over = self.process.poll() is not None
            try:
                self.received += os.read(self.ours, 65536).decode("utf-8", "replace")
            except BlockingIOError:
                if over:
                    break
                select.select([self.ours], [], [], 0.1)
        return self.received

    def close(self) -> None:
        os.close(self.ours)
        os.close(self.theirs)


def test_a_bar_with_the_time_left_and_a_clean_screen_afterwards(tmp_path: Path) -> None:
    write_blobs(tmp_path, 4000)
    terminal = Terminal(tmp_path, *ASKED, *PLAN)
    with ended(terminal.process):
        text = terminal.read()
    assert terminal.process.returncode == 0, text
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
    bars = [line for line in re.split(r"[\r\n]+", plain) if "━" in line]
    assert any(re.search(r"Decision tree +━.*0:0\d:\d\d", line) for line in bars), bars
    # Only what was found is left; the bar was drawn over, and the cursor is back.
    shown = visible(text)
    assert text.rfind(ERASE) > text.rfind("━")
    assert text.rfind(SHOW) > text.rfind(HIDE) >= 0
    assert any(line.strip().startswith("Use ") for line in shown)
    # Nothing is wider than the terminal but a command to copy and the path of the model, which are one line.
    wide = [line for line in shown if len(line) > 100]
    assert all(re.fullmatch(r" {4}assay (compare|report|predict) .*|  Model: +\S+", line) for line in wide), (
        wide
    )
    assert any(line.startswith("    assay compare ") for line in wide)
    assert termios.tcgetattr(terminal.theirs) == terminal.before
    terminal.close()


def test_ctrl_c_leaves_a_clean_terminal(tmp_path: Path) -> None:
    write_blobs(tmp_path, 30_000)
    terminal = Terminal(tmp_path, *ASKED, *PLAN)
    with ended(terminal.process):
        terminal.read(until=lambda text: re.search(r"Decision tree.*0:\d\d:\d\d", text) is not None)
        os.write(terminal.ours, b"\x03")
        text = terminal.read()
    assert terminal.process.returncode == 130, text
    assert "Traceback" not in text
    assert text.rfind(SHOW) > text.rfind(HIDE) >= 0
    shown = [line for line in visible(text) if line.strip()]
    assert shown[-1] == "assay: interrupted."
    assert text.rfind(ERASE) > text.rfind("━")
    assert str(Note("C153")) in " ".join(" ".join(shown).split())
    assert termios.tcgetattr(terminal.theirs) == terminal.before
    terminal.close()


def test_a_pipe_gets_plain_lines(tmp_path: Path) -> None:
    write_blobs(tmp_path, 500)
    with ended(start(tmp_path, *ASKED, *PLAN)) as process:
        out, err = process.communicate()
    assert process.returncode == 0
    assert (out + err).isascii() and "\x1b" not in out + err and "\r" not in out + err
    lines = re.findall(r"^ *\d+ %  (\w+): error \d+\.\d % \(.* to .*\); .*s$", err, re.MULTILINE)
    assert lines == ["baseline", "fisher", "decision_tree"]
