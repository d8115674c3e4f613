"""One kernel after another with changed arguments: ``python -m tests.fuzz.kernels COUNT SEED KERNEL...``.

The case that is running is written to the file of ``--progress`` first: whoever started the process reads there what
ended it. ``--case`` runs one case only, ``--exact`` leaves the marked bytes around arrays out, for tools that watch
the memory themselves.
"""

from __future__ import annotations

import argparse
import faulthandler
import resource
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np

from tests.fuzz.kernels import changes, of_counts, of_networks, of_rows, of_searches, of_trees  # noqa: F401
from tests.fuzz.kernels.calls import CALLS, Arguments, Call
from tests.fuzz.kernels.changes import change, guarded, untouched

REFUSED = (ValueError, TypeError, IndexError, MemoryError)  # the last for sizes that do not fit any memory
MEMORY = 4 << 30  # sizes that are too large end in a MemoryError
SECONDS = 120  # for a case
PLAIN = 20  # every so many cases one is called as it was drawn


class Progress:
    """The case that is running, in a file; it is written before every call, so the file stays open."""

    def __init__(self, path: Path | None) -> None:
        self._file = None if path is None else path.open("wb", buffering=0)

    def tell(self, text: str) -> None:
        if self._file is not None:
            self._file.seek(0)
            self._file.write(text.encode().ljust(200)[:200])


def copied(arguments: Arguments, guard: bool) -> Arguments:
    """Arguments of their own for a call."""
    return {
        name: (guarded(value) if guard else value.copy(order="K")) if isinstance(value, np.ndarray) else value
        for name, value in arguments.items()
    }


def same(one: Any, other: Any) -> bool:
    """Whether two results agree, but for rounding."""
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(same(*pair) for pair in zip(one, other, strict=True))
    if isinstance(one, np.ndarray) and one.dtype.hasobject:
        return isinstance(other, np.ndarray) and one.tolist() == other.tolist()
    if isinstance(one, np.ndarray | float | int):
        return np.shape(one) == np.shape(other) and np.allclose(
            one, other, rtol=1e-6, atol=1e-9, equal_nan=True
        )
    return one == other or type(one) is type(other)


def run(call: Call, seed: int, case: int, guard: bool, progress: Progress) -> str | None:
    """One case: what is wrong with it, if anything is."""
    rng = np.random.default_rng([seed, case])
    drawn = call.draw(rng)
    changed = copied(drawn, guard)
    told, alike = change(rng, changed) if case % PLAIN else ("as drawn", True)
    progress.tell(f"{call.name}, seed {seed}, case {case}, {told}")
    before = deepcopy({name: value for name, value in changed.items() if isinstance(value, np.ndarray)})
    try:
        result = call.run(changed)
    except REFUSED as error:
        if not case % PLAIN:
            return f"{told}: refused, {error}"
    else:
        for name, value in before.items():
            if not changed[name].flags.writeable and not same(value, changed[name]):
                return f"{told}: a read-only array was written to"
        if alike:
            plain = copied(drawn, guard)
            if not same(call.run(plain), result):
                return f"{told}: another result"
            for name, value in plain.items():
                if isinstance(value, np.ndarray) and not same(value, np.asarray(changed[name])):
                    return f"{told}: {name} is not what it is for a plain copy"
    beyond = [
        name for name, value in changed.items() if isinstance(value, np.ndarray) and not untouched(value)
    ]
    return f"{told}: written beyond {beyond[0]}" if guard and beyond else None


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("kernels", nargs="+", choices=list(CALLS))
    parser.add_argument("--case", type=int)
    parser.add_argument("--progress", type=Path)
    parser.add_argument("--exact", action="store_true")
    given = parser.parse_args()
    if given.exact:
        changes.WHOLE = tuple(number for number in changes.WHOLE if number < 2**31 - 1)
    else:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    wrong, progress = 0, Progress(given.progress)
    for name in given.kernels:
        for case in range(given.count) if given.case is None else (given.case,):
            faulthandler.dump_traceback_later(SECONDS, exit=True)
            with np.errstate(all="ignore"):
                fault = run(CALLS[name], given.seed, case, not given.exact, progress)
            if fault is not None:
                wrong += 1
                print(f"{name}, seed {given.seed}, case {case}: {fault}")
    faulthandler.cancel_dump_traceback_later()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
