from typing import Any, overload

import numpy
import numpy.typing
from numpy.typing import NDArray

class Texts:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def add_values(self, values: list[Any]) -> list[int]: ...
    @overload
    def add_column(
        self, offsets: NDArray[numpy.int32], bytes: NDArray[numpy.uint8], missing: NDArray[numpy.bool_] | None
    ) -> None: ...
    @overload
    def add_column(
        self, offsets: NDArray[numpy.int64], bytes: NDArray[numpy.uint8], missing: NDArray[numpy.bool_] | None
    ) -> None: ...
    def survey(self, threads: int) -> tuple[int, int, int] | None: ...
    def pages(self) -> list[int]: ...

class Characters:
    def __init__(self, context: bool) -> None: ...
    def has(self, page: int) -> bool: ...
    def fill(self, page: int, entries: NDArray[numpy.uint32]) -> None: ...

class Tally:
    def __init__(
        self,
        texts: Texts,
        characters: Characters,
        words: bool,
        least: int,
        most: int,
        stop: list[str],
        vocabulary: list[str] | None,
        threads: int,
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def word_count(self) -> int: ...
    @property
    def stopped(self) -> int: ...
    def names(
        self, column: numpy.typing.NDArray[numpy.int32], out: numpy.typing.NDArray[numpy.object_]
    ) -> None: ...
    def totals(self, documents: NDArray[numpy.int64], total: NDArray[numpy.int64]) -> None: ...
    def forget_words(self) -> None: ...
    def bounds(self, column: NDArray[numpy.int32], threads: int, first: NDArray[numpy.int64]) -> None: ...
    @overload
    def fill(
        self,
        column: NDArray[numpy.int32],
        first: NDArray[numpy.int32],
        binary: bool,
        threads: int,
        columns: NDArray[numpy.int32],
        counts: NDArray[numpy.int32],
    ) -> None: ...
    @overload
    def fill(
        self,
        column: NDArray[numpy.int32],
        first: NDArray[numpy.int64],
        binary: bool,
        threads: int,
        columns: NDArray[numpy.int32],
        counts: NDArray[numpy.int32],
    ) -> None: ...
