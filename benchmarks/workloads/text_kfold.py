"""Three models of words over raw posts of 20 newsgroups, 10-fold, each fold with a vocabulary of its own.

Ours cuts the posts into words once; a fold's rows leave the counts (words x classes, one table of words and one of
presence) while it is tested. What cannot be saved: a look at every byte (36 MB, the floor that is measured), and for
each of three models 3.0 million counts times 20 classes, 177 million products and sums in all; besides these the words
that the tested posts of each fold hold (0.5 million over all folds) need a logarithm for each class, 40 million for the
three models, and the tables of 28 MB are read once a fold.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks import ours, real_data
from benchmarks.agreement import fold_error_note
from benchmarks.harness import Settings, contest
from benchmarks.rivals import sklearn
from benchmarks.rows import Row, absent_row, row_of
from benchmarks.texts import FILE, labelled_newsgroups
from benchmarks.workloads.kfold import FOLDS

POSTS = 18_846
RIVAL_FOLDS = 2  # of ten: the folds are alike, and two processes have equal work
TARGET = 60.0
RIVAL = "cross_val_score of 3 pipelines with CountVectorizer"


def rows(settings: Settings) -> Iterator[Row]:
    title = (
        f"multinomial, Bernoulli and complement NB from raw text, {FOLDS}-fold, words chosen inside the folds"
    )
    if reason := real_data.absent(FILE):
        yield absent_row(title, RIVAL, TARGET, reason)
        return
    texts, y = labelled_newsgroups(settings.rows(POSTS))
    plan, models = ours.KFold(FOLDS), ours.text_models()
    splits = list(plan.split(texts, y))
    parts = [
        sklearn.text_cross_validation(sklearn.WORD_MODELS[name](), texts, y, splits[:RIVAL_FOLDS], FOLDS)
        for name in models
    ]
    joined = b"".join(text.encode() for text in texts)
    floors = {"read": lambda: joined.count(b"\xff")}
    result = contest(settings, lambda: ours.evaluated(models, texts, y, plan), parts, floors)
    notes = [
        f"{name}: {fold_error_note(result.value[name], y, splits[:RIVAL_FOLDS], times.value)}"
        for name, times in zip(models, result.parts, strict=True)
    ]
    yield row_of(result, f"{title}, {len(texts)} posts", RIVAL, TARGET, notes=notes)
