"""A throw-away PostgreSQL server for tests, started from Debian's binaries; absent binaries are a skip.

    from tests.postgres import Server

    @pytest.fixture(scope="session")
    def server():
        with Server.start() as server:
            yield server

The server listens on a free port of 127.0.0.1, where a password is asked for, and on a socket in its own
folder, where it is not. It is stopped and its folder removed whatever happens in between.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.realdata import require

BINARIES = Path("/usr/lib/postgresql")
USER, PASSWORD, DATABASE = "assay", "open: sesame/@1", "assay"
# Nothing here has to survive a power cut; a session in another language would not say what the tests expect.
# Little memory makes a table of a megabyte a large one.
SETTINGS = {
    "shared_buffers": "1MB",
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "lc_messages": "C",
}
ATTEMPTS = 5


@dataclass(frozen=True)
class Server:
    """A running server: where its programs and files are, and how to reach it."""

    binaries: Path
    folder: Path
    port: int

    def address(self, *, user: str = USER, password: str = PASSWORD, database: str = DATABASE) -> str:
        """postgresql://user:password@127.0.0.1:port/database, with whatever needs it percent-encoded."""
        return f"postgresql://{user}:{quote(password, safe='')}@127.0.0.1:{self.port}/{database}"

    def run(self, sql: str, *, stdin: str | None = None, database: str = DATABASE) -> str:
        """Let psql run statements (`stdin` feeds a ``\\copy ... from stdin``); returns what it prints."""
        target = ["-h", str(self.folder), "-p", str(self.port), "-U", USER, "-d", database]
        command = [str(self.binaries / "psql"), "-XqAt", "-v", "ON_ERROR_STOP=1", *target, "-c", sql]
        done = subprocess.run(command, input=stdin, text=True, capture_output=True, env=_environment())
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def create_database(self, name: str) -> str:
        """A new, empty database; returns its address."""
        self.run(f'CREATE DATABASE "{name}"')
        return self.address(database=name)

    def connections(self) -> int:
        """Clients connected to the test databases at this moment, psql itself not counted."""
        return int(
            self.run(
                "SELECT count(*) FROM pg_stat_activity "
                "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
            )
        )

    @classmethod
    @contextmanager
    def start(cls) -> Iterator[Server]:
        """Set a server up in a folder of its own, and take both away afterwards."""
        binaries = find_binaries()
        # Not pytest's folder: only its owner may enter that, and a socket's path may have 107 bytes at most.
        folder = Path(tempfile.mkdtemp(prefix="assay-pg-"))
        try:
            owner = _unprivileged(folder)
            _create_cluster(binaries, folder, owner)
            port = _start(binaries, folder, owner)
            try:
                server = cls(binaries, folder, port)
                server.run(f"CREATE DATABASE {DATABASE}", database="postgres")
                yield server
            finally:
                _pg_ctl(binaries, folder, owner, "-m", "immediate", "stop")
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def find_binaries() -> Path:
    """The programs of the newest installed server; ends the test (see `require`) if there are none."""
    found = [path.parent for path in BINARIES.glob("*/bin/initdb")]
    if not found:
        require("postgres", f"{BINARIES}/*/bin absent")
    return max(found, key=lambda path: [int(part) for part in path.parent.name.split(".") if part.isdigit()])


def _unprivileged(folder: Path) -> dict[str, Any]:
    """Who runs the server, as arguments of subprocess: PostgreSQL refuses root, so root hands it to another."""
    if os.geteuid() != 0:
        return {}
    import pwd

    for name in ("postgres", "nobody"):
        try:
            person = pwd.getpwnam(name)
        except KeyError:
            continue
        os.chown(folder, person.pw_uid, person.pw_gid)
        return {"user": person.pw_uid, "group": person.pw_gid, "extra_groups": []}
    require("postgres", "root may not run a server, and there is neither a user postgres nor nobody")


def _create_cluster(binaries: Path, folder: Path, owner: dict[str, Any]) -> None:
    secret = folder / "password"
    secret.write_text(PASSWORD, encoding="utf-8")
    secret.chmod(0o644)  # the folder itself is closed to others
    command = [str(binaries / "initdb"), "-D", str(folder / "data"), "-U", USER, f"--pwfile={secret}"]
    command += [
        "--auth-local=trust",
        "--auth-host=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        "--no-sync",
    ]
    done = subprocess.run(command, cwd=folder, text=True, capture_output=True, env=_environment(), **owner)
    assert done.returncode == 0, done.stderr


def _start(binaries: Path, folder: Path, owner: dict[str, Any]) -> int:
    """Start the server and return its port; another process may take the free port first, hence the attempts."""
    for _ in range(ATTEMPTS):
        port = _free_port()
        options = {
            "port": port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": folder,
            **SETTINGS,
        }
        line = " ".join(f"-c {key}={value}" for key, value in options.items())
        if _pg_ctl(binaries, folder, owner, "-w", "-l", str(folder / "log"), "-o", line, "start") == 0:
            return port
    raise AssertionError((folder / "log").read_text(encoding="utf-8"))


def _pg_ctl(binaries: Path, folder: Path, owner: dict[str, Any], *arguments: str) -> int:
    command = [str(binaries / "pg_ctl"), "-D", str(folder / "data"), "-s", *arguments]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.run(command, cwd=folder, env=_environment(), **quiet, **owner).returncode


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _environment() -> dict[str, str]:
    """The environment without the user's own PGHOST, PGPASSWORD and so on."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PG")}
    return {**kept, "LC_ALL": "C"}
