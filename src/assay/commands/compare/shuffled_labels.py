"""The noise check: the whole procedure once more, on labels that were shuffled.

No column knows anything about shuffled labels, so an honest estimate cannot be better than looking at no column. If it
is, something outside the folds has seen the labels. Where rows belong together, labels move from group to group: rows
of a group that were of one class stay so, and a procedure that knows groups again would be caught.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assay import catalog
from assay.commands.compare.comparison import Comparison
from assay.engines.local import thread_count
from assay.notes.digits import number, percent
from assay.workbench.experiment.schedule import Runner
from assay.workbench.experiment.setup import ExperimentSetup

Tell = Callable[[str, float], None]
ROUNDING = 1e-9  # every fold may take the blind action: the interval is then a point


@dataclass(frozen=True)
class ShuffledLabelCheck:
    """What the procedure scored on shuffled labels: its loss (error, without costs), and that of chance."""

    loss: float
    interval: tuple[float, float]
    chance: float
    naive: float  # what the winner scored on the folds it was chosen by: flattered
    costs: bool = False

    @property
    def passed(self) -> bool:
        """Whether the interval reaches chance."""
        return self.interval[1] >= self.chance - ROUNDING

    @property
    def sentence(self) -> str:
        loss, low, high, chance, naive = map(
            self._shown, (self.loss, *self.interval, self.chance, self.naive)
        )
        answer = "yes" if self.passed else "no, so something outside the folds knows the labels"
        return (
            f"On shuffled labels this procedure scores chance: {answer} ({loss}, {low} to {high}, against {chance} for "
            f"looking at no column; the winner there scored {naive} on the folds it was chosen by)."
        )

    def _shown(self, value: float) -> str:
        return number(value) if self.costs else f"{percent(value)} %"


def noise_check(found: Comparison, tell: Tell = lambda doing, share: None) -> ShuffledLabelCheck:
    """Compare the same candidates under the same plan, the labels shuffled; folds keep their classes' shares.

    Parameters
    ----------
    found : Comparison
    tell : callable
        Told what is being done and the share that is done.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import compare
    >>> found = compare(load_iris(return_X_y=True), candidates=["baseline", "gaussian_nb"])
    >>> noise_check(found).passed
    True
    """
    bench = _shuffled(found.bench)
    runner = Runner(
        bench,
        None,
        lambda doing, share: tell(f"shuffled labels: {doing}", share),
        None,
        thread_count(bench.n_jobs),
    )
    runner.run([catalog.entry(name) for name in found.results])
    if runner.interrupted:  # of a part of the procedure nothing can be said
        raise KeyboardInterrupt
    noise = replace(
        found,
        bench=bench,
        results={result.name: result for result in sorted(runner.results, key=lambda r: r.scored)},
    )
    honest, costs = noise.honest, found.loss is not None
    low, high = honest.interval("loss") if costs else honest.error_interval
    return ShuffledLabelCheck(
        loss=honest.mean_loss(),
        interval=(float(low), float(high)),
        chance=_blind(bench),
        naive=noise.results[noise.best_name].scored,
        costs=costs,
    )


def _shuffled(bench: ExperimentSetup) -> ExperimentSetup:
    generator, problem = np.random.default_rng(bench.random_state), bench.problem
    groups = problem.group_codes
    if groups is None:
        codes = generator.permutation(problem.codes)
    else:
        codes = np.empty_like(problem.codes)
        codes[_by_groups(groups, generator)] = problem.codes[_by_groups(groups, generator)]
    return replace(bench, problem=replace(problem, codes=codes))


def _by_groups(groups: NDArray[np.int32], generator: np.random.Generator) -> NDArray[np.intp]:
    """The rows, group after group, in a random order of groups and of the rows in each."""
    place = generator.permutation(int(groups.max()) + 1)[groups]
    return np.lexsort((generator.permutation(len(place)), place))


def _blind(bench: ExperimentSetup) -> float:
    """Loss of the best action that looks at no column."""
    problem = bench.problem
    counts = np.bincount(problem.codes, problem.weight, problem.n_classes).astype(np.float64)
    shares = counts / counts.sum() if bench.priors is None else bench.priors
    losses = 1.0 - np.eye(len(shares)) if bench.loss is None else bench.loss.values
    return float((shares @ losses).min())
