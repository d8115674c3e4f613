"""Two directions of a table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from assay import FisherDiscriminant, GaussianNB
from assay.charts.scatter import sample
from assay.commands.compare.page.plane import MOST_POINTS, directions, plane, standardised


def rule(X: Any, codes: Any) -> Any:
    """What a model of these rows decides."""
    model = GaussianNB().fit(X, codes)
    return lambda rows: model.predict(rows).astype(np.intp)


def test_three_classes_are_seen_along_fishers_directions() -> None:
    X, y = load_iris(return_X_y=True)
    codes = y.astype(np.int32)
    view = plane(X, codes, ["a", "b", "c", "d"], rule(X, codes), places=2_000)
    assert view is not None and view.titles == ("Fisher direction 1", "Fisher direction 2")
    own = FisherDiscriminant().fit_transform(X, y)
    Z = standardised(X).values
    found = directions(Z, codes)
    assert found is not None
    for j in (0, 1):
        assert abs(np.corrcoef(Z @ found[0][:, j], own[:, j])[0, 1]) == pytest.approx(1.0, abs=1e-6)
    assert view.error < 0.05
    assert {edge.label for edge in view.edges} == {0, 1, 2}
    assert len(view.leading[0]) == 4 and "c" in view.leading[0][0]


def test_the_second_direction_of_two_classes_is_at_a_right_angle() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    Z = standardised(X).values
    assert Z.shape[1] == 30
    found = directions(Z, y.astype(np.int32))
    assert found is not None
    w, v = found[0].T
    assert abs(w @ v) < 1e-9 * np.linalg.norm(w) * np.linalg.norm(v)
    assert np.linalg.norm(v) == pytest.approx(1.0)


def test_gaps_constants_and_strays_are_survived() -> None:
    draw = np.random.default_rng(0)
    codes = (np.arange(4000) % 2).astype(np.int32)
    X = draw.normal(size=(4000, 3)) + codes[:, None]
    X[::7, 0] = np.nan
    X[:, 2] = 5.0
    X[0, 1] = 1e6
    view = plane(X, codes, ["a", "b", "c"], rule(X, codes), places=2_000)
    assert view is not None
    assert len(view.points) + view.outside == MOST_POINTS
    assert np.isfinite(view.points).all()
    assert not any("c" in name for names in view.leading for name in names)


def test_one_column_has_no_plane() -> None:
    codes = (np.arange(30) % 2).astype(np.int32)
    assert plane(np.random.default_rng(0).normal(size=(30, 1)), codes, ["a"], len) is None
    assert plane(np.ones((30, 3)), codes, ["a", "b", "c"], len) is None


def test_a_sample_is_the_same_for_the_same_seed() -> None:
    codes = np.zeros(10_000, dtype=np.int32)
    one, other = sample(codes, 100, 5), sample(codes, 100, 5)
    assert one.tolist() == other.tolist() and len(set(one.tolist())) == 100
    assert sample(codes[:50], 100, 0).tolist() == list(range(50))


def test_columns_that_do_not_vary_within_the_classes_leave_a_picture() -> None:
    """Zoo: every mammal gives milk. Fisher's ratio is then infinite, and each class one point."""
    codes = np.repeat(np.arange(4), 25).astype(np.int32)
    draw = np.random.default_rng(0)
    told = np.stack([codes == 0, codes == 1, codes >= 2], axis=1).astype(float)
    X = np.column_stack([told, draw.normal(size=(100, 2)) + codes[:, None]])
    view = plane(X, codes, list("abcde"), rule(X, codes), places=2_000)
    assert view is not None and view.kind == "held" and view.titles[0] == "Fisher direction 1"
    assert np.abs(view.points).max() < 20
    within = np.concatenate(
        [view.points[view.codes == k] - view.points[view.codes == k].mean(0) for k in range(4)]
    )
    assert (within.std(axis=0) > 0.01 * view.points.std(axis=0)).all()


@pytest.mark.parametrize("width", [40, 700])
def test_more_columns_than_rows_are_seen_along_their_largest_variance(width: int) -> None:
    codes = (np.arange(40) % 2).astype(np.int32)
    X = np.random.default_rng(0).normal(size=(40, width))
    view = plane(X, codes, [f"g{j}" for j in range(width)], rule(X, codes), places=2_000)
    assert view is not None and view.kind == "variance" and view.titles == ("component 1", "component 2")
    Z = standardised(X).values
    spread = np.linalg.svd(Z, compute_uv=False)[:2]
    assert np.sqrt((view.points**2).sum(axis=0)) == pytest.approx(spread, rel=0.2)
    assert view.error > 0.1  # labels drawn by lot are not told apart
