"""Writes src/assay/__init__.pyi, the public names for editors. Run `python scripts/public_names.py`."""

from __future__ import annotations

from pathlib import Path

import assay

PLACE = Path(__file__).parents[1] / "src" / "assay" / "__init__.pyi"
LINE = 110  # as the formatter wraps
HEAD = '"""The public names with their types; `__init__.py` loads them on use."""\n\n'


def public_names() -> str:
    """The stub: every public name, imported from its module; public modules come from their packages."""
    names = [(home, name) for home in assay._HOMES for name in assay._HOMES[home]]
    names += [(place.rpartition(".")[0], name) for name, place in assay._MODULES.items()]
    lines = [imported(home, name) for home, name in sorted(names)]
    end = "_HOMES: dict[str, list[str]]\n_MODULES: dict[str, str]\n__version__: str\n"
    return HEAD + "\n".join(lines) + "\n\n" + end


def imported(home: str, name: str) -> str:
    """The import of one name, in brackets where the line would be too long."""
    line = f"from {home} import {name} as {name}"
    return line if len(line) <= LINE else f"from {home} import (\n    {name} as {name},\n)"


if __name__ == "__main__":
    PLACE.write_text(public_names(), encoding="utf-8")
