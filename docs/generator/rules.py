"""One page for each RFC: its rules by section, with production, size of the automaton, and vectors."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cached_property
from importlib import resources
from itertools import groupby

from generator.corpus import Vector, natural, vectors
from generator.markdown import code, count, link, slug, table
from generator.productions import Production, productions
from generator.rulings import places
from generator.sizes import Size, shortest, size, words
from urloracle.automata.dfa import Automaton
from urloracle.grammar.expression import references
from urloracle.rfcs import RFC2396, SPECIFICATIONS
from urloracle.specification import PROFILES, Profile, Specification

_GRAMMARS = "../../oracle/urloracle/grammars"
_VECTORS = "../../vectors/urlvectors"
_RULINGS = "../rulings.md"

_READ = """
A minimal automaton is counted without its sink and the transitions that lead there. A class is a set of
characters that the automaton treats alike; characters that no member contains have no class. **Ask** counts
the vectors that validate a text against the rule, **Refuse** counts those of them that expect a refusal.
**Open** counts the vectors that ask another rule and list this rule in `rules` at the error.
"""
_PROFILES: dict[Profile, str] = {
    "scheme-specific": "a known scheme must match its own rule",
    "generic": "the grammar alone",
    "prose": "the grammar with the conditions that only the prose states",
}


def pages(specs: Iterable[Specification] = tuple(SPECIFICATIONS.values())) -> dict[str, str]:
    """Return the pages by path below the folder of the documentation."""
    return {f"rules/{spec.id}.md": _Page(spec).text() for spec in specs}


class _Page:
    """The page of one specification."""

    def __init__(self, spec: Specification) -> None:
        self.spec = spec
        *self.older, own_file = spec.files
        self.own = productions(own_file)
        self.names = {production.name.lower() for production in self.own}
        self.titles = _titles(spec.id)
        self.automata: dict[tuple[str, Profile | None], Automaton] = {}
        self.asked = _by_rule(vector for vector in vectors() if vector.spec == spec.id)

    @cached_property
    def prose(self) -> list[Production]:
        """The productions that the prose of the RFC adds."""
        return [production for file in self.spec.prose_files for production in productions(file)]

    def _automaton(self, rule: str, profile: Profile | None = None) -> Automaton:
        key = rule.lower(), profile
        if key not in self.automata:
            self.automata[key] = self.spec.automaton(rule, profile)
        return self.automata[key]

    def text(self) -> str:
        """Return the whole page."""
        parts = [self._head(), self._contents()]
        for section, group in groupby(self._in_sections(), key=lambda production: production.section):
            parts.append(f"\n## {self._title(section)}\n")
            parts += [self._entry(production) for production in group]
        if self.older:
            parts.append(self._inherited())
        if self.prose:
            parts.append(self._overlay())
        return "".join(parts)

    def _in_sections(self) -> list[Production]:
        return sorted(self.own, key=lambda production: natural(production.section))

    def _title(self, section: str) -> str:
        title = self.titles.get(section)
        return f"{section} {title}" if title else f"Section {section}"

    def _head(self) -> str:
        spec = self.spec
        files = [*spec.files, *spec.prose_files]
        listed = " and ".join(link(file, f"{_GRAMMARS}/{file}") for file in files)
        states = [self._size(rule).states for rule in spec.grammar]
        corrected = sum(bool(production.ruling) for production in self.own)
        profiles = [profile for profile in PROFILES if self._has(profile)]
        rows = [
            (code(profile), _PROFILES[profile], *map(str, size(self._automaton(spec.default_rule, profile))))
            for profile in profiles
        ]
        asking = sum(len(group) for group in self.asked.values())
        return (
            f"# The rules of {spec.title}\n\n"
            f"Made by `python docs/make.py` from {listed}.\n\n"
            f"{count(len(states), 'rule')}, {corrected} of them corrected; their minimal automata have "
            f"{min(states)} to {max(states)} states, {sum(states):,} in all. "
            f"{count(asking, 'vector')} {'asks' if asking == 1 else 'ask'} them one by one. "
            f"The start rule is {self._rule(spec.default_rule)}, "
            f"by default with profile {code(spec.default_profile())}:\n\n"
            + table(("Profile", "What counts", "#States", "#Classes", "#Transitions"), rows)
            + _READ
        )

    def _has(self, profile: Profile) -> bool:
        match profile:
            case "generic":
                return True
            case "prose":
                return bool(self.spec.prose_files)
            case _:
                return self.spec.by_scheme is not None

    def _contents(self) -> str:
        rows = []
        for section, group in groupby(self._in_sections(), key=lambda production: production.section):
            title = link(self._title(section), f"#{slug(self._title(section))}")
            for number, production in enumerate(group):
                rows.append((title if number == 0 else "", *self._row(production.name)))
        columns = ("Section", "Rule", "#States", "#Classes", "#Transitions", "#Ask", "#Refuse")
        chapters = [link("Rules of RFC 2396", "#rules-of-rfc-2396")] if self.older else []
        chapters += [link("Profile prose", "#profile-prose")] if self.prose else []
        below = f"\nBelow: {', '.join(chapters)}.\n" if chapters else ""
        return f"\n## Contents\n\n{table(columns, rows)}{below}"

    def _row(self, rule: str) -> tuple[str, ...]:
        asking = self.asked.get(rule.lower(), [])
        refusing = [vector for vector in asking if vector.refusals]
        return (self._rule(rule), *map(str, self._size(rule)), str(len(asking)), str(len(refusing)))

    def _rule(self, rule: str) -> str:
        """Return a link to the entry of a rule, on the page of the RFC that defines it."""
        name = self.spec.grammar.canonical_name(rule)
        page = "" if rule.lower() in self.names else "rfc2396.md"
        return link(code(name), f"{page}#{slug(name)}")

    def _size(self, rule: str) -> Size:
        return size(self._automaton(rule))

    def _entry(self, production: Production) -> str:
        rule = production.name
        automaton = self._automaton(rule)
        parts = [f"\n### {rule}\n\n", _fenced(production.text)]
        if production.ruling:
            parts.append(f"\nIn print ({_ruling(production.ruling)}):\n\n{_fenced(production.published)}")
        parts.append(f"\n{size(automaton)} · shortest {shortest(automaton)} · {words(automaton)}  \n")
        by_scheme = self._automaton(rule, "scheme-specific") if self.spec.by_scheme else automaton
        if by_scheme != automaton:
            parts.append(f"Profile `scheme-specific`: {size(by_scheme)}  \n")
        letter = self.spec.languages[rule].automaton
        if letter != automaton:
            parts.append(f"Profile `generic`: {size(letter)}  \n")
        parts.append(self._neighbours(rule))
        parts.append(self._asking(rule))
        return "".join(parts)

    def _neighbours(self, rule: str) -> str:
        grammar = self.spec.grammar
        inside = dict.fromkeys(map(grammar.canonical_name, references(grammar[rule])))
        around = [name for name in grammar if rule.lower() in map(str.lower, references(grammar[name]))]
        parts = []
        if inside:
            parts.append(f"Refers to {', '.join(map(self._rule, inside))}")
        parts.append(f"In {', '.join(map(self._rule, around))}" if around else "No rule refers to it")
        return f"{' · '.join(parts)}\n"

    def _asking(self, rule: str) -> str:
        folded = rule.lower()
        asking = self.asked.get(folded, [])
        elsewhere = (vector for name, group in self.asked.items() if name != folded for vector in group)
        inside = [vector for vector in elsewhere if _names(vector, folded)]
        parts = [f"\nAsk: {_files(asking)}\n" if asking else "\nNo vector asks it.\n"]
        if inside:
            parts.append(f"\nOpen: {_files(inside)}\n")
        if refusing := [vector for vector in asking if vector.refusals]:
            title = f"{len(refusing)} of {len(asking)} refuse"
            parts.append(f"\n<details><summary>{title}</summary>\n\n{_listed(refusing)}\n</details>\n")
        return "".join(parts)

    def _inherited(self) -> str:
        """Return the rules of the older RFC: first those whose language differs here, then the others."""
        before = RFC2396.languages
        rows, same = [], []
        for rule in self.spec.grammar:
            if rule.lower() in self.names:
                continue
            was = before[rule].automaton
            if was == self._automaton(rule):
                same.append(rule)
            else:
                rows.append((*self._row(rule)[:4], str(size(was).states), *self._row(rule)[4:]))
        columns = ("Rule", "#States", "#Classes", "#Transitions", "#States in RFC 2396", "#Ask", "#Refuse")
        asking = sum(len(self.asked.get(rule.lower(), ())) for rule in same)
        return (
            "\n## Rules of RFC 2396\n\n"
            "These rules refer, also indirectly, to a changed rule, so their languages differ.\n\n"
            + table(columns, rows)
            + f"\nThe other {len(same)} are unchanged ({count(asking, 'vector')} ask them here): "
            + f"{', '.join(map(self._rule, same))}.\n"
        )

    def _overlay(self) -> str:
        """Return what the prose of the RFC adds to the grammar."""
        grammar = self.spec.language(self.spec.default_rule, "prose").grammar
        added = {production.name.lower() for production in self.prose}
        touched = [
            (
                self._rule(rule),
                str(size(self._automaton(rule)).states),
                *map(str, size(self._automaton(rule, "prose"))),
            )
            for rule in self.spec.grammar
            if grammar.reachable(rule) & added
        ]
        parts = [
            "\n## Profile prose\n\n",
            "Conditions that the prose states and the grammar lacks. They change the language of ",
            f"{count(len(touched), 'rule')}.\n\n",
            table(("Rule", "#States without them", "#States", "#Classes", "#Transitions"), touched),
        ]
        for production in self.prose:
            automaton = self.spec.language(production.name, "prose").automaton
            parts.append(f"\n### {production.name} (profile prose)\n\n{_fenced(production.text)}")
            if production.ruling:
                parts.append(
                    f"\nIn the grammar ({_ruling(production.ruling)}):\n\n{_fenced(production.published)}"
                )
            parts.append(
                f"\nSection {production.section} · {size(automaton)} · shortest {shortest(automaton)} · "
                f"{words(automaton)}\n"
            )
        return "".join(parts)


def _titles(spec: str) -> dict[str, str]:
    """Return the headings of the sections of an RFC."""
    path = resources.files("urlvectors") / "paragraphs.json"
    sections = json.loads(path.read_text(encoding="utf-8"))[spec]
    return {section: content["title"] for section, content in sections.items()}


def _by_rule(all_vectors: Iterable[Vector]) -> dict[str, list[Vector]]:
    """Map the lower-case name of each rule to the vectors that validate a text against it."""
    by_rule: dict[str, list[Vector]] = {}
    for vector in all_vectors:
        if vector.fields["op"] == "validate":
            by_rule.setdefault(vector.fields["rule"].lower(), []).append(vector)
    return by_rule


def _names(vector: Vector, folded: str) -> bool:
    """Return True if a refusal of the vector lists the rule in `rules`."""
    return any(folded == rule.lower() for answer in vector.refusals for rule in answer.get("rules", ()))


def _files(group: Sequence[Vector]) -> str:
    """Return the number of vectors, in all and in each file."""
    by_file: dict[str, int] = {}
    for vector in group:
        by_file[vector.file] = by_file.get(vector.file, 0) + 1
    places = [f"{_file(file)} {number}" for file, number in by_file.items()]
    return f"{len(group)} · {', '.join(places)}"


def _listed(vectors_in_order: Sequence[Vector]) -> str:
    """Return the vectors by file, as a list."""
    lines = []
    for file, group in groupby(vectors_in_order, key=lambda vector: vector.file):
        ids = ", ".join(code(vector.id) for vector in group)
        lines.append(f"- {_file(file)}: {ids}\n")
    return "".join(lines)


def _file(file: str) -> str:
    return link(file.partition("/")[2].removesuffix(".json"), f"{_VECTORS}/{file}")


def _ruling(ruling: str) -> str:
    return link(ruling, f"{_RULINGS}#{places()[ruling]}")


def _fenced(text: str) -> str:
    return f"```text\n{text}\n```\n"
