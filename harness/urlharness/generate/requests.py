"""Requests for generated texts, and the texts themselves: kind by kind, without duplicates.

On request, each text has the answers of all RFCs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, islice
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol

import msgspec

from urlharness.corpus.specifications import DEFAULT_SPEC, facts, url_specs
from urlharness.generate.classes import texts_of_class
from urlharness.generate.kinds import (
    Generator,
    Pair,
    RequestError,
    Sample,
    Source,
    WrongLabel,
    labelled_pair,
    pairs_to_resolve,
)
from urlharness.generate.tiers.labels import rule_table
from urlharness.text import plain
from urlharness.wording import counted
from urlharness.words.sampling import MOST_CHARACTERS, MOST_CHARACTERS_UNIFORM
from urlharness.words.shards import Shards, distinct, random_of
from urlharness.words.weights import WeightsError, read_weights
from urloracle.grammar.grammar import UnknownRule
from urloracle.native import engine
from urloracle.readers import ENGINE_KINDS
from urloracle.rfcs import SPECIFICATIONS, UnknownSpecification, specification
from urloracle.specification import Specification

#: The kinds of texts, in the order in which they are generated. Each is mapped to the field that requests it.
KINDS: Mapping[str, str] = {
    "valid": "valid",
    "invalid": "invalid",
    "near-miss": "near_miss",
    "boundary": "boundary",
    "cover": "cover",
    "resolution": "resolution",
    "mutate": "mutate",
    "class": "difference",
}
#: The kinds that are drawn at random without end, and the default number of texts of each.
_DRAWN_KINDS = ("valid", "invalid", "resolution", "mutate", "class")
COUNT = 1000
#: The kinds that a `FastSampler` can draw.
_FAST_KINDS = ("valid", "invalid")
#: The default lengths of texts, and of boundaries.
_LENGTHS = range(81)
_BOUNDARY_LENGTHS = range(4201)
#: The number of texts in a chunk.
_CHUNK = 1000


class GeneratedText(NamedTuple):
    """A sample or pair, the kind that was asked for, and its number within the kind."""

    kind: str
    number: int
    content: Sample | Pair


@dataclass(frozen=True, kw_only=True)
class Request:
    """A request for texts.

    The fields from `valid` to `difference` request kinds. `mutate` is a file of texts to mutate.
    `difference` is the class of difference to show. If `texts_only`, pairs to resolve are left out. `number`
    is the number of texts of each kind. If `all_specs`, each text has the answers of all RFCs. If there is a
    `base`, these answers include the result of resolving the text against it. A field of a kind that is false
    or None does not request the kind.
    """

    spec: str
    rule: str | None = None
    valid: bool = False
    invalid: bool = False
    near_miss: bool = False
    boundary: bool = False
    cover: bool = False
    resolution: bool = False
    mutate: Path | None = None
    difference: str | None = None
    texts_only: bool = False
    number: int | None = None
    seed: int = 0
    length: range | None = None
    scheme: str | None = None
    uniform: bool = False
    explore: bool = False
    weights: Path | None = None
    all_specs: bool = False
    base: str | None = None

    @property
    def kinds(self) -> list[str]:
        """The names of the kinds, in the order in which they are generated."""
        return [name for name, field in KINDS.items() if getattr(self, field)]


class FastSampler(Protocol):
    """Draws the same texts as a generator, many at a time."""

    def draw_shard(self, kind: str, random: Random) -> Any:
        """Draw a shard for `distinct`. The method may be called in another process than `distinct`."""

    def distinct(
        self, first: Iterable[Sample], shards: Iterable[Any], every: Iterable[Sample]
    ) -> Iterator[Sequence[Sample]]:
        """Yield each text once; see `words.shards.distinct`."""


MakeFastSampler = Callable[[Generator], FastSampler]


class Texts:
    """The texts of a request, which can be iterated once. Raise RequestError if the request cannot be met.

    `fast_sampler` makes an object that draws the texts faster, and `jobs` is the number of processes. The
    texts do not depend on either. The iteration raises WrongLabel at the first label that the check by a
    second method does not confirm.
    """

    def __init__(
        self, request: Request, *, jobs: int = 1, fast_sampler: MakeFastSampler | None = None
    ) -> None:
        self.request = request
        self._counts: dict[str, int] = {}  # of the texts that were yielded, by kind
        try:
            self.spec = specification(request.spec)
            self.rule = self.spec.grammar.canonical_name(request.rule or self.spec.default_rule)
            self._weights = read_weights(request.weights) if request.weights else None
        except (UnknownSpecification, UnknownRule, WeightsError) as error:
            raise RequestError(str(error)) from None
        _refuse_long_texts(request)
        _refuse_invalid_base(request)
        # a fast sampler knows no answers of RFCs, and no characters beyond ASCII
        is_slow = request.all_specs or facts(self.spec.id).iris
        self._make_fast_sampler = None if is_slow else fast_sampler
        try:  # before any output is opened
            self._sources = {kind: self._source(kind) for kind in request.kinds}
        except (UnknownRule, WeightsError) as error:
            raise RequestError(f"{request.weights}: {error}") from None
        draw_shard = self.draw_shard if jobs == 1 else _WorkerTexts(request, fast_sampler)
        self._shards = Shards(draw_shard, jobs)

    @property
    def by_scheme(self) -> bool:
        """True if the rule of a text's scheme decides the verdict, instead of the requested rule."""
        return self.spec.default_profile(self.rule) == "scheme-specific"

    @property
    def answering(self) -> tuple[str, ...]:
        """The RFCs whose answers a text has, if they were requested: those on URLs, and the requested one."""
        requested = self.spec.id
        return url_specs() if requested in url_specs() else (*url_specs(), requested)

    def __iter__(self) -> Iterator[GeneratedText]:
        for kind in self._sources:
            contents = chain.from_iterable(self.chunks(kind))
            for number, content in enumerate(contents, 1):
                yield GeneratedText(kind, number, content)

    def chunks(self, kind: str) -> Iterator[Sequence[Sample | Pair]]:
        """Yield the texts of a kind, many at a time."""
        self._counts[kind] = 0
        limit = self._limit(kind)
        try:
            for chunk in self._distinct(kind):
                fitting = chunk if limit is None else chunk[: limit - self._counts[kind]]
                self._counts[kind] += len(fitting)
                if len(fitting):
                    yield fitting
                if self._counts[kind] == limit:
                    break
        except BaseException:
            self._shards.close()
            raise
        *_, last_kind = self._sources
        if kind == last_kind:  # the kinds before it leave the processes to the next one
            self._shards.close()

    def draw_shard(self, kind: str, number: int) -> Any:
        """Draw the shard of a kind with this number, which counts from 1."""
        random = random_of(self.request.seed, kind, number)
        if self._is_fast(kind):
            return self._fast_sampler.draw_shard(kind, random)
        draw = self._sources[kind].draw_shard
        assert draw is not None  # kinds without shards are not drawn
        return map(self._with_answers, draw(random))

    def summary(self) -> Iterator[str]:
        """Yield a line for each kind: the number of texts, and a note if there are no more."""
        for kind, count in self._counts.items():
            line = f"{kind}: {self._count_in_words(kind, count)}"
            if kind == "cover":
                words, bound, _ = self._generator.cover
                line += f"; {len(words):,} take every transition, fewer than {bound:,} cannot"
            elif count < (self._limit(kind) or 0):
                line += "; no more were found" if kind == "class" else "; there are no more"
            yield line

    def _count_in_words(self, kind: str, count: int) -> str:
        """Return the number of texts of a kind, with what they are about."""
        if kind == "resolution":
            return f"{counted(count, 'pair')} of {self.spec.id}"
        texts = counted(count, "text")
        words = f"{texts} of {self.spec.id} {self.rule}"
        if kind == "class":
            words += f" that show {self.request.difference}"
        return words

    def _distinct(self, kind: str) -> Iterator[Sequence[Sample | Pair]]:
        """Yield each text of a kind once, many at a time."""
        source = self._sources[kind]
        first = source.draw_first(random_of(self.request.seed, kind, number=0))  # the shards count from 1
        shards = self._shards.make_shards(kind) if source.draw_shard else ()
        if self._is_fast(kind):
            yield from self._fast_sampler.distinct(first, shards, source.every)  # type: ignore[arg-type]
            return
        first_answered = map(self._with_answers, first)
        every_answered = map(self._with_answers, source.every)
        # shards have their answers: `draw_shard` adds them, in the process that draws the texts
        texts = distinct(first_answered, shards, every_answered, attrgetter("key"))
        # no more than the requested number, because a further text may take long to find
        limited = islice(texts, self._limit(kind))
        while chunk := list(islice(limited, _CHUNK)):
            yield chunk

    def _is_fast(self, kind: str) -> bool:
        """Return True if a `FastSampler` draws the texts of a kind."""
        return self._make_fast_sampler is not None and kind in _FAST_KINDS

    @cached_property
    def _fast_sampler(self) -> FastSampler:
        assert self._make_fast_sampler is not None
        return self._make_fast_sampler(self._generator)

    def _with_answers(self, content: Sample | Pair | None) -> Sample | Pair | None:
        """Return a sample or pair with the answers of all RFCs, if they were requested."""
        if content is None or not self.request.all_specs:
            return content
        if isinstance(content, Pair):
            answers_to_pair = _answers_to_pair(content.base, content.reference, self.answering)
            return content._replace(answers=answers_to_pair)
        answers_to_text = answer_by_spec(content.text, self.request.base, self.answering)
        return msgspec.structs.replace(content, answers=answers_to_text)

    def _limit(self, kind: str) -> int | None:
        """Return the maximum number of texts of a kind, or None for all."""
        if self.request.number:
            return self.request.number
        return COUNT if kind in _DRAWN_KINDS else None

    def _source(self, kind: str) -> Source:
        """Return the texts of a kind. Raise RequestError, UnknownRule or WeightsError if there are none."""
        request = self.request
        lengths = request.length or _LENGTHS
        is_drawn = request.number is not None
        match kind:
            case "valid":
                return self._generator.valid_texts()
            case "invalid":
                return self._generator.invalid_texts()
            case "near-miss":
                return self._generator.near_misses(drawn=is_drawn)
            case "boundary":
                return self._make_generator(request.length or _BOUNDARY_LENGTHS).boundaries(drawn=is_drawn)
            case "cover":
                return self._generator.covering_words()
            case "resolution":
                return pairs_to_resolve(self.spec, lengths, request.scheme)
            case "class":
                return texts_of_class(self._generator, request.difference or "", pairs=not request.texts_only)
            case _:
                assert request.mutate is not None  # the kind is asked for
                return self._generator.mutations(_lines(request.mutate))

    @cached_property
    def _generator(self) -> Generator:
        return self._make_generator(self.request.length or _LENGTHS)

    def _make_generator(self, lengths: range) -> Generator:
        """Return the generator of the request for texts of these lengths."""
        request = self.request
        return Generator(
            self.spec,
            self.rule,
            lengths,
            scheme=request.scheme,
            uniform=request.uniform,
            weights=self._weights,
            explore=request.explore,
        )


def _refuse_long_texts(request: Request) -> None:
    """Raise RequestError if texts must be drawn that are too long. Boundaries are not drawn."""
    most = MOST_CHARACTERS_UNIFORM if request.uniform else MOST_CHARACTERS
    if request.length and request.length[-1] > most and request.kinds != ["boundary"]:
        raise RequestError(f"texts are drawn up to length {most:,}; only boundaries can be longer")


def _refuse_invalid_base(request: Request) -> None:
    """Raise RequestError if the base of a request is not a URI."""
    if request.base is None:
        return
    rule = SPECIFICATIONS[DEFAULT_SPEC].automaton("URI")
    if not rule.accepts(request.base):
        raise RequestError(f"the base {plain(request.base)!r} is not a URI of RFC 3986")


def _lines(path: Path) -> list[str]:
    """Return the lines of a file without their ends. Bytes that are not UTF-8 become lone surrogates."""
    *lines, rest = path.read_bytes().decode("utf-8", "surrogateescape").split("\n")
    texts = [line.removesuffix("\r") for line in lines]
    if rest:  # a last line without a line end; a CR in it is part of the text
        texts.append(rest)
    return texts


@dataclass(frozen=True)
class _WorkerTexts:
    """Makes the shards of a request in another process, in which the texts are prepared once more."""

    request: Request
    fast_sampler: MakeFastSampler | None

    @cached_property
    def _texts(self) -> Texts:
        return Texts(self.request, fast_sampler=self.fast_sampler)

    def __call__(self, kind: str, number: int) -> Any:
        return self._texts.draw_shard(kind, number)


class SpecAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer of an RFC to a text.

    `valid` is the verdict of the rule of whole texts. An invalid text has the `offset` of the error, and a
    valid text has `components`. `result` is the result of resolving the text against a base. It is None if
    there is no base, if base or reference is invalid, or if the RFC does not resolve references.
    """

    valid: bool
    offset: int | None = None
    components: Mapping[str, Any] | None = None
    result: str | None = None


def answer_by_spec(
    text: str, base: str | None = None, specs: Iterable[str] | None = None
) -> Mapping[str, SpecAnswer]:
    """Return the answers of these RFCs, or of each RFC on URLs.

    Raise WrongLabel if two ways to find an answer disagree.
    """
    names = url_specs() if specs is None else specs
    return {name: _answer_of(SPECIFICATIONS[name], text, base) for name in names}


def _answer_of(spec: Specification, text: str, base: str | None) -> SpecAnswer:
    """Return the answer of one RFC, found by its pattern, and compared with that of its automaton.

    Raise WrongLabel if the two differ.
    """
    parts = _split_by_pattern(spec)(text)
    parts_by_automaton = _split_by_automaton(spec, text)
    if (parts is None) is not (parts_by_automaton is None):
        raise WrongLabel(f"{spec.id}: pattern and automaton disagree on {plain(text)!r}")
    if parts is None or parts_by_automaton is None:
        offset = spec.automaton(spec.default_rule).longest_viable_prefix(text).length
        return SpecAnswer(valid=False, offset=offset)
    components = spec.asdict(parts)
    for name, component in components.items():
        same_component = parts_by_automaton.get(name)
        # only texts can be compared: the fields of a prospero URL are a list here and a text there
        both_are_texts = isinstance(component, str) and isinstance(same_component, str)
        if both_are_texts and component != same_component:
            raise WrongLabel(
                f"{spec.id}: pattern and split table disagree on the components of {plain(text)!r}"
            )
    target = None if base is None else _target(spec, base, text)
    return SpecAnswer(valid=True, components=components, result=target)


@cache
def _split_by_pattern(spec: Specification) -> Callable[[str], Any]:
    """Return a function that splits a text in Python, or returns None if it is invalid."""
    return spec.algorithms.reader(spec.rules)


def _split_by_automaton(spec: Specification, text: str) -> Mapping[str, Any] | None:
    """Return the components that the split table finds, or None if the text is invalid.

    The C engine runs the table, if there is one and the rule is one of `ENGINE_KINDS`.
    """
    is_native = engine() == "native"
    if not is_native and not spec.automaton(spec.default_rule).accepts(text):
        return None
    rule = spec.splitting_rule(text)
    if is_native and rule in ENGINE_KINDS:
        parts = spec.read(text)
        return None if parts is None else dict(parts._asdict())
    table = _table(spec, rule)
    components = table.split(text)
    return None if components is None else dict(zip(table.components, components, strict=True))


_table = cache(rule_table)


def _answers_to_pair(base: str, reference: str, specs: Iterable[str]) -> Mapping[str, SpecAnswer]:
    """Return the results of a resolution by those RFCs that define it."""
    answers = {}
    for name in specs:
        spec = SPECIFICATIONS[name]
        if spec.defines("resolve"):
            target = _target(spec, base, reference)
            answers[name] = SpecAnswer(valid=target is not None, result=target)
    return answers


def _target(spec: Specification, base: str, reference: str) -> str | None:
    """Return the recommended result of a resolution, or None if there is none."""
    if not spec.defines("resolve"):
        return None
    return labelled_pair(spec, base, reference).targets[0]
