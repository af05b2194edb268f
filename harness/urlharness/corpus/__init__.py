"""The corpus: test cases and requirements as records, with their descriptions, selections, lock and export.

This package may import `text`, `jsonio`, `limits`, `shell`, `exitcodes` and the data package `urlvectors`.
The names in `__all__` are public. Each name is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from urlharness.corpus.loader import load
    from urlharness.corpus.model import Case, Corpus, CorpusError, Expected, Requirement, Vector, corpus_dir

__all__ = ["Case", "Corpus", "CorpusError", "Expected", "Requirement", "Vector", "corpus_dir", "load"]


def __getattr__(name: str) -> Any:
    """Import and return the object with a public name. Raise AttributeError for any other name."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{'loader' if name == 'load' else 'model'}")
    return getattr(module, name)
