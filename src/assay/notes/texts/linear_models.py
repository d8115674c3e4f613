"""Texts of notes about linear models: separated classes, solvers, inference."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error, info, warning

_PENALTY = (
    " A penalty of {penalty:g} on the weights of the standardised columns was used; set l2 to choose another."
)

TEXTS: Texts = {
    "M350": warning(
        "Without a penalty the weights would be infinite, because columns separate the classes completely: "
        "{columns:listed}." + _PENALTY,
        columns=("petal length", "petal width"),
        penalty=1e-6,
    ),
    "M351": warning(
        "Without a penalty the weights would be infinite, because columns separate the classes quasi-completely "
        "(with ties): {columns:listed}." + _PENALTY,
        columns=("petal length",),
        penalty=1e-6,
    ),
    "M352": warning(
        "Without a penalty the weights would be huge, because the classes are almost separated." + _PENALTY,
        penalty=1e-6,
    ),
    "M353": warning(
        "Without a penalty the weights would grow without limit, because the classes look separated."
        + _PENALTY,
        penalty=1e-6,
    ),
    "M354": warning(
        "The solver stopped at a relative gradient of {gradient:.1e}, above tol={tol:g}; use a larger penalty.",
        gradient=0.0003,
        tol=1e-06,
    ),
    "M355": info(
        "{used} of {n_columns} columns have a nonzero weight at l1={l1:g}.",
        used=4,
        n_columns=13,
        l1=0.01,
    ),
    "M356": warning(
        "Some columns are linear combinations of others; many sets of weights fit equally well, and this is one "
        "of them.",
    ),
    "M357": error(
        "Standard errors and p-values are not available for a model with a penalty, which shrinks the weights "
        "towards 0; fit with l2=0 and l1=0.",
    ),
    "M358": error(
        "Standard errors and p-values are not available for separated classes, whose best weights are infinite.",
    ),
    "M359": error(
        "Standard errors and p-values are not available with class weights, which are not counts of rows; fit "
        "without them.",
    ),
    "M360": error(
        "Standard errors and p-values are not available for {n_weights} weights; use fewer columns.",
        n_weights=5000,
    ),
    "M361": error(
        "Standard errors and p-values are not available with constant columns; leave them out.",
    ),
    "M362": error(
        "Standard errors and p-values are not available, because some columns are linear combinations of others; "
        "leave them out.",
    ),
    "M363": info(
        "The classes are linearly separable. Columns that separate them completely: {columns:listed}.",
        columns=("petal length", "petal width"),
    ),
    "M364": info(
        "It is not known whether the classes are linearly separable: the linear programme is too large to solve.",
    ),
    "M365": info(
        "The classes are quasi-completely separable, but not linearly separable: {columns:column/columns} "
        "{columns:listed} {columns:separates/separate} {free} of {rows} rows with none on the wrong side, and every "
        "such plane contains the other rows. {proof}",
        columns=("age",),
        free=98,
        rows=100,
        proof="Proof: the same point is a weighted mean of rows of class 'no' (1) and of rows of class 'yes' (2), up "
        "to a residual of 1e-16 standard deviations.",
    ),
    "M366": info(
        "The classes are not linearly separable. {proof}",
        proof="Proof: the same point is a weighted mean of rows of class 'no' (1) and of rows of class 'yes' (2), up "
        "to a residual of 1e-16 standard deviations.",
    ),
    "M367": info(
        "Proof: the same point is a weighted mean of rows of class {first!r} ({n_first}) and of rows of class "
        "{second!r} ({n_second}), up to a residual of {residual:.1g} standard deviations.",
        first="no",
        n_first=1,
        second="yes",
        n_second=2,
        residual=1e-16,
    ),
    "M368": info(
        "Proof: weighted sums of {rows} rows, each against a rival class, cancel up to a residual of "
        "{residual:.1g} standard deviations.",
        rows=7,
        residual=1e-16,
    ),
    "M369": warning(
        "The classes are linearly separable, but {epochs} epochs did not find a separating plane; raise epochs.",
        epochs=10,
    ),
    "M370": warning(
        "The classes are linearly separable, but {epochs} epochs did not find a separating plane; raise epochs, or "
        "set scale=True.",
        epochs=10,
    ),
    "M371": warning(
        "{epochs} epochs did not find a separating plane. Whether there is one is not known, because the linear "
        "programme is too large to solve.",
        epochs=10,
    ),
}
