"""The harness: it loads vectors, asks implementations, judges their answers, and reports.

`run`, `stream`, `functions`, `assert_conforms` and `Report` are the interface (`urlharness.api`). They are
imported at first use, so that `--help`, and pytest without an adapter, start fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["Report", "__version__", "assert_conforms", "functions", "run", "stream"]


def __getattr__(name: str) -> Any:
    """Import and return a public name; `__init__.pyi` declares its type."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "__version__":
        found: Any = import_module("importlib.metadata").version("urlconform")
    else:
        found = getattr(import_module("urlharness.api"), name)
    globals()[name] = found
    return found
