"""How a kernel is compiled: at its first call, to run without the interpreter's lock, and kept on disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

_Kernel = TypeVar("_Kernel", bound=Callable[..., Any])


def kernel(function: _Kernel) -> _Kernel:
    """A function of arrays and numbers as machine code that runs beside other threads.

    The code is kept beside the module or in the user's cache folder, so that the next process need not
    compile it; where neither can be written it is compiled in every process.
    """
    try:
        compiled: _Kernel = numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:  # no folder for the cache
        compiled = numba.njit(nogil=True)(function)
    return compiled
