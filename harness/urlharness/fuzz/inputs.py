"""The texts of a campaign: seeds, and mutations of the texts in its pool.

The texts of a shard are drawn with a random seed of the shard, from a pool that does not change while they
are drawn. The only random function is `getrandbits`, so a shard is the same on every platform.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from urlharness.corpus.differences import load_differences
from urlharness.fuzz.panel import SEPARATOR
from urlharness.panel.spelling import COMPONENTS, split
from urlharness.words.boundary import LENGTHS, NUMBERS
from urlharness.words.cover import cover
from urlharness.words.dictionary import entries
from urlharness.words.mutation import Mutator
from urlharness.words.paths import BEYOND, ORDER, Paths
from urlharness.words.sampling import Sampler, below
from urlharness.words.weights import by_class
from urloracle.automata.dfa import SINK, Automaton
from urloracle.rfc.recomposition import recompose_authority, recompose_parts
from urloracle.specification import Specification

#: The maximum length of a text, and of each text of a pair. Longer texts are cut.
MAX_INPUT_LENGTH = 4200
#: The maximum length of a text in the pool. To mutate a long text takes long and changes little.
MUTATED = 200

_LENGTHS = range(41)
#: The maximum number of mutations that are applied to one text.
_STEPS = 6
#: On average, one of this number of mutations is a graft.
_GRAFTS = 6
#: On average, one of this number of pairs is mutated with parts of its other text, not with those of others.
_WITHIN = 4
#: The number of texts that are drawn from the grammar as seeds.
_SEEDS = 100
#: In half of the draws, a text is picked only from this number of texts at the end of the pool.
_RECENT = 100

_DELIMITERS = ":/?#[]@%\\.;=&+-_~0"
_CONTROLS = "\t\n\r\0\x0b\x1f\x7f "
#: Texts that have a special meaning for programs that read URLs, but not in the generic grammar.
_TOKENS = (
    "http:", "https:", "ftp:", "file:", "ws:", "mailto:", "localhost", "127.0.0.1", ":80", ":443", ":21",
    "xn--", "[::1]", "[v1.a]", "%25", "//a@b@c", ";type=a",
)  # fmt: skip


#: A text for each thing that normalization changes (RFC 3986, sections 6.2.2.1 to 6.2.2.3 and 6.2.3). A
#: normalizer that leaves one of them is found whatever the seed of the campaign is.
_TO_NORMALIZE = (
    "HTTP://h/",
    "http://H/",
    "a:%3a",
    "a:%7e",
    "a:/./",
    "a:/b/./c",
    "a:/b/../c",
    "http://h",
    "http://h:/",
    "http://h:80/",
)

#: A delimiter, or the text between two delimiters.
_PART = re.compile("[:/?#@\\[\\]]|[^:/?#@\\[\\]]+")


class Draw(NamedTuple):
    """A text, and how it was made: the names of its mutations, `seed` or `sample`."""

    text: str
    how: str


def first_texts(operation: str) -> Sequence[str]:
    """Return texts with which a campaign of an operation begins besides those for all operations."""
    return _TO_NORMALIZE if operation == "normalize" else ()


class Pool:
    """The texts to mutate. Half of the time, a text is picked that is in the language.

    A pair counts as such if both of its texts are in the language.
    """

    def __init__(self, automaton: Automaton, texts: Iterable[str]) -> None:
        self._automaton = automaton
        self.texts: list[str] = []
        self._words: list[str] = []
        self._parts: dict[str, list[str | None]] = {name: [None] for name in COMPONENTS}
        self._parts["port"] += NUMBERS
        self._known: set[tuple[str, str | None]] = {(name, None) for name in COMPONENTS}
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        """Add a text, unless it is too long."""
        if len(text) <= MUTATED:
            self.texts.append(text)
            if all(map(self._automaton.accepts, text.split(SEPARATOR))):
                self._words.append(text)
                for part in text.split(SEPARATOR):
                    for name, value in split(part).items():
                        if (name, value) not in self._known:
                            self._known.add((name, value))
                            self._parts[name].append(value)

    def pick(self, random: Random) -> str:
        """Pick two random texts and return the shorter one, so that the pool does not fill with long ones."""
        texts = self._words if self._words and random.getrandbits(1) else self.texts
        recent = min(_RECENT, len(texts)) if random.getrandbits(1) else len(texts)
        one, other = (texts[len(texts) - 1 - below(random, recent)] for _ in range(2))
        return min(one, other, key=len)

    def graft(self, text: str, random: Random) -> str:
        """Return the text with one component removed, or replaced by that of a word in the pool.

        A new port may also be a boundary number. A result with userinfo or port, but no host, gets an empty
        host.
        """
        name = COMPONENTS[below(random, len(COMPONENTS))]
        values = self._parts[name]
        parts = {**split(text), name: values[below(random, len(values))]}
        if parts["host"] is None and (parts["userinfo"] is not None or parts["port"] is not None):
            parts["host"] = ""
        return _recomposed(parts)


class Inputs:
    """Draws texts for one rule of an RFC. If `pairs`, it draws pairs of base and reference instead."""

    def __init__(self, spec: Specification, rule: str, *, pairs: bool) -> None:
        automaton = spec.automaton(rule)
        self.automaton = automaton
        self._pairs = pairs
        self._sampler = Sampler(automaton, _LENGTHS, by_class(automaton))
        self._mutator = Mutator(automaton)
        self._suffixes: Mapping[int, str] = Paths(automaton).suffixes
        self._tokens = [*dict.fromkeys([*(text for _, text in entries(spec.grammar, rule)), *_TOKENS])]
        self._mutations: tuple[Callable[[str, str, Random], str], ...] = (
            self._edge, self._edge, self._leave, self._splice, self._join, self._character, self._character,
            self._token, self._token, self._delete, self._repeat, self._copy, self._case, self._encode,
            self._number, self._double, self._double, self._component,
        )  # fmt: skip

    def seeds(self, texts: Iterable[str], seed: int) -> list[str]:
        """Return the initial pool: the user's texts, the named differences, a cover, and random words.

        For pairs, return the named differences that have a base, and then each of these texts as a reference
        with a random base.
        """
        random = _random(seed, "seeds")
        differences = [one for own in load_differences().values() for one in own if one.rule is None]
        urls = [one.url for one in differences if one.url is not None]
        words = [*cover(self.automaton).words, *(self._sampler.draw(random) for _ in range(_SEEDS))]
        if not self._pairs:
            return [*dict.fromkeys(_fit(text) for text in (*texts, *urls, *words))]
        known = [(one.base, one.reference) for one in differences]
        pairs = [(base, reference) for base, reference in known if base is not None and reference is not None]
        own = [*texts, *urls, *words]
        pairs += [(own[below(random, len(own))], text) for text in own]
        return [*dict.fromkeys(_fit(f"{base}{SEPARATOR}{reference}") for base, reference in pairs)]

    def shard(self, seed: int, number: int, count: int, pool: Pool | None) -> Iterator[Draw]:
        """Yield the `count` texts of a shard. Most of them are mutations of texts in the pool.

        Without a pool, each text is a new word of the rule after one mutation.
        """
        random = _random(seed, number)
        for _ in range(count):
            yield self._draw(random, pool) if pool is not None else self._blind(random)

    def _sample(self, random: Random) -> str:
        text = self._sampler.draw(random)
        return f"{self._sampler.draw(random)}{SEPARATOR}{text}" if self._pairs else text

    def _blind(self, random: Random) -> Draw:
        parts, others = (self._sample(random).split(SEPARATOR) for _ in range(2))
        place = below(random, len(parts))
        mutation = self._mutations[below(random, len(self._mutations))]
        parts[place] = mutation(parts[place], others[place], random).replace(SEPARATOR, "")
        return Draw(_fit(SEPARATOR.join(parts)), mutation.__name__.strip("_"))

    def _draw(self, random: Random, pool: Pool) -> Draw:
        if below(random, 16) == 0:
            return Draw(self._sample(random), "sample")
        parts = pool.pick(random).split(SEPARATOR)
        others = pool.pick(random).split(SEPARATOR)
        place = below(random, len(parts))
        text = parts[place]
        if self._pairs and below(random, _WITHIN) == 0:
            others = [parts[1 - place]]
        how: list[str] = []
        while True:
            if below(random, _GRAFTS) == 0:
                text = pool.graft(text, random)
                how.append("graft")
            else:
                mutation = self._mutations[below(random, len(self._mutations))]
                text = mutation(text, others[below(random, len(others))], random)
                how.append(mutation.__name__.strip("_"))
            if len(how) == _STEPS or below(random, 2):
                break
        parts[place] = text.replace(SEPARATOR, "")
        return Draw(_fit(SEPARATOR.join(parts)), "+".join(how))

    def _edge(self, text: str, _: str, random: Random) -> str:
        """Take a random transition at a random place, and then return to the path of the text if possible.

        Otherwise, append the rest of the text or a shortest ending.
        """
        length = self.automaton.longest_viable_prefix(text).length
        at = below(random, length + 1)
        state = self._mutator.state(text[:at])
        allowed = sorted(self.automaton.allowed(state))
        if not allowed:
            return text
        names: dict[str, list[str]] = {}
        for char in allowed:
            names.setdefault(self._mutator.class_of(char), []).append(char)
        kinds = list(names.values())
        kind = kinds[below(random, len(kinds))]
        char = kind[below(random, len(kind))]
        state = self.automaton.table[state][self.automaton.classes[char]]
        states = self._mutator.states(text[:length])
        rejoins = [place for place in range(at, length + 1) if states[place] == state]
        if rejoins:
            return text[:at] + char + text[rejoins[below(random, len(rejoins))] :]
        if length == len(text) and random.getrandbits(1):
            return text[:at] + char + text[at + random.getrandbits(1) :]
        return text[:at] + char + self._suffixes.get(state, "")

    def _leave(self, text: str, _: str, random: Random) -> str:
        length, state = self.automaton.longest_viable_prefix(text)
        if length < len(text) or state == SINK:
            text = text[:length] + self._suffixes.get(state, "")
        broken = self._mutator.breaks(text, random)
        return text if broken is None or not _encodable(broken.text) else broken.text

    def _splice(self, text: str, other: str, random: Random) -> str:
        if not (self.automaton.accepts(text) and self.automaton.accepts(other)):
            return self._join(text, other, random)
        found = self._mutator.splice(text, other, random)
        return text if found is None else found[0]

    def _join(self, text: str, other: str, random: Random) -> str:
        return text[: below(random, len(text) + 1)] + other[below(random, len(other) + 1) :]

    def _character(self, text: str, _: str, random: Random) -> str:
        chars = (_DELIMITERS, _DELIMITERS, ORDER, ORDER, _CONTROLS, BEYOND)[below(random, 6)]
        at = below(random, len(text) + 1) if below(random, 8) else 0
        return text[:at] + chars[below(random, len(chars))] + text[at + random.getrandbits(1) :]

    def _token(self, text: str, _: str, random: Random) -> str:
        at = below(random, len(text) + 1)
        if random.getrandbits(1):
            at = 0 if random.getrandbits(1) else _component_start(text, at)
        return text[:at] + self._tokens[below(random, len(self._tokens))] + text[at:]

    def _double(self, text: str, _: str, random: Random) -> str:
        """Copy a delimiter of the text to a place near it."""
        places = [at for at, char in enumerate(text) if not char.isalnum()]
        if not places:
            return text
        at = places[below(random, len(places))]
        near = max(0, min(len(text), at + below(random, 13) - 6))
        return text[:near] + text[at] + text[near:]

    def _component(self, text: str, other: str, random: Random) -> str:
        """Replace a part of the text by one of the other text: a delimiter, or what lies between two."""
        parts, others = _PART.findall(text), _PART.findall(other)
        if not parts or not others:
            return text
        parts[below(random, len(parts))] = others[below(random, len(others))]
        return "".join(parts)

    def _delete(self, text: str, _: str, random: Random) -> str:
        start, end = _range(text, random)
        return text[:start] + text[end:]

    def _copy(self, text: str, _: str, random: Random) -> str:
        start, end = _range(text, random)
        at = below(random, len(text) + 1)
        return text[:at] + text[start:end] + text[at:]

    def _repeat(self, text: str, _: str, random: Random) -> str:
        """Repeat a short part a few times or, less often, up to a length that is a usual limit of buffers."""
        start = below(random, len(text) + 1)
        part = text[start : start + 1 + below(random, 3)]
        if not part:
            return text
        times = 2 + below(random, 8)
        if below(random, 8) == 0:
            times = LENGTHS[below(random, len(LENGTHS))] // len(part) + random.getrandbits(1)
        return text[:start] + part * min(times, MAX_INPUT_LENGTH // len(part)) + text[start:]

    def _case(self, text: str, _: str, random: Random) -> str:
        start, end = _range(text, random)
        return text[:start] + text[start:end].swapcase() + text[end:]

    def _encode(self, text: str, _: str, random: Random) -> str:
        at = below(random, len(text) + 1)
        encoded = "".join(f"%{byte:02X}" for byte in text[at : at + 1].encode("utf-8", "replace"))
        return text[:at] + encoded + text[at + 1 :]

    def _number(self, text: str, _: str, random: Random) -> str:
        """Replace the digits after a delimiter by a boundary number. If there are none, insert the number."""
        number = NUMBERS[below(random, len(NUMBERS))]
        at = _component_start(text, below(random, len(text) + 1))
        end = at
        while end < len(text) and text[end].isdigit():
            end += 1
        return text[:at] + number + text[end:]


def _random(seed: int, part: object) -> Random:
    digest = hashlib.sha256(f"{seed}/{part}".encode()).digest()
    return Random(int.from_bytes(digest[:8]))  # noqa: S311 - no secret


def _recomposed(parts: Mapping[str, str | None]) -> str:
    """Return the text with these components. If the host is absent, the text has no authority."""
    scheme, userinfo, host, port, path, query, fragment = (parts[name] for name in COMPONENTS)
    authority = None if host is None else recompose_authority(userinfo, host, port)
    return recompose_parts((scheme, authority, path or "", query, fragment))


def _range(text: str, random: Random) -> tuple[int, int]:
    start = below(random, len(text) + 1)
    return start, min(len(text), start + 1 + below(random, 1 << below(random, 6)))


def _component_start(text: str, at: int) -> int:
    """Return the offset after the last delimiter before `at`, or 0 if there is no delimiter."""
    while at and text[at - 1] not in ":/?#[]@.":
        at -= 1
    return at


def _fit(text: str) -> str:
    """Cut a text to the maximum length, and replace surrogates so that it can be sent as UTF-8."""
    text = SEPARATOR.join(part[:MAX_INPUT_LENGTH] for part in text.split(SEPARATOR))
    return text if _encodable(text) else text.encode("utf-8", "replace").decode()


def _encodable(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text)
