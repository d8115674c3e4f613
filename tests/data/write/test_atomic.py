"""Files are written whole or not at all."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.data.write.atomic import check_writable, write_atomic, write_bytes, write_text
from tests.raised import Expected, raises


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    assert write_text(path, "eins\r\n") == path
    assert path.read_bytes() == b"eins\r\n"
    write_bytes(str(path), b"zwei")
    assert path.read_bytes() == b"zwei"
    assert os.listdir(tmp_path) == ["notes.txt"]


def test_permissions_of_a_replaced_file_stay(tmp_path: Path) -> None:
    path = write_text(tmp_path / "run.txt", "a")
    assert path.stat().st_mode & 0o777 == 0o666 & ~_umask()
    path.chmod(0o640)
    write_text(path, "b")
    assert path.stat().st_mode & 0o777 == 0o640


def _umask() -> int:
    now = os.umask(0)
    os.umask(now)
    return now


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    write_text(tmp_path / "real" / "a.txt", "old")
    link = tmp_path / "link.txt"
    link.symlink_to(tmp_path / "real" / "a.txt")
    write_text(link, "new")
    assert link.is_symlink() and (tmp_path / "real" / "a.txt").read_text() == "new"


@pytest.mark.parametrize("failure", [RuntimeError("halfway"), KeyboardInterrupt()])
def test_a_writer_that_fails_leaves_the_old_file(tmp_path: Path, failure: BaseException) -> None:
    path = write_text(tmp_path / "a.txt", "old")

    def half(file: Any) -> None:
        file.write(b"ne")
        raise failure

    with pytest.raises(type(failure)):
        write_atomic(path, half)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.ENODEV])
def test_a_failing_disk_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    path = write_text(tmp_path / "a.txt", "old")

    def fail(_: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError) as caught:
        write_text(path, "new")
    assert caught.value.errno == code
    assert str(caught.value).startswith(f"{str(path)!r} cannot be written: ")
    assert str(caught.value).endswith(".") and "\n" not in str(caught.value)
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.skipif(sys.platform != "linux", reason="other: /dev/full is Linux's")
def test_a_full_device_is_one_sentence() -> None:
    assert check_writable("/dev/full") == Path("/dev/full")
    with raises("F710", OSError, subject="/dev/full"):
        write_text("/dev/full", "text")
    write_text("/dev/null", "text")
    assert Path("/dev/null").is_char_device()


@pytest.mark.skipif(sys.platform == "win32", reason="other: resource limits are Unix's")
def test_a_real_limit_while_writing_leaves_nothing(tmp_path: Path) -> None:
    path = write_text(tmp_path / "a.bin", "old")
    program = (
        "import resource, signal, sys\n"
        "from assay.data.write.atomic import write_bytes\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try:\n    write_bytes(sys.argv[1], bytes(100_000))\n"
        "except OSError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True)
    assert done.stdout.startswith(f"{str(path)!r} cannot be written: the file would exceed"), done.stderr
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["a.bin"]


@pytest.mark.parametrize("call", [check_writable, lambda path: write_text(path, "x")])
@pytest.mark.parametrize(
    ("make", "kind", "expected"),
    [
        (lambda folder: folder, IsADirectoryError, Expected("F717")),
        (lambda folder: folder / "none" / "x", FileNotFoundError, Expected("F718")),
        (lambda folder: write_text(folder / "f", "") / "x", NotADirectoryError, Expected("F719")),
        (lambda folder: folder / ("x" * 300), OSError, Expected("F715")),
    ],
)
def test_a_place_that_does_not_do_is_told(
    tmp_path: Path,
    call: Callable[[Path], Path],
    make: Callable[[Path], Path],
    kind: type[OSError],
    expected: Expected,
) -> None:
    path = make(tmp_path)
    before = sorted(os.listdir(tmp_path))
    with raises(expected, kind) as caught:
        call(path)
    assert "\n" not in str(caught.value)
    assert sorted(os.listdir(tmp_path)) == before


def test_a_folder_without_permission_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with raises("F713", PermissionError):
        check_writable(tmp_path / "a")


def test_checking_leaves_nothing(tmp_path: Path) -> None:
    assert check_writable(tmp_path / "a.txt") == tmp_path / "a.txt"
    assert os.listdir(tmp_path) == []
    path = write_text(tmp_path / "b.txt", "old")
    check_writable(path)
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["b.txt"]
