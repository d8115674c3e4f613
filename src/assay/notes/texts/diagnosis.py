"""Texts of notes about a table before any model is fitted: density, leakage, duplicates, labels."""

from __future__ import annotations

from typing import Any

from assay.notes.texts.text import Texts, info, warning

_SHELL = (
    "{observed:percent} of the rows lie within 5 % of the end of a range ({expected:percent} if uniform)."
)
_SHELL_EXAMPLE: dict[str, Any] = {"observed": 0.957, "expected": 0.923, "columns": 50}
_NORM = (
    "The mean squared norm is {observed:.3g}, {ratio:.2f} times that of uniform rows ({expected:.3g}), on columns "
    "scaled to [-1, 1]."
)
_NORM_EXAMPLE: dict[str, Any] = {"observed": 7.5, "ratio": 2.25, "expected": 3.33}
_CELLS = (
    "with {bins} bins on {axes} of them, {observed:percent} of the cells are empty ({expected:percent} if uniform; "
    "{rows:count row} without a missing value there)."
)
_CELLS_EXAMPLE: dict[str, Any] = {
    "bins": 2,
    "axes": 9,
    "columns": 30,
    "observed": 0.887,
    "expected": 0.33,
    "rows": 569,
}
_DISTANCES = (
    "The standard deviation of squared distances is {observed:percent} of their mean ({expected:percent} if uniform; "
    "{rows:count row} compared)."
)
_DISTANCES_EXAMPLE: dict[str, Any] = {"observed": 0.154, "expected": 0.167, "rows": 500}
_SPARSE = (
    "{columns:count numeric column} ({names:columns}) are many for {rows:count row}: hardly any row has others nearby. "
    "Prefer models that weigh columns, such as logistic regression or boosting, to neighbours and densities, or choose "
    "columns with"
)
_RATIOS = "Rows per column, categories counted one by one: {ratios:listed}."
_RATIOS_EXAMPLE: dict[str, Any] = {
    "label": "class 'rare'",
    "rows": 20,
    "columns": 14,
    "ratios": ["class 'rare' 1.43", "class 'common' 12"],
}
_AFTERWARDS = "it seems to be filled in after the class is known. Drop it if it is."
_ONE_CLASS_EXAMPLE: dict[str, Any] = {
    "subject": "boat",
    "rows": 486,
    "inside": 477,
    "label": "class 'yes'",
    "prevalence": 0.382,
}
_REPEATS = (
    "{repeated:count row} of {rows} {repeated:repeats/repeat} an earlier row in all features and the label."
)

TEXTS: Texts = {
    "P154": warning(
        "The rows are in the order of column {subject!r}. Folds at random test the past by the future; to test the "
        'future by the past, use {option.plan}"time:5", {option.time}{subject!r}.',
        shell="The rows are in the order of column {subject!r}. Folds at random test the past by the future; to test "
        "the future by the past, use --plan time:5 --time {subject}.",
        subject="date",
    ),
    "P155": warning(
        "Drift along {time!r}: class {label!r} is {first:percent} of the first fifth of the rows and {last:percent} of "
        "the last. An error rate of the past may not hold for the future.",
        time="date",
        label="fraud",
        first=0.02,
        last=0.09,
    ),
    "P156": warning(
        "Drift along {time!r}: {columns:columns} {columns:changes/change} with the order of the rows.",
        time="date",
        columns=["price"],
    ),
    "P100": info(
        "Nearly every row is extreme in at least one of {columns:count numeric column}, so methods that average over "
        f"neighbours extrapolate. {_SHELL}",
        **_SHELL_EXAMPLE,
    ),
    "P101": info(
        "Many values of {columns:count numeric column} lie at the ends of their ranges, as in skewed columns. "
        f"{_SHELL}",
        **_SHELL_EXAMPLE,
    ),
    "P102": info(
        "Values concentrate in the middle of their ranges: fewer rows are extreme than expected for "
        f"{{columns:count numeric column}}. {_SHELL}",
        **_SHELL_EXAMPLE,
    ),
    "P103": info(
        f"About as many rows are extreme as expected for {{columns:count numeric column}}. {_SHELL}",
        **_SHELL_EXAMPLE,
    ),
    "P104": info(
        f"Values concentrate at the ends of their ranges, as in skewed columns; a logarithm may help. {_NORM}",
        **_NORM_EXAMPLE,
    ),
    "P105": info(
        "Values concentrate in the middle of their ranges, as in bell-shaped columns and columns with outliers. "
        f"{_NORM}",
        **_NORM_EXAMPLE,
    ),
    "P106": info(
        f"Values are spread over their ranges. {_NORM}",
        **_NORM_EXAMPLE,
    ),
    "P107": info(
        f"The data are sparse for {{columns:count numeric column}}: {_CELLS} All columns would make 2^{{columns}} "
        "cells, of which the rows fill fewer than one in a thousand.",
        **_CELLS_EXAMPLE,
    ),
    "P108": info(
        f"The {{columns:count numeric column}} are skewed or depend on each other: {_CELLS}",
        **_CELLS_EXAMPLE,
    ),
    "P109": info(
        f"The rows fill {{columns:count numeric column}} about as uniform rows would: {_CELLS}",
        **_CELLS_EXAMPLE,
    ),
    "P110": info(
        "Almost no row has a neighbour nearby, so methods that count neighbours are not reliable. With all "
        "{halved:count column} cut in two, {alone:percent} of the rows are alone in their cell; with {bins} bins on "
        "{axes} columns, {observed:percent} of the cells hold a single row ({expected:percent} if uniform).",
        halved=30,
        alone=0.931,
        bins=2,
        axes=9,
        observed=0.064,
        expected=0.366,
    ),
    "P111": info(
        "With {bins} bins on {axes} columns, {observed:percent} of the cells hold a single row ({expected:percent} if "
        "uniform), from which no class proportions can be estimated. With all {halved:count column} cut in two, "
        "{alone:percent} of the rows are alone in their cell.",
        halved=4,
        alone=0.0,
        bins=3,
        axes=4,
        observed=0.111,
        expected=0.293,
    ),
    "P112": info(
        f"Near and far rows hardly differ in distance, so nearest neighbours carry little information. {_DISTANCES}",
        **_DISTANCES_EXAMPLE,
    ),
    "P113": info(
        f"Distances between rows differ more than in uniform data, so nearest neighbours are meaningful. {_DISTANCES}",
        **_DISTANCES_EXAMPLE,
    ),
    "P114": info(
        f"Near and far rows differ in distance. {_DISTANCES}",
        **_DISTANCES_EXAMPLE,
    ),
    "P115": warning(
        "The smallest class, {label}, has {rows:count row} for {columns:count column}, too few for a covariance "
        "matrix per class; prefer a model whose covariance is shared by the classes or diagonal. "
        f"{_RATIOS}",
        **_RATIOS_EXAMPLE,
    ),
    "P116": info(
        "The smallest class, {label}, has {rows:count row} for {columns:count column}, fewer than the recommended "
        f"{{recommended:.0f}} rows per column. {_RATIOS}",
        recommended=10.0,
        **_RATIOS_EXAMPLE,
    ),
    "P117": info(
        "The smallest class, {label}, has {rows:count row} for {columns:count column}, enough for every model. "
        f"{_RATIOS}",
        **_RATIOS_EXAMPLE,
    ),
    "P146": warning(
        f"{_SPARSE} select_features.",
        shell=f"{_SPARSE} assay features.",
        columns=30,
        names=("radius", "texture", "area", "age", "dose", "weight", "height"),
        rows=569,
    ),
    "P147": info(
        "Density was measured on {rows:count row}, chosen by a hash of the row number.",
        rows=100000,
    ),
    "P118": info("No numeric column varies, so the density of the data was not examined."),
    "P119": info(
        "Density checks scale {columns:count numeric column} to [-1, 1] by their smallest and largest values and skip "
        "missing values.",
        columns=30,
    ),
    "P120": info(
        "Columns were checked for leakage on {rows:count row}, chosen by a hash of the row number.",
        rows=50000,
    ),
    "P121": info(
        "Only {rows:count row} {rows:lies/lie} outside the most frequent class, too few to distinguish leakage from "
        "chance.",
        rows=12,
    ),
    "P122": warning(
        "Column {subject!r} alone removes {reduction:percent} of the errors of always predicting the most frequent "
        "class; check that its value is known before the class is, and drop it if it is not.",
        subject="diagnosis_code",
        reduction=0.994,
    ),
    "P123": info(
        "Column {subject!r} alone removes {reduction:percent} of the errors of always predicting the most frequent "
        "class, which is a lot for one column, but plausible.",
        subject="petal_length",
        reduction=0.96,
    ),
    "P124": warning(
        "Whether column {subject!r} has a value removes {reduction:percent} of the errors of always predicting the "
        f"most frequent class; {_AFTERWARDS}",
        subject="boat",
        reduction=0.943,
    ),
    "P125": warning(
        "Column {subject!r} has values in {rows:count row}, {inside} of them of {label}, which has "
        f"{{prevalence:percent}} of all rows; {_AFTERWARDS}",
        **_ONE_CLASS_EXAMPLE,
    ),
    "P126": warning(
        "Column {subject!r} has no value in {rows:count row}, {inside} of them of {label}, which has "
        f"{{prevalence:percent}} of all rows; {_AFTERWARDS}",
        **_ONE_CLASS_EXAMPLE,
    ),
    "P127": info(
        "Column {subject!r} looks like an identifier and is not used as a feature; give it another type "
        "({option.types}) if it carries information about new rows.",
        subject="patient_id",
    ),
    "P128": warning(
        "In column {subject!r}, {repeated} of {rows:count row} {repeated:repeats/repeat} the text of an earlier row. "
        "If one copy is in the training set and another is tested, the estimated error is too low for new texts; keep "
        "one row per text, or keep copies in one fold by a column named with {option.groups}.",
        subject="message",
        repeated=403,
        rows=5572,
    ),
    "P129": warning(
        "Rows share values of column {subject!r} ({values:count value} in {rows:count row}), and rows of one value "
        "often have the same class. If they belong together, as all rows of one patient do, name the column with "
        "{option.groups}; otherwise the estimated error is too low for new values.",
        subject="patient",
        values=40,
        rows=200,
    ),
    "P130": warning(
        "Labels of {subject!r} that differ only in case or blanks are separate classes: {alike:listed}; give them one "
        "spelling if they mean the same, as frame[{subject!r}].str.lower().str.split().str.join(' ') does.",
        shell="Labels of {subject!r} that differ only in case or blanks are separate classes: {alike:listed}; give "
        "them one spelling if they mean the same.",
        subject="bought",
        alike=["'Yes' (9) and 'yes' (10)"],
    ),
    "P131": warning(
        "Categories of column {subject!r} that differ only in case or blanks are separate categories: {alike:listed}; "
        "give them one spelling if they mean the same, as frame[{subject!r}].str.lower().str.split().str.join(' ') "
        "does.",
        shell="Categories of column {subject!r} that differ only in case or blanks are separate categories: "
        "{alike:listed}; give them one spelling if they mean the same.",
        subject="town",
        alike=["'Bern' (4) and 'bern' (2)"],
    ),
    "P132": warning(
        "{labels:Label/Labels} of {subject!r} with a single row: {labels:quoted 5}; correct typing errors, or merge "
        "rare labels, as frame[{subject!r}].replace({{{labels[0]!r}: 'other'}}) does. Nothing can be learned from one "
        "row.",
        shell="{labels:Label/Labels} of {subject!r} with a single row: {labels:quoted 5}; correct typing errors, or "
        "merge rare labels. Nothing can be learned from one row.",
        subject="bought",
        labels=["yess"],
    ),
    "P133": info(
        "{dropped:count row} of {rows} {dropped:has/have} no value of the target {subject!r} and {dropped:is/are} left "
        "out.",
        subject="class",
        dropped=10,
        rows=40,
    ),
    "P134": warning(
        "{classes:Class/Classes} of {subject!r} with fewer than {fewest} rows: {classes:listed}. Little can be "
        "learned from so few rows.",
        subject="class",
        fewest=10,
        classes=["'rare' (3)", "'odd' (7)"],
    ),
    "P135": info(
        "No value of {groups} occurs twice, so groups have no effect.",
        groups="'patient'",
    ),
    "P136": info(
        "Rows with the same value of {groups} stay in one fold: {count:count group} of {smallest} to "
        "{largest:count row}. Intervals and tests count groups, because rows of one group may be similar.",
        groups="'patient'",
        count=40,
        smallest=3,
        largest=7,
    ),
    "P137": info(
        "Rows with the same value of {groups} stay in one fold: {count:count group} of {size:count row} each. "
        "Intervals and tests count groups, because rows of one group may be similar.",
        groups="'patient'",
        count=40,
        size=5,
    ),
    "P138": info(
        "Rows are weighted by {weights}, which is {weight:.4g} in every row.",
        weights="column 'w'",
        weight=2.0,
    ),
    "P139": info(
        "Rows are weighted by {weights} ({smallest:.4g} to {largest:.4g}) in training and in every metric; the "
        "effective number of rows is {effective:count}.",
        weights="column 'w'",
        smallest=0.5,
        largest=4.0,
        effective=812,
    ),
    "P140": info(
        "Rows are weighted by {weights} ({smallest:.4g} to {largest:.4g}) in every metric; the effective number of "
        "rows is {effective:count}.",
        weights="column 'w'",
        smallest=0.5,
        largest=4.0,
        effective=812,
    ),
    "P141": info(
        "{rows:count row} {rows:has/have} a sample weight of 0 ({weights}) and {rows:is/are} left out.",
        rows=20,
        weights="column 'w'",
    ),
    "P142": warning(_REPEATS, repeated=150, rows=300),
    "P143": warning(
        f"{_REPEATS} Copies stay in one fold, and intervals count them once; {{option.split_repeats}} divides them "
        "like other rows.",
        repeated=150,
        rows=300,
    ),
    "P144": warning(
        f"{_REPEATS} Intervals count copies once, unless {{option.split_repeats}} is set.",
        repeated=150,
        rows=300,
    ),
    "P145": info(
        "Read as missing values: {markers:listed}; if these are values, name other markers with {option.missing}.",
        markers=["'?' 3 times ('age', 'sex')"],
    ),
}
