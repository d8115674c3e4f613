"""Writes the stub of the core that was just built: ``python stub.py LIBRARY FOLDER``; CMake calls it.

The library is loaded by its path: an installed package of the same name may be older.
"""

import sys
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

from nanobind import stubgen

NAME = "assay._core"


def load(library: str) -> None:
    """The core under its full name, without the package around it."""
    spec = spec_from_file_location(NAME, library, loader=ExtensionFileLoader(NAME, library))
    assert spec is not None and spec.loader is not None
    package = sys.modules["assay"] = ModuleType("assay")
    package.__path__ = []
    package._core = sys.modules[NAME] = module_from_spec(spec)  # type: ignore[attr-defined]
    spec.loader.exec_module(sys.modules[NAME])


def main(library: str, folder: str) -> None:
    load(library)
    stubgen.main(["-q", "-r", "-m", NAME, "-O", folder])


if __name__ == "__main__":
    main(*sys.argv[1:])
