"""What estimators of texts promise: scikit-learn's checks as far as they need no table, and ours on texts."""

from __future__ import annotations

import inspect
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError, SkipTestWarning
from sklearn.utils import estimator_checks

from tests.contract.registry import shown, text_estimators
from tests.raised import raises

TEXTS = ["Green eggs and ham", "no ham, no EGGS", "", "the cat sat on the mat", "ham and cat"]

# The suite puts an estimator that reads no table to one check alone; these need no table either.
NO_TABLE = (
    estimator_checks.check_do_not_raise_errors_in_init_or_set_params,
    estimator_checks.check_estimator_cloneable,
    estimator_checks.check_estimator_repr,
    estimator_checks.check_estimator_tags_renamed,
    estimator_checks.check_get_params_invariance,
    estimator_checks.check_mixin_order,
    estimator_checks.check_no_attributes_set_in_init,
    estimator_checks.check_parameters_default_constructible,
    estimator_checks.check_set_params,
    estimator_checks.check_valid_tag_types,
)


def suite() -> list[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SkipTestWarning)  # it says that it cannot make texts
        return [
            pytest.param(estimator, check, id=shown(estimator))
            for each in text_estimators()
            for estimator, check in estimator_checks.estimator_checks_generator(each, legacy=True)
        ]


@pytest.mark.parametrize(("estimator", "check"), suite())
def test_the_suite_of_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("check", NO_TABLE, ids=lambda check: str(check.__name__))
@pytest.mark.parametrize("estimator", text_estimators(), ids=shown)
def test_checks_of_scikit_learn_that_need_no_table(estimator: Any, check: Any) -> None:
    check(type(estimator).__name__, estimator)


@pytest.mark.parametrize("estimator", text_estimators()[:1], ids=shown)
def test_declared_parameters_are_the_signature_and_are_checked(estimator: Any) -> None:
    signature = inspect.signature(type(estimator).__init__).parameters
    given = {name: p.default for name, p in signature.items() if name != "self"}
    assert {param.name: param.default for param in estimator.params} == given
    for param in estimator.params:
        wrong = clone(estimator).set_params(**{param.name: "no such value"})
        with raises("M023", name=param.name, value="no such value", expectation=param.expectation()):
            wrong.fit(TEXTS)


@pytest.mark.parametrize("estimator", text_estimators(), ids=shown)
def test_fitting_again_copies_and_stored_bytes_give_the_same(estimator: Any) -> None:
    model = clone(estimator)
    with pytest.raises(NotFittedError):
        model.transform(TEXTS)
    before = dict(model.get_params())
    fitted = model.fit(TEXTS)
    assert fitted is model and model.get_params() == before
    expected = model.transform(TEXTS).toarray()
    assert expected.dtype == np.int32 and expected.shape == (len(TEXTS), len(model.get_feature_names_out()))
    again = clone(estimator).fit(["other words", "more"]).fit(TEXTS)
    for other in (again, pickle.loads(pickle.dumps(model)), clone(estimator).fit(TEXTS, np.arange(5))):
        assert set(vars(other)) == set(vars(model))
        np.testing.assert_array_equal(other.transform(TEXTS).toarray(), expected)
    np.testing.assert_array_equal(clone(estimator).fit_transform(TEXTS).toarray(), expected)


@pytest.mark.parametrize("estimator", text_estimators(), ids=shown)
def test_a_row_is_counted_alike_whatever_stands_beside_it(estimator: Any) -> None:
    model = clone(estimator).fit(TEXTS)
    state = pickle.dumps(vars(model))
    together = model.transform(TEXTS).toarray()
    order = [3, 0, 4, 1, 2]
    np.testing.assert_array_equal(model.transform([TEXTS[i] for i in order]).toarray(), together[order])
    alone = [model.transform([text]).toarray()[0] for text in TEXTS]
    np.testing.assert_array_equal(np.stack(alone), together)
    assert pickle.dumps(vars(model)) == state
