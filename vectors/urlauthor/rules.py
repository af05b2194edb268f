"""The rules that this project added to the grammars, and the RFC rule that stands for each of them.

Vectors name only rules of an RFC.
"""

from __future__ import annotations

from collections.abc import Mapping

#: By RFC, maps each rule that this project added to the rule of the RFC that it is a part or reading of.
RFC_RULES: Mapping[str, Mapping[str, str]] = {
    "rfc1738": {
        "gopher-field": "selector",
        "gopher-search": "search",
        "no-tab": "selector",
        "file-host": "fileurl",
        "every": "grouppart",
        "fieldspecs": "fieldspec",
    },
    "rfc1808": {
        "from-root": "abs_path",
        "rooted": "abs_path",
        "no-location": "rel_path",
        "no-path": "rel_path",
        "lwsp": "base-header",
    },
    "rfc2396": {"opaque_no_slash": "uric_no_slash", "no-path": "rel_path"},
    "rfc2732": {"opaque_no_slash": "uric_no_slash", "no-path": "rel_path", "tail": "IPv6address"},
}


def rfc_rule(spec: str, name: str) -> str:
    """Return the RFC rule that stands for a rule of the grammar file or of the split tables."""
    return RFC_RULES.get(spec, {}).get(name, name)
