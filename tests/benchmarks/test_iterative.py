"""The workloads of linear and network classifiers on tiny inputs: what they compare, and what they say of it."""

from __future__ import annotations

import re
import stat
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks import harness
from benchmarks.data import make_classes
from benchmarks.harness import Settings
from benchmarks.rivals import glmnet, intelex
from benchmarks.rivals import sklearn_iterative as sklearn
from benchmarks.rows import Row
from benchmarks.workloads import (
    linear_svm,
    linear_svm_single,
    logistic,
    logistic_single,
    network,
    sparse_logistic,
)


@pytest.fixture(autouse=True)
def unrepeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody reads these figures: turns are not repeated, and no rival starts processes."""
    monkeypatch.setattr(harness, "SHORT_SECONDS", 0.0)
    monkeypatch.setattr(sklearn, "WORKERS", 1)
    monkeypatch.setattr(sklearn, "start_workers", lambda: None)


def figures(pattern: str, row: Row) -> list[float]:
    """The numbers in a row's notes at the groups of the pattern."""
    found = re.search(pattern, "; ".join(row.notes))
    assert found is not None, row.notes
    return [float(text) for text in found.groups()]


# --- logistic ---------------------------------------------------------------------------------------

GRADIENTS = r"relative gradient (\S+) \(ours\) and ([\d.e+-]+)"


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_path_is_compared_with_the_same_problems_solved_as_far(
    n_classes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logistic, "PENALTIES", 4)
    case = logistic.Case(600, 4, n_classes, 2, 40.0, 12.0)
    row = logistic.against_sklearn(Settings(), logistic.read_problem(Settings(), case), case)
    assert row.workload == f"logistic, 4 penalties x 10-fold, 600x4, {n_classes} classes"
    assert (row.target, row.extrapolated) == (40.0, "extrapolated from 2 of 10")
    assert max(figures(GRADIENTS, row)) <= 1.2e-6
    apart, unequal = figures(r"differ by at most (\S+), (\d+) of 480 predictions", row)
    assert apart < 1e-4
    assert unequal <= 2
    assert "newton-cholesky, n_jobs=None" in row.notes[1]


def test_all_folds_solved_are_not_extrapolated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logistic, "PENALTIES", 2)
    case = logistic.Case(400, 3, 2, 10, 8.0, 4.0)
    row = logistic.against_sklearn(Settings(), logistic.read_problem(Settings(), case), case)
    assert not row.extrapolated
    assert not any("repeat that work" in note for note in row.notes)


def test_without_r_its_rows_are_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logistic, "PENALTIES", 2)
    monkeypatch.setattr(glmnet, "absent", lambda: "R is not installed (Debian: r-cran-glmnet)")
    _, row = logistic.measure(Settings(), logistic.Case(400, 3, 2, 2, 8.0, 4.0))
    assert (row.rival, row.target) == ("cv.glmnet(alpha=0)", 4.0)
    assert row.absent == "R is not installed (Debian: r-cran-glmnet)"


def test_glmnet_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    glmnet.absent.cache_clear()
    if reason := glmnet.absent():
        pytest.skip(reason=reason)
    monkeypatch.setattr(logistic, "PENALTIES", 4)
    case = logistic.Case(600, 4, 3, 2, 40.0, 12.0)
    row = logistic.against_glmnet(Settings(), logistic.read_problem(Settings(), case), case)
    assert figures(r"differ by at most (\S+);", row)[0] < 0.01
    assert figures(r"weakest penalty (\S+)", row)[0] < 0.01


def test_glmnet_is_asked_by_lines_and_answers_in_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stand_in = tmp_path / "Rscript"
    stand_in.write_text(
        f"#!{sys.executable}\nimport sys, numpy as np\n"
        "folder = sys.argv[2]\n"
        "N, D, K, L = map(int, open(folder + '/sizes.txt').read().split())\n"
        "X = np.fromfile(folder + '/X.bin').reshape(D, N).T\n"
        "fold = np.fromfile(folder + '/foldid.bin', dtype=np.int32)\n"
        "print('ready 0.0', flush=True)\n"
        "for line in sys.stdin:\n"
        "    (np.fromfile(folder + '/lambda.bin') * fold.max()).tofile(folder + '/errors.bin')\n"
        "    np.concatenate([[K], X[1]]).tofile(folder + '/weights.bin')\n"
        "    print('done', flush=True)\n"
    )
    stand_in.chmod(stand_in.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path))
    X, y = make_classes(20, 3, 2)
    with glmnet.Session(X, y, np.arange(20) % 5, np.array([0.5, 0.1])) as session:
        found = [session.run(), session.run()][-1]
    assert session.part().name == "glmnet 0.0"
    assert found.errors == pytest.approx([2.5, 0.5])
    assert found.intercepts == pytest.approx([2.0])
    assert found.weights[0] == pytest.approx(X[1])
    stand_in.write_text(f"#!{sys.executable}\nprint('no')\n")
    with pytest.raises(RuntimeError, match="R ended instead of saying 'ready'; it said 'no'"):
        glmnet.Session(X, y, np.arange(20) % 5, np.array([0.5]))


def test_r_without_the_package_is_told_from_no_r(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    glmnet.absent.cache_clear()
    assert glmnet.absent() == "R is not installed (Debian: r-cran-glmnet)"
    stand_in = tmp_path / "Rscript"
    stand_in.write_text(f"#!{sys.executable}\nprint('FALSE')\n")
    stand_in.chmod(stand_in.stat().st_mode | stat.S_IXUSR)
    glmnet.absent.cache_clear()
    assert glmnet.absent() == "R has no package glmnet (Debian: r-cran-glmnet)"
    glmnet.absent.cache_clear()


def test_a_single_fit_ends_at_the_same_gradient() -> None:
    X, y = make_classes(500, 4, 2)
    row, other = logistic_single.measure(Settings(), X, y)
    assert row.workload == "single fit, logistic, C=1, 500x4, 2 classes"
    assert all(solver in row.notes[1] for solver in (*logistic_single.SOLVERS, "liblinear"))
    assert max(figures(GRADIENTS, row)) < 1e-5
    assert other.absent == intelex.absent() or not intelex.absent()


def test_sparse_counts_look_like_text_and_are_fitted_as_far() -> None:
    X, y = sparse_logistic.counts(300, 800, 3)
    assert (X.shape, X.indices.dtype, set(y.tolist())) == ((300, 800), np.int32, {0, 1, 2})
    used = np.asarray(X.sum(axis=0)).ravel()
    assert used[:10].sum() > 20 * used[-10:].sum()
    row = sparse_logistic.measure(Settings(), X, y)
    assert "300x800" in row.workload
    assert "liblinear" not in row.notes[1]
    assert max(figures(GRADIENTS, row)) < 1e-5


# --- support vectors --------------------------------------------------------------------------------


def test_the_svm_path_has_no_worse_objective(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear_svm, "COSTS", np.geomspace(1e-2, 1.0, 6))
    row = linear_svm.measure(Settings(), *linear_svm.centred(400, 3))
    assert row.workload == "linear SVM, hinge, 6 penalties x 5-fold, 400x3"
    assert row.extrapolated == "extrapolated from 4 of 30"
    assert figures(r"objective lies (\S+) to", row)[0] >= -1e-5
    assert "in 2 folds" in "; ".join(row.notes)
    assert figures(r"(\d+) of 320 predictions differ", row)[0] <= 20


def test_a_single_svm_is_near_the_optimum() -> None:
    X, y = linear_svm.centred(300, 3)
    row = linear_svm_single.measure(Settings(), X * [1.0, 10.0, 100.0], y, 1.0, "unscaled")
    assert row.workload == "single fit, linear SVM, hinge, C=1, unscaled 300x3"
    assert figures(r"relative: (\S+) \(ours\)", row)[0] <= 1e-5
    assert row.notes[-1] == "LinearSVC reached max_iter"


# --- networks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", network.PRECISIONS)
def test_both_networks_train_for_as_many_epochs(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "EPOCHS", 3)
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=300)
    images = np.clip(rng.integers(60, size=(300, 4, 4)) + 60 * y[:, None, None], 0, 255).astype(np.uint8)
    row = network.trained(Settings(), images, y, (images, y), dtype)
    assert row.workload == f"network, 128 hidden units, MNIST 300x16, {dtype}"
    assert figures(r"epochs (\d+) \(ours\) and (\d+)", row) == [3.0, 3.0]
    assert max(figures(r"error of 300 test rows (\S+) \(ours\) and ([\d.]+)", row)) < 0.7


def test_without_mnist_the_workload_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASSAY_DATA", str(tmp_path))
    row = network.measure(Settings(), "float64")
    assert row.absent == f"{tmp_path}/mnist.npz is not there (ASSAY_DATA names the folder)"
