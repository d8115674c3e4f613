"""The simulation of coverage: a file that grows, is continued, and gives a table."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import numpy as np
import pytest

from assay import compare
from benchmarks.coverage import Task, main, measure, parse, read_lines, table
from benchmarks.populations import POPULATIONS, Population

FEW = ["--candidates", "baseline", "gaussian_nb", "fisher", "--new-rows", "500", "--processes", "1"]


def test_a_run_is_continued(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "coverage.jsonl"
    main(["--populations", "small", "--samples", "2", "--out", str(path), *FEW])
    first = path.read_text()
    path.write_text(first + '{"population": "small", "sam')  # it was killed in the middle of a line
    main(["--populations", "small", "noise", "--samples", "3", "--out", str(path), *FEW])
    lines = read_lines(path)
    assert path.read_text().startswith(first) and len(lines) == 6
    assert {(line["population"], line["sample"]) for line in lines} == {
        (name, sample) for name in ("small", "noise") for sample in range(3)
    }
    assert capsys.readouterr().out.count("| 6 columns of noise, random labels | 100 | 3 |") == 1


def test_a_sample_is_compared_as_compare_does_it() -> None:
    names = ("baseline", "gaussian_nb", "fisher")
    task = Task("three_classes", 1, names, "kfold:10", 200)
    line = measure(task)
    population = next(each for each in POPULATIONS if each.name == "three_classes")
    X, y = population.take(np.random.default_rng([zlib.crc32(b"three_classes"), 1]))
    result = compare(X, y, candidates=names, random_state=1, budget=None, progress=False)
    assert result.nested_error == line["error"]
    assert list(result.nested.error_interval) == line["interval"]


def test_the_table_counts_misses_on_either_side() -> None:
    base = {"population": "noise", "error": 0.5, "interval": [0.4, 0.6], "wilson": [0.42, 0.58]}
    lines = [{**base, "truth": truth} for truth in (0.5, 0.39, 0.61, 0.46)]
    assert table(lines).splitlines()[-1] == (
        "| 6 columns of noise, random labels | 100 | 4 | 0.500 | 0.250 | 0.250 | 1.25 | 0.500 | 0.490 |"
    )
    assert json.loads(json.dumps(lines)) == lines


@pytest.mark.parametrize("population", POPULATIONS, ids=lambda population: population.name)
def test_populations_have_the_rows_that_they_say(population: Population) -> None:
    X, y = population.take(np.random.default_rng(0))
    assert len(X) == len(y) == population.rows and np.bincount(y).min() >= population.fewest
    if population.name == "balanced_noise":
        assert np.bincount(y).tolist() == [50, 50]


def test_options_have_defaults() -> None:
    options = parse(["--out", "x"])
    assert options.samples == 400 and len(options.populations) == 9
