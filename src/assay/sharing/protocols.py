"""What sharers ask of models and steps: structural, so that anybody's class may offer it.

Every name that a file of `sharing/` calls on a model or a step stands here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.notes import Note
from assay.numerics.neighbors import Near, Searcher
from assay.numerics.votes import Setting, Some, Voters
from assay.sharing.dataset import RowReader
from assay.sharing.forms import ScoreForm
from assay.sharing.reductions import Kept, Reduction
from assay.sharing.settings import Settings
from assay.sharing.study import Study
from assay.statistics import AffineMap, Moments
from assay.statistics.counting import Grouping
from assay.statistics.counts import ColumnMask, WordTotals
from assay.statistics.word_part import WordPart
from assay.types import (
    Array,
    Codes,
    ColumnNames,
    Estimator,
    Floats,
    Index,
    Mask,
    MatrixLike,
    PriorsLike,
    infers,
)

Result = TypeVar("Result")


class Solved(Protocol):
    """All models of all settings, solved as soon as somebody asks for their scores.

    It may have `seconds`, a dict of what settings took, each by itself: without it they were solved together.
    """

    def reduce(self, keep: Reduction[Kept, Result], only: NDArray[np.bool_] | None = None) -> Result:
        """What the reduction keeps of all scores, or of those asked for: only (S, T)."""

    def difficulties(self, s: int) -> tuple[str, ...]:
        """What was difficult in a setting, in words; known once scores were asked for."""


SolvedBy = TypeVar("SolvedBy", bound=Solved, covariant=True)


@dataclass(frozen=True)
class Sharer(Generic[SolvedBy]):
    """One way in which models have their computation in common.

    Attributes
    ----------
    name : str
    note : function of the name of a setting, its estimator and a study
        None, or why this way does not serve the setting.
    solve : function of settings that it suits, and a study
    """

    name: str
    note: Callable[[str, Estimator, Study], Note | None]
    solve: Callable[[Settings, Study], SolvedBy]

    def suits(self, settings: Settings, study: Study) -> list[Note | None]:
        """For every setting None, or why this way does not serve it."""
        pairs = zip(settings.names, settings.estimators, strict=True)
        return [self.note(name, estimator, study) for name, estimator in pairs]


class GramProblem(NamedTuple):
    """One training set among rows whose inner products are known.

    gram : (N, N)
    codes : (N,) classes
    weight : (N,)
        Of the rows trained on, those of their classes and their copies included; 0: the row is not trained on.
    test : places of the rows to score
    """

    gram: Array
    codes: Codes
    n_classes: int
    weight: Array
    test: Index
    threads: int


class GramModel(Protocol):
    """A model that is solved from the inner products of rows, under a kernel or as they are.

    A model that has `class_weight` gets weights with its factors in them.
    """

    gram_parameters: tuple[str, ...]  # settings that differ in these alone are solved together

    def gram_note(self, rows: int, width: int, memory: int) -> Note | None:
        """Why a table of so many rows and columns is not for it, or None."""

    def learns_kernel(self) -> bool:
        """Whether the matrix depends on which rows are trained on."""

    def gram(self, X: Any, train: Index, weight: Array | None, some: Index | None, threads: int) -> Floats:
        """The matrix of some rows of X (None: all), under the kernel that the rows `train` give; nothing is kept."""

    def solve_gram(self, problem: GramProblem, models: Sequence[Self]) -> tuple[Array, Mask]:
        """Scores of the tested rows by every one of the models, (L, P, K), and which of them are solved."""


class MomentModel(Protocol):
    """A model that follows from the moments of its training set: M at once, and it never raises for one of them."""

    def solve_moments(self, m: Moments) -> ScoreForm: ...


class FoldStep(Protocol):
    """A step that is an affine map once the statistics of its training set are known, for M sets at once."""

    def fold_map(self, m: Moments) -> AffineMap: ...


class CountReader(RowReader, Protocol):
    """How a model of counts reads and counts rows; models whose readers have equal keys read them once for all."""

    @property
    def key(self) -> Hashable: ...
    @property
    def words(self) -> bool:
        """Whether columns are words, among which a step in front may choose."""

    def count(
        self, rows: Any, keys: Any, codes: Codes, n_classes: int, threads: int, **groups: Unpack[Grouping]
    ) -> Any:
        """Counts of every class, or of every (group, class); options as those of `count_levels`."""

    def count_bytes(self, keys: Any, n_classes: int) -> int:
        """Memory of the counts of one training set and of what is made of them."""

    def compressed(self, keys: Any) -> bool:
        """Whether rows are compressed: then there is a table (words, classes) of one training set at a time."""

    def prepared(self, rows: Any) -> Any:
        """Words behind a step that chooses among them, as the model counts them."""


class CountForm(Protocol):
    """Models solved from counts."""

    def scores(self, rows: Any, model: Codes | None, threads: int) -> Array:
        """Joint log likelihoods (N, K) of rows as the reader reads them, each under model[i]; None: the only model."""


class CountModel(Protocol):
    """A model solved from counts by (training set, class)."""

    priors: PriorsLike

    def read_counts(self) -> CountReader:
        """How it reads rows; its parameters were checked."""

    def solve_counts(self, counts: Any, keys: Any) -> CountForm:
        """Models of M training sets, from their counts."""

    def word_weights(self, part: WordPart) -> tuple[Array, Array] | None:
        """Of words asked for, weights (U, padded K) and constants (K,); None: it needs all words. Words alone."""


class WordStep(Protocol):
    """A step that chooses among words by how many training rows hold them."""

    binary: bool
    max_words: int | None

    def read_counts(self) -> CountReader: ...

    def word_map(self, totals: WordTotals) -> ColumnMask:
        """The words that stay."""


class RowError(ValueError):
    """What is wrong with a row under a model: a code and values, to which whoever knows them adds row and split."""

    def __init__(self, code: str, values: dict[str, object], row: int, model: int) -> None:
        super().__init__(Note(code, values=values, row=row, split=model))
        self.code, self.values, self.row, self.model = code, values, row, model


class SettingsSolved(Protocol):
    """Settings, each solved by some sharer; `sharing.dispatch` makes it.

    jobs : settings by number, and what solved them
    ways : (S,) names of the sharers
    notes : (S,) why something cheaper did not serve
    """

    @property
    def jobs(self) -> list[tuple[list[int], Solved]]: ...
    @property
    def ways(self) -> list[str]: ...
    @property
    def notes(self) -> list[list[Note]]: ...


class Wrapper(Protocol):
    """A model made of other models, which are solved by whatever they share."""

    def inside(self, settings: Settings, study: Study) -> SettingsSolved:
        """Settings whose models are of this class, solved by way of what they are made of."""


class NeighborModel(Protocol):
    """A model that needs to know which training rows are nearest, and lets them vote."""

    @property
    def near_apart(self) -> Sequence[str]:
        """Parameters that change who votes, not who is near."""

    @property
    def smoothing(self) -> float:
        """Votes that are added for every class of the training set, once neighbours have voted."""

    def near_setting(self) -> Setting:
        """How many vote, and how."""

    @property
    def near_free(self) -> bool:
        """Whether distances are the same whichever rows are trained on: `near_rows` can be asked for."""

    def near_rows(self, X: Floats, names: ColumnNames) -> Searcher:
        """All rows, to search among."""

    def near_by_products(self, shape: tuple[int, int]) -> bool:
        """Whether distances are Euclidean and, among so many rows and columns, found without a tree."""

    def check_size(self, total: float, code: str) -> None:
        """Rejects too few training rows with a note of this code."""

    def votes(
        self, voters: Voters, near: Near, settings: Sequence[Setting], threads: int
    ) -> tuple[list[Array], Some]:
        """Class shares in every setting from lists of neighbours, and the queries whose lists are too short."""

    def shares(self, X: Floats, settings: Sequence[Setting], threads: int) -> list[Array]:
        """The same for rows, of a fitted model."""


class StagedModel(Protocol):
    """A model one fit of which answers several settings: a tree those that prune it, an ensemble numbers of trees.

    What it gives equals fits to each of the settings, to the last bit.
    """

    @property
    def stages_apart(self) -> Sequence[str]:
        """Parameters in which such settings may differ."""

    def for_stages(self, models: Sequence[Any]) -> Any:
        """The unfitted model whose fit answers all of these, itself among them."""

    def stage_posteriors(self, X: Any, models: Sequence[Any]) -> list[Array]:
        """Posteriors (N, K) of each of the models, as if it had been fitted to the same rows; this one is fitted."""


class ColumnScales(NamedTuple):
    """Columns that are kept, and what becomes of them: (x - center) / scale; None: they stay as they are."""

    columns: NDArray[np.intp]
    center: Array | None = None
    scale: Array | None = None

    def apply(self, X: Floats) -> Floats:
        """Rows behind it, to the last bit as the step itself gives them."""
        columns = X if len(self.columns) == X.shape[1] else X[:, self.columns]
        return columns if self.scale is None or self.center is None else (columns - self.center) / self.scale


class ScalingStep(Protocol):
    """A step that, without gaps, multiplies columns and leaves some out."""

    def column_scales(self, X: MatrixLike, y: ArrayLike) -> ColumnScales:
        """What it learns from rows without gaps."""


# What a model or a step may say beyond that, and what holds where it does not.
OPTIONAL: dict[str, object] = {
    "check_params": None,  # () -> None: raises one sentence about a parameter that is not allowed
    "priors": "ml",  # of a model: class probabilities to use
    "probabilistic": None,  # whether its scores are joint log likelihoods; None: whether it has posteriors
    "winners": None,  # (scores) -> class of each row, where that is not the first of the largest
    "missing_ok": False,  # whether a model leaves missing values out
    "keeps_digits": None,  # (variance of the rows) -> whether equations among the rows do, where there are such
    "solve_moments": None,
    "solve_gram": None,
    "solve_counts": None,
    "word_map": None,
    "inside": None,
    "class_weight": None,  # "balanced", or weights of classes by label
    "moments_form": "full",  # the least form of moments that it needs
    "loo_moments": None,  # (whole, block) -> scores of each row without it, NaN in rows left open; None: none
    "has_basis": None,  # () -> whether `solve_grid` serves it
    "solve_grid": None,  # (models, m, priors) -> bases of models that differ by settings, to count their mistakes
    "solve_parts": None,  # (passes, parts, n_classes, *penalties) -> solutions of all training parts and penalties
    "penalties": (),  # parameters in which settings that are solved together may differ
    "fit_path": None,  # (X, y, weight, models) -> these models of other penalties, fitted to the same rows in one go
    "sparse_ok": False,  # whether it takes compressed rows
    "path_note": None,  # () -> why parts are not solved together with these parameters, or None
    "fold_map": None,
    "mixes_features": True,  # of a step: its map is a dense matrix and needs products of features
    "narrows": False,  # training sets keep other columns; their maps keep all, some times 0
    "by_position": False,  # it takes columns by their numbers
    "passes_gaps": False,  # missing values pass through
    "reads_gaps": False,  # fold_map(m, filling): of rows whose missing values were read as `filling` says
    "needs_extremes": False,  # fold_map(m, extremes)
    "near_apart": None,
    "stages_apart": None,
    "column_scales": None,
    "solves_among_rows": False,  # with more columns than rows a fit needs no moments
    "data_free": False,  # it learns nothing, and may be applied before rows are split
}


def offered(part: object, name: str) -> Any:
    """What a model or a step says under an optional name, or what holds where it says nothing."""
    return getattr(part, name, OPTIONAL[name])


def has_posterior(model: object) -> bool:
    """Whether the scores of a model are logarithms of joint probabilities, and not margins."""
    declared = offered(model, "probabilistic")
    return infers(model) if declared is None else bool(declared)
