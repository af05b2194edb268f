"""The harness. It loads vectors, asks implementations, judges their answers, and writes reports.

The interface consists of `run`, `stream`, `functions`, `assert_conforms` and `Report` (see `urlharness.api`).
These names are imported when they are first used, so that `--help` and pytest without an adapter start fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["Report", "__version__", "assert_conforms", "functions", "run", "stream"]


def __getattr__(name: str) -> Any:
    """Import and return a public name. `__init__.pyi` declares the types of the public names."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "__version__":
        member: Any = import_module("importlib.metadata").version("urlconform")
    else:
        # a property test may be the first to use the name
        without_deadline = import_module("urlharness.deadline").without_deadline
        api = without_deadline(import_module, "urlharness.api")
        member = getattr(api, name)
    globals()[name] = member
    return member
