"""Texts of notes about clusters, projections and feature search."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error, info, warning

TEXTS: Texts = {
    "C013": error(
        "A hierarchy cannot be selected on held-out rows; use criterion bic, or method k-means.",
    ),
    "C014": error(
        "The number of clusters must be at least 1; set it with {option.k}.",
    ),
    "C015": error(
        "{n_clusters} clusters are more than the {n_rows} rows; ask for at most {n_rows} with {option.k}.",
        n_clusters=151,
        n_rows=150,
    ),
    "C016": error(
        "The distances of all pairs of {n_rows} rows take {gibibytes:.1f} GiB, more than ASSAY_MEMORY allows; use "
        "method top-down or k-means, or fewer rows.",
        n_rows=200000,
        gibibytes=149.0,
    ),
    "C017": error(
        "Unknown {option_name} {choice!r}; give {choices:choice}.",
        option_name="method",
        choice="dbscan",
        choices=("k-means", "hierarchy", "top-down"),
    ),
    "C018": error(
        "{path!r} is a file; name a folder for the clusters.",
        path="clusters.csv",
    ),
    "C046": error(
        "{search:set search} is unknown; give forward, backward, floating or rank.",
        search="sideways",
    ),
    "C047": error(
        "{by:set by} is unknown; give correlation, correlation_ratio or information.",
        by="chance",
    ),
    "C048": error(
        "{rule:set rule} is unknown; give min or one_se.",
        rule="max",
    ),
    "C049": error(
        "A ranking lists all columns; a number of columns, start columns and fixed columns need a search, such as "
        "forward, backward or floating.",
    ),
    "C051": error(
        "{model} does not use columns, so there are none to search for; use another model.",
        model="baseline",
    ),
    "C054": error(
        "{method:set method} is unknown; give pca or fisher.",
        method="tsne",
    ),
    "C055": error(
        "{to:set to} is not a number of directions; give a whole number of at least 1.",
        to=0,
    ),
    "C056": error(
        "Fisher's directions separate classes; name the column of classes with {option.target}, or use method pca.",
    ),
    "C057": error(
        "All columns are constant; there is nothing to project.",
    ),
    "C058": error(
        "The means of all classes are equal, so no direction separates them; there is nothing to project.",
    ),
    "C059": error(
        "This table has {directions:count direction} for method {method}; ask for at most {directions} with "
        "{option.to}.",
        method="pca",
        directions=2,
    ),
    "C300": info(
        "{rows:count row} of {columns:count column} in {clusters:count cluster}.",
        rows=150,
        columns=4,
        clusters=3,
    ),
    "C301": info(
        "No evidence of clusters among {rows:count row} of {columns:count column}: from {fewest} to {most} clusters, "
        "one was chosen.",
        rows=300,
        columns=3,
        fewest=1,
        most=10,
    ),
    "C302": info(
        "{clusters:count cluster} among {rows:count row} of {columns:count column}, chosen from {fewest} to {most} by "
        "{criterion}.",
        clusters=3,
        rows=150,
        columns=4,
        fewest=1,
        most=10,
        criterion="BIC",
    ),
    "C303": info(
        "The largest number tried, {clusters:count cluster}, was chosen; more clusters may fit better, so try larger "
        "numbers with {option.k}.",
        clusters=10,
    ),
    "C304": info(
        "{rows:count row} of {total} had missing values, which were replaced by column means.",
        rows=12,
        total=150,
    ),
    "C305": info(
        "Texts are represented by the log counts of {words:count word}, the most frequent of {vocabulary:count word}; "
        "labels were not used to select them.",
        words=300,
        vocabulary=12408,
    ),
    "C310": warning(
        "With so many columns for so few rows, some directions separate any labels, so the projection shows the "
        "principal components; {method:set method} shows Fisher's directions.",
        method="fisher",
    ),
    "C311": warning(
        "Some directions do not vary within the classes, which happens with many columns for few rows. Their "
        "variance within the classes is set to at least {proportion:g} of the total, and the projection may separate "
        "classes better than new rows would.",
        proportion=0.05,
    ),
    "C312": warning(
        "The error of the nearest class mean on new rows could not be estimated. {reason}",
        reason="The training set of split 2 is empty; use other splits.",
    ),
    "C313": warning(
        "The projection is optimistically biased: the nearest class mean has an error of {error:percent} on the rows "
        "it was fitted to and of {nested_error:percent} on new rows.",
        error=0.02,
        nested_error=0.11,
    ),
    "C314": info(
        "{directions:count principal component} {directions:explains/explain} {share:percent} of the variance of "
        "{columns:count standardised column}.",
        directions=2,
        share=0.73,
        columns=13,
    ),
    "C315": info(
        "{directions:count Fisher direction} of {columns:count standardised column} {directions:separates/separate} "
        "the classes of {target!r} best.",
        directions=2,
        columns=4,
        target="species",
    ),
    "C320": warning(
        "On new rows the search is not clearly better than always predicting the most frequent class (error "
        "{error:percent} against {baseline:percent}); collect more rows or better columns before relying on the "
        "selected columns.",
        error=0.31,
        baseline=0.33,
    ),
    "C321": info(
        "No column has numbers or categories, so none can be ranked.",
    ),
    "C322": info(
        "Not ranked, because they have neither numbers nor categories: {columns:quoted}.",
        columns=("name", "comment"),
    ),
    "C323": info(
        "The mutual information of the columns ignores sample weights.",
    ),
    "C324": info(
        "With {columns} columns the forward search stops at {limit}; ask for more with {option.n_features}, or search "
        "backward.",
        columns=120,
        limit=50,
    ),
    "C325": warning(
        "The error of the selected columns on new rows could not be estimated. {reason}",
        reason="The training set of split 2 is empty; use other splits.",
    ),
    "C326": warning(
        "The errors on the search path are optimistically biased: the selected columns have an error of "
        "{error:percent} in the folds that selected them, and a search has {nested_error:percent} on new rows.",
        error=0.02,
        nested_error=0.11,
    ),
    "C327": info(
        "{title} does not read {columns:count column}: {columns:quoted}.",
        title="Gaussian naive Bayes",
        columns=("comment",),
    ),
}
