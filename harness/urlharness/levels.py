"""The levels of vectors, from the grammar to a note, and the word for those that decide on compliance."""

from __future__ import annotations

from typing import get_args

from urlharness.corpus import Level

LEVELS: tuple[Level, ...] = get_args(Level)
COMPLIANCE = "compliance"
