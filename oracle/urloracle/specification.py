"""The class `Specification`: an RFC with its grammar, its profiles and its algorithms.

The module `rfcs` contains the instances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Literal

from urloracle import native
from urloracle.automata.dfa import ASCII, Automaton, determinize, difference, minimize, union
from urloracle.automata.positions import position_automaton
from urloracle.errors import Diagnosis, InvalidURL, refusal
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
from urloracle.rfc.base import Base, Layers
from urloracle.rfc.components import Reading
from urloracle.rfc.equivalence import Equivalence
from urloracle.rfc.extraction import Extract
from urloracle.rfc.normalization import AdmittedVariants, Mode
from urloracle.rfc.resolution import (
    Alternative,
    Resolution,
    Resolver,
    distinct,
    excess_rfc2396,
    with_alternatives,
)

Profile = Literal["scheme-specific", "generic", "prose"]
# creates a named tuple three times as fast as a call of its class
_new = tuple.__new__
PROFILES: tuple[Profile, ...] = ("scheme-specific", "generic", "prose")


class Unsupported(ValueError):
    """The RFC does not define the operation.  For example, RFC 1738 does not define resolution."""


@dataclass(frozen=True, eq=False)
class Specification:
    """An RFC with its grammar, its profiles, and the functions that implement its algorithms.

    - `files`: the grammar files
    - `prose_files`: the files that profile `prose` adds, with conditions that the RFC states in words (G-06)
    - `whole`: the lower-case names of the rules that can be split; if empty, `split` decides
    - `by_scheme`: the rule with an alternative for each scheme
    - `unknown_scheme`: the rule for every scheme without an alternative in `by_scheme` (R-1738-01)
    - `kinds`: maps each rule that the C engine splits to the class of the resulting tuple
    - `steps`: the name of the resolution algorithm of the C engine
    - `absolute`: the rule for references with a scheme

    The other fields are functions.  A function is None if the RFC does not define its operation.
    """

    id: str
    title: str
    default_rule: str
    files: tuple[str, ...]
    reader: Callable[[Specification], Callable[[str], Any]]
    kinds: Mapping[str, type[tuple[Any, ...]]]
    asdict: Callable[[Any], dict[str, Any]]
    recompose: Callable[[Mapping[str, Any], Languages], list[str]]
    prose_files: tuple[str, ...] = ()
    split: Callable[[str, str, Languages], Any] | None = None
    whole: frozenset[str] = frozenset()
    by_scheme: str | None = None
    unknown_scheme: str = ""
    resolver: Callable[[Specification], Resolver] | None = None
    steps: str = ""
    other_bases: Callable[[Specification, str, str], Iterable[Alternative]] | None = None
    normalize: Callable[[Any, Mode, Grammar], str] | None = None
    variants: AdmittedVariants | None = None
    readings: Callable[[Any], tuple[Reading, ...]] = field(default=lambda _: ())
    absolute: str | None = None
    extract: Callable[[Specification, str], list[Extract]] | None = None
    compare: Callable[[Specification, str, str, Mode], Equivalence] | None = None
    base: Callable[[Specification, Layers], Base] | None = None
    _unions: dict[Profile | None, Automaton] = field(default_factory=dict, init=False)

    def __repr__(self) -> str:
        return f"<{self.title}>"

    @cached_property
    def grammar(self) -> Grammar:
        """The rules of the RFC."""
        return load(*self.files)

    @cached_property
    def languages(self) -> Languages:
        """The languages of the rules."""
        return Languages(self.grammar)

    @cached_property
    def read(self) -> Callable[[str], Any]:
        """A function that returns the components of a whole URL, or None if the URL is invalid."""
        return self._reader.read  # type: ignore[no-any-return]

    @cached_property
    def view(self) -> Callable[[str], Any]:
        """A function that returns a view of the components of a whole URL, or None if the URL is invalid."""
        return self._reader.view  # type: ignore[no-any-return]

    @cached_property
    def accepts(self) -> Callable[[str], bool]:
        """A function that returns True if a text is valid under the default rule and the default profile."""
        return self._reader.accepts  # type: ignore[no-any-return]

    @cached_property
    def resolve(self) -> Resolver:
        """The function that resolves references.  Raise Unsupported if the RFC has no relative references."""
        if self.resolver is None:
            raise Unsupported(f"{self.title} does not define relative references")
        return self._reader.resolve  # type: ignore[no-any-return]

    @cached_property
    def _reader(self) -> Any:
        """The reader of whole URLs: a reader of the C engine if the engine is used, else a `_PureReader`."""
        pure = _PureReader(self)
        rules = {**self.schemes, "": self.unknown_scheme or self.default_rule}
        found = native.url_reader(self.grammar, rules, self.kinds, pure, Resolution, self.steps)
        return found or pure

    def resolve_all(self, base: str, reference: str) -> Resolution:
        """Resolve a reference, and add to `also` the results that `other_bases` yields.

        These are the results of refusing or of normalizing the base.
        """
        check_texts(base, reference)
        found = self.resolve(base, reference)
        if self.other_bases is None:
            return found
        return with_alternatives(found, self.other_bases(self, base, reference))

    @cached_property
    def _prose(self) -> Languages:
        return Languages(load(*self.files, *self.prose_files)) if self.prose_files else self.languages

    @cached_property
    def schemes(self) -> Mapping[str, str]:
        """A mapping from each scheme to its rule, such as {"http": "httpurl"}."""
        rules = references(self.grammar[self.by_scheme]) if self.by_scheme else ()
        prefixes = ((rule, self.grammar.literal_prefix(Reference(rule))) for rule in rules)
        return {prefix.partition(":")[0]: rule for rule, prefix in prefixes if ":" in prefix}

    def default_profile(self, rule: str | None = None) -> Profile:
        """Return the default profile: scheme-specific for the rule `by_scheme` (R-1738-01), else generic."""
        asked = (rule or self.default_rule).lower()
        return "scheme-specific" if asked == (self.by_scheme or "").lower() else "generic"

    def judging_rule(self, text: str, rule: str | None = None, profile: Profile | None = None) -> str:
        """Return the rule that decides whether a text is valid.

        If `rule` is `by_scheme` and the profile is not generic, this is the rule of the text's scheme.
        Otherwise it is `rule` itself (default: `default_rule`).
        """
        asked = rule or self.default_rule
        if not self._by_scheme(asked, profile):
            return asked
        scheme, colon, _ = text.partition(":")
        return self.schemes.get(scheme.lower() if colon else "", self.unknown_scheme)

    def splitting_rule(self, text: str, rule: str | None = None) -> str:
        """Return the rule that splits a valid text.

        If `rule` is `by_scheme`, this is the rule of the text's scheme, or `unknown_scheme` if there is no
        such rule or it does not derive the text.  Otherwise it is `rule` itself (default: `default_rule`).
        """
        asked = rule or self.default_rule
        if self.by_scheme is None or asked.lower() != self.by_scheme.lower():
            return asked
        own = self.schemes.get(text.partition(":")[0].lower())
        return own if own and self.languages[own].accepts(text) else self.unknown_scheme

    def parse(self, text: str, rule: str | None = None, profile: Profile | None = None) -> Any:
        """Return the components of a text.

        Raise InvalidURL if the text is invalid, and Unsupported if the rule has no components.
        """
        if rule is None and profile is None:
            try:
                parts = self.read(text)
            except TypeError:
                check_texts(text)
                raise
            if parts is None:
                raise self.refusal(text)
            return parts
        problem = self.problem(text, rule, profile)
        if problem is not None:
            raise problem
        if self.whole and rule is not None and rule.lower() not in self.whole:
            raise Unsupported(f"{self.title} has no components for {rule}")
        if self.split is None:
            parts = self.read(text)
        else:
            parts = self.split(text, self.splitting_rule(text, rule), self.languages)
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
        asked = self._default_name if rule is None else self.grammar.canonical_name(rule)
        return refusal(text, self.id, asked, self._fault)

    def problem(
        self, text: str, rule: str | None = None, profile: Profile | None = None
    ) -> InvalidURL | None:
        """Return the error of a text, or None if it is valid.  Raise UnknownRule if there is no such rule."""
        check_texts(text)
        _check_profile(profile)
        asked = self.grammar.canonical_name(rule or self.default_rule)
        if self._is_other(asked, profile):
            valid = self._unclaimed.accepts(text)
        else:
            valid = self.language(self.judging_rule(text, asked, profile), profile).accepts(text)
        if valid:
            return None
        return refusal(text, self.id, asked, partial(self._fault, profile=profile))

    def _fault(self, text: str, asked: str, profile: Profile | None = None) -> Diagnosis:
        """Return where and why the text is invalid."""
        language = self.language(self.judging_rule(text, asked, profile), profile)
        if self._is_other(asked, profile):
            position, state = self._unclaimed.longest_viable_prefix(text)
            _, (_, rules, innermost) = language.viable(text[:position])
            expected = self._unclaimed.allowed(state)
        else:
            position, (expected, rules, innermost) = language.viable(text)
        if asked not in rules:
            rules = (asked, *rules)
        return Diagnosis(position, expected, rules, language.grammar.section(innermost))

    @cached_property
    def _default_name(self) -> str:
        return self.grammar.canonical_name(self.default_rule)

    def automaton(self, rule: str, profile: Profile | None = None) -> Automaton:
        """Return the minimal automaton of a rule.

        If the rule is `by_scheme` and the profile is not generic, this is the union over all schemes.
        """
        _check_profile(profile)
        if self._is_other(rule, profile):
            return self._unclaimed
        if not self._by_scheme(rule, profile):
            return self.language(rule, profile).automaton
        if profile not in self._unions:
            result = self._unclaimed
            for own in self.schemes.values():
                result = union(result, self.language(own, profile).automaton)
            self._unions[profile] = minimize(result)
        return self._unions[profile]

    def _by_scheme(self, rule: str, profile: Profile | None) -> bool:
        """Return True if texts are checked against the rule of their scheme instead of this rule."""
        named = self.by_scheme is not None and rule.lower() == self.by_scheme.lower()
        return named and (profile or self.default_profile(rule)) != "generic"

    def _is_other(self, rule: str, profile: Profile | None) -> bool:
        """Return True if the rule is the one for unknown schemes and the profile excludes known schemes.

        The profiles `scheme-specific` and `prose` exclude schemes with a rule of their own (R-1738-01).
        """
        return rule.lower() == self._other_rule and profile in ("scheme-specific", "prose")

    @cached_property
    def _other_rule(self) -> str | None:
        if self.by_scheme is None:
            return None
        known = set(self.schemes.values())
        return next(rule.lower() for rule in references(self.grammar[self.by_scheme]) if rule not in known)

    @cached_property
    def _unclaimed(self) -> Automaton:
        """The automaton of the generic URLs whose scheme has no rule of its own."""
        schemes = Alternation(tuple(literal(f"{scheme}:", fold_case=True) for scheme in self.schemes))
        claimed = Sequence((schemes, Repetition(Characters(frozenset(ASCII)), 0, None)))
        reserved, _ = determinize(position_automaton(self.grammar, claimed))
        return minimize(difference(self.languages[self.unknown_scheme].automaton, reserved))


class _PureReader:
    """A reader of whole URLs in Python, with the same methods as a reader of the C engine."""

    def __init__(self, spec: Specification) -> None:
        self._spec = spec

    @cached_property
    def read(self) -> Callable[[str], Any]:
        return self._spec.reader(self._spec)

    @cached_property
    def resolve(self) -> Resolver:
        assert self._spec.resolver is not None
        return self._spec.resolver(self._spec)

    def view(self, text: str) -> Any:
        return native.pure_view(self.read(text))

    def accepts(self, text: object) -> bool:
        return isinstance(text, str) and self._language(text).accepts(text)

    def alternatives(self, text: str, within: str | None, literal: str | None) -> Resolution:
        """Return a resolution with its alternatives; the C engine calls this method.

        `text` is the recommended target.  `within` is the target without the leading `..` segments, which RFC
        2396, section 5.2, step 6g leaves to choice.  `literal` is the target if an empty base path is taken
        literally.  Each of them is None if there is no such alternative.
        """
        also = () if within is None else excess_rfc2396(within)
        if literal is not None:
            ruling = "R-1808-13" if self._spec.steps == "rfc1808" else "R-2396-17"
            also = distinct(text, (*also, _new(Alternative, (literal, "literal", ruling))))
        return _new(Resolution, (text, also, False))

    def offset(self, text: str) -> int:
        return self._language(text).viable(text)[0]

    def _language(self, text: str) -> Language:
        return self._spec.languages[self._spec.judging_rule(text)]


def check_texts(*texts: object) -> None:
    """Raise TypeError if one of the texts is not a str."""
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f"the text must be a str, not {type(text).__name__}") from None


def _check_profile(profile: str | None) -> None:
    if profile is not None and profile not in PROFILES:
        raise ValueError(f"no profile {profile!r}; choose from {', '.join(PROFILES)}")
