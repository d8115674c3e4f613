"""How long a nested evaluation takes, roughly: one model of the cost for each way of learning.

A comparison puts candidates in order by it and leaves out, by name, those that would not end in time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Workload:
    """What a nested evaluation has to do; a cost model turns it into seconds.

    columns are those of the table, width those of the encoded matrix; models are those of the outer splits and of the
    inner ones, each trained on about 0.8 of the rows. filled are the entries of a sparse matrix that are not 0
    (None: the matrix is full).
    """

    rows: int
    columns: int
    width: int
    classes: int
    folds: int
    settings: int
    models: int
    filled: int | None = None

    @property
    def fits(self) -> int:
        """What a refitted candidate needs."""
        return self.settings * self.models


Cost = Callable[[Workload], float]
BEGINNING = 0.08  # seconds of what every candidate does besides: plans, curves, figures


def by_moments(form: Literal["diagonal", "pooled", "full"]) -> Cost:
    """Statistics once; then one score a row, class, pair of folds and setting."""

    def seconds(w: Workload) -> float:
        products = {"diagonal": 0.0, "pooled": 0.5, "full": 0.5}[form] * w.width
        read = w.rows * w.width * (1.0 + products) * 4e-10
        score = w.width * (0.5 * w.width if form == "full" else 1.0) * 1.5e-10 + 4e-9
        # A call of LAPACK costs something however small the matrix.
        solve = 0.0 if form == "diagonal" else w.models * (w.width**3 * 1e-9 + 3e-4)
        return BEGINNING + read + w.settings * (w.rows * w.classes * w.folds * score + solve * w.classes)

    return seconds


def by_counts(w: Workload) -> float:
    """Counts of every fold once; then for each setting and pair of folds a table of logarithms and a score a row."""
    filled = w.rows * w.width if w.filled is None else w.filled
    tables = w.models * (w.classes * w.width * 6e-9 + 1e-3)
    return BEGINNING + filled * w.folds * 4e-9 + w.settings * (tables + w.folds * filled * w.classes * 1e-9)


def by_passes(w: Workload) -> float:
    """A few passes a setting, each with the models of all pairs of folds stacked, and second derivatives."""
    scores = w.classes if w.classes > 2 else 1
    passes = 4 * w.rows * (w.width + 1) * (scores * w.models * 3e-11 + 1.5e-10)
    derivatives = w.rows * w.width**2 * max(1, scores * (scores - 1) / 2) * 7e-11
    solve = w.models * (((w.width + 1) * scores) ** 3 * 1e-10 + 1.5e-3)
    return BEGINNING + w.settings * (passes + derivatives + solve)


def by_products(w: Workload) -> float:
    """The same for many columns that resemble each other: more passes, and gaps in products of gaps."""
    return 2.5 * by_passes(w)


def by_margins(w: Workload) -> float:
    """Every pair of folds and every class by itself, each in some dozens of passes."""
    scores = w.classes if w.classes > 2 else 1
    return BEGINNING + w.fits * scores * (w.rows * (w.width + 1) * 1.1e-7 + 2e-3)


def by_calibrated_margins(w: Workload) -> float:
    """Every fit is six: five folds that give scores to calibrate by, and the model itself."""
    scores = w.classes if w.classes > 2 else 1
    return BEGINNING + w.fits * 6 * scores * (0.012 + 0.7 * w.rows * (w.width + 1) * 1.1e-7)


def by_machines(w: Workload) -> float:
    """A Gram matrix for each fit, for every third of the settings (they share gamma), and every pair of classes."""
    pairs = w.classes * (w.classes - 1) / 2
    rows = 0.8 * w.rows
    members = rows * min(1.0, 2 / w.classes)
    gram = rows**2 * (1.5e-9 + w.width * 8e-11)
    solve = pairs * (members * 4e-6 + members**2 * 3e-9)
    return BEGINNING + w.fits * (gram / 3 + solve + 2e-3)


def by_calibrated_machines(w: Workload) -> float:
    """Every fit is six, as above, and none shares a matrix."""
    return 8 * by_machines(w)


def by_components(w: Workload) -> float:
    """Some forty EM steps of two or three components per class, diagonal or full in turn."""
    steps = 40 * 2.3 * 0.7 * w.rows
    flat, full = w.width * 3e-9 + 4e-8, w.width**2 * 4e-10 + w.width * 2e-9 + 5e-8
    return BEGINNING + w.fits * (w.classes * 8e-3 + steps * 0.5 * (flat + full))


def by_epochs(w: Workload) -> float:
    """A hundred passes at most through 32 hidden units, forth and back."""
    return BEGINNING + w.fits * 100 * w.rows * ((w.width + w.classes) * 32 * 6e-10 + 1e-6)


def by_steps(w: Workload) -> float:
    """Some fifty passes a fit, each a product with the weights and one with the slopes."""
    return BEGINNING + w.fits * (0.015 + 35 * w.rows * w.classes * ((w.width + 1) * 2e-9 + 1e-7))


def by_mistakes(w: Workload) -> float:
    """Up to twenty passes."""
    scores = w.classes if w.classes > 2 else 1
    return BEGINNING + w.fits * (0.02 + w.rows * (w.width + 1) * scores * 8e-8)


def by_descent(w: Workload) -> float:
    """The same with absolute values: a few passes more, and coordinate descent in place of a factorisation."""
    scores = w.classes if w.classes > 2 else 1
    return 1.5 * by_passes(w) + w.fits * (((w.width + 1) * scores) ** 2 * 1.5e-7 + 1e-3)


def by_neighbors(w: Workload) -> float:
    """All pairs of every training part, those inside each outer one too; then votes of every setting."""
    searches = 0.9 + 0.75 * w.folds
    pairs = searches * w.rows * (w.rows * (6e-10 + 3e-11 * w.width) + 1.5e-5)
    votes = w.settings * w.folds * w.rows * w.classes * 6e-8
    return BEGINNING + pairs + votes


def by_trees(trees: float, share: float) -> Cost:
    """`trees` trees a fit, each sorting `share` of the columns on every level."""

    def seconds(w: Workload) -> float:
        depth = w.rows.bit_length()
        one = 2e-3 * trees + trees * 2.5e-8 * w.rows * max(1.0, share * w.columns) * depth
        return BEGINNING + w.fits * one

    return seconds


def by_boosting(w: Workload) -> float:
    one = w.classes if w.classes > 2 else 1
    return BEGINNING + w.fits * (0.3 + 1.2e-6 * w.rows * w.columns) * one


def by_kinds(w: Workload) -> float:
    """Every column counted once a partition, and scored once a fold and setting; texts are cut into words once."""
    cells = w.rows * w.columns * (2e-7 + w.settings * w.folds * (2e-9 + 1e-9 * w.classes))
    return BEGINNING + cells + w.settings * w.folds * w.folds * 5e-4


def not_forecast(w: Workload) -> float:
    """An estimator of which nothing is known: it is started while time is left."""
    return BEGINNING
