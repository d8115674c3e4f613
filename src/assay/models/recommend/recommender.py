r"""User-based collaborative filtering: recommend items that similar users rate highly.

The rating of an item that a user has not rated is predicted from the ratings of other users, weighted by how
similarly the two have rated before (formulas: `assay.models.recommend.similarity` and `.predictions`).
The model stores the ratings only: a prediction compares the user with every other user.

T. Segaran, Programming Collective Intelligence, O'Reilly 2007, chapter 2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from assay.data.ratings.ratings import Ratings, place_of
from assay.data.ratings.read_ratings import read_ratings
from assay.engines.local import thread_count
from assay.models.base.estimators import Model, check_is_fitted
from assay.models.base.params import Param
from assay.models.base.stored import NOTES, Field
from assay.models.recommend.choices import RECOMMENDER
from assay.models.recommend.explanation import Recommendation, Recommendations, ranked
from assay.models.recommend.predictions import Known, predicted
from assay.models.recommend.rating_codes import Numbers, RatingSums
from assay.models.recommend.similarity import Critics, NeighborRatings, RatingRows, SimilarityOptions
from assay.notes import Note
from assay.numerics.random_state import RandomState
from assay.numerics.scalars import is_whole

if TYPE_CHECKING:
    from assay.models.recommend.left_out_errors import RatingError


class Recommender(Model):
    """Predict ratings from the ratings of similar users, and recommend the items with the highest predictions.

    Attributes
    ----------
    ratings_ : Ratings
    diagnostics_ : tuple of str

    Examples
    --------
    >>> films = {"Ann": {"A": 5, "B": 4, "C": 2}, "Bob": {"A": 1, "B": 3, "C": 3},
    ...          "Cid": {"A": 4, "B": 1, "C": 4}, "Dan": {"A": 1, "B": 2, "C": 5}}
    >>> model = Recommender(similarity="euclidean").fit(films)
    >>> new = {"A": 4, "B": 3}
    >>> float(model.predict(new, ["C"]).round(4)[0])
    3.3229
    >>> model.recommend(new)[0].reason
    'Ann (similarity 0.41) rated it 2, Cid (0.33) rated it 4, Bob (0.25) rated it 3; 4 neighbours were used.'
    """

    params: ClassVar[tuple[Param, ...]] = RECOMMENDER
    stored: ClassVar[tuple[Field, ...]] = (Field("ratings_", "ratings"), NOTES)

    def __init__(
        self,
        *,
        similarity: str = "pearson",
        means: str = "co_rated",
        prediction: str = "weighted",
        n_neighbors: int | None = 50,
        min_overlap: int = 1,
        shrinkage: float = 0.0,
    ) -> None:
        self.similarity = similarity
        self.means = means
        self.prediction = prediction
        self.n_neighbors = n_neighbors
        self.min_overlap = min_overlap
        self.shrinkage = shrinkage

    def fit(self, ratings: Any, y: ArrayLike | None = None) -> Self:
        """Take the ratings: whatever `assay.read_ratings` reads, or its result."""
        self._check_params()
        self.ratings_ = read_ratings(ratings)
        self._restored()
        self.diagnostics_ = (*self.ratings_.notes, *_remarks(self.ratings_))
        return self

    def _restored(self) -> None:
        """What follows from the ratings, which alone are stored."""
        self._critics = Critics(self.ratings_)

    def predict(self, users: Any, items: Any) -> Numbers:
        """The rating of each item by the user beside it.

        Parameters
        ----------
        users : names, one name for all items, or a dictionary of ratings: a new user
        items : names
        """
        check_is_fitted(self, "ratings_")
        names = [items] if isinstance(items, str) or not np.iterable(items) else list(items)
        places = np.array([place_of(self.ratings_.items, name, "item") for name in names], dtype=np.int32)
        if isinstance(users, Mapping):
            return self._answer(*self._new_user(users), places)[0]
        several = not isinstance(users, str) and np.iterable(users)
        who = list(users) if several else [users] * len(places)
        if len(who) != len(places):
            raise ValueError(Note("M190", n_users=len(who), n_items=len(places)))
        at = np.array([place_of(self.ratings_.users, name, "user") for name in who], dtype=np.int32)
        order = np.argsort(at, kind="stable")
        users, counts = np.unique(at, return_counts=True)
        first = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        critics = self._critics
        out = np.empty(len(places))
        questions = RatingRows(first, places[order], critics.rows.code)
        user_sums = critics.sums.take(at[order])
        out[order] = self._heard(critics, critics.rows.take(users), users, questions, user_sums)[0]
        return out

    def recommend(self, user: Any, n: int = 10) -> Recommendations:
        """The `n` items that the user should like best among those they have not rated, each with its reasons.

        Parameters
        ----------
        user : a name, or a dictionary of ratings: a new user
        n : int

        Items that critics with evidence speak for go before those of which only the mean is known. With "nearest" the
        favourites of the most similar critic come first, then those of the next.
        """
        check_is_fitted(self, "ratings_")
        if not is_whole(n, 1):
            raise ValueError(Note("M191", n=n))
        if isinstance(user, Mapping):
            critics, row, itself = self._new_user(user)
        else:
            critics = self._critics
            row, itself = self._known_user(place_of(self.ratings_.users, user, "user"))
        rated = np.zeros(self.ratings_.n_items, dtype=bool)
        rated[row.item] = True
        candidates = np.flatnonzero(~rated & (critics.item_sums.n > 0)).astype(np.int32)
        values, used = self._answer(critics, row, itself, candidates)
        common, similarity = critics.similarities(row, self._how(), self.similarity)
        if itself >= 0:
            similarity[itself] = 0.0
        name = "the new user" if isinstance(user, Mapping) else str(user)
        return ranked(self, critics, candidates, values, used, similarity, common, name, int(n))

    def evaluate(self, plan: Any = 5, *, random_state: RandomState = 0, level: float = 0.95) -> RatingError:
        """RMSE and MAE on ratings left out; `assay.rating_errors` does all settings at once."""
        from assay.models.recommend.left_out_errors import rating_errors

        check_is_fitted(self, "ratings_")
        return rating_errors(
            self.ratings_,
            plan,
            similarities=(self.similarity,),
            predictions=(self.prediction,),
            means=self.means,
            n_neighbors=self.n_neighbors,
            min_overlap=self.min_overlap,
            shrinkage=self.shrinkage,
            random_state=random_state,
            level=level,
        ).errors[0]

    def _how(self) -> SimilarityOptions:
        return SimilarityOptions(self.n_neighbors, self.min_overlap, self.shrinkage, self.means)

    def _known_user(self, at: int) -> tuple[RatingRows, int]:
        return self._critics.rows.slice(at, at + 1), at

    def _new_user(self, given: Mapping[Any, Any]) -> tuple[Critics, RatingRows, int]:
        """Critics whose codes are on one grid with the new ratings, and the row of those."""
        new = Ratings.of({"the new user": given}) if given else None
        names = () if new is None else new.items
        item = np.array([place_of(self.ratings_.items, name, "item") for name in names], dtype=np.int32)
        value = np.empty(0) if new is None else new.value
        order = np.argsort(item)
        critics = Critics(self.ratings_, value[order]) if len(item) else self._critics
        code = critics.extra if len(item) else critics.coded.code[:0]
        return critics, RatingRows(np.array([0, len(item)], dtype=np.int64), item[order], code), -1

    def _answer(self, critics: Critics, row: RatingRows, itself: int, items: Any) -> tuple[Numbers, Any]:
        """Ratings predicted for the items that one user asks for, and how many critics were heard on each."""
        questions = RatingRows(np.array([0, len(items)], dtype=np.int64), items, row.code)
        user_sums = RatingSums.of(critics.coded.like(row.code), np.zeros(len(row.code), dtype=np.intp), 1)
        return self._heard(critics, row, np.array([itself], dtype=np.int32), questions, user_sums)

    def _heard(
        self, critics: Critics, rows: RatingRows, itself: Any, questions: RatingRows, user_sums: RatingSums
    ) -> tuple[Numbers, Any]:
        heard: NeighborRatings | None = None
        used = np.zeros(len(questions.item), dtype=np.int32)
        if self.prediction != "mean":
            heard = critics.ask(
                rows, itself, questions, self._how(), (self.similarity,), threads=thread_count()
            )
            used = heard.used[0]
        known = Known.of(critics, user_sums, questions.item)
        return predicted(heard, 0, known, self.prediction, critics.coded), used


def _remarks(ratings: Ratings) -> Sequence[Note]:
    without = int((np.diff(ratings.first) == 0).sum())
    return (Note("M337", count=without),) if without else ()


__all__ = ["Recommendation", "Recommendations", "Recommender"]
