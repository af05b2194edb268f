"""Kinds of generated texts: valid, invalid, near misses, boundaries, covers, mutations, pairs to resolve.

Each text has a label, which follows from how the text was made, and is checked before the text is given out:
the verdict by the `re` pattern of the rule, the offset by a word that begins like the text up to there and by
the automaton that error messages come from.  A wrong label raises WrongLabel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, islice, repeat
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec

from urlharness.generate.labels import Label
from urlharness.generate.resolution import gains_an_authority, label_pair
from urlharness.text import plain
from urlharness.words.boundary import boundaries
from urlharness.words.cover import Cover, cover
from urlharness.words.mutation import Broken, Edit, Mutator
from urlharness.words.paths import Paths
from urlharness.words.sampling import MOST_CHARACTERS, MOST_CHARACTERS_UNIFORM, Sampler, Weigh, below
from urlharness.words.weights import Weights, WeightsError, by_class, by_rule, read_weights
from urloracle.automata.dfa import ASCII, Automaton, determinize, minimize, product
from urloracle.automata.positions import position_automaton
from urloracle.grammar import expression
from urloracle.grammar.grammar import UnknownRule
from urloracle.language import Language
from urloracle.rfcs import UnknownSpecification, specification
from urloracle.specification import Specification

#: The kinds of texts, in the order in which they are generated.
KINDS = ("valid", "invalid", "near-miss", "boundary", "cover", "resolution", "mutate")
#: Those of which there may be any number, and how many there are by default.
_DRAWN = ("valid", "invalid", "resolution", "mutate")
COUNT = 1000
#: The default lengths, and those of boundaries.
_LENGTHS, _BOUNDARIES = range(81), range(4201)

#: After so many known texts in a row, random edits have found what there is.
_REPEATS = 1000

#: In pairs to resolve, dots and slashes are this much likelier than a class of characters.
_DOTS = 6


class RequestError(ValueError):
    """A request that cannot be met: no such RFC, rule, length, scheme or weights; the message says why."""


class WrongLabel(Exception):
    """Two ways to find the label of a text disagree, so one of them is wrong."""


class Sample(msgspec.Struct, frozen=True, omit_defaults=True):
    """A text with its label, and the edit that made it.

    If the text is invalid, `offset` is that of the first character with which no valid text continues,
    `broken` the innermost rule that has all that could come there, and `class_` the name of the class of that
    character, None at the end of the text.
    """

    text: str
    valid: bool
    offset: int | None = None
    broken: str | None = None
    class_: str | None = msgspec.field(name="class", default=None)
    edit: Edit | None = None


class Pair(NamedTuple):
    """A base, a reference, and the label of the result."""

    base: str
    reference: str
    label: Label


class Case(NamedTuple):
    """A sample or pair, the kind that it was asked as, and its number among those of the kind."""

    kind: str
    number: int
    content: Sample | Pair


@dataclass(frozen=True, kw_only=True)
class Request:
    """A request for texts: RFC, rule, kinds of texts, how many of each, their lengths, how they are drawn."""

    spec: str
    rule: str | None = None
    valid: bool = False
    invalid: bool = False
    near_miss: bool = False
    boundary: bool = False
    cover: bool = False
    resolution: bool = False
    mutate: Path | None = None
    number: int | None = None
    seed: int = 0
    length: range | None = None
    scheme: str | None = None
    uniform: bool = False
    weights: Path | None = None

    @property
    def kinds(self) -> list[str]:
        """The names of the kinds, in the order in which they are generated."""
        return [name for name in KINDS if getattr(self, name.replace("-", "_"))]


class _Judge:
    """Checks labels by other ways than the minimal automaton of the rule."""

    def __init__(self, spec: Specification, rule: str) -> None:
        self._spec, self._rule = spec, rule
        #: Return whether the pattern of the rule matches a text.
        self.derives: Callable[[str], object]
        if spec.default_profile(rule) == "scheme-specific":
            self.derives = lambda text: self._language(text).pattern.regex.fullmatch(text)
        else:
            self.derives = spec.language(rule).pattern.regex.fullmatch

    def valid(self, text: str, edit: Edit | None = None) -> Sample:
        """Return the sample of a valid text."""
        if not self.derives(text):
            self._disagree(text, "the automaton accepts, the pattern does not match")
        return Sample(text, True, edit=edit)

    def invalid(self, found: Broken, witness: str, edit: Edit | None = None) -> Sample:
        """Return the sample of an invalid text; `witness` continues the text before the offset."""
        text, offset, kind, _, _ = found
        if self.derives(text):
            self._disagree(text, "the automaton refuses, the pattern matches")
        if not (witness.startswith(text[:offset]) and self.derives(witness)):
            self._disagree(text, f"nothing shows that the first {offset} characters begin a valid text")
        position, continuation = self._language(text).viable(text)
        if position != offset:
            self._disagree(text, f"the offsets are {offset} and {position}")
        return Sample(text, False, offset, continuation.innermost, kind, edit)

    def _language(self, text: str) -> Language:
        return self._spec.language(self._spec.judging_rule(text, self._rule))

    def _disagree(self, text: str, why: str) -> None:
        raise WrongLabel(f"{self._spec.id} {self._rule}: wrong label of {plain(text)!r}: {why}")


class Generator:
    """Generates texts for one rule; each method yields texts that differ.

    Words are drawn from those whose length is in `lengths` and that have the scheme, if one is given: by
    default weights or by `weights`, or all words of a length equally if `uniform`.
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
    ) -> None:
        self.spec = spec
        self.rule = spec.grammar.canonical_name(rule)
        self._lengths = lengths
        self._scheme, self._uniform, self._weights = scheme, uniform, weights
        self._whole = spec.automaton(self.rule)
        self._judge = _Judge(spec, self.rule)
        self._mutator = Mutator(self._whole)

    def valid(self, random: Random) -> Iterator[Sample]:
        """Draw valid texts; end when there are no more.  Raise RequestError if there is none."""
        return map(self._judge.valid, self._sampler.distinct(random))

    def invalid(self, random: Random) -> Iterator[Sample]:
        """Draw texts with one thing wrong; end when there are no more.

        Raise RequestError if there is no valid text to break.
        """
        sampler = self._sampler
        drawn = (self._mutator.breaks(sampler.draw(random), random) for _ in repeat(None))
        every = chain.from_iterable(map(self._mutator.all_breaks, sampler.words()))
        return self._broken(self._until_known(drawn, every))

    def near_misses(self, random: Random | None) -> Iterator[Sample]:
        """Yield prefixes of words with each forbidden class next, first a shortest prefix to each state.

        The others are drawn; they end when there are no more, or do not begin without `random`.  Raise
        RequestError if no word is valid.
        """
        sampler, near = self._sampler, self._mutator.near_misses
        found = self._fitting(chain.from_iterable(map(near, Paths(self._words).prefixes.values())))
        if random is None:
            return self._broken(found)
        words = (sampler.draw(random) for _ in repeat(None))
        drawn = chain.from_iterable(near(word[: below(random, len(word) + 1)]) for word in words)
        every = (one for word in sampler.words() for end in range(len(word) + 1) for one in near(word[:end]))
        return self._broken(self._until_known(chain(found, drawn), every))

    def boundaries(self) -> Iterator[Sample]:
        """Yield texts with boundary lengths, boundary numbers and empty components, valid or not."""
        for text in boundaries(self._words, max(self._lengths, default=0)):
            if len(text) in self._lengths:
                yield self.label(text)

    @cached_property
    def cover(self) -> Cover:
        """Few words that take every transition of the automaton, and the least possible number of them."""
        return cover(self._words)

    def covering(self) -> Iterator[Sample]:
        """Yield the words of `cover`."""
        return map(self._judge.valid, self.cover.words)

    def mutations(self, texts: Sequence[str], random: Random) -> Iterator[Sample]:
        """Yield texts that people have; then those that are valid, broken by one edit or spliced."""
        kept = {text: self.label(text) for text in texts}
        yield from kept.values()
        words = [text for text, sample in kept.items() if sample.valid]
        seen, repeats = set(kept), 0
        while words and repeats < _REPEATS:
            word = words[below(random, len(words))]
            if random.getrandbits(1):
                other = words[below(random, len(words))]
                spliced = self._mutator.splice(word, other, random)
                found = spliced and self._judge.valid(*spliced)
            else:
                broken = self._mutator.breaks(word, random)
                found = broken and self._check(broken, broken.edit)
            if found is None or found.text in seen:
                repeats += 1
                continue
            repeats = 0
            seen.add(found.text)
            yield found
        for broken in chain.from_iterable(map(self._mutator.all_breaks, words)):
            if broken.text not in seen:
                seen.add(broken.text)
                yield self._check(broken, broken.edit)

    def label(self, text: str) -> Sample:
        """Return any text with its label."""
        length, state = self._whole.longest_viable_prefix(text)
        if length == len(text) and state in self._whole.accepting:
            return self._judge.valid(text)
        kind = self._mutator.class_of(text[length]) if length < len(text) else None
        return self._check(Broken(text, length, kind, state, Edit("replace", length)))

    def _broken(self, found: Iterable[Broken]) -> Iterator[Sample]:
        return (self._check(one, one.edit) for one in found)

    def _check(self, broken: Broken, edit: Edit | None = None) -> Sample:
        prefix = broken.text[: broken.offset]
        return self._judge.invalid(broken, prefix + self._paths.suffixes.get(broken.state, ""), edit)

    def _fitting(self, found: Iterable[Broken | None]) -> Iterator[Broken]:
        return (one for one in found if one is not None and len(one.text) in self._lengths)

    def _until_known(self, drawn: Iterable[Broken | None], every: Iterable[Broken]) -> Iterator[Broken]:
        """Yield drawn texts that differ; when they repeat, yield what they have not drawn of every text."""
        seen: set[str] = set()
        repeats = 0
        for one in drawn:
            if one is None or one.text in seen or len(one.text) not in self._lengths:
                repeats += 1
                if repeats == _REPEATS:
                    break
                continue
            repeats = 0
            seen.add(one.text)
            yield one
        for one in self._fitting(every):
            if one.text not in seen:
                seen.add(one.text)
                yield one

    @cached_property
    def _paths(self) -> Paths:
        return Paths(self._whole)

    @cached_property
    def _words(self) -> Automaton:
        """The automaton of the words to draw from."""
        if self._scheme is None:
            return self._whole
        return minimize(product(self._whole, scheme_automaton(self.spec, self._scheme), _both))

    @cached_property
    def _sampler(self) -> Sampler:
        automaton, weigh = self._weighed()
        sampler = Sampler(automaton, self._lengths, weigh)
        if not sampler.lengths:
            scheme = f" with scheme {self._scheme}" if self._scheme else ""
            first, last = self._lengths[0], self._lengths[-1]
            raise RequestError(
                f"{self.spec.id} {self.rule}: no valid text{scheme} has a length from {first} to {last}"
            )
        return sampler

    def _weighed(self) -> tuple[Automaton, Weigh | None]:
        if self._uniform or self._weights is None or not self._weights.rules:
            characters = self._weights.characters if self._weights else {}
            return self._words, None if self._uniform else by_class(self._words, characters)
        if self.spec.default_profile(self.rule) == "scheme-specific":
            raise RequestError(f"{self.spec.id} {self.rule}: weights of rules need the rule of one scheme")
        within = scheme_automaton(self.spec, self._scheme) if self._scheme else None
        try:
            return by_rule(self.spec.grammar, self.rule, self._weights, within)
        except UnknownRule as unknown:
            raise RequestError(str(unknown)) from None


def scheme_automaton(spec: Specification, scheme: str) -> Automaton:
    """Return the automaton of all ASCII texts that begin with a scheme, in any case, and a colon."""
    prefix = expression.literal(f"{scheme}:", fold_case=True)
    anything = expression.Repetition(expression.Characters(frozenset(ASCII)), 0, None)
    return determinize(position_automaton(spec.grammar, expression.Sequence((prefix, anything))))[0]


def _both(one: bool, other: bool) -> bool:
    return one and other


def resolutions(spec: Specification, lengths: range, random: Random) -> Iterator[Pair]:
    """Draw pairs of a base and a reference that differ.  Raise RequestError if the RFC has no references."""
    if spec.resolver is None:
        raise RequestError(f"{spec.title} does not define relative references")
    samplers = []
    for rule in (spec.absolute or spec.default_rule, spec.default_rule):
        automaton = spec.automaton(rule)
        samplers.append(Sampler(automaton, lengths, by_class(automaton, _dots(automaton))))
        if not samplers[-1].lengths:
            raise RequestError(f"{spec.id} {rule}: no valid text has a length in the range")
    return _pairs(spec, samplers, random)


def _dots(automaton: Automaton) -> dict[str, Fraction]:
    kinds = automaton.classes
    return {char: Fraction(_DOTS * [*kinds.values()].count(kinds[char])) for char in "./"}


def _pairs(spec: Specification, samplers: Sequence[Sampler], random: Random) -> Iterator[Pair]:
    seen: set[tuple[str, str]] = set()
    repeats = 0
    while repeats < _REPEATS:
        base, reference = (sampler.draw(random) for sampler in samplers)
        if (base, reference) in seen:
            repeats += 1
            continue
        repeats = 0
        seen.add((base, reference))
        yield _checked(spec, Pair(base, reference, label_pair(spec, base, reference)))


def _checked(spec: Specification, pair: Pair) -> Pair:
    """Return a pair; raise WrongLabel if no rule derives its result, or if that resolves to something else.

    RFC 3986, section 5.2.2: the dot segments of a result are removed; a reference without a path keeps those
    of the base.  A path that begins with two slashes when its dots are removed reads as an authority
    (section 3.3), so nothing follows for such a result.
    """
    result = pair.label.expect.alternatives[0].result
    if not isinstance(result, str) or gains_an_authority(pair.base, pair.reference, result):
        return pair
    where = f"{spec.id}: wrong result of {plain(pair.base)!r} and {plain(pair.reference)!r}"
    if not spec.languages[spec.default_rule].pattern.regex.fullmatch(result):
        raise WrongLabel(f"{where}: the pattern does not match {plain(result)!r}")
    reads_path = pair.reference.partition("#")[0].partition("?")[0]
    if spec.id == "rfc3986" and reads_path and spec.resolve(pair.base, result).text != result:
        raise WrongLabel(f"{where}: {plain(result)!r} resolves to something else")
    return pair


class Texts:
    """The texts that a request asks for, to be read once.  Raise RequestError if it cannot be met."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._found: dict[str, int] = {}
        try:
            self.spec = specification(request.spec)
            self.rule = self.spec.grammar.canonical_name(request.rule or self.spec.default_rule)
            self._weights = read_weights(request.weights) if request.weights else None
        except (UnknownSpecification, UnknownRule, WeightsError) as error:
            raise RequestError(str(error)) from None
        most = MOST_CHARACTERS_UNIFORM if request.uniform else MOST_CHARACTERS
        if request.length and request.length[-1] > most and request.kinds != ["boundary"]:
            raise RequestError(f"texts are drawn up to length {most:,}, only boundaries are longer")
        self._contents = {kind: self._made(kind) for kind in request.kinds}  # before any output is opened

    @property
    def by_scheme(self) -> bool:
        """Whether the rule of a text's scheme decides, not the rule that was asked for."""
        return self.spec.default_profile(self.rule) == "scheme-specific"

    def __iter__(self) -> Iterator[Case]:
        for kind, contents in self._contents.items():
            self._found[kind] = 0
            for number, content in enumerate(islice(contents, self._number(kind)), 1):
                self._found[kind] = number
                yield Case(kind, number, content)

    def _number(self, kind: str) -> int | None:
        return self._request.number or (COUNT if kind in _DRAWN else None)

    def _made(self, kind: str) -> Iterator[Sample | Pair]:
        request = self._request
        random = Random(request.seed)  # noqa: S311 - no secret
        match kind:
            case "valid":
                return self._generator.valid(random)
            case "invalid":
                return self._generator.invalid(random)
            case "near-miss":
                return self._generator.near_misses(random if request.number else None)
            case "boundary":
                return self._of(request.length or _BOUNDARIES).boundaries()
            case "cover":
                return self._generator.covering()
            case "resolution":
                return resolutions(self.spec, request.length or _LENGTHS, random)
            case _:
                assert request.mutate is not None  # the kind is asked for
                lines = request.mutate.read_bytes().decode("utf-8", "surrogateescape").split("\n")
                texts = [line.removesuffix("\r") for line in lines]
                return self._generator.mutations(texts[:-1] if texts[-1] == "" else texts, random)

    @cached_property
    def _generator(self) -> Generator:
        return self._of(self._request.length or _LENGTHS)

    def _of(self, lengths: range) -> Generator:
        request = self._request
        return Generator(
            self.spec,
            self.rule,
            lengths,
            scheme=request.scheme,
            uniform=request.uniform,
            weights=self._weights,
        )

    def summary(self) -> Iterator[str]:
        """Yield a line for each kind: how many texts were found, and whether there are no more."""
        for kind, found in self._found.items():
            what = (
                f"pairs of {self.spec.id}" if kind == "resolution" else f"texts of {self.spec.id} {self.rule}"
            )
            line = f"{kind}: {found:,} {what}"
            if kind == "cover":
                words, bound, _ = self._generator.cover
                line += f"; {len(words):,} take every transition, fewer than {bound:,} cannot"
            elif found < (self._number(kind) or 0):
                line += "; there are no more"
            yield line
