"""Database addresses: what is accepted, what is shown, and that no password is."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.data.sources.database_address import CONNECT_SECONDS, parse_address, without_password
from tests.raised import raises

WAIT = f"connect_timeout={CONNECT_SECONDS}"


@pytest.fixture(autouse=True)
def no_timeout_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PGCONNECT_TIMEOUT", raising=False)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("postgresql://ann:secret@db.example.org:5432/shop", "postgresql://ann@db.example.org:5432/shop"),
        ("postgres://ann:secret@db/shop", "postgresql://ann@db/shop"),
        ("PostgreSQL://db/shop", "postgresql://db/shop"),
        ("postgresql://", "postgresql://"),
        ("postgresql:///shop?host=/run/pg&user=ann&password=secret", "postgresql:///shop"),
        ("postgresql://ann:se:cr?et@[::1]:5432/shop", "postgresql://ann@[::1]:5432/shop"),
        ("postgresql://ann:secret@one:1,two:2/shop", "postgresql://ann@one:1,two:2/shop"),
    ],
)
def test_a_server_is_shown_without_password_and_options(text: str, shown: str) -> None:
    address = parse_address(text)
    assert address.kind == "postgresql"
    assert address.shown == shown
    assert "secret" not in repr(address)
    assert address.uri.endswith(WAIT)


@pytest.mark.parametrize(
    "text", ["postgresql://h/d", "postgresql://h/d?", "postgresql://h/d?sslmode=disable"]
)
def test_a_server_that_does_not_answer_is_not_waited_for(text: str) -> None:
    options = parse_address(text).uri.partition("?")[2].split("&")
    assert WAIT in options
    assert parse_address("postgresql://h/d?connect_timeout=3").uri == "postgresql://h/d?connect_timeout=3"


def test_the_users_own_time_limit_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGCONNECT_TIMEOUT", "2")
    assert parse_address("postgresql://h/d").uri == "postgresql://h/d"


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://ann:sec/ret@db/shop",
        "postgresql://ann:sec@ret@db/shop",
        "postgresql://ann:sec/r?et@db/shop",
        "postgresql://ann:sec%ret@db/shop",
        "postgresql://ann:sec%00ret@db/shop",
        "postgresql://ann:secret@[db/shop",
        "postgresql://ann:secret",
        "postgresql://ann:secret@db:port/shop",
    ],
)
def test_a_malformed_address_is_not_repeated(text: str) -> None:
    with raises("D021") as caught:
        parse_address(text)
    assert "sec" not in str(caught.value)


def test_messages_are_cleaned_of_passwords() -> None:
    address = parse_address("postgresql://ann:a%40b@db/shop?sslpassword=x%20y")
    assert address.clean('wrong "a@b" or "a%40b" or "x y"') == 'wrong "***" or "***" or "***"'
    assert address.clean('cannot read "postgresql://ann:a%40b@db"') == 'cannot read "postgresql://ann:***@db"'
    assert address.clean(f'cannot read "{address.uri}"') == 'cannot read "postgresql://ann@db/shop"'
    assert address.clean("no number: 'http://a.b'") == "no number: 'http://a.b'"  # of the data, or the query


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("data/adult.csv", "data/adult.csv"),
        ("C:\\data\\a@b:c.csv", "C:\\data\\a@b:c.csv"),
        ("sqlite:///a b.db", "sqlite:///a b.db"),
        ("postgresql://db:5432/shop?sslmode=require", "postgresql://db:5432/shop?sslmode=require"),
        ("postgres://ann:secret@db:5432/shop", "postgres://ann@db:5432/shop"),
        ("postgresql://ann:se@cr/et@db/shop", "postgresql://ann@db/shop"),
        ("postgresql:///shop?user=ann&password=secret&port=1", "postgresql:///shop?user=ann&port=1"),
        ("postgresql:///shop?password=secret&sslpassword=secret", "postgresql:///shop"),
        ("mysql+driver://ann:secret@db/shop", "mysql+driver://ann@db/shop"),
    ],
)
def test_a_source_can_be_shown_and_stored_without_password(source: str, shown: str) -> None:
    assert without_password(source) == shown


def test_other_databases_are_refused() -> None:
    with raises("D020", scheme="mysql") as caught:
        parse_address("mysql://ann:secret@db/shop")
    assert "secret" not in str(caught.value)


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "a #?%20 shop.db"
    file.touch()
    relative = parse_address(f"sqlite:///{file.name}")
    absolute = parse_address(f"sqlite:////{file.as_posix().lstrip('/')}")
    three_slashes = parse_address(f"sqlite://{file.as_posix()}")
    assert relative.shown == f"sqlite:///{file.name}"
    assert relative.uri == absolute.uri == three_slashes.uri
    assert relative.uri.endswith("/a%20%23%3F%2520%20shop.db?mode=ro")
    assert absolute.shown == three_slashes.shown == f"sqlite:////{file.as_posix().lstrip('/')}"


def test_files_that_are_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with raises("D024", FileNotFoundError, path="shop.db"):
        parse_address("sqlite:///shop.db")
    with raises("D023", IsADirectoryError):
        parse_address(f"sqlite:///{tmp_path}")
    for text in ("sqlite://", "sqlite:///", "sqlite://shop.db"):
        with raises("D022"):
            parse_address(text)
    assert list(tmp_path.iterdir()) == []
