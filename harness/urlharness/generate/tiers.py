"""The generated tiers as streams of cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, get_args

from urlharness.corpus.model import Case, Hex, Requirement, Spec, Text, Vector
from urlharness.corpus.selection import Tier
from urlharness.generate.hsi import EVERY, suite
from urlharness.generate.labels import Label, Labeller, rule_table
from urlharness.generate.resolution import answers
from urlharness.generate.split_cover import split_cover
from urloracle.rfcs import specification

# -------------------- generate.tiers: The generated tiers as streams of cases: every rule of a scheme and every start rule, and resolution.


TIERS: tuple[Tier, ...] = get_args(Tier)


_URI_2396 = ("URI-reference", "absoluteURI", "relativeURI")


#: The rules of the suites: those of the ten schemes, and those that a whole text may be asked for.
RULES: Mapping[Spec, tuple[str, ...]] = {
    "rfc1738": (
        "ftpurl", "httpurl", "gopherurl", "mailtourl", "newsurl", "nntpurl", "telneturl", "waisurl",
        "fileurl", "prosperourl",
    ),
    "rfc1808": ("URL", "absoluteURL", "relativeURL"),
    "rfc2396": _URI_2396,
    "rfc2732": _URI_2396,
    "rfc3986": ("URI-reference", "URI", "absolute-URI", "relative-ref"),
}  # fmt: skip


#: The section that tells how references are resolved; RFC 1738 has none, and RFC 2732 leaves it to RFC 2396.
_RESOLUTION: Mapping[Spec, str] = {"rfc1808": "4", "rfc2396": "5.2", "rfc2732": "3", "rfc3986": "5.2"}


class Part(NamedTuple):
    """One stream of a tier: the cases of one rule; in the tier of resolution, of an RFC."""

    tier: Tier
    spec: Spec
    rule: str | None = None

    @property
    def name(self) -> str:
        """The name of the part; the ids of its cases are this and a number."""
        return f"{self.tier}-{self.spec}" + ("" if self.rule is None else f"-{self.rule}")


class UnknownPart(ValueError):
    """A tier, an RFC in it, or a rule of it that does not exist."""


def parts(tier: Tier, spec: str | None = None, rule: str | None = None) -> list[Part]:
    """The parts of a tier in the order of the RFCs, or those of one RFC or rule; raises UnknownPart."""
    if tier == "resolution":
        found = [Part(tier, one) for one in _RESOLUTION]
    else:
        found = [Part(tier, one, name) for one, names in RULES.items() for name in names]
    folded = rule.lower() if rule is not None else None
    found = [part for part in found if spec in (None, part.spec)]
    found = [part for part in found if folded in (None, (part.rule or "").lower())]
    if not found:
        what = " ".join(filter(None, (spec, rule)))
        raise UnknownPart(f"tier {tier} has nothing for {what}")
    return found


def part_of(identifier: str) -> Part | None:
    """The part that a case of this id belongs to, None where there is none."""
    name, _, number = identifier.rpartition("-")
    found = (part for tier in TIERS for part in parts(tier) if number.isdigit() and part.name == name)
    return next(found, None)


def words(part: Part) -> Iterator[str]:
    """The texts of a part that has a rule, each once; octets stand as `surrogateescape` writes them.

    First those of the suite, then those that take the transitions of the split table and are not in it.
    """
    assert part.rule is not None  # resolution has pairs of texts
    automaton = specification(part.spec).automaton(part.rule)
    every = part.tier == "bytes"
    table = rule_table(specification(part.spec), part.rule)
    cover = dict.fromkeys(split_cover(table, automaton, every_character=every))
    for word in suite(automaton, int(part.tier == "k1"), alphabet=EVERY if every else None):
        cover.pop(word, None)
        yield word
    yield from cover


def cases(part: Part) -> Iterator[Case]:
    """The cases of a part: of each text whether it is valid and of each valid one its components, or of each
    pair of base and reference the result.
    """
    stated = requirement(part)
    found = _resolutions(part) if part.rule is None else _texts(part, part.rule)
    for number, (asked, answer) in enumerate(found, 1):
        vector = Vector(
            id=f"{part.name}-{number:06}",
            requirement=stated.id,
            level=stated.level,
            expect=answer.expect,
            binding=answer.binding,
            ruling=answer.ruling,
            **asked,
        )
        yield Case(part.spec, stated.section, vector, part.name)


def requirement(part: Part) -> Requirement:
    """The statement that the cases of a part test, with the section that makes it."""
    if part.rule is None:
        section = _RESOLUTION[part.spec]
        statement = "A reference is resolved against a base as the section says."
        identifier = f"{part.spec}-{section}-resolution"
        return Requirement(identifier, section, 0, "", "algorithm", statement)
    section = specification(part.spec).grammar.section(part.rule)
    statement = f"The rule {part.rule} derives the text or does not, and gives it its components."
    return Requirement(f"{part.spec}-{section}-{part.rule}", section, 0, "", "grammar", statement)


def _texts(part: Part, rule: str) -> Iterator[tuple[dict[str, Any], Label]]:
    labeller = Labeller(specification(part.spec), rule)
    for word in words(part):
        text = _text(word)
        verdict, components = labeller.labels(word)
        yield {"op": "validate", "rule": rule, "url": text}, verdict
        if components is not None:
            yield {"op": "parse", "rule": rule, "url": text}, components


def _resolutions(part: Part) -> Iterator[tuple[dict[str, Any], Label]]:
    for base, reference, answer in answers(specification(part.spec)):
        yield {"op": "resolve", "base": base, "reference": reference}, answer


def _text(word: str) -> Text:
    """A word as the corpus has it: text, or hex digits where it holds octets that are no UTF-8."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return Hex(word.encode("utf-8", "surrogateescape").hex())
    return word
