"""The browser of the report's tests, for journeys that end in one."""

from __future__ import annotations

from tests.report.test_browser import browser as browser
