"""The stub of the compiled core, as the build wrote it beside the library: into the source tree, formatted.

mypy reads it there, and ``tests/contract/test_stub.py`` compares the two.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "assay" / "_core"


def built() -> dict[str, str]:
    """The text of each file, in the house format."""
    core = find_spec("assay._core")
    assert core is not None and core.origin is not None
    files = sorted((Path(core.origin).parent / "_core").glob("*.pyi"))
    return {path.name: formatted(path) for path in files}


def formatted(path: Path) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(SOURCE / path.name), "-"]
    done = subprocess.run(command, input=path.read_text(), capture_output=True, text=True, check=True)
    return done.stdout


def main() -> None:
    texts = built()
    SOURCE.mkdir(exist_ok=True)
    for path in SOURCE.glob("*.pyi"):
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        (SOURCE / name).write_text(text)


if __name__ == "__main__":
    main()
