"""BLAS inside Assay: one thread each, on blocks handed out by our own threads.

Threaded BLAS changes bits with its thread count and is slow on tall, thin blocks. Its thread setting belongs to
the whole process, so the limit is counted: the first computation in sets it, the last one out restores what
the user had.
"""

from __future__ import annotations

import ctypes
import functools
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from threadpoolctl import ThreadpoolController

_lock = threading.Lock()
_depth = 0
_limiter: Any = None


@functools.cache
def _controller() -> ThreadpoolController:
    import scipy.linalg  # noqa: F401  both OpenBLAS copies, NumPy's and SciPy's, must be loaded to be seen

    return ThreadpoolController().select(user_api="blas")


@contextmanager
def single_threaded() -> Iterator[None]:
    """Hold every BLAS of the process at one thread; nests, and is safe to enter from several threads."""
    global _depth, _limiter
    with _lock:
        if _depth == 0:
            _limiter = _controller().limit(limits=1)
        _depth += 1
    try:
        yield
    finally:
        with _lock:
            _depth -= 1
            if _depth == 0:
                _limiter.restore_original_limits()
                _limiter = None


def _forget_after_fork() -> None:
    """A child starts outside every computation: its parent's locks and counts mean nothing in it."""
    global _lock, _depth, _limiter
    _lock, _depth = threading.Lock(), 0
    if _limiter is not None:
        _limiter.restore_original_limits()
        _limiter = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_after_fork)


def _address(routine: str, arguments: str) -> int:
    """Address of a routine in SciPy's BLAS, or 0 when its signature is not the one the kernels call."""
    from scipy.linalg import cython_blas

    capsule = cython_blas.__pyx_capi__.get(routine)
    if capsule is None or os.environ.get("ASSAY_BLAS") == "plain":
        return 0
    api = ctypes.pythonapi
    api.PyCapsule_GetName.restype, api.PyCapsule_GetName.argtypes = ctypes.c_char_p, [ctypes.py_object]
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    name: bytes = api.PyCapsule_GetName(capsule)
    kinds = name.decode().partition("(")[2].rstrip(")").split(",")
    letters = "".join("c" if "char" in kind else "i" if "int *" in kind else "d" for kind in kinds)
    return int(api.PyCapsule_GetPointer(capsule, name) or 0) if letters == arguments else 0


@functools.cache
def kernels() -> ModuleType:
    """The compiled kernels, with SciPy's BLAS behind them."""
    from assay import _core

    _core.use_blas(
        dsyrk=_address("dsyrk", "cciiddiddi"),
        dtrmm=_address("dtrmm", "cccciiddidi"),
        dgemm=_address("dgemm", "cciiiddididdi"),
    )
    return _core
