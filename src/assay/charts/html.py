"""One HTML file that needs no network.

Charts are drawn by Vega-Lite, which stands in the page, with Vega's expression interpreter: nothing is evaluated, and
the page's content security policy names the two scripts and the style sheet it contains by their hashes and allows
nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from assay.charts.document import Figure, Panel, Section, Verdict
from assay.charts.palette import DARK, DASHES, LIGHT, config, variables
from assay.notes.numbers import count
from assay.types import Json

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class PageHeader:
    """The head of a page: its title, a line above it, and the answer, with its name in the menu."""

    title: str
    kicker: str
    menu: str
    verdict: Verdict
    date: str | None = None


def compose(cover: PageHeader, shown: list[Section]) -> str:
    """A page of any subject in the look of the report."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["count"] = count
    environment.globals["dashes"] = DASHES
    style, script = _style(), (TEMPLATES / "page.js").read_text(encoding="utf-8")
    specs = {
        f"{part.key}-{at}": as_json(specification(panel))
        for section in shown
        for part in section.parts
        if isinstance(part, Figure)
        for at, panel in enumerate(part.panels)
    }
    return environment.get_template("page.html").render(
        cover=cover,
        sections=shown,
        specs={key: Markup(text) for key, text in specs.items()},
        config=Markup(as_json(config())),
        style=Markup(style),
        bundle=Markup(bundle()),
        script=Markup(script),
        policy=policy((bundle(), script), (style,)),
    )


def specification(panel: Panel) -> dict[str, Json]:
    """A chart as plain data, without what the page sets for all."""
    # Checking against Vega-Lite's schema would double the time of a page; the tests do it.
    spec: dict[str, Json] = panel.chart.to_dict(validate=False)
    for name in ("config", "$schema"):
        spec.pop(name, None)
    return spec


def as_json(value: Json) -> str:
    """JSON that may stand in a script element: no text in it ends the element or a line of script."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for mark in "<>&\u2028\u2029":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text


@cache
def bundle() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script."""
    import vl_convert

    # Its default script puts the three libraries where page.js finds them; the stub knows of no default.
    text: str = vl_convert.javascript_bundle()  # type: ignore[call-arg]
    # Neither may occur in a script element; inside strings and patterns these spellings mean the same.
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _style() -> str:
    text = (TEMPLATES / "page.css").read_text(encoding="utf-8")
    return text.replace("/* LIGHT */", variables(LIGHT)).replace("/* DARK */", variables(DARK))


def policy(scripts: tuple[str, ...], styles: tuple[str, ...]) -> str:
    """Content security policy: these scripts and styles, nothing else from anywhere."""
    script, style = (" ".join(_hash(text) for text in texts) for texts in (scripts, styles))
    return f"default-src 'none'; script-src {script}; style-src {style}; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"
