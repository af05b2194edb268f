"""One page for each RFC: its rules by section, with production, size of the automaton, and vectors."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from importlib import resources
from itertools import groupby

from generator.corpus import Vector, natural, vectors
from generator.markdown import code, count, link, slug, table
from generator.productions import Production, productions
from generator.rulings import anchors_of_rulings
from generator.sizes import Size, shortest, size, words
from urloracle.automata.dfa import Automaton
from urloracle.grammar.expression import references
from urloracle.rfcs import RFC2396, SPECIFICATIONS
from urloracle.specification import PROFILES, Profile, Specification

_GRAMMARS = "../../oracle/urloracle/grammars"
_VECTORS = "../../vectors/urlvectors"
_RULINGS = "../rulings.md"

_LEGEND = """
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
    """The page of one specification.

    `older_files` are grammar files of an older RFC, which this one changes; `own` are the productions of the
    file of this RFC, `own_names` their lower-case names.  `vectors_by_rule` maps the lower-case name of a
    rule to the vectors that validate a text against it.
    """

    def __init__(self, spec: Specification) -> None:
        self.spec = spec
        *self.older_files, own_file = spec.files
        self.own = productions(own_file)
        self.own_names = {production.name.lower() for production in self.own}
        self.titles = _titles(spec.id)
        self.automata: dict[tuple[str, Profile | None], Automaton] = {}
        self.vectors_by_rule = _by_rule(vector for vector in vectors() if vector.spec == spec.id)

    @cached_property
    def prose(self) -> list[Production]:
        """The productions that the prose of the RFC adds."""
        added: list[Production] = []
        for file in self.spec.prose_files:
            added += productions(file)
        return added

    def _automaton(self, rule: str, profile: Profile | None = None) -> Automaton:
        key = (rule.lower(), profile)
        if key not in self.automata:
            self.automata[key] = self.spec.automaton(rule, profile)
        return self.automata[key]

    def text(self) -> str:
        """Return the whole page."""
        parts = [self._head(), self._contents()]
        for section, group in groupby(self._in_sections(), key=lambda production: production.section):
            parts.append(f"\n## {self._title(section)}\n")
            parts += [self._entry(production) for production in group]
        if self.older_files:
            parts.append(self._inherited_rules())
        if self.prose:
            parts.append(self._prose_profile())
        return "".join(parts)

    def _in_sections(self) -> list[Production]:
        return sorted(self.own, key=lambda production: natural(production.section))

    def _title(self, section: str) -> str:
        """Return the heading of a section: its number and, if it is known, its title."""
        title = self.titles.get(section)
        return f"{section} {title}" if title else f"Section {section}"

    def _head(self) -> str:
        """Return the title, the figures of the whole grammar, and the table of profiles."""
        spec = self.spec
        files = (link(file, f"{_GRAMMARS}/{file}") for file in (*spec.files, *spec.prose_files))
        states = [self._size(rule).states for rule in spec.grammar]
        rules = count(len(states), "rule")
        corrected = sum(bool(production.ruling) for production in self.own)
        asking = sum(map(len, self.vectors_by_rule.values()))
        ask = "asks" if asking == 1 else "ask"
        start_rule = self._rule(spec.default_rule)
        profile = code(spec.default_profile())
        return (
            f"# The rules of {spec.title}\n\n"
            f"Made by `python docs/make.py` from {' and '.join(files)}.\n\n"
            f"{rules}, {corrected} of them corrected; their minimal automata have "
            f"{min(states)} to {max(states)} states, {sum(states):,} in all. "
            f"{count(asking, 'vector')} {ask} them one by one. "
            f"The start rule is {start_rule}, by default with profile {profile}:\n\n"
            f"{self._profiles()}{_LEGEND}"
        )

    def _profiles(self) -> str:
        """Return a table of the profiles of the RFC, with the size of the start rule under each."""
        rows = []
        for profile in PROFILES:
            if self._has(profile):
                start_size = size(self._automaton(self.spec.default_rule, profile))
                rows.append((code(profile), _PROFILES[profile], *map(str, start_size)))
        return table(("Profile", "What counts", "#States", "#Classes", "#Transitions"), rows)

    def _has(self, profile: Profile) -> bool:
        match profile:
            case "generic":
                return True
            case "prose":
                return bool(self.spec.prose_files)
            case _:
                return self.spec.by_scheme is not None

    def _contents(self) -> str:
        """Return a table of the rules by section, and links to the chapters after the sections."""
        rows = []
        for section, group in groupby(self._in_sections(), key=lambda production: production.section):
            title = self._title(section)
            section_link = link(title, f"#{slug(title)}")
            for production in group:
                rows.append((section_link, *self._row(production.name)))
                section_link = ""  # only the first row of a section names it
        columns = ("Section", "Rule", "#States", "#Classes", "#Transitions", "#Ask", "#Refuse")
        chapters = []
        if self.older_files:
            chapters.append(link("Rules of RFC 2396", "#rules-of-rfc-2396"))
        if self.prose:
            chapters.append(link("Profile prose", "#profile-prose"))
        below = f"\nBelow: {', '.join(chapters)}.\n" if chapters else ""
        return f"\n## Contents\n\n{table(columns, rows)}{below}"

    def _row(self, rule: str) -> tuple[str, ...]:
        """Return the cells of a rule: its link, its size, and how many vectors ask it and refuse."""
        asking = self.vectors_by_rule.get(rule.lower(), [])
        refusing = sum(bool(vector.refusals) for vector in asking)
        return (self._rule(rule), *map(str, self._size(rule)), str(len(asking)), str(refusing))

    def _rule(self, rule: str) -> str:
        """Return a link to the entry of a rule, on the page of the RFC that defines it."""
        name = self.spec.grammar.canonical_name(rule)
        page = "" if rule.lower() in self.own_names else "rfc2396.md"
        return link(code(name), f"{page}#{slug(name)}")

    def _size(self, rule: str) -> Size:
        return size(self._automaton(rule))

    def _entry(self, production: Production) -> str:
        """Return the entry of a rule: production, size of its language, neighbours and vectors."""
        rule = production.name
        automaton = self._automaton(rule)
        parts = [f"\n### {rule}\n\n", _fenced(production.text)]
        if production.ruling:
            parts.append(f"\nIn print ({_ruling(production.ruling)}):\n\n{_fenced(production.published)}")
        parts.append(f"\n{_measures(automaton)}  \n")
        if self.spec.by_scheme:
            by_scheme = self._automaton(rule, "scheme-specific")
            if by_scheme != automaton:
                parts.append(f"Profile `scheme-specific`: {size(by_scheme)}  \n")
        generic = self.spec.languages[rule].automaton
        if generic != automaton:
            parts.append(f"Profile `generic`: {size(generic)}  \n")
        parts.append(self._neighbours(rule))
        parts.append(self._vectors(rule))
        return "".join(parts)

    def _neighbours(self, rule: str) -> str:
        """Return a line with the rules that a rule refers to, and those that refer to it."""
        grammar = self.spec.grammar
        inside = dict.fromkeys(map(grammar.canonical_name, references(grammar[rule])))
        folded = rule.lower()
        around = [name for name in grammar if folded in map(str.lower, references(grammar[name]))]
        parts = []
        if inside:
            parts.append(f"Refers to {', '.join(map(self._rule, inside))}")
        parts.append(f"In {', '.join(map(self._rule, around))}" if around else "No rule refers to it")
        return f"{' · '.join(parts)}\n"

    def _vectors(self, rule: str) -> str:
        """Return the vectors that ask a rule, those that list it at an error, and those that refuse."""
        folded = rule.lower()
        asking = self.vectors_by_rule.get(folded, [])
        listing: list[Vector] = []
        for name, group in self.vectors_by_rule.items():
            if name != folded:
                listing += [vector for vector in group if _lists_at_error(vector, folded)]
        parts = [f"\nAsk: {_files(asking)}\n" if asking else "\nNo vector asks it.\n"]
        if listing:
            parts.append(f"\nOpen: {_files(listing)}\n")
        refusing = [vector for vector in asking if vector.refusals]
        if refusing:
            title = f"{len(refusing)} of {len(asking)} refuse"
            parts.append(f"\n<details><summary>{title}</summary>\n\n{_listed(refusing)}\n</details>\n")
        return "".join(parts)

    def _inherited_rules(self) -> str:
        """Return the rules of RFC 2396: first those whose language differs here, then the others."""
        rows = []
        unchanged = []
        for rule in self.spec.grammar:
            if rule.lower() in self.own_names:
                continue
            automaton_2396 = RFC2396.languages[rule].automaton
            if automaton_2396 == self._automaton(rule):
                unchanged.append(rule)
                continue
            states_2396 = str(size(automaton_2396).states)
            name, states, classes, transitions, asking, refusing = self._row(rule)
            rows.append((name, states, classes, transitions, states_2396, asking, refusing))
        columns = ("Rule", "#States", "#Classes", "#Transitions", "#States in RFC 2396", "#Ask", "#Refuse")
        asking_unchanged = sum(len(self.vectors_by_rule.get(rule.lower(), ())) for rule in unchanged)
        return (
            "\n## Rules of RFC 2396\n\n"
            "These rules refer, also indirectly, to a changed rule, so their languages differ.\n\n"
            f"{table(columns, rows)}"
            f"\nThe other {len(unchanged)} are unchanged "
            f"({count(asking_unchanged, 'vector')} ask them here): "
            f"{', '.join(map(self._rule, unchanged))}.\n"
        )

    def _prose_profile(self) -> str:
        """Return what the prose of the RFC adds to the grammar."""
        grammar = self.spec.language(self.spec.default_rule, "prose").grammar
        added = {production.name.lower() for production in self.prose}
        rows = []
        for rule in self.spec.grammar:
            if grammar.reachable(rule) & added:
                states_without = str(self._size(rule).states)
                size_with = size(self._automaton(rule, "prose"))
                rows.append((self._rule(rule), states_without, *map(str, size_with)))
        parts = [
            "\n## Profile prose\n\n",
            "Conditions that the prose states and the grammar lacks. They change the language of ",
            f"{count(len(rows), 'rule')}.\n\n",
            table(("Rule", "#States without them", "#States", "#Classes", "#Transitions"), rows),
        ]
        for production in self.prose:
            automaton = self.spec.language(production.name, "prose").automaton
            parts.append(f"\n### {production.name} (profile prose)\n\n{_fenced(production.text)}")
            if production.ruling:
                ruling = _ruling(production.ruling)
                parts.append(f"\nIn the grammar ({ruling}):\n\n{_fenced(production.published)}")
            parts.append(f"\nSection {production.section} · {_measures(automaton)}\n")
        return "".join(parts)


def _measures(automaton: Automaton) -> str:
    """Return the size of an automaton, a shortest word, and the numbers of words."""
    return f"{size(automaton)} · shortest {shortest(automaton)} · {words(automaton)}"


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


def _lists_at_error(vector: Vector, folded: str) -> bool:
    """Return True if a refusal of the vector lists the rule with this lower-case name in `rules`."""
    return any(folded in map(str.lower, refusal.get("rules", ())) for refusal in vector.refusals)


def _files(group: Sequence[Vector]) -> str:
    """Return the number of vectors, in all and in each file."""
    numbers = Counter(vector.file for vector in group)
    in_files = [f"{_file_link(file)} {number}" for file, number in numbers.items()]
    return f"{len(group)} · {', '.join(in_files)}"


def _listed(vectors_in_order: Sequence[Vector]) -> str:
    """Return the vectors by file, as a list."""
    lines = []
    for file, group in groupby(vectors_in_order, key=lambda vector: vector.file):
        ids = ", ".join(code(vector.id) for vector in group)
        lines.append(f"- {_file_link(file)}: {ids}\n")
    return "".join(lines)


def _file_link(file: str) -> str:
    return link(file.partition("/")[2].removesuffix(".json"), f"{_VECTORS}/{file}")


def _ruling(ruling: str) -> str:
    return link(ruling, f"{_RULINGS}#{anchors_of_rulings()[ruling]}")


def _fenced(text: str) -> str:
    return f"```text\n{text}\n```\n"
