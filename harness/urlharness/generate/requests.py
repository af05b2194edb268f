"""Requests for generated texts, and the texts themselves: kind by kind, without duplicates.

On request, each text has the answers of all RFCs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol

import msgspec

from urlharness.corpus.specifications import DEFAULT_SPEC
from urlharness.generate.classes import of_class
from urlharness.generate.kinds import (
    Generator,
    Pair,
    RequestError,
    Sample,
    Source,
    WrongLabel,
    labelled_pair,
    resolutions,
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
    "valid": "valid", "invalid": "invalid", "near-miss": "near_miss", "boundary": "boundary",
    "cover": "cover", "resolution": "resolution", "mutate": "mutate", "class": "difference",
}  # fmt: skip
#: The kinds that are drawn at random without end, and the default number of texts of each.
_DRAWN = ("valid", "invalid", "resolution", "mutate", "class")
COUNT = 1000
#: The kinds that an `TextEngine` can draw.
FAST = ("valid", "invalid")
#: The default lengths of texts, and of boundaries.
_LENGTHS, _BOUNDARIES = range(81), range(4201)
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
    `base`, these answers include the result of resolving the text against it.
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


class TextEngine(Protocol):
    """Draws the same texts as a generator, many at a time."""

    def shard(self, kind: str, random: Random) -> Any:
        """Return a shard for `distinct`. The method may be called in another process than `distinct`."""

    def distinct(
        self, first: Iterable[Sample], shards: Iterable[Any], every: Iterable[Sample]
    ) -> Iterator[Sequence[Sample]]:
        """Yield each text once; see `words.shards.distinct`."""


MakeEngine = Callable[[Generator], TextEngine]


class Texts:
    """The texts of a request, which can be iterated once. Raise RequestError if the request cannot be met.

    `engine` makes an engine that draws the texts faster, and `jobs` is the number of processes. The texts do
    not depend on either. The iteration raises WrongLabel at the first label that the check by a second method
    does not confirm.
    """

    def __init__(self, request: Request, *, jobs: int = 1, engine: MakeEngine | None = None) -> None:
        self.request = request
        self._found: dict[str, int] = {}
        try:
            self.spec = specification(request.spec)
            self.rule = self.spec.grammar.canonical_name(request.rule or self.spec.default_rule)
            self._weights = read_weights(request.weights) if request.weights else None
        except (UnknownSpecification, UnknownRule, WeightsError) as error:
            raise RequestError(str(error)) from None
        most = MOST_CHARACTERS_UNIFORM if request.uniform else MOST_CHARACTERS
        if request.length and request.length[-1] > most and request.kinds != ["boundary"]:
            raise RequestError(f"texts are drawn up to length {most:,}; only boundaries can be longer")
        if request.base is not None and not SPECIFICATIONS[DEFAULT_SPEC].automaton("URI").accepts(
            request.base
        ):
            raise RequestError(f"the base {plain(request.base)!r} is not a URI of RFC 3986")
        self._make_engine = None if request.all_specs else engine
        try:  # before any output is opened
            self._sources = {kind: self._source(kind) for kind in request.kinds}
        except (UnknownRule, WeightsError) as error:
            raise RequestError(f"{request.weights}: {error}") from None
        self._shards = Shards(self.shard if jobs == 1 else _Maker(request, engine), jobs)

    @property
    def by_scheme(self) -> bool:
        """True if the rule of a text's scheme decides the verdict, instead of the requested rule."""
        return self.spec.default_profile(self.rule) == "scheme-specific"

    def __iter__(self) -> Iterator[GeneratedText]:
        for kind in self._sources:
            number = 0
            for chunk in self.chunks(kind):
                for number, content in enumerate(chunk, number + 1):  # noqa: B020 - it goes on counting
                    yield GeneratedText(kind, number, content)

    def chunks(self, kind: str) -> Iterator[Sequence[Sample | Pair]]:
        """Yield the texts of a kind, many at a time."""
        source = self._sources[kind]
        self._found[kind] = 0
        left = self._number(kind)
        first = source.first(random_of(self.request.seed, kind, 0))
        shards = self._shards.of(kind) if source.shard else ()
        found: Iterator[Sequence[Sample | Pair]]
        if self._is_fast(kind):
            found = self._engine.distinct(first, shards, source.every)  # type: ignore[arg-type]
        else:
            found = self._slow(map(self._answered, first), shards, map(self._answered, source.every), left)
        try:
            for chunk in found:
                some = chunk if left is None else chunk[:left]
                self._found[kind] += len(some)
                if len(some):
                    yield some
                if left is not None:
                    left -= len(some)
                    if not left:
                        break
        except BaseException:
            self._shards.close()
            raise
        if kind == list(self._sources)[-1]:
            self._shards.close()

    def shard(self, kind: str, number: int) -> Any:
        """Return the shard of a kind with this number."""
        random = random_of(self.request.seed, kind, number)
        if self._is_fast(kind):
            return self._engine.shard(kind, random)
        draw = self._sources[kind].shard
        assert draw is not None  # kinds without shards are not drawn
        return map(self._answered, draw(random))

    def _is_fast(self, kind: str) -> bool:
        return self._make_engine is not None and kind in FAST

    @cached_property
    def _engine(self) -> TextEngine:
        assert self._make_engine is not None
        return self._make_engine(self._generator)

    @staticmethod
    def _slow(
        first: Iterable[Any], shards: Iterable[Any], every: Iterable[Any], left: int | None
    ) -> Iterator[Sequence[Sample | Pair]]:
        texts = islice(distinct(first, shards, every, attrgetter("key")), left)
        while chunk := list(islice(texts, _CHUNK)):
            yield chunk

    def _answered(self, content: Sample | Pair | None) -> Sample | Pair | None:
        if content is None or not self.request.all_specs:
            return content
        if isinstance(content, Pair):
            return content._replace(answers=_targets(content.base, content.reference))
        return msgspec.structs.replace(content, answers=answers(content.text, self.request.base))

    def _number(self, kind: str) -> int | None:
        return self.request.number or (COUNT if kind in _DRAWN else None)

    def _source(self, kind: str) -> Source:
        request = self.request
        match kind:
            case "valid":
                return self._generator.valid()
            case "invalid":
                return self._generator.invalid()
            case "near-miss":
                return self._generator.near_misses(drawn=request.number is not None)
            case "boundary":
                return self._of(request.length or _BOUNDARIES).boundaries(drawn=request.number is not None)
            case "cover":
                return self._generator.covering()
            case "resolution":
                return resolutions(self.spec, request.length or _LENGTHS, request.scheme)
            case "class":
                return of_class(self._generator, request.difference or "", pairs=not request.texts_only)
            case _:
                assert request.mutate is not None  # the kind is asked for
                lines = request.mutate.read_bytes().decode("utf-8", "surrogateescape").split("\n")
                texts = [line.removesuffix("\r") for line in lines]
                return self._generator.mutations(texts[:-1] if texts[-1] == "" else texts)

    @cached_property
    def _generator(self) -> Generator:
        return self._of(self.request.length or _LENGTHS)

    def _of(self, lengths: range) -> Generator:
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

    def summary(self) -> Iterator[str]:
        """Yield a line for each kind: the number of texts, and a note if there are no more."""
        for kind, found in self._found.items():
            what = f"{counted(found, 'text')} of {self.spec.id} {self.rule}"
            if kind == "resolution":
                what = f"{counted(found, 'pair')} of {self.spec.id}"
            elif kind == "class":
                what += f" that show {self.request.difference}"
            line = f"{kind}: {what}"
            if kind == "cover":
                words, bound, _ = self._generator.cover
                line += f"; {len(words):,} take every transition, fewer than {bound:,} cannot"
            elif found < (self._number(kind) or 0):
                line += "; no more were found" if kind == "class" else "; there are no more"
            yield line


@dataclass(frozen=True)
class _Maker:
    """Makes the shards of a request in the other processes."""

    request: Request
    engine: MakeEngine | None

    @cached_property
    def _texts(self) -> Texts:
        return Texts(self.request, engine=self.engine)

    def __call__(self, kind: str, number: int) -> Any:
        return self._texts.shard(kind, number)


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


def answers(text: str, base: str | None = None) -> Mapping[str, SpecAnswer]:
    """Return the answer of each RFC to a text. Raise WrongLabel if two ways to find an answer disagree."""
    return {name: _answer(spec, text, base) for name, spec in SPECIFICATIONS.items()}


def _answer(spec: Specification, text: str, base: str | None) -> SpecAnswer:
    parts, again = _by_pattern(spec)(text), _by_automaton(spec, text)
    if (parts is None) is not (again is None):
        raise WrongLabel(f"{spec.id}: pattern and automaton disagree on {plain(text)!r}")
    if parts is None or again is None:
        return SpecAnswer(False, spec.automaton(spec.default_rule).longest_viable_prefix(text).length)
    components = spec.asdict(parts)
    if any(again[name] != value for name, value in components.items() if _is_text(again.get(name), value)):
        raise WrongLabel(f"{spec.id}: pattern and split table disagree on the components of {plain(text)!r}")
    return SpecAnswer(True, None, components, None if base is None else _target(spec, base, text))


@cache
def _by_pattern(spec: Specification) -> Callable[[str], Any]:
    """Return a function that splits a text in Python, or returns None if it is invalid."""
    return spec.algorithms.reader(spec.rules)


def _by_automaton(spec: Specification, text: str) -> Mapping[str, Any] | None:
    """Return the components that the split table finds, or None if the text is invalid.

    The C engine runs the table, if there is one and the rule is one of `ENGINE_KINDS`.
    """
    native = engine() == "native"
    if not native and not spec.automaton(spec.default_rule).accepts(text):
        return None
    rule = spec.splitting_rule(text)
    if native and rule in ENGINE_KINDS:
        parts = spec.read(text)
        return None if parts is None else dict(parts._asdict())
    table = _table(spec, rule)
    found = table.split(text)
    return None if found is None else dict(zip(table.components, found, strict=True))


_table = cache(rule_table)


def _is_text(one: object, other: object) -> bool:
    """Return True if both values of a component are texts. Only texts can be compared, not lists."""
    return isinstance(one, str) and isinstance(other, str)


def _targets(base: str, reference: str) -> Mapping[str, SpecAnswer]:
    found = {}
    for name, spec in SPECIFICATIONS.items():
        if spec.defines("resolve"):
            result = _target(spec, base, reference)
            found[name] = SpecAnswer(result is not None, result=result)
    return found


def _target(spec: Specification, base: str, reference: str) -> str | None:
    """Return the recommended result of a resolution, or None if there is none."""
    if not spec.defines("resolve"):
        return None
    result = labelled_pair(spec, base, reference).label.expect.alternatives[0].result
    return result if isinstance(result, str) else None
