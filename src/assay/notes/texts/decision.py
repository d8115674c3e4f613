"""Texts of notes about losses, priors, intervals and charts."""

from __future__ import annotations

from assay.notes.texts.text import Texts, error

TEXTS: Texts = {
    "L001": error(
        "The number of bins is {bins!r}; give a whole number of at least 1.",
        bins="bins",
    ),
    "L002": error(
        "There is no class {of}; give a code from 0 to {shape}.",
        of="of",
        shape="(150, 4)",
    ),
    "L003": error(
        "The margin is {margin!r}; give the largest difference that does not matter, 0 or more.",
        margin="margin",
    ),
    "L004": error(
        "The groups have shape {shape}; give one for each of the {n_rows} rows.",
        shape="(150, 4)",
        n_rows=3,
    ),
    "L005": error(
        "The number of rows is {n}; an interval needs at least one.",
        n=3,
    ),
    "L006": error(
        "The number of errors is {errors}; give a number from 0 to the {n} rows.",
        errors="errors",
        n=3,
    ),
    "L007": error(
        "All weight is on one row; an interval for a mean needs at least two rows.",
    ),
    "L008": error(
        "There is one difference; the test needs at least two splits.",
    ),
    "L009": error(
        "A split has {n_train} training and {n_test} test rows; both must be above 0.",
        n_train=3,
        n_test=3,
    ),
    "L010": error(
        "The level is {level_name}; give a number between 0 and 1, such as 0.95.",
        level_name="level name",
    ),
    "L011": error(
        "The {name} have shape {shape}; give a list of at least one number.",
        name="age",
        shape="(150, 4)",
    ),
    "L012": error(
        "Entry {i} of the {name} is {rows}; give finite numbers.",
        i=3,
        name="age",
        rows=3,
    ),
    "L013": error(
        "Class {given_code} has one row; the error of the area under the curve needs two of each.",
        given_code="given code",
    ),
    "L014": error(
        "The classes have shape {shape}; give a list of at least one label.",
        shape="(150, 4)",
    ),
    "L015": error(
        "The loss matrix has {ndim} dimensions; give one row a class, one column an action.",
        ndim="ndim",
    ),
    "L016": error(
        "Action names were given beside {what}, which names its own; leave `actions` out.",
        what="what",
    ),
    "L017": error(
        "The loss matrix has no actions; give at least one column.",
    ),
    "L018": error(
        "The loss matrix has shape {shape}, but {n_classes} classes and {n_names} actions need shape "
        "({n_classes}, {n_names}).",
        shape="(150, 4)",
        n_classes=3,
        n_names=3,
    ),
    "L019": error(
        "The loss of action {names!r} when the truth is {plain!r} is {given}; give a number of at most "
        "{largest:g} in size.",
        names="age, income",
        plain="plain",
        given="given",
        largest=0.5,
    ),
    "L020": error(
        "Class {name!r} is listed twice; list every class once.",
        name="age",
    ),
    "L021": error(
        "The loss matrix is not a table of numbers; give one row a class, all rows of the same length.",
    ),
    "L022": error(
        "Action {label!r} is listed twice; list every action once.",
        label="yes",
    ),
    "L023": error(
        "The loss has a row for {plain!r}, which is not a class; the classes are {listed}.",
        plain="plain",
        listed="listed",
    ),
    "L024": error(
        "The loss of class {plain!r} is {row!r}; give a dict of action: cost.",
        plain="plain",
        row=3,
    ),
    "L025": error(
        "The loss has two rows for class {label!r}; give one.",
        label="yes",
    ),
    "L026": error(
        "The loss has no row for class {label!r}; add one.",
        label="yes",
    ),
    "L027": error(
        "The loss table has {repeats} rows for class {plain!r}; give one.",
        repeats="repeats",
        plain="plain",
    ),
    "L028": error(
        "The loss table has two columns called {plain!r}; give one.",
        plain="plain",
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
        name="age",
    ),
    "L032": error(
        "The loss matrix has a row for {name!r}, which is not a class; remove it.",
        name="age",
    ),
    "L033": error(
        "The loss gives no cost of action {name!r} for class {label!r}; add it.",
        name="age",
        label="yes",
    ),
    "L034": error(
        "{name} is {count!r}; give a number of rows, 0 or more.",
        name="age",
        count=3,
    ),
    "L035": error(
        "The class codes are of type {dtype}; give whole numbers from 0 to {n_classes}.",
        dtype="dtype",
        n_classes=3,
    ),
    "L036": error(
        "The class codes have shape {shape}; give one for each of the {n_rows} rows.",
        shape="(150, 4)",
        n_rows=3,
    ),
    "L037": error(
        "Row {i} has class code {given}; give whole numbers from {lowest} to {n_classes}.",
        i=3,
        given="given",
        lowest="lowest",
        n_classes=3,
    ),
    "L038": error(
        "The weights have shape {shape}; give one for each of the {n_rows} rows.",
        shape="(150, 4)",
        n_rows=3,
    ),
    "L039": error(
        "Row {i} has weight {given}; give a finite weight that is not negative.",
        i=3,
        given="given",
    ),
    "L040": error(
        "The weights sum to {total}; give weights with a sum above 0 that is a finite number.",
        total="total",
    ),
    "L041": error(
        "Give the column of the loss matrix that was chosen for each of the {n_rows} rows.",
        n_rows=3,
    ),
    "L042": error(
        "Row {i} has action {taken}, but the loss matrix has columns 0 to {shape}.",
        i=3,
        taken="taken",
        shape="(150, 4)",
    ),
    "L043": error(
        "The average {average!r} is unknown; give 'one_vs_rest' or 'one_vs_one'.",
        average="average",
    ),
    "L044": error(
        "The scores have shape {shape}; give one row a case and one column a class.",
        shape="(150, 4)",
    ),
    "L045": error(
        "Row {i} of the scores holds nan; give a number for every row.",
        i=3,
    ),
    "L046": error(
        "All rows are of class {present}; the area under the curve needs two classes.",
        present="present",
    ),
    "L047": error(
        "There are no rows, or all were rejected; an error rate needs at least one accepted row.",
    ),
    "L048": error(
        "The {name} have shape {shape}; give one number for each of the {n_classes} classes.",
        name="age",
        shape="(150, 4)",
        n_classes=3,
    ),
    "L049": error(
        "Entry {k} of the {name} is {given}; give a finite number that is not negative.",
        k=3,
        name="age",
        given="given",
    ),
    "L050": error(
        "The {name} sum to {total:.9g}; divide them by their sum so that they sum to 1.",
        name="age",
        total=0.5,
    ),
    "L051": error(
        "Row {i} of the posterior {fault}; give probabilities that sum to 1 in every row.",
        i=3,
        fault="fault",
    ),
    "L052": error(
        "Row {i} of the log posterior holds {given}; give logarithms of probabilities, at most 0.",
        i=3,
        given="given",
    ),
    "L053": error(
        "The {name} has shape {shape}; give at least one row a case, one column a class.",
        name="age",
        shape="(150, 4)",
    ),
    "L054": error(
        "The priors give all their weight to classes that were not in training; train on one first.",
    ),
    "L055": error(
        "The {name} are not numbers; give one number a class.",
        name="age",
    ),
    "L056": error(
        "The {name} is not a table of numbers; give one row a case, one column a class.",
        name="age",
    ),
    "L057": error(
        "Log odds need two classes, and the posterior has {shape}; pick two columns.",
        shape="(150, 4)",
    ),
    "L058": error(
        "A threshold needs two classes and the two actions that predict them; use decide instead.",
    ),
    "L059": error(
        "The loss matrix has no threshold: a right prediction must never cost more than a wrong one.",
    ),
    "L060": error(
        "There are {n_classes} classes, but the posterior has {n_classes_2} columns; match them.",
        n_classes=3,
        n_classes_2=3,
    ),
    "L061": error(
        "New priors replace those of training; give these too, as `trained_priors`.",
    ),
    "L062": error(
        "{path!r} names no kind of picture; let it end in {kinds} or {kinds_2}.",
        path="table.csv",
        kinds="kinds",
        kinds_2="kinds 2",
    ),
}
