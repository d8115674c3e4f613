"""Models to store, and what a test needs to take their files apart."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.sparse import issparse
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import assay
from assay.data import Column, Schema, Table
from assay.models.features.fill_empty import FillEmpty
from assay.models.features.typed_table import Typed
from assay.models.naive_bayes.binary import BinaryNB
from assay.models.naive_bayes.mixed.text_column import DocumentNB
from assay.models.naive_bayes.poisson import PoissonNB


def rows() -> tuple[np.ndarray, np.ndarray]:
    """Sixty rows of three classes, four columns."""
    generator = np.random.default_rng(7)
    codes = np.repeat([0, 1, 2], 20)
    return generator.normal(size=(60, 4)) + 1.5 * codes[:, None] * [1.0, -0.5, 0.0, 2.0], codes


def with_gaps() -> np.ndarray:
    X = rows()[0].copy()
    X[3, 1] = X[40, 2] = np.nan
    return X


def names() -> np.ndarray:
    return np.array(["ash", "beech", "cedar"])[rows()[1]]


def table() -> tuple[Table, np.ndarray]:
    generator, n = np.random.default_rng(3), 80
    schema = Schema(
        (
            Column("age", "numeric", missing=4, reason="numbers"),
            Column("work", "categorical", ("none", "paid", "self"), missing=9),
            Column("sex", "binary", ("f", "m")),
            Column("when", "date"),
            Column("id", "identifier"),
        )
    )
    age = generator.normal(40.0, 10.0, n)
    work = generator.integers(-1, 3, n).astype(np.int32)
    y = np.where(age + 6.0 * work + generator.normal(0.0, 4.0, n) > 43.0, "yes", "no")
    age[[1, 5, 17, 33]] = np.nan
    columns = {
        "age": age,
        "work": work,
        "sex": generator.integers(0, 2, n).astype(np.int32),
        "when": generator.integers(10_000, 20_000, n).astype(np.float64),
        "id": np.arange(n).astype(str),
    }
    return Table(schema, columns), y


def letters() -> tuple[Table, np.ndarray]:
    """Thirty texts in two columns, some of them missing, and a number."""
    generator = np.random.default_rng(4)
    words = np.array(["buy", "cheap", "now", "noon", "lunch", "Grüße", "Λόγος"])
    y = generator.integers(0, 2, 30)
    texts = [" ".join(generator.choice(words[:5] if k else words[2:], 4)) for k in y]
    heads = [None if i % 7 == 0 else text.split()[0] for i, text in enumerate(texts)]
    schema = Schema((Column("text", "text"), Column("head", "text", missing=5), Column("size", "numeric")))
    columns = {"text": pa.array(texts), "head": pa.array(heads), "size": generator.normal(size=30)}
    return Table(schema, columns), np.array(["ham", "spam"])[y]


def of_table(model: Any, *, levels: bool = False) -> assay.TableClassifier:
    if levels:
        return assay.TableClassifier(assay.OrdinalCodes(), [], model).fit(*table(), target="buys")
    steps = [assay.Impute(indicator=True), assay.DropReference(), assay.Standardize()]
    return assay.TableClassifier(assay.OneHot(), steps, model).fit(*table(), target="buys")


X, y = rows()
FILMS = {"Ann": {"A": 5, "B": 4, "C": 2}, "Bob": {"A": 1, "B": 3}, "Cid": {"A": 4, "C": 4.5}, "Dan": {"C": 1}}
TEXTS = ["The cat sat", "cat, cat", "nothing sat", "nothing more"]
MAKERS: dict[str, Callable[[], Any]] = {
    "prior": lambda: assay.PriorClassifier().fit(X, y),
    "bernoulli_nb": lambda: assay.BernoulliNB(smoothing=0.0).fit(X, names()),
    "categorical_nb": lambda: assay.CategoricalNB().fit(X.round(), names()),
    "categorical_text": lambda: assay.CategoricalNB(unseen="ignore").fit(X.round().astype(str), y),
    "complement_nb": lambda: assay.ComplementNB(norm=True).fit(np.abs(X), names()),
    "multinomial_nb": lambda: assay.MultinomialNB(smoothing=0.5).fit(np.abs(X).round(), y),
    "binary_nb": lambda: BinaryNB(smoothing=0.5).fit(with_gaps(), names()),
    "poisson_nb": lambda: PoissonNB().fit(np.abs(with_gaps()).round(), y),
    "document_nb": lambda: DocumentNB(min_documents=2).fit(TEXTS, [0, 0, 1, 1]),
    "mixed_nb": lambda: assay.MixedNB(kinds={"id": "text"}, smoothing=0.5).fit(*table()),
    "logistic": lambda: assay.LogisticRegression(0.01).fit(X, names()),
    "logistic_inferred": lambda: assay.LogisticRegression().fit(X[:, :1], y > 1),
    "logistic_absent": lambda: assay.LogisticRegression(l1=0.01).fit(X, names(), sample_weight=y < 2),
    "svm": lambda: assay.LinearSVM(0.01).fit(X, names()),
    "svm_two": lambda: assay.LinearSVM(0.01, solver="sgd", epochs=5).fit(X, y > 1),
    "svm_absent": lambda: assay.LinearSVM(0.01).fit(X, names(), sample_weight=y < 2),
    "single_layer": lambda: assay.SingleLayerNetwork(epochs=20).fit(X, names()),
    "single_layer_step": lambda: assay.SingleLayerNetwork("step", targets="pm1", epochs=20).fit(X, y > 1),
    "single_layer_absent": lambda: assay.SingleLayerNetwork("sigmoid", epochs=20).fit(
        X, names(), sample_weight=y < 2
    ),
    "network": lambda: assay.NeuralNetwork((5, 3), epochs=20).fit(X, names()),
    "network_early": lambda: assay.NeuralNetwork(
        [4], activation="tanh", epochs=5, early_stopping=True, dtype="float32"
    ).fit(X, y > 1),
    "neighbors": lambda: assay.KNeighborsClassifier(3, weights="distance").fit(X, names()),
    "neighbors_weighted": lambda: assay.KNeighborsClassifier(3, metric="manhattan").fit(
        X.astype(np.float32), names(), sample_weight=np.where(y < 2, 1.0 + y, 0.0)
    ),
    "mixture": lambda: assay.GaussianMixtureClassifier(2, priors=[0.2, 0.3, 0.5]).fit(X, names()),
    "mixture_diagonal": lambda: assay.GaussianMixtureClassifier("bic", covariance="diagonal").fit(
        np.insert(X, 2, 1.0, axis=1)[:, :4], y > 1
    ),
    "mixture_absent": lambda: assay.GaussianMixtureClassifier(3, covariance="spherical", shared="all").fit(
        X, names(), sample_weight=y < 2
    ),
    "kernel_svm": lambda: assay.KernelSVM().fit(X, names()),
    "kernel_svm_two": lambda: assay.KernelSVM("polynomial", C=2.0, gram_dtype="float32").fit(X, y > 1),
    "kernel_svm_absent": lambda: assay.KernelSVM("sigmoid").fit(X, names(), sample_weight=y < 2),
    "one_vs_rest": lambda: assay.OneVsRest(assay.LinearSVM(0.01)).fit(X, names()),
    "one_vs_rest_two": lambda: assay.OneVsRest(make_pipeline(assay.Standardize(), assay.GaussianNB())).fit(
        X, y > 1
    ),
    "one_vs_rest_trees": lambda: assay.OneVsRest(DecisionTreeClassifier(max_depth=2, random_state=0)).fit(
        X, y
    ),
    "one_vs_one": lambda: assay.OneVsOne(assay.LogisticRegression(0.01), vote="coupling").fit(X, names()),
    "one_vs_one_absent": lambda: assay.OneVsOne(assay.GaussianNB()).fit(X, names(), sample_weight=y < 2),
    "calibrated": lambda: assay.Calibrated(assay.LinearSVM(0.01)).fit(X, names()),
    "calibrated_isotonic": lambda: assay.Calibrated(
        make_pipeline(assay.Standardize(), assay.PCA(2), assay.GaussianNB()),
        method="isotonic",
        plan=assay.KFold(3, random_state=5),
    ).fit(X, y),
    "calibrated_tree": lambda: assay.Calibrated(
        DecisionTreeClassifier(max_depth=2, random_state=0), plan=assay.HoldOut(0.5)
    ).fit(X, names()),
    "calibrated_nested": lambda: assay.Calibrated(assay.OneVsRest(assay.Perceptron(epochs=5)), plan=3).fit(
        X, names(), sample_weight=(y < 2) + 0.0
    ),
    "polynomial": lambda: assay.BasisExpansion("polynomial", degree=3).fit(X),
    "interaction": lambda: assay.BasisExpansion("interaction", include_original=False).fit(X),
    "radial": lambda: assay.BasisExpansion("radial", n_centers=6).fit(X),
    "spline": lambda: assay.BasisExpansion("spline", degree=3, knots=4).fit(X),
    "curved": lambda: make_pipeline(assay.BasisExpansion("spline"), assay.LogisticRegression(0.01)).fit(X, y),
    "perceptron": lambda: assay.Perceptron("averaged", epochs=5).fit(X, names()),
    "naive_bayes": lambda: assay.GaussianNB().fit(X, y),
    "naive_bayes_gaps": lambda: assay.GaussianNB(priors=[0.2, 0.3, 0.5]).fit(with_gaps(), names()),
    "gaussian_full": lambda: assay.GaussianClassifier(blend=0.5, shrinkage=0.1).fit(X, names()),
    "gaussian_shared": lambda: assay.GaussianClassifier("shared").fit(X, names().astype(object)),
    "gaussian_sphere": lambda: assay.GaussianClassifier(
        "shared_spherical", priors=np.array([0.25, 0.75])
    ).fit(X, y > 0),
    "least_squares": lambda: assay.LeastSquaresClassifier(l2=np.float64(0.1)).fit(X, y.astype(np.int8)),
    "fisher": lambda: assay.FisherDiscriminant(n_components=1).fit(X, y.astype(float)),
    "normal": lambda: assay.MultivariateNormal(shrinkage=0.1).fit(X),
    "pca": lambda: assay.PCA(2).fit(X),
    "pca_few_rows": lambda: assay.PCA().fit(X[:3]),
    "kmeans": lambda: assay.KMeans(3, start="random").fit(X),
    "kmeans_given": lambda: make_pipeline(assay.Standardize(), assay.KMeans(2, start=X[:2])).fit(X),
    "hierarchy": lambda: assay.Hierarchy(3, linkage="average", metric="manhattan").fit(X),
    "hierarchy_down": lambda: assay.Hierarchy(4, direction="top-down").fit(X),
    "recommender": lambda: assay.Recommender(similarity="euclidean", prediction="z_score").fit(FILMS),
    "feature_search": lambda: assay.FeatureSearch(assay.GaussianNB(), n_features=2, fixed=[1]).fit(
        X, names()
    ),
    "feature_pipeline": lambda: assay.FeatureSearch(
        make_pipeline(assay.Standardize(), assay.LogisticRegression(0.01)), n_features=1, plan=assay.KFold(3)
    ).fit(X, y),
    "standardize": lambda: assay.Standardize("range").fit(X),
    "impute": lambda: assay.Impute(indicator=True).fit(with_gaps()),
    "empty": lambda: FillEmpty().fit(np.where(np.arange(4) == 2, np.nan, X)),
    "columns": lambda: assay.SelectColumns([2, 0]).fit(X),
    "words": lambda: assay.TextCounts(ngram_range=(1, 2), stop_words=["the"]).fit(
        ["The cat", "a cat sat", ""]
    ),
    "chosen": lambda: assay.ChooseWords(2, max_words=3).fit(np.abs(X).round()),
    "statistics_of_levels": lambda: assay.TargetStatistics([1], min_rows=1).fit(np.abs(X).round(), names()),
    "tfidf": lambda: assay.TfIdf(False).fit(np.abs(X).round()),
    "table_tfidf": lambda: assay.TableClassifier(
        assay.Words(), [assay.ChooseWords(), assay.TfIdf()], assay.LinearSVM(0.01)
    ).fit(*letters(), target="kind"),
    "informative": lambda: assay.SelectByInformation(2, bins=4).fit(X, y),
    "rare": lambda: assay.DropRare(0.2, 0.9).fit((X > 3.0).astype(float)),
    "word_columns": lambda: assay.Words("fold", ngram_range=(1, 2), stop_words=["now"]).fit(letters()[0]),
    "unread": lambda: assay.NoColumns().fit(letters()[0]),
    "table_words": lambda: assay.TableClassifier(
        assay.Words(), [assay.ChooseWords(max_words=6)], assay.MultinomialNB()
    ).fit(*letters(), target="kind"),
    "typed": lambda: Typed().fit(table()[0]),
    "onehot": lambda: assay.OneHot().fit(table()[0]),
    "levels": lambda: assay.OrdinalCodes().fit(table()[0]),
    "reference": lambda: assay.DropReference([(0, 3)]).fit(np.eye(4)[[0, 0, 1, 2, 3]]),
    "pipeline": lambda: make_pipeline(
        assay.Impute(), assay.Standardize(), assay.PCA(2), assay.GaussianClassifier("shared")
    ).fit(with_gaps(), names()),
    "table": lambda: of_table(assay.GaussianClassifier("shared")),
    "table_svm": lambda: of_table(assay.LinearSVM(0.01)),
    "table_neighbors": lambda: of_table(assay.KNeighborsClassifier(metric="mixed"), levels=True),
    "table_network": lambda: of_table(assay.NeuralNetwork((4,), epochs=5)),
    "table_calibrated": lambda: of_table(assay.Calibrated(assay.LinearSVM(0.01))),
    "table_mixed": lambda: assay.TableClassifier(Typed(), [], assay.MixedNB()).fit(*table(), target="buys"),
    "table_levels": lambda: of_table(assay.GaussianNB(), levels=True),
    "table_tree": lambda: of_table(DecisionTreeClassifier(max_depth=3, random_state=0), levels=True),
    "tree": lambda: DecisionTreeClassifier(random_state=0).fit(X, names()),
    "forest": lambda: RandomForestClassifier(5, random_state=0).fit(X, y),
    "own_tree": lambda: assay.DecisionTreeClassifier(ccp_alpha=0.01, smoothing=1.0).fit(with_gaps(), names()),
    "own_tree_absent": lambda: assay.DecisionTreeClassifier(max_depth=2).fit(X, names(), sample_weight=y < 2),
    "own_forest": lambda: assay.RandomForestClassifier(4, min_samples_leaf=2).fit(X, y > 1),
    "own_boosting": lambda: assay.HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=5).fit(
        X, names()
    ),
    "table_forest": lambda: of_table(assay.RandomForestClassifier(3, max_depth=3), levels=True),
    "boosting": lambda: HistGradientBoostingClassifier(max_iter=4, random_state=0).fit(X, y),
    "table_boosting": lambda: of_table(
        HistGradientBoostingClassifier(max_iter=4, random_state=0, min_samples_leaf=5), levels=True
    ),
}


def outputs(model: Any) -> np.ndarray:
    """What the model says of rows: everything that a user could notice to differ."""
    if isinstance(model, assay.Hierarchy):
        return np.stack([model.labels_, model.cut(2)], axis=1)
    if isinstance(model, assay.Recommender):
        asked = [(user, item) for user in model.ratings_.users for item in model.ratings_.items]
        return np.asarray(model.predict(*map(list, zip(*asked, strict=True))))[:, None]
    over_table = hasattr(model, "schema_")
    given: Any = table()[0] if over_table else X[:, : model.n_features_in_]
    if over_table and "text" in model.schema_:
        given = letters()[0]
    if type(model).__name__ in ("MultinomialNB", "ComplementNB", "ChooseWords", "TfIdf"):
        given = np.abs(given)
    elif type(model).__name__ == "PoissonNB":
        given = np.abs(given).round()
    elif type(model).__name__ == "CategoricalNB":
        text = any(levels.dtype == object for levels in model.levels_)
        given = given.round().astype(str) if text else given.round()
    elif type(model).__name__ in ("TextCounts", "DocumentNB"):
        given = TEXTS
    found = []
    for method in ("predict_proba", "decision_function", "transform", "log_pdf"):
        if hasattr(model, method):
            said = getattr(model, method)(given)
            said = said.toarray() if issparse(said) else said
            said = np.stack([*said.columns.values()], axis=1) if isinstance(said, Table) else said
            found.append(np.asarray(said, dtype=float).reshape(len(given), -1))
    return np.hstack(found)


def unzip(data: bytes) -> tuple[Any, dict[str, bytes]]:
    """model.json and the other members."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return json.loads(members.pop("model.json")), members


def rezip(header: Any, members: dict[str, bytes], *, listed: bool = True) -> bytes:
    """The archive again; lengths and checksums are computed anew, so that what lies behind them is reached."""
    if listed and isinstance(header, dict) and isinstance(header.get("members"), dict):
        for name, about in header["members"].items():
            if name in members and isinstance(about, dict):
                digest = hashlib.sha256(members[name]).hexdigest()
                about.update(bytes=len(members[name]), sha256=digest)
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return plain_zip({"model.json": text, **members})


def plain_zip(members: dict[str, bytes], **options: Any) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", **options) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, compress_type=options.get("compression"))
    return buffer.getvalue()


def saved(model: Any, folder: Path) -> bytes:
    return assay.save(model, folder / "model.assay").read_bytes()


def unpacked(data: bytes) -> dict[str, bytes]:
    """The members of an archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
