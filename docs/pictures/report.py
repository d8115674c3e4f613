"""The README's first screen: its transcript, and a picture of the report that its command writes."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from scripts.transcripts import prepared, renewed, run, shown_in

ROOT = Path(__file__).resolve().parents[2]
README, PICTURE = ROOT / "README.md", Path(__file__).with_suffix(".png")
WIDTH, HEIGHT = 1100, 1900
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)


def renew_transcript(page: Path = README) -> None:
    """Every output in the page as its command prints it now."""
    page.write_text(renewed(page.read_text(encoding="utf-8")), encoding="utf-8")


def take_picture(picture: Path = PICTURE) -> int:
    """The report of the README's commands, photographed; the picture's size in bytes."""
    text = README.read_text(encoding="utf-8")
    with prepared(text) as folder:
        for each in shown_in(text):
            run(each.command)
        _photograph(folder / "demo" / "report.html", picture)
    return picture.stat().st_size


def _photograph(page: Path, picture: Path) -> None:
    from playwright.sync_api import sync_playwright

    browser_path = shutil.which("chromium")
    if browser_path is None:
        raise FileNotFoundError("There is no chromium; install it with `sudo apt install chromium`.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=FLAGS.split())
        view = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        view.goto(page.as_uri())
        view.wait_for_selector("figure svg")
        view.wait_for_timeout(500)  # the last chart is drawn after the first
        view.screenshot(path=str(picture))
        browser.close()


def main() -> int:
    renew_transcript()
    renew_transcript(ROOT / "docs" / "commands.md")
    sys.stdout.write(f"docs/pictures/report.png  {take_picture() / 1000:.0f} kB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
