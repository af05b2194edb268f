"""Columns of URLs in Arrow layout, judged at once by the automaton of a rule.

It needs numpy, numba and pyarrow, which come with `urlconform[batch]`; where they are missing, importing
this package raises MissingExtra.
"""

from __future__ import annotations


class MissingExtra(ImportError):
    """The libraries of the batch engine are not installed, or do not go together."""


try:
    from urlharness.batch.engine import Engine, Judgement
    from urlharness.batch.reasons import Reason
except ImportError as missing:
    if (missing.name or "").startswith("url"):
        raise  # a fault of ours, which no library mends
    raise MissingExtra(
        f"the batch engine needs numpy, numba and pyarrow ({missing}): pip install 'urlconform[batch]'"
    ) from missing

__all__ = ["Engine", "Judgement", "MissingExtra", "Reason"]
