"""Texts of notes about losses, priors, intervals and charts."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "L001": error(
        "The number of bins is {bins!r}; give a whole number of at least 1.",
        bins=0,
    ),
    "L002": error(
        "There is no class {class_code}; give a code from 0 to {last}.",
        class_code=7,
        last=4,
    ),
    "L003": error(
        "The margin is {margin!r}; give the largest difference that does not matter, 0 or more.",
        margin=-0.1,
    ),
    "L004": error(
        "The groups have shape {shape}; give one for each of the {n_rows} rows.",
        shape="(149,)",
        n_rows=150,
    ),
    "L005": error(
        "The number of rows is {n}; an interval needs at least one.",
        n=0,
    ),
    "L006": error(
        "The number of errors is {errors}; give a number from 0 to the {n} rows.",
        errors=160,
        n=150,
    ),
    "L007": error(
        "All weight is on one row; an interval for a mean needs at least two rows.",
    ),
    "L008": error(
        "There is one difference; the test needs at least two splits.",
    ),
    "L009": error(
        "A split has {n_train} training and {n_test} test rows; both must be above 0.",
        n_train=0,
        n_test=15,
    ),
    "L010": error(
        "The level is {confidence}; give a number between 0 and 1, such as 0.95.",
        confidence=1.5,
    ),
    "L011": error(
        "The {name} have shape {shape}; give a list of at least one number.",
        name="losses",
        shape="(150, 4)",
    ),
    "L012": error(
        "Entry {row} of the {name} is {value}; give finite numbers.",
        row=3,
        name="losses",
        value="nan",
    ),
    "L013": error(
        "Class {class_code} has one row; the standard error of the area under the curve needs at least two rows per "
        "class.",
        class_code=1,
    ),
    "L014": error(
        "The classes have shape {shape}; give a list of at least one label.",
        shape="(150, 4)",
    ),
    "L015": error(
        "The loss matrix has {n_axes} dimensions; give one row per class and one column per action.",
        n_axes=3,
    ),
    "L016": error(
        "Action names were given together with {what}, which has its own; leave `actions` out.",
        what="a LossMatrix",
    ),
    "L017": error(
        "The loss matrix has no actions; give at least one column.",
    ),
    "L018": error(
        "The loss matrix has shape {shape}, but {n_classes} classes and {n_names} actions need shape ({n_classes}, "
        "{n_names}).",
        shape="(3, 2)",
        n_classes=3,
        n_names=3,
    ),
    "L019": error(
        "The loss of action {action!r} when the truth is {label!r} is {cost}; give a number of at most {largest:g} "
        "in absolute value.",
        action="reject",
        label="good",
        cost="inf",
        largest=1e150,
    ),
    "L020": error(
        "Class {name!r} is listed twice; list every class once.",
        name="good",
    ),
    "L021": error(
        "The loss matrix is not a table of numbers; give one row per class, all of the same length.",
    ),
    "L022": error(
        "Action {label!r} is listed twice; list every action once.",
        label="good",
    ),
    "L023": error(
        "The loss has a row for {label!r}, which is not a class; the classes are {classes:quoted 20}.",
        label="maybe",
        classes=["no", "yes"],
    ),
    "L024": error(
        "The loss of class {label!r} is {row!r}; give a dict of action: cost.",
        label="good",
        row=3,
    ),
    "L025": error(
        "The loss has two rows for class {label!r}; give one.",
        label="good",
    ),
    "L026": error(
        "The loss has no row for class {label!r}; add one.",
        label="good",
    ),
    "L027": error(
        "The loss table has {repeats} rows for class {label!r}; give one.",
        repeats=2,
        label="good",
    ),
    "L028": error(
        "The loss table has two columns called {action!r}; give one.",
        action="reject",
    ),
    "L029": error(
        "A class is already called 'reject'; rename it or name the actions yourself.",
    ),
    "L030": error(
        "The loss matrix has shape {shape} and no action names, so with {n_labels} classes it must have shape "
        "({n_labels}, {n_labels}); else name the actions.",
        shape="(150, 4)",
        n_labels=3,
    ),
    "L031": error(
        "The loss matrix has no row for class {name!r}; add one.",
        name="good",
    ),
    "L032": error(
        "The loss matrix has a row for {name!r}, which is not a class; remove it.",
        name="maybe",
    ),
    "L033": error(
        "The loss gives no cost of action {name!r} for class {label!r}; add it.",
        name="reject",
        label="good",
    ),
    "L034": error(
        "{name} is {count!r}; give a number of rows, 0 or more.",
        name="one_alone",
        count=-1,
    ),
    "L035": error(
        "The class codes are of type {dtype}; give whole numbers from 0 to {last}.",
        dtype="float64",
        last=2,
    ),
    "L036": error(
        "The class codes have shape {shape}; give one for each of the {n_rows} rows.",
        shape="(149,)",
        n_rows=150,
    ),
    "L037": error(
        "Row {row} has class code {class_code}; give whole numbers from {lowest} to {last}.",
        row=3,
        class_code=7,
        lowest=0,
        last=2,
    ),
    "L038": error(
        "The weights have shape {shape}; give one for each of the {n_rows} rows.",
        shape="(149,)",
        n_rows=150,
    ),
    "L039": error(
        "Row {row} has weight {weight}; give a finite weight that is not negative.",
        row=3,
        weight=-1.0,
    ),
    "L040": error(
        "The weights sum to {total}; give weights whose sum is finite and above 0.",
        total="0.0",
    ),
    "L041": error(
        "The actions do not fit; give, for each of the {n_rows} rows, the column of the loss matrix that was chosen.",
        n_rows=150,
    ),
    "L042": error(
        "Row {row} has action {action}, but the loss matrix has columns 0 to {last}.",
        row=3,
        action=5,
        last=2,
    ),
    "L043": error(
        "The average {average!r} is unknown; give 'one_vs_rest' or 'one_vs_one'.",
        average="macro",
    ),
    "L044": error(
        "The scores have shape {shape}; give one row per case and one column per class.",
        shape="(150,)",
    ),
    "L045": error(
        "Row {row} of the scores holds nan; give a number for every row.",
        row=3,
    ),
    "L046": error(
        "All rows are of class {label}; the area under the curve needs two classes.",
        label=1,
    ),
    "L047": error(
        "There are no rows, or all were rejected; an error rate needs at least one accepted row.",
    ),
    "L048": error(
        "The {name} have shape {shape}; give one number for each of the {n_classes} classes.",
        name="priors",
        shape="(2,)",
        n_classes=3,
    ),
    "L049": error(
        "Entry {position} of the {name} is {value}; give a finite number that is not negative.",
        position=1,
        name="priors",
        value=-0.1,
    ),
    "L050": error(
        "The {name} sum to {total:.9g}; divide them by their sum so that they sum to 1.",
        name="priors",
        total=0.9,
    ),
    "L051": error(
        "Row {row} of the posterior sums to {total:.9g}; give probabilities that sum to 1 in every row.",
        row=3,
        total=0.9,
    ),
    "L052": error(
        "Row {row} of the log posterior holds {value}; give logarithms of probabilities, at most 0.",
        row=3,
        value=0.5,
    ),
    "L053": error(
        "The {name} has shape {shape}; give one row per case and one column per class.",
        name="posterior",
        shape="(150,)",
    ),
    "L054": error(
        "All prior probability is on classes without training rows; train on rows of at least one of them.",
    ),
    "L055": error(
        "The {name} are not numbers; give one number per class.",
        name="priors",
    ),
    "L056": error(
        "The {name} is not a table of numbers; give one row per case and one column per class.",
        name="posterior",
    ),
    "L057": error(
        "Log odds need two classes, and the posterior has {n_classes}; pick two columns.",
        n_classes=4,
    ),
    "L058": error(
        "A threshold needs two classes, and two actions that predict them; use decide instead.",
    ),
    "L059": error(
        "The loss matrix has no threshold, because a right prediction costs more than a wrong one; change the costs.",
    ),
    "L060": error(
        "There are {n_classes} classes, but the posterior has {n_columns} columns; give one column per class.",
        n_classes=3,
        n_columns=2,
    ),
    "L062": error(
        "The ending of {path!r} is not a known format of charts; use {endings:choice}.",
        path="chart.jpg",
        endings=[".svg", ".png", ".html", ".json"],
    ),
}
