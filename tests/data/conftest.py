"""One PostgreSQL server for the tests that ask for it, started by the first and stopped after the last."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.postgres import Server


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with Server.start() as running:
        yield running
