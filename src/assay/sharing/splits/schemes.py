"""The schemes: every constructor makes splits of one kind from arrays, and knows no plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.plans import ALWAYS_TRAIN, LeaveOneOut, Partition
from assay.sharing.splits.splits import ROOT, Splits
from assay.types import CellCodes, Codes, Entry, Index, Labels, Mask

Test = tuple[int, int, Sequence[int] | Mask]  # model, parent, cells


def _one_layer(
    cell: CellCodes,
    copies: ArrayLike,
    tests: Sequence[Test],
    *,
    deeper: Callable[[], Splits] | None = None,
    n_sizes: int = 1,
    chosen_only: bool = False,
    called: str = "folds",
) -> Splits:
    """Models of one layer, of which each row has a cell, and their tests."""
    trained = np.asarray(copies, dtype=np.uint16)
    return Splits(
        cell if cell.ndim == 2 else cell[None],
        np.zeros(len(trained), dtype=np.int32),
        trained,
        np.array([model for model, _, _ in tests], dtype=np.int32),
        np.array([parent for _, parent, _ in tests], dtype=np.int32),
        np.zeros(len(tests), dtype=np.int32),
        np.array([cells for _, _, cells in tests], dtype=bool).reshape(len(tests), trained.shape[1]),
        deeper=deeper,
        n_sizes=n_sizes,
        chosen_only=chosen_only,
        called=called,
    )


def folds(partition: Partition, depth: int = 1) -> Splits:
    """Every fold is tested by the model of the others; rows of no fold may be trained on by all.

    depth 2: and inside its training set by the models that left out one more fold; 3: two more.
    """
    piece = None if partition.untrained is None else partition.untrained.astype(np.int32)
    return pieces(partition, piece, 1, depth)


def pieces(
    partition: Partition, piece: Codes | None, n_sizes: int, depth: int = 1, cell: CellCodes | None = None
) -> Splits:
    """Folds whose training sets grow: the models of size s are trained on pieces up to s.

    Tests of the plan test all rows of their fold at every size; tests inside a model test what the model was trained
    on. Models and tests are numbered (split · n_sizes + size) within each depth.

    Parameters
    ----------
    piece : (N,) smallest size in which a row is trained on, `n_sizes`: none; None: all rows in all sizes
    cell : (1, N) of less deep splits, kept
    """
    F, all_tested = partition.n_folds, int(partition.fold.min(initial=0)) >= 0
    always = not all_tested and bool((partition.fold == ALWAYS_TRAIN).any())
    P = 1 if piece is None else n_sizes + 1
    if cell is None and piece is None and all_tested:
        cell = partition.fold[None]
    elif cell is None:
        fold = np.where(partition.fold == ALWAYS_TRAIN, F, partition.fold)
        cell = np.where(fold >= 0, fold if piece is None else fold * P + piece, -1).astype(np.int32)[None]
    of_fold, of_piece = np.divmod(np.arange((F + always) * P), P)
    small = of_piece <= np.arange(n_sizes)[:, None]  # (sizes, cells)
    left_out = [out for d in range(1, depth + 1) for out in combinations(range(F), d)]
    number = {out: s for s, out in enumerate(left_out)}
    held = (
        np.array([np.isin(of_fold, out) for out in left_out])
        if depth > 1
        else np.arange(F)[:, None] == of_fold
    )
    tests: list[Test] = []
    for s, out in enumerate(left_out):
        for f in out:
            parent = number.get(tuple(g for g in out if g != f), ROOT)
            for z in range(n_sizes):
                tested = of_fold == f if parent == ROOT else (of_fold == f) & small[z]
                tests.append((s * n_sizes + z, parent if parent == ROOT else parent * n_sizes + z, tested))
    return _one_layer(
        cell,
        (~held[:, None] & small).reshape(-1, len(of_fold)),
        tests,
        deeper=(lambda: pieces(partition, piece, n_sizes, depth + 1, cell))
        if F > depth + 1 and not always
        else None,
        n_sizes=n_sizes,
        called="folds" if n_sizes == 1 else "training sets",
    )


def divided(
    partition: Partition, division: Partition, depth: int = 1, cell: CellCodes | None = None
) -> Splits:
    """Folds whose training rows are divided by folds of their own, drawn once for all; also a hold-out's.

    depth 2: every training set is tested by models that left out one inner fold more; 3: two more.
    """
    F, inner = partition.n_folds, division.n_folds
    fold = np.where(partition.fold == ALWAYS_TRAIN, F, partition.fold)
    if cell is None:
        place = fold * inner + np.maximum(division.fold, 0)
        cell = np.where(fold >= 0, place, -1).astype(np.int32)[None]
    of_fold, of_inner = np.divmod(np.arange((F + 1) * inner), inner)
    rows = np.bincount(cell[0][cell[0] >= 0], minlength=len(of_fold)).reshape(F + 1, inner)
    filled = rows.sum(axis=0) > rows[:F]  # inner folds that the training set of each split has rows of
    models = [
        (f, out) for d in range(depth) for f in range(F) for out in combinations(np.flatnonzero(filled[f]), d)
    ]
    number = {model: m for m, model in enumerate(models)}
    tests: list[Test] = [
        (m, number[f, tuple(other for other in out if other != i)], (of_fold != f) & (of_inner == i))
        for m, (f, out) in enumerate(models)
        for i in out
    ]
    return _one_layer(
        cell,
        [(of_fold != f) & ~np.isin(of_inner, out) for f, out in models],
        [*((f, ROOT, of_fold == f) for f in range(F)), *tests],
        deeper=(lambda: divided(partition, division, depth + 1, cell))
        if filled.sum(axis=1).min() > depth
        else None,
    )


def windows(
    partition: Partition,
    division: Partition,
    tested: Mask,
    usable: Codes | None = None,
    cell: CellCodes | None = None,
) -> Splits:
    """One split in time; inside, every window of the training rows is tested by a model of those before it.

    usable : (N,) the first window whose model is trained on the row, where there is a gap before windows
    """
    count, deep, trained = division.n_folds, cell is not None, division.fold >= 0
    first = division.fold + 1 if usable is None else usable
    kinds, kind = np.unique(
        ((division.fold * (count + 1) + first) * 2 + tested)[trained], return_inverse=True
    )
    if cell is None:
        cells = np.where(partition.fold == 0, len(kinds), -1)
        cells[trained] = kind
        cell = cells.astype(np.int32)[None]
    window, last = np.divmod(kinds // 2, count + 1)
    is_tested = np.append(kinds % 2 == 1, False)
    window, last = np.append(window, count), np.append(last, count + 1)  # the tested rows of the split itself
    later = [w for w in range(1, count) if (is_tested & (window == w)).any()] if deep else []
    return _one_layer(
        cell,
        [window < count, *(last <= w for w in later)],
        [(0, ROOT, window == count), *((m, 0, (window == w) & is_tested) for m, w in enumerate(later, 1))],
        deeper=None if deep else lambda: windows(partition, division, tested, usable, cell),
    )


def validated(partition: Partition, choosing: Partition, cell: CellCodes | None = None) -> Splits:
    """Training, validation and test part: inside, the validation part is tested by a model of the training part."""
    deep = cell is not None
    if cell is None:
        chosen = np.where(choosing.fold == ALWAYS_TRAIN, 0, np.where(choosing.fold == 0, 1, -1))
        cell = np.where(partition.fold == 0, 2, chosen).astype(np.int32)[None]
    both = bool(((choosing.fold == 0) & (partition.fold == ALWAYS_TRAIN)).any())
    return _one_layer(
        cell,
        [[1, both, 0], [1, 0, 0]][: 1 + deep],
        [(0, ROOT, [0, 0, 1]), (1, 0, [0, 1, 0])][: 1 + deep],
        deeper=None if deep else lambda: validated(partition, choosing, cell),
        chosen_only=True,
    )


def deeper_of(splits: Splits) -> Splits:
    """One level deeper, where there is one."""
    assert splits.deeper is not None
    return splits.deeper()


def joined(
    parts: Sequence[Splits], less: Sequence[Sequence[Splits]] = (), cell: CellCodes | None = None
) -> Splits:
    """Layers side by side, such as repeats: models and tests of the first part, then of the next.

    less : the parts of less deep splits, whose models and tests come first, so that they keep their numbers
    cell : the cells of less deep splits, kept
    """
    if len(parts) == 1:
        return parts[0]
    C = max(part.n_cells for part in parts)
    cells = np.concatenate([part.cell for part in parts]) if cell is None else cell
    models = _by_depth(
        [part.n_models for part in parts], [[numbers.n_models for numbers in few] for few in less]
    )
    tests = _by_depth(
        [part.n_tests for part in parts], [[numbers.n_tests for numbers in few] for few in less]
    )
    first_layer = np.cumsum([0, *(part.n_layers for part in parts)])
    first_model = np.cumsum([0, *(part.n_models for part in parts)])
    number = np.append(np.argsort(models), ROOT)  # of models, by their place in all parts

    def of_models(name: str) -> Codes:
        numbers = [
            np.where(getattr(part, name) == ROOT, ROOT, getattr(part, name) + first_model[k])
            for k, part in enumerate(parts)
        ]
        return np.asarray(number[np.concatenate(numbers)[tests]], dtype=np.int32)

    def wide(arrays: list[NDArray[Entry]]) -> NDArray[Entry]:
        return np.concatenate([np.pad(numbers, ((0, 0), (0, C - numbers.shape[1]))) for numbers in arrays])

    def deeper() -> Splits:
        return joined([deeper_of(part) for part in parts], (*less, parts), cells)

    return Splits(
        cells,
        np.concatenate([part.layer + first_layer[k] for k, part in enumerate(parts)])[models].astype(
            np.int32
        ),
        wide([part.copies for part in parts])[models],
        of_models("model"),
        of_models("parent"),
        np.concatenate([part.series for part in parts])[tests],
        wide([part.tested for part in parts])[tests],
        max(part.inside for part in parts),
        deeper if all(part.deeper is not None for part in parts) else None,
        n_sizes=parts[0].n_sizes,
        called=parts[0].called,
    )


def _by_depth(counts: Sequence[int], less: Sequence[Sequence[int]]) -> NDArray[np.intp]:
    """An order of what all parts have, so many each, one part after the other: what less deep ones have comes first."""
    place = np.concatenate([np.arange(count) for count in counts])
    depth = np.zeros(len(place), dtype=np.intp)
    for few in less:
        depth += place >= np.repeat(few, counts)
    return np.argsort(depth, kind="stable")


def given(pairs: Sequence[tuple[Index, Index]], n_rows: int) -> Splits:
    """Any list of (training rows, tested rows); rows that all splits treat alike are one cell."""
    M = len(pairs)
    seen = np.stack([np.bincount(train, minlength=n_rows) for train, _ in pairs])
    tested = np.stack([np.bincount(test, minlength=n_rows) > 0 for _, test in pairs])
    pattern, cell = np.unique(np.concatenate([seen, tested]), axis=1, return_inverse=True)
    if (
        M > 1 and pattern.shape[1] > 4 * M + 4
    ):  # hardly any two rows are treated alike: a layer for each split
        return joined([given([pair], n_rows) for pair in pairs])
    return _one_layer(
        cell.reshape(-1).astype(np.int32), pattern[:M], [(m, ROOT, pattern[M + m] > 0) for m in range(M)]
    )


def drawn_inside(splits: Splits, draw: Callable[[Index], Sequence[Partition]]) -> Splits:
    """A plan of its own inside every tested model, as a fit of its rows would draw it: a series of its own.

    draw : partitions of the rows of a training set, each of which becomes a layer; copies of a row stay together
    """
    parts, parents = [splits], [splits.parent]
    for p in np.unique(splits.model):
        copies = splits.copies_in([p], splits.cell)[0]
        rows, top = np.flatnonzero(copies), int(copies.max())
        for partition in draw(rows):
            inner = folds(partition)
            cell = np.full((1, len(copies)), -1, dtype=np.int32)
            cell[0, rows] = np.where(inner.cell[0] >= 0, inner.cell[0] * top + copies[rows] - 1, -1)
            times = np.kron(inner.copies, np.arange(1, top + 1, dtype=np.uint16))
            tested = np.repeat(inner.tested, top, axis=1)
            parts.append(replace(inner, cell=cell, copies=times, tested=tested, deeper=None))
            parents.append(np.full(inner.n_tests, p, dtype=np.int32))
    series = np.repeat(
        [0, int(splits.series.max(initial=0)) + 1], [splits.n_tests, sum(map(len, parents[1:]))]
    )
    series[: splits.n_tests] = splits.series
    return replace(
        joined(parts), parent=np.concatenate(parents), series=series.astype(np.int32), inside=int(series[-1])
    )


def one_out(n_rows: int, groups: Labels | None = None) -> Splits:
    """Every row, or every group of rows, is tested by the model of all others."""
    if groups is not None:
        (partition,) = LeaveOneOut().partitions(np.zeros(n_rows, dtype=np.int32), groups)
        return replace(folds(partition), deeper=None, called="splits")
    rows = np.arange(n_rows, dtype=np.int32)
    nothing = np.zeros((0, 0), dtype=np.uint16)
    return Splits(
        rows[None], np.zeros(n_rows, dtype=np.int32), nothing, rows, np.full(n_rows, ROOT, dtype=np.int32),
        np.zeros(n_rows, dtype=np.int32), nothing.astype(bool), row_by_row=True, called="splits",
    )  # fmt: skip


def bootstrap(multiplicity: NDArray[np.uint16]) -> Splits:
    """Replicates (B, N): a row's cell is how often it was drawn, and rows of cell 0 are tested.

    One more model is trained on all rows and tests them: the .632 estimates need its errors.
    """
    B, N = multiplicity.shape
    C = max(int(multiplicity.max(initial=0)), 1) + 1
    models = np.arange(B + 1, dtype=np.int32)
    tested = np.tile(np.arange(C) == 0, (B + 1, 1))
    tested[B] = np.arange(C) == 1
    cell = np.ones((B + 1, N), dtype=np.int16)
    cell[:B] = multiplicity
    copies = np.tile(np.arange(C, dtype=np.uint16), (B + 1, 1))
    parent = np.append(np.full(B, ROOT), B).astype(np.int32)
    return Splits(
        cell, models, copies, models, parent, np.zeros(B + 1, dtype=np.int32), tested, called="replicates"
    )


def whole(n_rows: int) -> Splits:
    """One model of all rows, which tests nothing: a fit."""
    return _one_layer(np.zeros(n_rows, dtype=np.int32), [[1]], [])


def resubstitution(n_rows: int) -> Splits:
    """One model of all rows, which tests them."""
    return _one_layer(np.zeros(n_rows, dtype=np.int32), [[1]], [(0, 0, [True])])


def with_training(splits: Splits) -> Splits:
    """The same, and every model of the plan's tests tests its own training rows, too."""
    models = np.unique(splits.model[splits.outer])
    return replace(
        splits,
        model=np.concatenate([splits.model, models]),
        parent=np.concatenate([splits.parent, models]),
        series=np.concatenate([splits.series, np.zeros(len(models), dtype=np.int32)]),
        tested=np.concatenate([splits.tested, splits.copies[models] > 0]),
        deeper=None,
    )
