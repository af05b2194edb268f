"""Kinds of generated texts: valid, invalid, near misses, boundaries, covers, mutations, pairs to resolve.

The way a text is made gives its label, and a second way checks the label before the text is yielded. The `re`
pattern of the rule checks the verdict. A valid word with the same beginning, and the automaton of the error
messages, check the offset. A wrong label raises WrongLabel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain, starmap
from random import Random
from typing import Any, NamedTuple, TypeVar

import msgspec

from urlharness.corpus.specifications import facts
from urlharness.generate.tiers.labels import Label
from urlharness.generate.tiers.resolution import gains_an_authority, label_pair
from urlharness.text import plain
from urlharness.words.boundary import boundaries
from urlharness.words.cover import Cover, cover
from urlharness.words.mutation import Broken, Edit, Mutator
from urlharness.words.paths import Paths
from urlharness.words.sampling import Sampler, Weigh, below, explored, numbers
from urlharness.words.shards import SIZE
from urlharness.words.weights import Weights, by_class, by_rule
from urloracle.automata.dfa import ASCII, Automaton, determinize, minimize, product
from urloracle.automata.positions import position_automaton
from urloracle.grammar import expression
from urloracle.language import Language
from urloracle.specification import Specification

_T = TypeVar("_T")

#: In pairs to resolve, a dot or a slash is this many times likelier than any other class of characters.
_DOTS = 6

#: A word has about this many near misses.
_CLASSES = 16


class RequestError(ValueError):
    """A request that cannot be met: no such RFC, rule, length, scheme or weights; the message says why."""


class WrongLabel(Exception):
    """Two ways to find the label of a text disagree, so one of them is wrong."""


class Sample(msgspec.Struct, frozen=True, omit_defaults=True):
    """A text with its label, and the edit that made it.

    If the text is invalid, `offset` is that of the first character that cannot continue a valid text, or the
    length of the text. `class_` is the class of this character, or None at the end of the text. `broken` is
    the innermost rule that contains all characters that are valid there. `difference` is the class of
    difference that the text shows, if one was requested. `answers` maps each RFC to its answer, if the
    answers were requested.
    """

    text: str
    valid: bool
    offset: int | None = None
    broken: str | None = None
    class_: str | None = msgspec.field(name="class", default=None)
    edit: Edit | None = None
    difference: str | None = None
    answers: Mapping[str, Any] | None = None

    @property
    def key(self) -> str:
        """The text, which differs from that of every other sample of the kind."""
        return self.text


class Pair(NamedTuple):
    """A base, a reference, and the label of the result. `difference` and `answers` are as in `Sample`."""

    base: str
    reference: str
    label: Label
    difference: str | None = None
    answers: Mapping[str, Any] | None = None

    @property
    def key(self) -> tuple[str, str]:
        """Base and reference, which differ from those of every other pair of the kind."""
        return self.base, self.reference


@dataclass(frozen=True)
class Source:
    """The texts or pairs of a kind. The same one may come more than once, and a draw may give None.

    First come the texts of `first`. Then shards are drawn until they only repeat known texts. Last come the
    texts of `every`, which are all texts of the kind.
    """

    first: Callable[[Random], Iterable[Sample | Pair]] = lambda _: ()
    shard: Callable[[Random], Iterator[Sample | Pair | None]] | None = None
    every: Iterable[Sample | Pair] = ()


class _Judge:
    """Checks labels without the minimal automaton of the rule."""

    def __init__(self, spec: Specification, rule: str) -> None:
        self._spec, self._rule = spec, rule
        #: Functions that return the language that decides about a text, and a true value if its pattern
        #: matches the text.
        self._language: Callable[[str], Language]
        self.derives: Callable[[str], object]
        if spec.default_profile(rule) == "scheme-specific":
            languages = {name: spec.language(name) for name in (*spec.schemes.values(), spec.unknown_scheme)}
            self._language = lambda text: languages[spec.judging_rule(text, rule)]
            self.derives = lambda text: self._language(text).pattern.regex.fullmatch(text)
        else:
            language = spec.language(rule)
            self._language = lambda _: language
            self.derives = language.pattern.regex.fullmatch

    def valid(self, text: str, edit: Edit | None = None) -> Sample:
        """Return the sample of a valid text. Raise WrongLabel if the pattern does not match."""
        if not self.derives(text):
            self._disagree(text, "the automaton accepts, the pattern does not match")
        return Sample(text, True, edit=edit)

    def invalid(self, found: Broken, suffix: str, edit: Edit | None = None) -> Sample:
        """Return the sample of an invalid text. Raise WrongLabel if a check of the label fails.

        `suffix` makes a valid text of the characters before the error.
        """
        text, offset, kind, _, _ = found
        language = self._language(text)
        if language.pattern.regex.fullmatch(text):
            self._disagree(text, "the automaton refuses, the pattern matches")
        if not self.derives(text[:offset] + suffix):
            self._disagree(text, f"nothing shows that the first {offset} characters begin a valid text")
        position, continuation = language.viable(text)
        if position != offset:
            self._disagree(text, f"the offsets are {offset} and {position}")
        return Sample(text, False, offset, continuation.innermost, kind, edit)

    def _disagree(self, text: str, why: str) -> None:
        raise WrongLabel(f"{self._spec.id} {self._rule}: wrong label of {plain(text)!r}: {why}")


class Generator:
    """Generates texts for one rule.

    The words that are drawn have a length in `lengths` and, if one is given, the `scheme`. `weights` change
    the default weights of characters. If `uniform`, all words of a length are equally likely. If `explore`,
    each of the first words takes a transition of the automaton that no word before took, until all
    transitions are taken.
    """

    def __init__(
        self,
        spec: Specification,
        rule: str,
        lengths: range,
        *,
        scheme: str | None = None,
        uniform: bool = False,
        weights: Weights | None = None,
        explore: bool = False,
    ) -> None:
        self.spec = spec
        self.rule = spec.grammar.canonical_name(rule)
        self.lengths = lengths
        self._scheme, self._uniform, self._weights, self._explore = scheme, uniform, weights, explore
        self._judge = _Judge(spec, self.rule)
        #: The automaton of the rule, and the mutator of its words.
        self.whole = spec.automaton(self.rule)
        self.mutator = Mutator(self.whole)

    def valid(self) -> Source:
        """Return valid texts. Raise RequestError if there is none."""
        sampler, valid = self.sampler, self._judge.valid
        return Source(
            lambda random: map(valid, self._first_words(random)),
            lambda random: map(valid, sampler.shard(random, SIZE)),
            map(valid, sampler.words()),
        )

    def invalid(self) -> Source:
        """Return texts that one edit makes from valid texts. Raise RequestError if there is no valid text."""
        sampler, breaks = self.sampler, self.mutator.breaks

        def shard(random: Random) -> Iterator[Sample | None]:
            lengths = sampler.draw_lengths(random, SIZE)
            drawn, edits = numbers(random, sum(lengths)), numbers(random, 2 * SIZE)
            words = sampler.words_of(random, lengths, drawn)
            broken = map(self.mutator.broken, words, edits[::2], edits[1::2])
            return map(self._fitting, broken)

        return Source(
            lambda random: self._present(breaks(word, random) for word in self._first_words(random)),
            shard,
            self._present(chain.from_iterable(map(self.mutator.all_breaks, sampler.words()))),
        )

    def near_misses(self, *, drawn: bool) -> Source:
        """Return prefixes of words that end too early, or with a character that is forbidden there.

        First come the near misses of a shortest prefix to each state. If `drawn`, they are in random order,
        and those of random prefixes follow. Raise RequestError if there is no word.
        """
        sampler, near = self.sampler, self.mutator.near_misses

        def shard(random: Random) -> Iterator[Sample | None]:
            for word in sampler.shard(random, SIZE // _CLASSES):
                yield from map(self._fitting, near(word[: below(random, len(word) + 1)]))

        first = chain.from_iterable(map(near, Paths(self._words).prefixes.values()))
        if not drawn:
            return Source(lambda _: self._present(first))
        every = (one for word in sampler.words() for end in range(len(word) + 1) for one in near(word[:end]))
        return Source(lambda random: self._present(_shuffled(first, random)), shard, self._present(every))

    def boundaries(self, *, drawn: bool = False) -> Source:
        """Return texts with boundary lengths, boundary numbers and empty components, valid or not.

        If `drawn`, they are in random order.
        """
        every = boundaries(self._words, max(self.lengths, default=0))
        texts = (text for text in every if len(text) in self.lengths)
        return Source(lambda random: map(self.label, _shuffled(texts, random) if drawn else texts))

    @cached_property
    def cover(self) -> Cover:
        """A small set of words that take every transition, and a lower bound for the size of such a set."""
        return cover(self._words)

    def covering(self) -> Source:
        """Return the words of `cover`."""
        return Source(lambda _: map(self._judge.valid, self.cover.words))

    def mutations(self, texts: Iterable[str]) -> Source:
        """Return the given texts, and then mutations of the valid ones: broken by one edit, or spliced."""
        kept = [self.label(text) for text in texts]
        words = [sample.text for sample in kept if sample.valid]

        def mutation(random: Random) -> Sample | None:
            word = words[below(random, len(words))]
            if random.getrandbits(1):
                spliced = self.mutator.splice(word, words[below(random, len(words))], random)
                return spliced and self._judge.valid(*spliced)
            broken = self.mutator.breaks(word, random)
            return broken and self._check(broken, broken.edit)

        def every() -> Iterator[Sample]:
            for broken in chain.from_iterable(map(self.mutator.all_breaks, words)):
                yield self._check(broken, broken.edit)
            for word in words:
                for other in words:
                    yield from starmap(self._judge.valid, self.mutator.all_splices(word, other))

        if not words:
            return Source(lambda _: kept)
        return Source(lambda _: kept, lambda random: (mutation(random) for _ in range(SIZE)), every())

    def label(self, text: str) -> Sample:
        """Return the sample of any text, valid or not."""
        length, state = self.whole.longest_viable_prefix(text)
        if length == len(text) and state in self.whole.accepting:
            return self._judge.valid(text)
        kind = self.mutator.class_of(text[length]) if length < len(text) else None
        return self._check(Broken(text, length, kind, state, Edit("replace", length)))

    def _first_words(self, random: Random) -> Iterator[str]:
        return explored(self._automaton, self.sampler, random) if self._explore else iter(())

    def _present(self, found: Iterable[Broken | None]) -> Iterator[Sample]:
        return (sample for sample in map(self._fitting, found) if sample is not None)

    def _fitting(self, broken: Broken | None) -> Sample | None:
        """Return the sample of an invalid text, or None if there is no text with a length in `lengths`."""
        if broken is None or len(broken.text) not in self.lengths:
            return None
        return self._check(broken, broken.edit)

    def _check(self, broken: Broken, edit: Edit | None = None) -> Sample:
        return self._judge.invalid(broken, self._paths.suffixes.get(broken.state, ""), edit)

    @cached_property
    def _paths(self) -> Paths:
        return Paths(self.whole)

    @cached_property
    def _words(self) -> Automaton:
        """The automaton of the words to draw."""
        return with_scheme(self.whole, self.spec, self._scheme)

    @cached_property
    def sampler(self) -> Sampler:
        """The sampler that draws words. Raise RequestError if there is no word.

        Raise UnknownRule or WeightsError if the weights do not fit the grammar.
        """
        self._automaton, weigh = self._weighed()
        sampler = Sampler(self._automaton, self.lengths, weigh)
        if not sampler.lengths:
            raise _no_text(
                self.spec, self.rule, self.lengths, self._scheme, weighted=self._weights is not None
            )
        return sampler

    def _weighed(self) -> tuple[Automaton, Weigh | None]:
        weights = self._weights or Weights()
        if self._uniform or not (weights.rules or weights.alternatives):
            return self._words, None if self._uniform else by_class(self._words, weights.characters)
        if self.spec.default_profile(self.rule) == "scheme-specific":
            raise RequestError(f"{self.spec.id} {self.rule}: weights of rules need the rule of one scheme")
        within = scheme_automaton(self.spec, self._scheme) if self._scheme else None
        return by_rule(self.spec.grammar, self.rule, weights, within)


def scheme_automaton(spec: Specification, scheme: str) -> Automaton:
    """Return the automaton of all ASCII texts that begin with a scheme, in any case, and a colon.

    Raise RequestError if the scheme is not ASCII.
    """
    if not scheme.isascii():
        raise RequestError(f"{plain(scheme)!r} is not a scheme")
    prefix = expression.literal(f"{scheme}:", fold_case=True)
    anything = expression.Repetition(expression.Characters(frozenset(ASCII)), 0, None)
    return determinize(position_automaton(spec.grammar, expression.Sequence((prefix, anything))))[0]


def with_scheme(automaton: Automaton, spec: Specification, scheme: str | None) -> Automaton:
    """Return the automaton of the words that begin with a scheme, or of all words if there is no scheme."""
    if scheme is None:
        return automaton
    return minimize(product(automaton, scheme_automaton(spec, scheme), lambda one, other: one and other))


def _no_text(
    spec: Specification, rule: str, lengths: range, scheme: str | None, *, weighted: bool = False
) -> RequestError:
    asked = [f"scheme {plain(scheme)}"] if scheme else []
    asked += ["these weights"] if weighted else []
    text = f"valid text with {' and '.join(asked)}" if asked else "valid text"
    return RequestError(f"{spec.id} {rule}: no {text} has a length from {lengths[0]} to {lengths[-1]}")


def _shuffled(items: Iterable[_T], random: Random) -> list[_T]:
    """Return the items in random order, each order equally likely."""
    found = list(items)
    for last in range(len(found) - 1, 0, -1):
        at = below(random, last + 1)
        found[at], found[last] = found[last], found[at]
    return found


def resolutions(spec: Specification, lengths: range, scheme: str | None = None) -> Source:
    """Return pairs of a base, which has the scheme if one is given, and a reference.

    Raise RequestError if the RFC does not define references, or if no base or reference has such a length.
    """
    if not spec.defines("resolve"):
        raise RequestError(f"{spec.title} does not define relative references")
    samplers = []
    for rule, prefix in ((spec.absolute or spec.default_rule, scheme), (spec.default_rule, None)):
        automaton = with_scheme(spec.automaton(rule), spec, prefix)
        samplers.append(Sampler(automaton, lengths, by_class(automaton, _dots(automaton))))
        if not samplers[-1].lengths:
            raise _no_text(spec, rule, lengths, prefix)
    bases, references = samplers
    pair = partial(labelled_pair, spec)
    return Source(
        shard=lambda random: map(pair, bases.shard(random, SIZE), references.shard(random, SIZE)),
        every=(pair(base, reference) for base in bases.words() for reference in references.words()),
    )


def _dots(automaton: Automaton) -> dict[str, Fraction]:
    kinds = automaton.classes
    return {char: Fraction(_DOTS * [*kinds.values()].count(kinds[char])) for char in "./"}


def labelled_pair(spec: Specification, base: str, reference: str) -> Pair:
    """Return a pair with its label. Raise WrongLabel if the label is wrong."""
    return _checked(spec, Pair(base, reference, label_pair(spec, base, reference)))


def _checked(spec: Specification, pair: Pair) -> Pair:
    """Return the pair. Raise WrongLabel if the result is invalid, or if it resolves to a different text.

    RFC 3986, section 5.2.2, removes dot segments from a result, but a reference without a path keeps those of
    the base. A path that begins with two slashes after the removal reads as an authority (section 3.3), so
    such a result is not checked.
    """
    result = pair.label.expect.alternatives[0].result
    if not isinstance(result, str) or gains_an_authority(pair.base, pair.reference, result):
        return pair
    where = f"{spec.id}: wrong result of {plain(pair.base)!r} and {plain(pair.reference)!r}"
    if not spec.languages[spec.default_rule].pattern.regex.fullmatch(result):
        raise WrongLabel(f"{where}: the pattern does not match {plain(result)!r}")
    reads_path = pair.reference.partition("#")[0].partition("?")[0]
    if facts(spec.id).removes_dots and reads_path and spec.resolve(pair.base, result).text != result:
        raise WrongLabel(f"{where}: {plain(result)!r} resolves to something else")
    return pair
