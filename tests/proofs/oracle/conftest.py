"""Fixtures of the oracle's tests, for its proofs."""

from ...oracle.conftest import (  # noqa: TID252 - tests are not an installed package
    anew,
    near_misses,
    plant,
    verdicts,
    walks,
)

__all__ = ["anew", "near_misses", "plant", "verdicts", "walks"]
