r"""Feature space: new columns φ(x) in front of any model, so that linear boundaries in φ are curved ones in x.

    polynomial   x_i x_j ... of up to `degree` factors          radial      exp(-|z - c_m|² / 2w²)
    interaction  the same of different columns                   spline      B-splines of each column
    functions    whatever is given

Centers and knots are learned from the rows of `fit` alone, so inside an evaluation from each training part. There is no
constant column: models have an intercept (Bishop, *Pattern Recognition and Machine Learning*, 3.1 and 4.3.1).
"""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.engines.local import memory_limit
from assay.models.base.column_notes import column_keys
from assay.models.base.estimators import Transformer, check_is_fitted
from assay.models.base.params import Param
from assay.models.base.stored import INPUT, NOTES, Field
from assay.models.base.validation import (
    LARGEST,
    RangeError,
    check_row_weight,
    check_rows,
    column_names,
    explain_rows,
    feature_names,
)
from assay.models.features.monomials import count_terms, products, term_name, terms
from assay.models.features.radial import Radial, learn_radial
from assay.models.features.splines import n_splines, quantile_knots, splines
from assay.models.features.user_functions import Functions, call, check_alone, listed, titles
from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.numerics.random_state import RandomState, as_seed
from assay.types import Array, MatrixLike, RowWeights

PRODUCTS = ("polynomial", "interaction")
LEARNED = ("centers_", "center_mean_", "center_scale_", "width_", "knots_", "function_widths_")
KINDS = ("polynomial", "interaction", "radial", "spline", "functions")
RADIAL = (("kind", ("radial",)),)
BASIS = (
    Param("kind", "choice", "polynomial", "What the new columns are.", choices=KINDS),
    Param(
        "degree",
        "int",
        2,
        'Most factors of a product ("polynomial", "interaction"), or the degree of a "spline".',
        low=1,
        only_if=(("kind", ("polynomial", "interaction", "spline")),),
    ),
    Param("n_centers", "int", 10, 'Of "radial": number of rows that are centres.', low=1, only_if=RADIAL),
    Param(
        "width",
        "float",
        None,
        'Of "radial": width in standard deviations; the median distance between centres when not given.',
        low=1e-9,
        optional=True,
        only_if=RADIAL,
    ),
    Param(
        "knots",
        "int",
        5,
        (
            'Of "spline": number of quantiles that are knots, both ends included. A column becomes knots '
            "+ degree - 1 columns."
        ),
        low=2,
        only_if=(("kind", ("spline",)),),
    ),
    Param(
        "functions",
        "functions",
        None,
        'Of "functions": each takes rows (N, D) and returns (N,) or (N, M), computed row by row.',
        optional=True,
        only_if=(("kind", ("functions",)),),
    ),
    Param(
        "include_original",
        "bool",
        True,
        "Whether the original columns come first. A spline can represent its column, which is never added.",
        only_if=(("kind", ("polynomial", "interaction", "radial", "functions")),),
    ),
    Param("random_state", "seed", 0, 'Of "radial": seed of the draw of centres.'),
)


class BasisExpansion(Transformer):
    """Expand the columns by products, radial functions, splines or your own functions.

    Attributes
    ----------
    centers_, center_mean_, center_scale_, width_ : of "radial"
    knots_ : (D, knots), of "spline"
    function_widths_ : columns of each function
    diagnostics_

    Examples
    --------
    >>> import numpy as np
    >>> expansion = BasisExpansion("polynomial").fit([[1.0, 2.0], [3.0, 4.0]])
    >>> expansion.get_feature_names_out().tolist()
    ['x0', 'x1', 'x0^2', 'x0 x1', 'x1^2']
    >>> expansion.transform([[2.0, 3.0]]).tolist()
    [[2.0, 3.0, 4.0, 6.0, 9.0]]
    """

    params: ClassVar[tuple[Param, ...]] = BASIS
    stored: ClassVar[tuple[Field, ...]] = (
        *INPUT,
        Field("centers_", "numbers", ("M", "D"), optional=True),
        Field("center_mean_", "numbers", ("D",), optional=True),
        Field("center_scale_", "positive", ("D",), optional=True),
        Field("width_", "reach", optional=True),
        Field("knots_", "numbers", ("D", "Q"), optional=True),
        NOTES,
    )

    def __init__(
        self,
        kind: str = "polynomial",
        *,
        degree: int = 2,
        n_centers: int = 10,
        width: float | None = None,
        knots: int = 5,
        functions: Functions = None,
        include_original: bool = True,
        random_state: RandomState = 0,
    ) -> None:
        self.kind = kind
        self.degree = degree
        self.n_centers = n_centers
        self.width = width
        self.knots = knots
        self.functions = functions
        self.include_original = include_original
        self.random_state = random_state

    @property
    def data_free(self) -> bool:
        """Whether the new columns of a row depend on that row alone, so that no training part is needed."""
        return self.kind not in ("radial", "spline")

    def fit(self, X: MatrixLike, y: ArrayLike | None = None, sample_weight: RowWeights = None) -> Self:
        """Learn the number of columns, and centers or knots; rows of weight 0 do not count."""
        self._check_params()
        rows = self._checked(check_rows(self, X, reset=True))
        weight = check_row_weight(sample_weight, len(rows))
        for name in LEARNED:  # of an earlier fit with another kind
            self.__dict__.pop(name, None)
        self.diagnostics_: tuple[str, ...] = ()
        if self.kind == "radial":
            self._learn_centers(rows, weight)
        elif self.kind == "spline":
            self._learn_knots(rows, weight)
        elif self.kind == "functions":
            self._learn_functions(rows)
        self._check_width(len(rows))
        return self

    def transform(self, X: MatrixLike) -> Array:
        """The columns, unless they are left out, and the new ones."""
        check_is_fitted(self)
        rows = self._checked(check_rows(self, X, reset=False))
        made = self._made(rows)
        with_original = self.include_original and self.kind != "spline"
        return np.concatenate([rows, made], axis=1) if with_original else made

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """Names such as "a^2 b", "radial3", "a_spline0" or those of the functions."""
        check_is_fitted(self)
        names = self._names(input_features)
        made: list[str] = []
        if self.kind in PRODUCTS:
            made = [term_name(term, names) for term in self._terms()]
        elif self.kind == "radial":
            made = [f"radial{m}" for m in range(len(self.centers_))]
        elif self.kind == "spline":
            counts = [n_splines(knots, self.degree) for knots in self.knots_]
            made = [f"{name}_spline{i}" for name, n in zip(names, counts, strict=True) for i in range(n)]
        else:
            for title, width in zip(titles(listed(self.functions)), self.function_widths_, strict=True):
                made += [title] if width == 1 else [f"{title}_{i}" for i in range(width)]
        originals = names if self.include_original and self.kind != "spline" else []
        return np.asarray([*originals, *made], dtype=object)

    @property
    def n_features_out_(self) -> int:
        """Columns that `transform` gives."""
        check_is_fitted(self)
        if self.kind in PRODUCTS:
            made = count_terms(self.n_features_in_, self.degree, powers=self.kind == "polynomial")
        elif self.kind == "radial":
            made = len(self.centers_)
        elif self.kind == "spline":
            return sum(n_splines(knots, self.degree) for knots in self.knots_)
        else:
            made = sum(self.function_widths_)
        return made + (self.n_features_in_ if self.include_original else 0)

    # What is learned ------------------------------------------------------------------------------------

    def _learn_centers(self, rows: Array, weight: Array | None) -> None:
        with single_threaded():
            radial = learn_radial(rows, weight, self.n_centers, self.width, as_seed(self.random_state))
        self.centers_, self.width_ = radial.centers, radial.width
        self.center_mean_, self.center_scale_ = radial.mean, radial.scale
        if len(radial.centers) < self.n_centers:
            self.diagnostics_ = (Note("M400", distinct=len(radial.centers), n_centers=self.n_centers),)

    def _learn_knots(self, rows: Array, weight: Array | None) -> None:
        self.knots_ = quantile_knots(rows, weight, self.knots)
        keys, counts = column_keys(self), [len(np.unique(knots)) for knots in self.knots_]
        self.diagnostics_ = tuple(
            Note("M401", column=key, knots=count, wanted=self.knots)
            if count > 1
            else Note("M402", column=key)
            for key, count in zip(keys, counts, strict=True)
            if count < self.knots
        )

    def _learn_functions(self, rows: Array) -> None:
        if self.functions is None:
            raise ValueError(Note("M060"))
        functions = listed(self.functions)
        widths = []
        for function, title in zip(functions, titles(functions), strict=True):
            values = call(function, title, rows)
            check_alone(function, title, rows, values)
            widths.append(values.shape[1])
        self.function_widths_ = tuple(widths)

    # What is computed -----------------------------------------------------------------------------------

    def _terms(self) -> list[tuple[int, ...]]:
        return terms(self.n_features_in_, self.degree, powers=self.kind == "polynomial")

    def _made(self, rows: Array) -> Array:
        if self.kind in PRODUCTS:
            return self._products(rows)
        if self.kind == "radial":
            basis = Radial(self.centers_, self.center_mean_, self.center_scale_, self.width_)
            return basis.values(rows)
        if self.kind == "spline":
            parts = [splines(x, knots, self.degree) for x, knots in zip(rows.T, self.knots_, strict=True)]
            return np.concatenate(parts, axis=1)
        return self._called(rows)

    def _products(self, rows: Array) -> Array:
        wanted = self._terms()
        made = products(rows, wanted)
        largest = np.abs(made).max(axis=0, initial=0.0)
        for at in np.flatnonzero(~(largest <= LARGEST))[:1]:
            row = int(np.argmax(~(np.abs(made[:, at]) <= LARGEST)))
            column = max(wanted[at], key=lambda c: abs(rows[row, c]))
            name = term_name(wanted[at], self._names())
            values = {"value": float(rows[row, column]), "row": row, "term": name}
            raise RangeError("M701", column, feature_names(self), values)
        return made

    def _called(self, rows: Array) -> Array:
        functions = listed(self.functions)
        parts = []
        for function, title, width in zip(functions, titles(functions), self.function_widths_, strict=True):
            values = call(function, title, rows)
            if values.shape[1] != width:
                raise ValueError(Note("M063", title=title, n_columns=values.shape[1], fitted=width))
            parts.append(values)
        return np.concatenate(parts, axis=1)

    # What is checked ------------------------------------------------------------------------------------

    def _checked(self, rows: NDArray[np.floating]) -> Array:
        wide = rows.astype(np.float64, copy=False)
        error = explain_rows(feature_names(self), wide)
        if error is not None:
            raise error
        return wide

    def _check_width(self, n_rows: int) -> None:
        """There is a new column, and room for all."""
        if self.kind not in PRODUCTS:
            return
        count = count_terms(self.n_features_in_, self.degree, powers=self.kind == "polynomial")
        if count == 0 and not self.include_original:
            raise ValueError(Note("M061", kind=self.kind, degree=self.degree, n_columns=self.n_features_in_))
        if 8 * n_rows * count > memory_limit():
            raise ValueError(
                Note(
                    "M062",
                    count=count,
                    n_columns=self.n_features_in_,
                    n_rows=n_rows,
                    gibibytes=8 * n_rows * count / 2**30,
                )
            )

    def _names(self, given: ArrayLike | None = None) -> list[str]:
        return [str(name) for name in column_names(self, given, self.n_features_in_)]
