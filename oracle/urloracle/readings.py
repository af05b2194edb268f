"""Other admissible readings of a valid text, where a ruling leaves the components to the reader."""

from __future__ import annotations

from typing import Any, NamedTuple

from urloracle.components import URI
from urloracle.schemes import FileURL, FtpURL, GenericURL, SchemeURL, asdict


class Reading(NamedTuple):
    """Another set of components that the ruling admits."""

    components: dict[str, Any]
    ruling: str


def readings_rfc1738(url: SchemeURL) -> tuple[Reading, ...]:
    """A question mark in an ftp or file path may start a query (R-1738-12); an unknown scheme may be opaque
    although its part has the common syntax (R-1738-02).
    """
    match url:
        case FtpURL(fpath=str(path)) | FileURL(fpath=str(path)) if "?" in path:
            before, _, query = path.partition("?")
            return (Reading({**asdict(url), "fpath": before, "query": query}, "R-1738-12"),)
        case GenericURL(host=str()):
            opaque = dict.fromkeys(("user", "password", "host", "port", "urlpath"))
            return (Reading({**asdict(url), **opaque}, "R-1738-02"),)
        case _:
            return ()


def readings_rfc2396(uri: URI) -> tuple[Reading, ...]:
    """An opaque part has no query by the grammar, and one by appendix B (R-2396-04)."""
    opaque = uri.scheme is not None and uri.authority is None and not uri.path.startswith("/")
    if not opaque or uri.query is None:
        return ()
    whole = uri._replace(path=f"{uri.path}?{uri.query}", query=None)
    return (Reading(whole.asdict(), "R-2396-04"),)
