"""Data made to lose digits: outliers in front, far offsets, far classes, NIST's certified values."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from assay.statistics import Moments, collect, collect_replicates
from tests.realdata import load_csv
from tests.statistics.cases import FORMS, assert_same

EVERY_FORM = pytest.mark.parametrize("form", FORMS)


def normal(n: int = 700, width: int = 3, n_classes: int = 2, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, width)), rng.integers(0, n_classes, n).astype(np.int32)


def seven_parts(X: np.ndarray, codes: np.ndarray, n_classes: int, form: str) -> Moments:
    """The whole from seven partitions of consecutive rows, each with reference points of its own, merged."""
    total = None
    for rows in np.array_split(np.arange(len(X)), 7):
        part = collect(X[rows], codes[rows], n_classes, form=form)
        total = part if total is None else total.merge(part)
    assert total is not None
    return total


@EVERY_FORM
@pytest.mark.parametrize("size", [1e12, -1e12, 1e6, 1e60])
def test_a_huge_first_row_takes_no_digits_from_folds_without_it(size: float, form: str) -> None:
    X, codes = normal()
    X[0] = size
    fold = (np.arange(700) % 5).astype(np.int32)
    found = collect(X, codes, 2, form=form, group=fold, n_groups=5).complement()[0]
    assert_same(found, collect(X[fold != 0], codes[fold != 0], 2, form=form), 1e-9)
    exact = X[(fold != 0) & (codes == 1)]
    np.testing.assert_allclose(found.mean[1], exact.mean(axis=0), rtol=0, atol=1e-9)


@EVERY_FORM
def test_a_huge_first_row_is_in_the_folds_that_have_it(form: str) -> None:
    X, codes = normal()
    X[0] = 1e12
    codes[0] = 0
    m = collect(X, codes, 2, form=form)
    own = X[codes == 0]
    np.testing.assert_allclose(m.mean[0], own.mean(axis=0), rtol=1e-14)
    squares = ((own - own.mean(axis=0)) ** 2).sum(axis=0)
    np.testing.assert_allclose(m.within_diagonal(), squares, rtol=1e-12)


def test_nan_in_the_first_rows_does_not_spoil_the_reference_point() -> None:
    X, codes = normal()
    X += 1e6
    X[0] = np.nan
    X[:64, 1] = np.nan
    m = collect(X, codes, 2, form="diagonal", missing=True)
    for k in range(2):
        own = X[codes == k]
        np.testing.assert_allclose(m.mean[k], np.nanmean(own, axis=0), rtol=1e-15 * 4)
        np.testing.assert_allclose(m.scatter[k] / m.present[k], np.nanvar(own, axis=0), rtol=1e-9)


@EVERY_FORM
def test_a_class_that_is_absent_from_the_first_block(form: str) -> None:
    X, codes = normal(5000, 3, 2)
    codes[:4000] = 0
    codes[4000:] = 1
    X[codes == 1] += 1e7
    m = collect(X, codes, 3, form=form)  # the third class never comes
    for k in range(2):
        own = X[codes == k]
        np.testing.assert_allclose(m.mean[k], own.mean(axis=0), rtol=1e-14, atol=1e-14)
    squares = sum(((X[codes == k] - X[codes == k].mean(axis=0)) ** 2).sum(axis=0) for k in range(2))
    np.testing.assert_allclose(m.within_diagonal(), squares, rtol=1e-10)
    assert m.weight.tolist() == [4000, 1000, 0]
    parts = seven_parts(X, codes, 3, form)  # the first parts know one class, the last another
    assert_same(parts, m, 1e-10)


@EVERY_FORM
def test_classes_a_hundred_million_apart(form: str) -> None:
    X, codes = normal(900, 3, 3)
    away = X.copy()
    away[codes == 1] += 1e8
    away[codes == 2] -= 1e8
    m, plain = collect(away, codes, 3, form=form), collect(X, codes, 3, form=form)
    # The numbers themselves were rounded to 1e-8 when they were moved.
    np.testing.assert_allclose(m.scatter, plain.scatter, rtol=0, atol=1e-8 * 900)
    own = [away[codes == k] - away[codes == k][0] for k in range(3)]  # exact differences
    squares = np.array([((x - x.mean(axis=0)) ** 2).sum(axis=0) for x in own])
    np.testing.assert_allclose(m.within_diagonal(), squares.sum(axis=0), rtol=1e-13)
    _, _, deviations = m.overall()
    means = np.array([away[codes == k].mean(axis=0) for k in range(3)])
    np.testing.assert_allclose(deviations[1] - deviations[2], means[1] - means[2], rtol=1e-15)
    fold = (np.arange(900) % 4).astype(np.int32)
    rest = collect(away, codes, 3, form=form, group=fold, n_groups=4).complement()
    assert_same(rest[2], collect(away[fold != 2], codes[fold != 2], 3, form=form), 1e-12)


@EVERY_FORM
@pytest.mark.parametrize("offset", [1e8, -1e12])
def test_a_far_offset_costs_the_scatter_nothing(offset: float, form: str) -> None:
    X, codes = normal()
    X = np.round(X * 2.0**10) / 2.0**10  # moved without rounding
    m, moved = collect(X, codes, 2, form=form), collect(X + offset, codes, 2, form=form)
    np.testing.assert_allclose(moved.scatter, m.scatter, rtol=1e-12, atol=1e-11)
    assert_same(seven_parts(X + offset, codes, 2, form), moved, 1e-12)
    difference = (moved.center[0] - moved.center[1]) + (moved.offset[0] - moved.offset[1])
    np.testing.assert_allclose(difference, m.mean[0] - m.mean[1], rtol=0, atol=1e-13)


@EVERY_FORM
@pytest.mark.parametrize("size", [1e-150, 1e-30, 1e30, 1e140])
def test_units_do_not_matter(size: float, form: str) -> None:
    X, codes = normal()
    unit = 2.0 ** np.round(np.log2(size))
    m, scaled = collect(X, codes, 2, form=form), collect(X * unit, codes, 2, form=form)
    np.testing.assert_array_equal(scaled.scatter, m.scatter * unit * unit)
    np.testing.assert_array_equal(scaled.mean, m.mean * unit)


@EVERY_FORM
@pytest.mark.filterwarnings("error")
def test_squares_that_overflow_show_as_such(form: str) -> None:
    X, codes = normal(50)
    X[20] = 1e300
    assert not np.isfinite(collect(X, codes, 2, form=form).scatter).all()
    X[:] = 1e300
    X[::3] = -1e300
    assert not np.isfinite(collect(X, codes, 2, form=form).scatter).all()
    X[20] = np.inf
    m = collect(X, codes, 2, form=form)
    assert not (np.isfinite(m.scatter).all() and np.isfinite(m.offset).all())
    drawn = np.ones((2, 50), dtype=np.uint16)
    assert not np.isfinite(collect_replicates(X, codes, 2, drawn, form=form).scatter).all()


@EVERY_FORM
@pytest.mark.parametrize("value", [0.1, 1e8 / 3, -1e-200])
def test_a_constant_feature_has_no_scatter_beyond_rounding(value: float, form: str) -> None:
    X, codes = normal(1000)
    X[:, 1] = value
    m = collect(X, codes, 2, form=form)
    noise = 1000 * (4 * np.finfo(float).eps * abs(value)) ** 2
    assert 0 <= m.within_diagonal()[1] <= noise
    np.testing.assert_allclose(m.mean[:, 1], value, rtol=4e-16)


# -- NIST ---------------------------------------------------------------------------------------------------


def digits(found: float, certified: float) -> float:
    """Correct decimal digits; fifteen at most are certified."""
    if found == certified:
        return 15.0
    return float(min(15.0, -np.log10(abs(found - certified) / abs(certified))))


def read_anova(name: str) -> tuple[float, np.ndarray, np.ndarray]:
    """Certified F, treatments from 0 on, responses."""
    stats = pytest.importorskip("scipy.stats")
    path = Path(stats.__file__).parent / "tests" / "data" / "nist_anova" / f"{name}.dat"
    if not path.is_file():
        pytest.skip(reason="this SciPy was installed without its tests, which carry the files")
    lines = path.read_text().splitlines()
    certified = next(line for line in lines if re.match(r"Between\b", line)).split()[-1]
    start, end = (int(x) for x in re.search(r"Data\s+\(lines (\d+) to (\d+)\)", "\n".join(lines)).groups())  # type: ignore[union-attr]
    rows = np.array([line.split() for line in lines[start - 1 : end]], dtype=float)
    return float(certified), rows[:, 0].astype(np.int32) - 1, rows[:, 1:]


def f_ratio(m: Moments) -> float:
    rows, classes = m.rows.sum(), m.n_classes
    return float(m.between_diagonal()[0] / (classes - 1) / (m.within_diagonal()[0] / (rows - classes)))


# Digits of a shifted two-pass computation: what the data, as binary numbers, still carry.
ANOVA = {
    "AtmWtAg": (15.9467335677930, 10.2),
    "SiRstv": (1.18046237440255, 13.1),
    **{f"SmLs0{i}": (f, reached) for i, f, reached in zip(
        range(1, 10), [21, 201, 2001] * 3, [15] * 3 + [10.3] * 3 + [4.2] * 3, strict=True
    )},
}  # fmt: skip


@EVERY_FORM
@pytest.mark.parametrize("name", ANOVA)
def test_analysis_of_variance(name: str, form: str) -> None:
    certified, reached = ANOVA[name]
    printed, codes, X = read_anova(name)
    assert printed == pytest.approx(certified, rel=1e-14)
    n_classes = int(codes.max()) + 1
    rng = np.random.default_rng(0)
    order = rng.permutation(len(X))
    found = {
        "one pass": collect(X, codes, n_classes, form=form),
        "seven partitions": seven_parts(X, codes, n_classes, form),
        "seven shuffled partitions": seven_parts(X[order], codes[order], n_classes, form),
    }
    fold = rng.integers(0, 7, len(X)).astype(np.int32)
    found["seven folds"] = collect(X, codes, n_classes, form=form, group=fold, n_groups=7).together()
    for how, m in found.items():
        assert digits(f_ratio(m), certified) >= reached - 0.3, how


UNIVARIATE = ["Lew", "Lottery", "Mavro", "Michelso", "NumAcc1", "NumAcc2", "NumAcc3", "NumAcc4", "PiDigits"]


@pytest.fixture(scope="module")
def univariate() -> dict[str, tuple[np.ndarray, float, float]]:
    """Values, certified mean and deviation of every set."""
    data = load_csv("nist_strd_univariate_data")
    certified = load_csv("nist_strd_certified", dtype=str)
    table = certified[certified["kind"] == "univariate"].set_index(["dataset", "statistic"])["value"]
    return {
        name: (rows["y"].to_numpy(float), float(table[name, "mean"]), float(table[name, "sd"]))
        for name, rows in data.groupby("dataset")
    }


def exactly(values: np.ndarray) -> tuple[float, float]:
    """Mean and deviation (n - 1) of the binary numbers, in rational arithmetic."""
    numbers = [Fraction(x) for x in values.tolist()]
    mean = sum(numbers) / len(numbers)
    variance = sum((x - mean) ** 2 for x in numbers) / (len(numbers) - 1)
    return float(mean), float(Decimal(variance.numerator) / Decimal(variance.denominator)) ** 0.5


@EVERY_FORM
@pytest.mark.parametrize("name", UNIVARIATE)
def test_means_and_deviations(
    name: str, form: str, univariate: dict[str, tuple[np.ndarray, float, float]]
) -> None:
    values, mean, deviation = univariate[name]
    best = exactly(values)
    X, codes = values[:, None], np.zeros(len(values), dtype=np.int32)
    parts = (
        seven_parts(X, codes, 1, form)
        if len(X) >= 7
        else collect(X[:2], codes[:2], 1, form=form).merge(collect(X[2:], codes[2:], 1, form=form))
    )
    for m in (collect(X, codes, 1, form=form), parts):
        found = float(m.mean[0, 0]), float(np.sqrt(m.within_diagonal()[0] / (len(X) - 1)))
        # As good as the numbers in binary allow, to a third of a digit.
        for ours, exact, certified in zip(found, best, (mean, deviation), strict=True):
            assert ours == pytest.approx(exact, rel=1e-13)
            assert digits(ours, certified) >= min(digits(exact, certified), 14.5) - 0.3


def test_every_univariate_set_is_tested(univariate: dict[str, tuple[np.ndarray, float, float]]) -> None:
    assert sorted(univariate) == UNIVARIATE
