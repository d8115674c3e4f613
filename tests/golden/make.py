"""Write the golden model files of the current format: ``python -m tests.golden.make``.

A golden is written once and never again: only those of models that are new to a format are added to its folder. They
show that every later Assay loads what an earlier one wrote.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.pipeline import make_pipeline

import assay
from assay.storage.model_file import FORMAT

FOLDER = Path(__file__).parent / f"format{FORMAT}"
EXPECTED = "expected.json"
COLUMNS = {
    "age": [31.0, 47.5, None, 60.0, 22.0, 39.0, 54.0, 28.0, 45.0, 33.0, 71.0, 19.0],
    "work": ["paid", "self", "none", "none", "paid", None, "self", "paid", "none", "self", "none", "paid"],
    "sex": ["f", "m", "m", "f", "f", "m", "f", "m", "m", "f", "f", "m"],
}
FILMS = {
    "Ann": {"Alien": 5, "Brazil": 4, "Casablanca": 2},
    "Bob": {"Alien": 1, "Brazil": 3, "Grüße": 3},
    "Cid": {"Alien": 4, "Brazil": 2, "Casablanca": 4.5, "Grüße": 1},
    "Dan": {"Casablanca": 1},
}
LABELS = ["no", "yes", "no", "yes", "no", "no", "yes", "no", "yes", "no", "yes", "no"]
NEW = {
    "age": [25.0, 65.0, None, 44.0],
    "work": ["paid", "retired", "self", None],
    "sex": ["m", "f", "f", "m"],
}


def rows() -> tuple[Any, Any]:
    generator = np.random.default_rng(1)
    codes = np.repeat([0, 1, 2], 10)
    X = generator.normal(size=(30, 4)) + codes[:, None] * [1.0, 0.0, -1.0, 2.0]
    return X, np.array(["ash", "beech", "cedar"])[codes]


def messages() -> tuple[Any, Any]:
    texts = [
        "Cheap pills, buy now",
        "Lunch at noon? No, at one",
        "buy cheap ΛΟΓΟΣ now",
        "noon is fine: Grüße",
        "",
    ]
    return texts, ["spam", "ham", "spam", "ham", "ham"]


def answers(columns: dict[str, Any]) -> list[list[Any]]:
    """The columns of text, as rows."""
    return [list(row) for row in zip(columns["work"], columns["sex"], strict=True)]


def mixed(columns: dict[str, Any]) -> dict[str, Any]:
    """The columns with one of counts and one of texts beside them."""
    notes = ["calls back", "never calls", "", None]
    rows = len(columns["age"])
    return {
        **columns,
        "visits": [row % 5 for row in range(rows)],
        "note": [notes[row % 4] for row in range(rows)],
    }


def with_gaps() -> tuple[Any, Any]:
    X, y = rows()
    X[4, 1] = X[20, 3] = np.nan
    return X, y


def table_classifier(model: Any) -> Any:
    steps = [assay.Impute(indicator=True), assay.DropReference(), assay.Standardize()]
    return assay.TableClassifier(assay.OneHot(), steps, model).fit(COLUMNS, LABELS, target="buys")


def documents() -> tuple[Any, Any]:
    generator = np.random.default_rng(2)
    return generator.poisson(1.0, (30, 4)), rows()[1]


MODELS: dict[str, Callable[[], Any]] = {
    "gaussian_nb": lambda: assay.GaussianNB().fit(*with_gaps()),
    "categorical_nb": lambda: assay.CategoricalNB(unseen="ignore").fit(rows()[0].round(), rows()[1]),
    "table_of_answers": lambda: assay.CategoricalNB(smoothing=0.5).fit(answers(COLUMNS), LABELS),
    "multinomial_nb": lambda: assay.MultinomialNB().fit(*documents()),
    "bernoulli_nb": lambda: assay.BernoulliNB(smoothing=0.0).fit(*documents()),
    "complement_nb": lambda: assay.ComplementNB(norm=True).fit(*documents()),
    "mixed": lambda: assay.MixedNB(kinds={"visits": "count", "note": "text"}).fit(mixed(COLUMNS), LABELS),
    "gaussian_shared": lambda: assay.GaussianClassifier("shared", shrinkage=0.1).fit(*rows()),
    "gaussian_full": lambda: assay.GaussianClassifier(priors=[0.2, 0.3, 0.5]).fit(*rows()),
    "least_squares": lambda: assay.LeastSquaresClassifier(l2=0.01).fit(*rows()),
    "fisher": lambda: assay.FisherDiscriminant().fit(*rows()),
    "prior": lambda: assay.PriorClassifier().fit(*rows()),
    "pipeline": lambda: make_pipeline(
        assay.Standardize(), assay.PCA(2), assay.GaussianClassifier("shared")
    ).fit(*rows()),
    "logistic": lambda: assay.LogisticRegression(0.01).fit(*rows()),
    "perceptron": lambda: assay.Perceptron("averaged", epochs=5).fit(*rows()),
    "linear_svm": lambda: assay.LinearSVM(0.01).fit(*rows()),
    "kernel_svm": lambda: assay.KernelSVM(C=2.0).fit(*rows()),
    "mixture": lambda: assay.GaussianMixtureClassifier(2).fit(*rows()),
    "mixture_of_all": lambda: assay.GaussianMixtureClassifier(4, covariance="diagonal", shared="all").fit(
        *rows()
    ),
    "single_layer": lambda: assay.SingleLayerNetwork(epochs=20).fit(*rows()),
    "network": lambda: assay.NeuralNetwork((4, 3), activation="tanh", epochs=20).fit(*rows()),
    "neighbors": lambda: assay.KNeighborsClassifier(3, weights="distance").fit(*rows()),
    "one_vs_rest": lambda: assay.OneVsRest(assay.LinearSVM(0.01)).fit(*rows()),
    "one_vs_one": lambda: assay.OneVsOne(assay.GaussianNB(), vote="coupling").fit(*rows()),
    "calibrated": lambda: assay.Calibrated(
        make_pipeline(assay.Standardize(), assay.LinearSVM(0.01)), plan=assay.KFold(3)
    ).fit(*rows()),
    "calibrated_isotonic": lambda: assay.Calibrated(assay.GaussianNB(), method="isotonic").fit(*rows()),
    "polynomial": lambda: make_pipeline(
        assay.BasisExpansion("polynomial"), assay.LeastSquaresClassifier(l2=0.01)
    ).fit(*rows()),
    "radial": lambda: make_pipeline(
        assay.BasisExpansion("radial", n_centers=5), assay.LogisticRegression(0.01)
    ).fit(*rows()),
    "spline": lambda: make_pipeline(
        assay.BasisExpansion("spline", knots=3), assay.LogisticRegression(0.01)
    ).fit(*rows()),
    "text": lambda: make_pipeline(
        assay.TextCounts("fold", ngram_range=(1, 2), stop_words=["at"], min_documents=1, max_documents=0.9),
        assay.LogisticRegression(0.1),
    ).fit(*messages()),
    "chosen_words_nb": lambda: make_pipeline(assay.ChooseWords(5, max_words=3), assay.MultinomialNB()).fit(
        np.abs(rows()[0].round()), rows()[1]
    ),
    "feature_search": lambda: assay.FeatureSearch(assay.GaussianNB(), n_features=2).fit(*rows()),
    "kmeans": lambda: assay.KMeans(3).fit(rows()[0]),
    "hierarchy": lambda: assay.Hierarchy(3).fit(rows()[0]),
    "recommender": lambda: assay.Recommender(min_overlap=2, shrinkage=1.0).fit(FILMS),
    "table": lambda: table_classifier(assay.GaussianClassifier("shared")),
    "table_calibrated": lambda: table_classifier(assay.Calibrated(assay.LinearSVM(0.01), plan=3)),
    "table_words": lambda: assay.TableClassifier(
        assay.Words(stop_words=["at"]), [assay.ChooseWords(max_words=5)], assay.MultinomialNB()
    ).fit(assay.read({"text": messages()[0]}, types={"text": "text"}), messages()[1], target="kind"),
    "table_unread": lambda: assay.TableClassifier(assay.NoColumns(), [], assay.PriorClassifier()).fit(
        COLUMNS, LABELS, target="buys"
    ),
    "table_levels": lambda: assay.TableClassifier(assay.OrdinalCodes(), [], assay.GaussianNB()).fit(
        COLUMNS, LABELS, target="buys"
    ),
}


def said(name: str, model: Any, given: Any = None) -> dict[str, Any]:
    """What a model predicts for rows that are kept with it; groups of its own rows where it predicts none."""
    if name == "recommender":
        users, items = ["Ann", "Bob", "Dan", "Dan"], ["Grüße", "Casablanca", "Alien", "Brazil"]
        return {"users": users, "items": items, "scores": model.predict(users, items).tolist()}
    if name == "hierarchy":
        return {"groups": model.cut(4).tolist(), "scores": model.tree_.tolist()}
    given = asked(name) if given is None else given
    scores = (model.transform if name == "kmeans" else model.decision_function)(given)
    return {"rows": given, "predict": model.predict(given).tolist(), "scores": np.asarray(scores).tolist()}


def asked(name: str) -> Any:
    """Rows for a model."""
    given: Any = NEW if name.startswith("table") else rows()[0][::3].round(3).tolist()
    if name == "text":
        given = ["GRÜSSE at noon", "Buy now, λόγος", "", "nothing known"]
    if name.endswith("_nb") and name != "gaussian_nb":
        given = np.abs(rows()[0][::3].round()).tolist()
    if name == "table_of_answers":
        given = answers(NEW)
    if name == "table_words":
        given = {"text": ["GRÜSSE at noon", "Buy now, λόγος", "", None]}
    if name == "mixed":
        given = mixed(NEW)
    return given


def main() -> int:
    path = FOLDER / EXPECTED
    expected = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    new = {name: make for name, make in MODELS.items() if name not in expected}
    if not new:
        sys.stderr.write(f"{FOLDER} has them all: goldens of a format are never written again.\n")
        return 1
    FOLDER.mkdir(exist_ok=True)
    for name, make in new.items():
        model = make()
        assay.save(model, FOLDER / f"{name}.assay", about={"golden": name})
        expected[name] = said(name, model)
    path.write_text(json.dumps(expected, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
