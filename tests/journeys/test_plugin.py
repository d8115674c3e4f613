"""A package with a card of its own, installed into an environment of its own: its model wins a comparison there."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.realdata import ROOT


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that has the example, and reads everything else from this one."""
    folder = tmp_path_factory.mktemp("plugin")
    venv.create(folder / "env", symlinks=True)
    interpreter = folder / "env" / "bin" / "python"
    ours = sysconfig.get_path("purelib")
    theirs = next((folder / "env" / "lib").glob("python*")) / "site-packages"
    (theirs / "ours.pth").write_text(f"import site; site.addsitedir({ours!r})\n")
    package = shutil.copytree(ROOT / "examples" / "plugin", folder / "plugin")  # builds leave files behind
    words = [
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
        "--no-warn-script-location",
    ]
    subprocess.run([interpreter, "-m", "pip", *words, package], check=True, capture_output=True)
    return interpreter


def assay(python: Path, *words: str, cwd: Path) -> Any:
    done = subprocess.run(
        [python, "-m", "assay", *words, "--json"], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_card_of_an_installed_package_wins_a_comparison(python: Path, tmp_path: Path) -> None:
    generator = np.random.default_rng(0)
    radius, angle = generator.uniform(0.0, 8.0, 400), generator.uniform(0.0, 2.0 * np.pi, 400)
    rows = zip(radius * np.cos(angle), radius * np.sin(angle), radius.astype(int) % 2, strict=True)
    lines = [f"{x:.4f},{y:.4f},{'oe'[parity]}" for x, y, parity in rows]
    (tmp_path / "rings.csv").write_text("x,y,ring\n" + "\n".join(lines) + "\n")
    listed = [model["name"] for model in assay(python, "models", cwd=tmp_path)["models"]]
    assert listed[-1] == "rings" and "knn" in listed
    words = ("compare", "rings.csv", "--target", "ring", "--plan", "kfold:4", "--out", "run", "--quiet")
    figures = assay(python, *words, cwd=tmp_path)
    assert (figures["best"], figures["recommended"]) == ("rings", "rings")
    row = figures["leaderboard"][0]
    assert row["setting"]["n_rings"] > 4 and row["interpretability"] == "unknown"
    assert figures["model"] is None and figures["report"] is not None
    assert len(figures["leaderboard"]) > 15
    reopened = assay(python, "report", "run", cwd=tmp_path)
    assert Path(tmp_path / reopened["report"]).exists()


def test_it_is_not_installed_here() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "assay", "models", "--quiet"], capture_output=True, text=True, check=True
    )
    assert "rings" not in done.stdout.split()
