"""The differences between commit b0feebb4 and today that are no regressions, each with its reason."""

from __future__ import annotations

from checkouts.differences import Expected, Rewording

REWORDINGS: tuple[Rewording, ...] = ()

EXPECTED: tuple[Expected, ...] = ()
