"""The reference oracle: validates, parses and resolves URLs by RFC 1738, 1808, 2396, 2732, 3986 and 3987.

The types of the answers are in `urloracle.types`.  The package imports only the standard library.
"""

from __future__ import annotations

from urloracle.errors import InvalidURL, Unsupported
from urloracle.explanation import explain
from urloracle.native import engine
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
    to_iri,
    to_uri,
    validate,
    view,
)
from urloracle.rfcs import SPECIFICATIONS, specification

__all__ = [
    "SPECIFICATIONS",
    "InvalidURL",
    "Unsupported",
    "base_header",
    "base_url",
    "decode",
    "engine",
    "equivalent",
    "explain",
    "extract",
    "normal_forms",
    "normalize",
    "parse",
    "recompose",
    "resolve",
    "specification",
    "to_iri",
    "to_uri",
    "validate",
    "view",
]
