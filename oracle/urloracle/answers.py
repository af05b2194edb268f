"""The former name of `urloracle.types`.  This alias stays for one release."""

from __future__ import annotations

from urloracle.types import *  # noqa: F403
from urloracle.types import __all__ as __all__  # noqa: PLC0414
