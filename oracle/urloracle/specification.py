"""The class `Specification`: an RFC as data, and what follows from its grammar.

The module `rfcs` contains the instances.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Literal

from urloracle.algorithms import Algorithms, Rules
from urloracle.automata.dfa import Automaton, determinize, difference, minimize, union
from urloracle.automata.positions import position_automaton
from urloracle.errors import InvalidURL, SyntaxFault, check_texts, refusal
from urloracle.errors import Unsupported as Unsupported  # noqa: PLC0414 - for users who import it from here
from urloracle.grammar.alphabet import ASCII, character_set
from urloracle.grammar.expression import (
    Alternation,
    Characters,
    Reference,
    Repetition,
    Sequence,
    literal,
    references,
)
from urloracle.grammar.grammar import Grammar, load
from urloracle.language import Language, Languages
from urloracle.readers import Reader, open_reader
from urloracle.rfc.components import Reading
from urloracle.rfc.resolution import Resolution, Resolver, with_alternatives

Profile = Literal["scheme-specific", "generic", "prose"]
PROFILES: tuple[Profile, ...] = ("scheme-specific", "generic", "prose")
#: The operations that some RFC does not define, and what an RFC without one does not define.
_UNDEFINED = {
    "resolve": "relative references",
    "base": "relative references",
    "normalize": "normalization",
    "equivalent": "equivalence",
    "extract": "URLs in text",
    "to_uri": "the mapping of IRIs to URIs",
    "to_iri": "the conversion of URIs to IRIs",
}


@dataclass(frozen=True, eq=False)
class Specification:
    """An RFC as data: its grammar, its profiles, and its place among the other RFCs.

    - `id`, `title`: its name for programs, such as "rfc3986", and its name for people
    - `default_rule`: the rule for whole URLs
    - `files`: the grammar files
    - `algorithms`: the functions that implement what the RFC says apart from its grammar
    - `sections`: maps each operation that the RFC defines to the section that defines it
    - `instead`: maps an operation that the RFC does not define to what it defines instead
    - `obsoletes`, `updates`: the identifiers of the RFCs that it replaces, and that it changes
    - `prose_files`: the files that profile `prose` adds, with conditions that the RFC states in words (G-06)
    - `whole`: the lower-case names of the rules that can be split; if empty, `Algorithms.split` decides
    - `by_scheme`: the rule with an alternative for each scheme
    - `unknown_scheme`: the rule for every scheme without an alternative in `by_scheme` (R-1738-01)
    - `absolute`: the rule for references with a scheme
    """

    id: str
    title: str
    default_rule: str
    files: tuple[str, ...]
    algorithms: Algorithms
    sections: Mapping[str, str] = field(default_factory=dict)
    instead: Mapping[str, str] = field(default_factory=dict)
    obsoletes: tuple[str, ...] = ()
    updates: tuple[str, ...] = ()
    prose_files: tuple[str, ...] = ()
    whole: frozenset[str] = frozenset()
    by_scheme: str | None = None
    unknown_scheme: str = ""
    absolute: str | None = None

    def __repr__(self) -> str:
        return f"<{self.title}>"

    def defines(self, operation: str) -> bool:
        """Return True if the RFC defines an operation, such as "resolve" or "normalize"."""
        return operation in self.sections

    def unsupported(self, operation: str) -> Unsupported:
        """Return the error for an operation that the RFC does not define."""
        instead = f", {self.instead[operation]}" if operation in self.instead else ""
        return Unsupported(f"{self.title} does not define {_UNDEFINED[operation]}{instead}")

    @cached_property
    def grammar(self) -> Grammar:
        """The rules of the RFC."""
        return load(*self.files)

    @cached_property
    def languages(self) -> Languages:
        """The languages of the rules."""
        return Languages(self.grammar)

    @cached_property
    def rules(self) -> Rules:
        """The rules and titles of the RFC that its algorithms read."""
        return Rules(
            spec=self.id,
            title=self.title,
            default_rule=self.default_rule,
            languages=self.languages,
            schemes=self.schemes,
            absolute=self.absolute or self.default_rule,
            # these functions are looked up when an algorithm needs one, because to compile them takes long
            read=lambda text: self.read(text),  # noqa: PLW0108
            parse=self.parse,
            refusal=self.refusal,
            resolve=lambda base, reference, note=None, /: self.resolve(base, reference, note),
        )

    @cached_property
    def reader(self) -> Reader:
        """The reader of whole URLs, of the C engine or in Python."""
        rule = self.unknown_scheme or self.default_rule
        return open_reader(self.algorithms, self.rules, rule, self._deciding_language)

    def _deciding_language(self, text: str) -> Language:
        return self.languages[self.judging_rule(text)]

    @cached_property
    def read(self) -> Callable[[str], Any]:
        """A function that returns the components of a whole URL, or None if the URL is invalid."""
        return self.reader.read

    @cached_property
    def view(self) -> Callable[[str], Any]:
        """A function that returns a view of the components of a whole URL, or None if the URL is invalid."""
        return self.reader.view

    @cached_property
    def accepts(self) -> Callable[[str], bool]:
        """A function that returns True if a text is valid under the default rule and the default profile."""
        return self.reader.accepts

    @cached_property
    def resolve(self) -> Resolver:
        """The function that resolves references.  Raise Unsupported if the RFC has no relative references."""
        if self.algorithms.resolver is None:
            raise self.unsupported("resolve")
        return self.reader.resolve

    def asdict(self, parts: Any) -> dict[str, Any]:
        """Return the components of a tuple of `parse` under the names of the RFC."""
        return self.algorithms.asdict(parts)

    def readings(self, parts: Any) -> tuple[Reading, ...]:
        """Return the other admissible splits of a text, whose components are `parts`, with their rulings."""
        return self.algorithms.readings(parts, self.rules)

    def resolve_all(self, base: str, reference: str) -> Resolution:
        """Resolve a reference, and add to `also` the results that `Algorithms.other_bases` yields.

        These are the results of refusing or of normalizing the base.
        """
        check_texts(base, reference)
        resolution = self.resolve(base, reference)
        if self.algorithms.other_bases is None:
            return resolution
        return with_alternatives(resolution, self.algorithms.other_bases(base, reference, self.rules))

    @cached_property
    def _prose(self) -> Languages:
        """The languages of the rules with the conditions that the RFC states in words."""
        return Languages(load(*self.files, *self.prose_files)) if self.prose_files else self.languages

    @cached_property
    def schemes(self) -> Mapping[str, str]:
        """A mapping from each scheme that has a rule of its own to this rule, such as {"http": "httpurl"}."""
        if self.by_scheme is None:
            return {}
        schemes = {}
        for rule in references(self.grammar[self.by_scheme]):
            scheme, colon, _ = self.grammar.literal_prefix(Reference(rule)).partition(":")
            if colon:  # the rule for all other schemes begins with no certain scheme
                schemes[scheme] = rule
        return schemes

    def default_profile(self, rule: str | None = None) -> Profile:
        """Return the default profile: scheme-specific for the rule `by_scheme` (R-1738-01), else generic."""
        name = (rule or self.default_rule).lower()
        return "scheme-specific" if name == (self.by_scheme or "").lower() else "generic"

    def judging_rule(self, text: str, rule: str | None = None, profile: Profile | None = None) -> str:
        """Return the rule that decides whether a text is valid.

        If `rule` is `by_scheme` and the profile is not generic, this is the rule of the text's scheme.
        Otherwise it is `rule` itself (default: `default_rule`).
        """
        name = rule or self.default_rule
        if not self._is_judged_by_scheme(name, profile):
            return name
        scheme, colon, _ = text.partition(":")
        if not colon:
            return self.unknown_scheme
        return self.schemes.get(scheme.lower(), self.unknown_scheme)

    def splitting_rule(self, text: str, rule: str | None = None) -> str:
        """Return the rule that splits a valid text.

        If `rule` is `by_scheme`, this is the rule of the text's scheme, or `unknown_scheme` if there is no
        such rule or it does not derive the text.  Otherwise it is `rule` itself (default: `default_rule`).
        """
        name = rule or self.default_rule
        if self.by_scheme is None or name.lower() != self.by_scheme.lower():
            return name
        scheme = text.partition(":")[0]
        scheme_rule = self.schemes.get(scheme.lower())
        if scheme_rule is None or not self.languages[scheme_rule].accepts(text):
            return self.unknown_scheme
        return scheme_rule

    def parse(self, text: str, rule: str | None = None, profile: Profile | None = None) -> Any:
        """Return the components of a text.

        Raise InvalidURL if the text is invalid, and Unsupported if the rule has no components.
        """
        if rule is None and profile is None:
            check_texts(text)
            parts = self.read(text)
            if parts is None:
                raise self.refusal(text)
            return parts
        problem = self.problem(text, rule, profile)
        if problem is not None:
            raise problem
        if self.whole and rule is not None and rule.lower() not in self.whole:
            raise Unsupported(f"{self.title} has no components for {rule}")
        if self.algorithms.split is None:
            parts = self.read(text)
        else:
            parts = self.algorithms.split(text, self.splitting_rule(text, rule), self.languages)
        if parts is None:
            raise Unsupported(f"{self.title} has no components for {rule}")
        return parts

    def language(self, rule: str, profile: Profile | None = None) -> Language:
        """Return the language of a rule.  Raise UnknownRule if there is no such rule."""
        return (self._prose if profile == "prose" else self.languages)[rule]

    def refusal(self, text: str, rule: str | None = None) -> InvalidURL:
        """Return the error of a text that the caller knows to be invalid.

        Raise TypeError if the text is not a str.
        """
        check_texts(text)
        name = self._default_name if rule is None else self.grammar.canonical_name(rule)
        return refusal(text, self.id, name, self._fault)

    def problem(
        self, text: str, rule: str | None = None, profile: Profile | None = None
    ) -> InvalidURL | None:
        """Return the error of a text, or None if it is valid.  Raise UnknownRule if there is no such rule."""
        check_texts(text)
        _check_profile(profile)
        name = self.grammar.canonical_name(rule or self.default_rule)
        if self._excludes_known_schemes(name, profile):
            valid = self._urls_of_unknown_schemes.accepts(text)
        else:
            valid = self.language(self.judging_rule(text, name, profile), profile).accepts(text)
        if valid:
            return None
        return refusal(text, self.id, name, partial(self._fault, profile=profile))

    def _fault(self, text: str, name: str, profile: Profile | None = None) -> SyntaxFault:
        """Return where and why the text is invalid."""
        language = self.language(self.judging_rule(text, name, profile), profile)
        if self._excludes_known_schemes(name, profile):
            # this automaton has no rules, so they come from the language that includes known schemes
            position, state = self._urls_of_unknown_schemes.longest_viable_prefix(text)
            _, continuation = language.viable_prefix(text[:position])
            expected = character_set(self._urls_of_unknown_schemes.allowed(state))
        else:
            position, continuation = language.viable_prefix(text)
            expected = continuation.allowed
        rules = continuation.rules
        if name not in rules:
            rules = (name, *rules)
        cited_rule = continuation.cited
        if profile == "prose" and position < len(text):
            cited_rule = self._class_without(text[position]) or cited_rule
        return SyntaxFault(position, expected, rules, language.grammar.section(cited_rule))

    def _class_without(self, character: str) -> str | None:
        """Return a rule for single characters that the RFC forbids this one in words, or None.

        The section of the rule in profile `prose` is that of these words.
        """
        for rule in self._narrowed_classes:
            if self.languages[rule].accepts(character) and not self._prose[rule].accepts(character):
                return rule
        return None

    @cached_property
    def _narrowed_classes(self) -> tuple[str, ...]:
        """The rules for single characters that have other characters in profile `prose`."""
        narrowed = []
        for rule in self.grammar:
            published = self.grammar.character_class(self.grammar[rule])
            if published is not None and self._prose.grammar[rule] != self.grammar[rule]:
                narrowed.append(rule)
        return tuple(narrowed)

    @cached_property
    def _default_name(self) -> str:
        """The default rule, as the RFC prints its name."""
        return self.grammar.canonical_name(self.default_rule)

    def automaton(self, rule: str, profile: Profile | None = None) -> Automaton:
        """Return the minimal automaton of a rule.

        If the rule is `by_scheme` and the profile is not generic, this is the union over all schemes.
        """
        _check_profile(profile)
        if self._excludes_known_schemes(rule, profile):
            return self._urls_of_unknown_schemes
        if not self._is_judged_by_scheme(rule, profile):
            return self.language(rule, profile).automaton
        if profile not in self._unions:
            automaton = self._urls_of_unknown_schemes
            for scheme_rule in self.schemes.values():
                automaton = union(automaton, self.language(scheme_rule, profile).automaton)
            self._unions[profile] = minimize(automaton)
        return self._unions[profile]

    @cached_property
    def _unions(self) -> dict[Profile | None, Automaton]:
        """The unions over all schemes that were asked for, by profile."""
        return {}

    def _is_judged_by_scheme(self, rule: str, profile: Profile | None) -> bool:
        """Return True if texts are checked against the rule of their scheme instead of this rule."""
        if self.by_scheme is None or rule.lower() != self.by_scheme.lower():
            return False
        return (profile or self.default_profile(rule)) != "generic"

    def _excludes_known_schemes(self, rule: str, profile: Profile | None) -> bool:
        """Return True if the rule is the one for unknown schemes and the profile excludes known schemes.

        The profiles `scheme-specific` and `prose` exclude schemes with a rule of their own (R-1738-01).
        """
        return rule.lower() == self._rule_for_other_schemes and profile in ("scheme-specific", "prose")

    @cached_property
    def _rule_for_other_schemes(self) -> str | None:
        """The lower-case name of the alternative of `by_scheme` that is not the rule of a scheme.

        None if no schemes have rules of their own.
        """
        if self.by_scheme is None:
            return None
        claimed = set(self.schemes.values())
        return next(rule.lower() for rule in references(self.grammar[self.by_scheme]) if rule not in claimed)

    @cached_property
    def _urls_of_unknown_schemes(self) -> Automaton:
        """The automaton of the generic URLs whose scheme has no rule of its own."""
        schemes = Alternation(tuple(literal(f"{scheme}:", fold_case=True) for scheme in self.schemes))
        claimed = Sequence((schemes, Repetition(Characters(frozenset(ASCII)), 0, None)))
        reserved, _ = determinize(position_automaton(self.grammar, claimed))
        return minimize(difference(self.languages[self.unknown_scheme].automaton, reserved))


def _check_profile(profile: str | None) -> None:
    if profile is not None and profile not in PROFILES:
        raise ValueError(f"no profile {profile!r}; choose from {', '.join(PROFILES)}")
