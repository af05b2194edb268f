"""The base URL that applies: RFC 1808 sections 3 to 3.4, RFC 2396 section 5.1, RFC 3986 section 5.1.

The layers, innermost first: the content of the document, the entity around it, the URL from which it was
retrieved, the default of the application.  The innermost layer with a base wins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, get_args

from urloracle.errors import InvalidURL, missing_scheme
from urloracle.language import Languages
from urloracle.rfc.components import Parts, RelativeURL
from urloracle.rfc.extraction import WHITE_SPACE
from urloracle.rfc.resolution import Alternative, Resolver

Source = Literal["embedded", "encapsulating", "retrieval", "default"]
SOURCES: tuple[Source, ...] = get_args(Source)


class Base(NamedTuple):
    """The base URL that applies, its layer, the section of the RFC, and in `also` other admissible bases.

    If there is no base, `url` is "" under RFC 1808 and None under the other RFCs.
    """

    url: str | None
    source: Source
    section: str
    also: tuple[Alternative, ...] = ()


class Layers(NamedTuple):
    """The base of each layer, innermost first; None for a layer without a base."""

    embedded: str | None = None
    encapsulating: str | None = None
    retrieval: str | None = None
    default: str | None = None


def base_rfc1808(layers: Layers, parse: Callable[[str], RelativeURL]) -> Base:
    """Apply RFC 1808, section 3.

    A base keeps its fragment (R-1808-12, R-1808-27).  The only default is "", so `layers.default` is ignored.
    An empty base is an error, except that of the layer `encapsulating`, which is skipped.
    """
    for source, url in _defined(layers._replace(default=None)):
        if url:
            if parse(url).scheme is None:
                raise missing_scheme(url, "rfc1808", "URL", "a base")
            also = _other_base(url, without_fragment(url), "fragment-stripped", "R-1808-12")
            return Base(url, source, f"3.{SOURCES.index(source) + 1}", also)
        if source != "encapsulating":
            raise missing_scheme(url, "rfc1808", "URL", "a base")
    return Base("", "default", "3.4")


def base_rfc2396(layers: Layers, spec: str, parse: Callable[[str], Parts]) -> Base:
    """Apply RFC 2396, section 5.1.

    The fragment of a base is removed, because a URI has no fragment (R-2396-01, R-2396-22).  `spec` is the
    RFC that an error names.
    """
    for source, url in _defined(layers):
        scheme = parse(url)[0]
        if scheme is None:
            raise missing_scheme(url, spec, "absoluteURI", "a base")
        base = without_fragment(url)
        also = _other_base(base, url, "fragment-kept", "R-2396-01")
        return Base(base, source, _section(source), also)
    return Base(None, "default", _section("default"))


def base_rfc3986(
    layers: Layers, spec: str, rule: str, parse: Callable[[str], Parts], resolve: Resolver
) -> Base:
    """Apply RFC 3986, section 5.1.

    A relative base is resolved against the base of the layers around it.  `spec` and `rule` are the RFC and
    its rule for references with a scheme, which an error names.
    """
    defined = _defined(layers)
    if not defined:
        return Base(None, "default", _section("default"))
    references: list[str] = []  # the bases within the absolute one, innermost first
    for _, url in defined:
        scheme = parse(url)[0]
        if scheme is not None:
            absolute = url
            break
        references.append(url)
    else:
        raise missing_scheme(references[-1], spec, rule, "a base")
    base = without_fragment(absolute)
    for reference in reversed(references):
        base = without_fragment(resolve(base, reference).text)
    innermost, _ = defined[0]
    return Base(base, innermost, _section(innermost))


def _defined(layers: Layers) -> list[tuple[Source, str]]:
    """Return the layers that have a base, innermost first."""
    urls = [(source, getattr(layers, source)) for source in SOURCES]
    return [(source, url) for source, url in urls if url is not None]


def _other_base(base: str, other_base: str, variant: str, ruling: str) -> tuple[Alternative, ...]:
    """Return the other base as the only alternative, or no alternative if it does not differ."""
    return () if other_base == base else (Alternative(other_base, variant, ruling),)


def _section(source: Source) -> str:
    """Return the section of RFC 2396 and RFC 3986 that describes a layer."""
    return f"5.1.{SOURCES.index(source) + 1}"


def without_fragment(url: str) -> str:
    """Return the URL without its fragment."""
    return url.partition("#")[0]


def base_header(text: str, languages: Languages, problem: Callable[[str, str], InvalidURL | None]) -> str:
    """Return the URL of a Base header field (RFC 1808, section 3.1).

    The field may end with a line break.  White space inside the brackets is removed before the rule is
    applied.  `problem` returns the error of a text under a rule, or None.  Raise InvalidURL if there is one.
    """
    field = text.rstrip("\r\n")
    offsets = _offsets_of_line(field)
    line = "".join(field[offset] for offset in offsets)
    refused = problem(line, "base-header")
    if refused is not None:
        position = offsets[refused.position] if refused.position < len(offsets) else len(field)
        raise InvalidURL(
            text,
            refused.spec,
            refused.rule,
            position,
            expected=refused.expected,
            rules=refused.rules,
            section=refused.section,
            reason=refused.reason,
        )
    components = languages.pattern("base-header", ("absoluteURL",)).split(line)
    assert components is not None  # the rule derives the line
    (url,) = components
    assert url is not None  # each such line contains a URL
    return url


def _offsets_of_line(field: str) -> list[int]:
    """Return the offsets of the characters of a field, without white space inside the brackets."""
    opening = field.find("<")
    closing = field.find(">")
    offsets = []
    for offset, char in enumerate(field):
        inside = 0 <= opening < offset and (offset < closing or closing < 0)
        if not (inside and char in WHITE_SPACE):
            offsets.append(offset)
    return offsets
