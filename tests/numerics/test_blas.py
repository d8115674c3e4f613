"""The BLAS limit: counted, restored, and never left behind."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController

from assay.numerics import blas
from assay.numerics.blas import single_threaded
from tests.raised import raises

USER = 2  # what the user has set, in every test


def settings() -> list[int]:
    """Threads of every BLAS in this process."""
    import scipy.linalg  # noqa: F401

    found = ThreadpoolController().select(user_api="blas").info()
    return [library["num_threads"] for library in found]


@pytest.fixture(autouse=True)
def user_setting() -> Iterator[None]:
    import scipy.linalg  # noqa: F401

    with ThreadpoolController().select(user_api="blas").limit(limits=USER):
        if settings() != [USER] * len(settings()):
            pytest.skip(reason="this BLAS cannot be given two threads")
        yield


def test_there_is_a_blas_to_hold() -> None:
    assert settings()


def test_holds_and_restores() -> None:
    with single_threaded():
        assert set(settings()) == {1}
    assert set(settings()) == {USER}


def test_nests() -> None:
    with single_threaded():
        with single_threaded():
            assert set(settings()) == {1}
        assert set(settings()) == {1}
    assert set(settings()) == {USER}


def test_restores_after_an_exception_at_any_depth() -> None:
    with pytest.raises(KeyError), single_threaded(), single_threaded():
        raise KeyError
    assert set(settings()) == {USER}
    with single_threaded():
        assert set(settings()) == {1}
    assert set(settings()) == {USER}


def test_a_new_user_setting_is_the_one_restored() -> None:
    with single_threaded():
        pass
    with ThreadpoolController().select(user_api="blas").limit(limits=1):
        with single_threaded():
            pass
        assert set(settings()) == {1}
    assert set(settings()) == {USER}


def test_many_threads_at_once() -> None:
    count, rounds = 6, 30
    barrier, seen, failures = threading.Barrier(count), set(), []

    def work(number: int) -> None:
        try:
            for step in range(rounds):
                barrier.wait(timeout=30)
                with single_threaded():
                    seen.update(settings())
                    if (step + number) % 3 == 0:
                        with single_threaded():
                            seen.update(settings())
                    np.ones((30, 30)) @ np.ones((30, 30))
        except BaseException as error:  # noqa: BLE001
            failures.append(error)
            barrier.abort()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert seen == {1}
    assert set(settings()) == {USER}


def test_overlapping_threads_hold_until_the_last_leaves() -> None:
    inside, leave = threading.Event(), threading.Event()

    def other() -> None:
        with single_threaded():
            inside.set()
            leave.wait(30)

    thread = threading.Thread(target=other)
    with single_threaded():
        thread.start()
        assert inside.wait(30)
    assert set(settings()) == {1}  # the other thread is still at work
    leave.set()
    thread.join()
    assert set(settings()) == {USER}


def test_a_thread_may_come_after_the_thread_that_held_before() -> None:
    seen: list[set[int]] = []

    def other() -> None:
        with single_threaded():
            seen.append(set(settings()))
        seen.append(set(settings()))
        with ThreadpoolController().select(user_api="blas").limit(limits=1):  # the user's own, in a thread
            seen.append(set(settings()))

    with single_threaded():
        pass
    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert seen == [{1}, {USER}, {1}]


class PerThread:
    """A library whose thread count belongs to the calling thread, as MKL's does, and its controller."""

    internal_api, filepath = "mkl", "/nowhere/libmkl_rt.so"

    def __init__(self) -> None:
        self.counts: dict[int, int] = {}
        self.lib_controllers = [self]

    def threads(self) -> int:
        return self.counts.get(threading.get_ident(), 7)

    def select(self, filepath: list[str]) -> PerThread:
        return self if self.filepath in filepath else PerThread()

    def limit(self, limits: int) -> PerThread:
        self.counts[threading.get_ident()] = limits
        return self

    def restore_original_limits(self) -> None:
        self.counts[threading.get_ident()] = 7


def test_a_library_with_a_setting_for_each_thread_is_held_in_each(monkeypatch: pytest.MonkeyPatch) -> None:
    library = PerThread()
    monkeypatch.setattr(blas, "_all_libraries", lambda: library)
    monkeypatch.setattr(blas, "_thread_libraries", blas._thread_libraries.__wrapped__)
    monkeypatch.setattr(blas, "_shared_libraries", blas._shared_libraries.__wrapped__)
    monkeypatch.setattr(blas, "_own", blas._OwnHolding())
    monkeypatch.setattr(blas, "_holding", blas._Holding(blas._shared_libraries))
    seen = []

    def other() -> None:
        with single_threaded():
            seen.append(library.threads())
        seen.append(library.threads())

    with single_threaded():
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert library.threads() == 1
    assert seen == [1, 7] and library.threads() == 7


def _in_child(connection: multiprocessing.connection.Connection) -> None:
    outside = set(settings())
    with single_threaded():
        inside = set(settings())
    connection.send((outside, inside, set(settings())))


def _ask_child() -> tuple[set[int], set[int], set[int]]:
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    child = context.Process(target=_in_child, args=(there,))
    child.start()
    assert here.poll(60), "the child hangs"
    answer = here.recv()
    child.join(60)
    return answer


forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")


@forks
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_has_the_users_setting_and_can_hold_its_own() -> None:
    assert _ask_child() == ({USER}, {1}, {USER})
    with single_threaded():
        assert _ask_child() == ({USER}, {1}, {USER})
        assert set(settings()) == {1}
    assert set(settings()) == {USER}


@forks
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_forked_while_another_thread_enters_does_not_hang() -> None:
    stop = threading.Event()

    def churn() -> None:
        while not stop.is_set():
            with single_threaded():
                pass

    thread = threading.Thread(target=churn)
    thread.start()
    try:
        for _ in range(12):
            _, inside, _ = _ask_child()
            assert inside == {1}
    finally:
        stop.set()
        thread.join()
    assert set(settings()) == {USER}


@forks
def test_a_child_that_walks_out_of_the_block_it_was_forked_in_still_holds_and_restores() -> None:
    script = f"""
import os, sys
from threadpoolctl import ThreadpoolController
import scipy.linalg
from assay.numerics.blas import single_threaded

def settings():
    return {{lib["num_threads"] for lib in ThreadpoolController().select(user_api="blas").info()}}

ThreadpoolController().select(user_api="blas").limit(limits={USER})
with single_threaded():
    child = os.fork()
assert settings() == {{{USER}}}, "left the block"
with single_threaded():
    assert settings() == {{1}}, "held again"
assert settings() == {{{USER}}}, "left again"
if child:
    assert os.waitpid(child, 0)[1] == 0, "the child failed"
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_a_fit_and_an_evaluation_leave_the_users_setting() -> None:
    import assay

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), np.arange(60) % 3
    assay.evaluate([assay.GaussianClassifier(), assay.LeastSquaresClassifier()], X, y, assay.KFold(3))
    assert set(settings()) == {USER}
    X[3, 2] = np.nan
    with raises("N028"):
        assay.evaluate(assay.GaussianClassifier(), X, y, assay.KFold(3))
    assert set(settings()) == {USER}
