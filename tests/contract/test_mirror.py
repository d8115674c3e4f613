"""Where a test stands: every test module is named after the source that it tests, or stands in a room of its own."""

from __future__ import annotations

import ast
from pathlib import Path, PurePosixPath

import pytest

from tests.realdata import ROOT

# Tests of more than one source module, by what they have in common.
ROOMS = {"benchmarks", "contract", "docs", "fuzz", "golden", "journeys", "oracles", "scripts"}


def mirrored(module: str, root: Path = ROOT) -> bool:
    """Whether a test module, given by its path in tests/, is in a room or begins with the name of its source.

    ``a/test_b.py`` and ``a/test_b_groups.py`` mirror ``src/assay/a/b.py`` or the folder ``src/assay/a/b``;
    ``core/a/test_b.py`` mirrors the kernel ``core/a/b.cpp``, or its header.
    """
    path = PurePosixPath(module)
    if path.parts[0] in ROOMS:
        return True
    kernels = path.parts[0] == "core"
    folder = (root if kernels else root / "src" / "assay") / path.parent
    files = ("{}.cpp", "{}.hpp") if kernels else ("{}.py", "{}/__init__.py")
    words = path.stem.removeprefix("test_").split("_")
    names = ["_".join(words[:n]) for n in range(1, len(words) + 1)]
    return any((folder / file.format(name)).is_file() for name in names for file in files)


def borrowed_tests(source: str) -> list[str]:
    """Test modules from which a module imports."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    modules = [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    modules += [
        f"{node.module}.{alias.name}"
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    modules += [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    return sorted({name for name in modules if name.rpartition(".")[2].startswith("test_")})


def test_every_test_module_mirrors_its_source() -> None:
    modules = [path.relative_to(ROOT / "tests").as_posix() for path in (ROOT / "tests").rglob("test_*.py")]
    assert len(modules) > 200
    assert sorted(module for module in modules if not mirrored(module)) == []


def test_what_tests_share_is_no_test_module() -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")}
    borrowed = {path.relative_to(ROOT).as_posix(): borrowed_tests(text) for path, text in sources.items()}
    assert {path: modules for path, modules in borrowed.items() if modules} == {}


def test_imports_of_test_modules_are_found() -> None:
    assert borrowed_tests("from tests.a.test_b import rows") == ["tests.a.test_b"]
    assert borrowed_tests("from tests.a import test_b, tables") == ["tests.a.test_b"]
    assert borrowed_tests("def f():\n    import tests.test_c") == ["tests.test_c"]
    assert borrowed_tests("from tests.a.tables import rows") == []


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("a/test_b.py", True),
        ("a/test_b_groups.py", True),
        ("a/test_two_words.py", True),
        ("test_a.py", True),
        ("core/near/test_votes.py", True),
        ("journeys/test_anything.py", True),
        ("a/test_groups_b.py", False),
        ("a/test_two.py", False),
        ("a/test_a.py", False),
        ("test_b.py", False),
        ("core/test_votes.py", False),
        ("core/near/test_b.py", False),
        ("c/test_b.py", False),
    ],
)
def test_a_module_named_after_an_aspect_is_found(module: str, expected: bool, tmp_path: Path) -> None:
    for file in ("src/assay/a/__init__.py", "src/assay/a/b.py", "src/assay/a/two_words.py"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    (tmp_path / "core" / "near").mkdir(parents=True)
    (tmp_path / "core" / "near" / "votes.hpp").touch()
    assert mirrored(module, tmp_path) is expected
