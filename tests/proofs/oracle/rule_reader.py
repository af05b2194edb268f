"""A second reader: the components of the RFCs' own rules, then the steps that their prose adds to them.

The oracle reads by rules laid over those of the RFCs (`urloracle.rfc.captures`), which contain the steps.
"""

from __future__ import annotations

import re

from urloracle.specification import Specification

from .split_rulings import READ, REFERENCE

Parts = dict[str, str | None]

#: RFC 1808, section 2.4, with the number of each step; the network location runs to the next slash, question
#: marks included (R-1808-05).
_SECTION_2_4 = re.compile(
    r"""(?:(?P<scheme>[A-Za-z0-9+.\-]+):)?  # 2.4.2
        (?://(?P<net_loc>[^/\#]*))?         # 2.4.3
        (?P<path>[^?;\#]*)                  # 2.4.6
        (?:;(?P<params>[^?\#]*))?           # 2.4.5
        (?:\?(?P<query>[^\#]*))?            # 2.4.4
        (?:\#(?P<fragment>.*))?             # 2.4.1
    """,
    re.VERBOSE,
)


def read(spec: Specification, text: str) -> dict[str, object]:
    """Return the components of a valid text, under the names of `Specification.asdict`."""
    if spec.id == "rfc1808":
        steps = _SECTION_2_4.fullmatch(text)
        assert steps is not None
        return steps.groupdict()
    if spec.id != "rfc1738":
        return _uri(spec, text)
    scheme, _, rest = text.partition(":")
    rule = spec.schemes.get(scheme.lower(), "genericurl")
    parts = _parts(spec, rule, text)
    match rule:
        case "fileurl":  # section 3.10: the host can be the empty string
            parts["host"] = parts["host"] or ""
        case "gopherurl":  # section 3.4, R-1738-19: the encoded tabs divide what follows the type
            fields = [] if parts["gtype"] is None else (parts["selector"] or "").split("%09", 2)
            names = ("selector", "search", "gopher+_string")
            parts |= dict(zip(names, [*fields, None, None, None], strict=False))
        case "newsurl":  # section 3.6
            parts["grouppart"] = rest if parts["group"] is parts["article"] is None else None
        case "prosperourl":
            occurrences = spec.languages.pattern("fieldspec", READ["rfc1738", "fieldspec"]).occurrences(text)
            return {"scheme": scheme, **parts, "fieldspecs": [[*pair] for pair in occurrences] or None}
        case "genericurl":  # R-1738-02
            names = READ["rfc1738", "ip-schemepart"]
            assert parts["schemepart"] is not None
            divided = spec.languages.pattern("ip-schemepart", names).split(parts["schemepart"])
            parts |= dict(zip(names, divided or [None] * len(names), strict=True))
    return {"scheme": scheme, **parts}


def _parts(spec: Specification, rule: str, text: str) -> Parts:
    pattern = spec.languages.pattern(rule, READ[spec.id, rule])
    parts = pattern.split(text)
    assert parts is not None
    return dict(zip(pattern.components, parts, strict=True))


def _uri(spec: Specification, text: str) -> dict[str, object]:
    parts = _parts(spec, REFERENCE, text)
    # section 5.2: the path is never absent; R-2396-04: a question mark ends an opaque part
    path, mark, query = (parts["path"] or "").partition("?")
    return {**parts, "path": path, "query": query if mark else parts["query"]}
