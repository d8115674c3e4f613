"""Every picture of the documentation exists, is shown somewhere, says what it shows, and can be drawn again."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from scripts.environment import target_named
from tests.realdata import ROOT

PICTURES = ROOT / "docs" / "pictures"
FILES = sorted(PICTURES.glob("*.svg"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MOST_BYTES = 120_000
SVG = "{http://www.w3.org/2000/svg}"


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def images(text: str) -> list[tuple[str, str]]:
    """Alternative text and target of every image of a page, code left out."""
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"!\[([^\]]*)\]\(([^)\s]+)[^)]*\)", text)


IMAGES = [(page, *image) for page in PAGES for image in images(page.read_text(encoding="utf-8"))]


def test_images_are_found_outside_code_only() -> None:
    page = "![one thing](a.svg)\n```md\n![in code](b.svg)\n```\n[![linked](c.svg)](d.md)\n"
    assert images(page) == [("one thing", "a.svg"), ("linked", "c.svg")]


@pytest.mark.parametrize("page, words, target", IMAGES, ids=[f"{shown(p)}-{t}" for p, _, t in IMAGES])
def test_an_image_exists_and_is_described(page: Path, words: str, target: str) -> None:
    if "://" not in target:
        assert (page.parent / target).is_file(), f"{shown(page)} shows {target}, which does not exist"
    assert len(words.split()) >= 5, f"{target} needs a sentence for readers who do not see it"


@pytest.mark.parametrize("picture", FILES, ids=shown)
def test_a_picture_is_shown_or_listed(picture: Path) -> None:
    targets = {(page.parent / target).resolve() for page, _, target in IMAGES}
    index = ROOT / "docs" / "README.md"
    links = re.findall(r"\]\(([^)#\s]+)", index.read_text(encoding="utf-8"))
    assert picture in targets | {(index.parent / link).resolve() for link in links}


@pytest.mark.parametrize("picture", FILES, ids=shown)
def test_a_picture_is_a_small_complete_svg(picture: Path) -> None:
    root = ElementTree.parse(picture).getroot()
    assert root.tag == f"{SVG}svg"
    assert picture.stat().st_size <= MOST_BYTES
    # What is shown by reference must be in the file: an img element loads nothing else.
    names = {node.get("id") for node in root.iter()} - {None}
    assert {node.get("href") for node in root.iter(f"{SVG}use")} <= {f"#{name}" for name in names}
    assert any(node.get("fill") == "white" for node in root.findall(f"{SVG}rect")), (
        "a dark page shows through"
    )


@pytest.mark.parametrize("picture", FILES, ids=shown)
def test_a_picture_has_the_script_that_draws_it(picture: Path) -> None:
    script = picture.with_suffix(".py")
    assert script.is_file()
    assert "def chart()" in script.read_text(encoding="utf-8")
    assert f'"{picture.stem}"' in (PICTURES / "__main__.py").read_text(encoding="utf-8")


def test_make_knows_what_drawing_needs() -> None:
    target = target_named("pictures")
    assert target.folder == ROOT / ".venv-docs"
    assert any(line.startswith("playwright") for line in target.groups["drawing tools"])
    needed = [line for group in target.groups.values() for line in group]
    assert all(any(line.startswith(name) for line in needed) for name in ("altair", "vl-convert-python"))
