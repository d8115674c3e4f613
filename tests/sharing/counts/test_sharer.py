"""Counts of categories and words: what settings, threads, memory and units of weights do not change."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.pipeline import make_pipeline

from assay import (
    BernoulliNB,
    CategoricalNB,
    ChooseWords,
    ComplementNB,
    KFold,
    MixedNB,
    MultinomialNB,
    TextCounts,
)
from assay.engines.local import LocalEngine
from assay.models.base.validation import read_numbers
from assay.models.naive_bayes.binary import BinaryNB
from assay.models.naive_bayes.poisson import PoissonNB
from assay.plans import Partition
from assay.sharing.counts.sharer import COUNTS
from assay.sharing.dataset import InMemory
from assay.sharing.dispatch import solve
from assay.sharing.reductions import AllScores, Scored
from assay.sharing.settings import Settings
from assay.sharing.splits import folds, splits_of
from assay.sharing.study import Study
from tests.sharing.schemes import SCHEMES

N, K = 72, 3
RNG = np.random.default_rng(5)
CODES = RNG.permutation(np.arange(N) % K).astype(np.int32)
COUNTED = RNG.poisson(RNG.gamma(0.6, 0.8, (K, 14))[CODES]).astype(float)
LEVELS = np.array(["no", "yes", "perhaps", "maybe"], dtype=object)[
    (RNG.integers(0, 2, (N, 4)) + CODES[:, None]) % 4
]
LEVELS[RNG.random(LEVELS.shape) < 0.1] = None
LEVELS[0, 0], LEVELS[5, 1] = "once", "once too"
GAPS = np.where(RNG.random((N, 4)) < 0.15, np.nan, RNG.poisson(1.0 + CODES[:, None], (N, 4)))
TEXTS = np.array(
    [" ".join(f"w{int(n)}" for n in RNG.zipf(1.5, RNG.integers(1, 9)) % 20 + c) for c in CODES], dtype=object
)
FOLD = Partition(RNG.permutation(np.arange(N) % 4).astype(np.int32), 4)
SPARSE = csr_array(COUNTED)
ROWS: dict[str, tuple[Any, list[Any]]] = {
    "levels": (LEVELS, [CategoricalNB(), CategoricalNB(smoothing=0.0, unseen="ignore")]),
    "two values": (GAPS, [BinaryNB(), PoissonNB(), PoissonNB(smoothing=0.0)]),
    "full rows": (COUNTED, [MultinomialNB(), BernoulliNB(smoothing=0.3), ComplementNB(priors="ml")]),
    "compressed rows": (
        SPARSE,
        [
            MultinomialNB(),
            BernoulliNB(smoothing=0.0),
            ComplementNB(norm=True),
            make_pipeline(ChooseWords(3, max_words=9), MultinomialNB()),
            make_pipeline(ChooseWords(binary=True), MultinomialNB(smoothing=0.0)),
        ],
    ),
    "texts": (
        TEXTS,
        [
            make_pipeline(TextCounts(min_documents=2), MultinomialNB()),
            make_pipeline(TextCounts(max_words=7), BernoulliNB()),
            make_pipeline(TextCounts(ngram_range=(1, 2), binary=True), ComplementNB()),
        ],
    ),
    "mixed": (GAPS, [MixedNB(kinds={"x0": "count"}), MixedNB(smoothing=0.5, kinds={"x1": "categorical"})]),
}


WEIGHTS: dict[str, Any] = {
    "plain": None,
    "weights": RNG.integers(0, 3, N).astype(float),
    "importance": RNG.uniform(0.1, 2.0, N),
}


def table(X: Any, weight: Any = None, codes: Any = CODES, n_jobs: int | None = None) -> InMemory:
    return InMemory(X, codes, np.arange(K), weight, None, LocalEngine(n_jobs), read_numbers)


def scored(settings: Settings, study: Study, sharers: Any = (COUNTS,), only: Any = None) -> list[Scored]:
    solved = solve(settings, study, sharers=sharers)
    assert set(solved.ways) == ({"counts"} if sharers else {"refit"})
    found = solved.reduce(AllScores(study.splits, len(settings), N), only)
    return [each for each in found if each is not None]


def same(found: list[Scored], expected: list[Scored], atol: float = 1e-8) -> None:
    """Equal scores and decisions; priors are in the same ratios."""
    assert len(found) == len(expected) > 0
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one.test, other.test)
        assert (one.row is None) == (other.row is None)
        if one.row is not None:
            np.testing.assert_array_equal(one.row, other.row)
        np.testing.assert_allclose(one.scores, other.scores, atol=atol, rtol=1e-8)
        np.testing.assert_array_equal(one.predicted, other.predicted)
        tests = np.unique(one.test)
        a, b = one.priors[tests], other.priors[tests]
        np.testing.assert_allclose(a / a.sum(1, keepdims=True), b / b.sum(1, keepdims=True), atol=1e-12)


@pytest.mark.parametrize("scheme", ["k-fold", "nested", "leave-one-out", "bootstrap"])
@pytest.mark.parametrize("kind", ROWS)
def test_together_is_alone_and_those_asked_for_are_all(kind: str, scheme: str) -> None:
    X, models = ROWS[kind]
    study = Study(table(X), SCHEMES[scheme](CODES, None))
    together = scored(Settings.of(models), study)
    for model, each in zip(models, together, strict=True):
        (alone,) = scored(Settings.of([model]), Study(table(X), study.splits))
        np.testing.assert_array_equal(alone.scores, each.scores)
    only = np.random.default_rng(2).random((len(models), study.splits.n_tests)) < 0.5
    only[0] = False
    only[0, 0] = True
    for s, some in enumerate(scored(Settings.of(models), study, only=only)):
        asked = only[s][together[s].test]
        np.testing.assert_allclose(some.scores, together[s].scores[asked], atol=1e-12)
        np.testing.assert_array_equal(some.test, together[s].test[asked])


@pytest.mark.parametrize("scheme", ["k-fold", "nested", "leave-one-out", "bootstrap"])
@pytest.mark.parametrize("kind", ROWS)
def test_threads_change_no_bit(kind: str, scheme: str) -> None:
    X, models = ROWS[kind]
    splits, settings = SCHEMES[scheme](CODES, None), Settings.of(models)
    one, *others = (
        scored(settings, Study(table(X, WEIGHTS["importance"], n_jobs=n), splits)) for n in (1, 2, 8)
    )
    for other in others:
        for a, b in zip(one, other, strict=True):
            np.testing.assert_array_equal(a.scores, b.scores)


@pytest.mark.parametrize("kind", ["levels", "full rows", "mixed"])
def test_little_memory_makes_batches_and_no_difference(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    X, models = ROWS[kind]
    for scheme in ("nested", "bootstrap", "leave-one-out"):
        settings, splits = Settings.of(models[:1]), SCHEMES[scheme](CODES, None)
        plenty = scored(settings, Study(table(X), splits))
        chain = models[0].read_counts()
        need = chain.count_bytes(chain.read(X)[1], K)
        monkeypatch.setenv("ASSAY_MEMORY", str(6 * need))
        same(scored(settings, Study(table(X), splits)), plenty, 1e-12)
        monkeypatch.delenv("ASSAY_MEMORY")


def test_texts_are_cut_once_for_a_study_and_what_is_deeper(monkeypatch: pytest.MonkeyPatch) -> None:
    from assay.models.features import text_counts as text

    calls, cut = [], text.count_table
    monkeypatch.setattr(text, "count_table", lambda *given: calls.append(1) or cut(*given))
    study = Study(table(TEXTS), splits_of(KFold(4), CODES))
    settings = Settings.of(ROWS["texts"][1][:2])
    scored(settings, study)
    scored(settings, study.deeper())
    assert calls == [1]


def test_a_step_that_cannot_be_followed_is_named() -> None:
    from assay import Standardize

    study = Study(table(COUNTED), folds(FOLD))
    solved = solve(Settings.of([make_pipeline(Standardize(), BernoulliNB())]), study)
    assert solved.ways == ["refit"] and "Standardize" in solved.difficulties(0)[-1]


def test_numbers_of_rows_do_not_depend_on_the_unit_of_weights() -> None:
    for X, models in ROWS.values():
        settings, weight = Settings.of(models), WEIGHTS["importance"]
        one, other = (scored(settings, Study(table(X, c * weight), folds(FOLD))) for c in (1.0, 7.3))
        same(one, other)
