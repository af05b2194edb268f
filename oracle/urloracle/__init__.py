"""The reference oracle: what RFC 1738, 1808, 2396, 2732 and 3986 say about a string.

The types of the answers are in `urloracle.answers`.  Imports the standard library only.
"""

from __future__ import annotations

from urloracle.errors import InvalidURL
from urloracle.explanation import explain
from urloracle.operations import (
    base_header,
    base_url,
    decode,
    equivalent,
    extract,
    normal_forms,
    normalize,
    parse,
    recompose,
    resolve,
    validate,
)
from urloracle.rfcs import SPECIFICATIONS, specification
from urloracle.specification import Unsupported

__all__ = [
    "SPECIFICATIONS",
    "InvalidURL",
    "Unsupported",
    "base_header",
    "base_url",
    "decode",
    "equivalent",
    "explain",
    "extract",
    "normal_forms",
    "normalize",
    "parse",
    "recompose",
    "resolve",
    "specification",
    "validate",
]
