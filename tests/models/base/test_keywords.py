"""Constructors and functions answer names of scikit-learn's, and accept their own old ones with a warning."""

from __future__ import annotations

import inspect
import re
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.utils import all_estimators

import assay
from assay.models.base.sklearn_names import FUNCTIONS, MODELS
from tests.raised import raises, warns

X, Y = load_iris(return_X_y=True)
SKLEARN = dict(all_estimators())
TWINS = {
    "LogisticRegression": "LogisticRegression",
    "LinearSVM": "LinearSVC",
    "KernelSVM": "SVC",
    "Perceptron": "Perceptron",
    "GaussianNB": "GaussianNB",
    "MultinomialNB": "MultinomialNB",
    "BernoulliNB": "BernoulliNB",
    "ComplementNB": "ComplementNB",
    "CategoricalNB": "CategoricalNB",
    "GaussianClassifier": "QuadraticDiscriminantAnalysis",
    "FisherDiscriminant": "LinearDiscriminantAnalysis",
    "LeastSquaresClassifier": "RidgeClassifier",
    "GaussianMixtureClassifier": "GaussianMixture",
    "KNeighborsClassifier": "KNeighborsClassifier",
    "NeuralNetwork": "MLPClassifier",
    "SingleLayerNetwork": "SGDClassifier",
    "KMeans": "KMeans",
    "Hierarchy": "AgglomerativeClustering",
    "PCA": "PCA",
    "OneVsRest": "OneVsRestClassifier",
    "OneVsOne": "OneVsOneClassifier",
    "Calibrated": "CalibratedClassifierCV",
    "FeatureSearch": "SequentialFeatureSelector",
    "Standardize": "StandardScaler",
    "Impute": "SimpleImputer",
    "OneHot": "OneHotEncoder",
    "PriorClassifier": "DummyClassifier",
    "BasisExpansion": "PolynomialFeatures",
}


def parameters(cls: Any) -> set[str]:
    return set(inspect.signature(cls).parameters)


def of_twin() -> list[tuple[str, str]]:
    """Every parameter of a twin in scikit-learn that the class of ours does not have."""
    return [
        (name, parameter)
        for name, twin in TWINS.items()
        for parameter in sorted(parameters(SKLEARN[twin]) - parameters(getattr(assay, name)))
    ]


@pytest.mark.parametrize(("name", "parameter"), of_twin())
def test_every_parameter_of_a_twin_is_answered_with_what_to_write(name: str, parameter: str) -> None:
    advice = {**MODELS[""], **MODELS.get(name, {})}[parameter]
    required = {"estimator": assay.GaussianNB()} if "estimator" in parameters(getattr(assay, name)) else {}
    with raises("M510", TypeError, owner=name, name=parameter, advice=advice):
        getattr(assay, name)(**required, **{parameter: 1})


@pytest.mark.parametrize("name", [name for name in MODELS if name])
def test_advice_names_parameters_that_exist(name: str) -> None:
    known = parameters(getattr(assay, name))
    for sentence in MODELS[name].values():
        if sentence.startswith("Write "):
            words = set(re.findall(r"\w+(?==)|(?<=Write )\w+|(?<=, )\w+(?==)", sentence))
            assert words <= known, sentence


def test_the_penalty_of_c_is_the_advised_one() -> None:
    ours = assay.LogisticRegression(l2=1 / (0.5 * len(X)), tol=1e-9).fit(X, Y)
    theirs = SKLEARN["LogisticRegression"](C=0.5, tol=1e-9, max_iter=5000).fit(X, Y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-5)


def test_the_penalty_of_alpha_is_the_advised_one() -> None:
    ours = assay.LeastSquaresClassifier(l2=30 / len(X)).fit(X, Y == 2)
    theirs = SKLEARN["RidgeClassifier"](alpha=30.0).fit(X, Y == 2)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_unknown_names_are_met_with_near_ones() -> None:
    with raises("M511", TypeError, owner="GaussianNB", name="prior", near=["priors"]):
        assay.GaussianNB(prior=None)  # type: ignore[call-arg]
    with raises("M512", TypeError, owner="LogisticRegression", name="zzz"):
        assay.LogisticRegression(zzz=1)  # type: ignore[call-arg]


def test_set_params_and_tune_answer_the_same_names() -> None:
    with raises("M510", owner="LogisticRegression", name="C"):
        assay.LogisticRegression().set_params(C=1)
    with raises("S118", name="C"):
        assay.tune(make_pipeline(assay.Standardize(), assay.LogisticRegression()), X, Y, C=[1.0])


@pytest.mark.parametrize(
    "name", ["evaluate", "tune", "nested", "learning_curve", "select_features", "compare"]
)
@pytest.mark.parametrize("keyword", FUNCTIONS)
def test_functions_answer_names_of_scikit_learns(name: str, keyword: str) -> None:
    function = getattr(assay, name)
    with raises("M510", TypeError, owner=name, name=keyword, advice=FUNCTIONS[keyword]):
        function(assay.GaussianNB(), X, Y, **{keyword: 3})


OLD = [
    (assay.KernelSVM, {}, "tolerance", "tol", 0.01),
    (assay.KMeans, {}, "tolerance", "tol", 0.01),
    (assay.GaussianMixtureClassifier, {}, "tolerance", "tol", 0.01),
    (assay.Calibrated, {}, "model", "estimator", assay.LinearSVM()),
    (assay.FeatureSearch, {}, "model", "estimator", assay.GaussianNB()),
]


@pytest.mark.parametrize(("cls", "others", "old", "new", "value"), OLD)
def test_old_names_are_accepted_with_a_warning(cls: Any, others: Any, old: str, new: str, value: Any) -> None:
    with warns("M500", owner=cls.__name__, name=old, today=new):
        model = cls(**others, **{old: value})
    assert model.get_params(deep=False)[new] is value
    with warns("M500", owner=cls.__name__, name=old, today=new):
        clone(model).set_params(**{old: value})


def test_old_names_of_nested_parameters_are_accepted_in_ranges() -> None:
    with warns("M500", owner="Calibrated", name="model", today="estimator"):
        found = assay.tune(assay.Calibrated(assay.LinearSVM()), X, Y, plan=3, model__l2=[0.1, 1.0])
    assert [*found.setting] == ["estimator__l2"]


def test_subclasses_with_constructors_of_their_own_keep_them() -> None:
    class Own(assay.LogisticRegression):
        def __init__(self, extra: int = 3, l2: float = 0.1) -> None:
            super().__init__(l2=l2)
            self.extra = extra

    assert clone(Own(extra=5)).get_params() == {"extra": 5, "l2": 0.1}
    with raises("M510", TypeError, owner="Own", name="C"):
        Own(C=1)  # type: ignore[call-arg]


def test_priors_of_none_are_the_proportions_of_the_classes() -> None:
    some = np.r_[0:50, 60:80, 120:125]
    for cls in (assay.GaussianNB, assay.GaussianClassifier, assay.FisherDiscriminant, assay.MultinomialNB):
        model, usual = cls(priors=None).fit(X[some], Y[some]), cls(priors="ml").fit(X[some], Y[some])
        np.testing.assert_array_equal(model.predict_proba(X), usual.predict_proba(X))
        shared = assay.evaluate(cls(priors=None), X[some], Y[some], 5)
        assert shared.error == assay.evaluate(cls(priors="ml"), X[some], Y[some], 5).error
