"""The batch engine, which judges whole Arrow columns of URLs by the DFA of a rule.

The engine needs numpy, numba and pyarrow, which `pip install 'urlconform[batch]'` installs. Without them, the
import of this package raises MissingExtra. The package may import the oracle, `jsonio`, `text` and `system`.
"""

from __future__ import annotations


class MissingExtra(ImportError):
    """The libraries of the batch engine are not installed, or their versions are incompatible."""


try:
    from urlharness.batch.engine import Engine, Judgement
    from urlharness.batch.reasons import Reason
except ImportError as missing:
    if (missing.name or "").startswith("url"):
        raise  # a bug in urlconform, not a missing library
    raise MissingExtra(
        f"the batch engine needs numpy, numba and pyarrow ({missing}): pip install 'urlconform[batch]'"
    ) from missing

__all__ = ["Engine", "Judgement", "MissingExtra", "Reason"]
