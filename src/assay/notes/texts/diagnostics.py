"""Texts of notes about difficulties of a fit: what `diagnostics_` of models and steps says."""

from __future__ import annotations

from assay.notes.texts.text import Texts, info, warning

TEXTS: Texts = {
    # Columns, classes and covariances
    "M300": info(
        "Constant columns cannot separate the classes and were left out: {columns:listed}.",
        columns=("country", "year"),
    ),
    "M301": warning("Class {label} has no training row; its posterior is 0.", label="bird"),
    "M302": warning(
        "Class {label} has a single row, or equal rows; the covariance shared by the classes is used for it.",
        label="bird",
    ),
    "M303": warning(
        "The covariance of class {label} is singular in {singular} of {n_columns} directions; their variance "
        "was raised to the floor. Possible remedies: {remedies:listed}.",
        label="bird",
        singular=2,
        n_columns=13,
        remedies=("blend", "shrinkage", "fewer features"),
    ),
    "M304": warning(
        "The shared covariance is singular in {singular} of {n_columns} directions; their variance was raised "
        "to the floor. Possible remedies: {remedies:listed}.",
        singular=2,
        n_columns=13,
        remedies=("shrinkage", "fewer features"),
    ),
    "M305": info(
        "Class {label} has no value in {unobserved} of {n_columns} columns; their overall mean and shared "
        "variance are used.",
        label="bird",
        unobserved=1,
        n_columns=13,
    ),
    "M306": warning(
        "Only {rank} of {n_columns} columns are linearly independent; of all equally good solutions, the one "
        "with the smallest weights was taken.",
        rank=11,
        n_columns=13,
    ),
    "M307": warning(
        "Column {wide!r} varies {ratio:.3g} times as much as column {narrow!r}, so the wider columns dominate the "
        "distances; put Standardize() before the model to give all columns equal weight.",
        wide="income",
        ratio=1500.0,
        narrow="age",
    ),
    "M308": warning(
        "Column {wide!r} varies {ratio:.3g} times as much as column {narrow!r}, so the wider columns dominate the "
        "leading components; put Standardize() before the model to give all columns equal weight.",
        wide="income",
        ratio=1500.0,
        narrow="age",
    ),
    "M309": info(
        "Column {column!r} is constant; the density leaves it out.",
        column="country",
    ),
    "M310": warning(
        "The covariance is singular in {singular} of {n_columns} directions; their variance was raised to the "
        "floor. Possible remedies: shrinkage, fewer features, more rows.",
        singular=2,
        n_columns=13,
    ),
    # Networks and models of one's own
    "M311": info(
        "The training loss was still falling after {epochs} epochs; more epochs may fit better.",
        epochs=50,
    ),
    "M312": info(
        "The validation loss was still falling after {epochs} epochs; more epochs may fit better.",
        epochs=50,
    ),
    "M313": warning(
        "Some outputs are still wrong after {epochs} epochs; the weights with the fewest errors were kept. Some "
        "errors always remain if the classes are not linearly separable.",
        epochs=50,
    ),
    "M314": warning(
        "Not converged after {epochs} epochs; the gradient is still {remaining:.1g} of that at the start. Raise "
        "epochs or tol.",
        epochs=50,
        remaining=0.03,
    ),
    "M722": warning(
        "Not converged after {epochs} epochs; steps are still {remaining:.1g} of the first. Raise epochs or tol.",
        epochs=50,
        remaining=0.03,
    ),
    "M315": warning(
        "The minimiser stopped after {steps} steps where the gradient is {gradient:.1g}; raise max_iter or tol, "
        "start elsewhere, or rescale the parameters.",
        steps=200,
        gradient=0.04,
    ),
    # Projections
    "M316": info(
        "The class means differ along {rank:count direction} only; the other {zero:component is/components are} zero.",
        rank=1,
        zero=1,
    ),
    "M317": info(
        "The rows vary along {rank} directions of {n_columns} only; the components beyond them are left out.",
        rank=3,
        n_columns=4,
    ),
    "M318": info(
        "The rows vary along {rank} directions of {n_columns} only; the components beyond them are zero.",
        rank=3,
        n_columns=4,
    ),
    # Support vector machines and neighbours
    "M319": warning(
        "The loss max(0, -y f) has its minimum, 0, at zero weights (a = 0, b = 0), which do not separate the "
        "classes; use surrogate='hinge', which requires a margin.",
    ),
    "M320": warning(
        "The solver stopped at a relative duality gap of {gap:.1e}, above tol={tol:g}; use a larger penalty.",
        gap=0.02,
        tol=0.001,
    ),
    "M321": warning(
        "The kernel is not positive semidefinite on these rows; the solver stopped where no pair of rows improves "
        "the objective, which need not be the best solution.",
    ),
    "M322": warning(
        "The solver stopped at a violation of {violation:.1e}, above tol={tol:g}; use a larger penalty, standardised "
        "columns or gram_dtype='float64'.",
        violation=0.02,
        tol=0.001,
    ),
    "M323": info(
        "There are {rows} rows, more than most_rows={most_rows}; {landmarks} landmarks, drawn at random, "
        "represent them (Nyström features and the linear solver). More landmarks approximate the exact SVM "
        "better.",
        rows=50000,
        most_rows=20000,
        landmarks=1000,
    ),
    "M324": info(
        "The covariance of the columns is singular; a small variance was added in {singular} of its directions.",
        singular=2,
    ),
    "M325": warning(
        "n_neighbors={n_neighbors} is more than the {rows:g} training rows; all of them vote for every row.",
        n_neighbors=50,
        rows=30,
    ),
    # Clusters
    "M326": warning(
        "Rows still changed clusters after {steps} steps; raise max_iter.",
        steps=300,
    ),
    "M327": warning(
        "{empty} of the {n_clusters} clusters {empty:is/are} empty, because there are fewer distinct rows than "
        "clusters.",
        empty=1,
        n_clusters=4,
    ),
    "M328": info(
        "There are {distinct} distinct rows, so there cannot be more clusters than that.",
        distinct=3,
    ),
    # Gaussian mixtures
    "M329": warning(
        "Class {label} has a single row, or equal rows; it is one component with the covariance within the "
        "classes.",
        label="bird",
    ),
    "M330": info(
        "{subject} has {rows} distinct rows, too few for {wanted} components; it has {count}.",
        subject="Class bird",
        rows=3,
        wanted=2,
        count=1,
    ),
    "M331": info(
        "{subject}: BIC prefers {counts:listed} components, but a covariance collapses there; set n_components to "
        "use them.",
        subject="Class bird",
        counts=(4, 5),
    ),
    "M332": warning(
        "{subject}: EM stopped after max_iter={max_iter} steps before it converged; raise max_iter or tol.",
        subject="Class bird",
        max_iter=200,
    ),
    "M333": warning(
        "Component {component} of class {label} is singular in {singular} of {n_columns} directions; their "
        "variance was raised to the floor. Possible remedies: fewer components, a simpler covariance, a higher "
        "variance_floor.",
        component=2,
        label="bird",
        singular=1,
        n_columns=4,
    ),
    "M334": warning(
        "Component {component} is singular in {singular} of {n_columns} directions; their variance was raised to "
        "the floor. Possible remedies: fewer components, a simpler covariance, a higher variance_floor.",
        component=2,
        singular=1,
        n_columns=4,
    ),
    # Combined models and recommendations
    "M335": warning(
        "The scores of held-out rows do not depend on the class; the posteriors are the class prevalences.",
    ),
    "M336": warning(
        "Class {label} has no row of positive weight; it is never predicted.",
        label="bird",
    ),
    "M337": info(
        "Users without any rating: {count}. Their predicted ratings are the means of the items.",
        count=2,
    ),
}
