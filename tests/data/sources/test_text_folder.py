"""Folders of class-named folders of texts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from assay import read
from assay.commands.describe.job import describe
from assay.data import Column, Schema
from assay.data.sources import text_folder as folder_module
from assay.data.sources.text_folder import FolderStream
from tests.raised import raises


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def rows(stream: FolderStream, size: int = 65536) -> list[tuple[str, str]]:
    return [(row["text"], row["class"]) for batch in stream.batches(size) for row in batch.to_pylist()]


@pytest.fixture
def reviews(tmp_path: Path) -> Path:
    files: dict[str, str | bytes] = {
        "praise/b.txt": "lovely",
        "praise/a.md": "very good",
        "praise/more/c": "grand",
        "blame/z.txt": "dull",
        "blame/Z.txt": "dear me",
        "blame/.hidden": b"\0",
        ".git/config": "no class",
        "README.txt": "beside the classes",
    }
    return write(tmp_path / "reviews", files)


def test_texts_come_with_their_class_in_the_order_of_names(reviews: Path) -> None:
    stream = FolderStream(reviews)
    assert stream.names == ("text", "class")
    assert stream.target == "class"
    assert stream.name == "reviews"
    expected = [
        ("dear me", "blame"),
        ("dull", "blame"),
        ("very good", "praise"),
        ("lovely", "praise"),
        ("grand", "praise"),
    ]
    assert rows(stream) == expected
    assert rows(stream) == expected, "a second pass gives the same rows"
    assert [stream.place(row) for row in (0, 4)] == [
        f"file {Path('blame/Z.txt')}",
        f"file {Path('praise/more/c')}",
    ]


def test_the_order_does_not_depend_on_the_file_system(reviews: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = rows(FolderStream(reviews))
    listed = Path.iterdir
    monkeypatch.setattr(Path, "iterdir", lambda path: iter(sorted(listed(path), reverse=True)))
    assert rows(FolderStream(str(reviews))) == usual


@pytest.mark.parametrize("size", [1, 2, 3, 5, 6])
def test_batches_hold_at_most_so_many_rows(reviews: Path, size: int) -> None:
    sizes = [batch.num_rows for batch in FolderStream(reviews).batches(size)]
    assert sum(sizes) == 5
    assert sizes[:-1] == [size] * (len(sizes) - 1)


def test_long_texts_make_small_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_module, "BATCH_CHARACTERS", 1000)
    files: dict[str, str | bytes] = {f"{label}/{i}": "x" * 400 for label in "ab" for i in range(5)}
    sizes = [batch.num_rows for batch in FolderStream(write(tmp_path, files)).batches()]
    assert sizes == [3, 3, 3, 1]


def test_utf8_else_latin1(tmp_path: Path) -> None:
    write(
        tmp_path, {"a/1": "naïve", "a/2": "naïve".encode("latin-1"), "b/1": b"\xef\xbb\xbfmarked", "b/2": ""}
    )
    assert rows(FolderStream(tmp_path)) == [("naïve", "a"), ("naïve", "a"), ("marked", "b"), ("", "b")]


@pytest.mark.parametrize("text", ["\u2028 and \x85 are no line ends here", "a\r\nb\n", "\U0001f600"])
def test_a_text_is_kept_as_it_is(tmp_path: Path, text: str) -> None:
    assert rows(FolderStream(write(tmp_path, {"a/1": text, "b/1": "x"})))[0] == (text, "a")


def test_what_is_no_text_is_skipped_and_counted(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"a/1": "x", "b/0.png": b"\x89PNG\0\0", "b/1": "y", "b/2": "z"}
    stream = FolderStream(write(tmp_path / "mail", files))
    assert stream.note == ""
    assert rows(stream) == rows(stream) == [("x", "a"), ("y", "b"), ("z", "b")]
    assert stream.note == (
        f"1 file of mail was skipped, because it is not text: {Path('b/0.png')} is binary (byte 5 is NUL)."
    )
    assert stream.place(1) == f"file {Path('b/1')}"
    write(tmp_path / "mail", {"b/3.bin": b"\0"})
    rows(stream)
    assert "2 files of mail were skipped, because they are not text; the first, b" in stream.note


def test_the_note_about_skipped_files_reaches_the_table(tmp_path: Path) -> None:
    write(tmp_path / "mail", {"a/1": "x", "b/1": "y", "b/picture": b"\0"})
    table = read(tmp_path / "mail")
    assert table.n_rows == 2 and table.schema["text"].type == "text"  # however short they are
    assert "1 file of mail was skipped" in table.schema["text"].note
    assert "1 file of mail was skipped" in describe(tmp_path / "mail").findings[0].sentence


def test_a_class_without_a_single_text_is_named(tmp_path: Path) -> None:
    write(tmp_path, {"a/1": "x", "b/picture": b"\0"})
    with raises("D055", file="picture"):
        read(tmp_path)


def test_new_texts_need_no_class_folders(tmp_path: Path) -> None:
    stream = FolderStream(write(tmp_path / "new", {"2.txt": "two", "1.txt": "one", "3.bin": b"\0"}))
    assert stream.names == ("text",) and stream.target is None
    assert [row["text"] for batch in stream.batches() for row in batch.to_pylist()] == ["one", "two"]
    assert stream.place(1) == "file 2.txt" and "1 file of new was skipped" in stream.note
    schema = Schema((Column("text", "text"),))
    assert read(tmp_path / "new", schema=schema)["text"].to_pylist() == ["one", "two"]


def test_folders_that_are_no_classes(tmp_path: Path) -> None:
    with raises("D046", FileNotFoundError):
        FolderStream(tmp_path / "absent")
    with raises("D048"):
        FolderStream(tmp_path)
    write(tmp_path, {"one.txt": "text", ".hidden/file": "x"})
    with raises("D227"):
        read(tmp_path)
    with raises("D047", NotADirectoryError):
        FolderStream(tmp_path / "one.txt")
    write(tmp_path, {"praise/one.txt": "text"})
    with raises("D228", subfolder="praise"):
        read(tmp_path)


@pytest.mark.parametrize("inside", [None, ".hidden", "nested/.hidden"])
def test_an_empty_class_folder_is_named(tmp_path: Path, inside: str | None) -> None:
    write(tmp_path, {"praise/one.txt": "text"})
    (tmp_path / "blame").mkdir()
    if inside:
        write(tmp_path / "blame", {inside: "x"})
    with raises("D054"):
        FolderStream(tmp_path)


def test_links(tmp_path: Path) -> None:
    root = write(tmp_path / "root", {"a/1": "x", "b/1": "y"})
    write(tmp_path / "elsewhere", {"2": "z"})
    (root / "c").symlink_to(tmp_path / "elsewhere")
    (root / "a" / "round").symlink_to(root)
    assert [label for _, label in rows(FolderStream(root))] == ["a", "b", "c"]
    (root / "b" / "gone").symlink_to(tmp_path / "nowhere")
    stream = FolderStream(root)
    assert (
        len(rows(stream)) == 3 and "gone is neither a file nor a folder, or is a link without" in stream.note
    )


def test_an_unreadable_file_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = FolderStream(write(tmp_path, {"a/1": "x", "b/1": "y", "b/2": "z"}))
    read_bytes = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.name == "1" and path.parent.name == "b":  # root may read anything, so this is played
            raise PermissionError(13, "Permission denied", str(path))
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert rows(stream) == [("x", "a"), ("z", "b")]
    assert f"{Path('b/1')} cannot be read (Permission denied)" in stream.note


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in this file system")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    stream = FolderStream(write(tmp_path, {"a/1": "x", "b/1": "y"}))
    os.mkfifo(tmp_path / "b" / "pipe")
    assert len(rows(stream)) == 2 and "pipe is neither a file nor a folder" in stream.note


def test_a_class_name_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    write(tmp_path, {"a/1": "x", "b/1": "y"})
    try:
        os.mkdir(os.fsencode(tmp_path) + b"/\xff")
    except OSError:
        return  # this file system has no such names
    write(tmp_path, {"\udcff/1": "z"})
    with raises("D051"):
        FolderStream(tmp_path)
