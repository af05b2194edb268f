"""A reader of grammars and a recogniser without automata: sets of the places where a rule can end.

The grammar files were typed from the RFCs, with the corrections that the rulings name; nothing here or in the
files comes from `urloracle`.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

GRAMMARS = Path(__file__).with_name("grammars")

#: The files of each RFC; a rule of a later file replaces one of the same name.
FILES = {
    "rfc1738": ("rfc1738.bnf",),
    "rfc1808": ("rfc1808.bnf",),
    "rfc2396": ("rfc2396.bnf",),
    "rfc2732": ("rfc2396.bnf", "rfc2732.bnf"),
    "rfc3986": ("rfc3986.abnf",),
}

#: Rules that only these files have.
HELPERS = {"rfc1738": {"folded-scheme"}, "rfc1808": {"lwsp"}, "rfc2732": {"group"}}

#: The rules of whole texts of RFC 1738, by scheme (section 5).
SCHEMES = {
    scheme: f"{scheme}url"
    for scheme in (
        *("ftp", "file", "http", "gopher", "mailto"),
        *("news", "nntp", "telnet", "wais", "prospero"),
    )
}

#: Texts of rules that algorithms treat in a way of their own.
SAMPLES = {
    "scheme": (*SCHEMES, "HTTP", "http", "File"),
    "host": ("localhost", "LocalHost", "h", "a.B"),
    "hostnumber": ("255.255.255.255", "1.2.3.4", "1000.0.1.00"),
    "ipv4address": ("255.255.255.255", "1.2.3.4", "999.99.9.100"),
    "ipv6address": ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1:2:3:4:5:6:1.2.3.4", "::"),
    "dec-octet": ("9", "99", "199", "249", "255"),
    "port": ("", "80", "21", "0080", "1525"),
    "segment": (".", "..", "", "%2e", "%2E."),
    "segment-nz": (".", ".."),
    "segment-nz-nc": (".", ".."),
    "fsegment": (".", ".."),
    "rel_segment": (".", ".."),
}


class Node(NamedTuple):
    """A piece of a grammar: `one` of some characters, a `name`, a `row`, a `choice`, or repeated `times`."""

    kind: str
    value: object
    parts: tuple[Node, ...] = ()


class Verdict(NamedTuple):
    """A text's validity, and the offset of the first character with which no valid text continues.

    The offset is None for a valid text, and the length for one that ends too early.
    """

    valid: bool
    at: int | None


_TOKEN = re.compile(
    r"""(?P<comment>;[^\n]*)|(?P<text>(?:%i)?"[^"\n]*"|<">)|%x(?P<code>[0-9A-F]+(?:-[0-9A-F]+)?)
    |(?P<name>[A-Za-z][\w+-]*)(?P<head>\s*=)?|(?P<times>\d*\*\d*|\d+)|(?P<mark>[\[\]()|/])|\s+""",
    re.VERBOSE,
)


def _read(file: str) -> dict[str, Node]:
    """Return the rules of a grammar file under their names in lower case."""
    text = (GRAMMARS / file).read_text(encoding="utf-8")
    bodies: dict[str, list[re.Match[str]]] = {}
    position = 0
    while position < len(text):
        token = _TOKEN.match(text, position)
        assert token is not None, text[position : position + 20]
        position = token.end()
        if token["head"]:
            current = bodies.setdefault(token["name"].lower(), [])
            assert not current, f"{token['name']} has two definitions"
        elif token.lastgroup and not token["comment"]:
            current.append(token)
    fold = file.endswith(".abnf")
    rules = {}
    for name, body in bodies.items():
        tokens = deque(body)
        rules[name] = _choice(tokens, fold)
        assert not tokens, f"{name}: {tokens[0][0]} is out of place"
    return rules


def _choice(tokens: deque[re.Match[str]], fold: bool) -> Node:
    """Take alternatives from the tokens, and return their node."""
    rows = [_row(tokens, fold)]
    while tokens and tokens[0]["mark"] in ("|", "/"):
        tokens.popleft()
        rows.append(_row(tokens, fold))
    return rows[0] if len(rows) == 1 else Node("choice", None, tuple(rows))


def _row(tokens: deque[re.Match[str]], fold: bool) -> Node:
    """Take a sequence of elements from the tokens, and return its node."""
    items = []
    while tokens and tokens[0]["mark"] not in ("|", "/", ")", "]"):
        items.append(_element(tokens, fold))
    assert items
    return items[0] if len(items) == 1 else Node("row", None, tuple(items))


def _element(tokens: deque[re.Match[str]], fold: bool) -> Node:
    """Take an element with its repetition from the tokens, and return its node."""
    times = tokens.popleft()["times"] if tokens[0]["times"] else None
    token = tokens.popleft()
    if token["mark"]:
        element = _choice(tokens, fold)
        assert tokens.popleft()[0] == {"(": ")", "[": "]"}[token[0]]
        if token[0] == "[" and (fold or not times):  # after a repetition brackets only group (G-01)
            element = Node("times", (0, 1), (element,))
    elif token["name"]:
        element = Node("name", token["name"].lower())
    elif token["code"]:
        low, _, high = token["code"].partition("-")
        element = Node("one", frozenset(map(chr, range(int(low, 16), int(high or low, 16) + 1))))
    else:
        element = _literal(token["text"], fold)
    if times is None:
        return element
    low, star, high = times.partition("*")
    return Node("times", (int(low or 0), (int(high) if high else None) if star else int(low)), (element,))


def _literal(token: str, fold: bool) -> Node:
    """Return the node of a quoted text, whose letters match in either case if `fold` says so."""
    text = '"' if token == '<">' else token.removeprefix("%i")[1:-1]  # G-04
    either = fold or token.startswith("%i")  # G-03
    letters = [Node("one", frozenset((char.lower(), char.upper()) if either else char)) for char in text]
    return letters[0] if len(letters) == 1 else Node("row", None, tuple(letters))


class Grammar:
    """The rules of an RFC."""

    def __init__(self, rules: Mapping[str, Node]) -> None:
        self._rules = dict(rules)
        for name, rule in self._rules.items():
            self._rules[name] = self._united(rule)
        self._memory: dict[tuple[int, int], frozenset[int]] = {}
        self._text, self._furthest = "", 0
        self._sampled: dict[str, list[str]] = {}

    @property
    def names(self) -> frozenset[str]:
        """The names of the rules, in lower case."""
        return frozenset(self._rules)

    def rule(self, name: str) -> Node:
        """Return the definition of a rule."""
        return self._rules[name]

    @property
    def classes(self) -> frozenset[str]:
        """The names of the rules for one character each."""
        return frozenset(name for name, rule in self._rules.items() if rule.kind == "one")

    def verdict(self, text: str, rule: str) -> Verdict:
        """If the rule derives the text, else the place of the first wrong character."""
        self._memory.clear()
        self._text, self._furthest = text, 0
        ends = self._ends(self._rules[rule.lower()], 0)
        # every rule derives something, so whatever has been tried at a place continues to a valid text
        return Verdict(True, None) if len(text) in ends else Verdict(False, self._furthest)

    def matches(self, text: str, rule: str) -> bool:
        """If the rule derives the text."""
        return self.verdict(text, rule).valid

    def _ends(self, node: Node, start: int) -> frozenset[int]:
        """Return every place where a derivation can end; note each first trial of a character."""
        key = (id(node), start)
        if key in self._memory:
            return self._memory[key]
        self._furthest = max(self._furthest, start)
        match node.kind:
            case "one":
                matched = start < len(self._text) and self._text[start] in node.value
                ends = frozenset((start + 1,)) if matched else frozenset()
            case "name":
                ends = self._ends(self._rules[node.value], start)
            case "choice":
                ends = frozenset().union(*(self._ends(part, start) for part in node.parts))
            case "row":
                ends = frozenset((start,))
                for part in node.parts:
                    ends = frozenset().union(*(self._ends(part, end) for end in ends))
            case "times":
                ends = self._repeated(node, start)
        self._furthest = max(self._furthest, *ends, 0)
        self._memory[key] = ends
        return ends

    def _repeated(self, node: Node, start: int) -> frozenset[int]:
        low, high = node.value
        (part,) = node.parts
        reached = set()
        now = {start}
        count = 0
        while now and (high is None or count <= high):
            if count >= low:
                now = now - reached
                reached |= now
            if count != high:
                now = {end for position in now for end in self._ends(part, position)}
            count += 1
        return frozenset(reached)

    def _united(self, node: Node) -> Node:
        """Return the node with alternatives of one character, and names of such rules, as one set."""
        parts = tuple(map(self._united, node.parts))
        if node.kind == "name":
            meant = self._united(self._rules[node.value])
            return meant if meant.kind == "one" else node
        if node.kind == "choice":
            single = [part.value for part in parts if part.kind == "one"]
            others = tuple(part for part in parts if part.kind != "one")
            united = (Node("one", frozenset().union(*single)),) if single else ()
            return united[0] if not others else Node("choice", None, united + others)
        return node._replace(parts=parts)

    def walk(self, random: Random, rule: str) -> str:
        """Return a random text of a rule; some walks repeat next to nothing, others much."""
        return self._walk(random, Node("name", rule.lower()), random.choice((0.2, 0.6, 0.75)))

    def _walk(self, random: Random, node: Node, again: float) -> str:
        match node.kind:
            case "one":
                return random.choice(_ordered(node.value))
            case "name":
                samples = self._samples(node.value)
                if samples and random.random() < 0.4:
                    return random.choice(samples)
                return self._walk(random, self._rules[node.value], again)
            case "choice":
                return self._walk(random, random.choice(node.parts), again)
            case "row":
                return "".join(self._walk(random, part, again) for part in node.parts)
        low, high = node.value
        count = low
        while count != high and random.random() < (0.5 if high == 1 else again):
            count += 1
        return "".join(self._walk(random, node.parts[0], again) for _ in range(count))

    def _samples(self, rule: str) -> list[str]:
        """Return the telling texts of a rule, of which random walks would take few."""
        if rule not in self._sampled:
            texts = SAMPLES.get(rule.removeprefix("folded-"), ())
            self._sampled[rule] = [text for text in texts if self.matches(text, rule)]
        return self._sampled[rule]


@cache
def _ordered(letters: frozenset[str]) -> str:
    """Return the characters in order, and once more those that delimit something."""
    return "".join(sorted(letters)) + 3 * "".join(sorted(letters & set(":/?#[]@;=.%")))


@cache
def grammar(spec: str) -> Grammar:
    """Return the grammar of an RFC."""
    rules: dict[str, Node] = {}
    for file in FILES[spec]:
        rules |= _read(file)
    return Grammar(rules)


def verdict(text: str, spec: str, rule: str, profile: str | None = None) -> Verdict:
    """Return the verdict on a text: on a `url` of RFC 1738 by the rule of its scheme (R-1738-01)."""
    form = SCHEMES.get(text.partition(":")[0].lower()) if ":" in text else None
    if spec != "rfc1738" or profile == "generic":
        return grammar(spec).verdict(text, rule)
    if rule.lower() == "url":
        return grammar(spec).verdict(text, form or "genericurl")
    if rule.lower() == "otherurl" and profile == "scheme-specific" and form:
        return Verdict(False, text.index(":"))  # until there it could be the scheme of another URL
    return grammar(spec).verdict(text, rule)
