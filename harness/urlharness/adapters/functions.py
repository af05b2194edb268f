"""The functions of a library that its adapter asks, and what it claims, for pages that maintainers read."""

from __future__ import annotations

from collections.abc import Mapping

from urlharness.adapters.catalogue import FROM_CACHE, Implementation, catalogue

#: The functions that the adapters outside the catalogue ask, by operation.
_BUNDLED: Mapping[str, Mapping[str, str]] = {
    "urllib": {
        "parse": "urllib.parse.urlsplit, or urlparse under RFC 1808",
        "validate": "urllib.parse.urlsplit, or urlparse under RFC 1808",
        "resolve": "urllib.parse.urljoin",
        "recompose": "urllib.parse.urlunsplit, or urlunparse under RFC 1808",
    },
    "node-url": {
        "parse": "URL",
        "validate": "URL, with a base for a reference",
        "resolve": "URL with a base",
    },
    "java-net-uri": {
        "parse": "java.net.URI",
        "validate": "java.net.URI",
        "resolve": "URI.resolve",
        "normalize": "URI.normalize",
    },
}


#: Where the documentation of libraries outside the catalogue names the RFCs that their adapters claim.
_CLAIMS_OF_BUNDLED: Mapping[str, str] = {
    "urllib": "urllib/parse.py, docstring of the module",
    "java-net-uri": "java.net.URI, documentation of the class",
}


#: The adapters outside the catalogue whose library omits the brackets of an IP literal.
_BUNDLED_WITHOUT_BRACKETS = frozenset({"urllib"})


def asked_functions(name: str) -> Mapping[str, str]:
    """Return the functions of a library by operation, or {} if the adapter is not one of ours."""
    library = _library(name)
    return _BUNDLED.get(name, {}) if library is None else library.functions


def normalizing_functions(name: str) -> str:
    """Return which functions of a library normalize, or an empty string if the catalogue cites none."""
    library = _library(name)
    return "" if library is None else library.normalize


def documentation_on_iris(name: str) -> str:
    """Return what says that a library reads or converts IRIs, or an empty string if nothing is cited."""
    library = _library(name)
    return "" if library is None else library.iris


def documentation_on_claims(name: str) -> str:
    """Return where a library names the RFCs that it claims, or an empty string if nothing is cited."""
    library = _library(name)
    return _CLAIMS_OF_BUNDLED.get(name, "") if library is None else library.claims


def omits_brackets(name: str) -> bool:
    """Return True if the function of a library that gives the host omits the brackets of an IP literal."""
    library = _library(name)
    return name in _BUNDLED_WITHOUT_BRACKETS if library is None else library.omits_brackets


def _library(adapter: str) -> Implementation | None:
    """Return the library of an adapter from the catalogue, also if it is installed in the cache."""
    return catalogue().get(adapter.removesuffix(FROM_CACHE))
