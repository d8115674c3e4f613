from collections.abc import Callable, Generator, Iterable
from typing import Any

class Parallel:
    def __init__(
        self,
        n_jobs: int | None = ...,
        backend: str | None = ...,
        return_as: str = ...,
        max_nbytes: int | str | None = ...,
    ) -> None: ...
    def __call__(self, iterable: Iterable[Any]) -> Generator[Any]: ...

def delayed(function: Callable[..., Any]) -> Callable[..., Any]: ...
