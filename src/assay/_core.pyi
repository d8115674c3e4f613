"""Types of the compiled kernels; what each computes is said in core/*/*.hpp."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

_F64 = NDArray[np.float64]
_I32 = NDArray[np.int32]
_U8 = NDArray[np.uint8]
_I64 = NDArray[np.int64]
_U16 = NDArray[np.uint16]
_U64 = NDArray[np.uint64]
_Cells = NDArray[np.int16] | NDArray[np.int32]
_Table = NDArray[np.floating[Any]]

def isa() -> str: ...
def diagonal_moments(
    x: _Table,
    cell: _I32,
    weight: _F64 | None,
    center: _F64,
    threads: int,
    total: _F64,
    sum: _F64,
    square: _F64,
    present: _F64 | None,
) -> None: ...
def full_moments(
    x: _Table,
    cell: _I32,
    weight: _F64 | None,
    center: _F64,
    pool: int,
    fill: _F64 | None,
    indicators: _I32 | None,
    threads: int,
    total: _F64,
    sum: _F64,
    product: _F64,
) -> None: ...
def replicate_moments(
    x: _Table,
    cell: _I32,
    weight: _F64 | None,
    center: _F64,
    multiplicity: _U16,
    pool: int,
    threads: int,
    total: _F64,
    drawn: _F64,
    sum: _F64,
    product: _F64,
) -> None: ...
def level_ranges(
    x: NDArray[np.generic], threads: int, low: _F64, high: _F64, whole: NDArray[np.uint8]
) -> None: ...
def table_codes(
    x: NDArray[np.generic], low: _F64, first: _I64, codes: _I32, threads: int, out: _I32
) -> None: ...
def count_levels(codes: _I32, first: _I64, cell: _I32, threads: int, out: _I64) -> None: ...
def count_weighted_levels(
    codes: _I32, first: _I64, cell: _I32, weight: _F64, threads: int, out: _F64
) -> None: ...
def count_bins(x: _Table, cut: _I64, codes: _I32, threads: int, edges: _I64, out: _I64) -> None: ...
def level_scores(
    codes: _I32, first: _I64, model: _I32 | None, table: _F64, bias: _F64, threads: int, out: _F64
) -> None: ...
def cell_sums(cells: _Cells, codes: _I32, weight: _F64 | None, sums: _F64, threads: int = 1) -> None: ...
def cell_copies(cells: _Cells, layer: _I32, table: _U16, copies: _U16, threads: int = 1) -> None: ...
def count_pairs(cells: _Cells, first: _I64, ends: _I64, threads: int = 1) -> None: ...
def list_pairs(
    cells: _Cells, first: _I64, tests: _I32, ends: _I64, row: _I64, test: _I32, threads: int = 1
) -> None: ...
def every_row_once(row: _I64) -> bool: ...
def pairs_ascend(layer: _I32, row: _I64, test: _I32, threads: int = 1) -> bool: ...
def linear_scores(
    x: _Table,
    rows: _I64 | None,
    models: _I32 | None,
    fill: _F64 | None,
    indicators: _I32 | None,
    center: _F64,
    weights: _F64,
    bias: _F64,
    threads: int,
    out: _F64,
    best: _I32 | None = None,
    unusable: _I64 | None = None,
) -> None: ...
def diagonal_scores(
    x: _Table,
    rows: _I64 | None,
    models: _I32 | None,
    fill: _F64 | None,
    indicators: _I32 | None,
    mean: _F64,
    precision: _F64,
    bias: _F64,
    marginal: bool,
    threads: int,
    out: _F64,
    best: _I32 | None = None,
    unusable: _I64 | None = None,
) -> None: ...
def quadratic_scores(
    x: _Table,
    rows: _I64 | None,
    models: _I32 | None,
    fill: _F64 | None,
    indicators: _I32 | None,
    mean: _F64,
    whitener: _F64,
    bias: _F64,
    triangular: bool,
    threads: int,
    out: _F64,
    best: _I32 | None = None,
    unusable: _I64 | None = None,
) -> None: ...
def normalize_scores(scores: _F64, threads: int, best: _I32) -> int: ...
def log_losses(scores: _F64, codes: _I32, floor: float, threads: int, out: _F64) -> None: ...
def posteriors(log_posterior: _F64, threads: int, out: _F64) -> None: ...
def row_hashes(key: int, out: _U64) -> None: ...
def assign_folds(codes: _I32, n_classes: int, key: int, n_folds: int, out: _I32) -> None: ...
def proportional_order(
    codes: _I32, groups: _I32 | None, n_classes: int, n_groups: int, out: _I64
) -> None: ...
def assign_test(codes: _I32, n_classes: int, key: int, n_test: int, out: _I32) -> None: ...
def assign_group_folds(
    codes: _I32, groups: _I32, n_classes: int, n_groups: int, key: int, n_folds: int, out: _I32
) -> None: ...
def assign_group_test(
    codes: _I32, groups: _I32, n_classes: int, n_groups: int, key: int, n_test: int, out: _I32
) -> None: ...
def bootstrap_counts(key: int, first: int, threads: int, out: _U16) -> None: ...
def standardized_rows(
    x: _Table,
    rows: _I64 | None,
    first: int,
    fill: _F64 | None,
    indicators: _I32 | None,
    center: _F64,
    unit: _F64,
    out: _F64,
) -> None: ...
def kept_size(width: int, start: _I64) -> int: ...

class FoldRows:
    def __init__(
        self,
        x: _Table,
        fill: _F64 | None,
        indicators: _I32 | None,
        order: _I64,
        center: _F64,
        unit: _F64,
        codes: _I32,
        weight: _F64 | None,
        start: _I64,
        fold: _I32,
        coarse: bool,
        keep: bool,
    ) -> None: ...
    def gradients(
        self, models: _F64, first: _I64, exact: bool, threads: int, gradient: _F64, loss: _F64
    ) -> None: ...
    def grams(self, model: _F64, wanted: NDArray[np.bool_], exact: bool, threads: int, out: _F64) -> None: ...

class TrainingParts:
    def __init__(
        self,
        share: _F64,
        penalty: _F64,
        free: NDArray[np.bool_],
        start: _F64,
        weight: _F64,
        maps: _F64 | None,
    ) -> None: ...

def newton_path(
    rows: object,
    parts: TrainingParts,
    pilot: TrainingParts | None,
    l2: _F64,
    tol: float,
    threads: int,
    B: _F64,
    gradient: _F64,
    loss: _F64,
    converged: NDArray[np.bool_],
    theta: _F64,
    renewed: NDArray[np.bool_],
    begin: _F64 | None = None,
) -> tuple[list[tuple[float, float, float]], int]: ...
def em_steps(
    x: _F64,
    weight: _F64,
    codes: _I32 | None,
    shape: int,
    floor: float,
    steps: int,
    gain: float,
    rounding: float,
    least: float,
    shares: _F64,
    means: _F64,
    covariances: _F64,
    whiteners: _F64,
    log_determinants: _F64,
    floored: _I64,
) -> tuple[list[float], int]: ...
def perceptron_epoch(
    z: _F64,
    codes: _I32,
    size: _F64,
    order: _I64 | None,
    seen: float,
    weights: _F64,
    late: _F64,
    longest: _F64,
    largest: float = 0.0,
) -> int: ...

class OffsetCsrRows:
    @property
    def shape(self) -> tuple[int, int]: ...
    def base(self, out: _F64) -> None: ...
    def scores(self, w: _F64, out: _F64) -> None: ...
    def epoch(
        self,
        codes: _I32,
        size: _F64,
        order: _I64 | None,
        seen: float,
        weights: _F64,
        late: _F64,
        longest: _F64,
    ) -> int: ...

def lean_rows(filled: FilledRows) -> OffsetCsrRows: ...
def map_filled(filled: FilledRows, which: _I64, columns: _I64, factor: _F64, shift: _F64) -> FilledRows: ...
def single_layer_steps(
    z: _F64,
    codes: _I32,
    rates: _F64,
    decay: _F64 | None,
    output: str,
    cross_entropy: bool,
    low: float,
    weights: _F64,
) -> None: ...
def nearest(
    rows: _Table,
    queries: _Table,
    row_group: _I32 | None,
    query_group: _I32 | None,
    groups: int,
    part: int,
    itself: _I64 | None,
    metric: int,
    numeric: int,
    by_products: bool,
    threads: int,
    near: _I32,
    distances: _F64,
    squared: bool = False,
) -> None: ...
def all_distances(
    rows: _Table, queries: _Table, metric: int, numeric: int, threads: int, out: _F64
) -> None: ...
def candidate_distances(rows: _Table, queries: _Table, candidates: _I32, threads: int, out: _F64) -> None: ...
def nearest_listed(
    rows: _Table,
    query: _I32,
    place: _I32,
    lists: _I32,
    bounds: _F64,
    allowed: _U8,
    factor: float,
    slack: float,
    threads: int,
    near: _I32,
    distances: _F64,
    sure: _U8,
) -> None: ...
def patterns_listed(
    bits: _U64,
    numbers: _F64,
    kind: _U8,
    step: _F64,
    query: _I32,
    place: _I32,
    lists: _I32,
    bounds: _F64,
    allowed: _U8,
    factor: float,
    slack: float,
    threads: int,
    near: _I32,
    distances: _F64,
    sure: _U8,
) -> None: ...
def nearest_patterns(
    bits: _U64,
    numbers: _F64,
    kind: _U8,
    step: _F64,
    rows: _I32,
    queries: _I32,
    threads: int,
    near: _I32,
    distances: _F64,
) -> None: ...
def merge_near(
    rows: _I32, distances: _F64, other_rows: _I32, other_distances: _F64, near: _I32, out: _F64
) -> None: ...
def vote(
    near: _I32,
    distances: _F64,
    codes: _I32,
    weight: _F64 | None,
    sizes: _F64,
    by_distance: bool,
    last: bool,
    threads: int,
    too_short: _U8,
    out: _F64,
    place: _I32 | None = None,
    model: _I32 | None = None,
    unit: _F64 | None = None,
    cell: _I32 | None = None,
    layer: _I32 | None = None,
    copies: _U16 | None = None,
) -> int: ...

search_rows: int

def grid_mistakes(
    table: _Table,
    fill: _F64 | None,
    indicators: _I32 | None,
    first: _I64,
    source: _I64,
    fold: _I32,
    own: _I32,
    weight: _F64 | None,
    tests: _I32,
    center: _F64,
    unit: _F64,
    bases: tuple[Any, ...],
    slope: _F64,
    level: _F64,
    threads: int,
    sums: _F64,
) -> int: ...
def sort_rows(
    table: NDArray[np.floating],
    rows: tuple[Any, ...],
    source: NDArray[np.int64],
    center: _F64,
    threads: int,
    out: _F64,
) -> None: ...
def add_normals(
    rows: tuple[Any, ...],
    x: _F64,
    mean: _F64,
    half: _F64,
    constant: _F64,
    feature: _I32,
    threads: int,
    margin: _F64,
) -> None: ...
def try_normals(
    rows: tuple[Any, ...],
    x: _F64,
    mean: _F64,
    half: _F64,
    constant: _F64,
    start: NDArray[np.int64],
    feature: _I32,
    without: bool,
    margin: _F64,
    threads: int,
    hits: _F64,
) -> None: ...
def try_moves(
    rows: tuple[Any, ...],
    moved: int,
    move_slope: _F64 | None,
    move_center: _F64 | None,
    factor: _F64 | None,
    start: NDArray[np.int64],
    feature: _I32,
    slope: _F64,
    center: _F64,
    others: _I32,
    threads: int,
    x: _F64,
    margin: _F64,
    hits: _F64,
) -> None: ...

class SparseMatrix:
    def __init__(self, first: _I32 | _I64, column: _I32 | _I64, value: _F64, columns: int) -> None: ...
    def products(self, right: _F64, squared: bool, threads: int, out: _F64) -> None: ...

class WordRows:
    def __init__(self, first: _I32 | _I64, column: _I32 | _I64, value: _F64, columns: int) -> None: ...
    def add(self, rows: _I64, code: _I32, weight: _F64 | None, factor: float, table: _F64) -> None: ...
    def scores(self, rows: _I64, place: _I32, weights: _F64, bias: _F64, threads: int, out: _F64) -> None: ...

def vocabulary_sums(
    counts: _F64, chosen: _U8, base: _F64 | None, threads: int, totals: _F64, logs: _F64
) -> None: ...
def word_logs(
    counts: _F64, words: _I64, base: _F64, sign: float, others: bool, threads: int, out: _F64
) -> None: ...

class Texts:
    def __len__(self) -> int: ...
    def add_values(self, values: list[Any]) -> list[int]: ...
    def add_column(self, offsets: _I32 | _I64, bytes: _U8, missing: NDArray[np.bool_] | None) -> None: ...
    def survey(self, threads: int) -> tuple[int, int, int] | None: ...
    def pages(self) -> list[int]: ...

class Characters:
    def __init__(self, context: bool) -> None: ...
    def has(self, page: int) -> bool: ...
    def fill(self, page: int, entries: NDArray[np.uint32]) -> None: ...

class Tally:
    def __init__(
        self,
        texts: Texts,
        characters: Characters,
        words: bool,
        least: int,
        most: int,
        stop: list[str],
        vocabulary: list[str] | None,
        threads: int,
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def word_count(self) -> int: ...
    @property
    def stopped(self) -> int: ...
    def names(self, column: _I32, out: NDArray[np.object_]) -> None: ...
    def totals(self, documents: _I64, total: _I64) -> None: ...
    def forget_words(self) -> None: ...
    def bounds(self, column: _I32, threads: int, first: _I64) -> None: ...
    def fill(
        self, column: _I32, first: _I32 | _I64, binary: bool, threads: int, columns: _I32, counts: _I32
    ) -> None: ...

def softmax_residuals(scores: _F64, codes: _I32, weight: _F64 | None, loss: _F64) -> None: ...
def softmax_posteriors(scores: _F64) -> None: ...
def hinge_length(t: _F64, bent: _F64, c: _F64, sigma: float, linear: float, square: float) -> float: ...

class HingeRows:
    def __init__(self, y: _F64, c: _F64, f: _F64, alpha: _F64, sigma: float) -> None: ...
    def move(self, along: _F64, linear: float, square: float) -> float: ...
    def figures(self) -> tuple[float, float, float]: ...
    def free(self) -> _I64: ...
    def nearness(self) -> _F64: ...
    def multipliers(self) -> _F64: ...
    def changed(self) -> tuple[_I64, _F64]: ...

def coordinate_descent(
    hessian: _F64, gradient: _F64, start: _F64, l1: _F64, sweeps: int, tol: float, out: _F64
) -> int: ...
def network_epoch(
    gemm: object,
    x: _Table,
    columns: _I64,
    center: _F64,
    unit: _F64,
    limit: float,
    codes: _I32,
    weight: _F64 | None,
    order: _I64,
    ends: _I64,
    widths: _I64,
    activation: str,
    surrogate: str,
    solver: str,
    rate: float,
    momentum: float,
    l2: float,
    steps: int,
    threads: int,
    parameters: NDArray[Any],
    state: NDArray[Any],
) -> float: ...
def network_scores(
    gemm: object,
    rows: NDArray[Any],
    widths: _I64,
    activation: str,
    parameters: NDArray[Any],
    threads: int,
    out: NDArray[Any],
) -> None: ...
def judged_scores(
    scores: NDArray[Any], which: _I64, codes: _I32, weight: _F64 | None, surrogate: str
) -> tuple[float, float, float]: ...
def filled_network_epoch(
    gemm: object,
    filled: FilledRows | NarrowFilledRows,
    codes: _I32,
    weight: _F64 | None,
    order: _I64,
    ends: _I64,
    widths: _I64,
    activation: str,
    surrogate: str,
    solver: str,
    rate: float,
    momentum: float,
    l2: float,
    steps: int,
    threads: int,
    parameters: NDArray[Any],
    state: NDArray[Any],
) -> float: ...
def filled_network_scores(
    gemm: object,
    filled: FilledRows | NarrowFilledRows,
    which: _I64,
    widths: _I64,
    activation: str,
    parameters: NDArray[Any],
    threads: int,
    out: NDArray[Any],
) -> None: ...

class FilledRows:
    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def entries(self) -> int: ...
    def scores(self, which: _I64, b: _F64, out: _F64) -> None: ...
    def sums(self, which: _I64, r: _F64, out: _F64) -> None: ...
    def dense(self, which: _I64, out: _F64) -> None: ...

class NarrowFilledRows:
    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def entries(self) -> int: ...

def fill_rows(
    x: _Table,
    which: _I64 | None,
    fill: _F64 | None,
    indicators: _I32 | None,
    columns: _I64,
    center: _F64,
    unit: _F64,
    limit: float,
    most: int,
) -> FilledRows | None: ...
def fill_narrow_rows(
    x: _Table,
    which: _I64 | None,
    fill: _F64 | None,
    indicators: _I32 | None,
    columns: _I64,
    center: _F64,
    unit: _F64,
    limit: float,
    most: int,
) -> NarrowFilledRows | None: ...
def kernel_block(
    gemm: object,
    kernel: str,
    gamma: float,
    coef0: float,
    degree: int,
    left: NDArray[Any],
    right: NDArray[Any],
    threads: int,
    out: NDArray[Any],
) -> None: ...
def kernel_sums(
    gemm: object,
    kernel: str,
    gamma: float,
    coef0: float,
    degree: int,
    points: NDArray[Any],
    vectors: NDArray[Any],
    factor: _F64,
    threads: int,
    out: _F64,
) -> None: ...

_Solved = tuple[int, float, float, bool, list[tuple[float, float, float, float]]]

def smo_gram(
    gram: NDArray[Any],
    low: _F64,
    high: _F64,
    tolerance: float,
    most_steps: int,
    threads: int,
    b: _F64,
    v: _F64,
) -> _Solved: ...
def smo_rows(
    gemm: object,
    kernel: str,
    gamma: float,
    coef0: float,
    degree: int,
    points: NDArray[Any],
    most_rows: int,
    low: _F64,
    high: _F64,
    tolerance: float,
    most_steps: int,
    threads: int,
    b: _F64,
    v: _F64,
) -> _Solved: ...
def lloyd(
    rows: _Table,
    weight: _F64 | None,
    most_steps: int,
    tolerance: float,
    threads: int,
    centers: _F64,
    labels: _I32,
) -> tuple[list[float], bool, int, int]: ...
def nearest_centers(rows: _Table, centers: _F64, threads: int, labels: _I32) -> None: ...
def closer(
    rows: _Table, weight: _F64 | None, drawn: _I32, closest: _F64, threads: int, left: _F64, sums: _F64
) -> None: ...
def rating_predictions(
    first: _I64,
    item: _I32,
    code: NDArray[Any],
    items: int,
    mean: _F64,
    inverse: _F64,
    target_first: _I64,
    target_item: _I32,
    target_code: NDArray[Any],
    itself: _I32,
    query_first: _I64,
    query_item: _I32,
    one_out: bool,
    kinds: _I32,
    overlap: int,
    shrinkage: float,
    unit: float,
    neighbors: int,
    panels: bool,
    threads: int,
    out: _F64,
    used: _I32,
) -> None: ...
def rating_similarities(
    first: _I64,
    item: _I32,
    code: NDArray[Any],
    items: int,
    mean: _F64,
    inverse: _F64,
    target_first: _I64,
    target_item: _I32,
    target_code: NDArray[Any],
    kind: int,
    overlap: int,
    shrinkage: float,
    unit: float,
    common: _I32,
    out: _F64,
) -> None: ...
def set_interrupt_check(check: Callable[[], None]) -> None: ...
