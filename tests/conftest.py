"""Hypothesis profile, the browser, and the last line of a run: skipped tests counted by cause."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import settings

from tests.commands.conftest import loans  # noqa: F401
from tests.program import run  # noqa: F401
from tests.realdata import KINDS, require, required_kinds

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# A shared machine makes deadlines flaky; a CI run must fail for the same examples every time.
in_ci = os.environ.get("CI", "").lower() in {"1", "true"}
settings.register_profile("assay", deadline=None, derandomize=in_ci)
settings.load_profile("assay")


@pytest.fixture(scope="session", autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Runs that name no folder are kept in a cache of the tests, those of other processes too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One for all tests of a process: Playwright refuses to start twice."""
    chromium = shutil.which("chromium")
    if chromium is None:
        require("browser", "chromium absent (apt install chromium)")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        require("browser", "playwright absent (pip install playwright)")
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield started
        started.close()


class SkipCount:
    """Counts skipped tests by the kind named in their reason (``data: ../shared/data absent``)."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.reasons: dict[str, set[str]] = {}

    @staticmethod
    def split_reason(reason: str) -> tuple[str, str]:
        """The kind a skip reason starts with, and the rest; any other reason is of kind ``other``."""
        kind, colon, why = reason.removeprefix("Skipped: ").partition(": ")
        return (kind, why) if colon and kind in KINDS else ("other", reason)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # xdist hands every worker's report to the controller's hook, so one counter sees them all.
        # An expected failure is also reported as skipped, but nothing was missing.
        if not report.skipped or hasattr(report, "wasxfail"):
            return
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        kind, why = self.split_reason(reason)
        self.counts[kind] += 1
        self.reasons.setdefault(kind, set()).add(why)

    def line(self) -> str:
        """The summary, for example ``skipped: 3 data (../shared/data absent), 0 browser, 0 postgres``."""
        kinds = [*KINDS, *(["other"] if self.counts["other"] else [])]
        return "skipped: " + ", ".join(self._part(kind) for kind in kinds)

    def _part(self, kind: str) -> str:
        count = f"{self.counts[kind]} {kind}"
        reasons = sorted(self.reasons.get(kind, ()))
        if not reasons or kind == "other":
            return count
        return f"{count} ({abbreviate(reasons)})"

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self, config: pytest.Config) -> None:
        # Later than pytest's own totals, so that this is the last line of the output.
        reporter = config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.write_line(self.line())


def abbreviate(items: Iterable[str], shown: int = 3) -> str:
    """The first few items in words, the rest as a number."""
    every = list(items)
    rest = f" and {len(every) - shown} more" if len(every) > shown else ""
    return ", ".join(every[:shown]) + rest


def pytest_configure(config: pytest.Config) -> None:
    try:
        required_kinds()
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(SkipCount(), "assay-skip-count")
