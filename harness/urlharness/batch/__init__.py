"""The batch engine, which judges whole Arrow columns of URLs by the DFA of a rule.

The engine needs numba, numpy and pyarrow, which the extra `batch` of urlconform installs. Without them, the
import of this package raises MissingExtra. The package may import the oracle, `jsonio`, `text` and `system`.
"""

from __future__ import annotations

#: The command that installs what is missing. It works beside a clone, a tag and a release alike.
_INSTALL = "pip install 'numba>=0.61' 'numpy>=2' 'pyarrow>=18'"


class MissingExtra(ImportError):
    """The libraries of the batch engine are not installed, or their versions are incompatible."""


try:
    from urlharness.batch.engine import Engine, Judgement
    from urlharness.batch.reasons import Reason
except ImportError as missing:
    if (missing.name or "").startswith("url"):
        raise  # a bug in urlconform, not a missing library
    raise MissingExtra(
        f"the batch engine needs numba, numpy and pyarrow ({missing}): {_INSTALL}"
    ) from missing

__all__ = ["Engine", "Judgement", "MissingExtra", "Reason"]
