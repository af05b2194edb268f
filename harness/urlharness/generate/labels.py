"""The answer to a generated question: verdict and offset from the automaton, components from the split table.

The fast path, which reads texts by patterns, has no part in it.  Where a ruling leaves an answer open, the
expectation holds every admissible answer and the binding of the ruling; where it leaves single components to
the library, these are not asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import structs

from urlharness.corpus import Binding, Components, Expected
from urlharness.generate.readings import readings
from urloracle.automaton import Automaton
from urloracle.specification import Specification
from urloracle.splitting import SPLITTINGS
from urloracle.transducer import SplitTable, split_table

#: From what obliges most to what obliges least.
_ORDER: tuple[Binding, ...] = ("required", "literal-only", "permitted-set", "impl-defined", "unspecified")


class Label(NamedTuple):
    """What is expected, how far it obliges, and the ruling that leaves it open."""

    expect: Expected
    binding: Binding = "required"
    ruling: str | None = None


class Other(NamedTuple):
    """Another admissible answer."""

    expect: Expected
    binding: Binding
    ruling: str


VALID = Expected(valid=True)


def rule_table(spec: Specification, rule: str) -> SplitTable:
    """The split table of a rule; a rule that is part of the default rule shares its components."""
    return split_table(spec, rule if rule in SPLITTINGS[spec.id].components else spec.default_rule)


class Labeller:
    """Labels texts of one rule.

    Octets that are no UTF-8 stand in a text as `surrogateescape` writes them.
    """

    def __init__(self, spec: Specification, rule: str) -> None:
        self._spec = spec.id
        self._automaton = spec.automaton(rule)
        self._readings = tuple(readings(spec, rule))
        self._table = rule_table(spec, rule)

    def validate(self, text: str) -> Label:
        """The verdict, with the offset of the first character that no valid text continues with."""
        return self.labels(text)[0]

    def labels(self, text: str) -> tuple[Label, Label | None]:
        """The verdict, and the components of a valid text."""
        expect = _verdict(self._automaton, text)
        others = list(self._other_verdicts(text, expect))
        return label(expect, others), self._components(text, others) if expect is VALID else None

    def _components(self, text: str, verdicts: list[Other]) -> Label:
        parts = self._table.split(text)
        assert parts is not None  # the table splits every text of the rule
        found: Components = dict(zip(self._table.components, parts, strict=True))
        others = [other._replace(expect=_unplaced(other.expect)) for other in verdicts]
        match self._spec:
            case "rfc1738":
                others += _readings_rfc1738(found)
            case "rfc1808":
                others += _readings_rfc1808(found)
            case "rfc2396" | "rfc2732":
                others += _readings_rfc2396(found)
        return label(Expected(components=found), others)

    def _other_verdicts(self, text: str, ruled: Expected) -> Iterator[Other]:
        for reading, automaton in self._readings:
            expect = _verdict(automaton, text)
            if expect.valid != ruled.valid:
                named = structs.replace(expect, variant=reading.variant)
                yield Other(named, reading.binding, reading.ruling)


def _verdict(automaton: Automaton, text: str) -> Expected:
    length, state = automaton.longest_viable_prefix(text)
    if length == len(text) and state in automaton.accepting:
        return VALID
    return Expected(valid=False, at=length)


def _unplaced(expect: Expected) -> Expected:
    """A rejection without its offset, as an answer to the question for components."""
    return Expected(valid=False, variant=expect.variant)


def label(expect: Expected, others: Sequence[Other]) -> Label:
    """The label of an answer and of the others that are admissible: the freest of their bindings."""
    if not others:
        return Label(expect)
    freest = max(others, key=lambda other: _ORDER.index(other.binding))
    return Label(Expected(any=(expect, *(other.expect for other in others))), freest.binding, freest.ruling)


def _readings_rfc1738(found: Components) -> list[Other]:
    """The fields of prospero are told apart here; then what the rulings admit."""
    others = []
    if isinstance(fields := found.get("fieldspecs"), str):
        pairs = (field.partition("=") for field in fields.removeprefix(";").split(";"))
        found["fieldspecs"] = [(name, value) for name, _, value in pairs]
    if isinstance(path := found.get("fpath"), str) and "?" in path:
        before, _, query = path.partition("?")
        others.append(_also({**found, "fpath": before, "query": query}, "rfc1808", "R-1738-12"))
    if isinstance(kind := found.get("ftptype"), str) and kind.isupper():
        others.append(_also({**found, "ftptype": kind.lower()}, "folded", "R-1738-21"))
    if isinstance(kind := found.get("gtype"), str) and len(kind) > 1:
        rejected = Expected(valid=False, variant="single-character")
        others.append(Other(rejected, "impl-defined", "R-1738-20"))
    return others


def _readings_rfc1808(found: Components) -> list[Other]:
    """Section 2.4 does not tell empty components from absent ones (G-09)."""
    if not any(value == "" for name, value in found.items() if name != "path"):
        return []
    absent = {name: value if value or name == "path" else None for name, value in found.items()}
    return [_also(absent, "empty-as-absent", "G-09")]


def _readings_rfc2396(found: Components) -> list[Other]:
    """How a library divides an authority that is no server is its own affair (R-2396-11); an opaque part has
    a query or none (R-2396-04).
    """
    if found["authority"] is not None and found["host"] is None:
        for name in ("userinfo", "host", "port"):
            del found[name]
    path, query = found["path"], found["query"]
    assert isinstance(path, str)
    opaque = found["scheme"] is not None and found["authority"] is None and not path.startswith("/")
    if not opaque or query is None:
        return []
    whole = {**found, "path": f"{path}?{query}", "query": None}
    return [_also(whole, "opaque-whole", "R-2396-04", "impl-defined")]


def _also(found: Components, variant: str, ruling: str, binding: Binding = "permitted-set") -> Other:
    return Other(Expected(components=found, variant=variant), binding, ruling)
