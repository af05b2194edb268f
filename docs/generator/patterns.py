"""The patterns that people want most, for the page on patterns."""

from __future__ import annotations

from functools import cache

from generator.markdown import code, table
from urlharness.patterns.export import ExportedPattern, export_pattern
from urlharness.patterns.flavours import FLAVOUR_NAMES, FLAVOURS, CannotSay, FlavourName
from urlharness.wording import rfc
from urloracle.rfcs import SPECIFICATIONS

_DASH = "\N{EN DASH}"
#: The RFCs and rules, the newest RFC first.
_WANTED = (
    ("rfc3986", "URI"),
    ("rfc3986", "URI-reference"),
    ("rfc3986", "absolute-URI"),
    ("rfc3986", "host"),
    ("rfc3986", "IPv6address"),
    ("rfc3986", "IPv4address"),
    ("rfc3987", "IRI"),
    ("rfc2732", "IPv6reference"),
    ("rfc2396", "URI-reference"),
    ("rfc1738", "httpurl"),
)
#: The flavour in which the page shows the patterns.
_SHOWN: FlavourName = "ecmascript"


@cache
def _exported(spec: str, rule: str, flavour: FlavourName) -> ExportedPattern:
    return export_pattern(SPECIFICATIONS[spec], rule, flavour)


def lengths() -> str:
    """Return a table of the lengths of the patterns in each flavour."""
    rows = []
    for spec, rule in _WANTED:
        lengths_of_rule = [_length(spec, rule, flavour) for flavour in FLAVOUR_NAMES]
        rows.append([rfc(spec), code(rule), *lengths_of_rule])
    columns = ["RFC", "rule", *(f"#{flavour}" for flavour in FLAVOUR_NAMES)]
    return f"\n{table(columns, rows)}"


def _length(spec: str, rule: str, flavour: FlavourName) -> str:
    """Return the length of a pattern in a flavour, or a dash if the flavour cannot say it."""
    try:
        return f"{_exported(spec, rule, flavour).length:,}"
    except CannotSay:
        return _DASH


def flavours() -> str:
    """Return a table of the flavours: how they begin and end, and how they are used."""
    rows = []
    for flavour in FLAVOURS.values():
        names = code(flavour.named.format("host")) if flavour.named else _DASH
        if flavour.has_groups and not flavour.named:
            names = "numbers"
        complexity = "backtracking" if flavour.backtracks else "linear"
        rows.append(
            [code(flavour.name), f"{code(flavour.begin)} {code(flavour.end)}", names, complexity, flavour.use]
        )
    return f"\n{table(['flavour', 'anchors', 'groups', 'complexity', 'use'], rows)}"


def wanted() -> str:
    """Return the patterns, each below its rule."""
    parts = []
    for spec, rule in _WANTED:
        exported = _exported(spec, rule, _SHOWN)
        heading = f"### {rule} of {rfc(spec)}"
        origin = f"Section {exported.section}; {exported.length:,} characters; {exported.complexity}."
        parts.append(f"\n{heading}\n\n{origin}\n\n```text\n{exported.pattern}\n```\n")
    return f"\n{''.join(parts)}"
