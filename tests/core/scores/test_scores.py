"""The scoring kernels against their NumPy twins."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import _core
from tests.core import twins
from tests.core.scores_twin import assert_close, parameters, run, twin

SIZES = [1, 2, 63, 64, 65, 255, 256, 257, 4095, 4097, 9000]
KINDS = ["linear", "diagonal", "marginal", "quadratic", "triangular"]


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_equal_the_twin_at_every_size(kind: str, n: int) -> None:
    X = np.random.default_rng(1).normal(size=(n, 11))
    values = parameters(kind, 1, 3, 11, 4)
    assert_close(run(kind, X, values), twin(kind, X, values))


@pytest.mark.parametrize("count", [1, 300, 5000])
@pytest.mark.parametrize("kind", KINDS)
def test_each_pair_is_scored_under_its_own_model(kind: str, count: int) -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(400, 6))
    rows, models = rng.integers(0, 400, count), rng.integers(0, 7, count).astype(np.int32)
    values = parameters(kind, 7, 4, 6, 9)
    assert_close(run(kind, X, values, rows, models), twin(kind, X, values, rows, models))
    every = rng.integers(0, 7, 400).astype(np.int32)
    assert_close(run(kind, X, values, None, every), twin(kind, X, values, None, every))
    assert_close(run(kind, X, values, rows), twin(kind, X, values, rows))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("layout", twins.LAYOUTS)
@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (300, 1), (300, 13)])
@pytest.mark.parametrize("kind", KINDS)
def test_memory_order_and_width_do_not_matter(
    kind: str, shape: tuple[int, int], layout: str, dtype: type, tmp_path: Path
) -> None:
    X = np.random.default_rng(3).normal(size=shape).astype(dtype)
    table = twins.LAYOUTS[layout](X, tmp_path)
    values = parameters(kind, 1, 3, shape[1], shape[1])
    assert np.array_equal(run(kind, table, values), run(kind, X.astype(np.float64), values))
    rows = np.arange(shape[0])[::-1].copy()
    assert np.array_equal(run(kind, table, values, rows), run(kind, X.astype(np.float64), values, rows))


@pytest.mark.parametrize("flags", [[], [2, 0]])
@pytest.mark.parametrize("kind", KINDS)
def test_gaps_are_filled_and_flagged(kind: str, flags: list[int]) -> None:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(500, 5))
    X[rng.random(X.shape) < 0.2] = np.nan
    fill, which = rng.normal(size=5), np.array(flags, dtype=np.int32)
    values = parameters(kind, 1, 3, 5 + len(flags), 4)
    expected = twin(kind, twins.filled(X, fill, which), values)
    assert_close(run(kind, X, values, fill=fill, flags=which), expected)


def test_marginal_scores_leave_missing_features_out() -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(600, 7))
    X[rng.random(X.shape) < 0.4] = np.nan
    X[0] = np.nan
    values = parameters("marginal", 3, 4, 7, 0)
    models = rng.integers(0, 3, 600).astype(np.int32)
    found = run("marginal", X, values, None, models)
    assert np.isfinite(found).all()
    assert_close(found, twin("marginal", X, values, None, models))


@pytest.mark.parametrize("kind", ["linear", "diagonal", "quadratic", "triangular"])
def test_nan_is_passed_on_in_its_row_alone(kind: str) -> None:
    X = np.random.default_rng(6).normal(size=(300, 5))
    values = parameters(kind, 1, 3, 5, 5)
    clean = run(kind, X, values)
    X[17, 0] = np.nan
    found = run(kind, X, values)
    assert np.isnan(found[17]).any()
    assert np.array_equal(np.delete(found, 17, axis=0), np.delete(clean, 17, axis=0))


@pytest.mark.parametrize("threads", [1, 2, 8, 64])
@pytest.mark.parametrize("kind", KINDS)
def test_threads_do_not_change_a_bit(kind: str, threads: int) -> None:
    rng = np.random.default_rng(7)
    X, models = rng.normal(size=(20_000, 10)), rng.integers(0, 5, 20_000).astype(np.int32)
    values = parameters(kind, 5, 3, 10, 10)
    one, many = (run(kind, X, values, None, models, threads=t) for t in (1, threads))
    assert np.array_equal(one, many)


@pytest.mark.parametrize("kind", KINDS)
def test_no_rows_and_no_columns(kind: str, capfd: pytest.CaptureFixture[str]) -> None:
    values = parameters(kind, 1, 3, 4, 4)
    assert run(kind, np.zeros((0, 4)), values).shape == (0, 3)
    values = parameters(kind, 1, 3, 0, 0)
    assert np.array_equal(run(kind, np.zeros((5, 0)), values), np.tile(values[-1], (5, 1)))
    assert capfd.readouterr() == ("", "")


@given(
    kind=st.sampled_from(KINDS),
    n=st.integers(1, 400),
    width=st.integers(1, 40),
    classes=st.integers(1, 12),
    models=st.integers(1, 6),
    seed=st.integers(0, 2**32 - 1),
)
@settings(max_examples=150)
def test_any_shape_equals_the_twin(kind, n, width, classes, models, seed) -> None:
    rng = np.random.default_rng(seed)
    X, which = rng.normal(size=(n, width)), rng.integers(0, models, n).astype(np.int32)
    values = parameters(kind, models, classes, width, 1 + seed % 20, seed)
    assert_close(run(kind, X, values, None, which), twin(kind, X, values, None, which))


def sheets(kind, X, values, forms: int, posterior: bool, models=None, threads=2) -> tuple[np.ndarray, ...]:
    """Scores of several forms side by side, each on a sheet of its own; their best classes and bad rows."""
    out = np.full((forms, len(X), values[-1].shape[1] // forms), 7e77)
    best, unusable = np.full(out.shape[:2], -9, dtype=np.int32), np.zeros(forms, dtype=np.int64)
    last = (threads, out, best, unusable) if posterior else (threads, out)
    kernel = {"marginal": "diagonal", "triangular": "quadratic"}.get(kind, kind)
    flag = () if kind == "linear" else (kind in ("marginal", "triangular"),)
    getattr(_core.scores, f"{kernel}_scores")(X, None, models, None, None, *values, *flag, *last)
    return out, best, unusable


@pytest.mark.parametrize(("forms", "classes"), [(1, 3), (4, 1), (2, 2), (8, 3), (3, 7)])
@pytest.mark.parametrize("n", [1, 5, 1025, 5000])
@pytest.mark.parametrize("kind", KINDS)
def test_forms_side_by_side_go_to_sheets_of_their_own(kind: str, n: int, forms: int, classes: int) -> None:
    rng = np.random.default_rng(11)
    X, models = rng.normal(size=(n, 6)), rng.integers(0, 5, n).astype(np.int32)
    values = parameters(kind, 5, forms * classes, 6, 6)
    together = run(kind, X, values, None, models).reshape(n, forms, classes).swapaxes(0, 1)
    plain, _, _ = sheets(kind, X, values, forms, False, models)
    assert np.array_equal(plain, together)
    found, best, unusable = sheets(kind, X, values, forms, True, models)
    assert not unusable.any()
    for form in range(forms):
        expected, first, _ = normalized(together[form])
        assert np.array_equal(found[form], expected) and np.array_equal(best[form], first)
    many = sheets(kind, X, values, forms, True, models, threads=8)
    assert all(np.array_equal(a, b) for a, b in zip((found, best, unusable), many, strict=True))


def test_bad_rows_are_counted_sheet_by_sheet() -> None:
    X = np.random.default_rng(12).normal(size=(3000, 2))
    X[[3, 2999]] = np.nan
    values = [each.copy() for each in parameters("diagonal", 1, 6, 2, 0)]
    values[-1][0, :3] = -np.inf  # the first form knows no class
    values[-1][0, 4] = -np.inf  # one of the second is known to have no row
    found, best, unusable = sheets("diagonal", X, values, 2, True)
    assert unusable.tolist() == [3000, 2]
    good = np.delete(np.arange(3000), [3, 2999])
    assert np.isneginf(found[1][good, 1]).all() and (best[1][good] != 1).all()


# -- posteriors ---------------------------------------------------------------------------------------------


def normalized(scores: np.ndarray, threads: int = 2) -> tuple[np.ndarray, np.ndarray, int]:
    out, best = scores.copy(), np.full(len(scores), -9, dtype=np.int32)
    return out, best, _core.scores.normalize_scores(out, threads, best)


@pytest.mark.parametrize("classes", [1, 2, 3, 8, 17])
@pytest.mark.parametrize("n", [1, 4095, 4096, 4097, 9000])
def test_normalizing_equals_the_twin(n: int, classes: int) -> None:
    rng = np.random.default_rng(8)
    scores = rng.normal(size=(n, classes)) * rng.choice([1.0, 100.0, 1e4], (n, 1))
    expected, usable = twins.normalize_scores(scores)
    found, best, bad = normalized(scores)
    assert bad == 0 and usable.all()
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)
    assert np.array_equal(best, scores.argmax(axis=1))
    np.testing.assert_allclose(np.exp(found).sum(axis=1), 1.0, rtol=1e-13)


def test_rows_that_cannot_be_normalised_are_counted_and_the_first_of_equals_wins() -> None:
    inf, nan = np.inf, np.nan
    scores = np.array(
        [
            [0.0, 0.0, -1.0],
            [nan, 1.0, 2.0],
            [1.0, nan, 2.0],
            [-inf, -inf, -inf],
            [0.0, inf, 0.0],
            [-inf, -3.0, -inf],
            [-1e300, -1e300, -1e308],
            [1e308, -1e308, 0.0],
            [2.0, 5.0, 5.0],
            [0.0, -745.0, -800.0],
        ]
    )
    found, best, bad = normalized(scores)
    assert bad == 4
    good = [0, 5, 6, 7, 8, 9]
    assert best[good].tolist() == [0, 1, 0, 0, 1, 0]
    expected, _ = twins.normalize_scores(scores)
    np.testing.assert_allclose(found[good], expected[good], rtol=1e-14)
    assert found[5].tolist() == [-inf, 0.0, -inf]
    assert found[9].tolist() == [0.0, -745.0, -800.0]


@given(st.integers(1, 300), st.integers(1, 10), st.integers(0, 2**32 - 1))
def test_a_constant_added_to_a_row_changes_nothing(n: int, classes: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.integers(-50, 50, (n, classes)).astype(float)
    plain, best, _ = normalized(scores)
    moved, same, _ = normalized(scores + rng.integers(-1000, 1000, (n, 1)))
    np.testing.assert_allclose(moved, plain, rtol=0, atol=1e-12)
    assert np.array_equal(best, same)


@pytest.mark.parametrize("n", [0, 1, 1023, 1024, 5000])
@pytest.mark.parametrize("threads", [1, 2, 8])
def test_posteriors_are_exponentials_to_the_last_digits(n: int, threads: int) -> None:
    rng = np.random.default_rng(9)
    values = -rng.gamma(0.5, 40.0, (n, 3))
    out = np.full(values.shape, 7.0)
    _core.scores.posteriors(values, threads, out)
    np.testing.assert_allclose(out, np.exp(values), rtol=4e-16 * 2)


def test_posteriors_at_the_ends() -> None:
    values = np.array([0.0, -0.0, -1e-300, -np.inf, -708.5, -1e308, -5e-17, -707.9])
    out = np.empty(8)
    _core.scores.posteriors(values, 1, out)
    assert out[:6].tolist() == [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]  # below the least normal number: none
    np.testing.assert_allclose(out[6:], np.exp(values[6:]), rtol=1e-15)


def test_log_losses_pick_the_true_class_and_charge_the_floor_for_minus_infinity() -> None:
    rng = np.random.default_rng(8)
    scores = np.log(rng.dirichlet(np.ones(4), 40_000))
    codes = rng.integers(0, 4, 40_000).astype(np.int32)
    scores[7, codes[7]] = -np.inf
    out = np.empty(40_000)
    _core.scores.log_losses(scores, codes, -700.0, 2, out)
    expected = -scores[np.arange(40_000), codes]
    expected[7] = 700.0
    assert np.array_equal(out, expected)
