"""A small process that runs a command and reports its peak memory: `python -m benchmarks.watch COMMAND...`.

The kernel carries the peak of the process that starts a command over into the command's own figure. The benchmark
itself has held large arrays by then, so the command is started from here, where almost nothing is loaded.
"""

from __future__ import annotations

import json
import os
import sys
from time import perf_counter

UNIT = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes


def main() -> None:
    start = perf_counter()
    child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, 2, 1)])
    _, status, used = os.wait4(child, 0)
    seconds = perf_counter() - start
    figures = {"peak": used.ru_maxrss * UNIT, "seconds": seconds, "code": os.waitstatus_to_exitcode(status)}
    sys.stdout.write(json.dumps(figures))


if __name__ == "__main__":
    main()
