"""Kinds of generated texts: valid, invalid, near misses, boundaries, covers, mutations, pairs to resolve.

The way a text is made gives its label, and a second way checks the label before the text is yielded. The `re`
pattern of the rule checks the verdict. A valid word with the same beginning, and the automaton of the error
messages, check the offset. A wrong label raises WrongLabel.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain, product, starmap
from operator import and_
from random import Random
from typing import Any, NamedTuple, NoReturn, TypeVar

import msgspec

from urlharness.corpus.specifications import facts
from urlharness.generate.tiers.labels import Label
from urlharness.generate.tiers.resolution import gains_an_authority, label_pair
from urlharness.text import plain
from urlharness.words.boundary import boundary_texts
from urlharness.words.cover import Cover, cover
from urlharness.words.members import vary_members, weigh_members, with_members
from urlharness.words.mutation import Broken, Edit, Mutator
from urlharness.words.paths import Paths, character_classes
from urlharness.words.sampling import Sampler, Weigh, draw_below, draw_exploring, draw_numbers
from urlharness.words.shards import SIZE
from urlharness.words.weights import Weights, weigh_by_class, weigh_by_rule
from urloracle.automata.dfa import Automaton, determinize, minimize
from urloracle.automata.dfa import product as automata_product
from urloracle.automata.positions import position_automaton
from urloracle.grammar import expression
from urloracle.grammar.alphabet import ALPHABET, ASCII
from urloracle.language import Language
from urloracle.specification import Specification

_T = TypeVar("_T")

#: In pairs to resolve, a dot or a slash is this many times likelier than any other class of characters.
_WEIGHT_OF_DOTS = 6

#: A word has about this many near misses.
_NEAR_MISSES_OF_A_WORD = 16


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

    @property
    def targets(self) -> list[str | None]:
        """The admissible results, the recommended one first. None is a refusal."""
        answers = [answer.result for answer in self.label.expect.alternatives]
        return [target if isinstance(target, str) else None for target in answers]


@dataclass(frozen=True)
class Source:
    """The texts or pairs of a kind. The same one may come more than once, and a draw may give None.

    First come the texts of `draw_first`. Then shards are drawn until they only repeat known texts. Last come
    the texts of `every`, which are all texts of the kind, and can be iterated once. A kind without
    `draw_shard` has only the texts of `draw_first`.
    """

    draw_first: Callable[[Random], Iterable[Sample | Pair]] = lambda _: ()
    draw_shard: Callable[[Random], Iterator[Sample | Pair | None]] | None = None
    every: Iterable[Sample | Pair] = ()


def text_bytes(text: str) -> bytes:
    """Return the bytes of a text; `surrogateescape` restores the bytes that are not UTF-8."""
    return text.encode("utf-8", "surrogateescape")


class _LabelJudge:
    """Makes samples, and checks their labels without the minimal automaton of the rule."""

    def __init__(self, spec: Specification, rule: str) -> None:
        self._spec = spec
        self._rule = rule
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

    def valid_sample(self, text: str, edit: Edit | None = None) -> Sample:
        """Return the sample of a valid text. Raise WrongLabel if the pattern does not match."""
        if not self.derives(text):
            self._refuse(text, "the automaton accepts, the pattern does not match")
        return Sample(text, True, edit=edit)

    def invalid_sample(self, broken: Broken, suffix: str, edit: Edit | None = None) -> Sample:
        """Return the sample of an invalid text. Raise WrongLabel if a check of the label fails.

        `suffix` makes a valid text of the characters before the error.
        """
        text, offset, error_class, _, _ = broken
        beginning = text[:offset]
        language = self._language(text)
        if language.pattern.regex.fullmatch(text):
            self._refuse(text, "the automaton refuses, the pattern matches")
        if not self.derives(beginning + suffix):
            self._refuse(text, f"nothing shows that the first {offset} characters begin a valid text")
        position, continuation = language.viable_prefix(text)
        if position != offset:
            self._refuse(text, f"the offsets are {offset} and {position}")
        return Sample(text, False, offset, continuation.innermost, error_class, edit)

    def _refuse(self, text: str, why: str) -> NoReturn:
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
        self._scheme = scheme
        self._uniform = uniform
        self._weights = weights
        self._explore = explore
        self._judge = _LabelJudge(spec, self.rule)
        #: The automaton of the rule, and the mutator of its words.
        self.automaton = spec.automaton(self.rule)
        self.mutator = Mutator(self.automaton)

    def valid_texts(self) -> Source:
        """Return valid texts. Raise RequestError if there is none."""
        sampler = self.sampler
        label = self._judge.valid_sample
        return Source(
            draw_first=lambda random: map(label, self._draw_first_words(random)),
            draw_shard=lambda random: map(label, sampler.draw_words(random, SIZE)),
            every=map(label, sampler.all_words()),
        )

    def invalid_texts(self) -> Source:
        """Return texts that one edit makes from valid texts. Raise RequestError if there is no valid text."""
        sampler = self.sampler
        mutator = self.mutator

        def draw_first(random: Random) -> Iterator[Sample]:
            words = self._draw_first_words(random)
            return self._fitting_samples(mutator.break_at_random(word, random) for word in words)

        def draw_shard(random: Random) -> Iterator[Sample | None]:
            lengths = sampler.draw_lengths(random, SIZE)
            # all numbers of a shard are drawn at once, so that compiled sampling can draw the same ones
            word_numbers = draw_numbers(random, sum(lengths))
            edit_numbers = draw_numbers(random, 2 * SIZE)
            words = sampler.make_words(random, lengths, word_numbers)
            broken_words = map(mutator.break_by, words, edit_numbers[::2], edit_numbers[1::2])
            return map(self._fitting_sample, broken_words)

        every = chain.from_iterable(map(mutator.all_breaks, sampler.all_words()))
        return Source(draw_first, draw_shard, self._fitting_samples(every))

    def near_misses(self, *, drawn: bool) -> Source:
        """Return prefixes of words that end too early, or with a character that is forbidden there.

        First come the near misses of a shortest prefix to each state. If `drawn`, they are in random order,
        and those of random prefixes follow. Raise RequestError if there is no word.
        """
        sampler = self.sampler
        near_misses = self.mutator.near_misses
        shortest_prefixes = Paths(self._language).prefixes.values()
        first = chain.from_iterable(map(near_misses, shortest_prefixes))
        if not drawn:
            return Source(lambda _: self._fitting_samples(first))

        def draw_shard(random: Random) -> Iterator[Sample | None]:
            for word in sampler.draw_words(random, SIZE // _NEAR_MISSES_OF_A_WORD):
                prefix = word[: draw_below(random, len(word) + 1)]
                yield from map(self._fitting_sample, near_misses(prefix))

        return Source(
            draw_first=lambda random: self._fitting_samples(_shuffled(first, random)),
            draw_shard=draw_shard,
            every=self._fitting_samples(self._all_near_misses()),
        )

    def _all_near_misses(self) -> Iterator[Broken]:
        """Yield the near misses of every prefix of every word."""
        for word in self.sampler.all_words():
            for end in range(len(word) + 1):
                yield from self.mutator.near_misses(word[:end])

    def boundaries(self, *, drawn: bool = False) -> Source:
        """Return texts with boundary lengths, boundary numbers and empty components, valid or not.

        If `drawn`, they are in random order.
        """
        every = boundary_texts(self._language, max(self.lengths, default=0))
        texts = (text for text in every if len(text) in self.lengths)

        def draw_first(random: Random) -> Iterator[Sample]:
            ordered = _shuffled(texts, random) if drawn else texts
            return map(self.label, ordered)

        return Source(draw_first)

    @cached_property
    def cover(self) -> Cover:
        """A small set of words that take every transition, and a lower bound for the size of such a set."""
        covering = cover(self._language)
        kinds = (kind.members for kind in character_classes(self._language))
        return covering._replace(words=tuple(vary_members(covering.words, kinds)))

    def covering_words(self) -> Source:
        """Return the words of `cover` with their labels. They do not depend on the random numbers."""
        return Source(lambda _: map(self._judge.valid_sample, self.cover.words))

    def mutations(self, texts: Iterable[str]) -> Source:
        """Return the given texts, and then mutations of the valid ones: broken by one edit, or spliced."""
        samples = [self.label(text) for text in texts]
        words = [sample.text for sample in samples if sample.valid]
        if not words:
            return Source(lambda _: samples)

        def draw_shard(random: Random) -> Iterator[Sample | None]:
            return (self._mutate(words, random) for _ in range(SIZE))

        return Source(lambda _: samples, draw_shard, self._all_mutations(words))

    def _mutate(self, words: Sequence[str], random: Random) -> Sample | None:
        """Return a random word spliced with another one, or broken, or None if that is not possible."""
        word = _draw_word(words, random)
        if random.getrandbits(1):
            spliced = self.mutator.splice(word, _draw_word(words, random), random)
            return None if spliced is None else self._judge.valid_sample(*spliced)
        broken = self.mutator.break_at_random(word, random)
        return None if broken is None else self._invalid_sample(broken, broken.edit)

    def _all_mutations(self, words: Sequence[str]) -> Iterator[Sample]:
        """Yield each word broken in every way, and then every two words spliced in every way."""
        for word in words:
            for broken in self.mutator.all_breaks(word):
                yield self._invalid_sample(broken, broken.edit)
        for first, second in product(words, repeat=2):
            yield from starmap(self._judge.valid_sample, self.mutator.all_splices(first, second))

    def label(self, text: str) -> Sample:
        """Return the sample of any text, valid or not."""
        length, state = self.automaton.longest_viable_prefix(text)
        if length == len(text) and state in self.automaton.accepting:
            return self._judge.valid_sample(text)
        error_class = self.mutator.class_of(text[length]) if length < len(text) else None
        no_edit = Edit("replace", length)  # which the sample does not get
        return self._invalid_sample(Broken(text, length, error_class, state, no_edit))

    def _draw_first_words(self, random: Random) -> Iterator[str]:
        """Draw the words that come before those of the shards: none, unless transitions are explored."""
        if not self._explore:
            return iter(())
        automaton, _ = self._automaton_and_weights
        return draw_exploring(automaton, self.sampler, random)

    def _fitting_samples(self, texts: Iterable[Broken | None]) -> Iterator[Sample]:
        """Yield the samples of the texts with a length in `lengths`, and leave out the others."""
        return (sample for sample in map(self._fitting_sample, texts) if sample is not None)

    def _fitting_sample(self, broken: Broken | None) -> Sample | None:
        """Return the sample of an invalid text, or None if there is no text with a length in `lengths`."""
        if broken is None or len(broken.text) not in self.lengths:
            return None
        return self._invalid_sample(broken, broken.edit)

    def _invalid_sample(self, broken: Broken, edit: Edit | None = None) -> Sample:
        """Return the sample of an invalid text. Raise WrongLabel if a check of the label fails."""
        suffix = self._paths.suffixes.get(broken.state, "")
        return self._judge.invalid_sample(broken, suffix, edit)

    @cached_property
    def _paths(self) -> Paths:
        return Paths(self.automaton)

    @cached_property
    def _language(self) -> Automaton:
        """The automaton of the words with the scheme, without regard to weights and lengths."""
        return with_scheme(self.automaton, self.spec, self._scheme)

    @cached_property
    def sampler(self) -> Sampler:
        """The sampler that draws words. Raise RequestError if there is no word.

        Raise UnknownRule or WeightsError if the weights do not fit the grammar.
        """
        automaton, weigh = self._automaton_and_weights
        sampler = Sampler(automaton, self.lengths, weigh)
        if not sampler.lengths:
            raise _no_text_error(
                self.spec, self.rule, self.lengths, self._scheme, weighted=self._weights is not None
            )
        return sampler

    @cached_property
    def _automaton_and_weights(self) -> tuple[Automaton, Weigh | None]:
        """The automaton of the words that can be drawn, and the weights of characters or None if uniform."""
        automaton, weigh = self._automaton_and_weights_of_letters
        if weigh is not None and automaton.reads_beyond_ascii:
            weigh = weigh_members(weigh)
        return with_members(automaton), weigh

    @cached_property
    def _automaton_and_weights_of_letters(self) -> tuple[Automaton, Weigh | None]:
        """The automaton before its letters become characters, and the weights of letters or None if uniform.

        Weights of characters hold for the automaton of the rule, but those of rules and alternatives have an
        automaton of their own, which still knows the rules. Raise RequestError if such weights are for
        a rule that is not of one scheme.
        """
        if self._uniform:
            return self._language, None
        weights = self._weights or Weights()
        if not (weights.rules or weights.alternatives):
            return self._language, weigh_by_class(self._language, weights.characters)
        if self.spec.default_profile(self.rule) == "scheme-specific":
            raise RequestError(f"{self.spec.id} {self.rule}: weights of rules need the rule of one scheme")
        within = scheme_automaton(self.spec, self._scheme) if self._scheme else None
        return weigh_by_rule(self.spec.grammar, self.rule, weights, within)


def scheme_automaton(spec: Specification, scheme: str) -> Automaton:
    """Return the automaton of all texts that begin with a scheme, in any case, and a colon.

    The texts are of ASCII, or have any letters if the RFC is about IRIs. Raise RequestError if the scheme is
    not ASCII.
    """
    if not scheme.isascii():
        raise RequestError(f"{plain(scheme)!r} is not a scheme")
    prefix = expression.literal(f"{scheme}:", fold_case=True)
    letters = ALPHABET if facts(spec.id).iris else ASCII
    any_character = expression.Characters(frozenset(letters))
    anything = expression.Repetition(any_character, 0, None)
    positions = position_automaton(spec.grammar, expression.Sequence((prefix, anything)))
    automaton, _ = determinize(positions)
    return automaton


def with_scheme(automaton: Automaton, spec: Specification, scheme: str | None) -> Automaton:
    """Return the automaton of the words that begin with a scheme, or of all words if there is no scheme."""
    if scheme is None:
        return automaton
    return minimize(automata_product(automaton, scheme_automaton(spec, scheme), and_))


def _no_text_error(
    spec: Specification, rule: str, lengths: range, scheme: str | None, *, weighted: bool = False
) -> RequestError:
    """Return the error of a request for which there is no valid text of these lengths."""
    conditions = []
    if scheme:
        conditions.append(f"scheme {plain(scheme)}")
    if weighted:
        conditions.append("these weights")
    text = "valid text"
    if conditions:
        text = f"{text} with {' and '.join(conditions)}"
    return RequestError(f"{spec.id} {rule}: no {text} has a length from {lengths[0]} to {lengths[-1]}")


def _draw_word(words: Sequence[str], random: Random) -> str:
    return words[draw_below(random, len(words))]


def _shuffled(items: Iterable[_T], random: Random) -> list[_T]:
    """Return the items in random order, each order equally likely (the shuffle of Fisher and Yates)."""
    shuffled = list(items)
    for last in range(len(shuffled) - 1, 0, -1):
        chosen_index = draw_below(random, last + 1)
        shuffled[chosen_index], shuffled[last] = shuffled[last], shuffled[chosen_index]
    return shuffled


def pairs_to_resolve(spec: Specification, lengths: range, scheme: str | None = None) -> Source:
    """Return pairs of a base, which has the scheme if one is given, and a reference.

    Raise RequestError if the RFC does not define references, or if no base or reference has such a length.
    """
    if not spec.defines("resolve"):
        raise RequestError(f"{spec.title} does not define relative references")
    bases = _dotted_sampler(spec, spec.absolute or spec.default_rule, lengths, scheme)
    references = _dotted_sampler(spec, spec.default_rule, lengths, None)
    label = partial(labelled_pair, spec)

    def draw_shard(random: Random) -> Iterator[Pair]:
        drawn_bases = bases.draw_words(random, SIZE)
        drawn_references = references.draw_words(random, SIZE)
        return map(label, drawn_bases, drawn_references)

    # loops, because `product` would first keep all words in memory
    every = (label(base, reference) for base in bases.all_words() for reference in references.all_words())
    return Source(draw_shard=draw_shard, every=every)


def _dotted_sampler(spec: Specification, rule: str, lengths: range, scheme: str | None) -> Sampler:
    """Return a sampler that draws many dots and slashes. Raise RequestError if there is no word."""
    automaton = with_scheme(spec.automaton(rule), spec, scheme)
    class_sizes = Counter(automaton.classes.values())
    # `weigh_by_class` divides the weight of a character by the size of its class
    weights = {char: Fraction(_WEIGHT_OF_DOTS * class_sizes[automaton.classes[char]]) for char in "./"}
    weigh = weigh_by_class(automaton, weights)
    if automaton.reads_beyond_ascii:
        weigh = weigh_members(weigh)
    sampler = Sampler(with_members(automaton), lengths, weigh)
    if not sampler.lengths:
        raise _no_text_error(spec, rule, lengths, scheme)
    return sampler


def labelled_pair(spec: Specification, base: str, reference: str) -> Pair:
    """Return a pair with its label. Raise WrongLabel if the label is wrong."""
    pair = Pair(base, reference, label_pair(spec, base, reference))
    _check_pair(spec, pair)
    return pair


def _check_pair(spec: Specification, pair: Pair) -> None:
    """Raise WrongLabel if the result of a pair is invalid, or if it resolves to a different text.

    RFC 3986, section 5.2.2, removes dot segments from a result, but a reference without a path keeps those of
    the base. A path that begins with two slashes after the removal reads as an authority (section 3.3), so
    such a result is not checked.
    """
    target = pair.targets[0]
    if target is None or gains_an_authority(pair.base, pair.reference, target):
        return
    problem = f"{spec.id}: wrong result of {plain(pair.base)!r} and {plain(pair.reference)!r}"
    if not spec.languages[spec.default_rule].pattern.regex.fullmatch(target):
        raise WrongLabel(f"{problem}: the pattern does not match {plain(target)!r}")
    before_fragment, _, _ = pair.reference.partition("#")
    has_path = not before_fragment.startswith("?") and before_fragment != ""
    if facts(spec.id).removes_dots and has_path and spec.resolve(pair.base, target).text != target:
        raise WrongLabel(f"{problem}: {plain(target)!r} resolves to something else")
