"""The texts of a campaign: seeds, and mutations of the texts in its pool.

The texts of a shard are drawn with a random seed of the shard, from a pool that does not change while they
are drawn. The only random function is `getrandbits`, so a shard is the same on every platform.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from random import Random
from typing import NamedTuple, TypeVar

from urlharness.corpus.differences import load_differences
from urlharness.fuzz.panel import SEPARATOR
from urlharness.panel.spelling import COMPONENTS, split
from urlharness.text import is_well_formed
from urlharness.words.boundary import LENGTHS, NUMBERS
from urlharness.words.cover import cover
from urlharness.words.dictionary import dictionary_entries
from urlharness.words.members import (
    ALL_MEMBERS,
    MEMBERS,
    weigh_members,
    with_members,
)
from urlharness.words.mutation import Mutator
from urlharness.words.paths import BEYOND, ORDER, Paths
from urlharness.words.sampling import Sampler, draw_below
from urlharness.words.weights import weigh_by_class
from urloracle.automata.dfa import SINK, Automaton
from urloracle.rfc.recomposition import recompose_authority, recompose_parts
from urloracle.specification import Specification

_Option = TypeVar("_Option")

#: The maximum length of a text, and of each text of a pair. Longer texts are cut.
MAX_INPUT_LENGTH = 4200
#: The maximum length of a text in the pool. To mutate a long text takes long and changes little.
MAX_MUTATED_LENGTH = 200

#: The lengths of the words that are drawn from the grammar.
_LENGTHS = range(41)
#: The maximum number of mutations that are applied to one text.
_STEPS = 6
#: On average, one of this number of draws from the pool is a new word instead.
_NEW_WORDS = 16
#: On average, one of this number of mutations is a graft.
_GRAFTS = 6
#: On average, one of this number of pairs is mutated with parts of its other text, not with those of others.
_WITHIN = 4
#: The number of texts that are drawn from the grammar as seeds.
_SEEDS = 100
#: In half of the draws, a text is picked only from this number of texts at the end of the pool.
_RECENT = 100

#: The maximum distance between a delimiter and its copy.
_NEAR = 6

_DELIMITERS = ":/?#[]@%\\.;=&+-_~0"
_CONTROLS = "\t\n\r\0\x0b\x1f\x7f "
#: A character is drawn from one of these, with equal probability.
_CHARACTERS = (_DELIMITERS, _DELIMITERS, ORDER, ORDER, _CONTROLS, BEYOND)
#: Texts that have a special meaning for programs that read URLs, but not in the generic grammar.
_TOKENS = (
    *("http:", "https:", "ftp:", "file:", "ws:", "mailto:"),
    *("localhost", "127.0.0.1", ":80", ":443", ":21"),
    *("xn--", "[::1]", "[v1.a]", "%25", "//a@b@c", ";type=a"),
)


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

#: IRIs for each thing that a mapping can do wrongly (RFC 3987, section 3.1): a character beyond U+FFFF, which
#: is no pair of surrogates; a letter that must not be composed; what is no IRI; a URI, which stays.
_TO_MAP = (
    "a:\u00e9",
    "a:\U00010300",
    "a:e\u0301",
    "a:?\ue000",
    "a:b c",
    "a:[\u00e9]",
    "http://\u00e9.org/",
    "HTTP://a/%c3",
)

#: URIs for each thing that a conversion can do wrongly (RFC 3987, section 3.2): characters that stay encoded,
#: since they are no UTF-8, delimiters, no part of URIs, private or formatting, and unreserved ones.
_TO_CONVERT = (
    "a:%C3%A9",
    "a:%F0%90%8C%80",
    "a:e%CC%81",
    "a:%C3%A9%FC",
    "a:%C0%AF",
    "a:%2F%3f",
    "a:%3C%20",
    "a:%EE%80%80",
    "a:%e2%80%ae",
    "a:%C2%85",
    "a:%41%7E",
)

_FIRST_TEXTS = {"normalize": _TO_NORMALIZE, "to_uri": _TO_MAP, "to_iri": _TO_CONVERT}

#: A delimiter, or the text between two delimiters.
_PART = re.compile("[:/?#@\\[\\]]|[^:/?#@\\[\\]]+")


class Draw(NamedTuple):
    """A text, and how it was made: the names of its mutations, `seed` or `sample`."""

    text: str
    how: str


def first_texts(operation: str) -> Sequence[str]:
    """Return texts with which a campaign of an operation begins besides those for all operations."""
    return _FIRST_TEXTS.get(operation, ())


class Pool:
    """The texts to mutate. Half of the time, a text is picked that is in the language.

    A pair counts as such if both of its texts are in the language. No text can be picked from an empty pool.
    """

    def __init__(self, automaton: Automaton, texts: Iterable[str]) -> None:
        self._automaton = automaton
        self.texts: list[str] = []
        self._words: list[str] = []
        self._components: dict[str, list[str | None]] = {name: [None] for name in COMPONENTS}
        self._components["port"] += NUMBERS
        self._known: set[tuple[str, str | None]] = {(name, None) for name in COMPONENTS}
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        """Add a text, unless it is too long. If all its URLs are valid, their components are added, too."""
        if len(text) > MAX_MUTATED_LENGTH:
            return
        self.texts.append(text)
        urls = text.split(SEPARATOR)
        if all(map(self._automaton.accepts, urls)):
            self._words.append(text)
            for url in urls:
                self._add_components(url)

    def _add_components(self, url: str) -> None:
        """Add the components of a valid URL, each once, for grafts."""
        for name, component in split(url).items():
            if (name, component) not in self._known:
                self._known.add((name, component))
                self._components[name].append(component)

    def pick(self, random: Random) -> str:
        """Pick two random texts and return the shorter one, so that the pool does not fill with long ones."""
        texts = self._words if self._words and random.getrandbits(1) else self.texts
        count = len(texts)
        if random.getrandbits(1):
            count = min(count, _RECENT)
        first = texts[-1 - draw_below(random, count)]
        second = texts[-1 - draw_below(random, count)]
        return min(first, second, key=len)

    def graft(self, text: str, random: Random) -> str:
        """Return the text with one component removed, or replaced by that of a word in the pool.

        A new port may also be a boundary number. A result with userinfo or port, but no host, gets an empty
        host.
        """
        name = _choose(random, COMPONENTS)
        replacements = self._components[name]
        parts = dict(split(text))
        parts[name] = _choose(random, replacements)
        has_site = parts["userinfo"] is not None or parts["port"] is not None
        if has_site and parts["host"] is None:
            parts["host"] = ""
        return _recomposed(parts)


class Inputs:
    """Draws texts for one rule of an RFC. If `pairs`, it draws pairs of base and reference instead."""

    def __init__(self, spec: Specification, rule: str, *, pairs: bool) -> None:
        automaton = spec.automaton(rule)
        self.automaton = automaton
        self._pairs = pairs
        weigh = weigh_by_class(automaton)
        #: A character is drawn from one of these, with equal probability.
        self._characters: Sequence[str] = _CHARACTERS
        if automaton.reads_beyond_ascii:
            weigh = weigh_members(weigh)
            self._characters = (*_CHARACTERS, ALL_MEMBERS)
        self._sampler = Sampler(with_members(automaton), _LENGTHS, weigh)
        self._mutator = Mutator(automaton)
        self._suffixes: Mapping[int, str] = Paths(automaton).suffixes
        terminals = [text for _, text in dictionary_entries(spec.grammar, rule)]
        self._tokens = list(dict.fromkeys([*terminals, *_TOKENS]))
        #: Each mutation changes a text, perhaps with parts of a second one. They are drawn with equal
        #: probability, so one that stands here twice is drawn twice as often. Their order is part of what a
        #: seed determines, and their names are part of `Draw.how`, which findings contain.
        self._mutations: tuple[Callable[[str, str, Random], str], ...] = (
            self._edge,
            self._edge,
            self._leave,
            self._splice,
            self._join,
            self._character,
            self._character,
            self._token,
            self._token,
            self._delete,
            self._repeat,
            self._copy,
            self._case,
            self._encode,
            self._number,
            self._double,
            self._double,
            self._component,
        )

    def seeds(self, texts: Iterable[str], seed: int) -> list[str]:
        """Return the initial pool: the user's texts, the named differences, a cover, and random words.

        For pairs, return the named differences that have a base, and then each of these texts as a reference
        with a random base.
        """
        random = _random_of(seed, "seeds")
        urls, pairs = _named_differences()
        samples = [self._sampler.draw(random) for _ in range(_SEEDS)]
        references = [*texts, *urls, *cover(self.automaton).words, *samples]
        if not self._pairs:
            return list(dict.fromkeys(map(_fit, references)))
        for reference in references:
            base = _choose(random, references)
            pairs.append(f"{base}{SEPARATOR}{reference}")
        return list(dict.fromkeys(map(_fit, pairs)))

    def draw_shard(self, seed: int, number: int, count: int, pool: Pool | None) -> Iterator[Draw]:
        """Draw the `count` texts of a shard. Most of them are mutations of texts in the pool.

        Without a pool, each text is a new word of the rule after one mutation.
        """
        random = _random_of(seed, number)
        for _ in range(count):
            if pool is None:
                yield self._draw_blind(random)
            else:
                yield self._draw_from_pool(random, pool)

    def _draw_sample(self, random: Random) -> str:
        """Draw a word, or a pair of words: first the reference, then the base."""
        text = self._sampler.draw(random)
        if not self._pairs:
            return text
        base = self._sampler.draw(random)
        return f"{base}{SEPARATOR}{text}"

    def _draw_blind(self, random: Random) -> Draw:
        """Draw a new word or pair, and apply one mutation to it, or to one text of the pair."""
        parts = self._draw_sample(random).split(SEPARATOR)
        partners = self._draw_sample(random).split(SEPARATOR)
        position = draw_below(random, len(parts))
        mutation = _choose(random, self._mutations)
        mutated = mutation(parts[position], partners[position], random)
        text = _joined_with(parts, position, mutated)
        return Draw(text, _name_of(mutation))

    def _draw_from_pool(self, random: Random, pool: Pool) -> Draw:
        """Pick a text of the pool, and apply up to `_STEPS` mutations to it. Sometimes, draw a new word."""
        if draw_below(random, _NEW_WORDS) == 0:
            return Draw(self._draw_sample(random), "sample")
        parts = pool.pick(random).split(SEPARATOR)
        partners = pool.pick(random).split(SEPARATOR)
        position = draw_below(random, len(parts))
        text = parts[position]
        if self._pairs and draw_below(random, _WITHIN) == 0:
            partners = [parts[1 - position]]  # only the other text of the pair
        how: list[str] = []
        while True:
            if draw_below(random, _GRAFTS) == 0:
                text = pool.graft(text, random)
                how.append("graft")
            else:
                mutation = _choose(random, self._mutations)
                text = mutation(text, _choose(random, partners), random)
                how.append(_name_of(mutation))
            if len(how) == _STEPS or draw_below(random, 2):
                break
        mutated_text = _joined_with(parts, position, text)
        return Draw(mutated_text, "+".join(how))

    def _edge(self, text: str, _: str, random: Random) -> str:
        """Take a random transition at a random place, and then return to the path of the text if possible.

        Otherwise, append the rest of the text or a shortest ending.
        """
        length = self.automaton.longest_viable_prefix(text).length
        at = draw_below(random, length + 1)
        state = self._mutator.state_after(text[:at])
        allowed = sorted(self.automaton.allowed(state))
        if not allowed:
            return text
        letter = self._choose_by_class(allowed, random)
        char = _choose(random, MEMBERS[letter]) if letter in MEMBERS else letter
        kind = self.automaton.classes[letter]
        target = self.automaton.table[state][kind]
        states = self._mutator.states_along(text[:length])
        beginning = text[:at] + char
        rejoins = [position for position in range(at, length + 1) if states[position] == target]
        if rejoins:
            end = _choose(random, rejoins)
            return beginning + text[end:]
        if length == len(text) and random.getrandbits(1):
            end = at + random.getrandbits(1)
            return beginning + text[end:]
        return beginning + self._suffixes.get(target, "")

    def _choose_by_class(self, characters: Sequence[str], random: Random) -> str:
        """Choose a character. All classes of characters are equally likely, whatever their size."""
        by_class: dict[str, list[str]] = {}
        for char in characters:
            name = self._mutator.class_of(char)
            by_class.setdefault(name, []).append(char)
        characters_of_class = _choose(random, list(by_class.values()))
        return _choose(random, characters_of_class)

    def _leave(self, text: str, _: str, random: Random) -> str:
        """Change a word so that it leaves the language. A text that has left it is first made a word."""
        word = text
        length, state = self.automaton.longest_viable_prefix(text)
        if length < len(text) or state == SINK:
            word = text[:length] + self._suffixes.get(state, "")
        broken = self._mutator.break_at_random(word, random)
        return word if broken is None or not is_well_formed(broken.text) else broken.text

    def _splice(self, text: str, partner: str, random: Random) -> str:
        """Join the beginning of a word and the end of another so that the result is a word, if possible."""
        if not (self.automaton.accepts(text) and self.automaton.accepts(partner)):
            return self._join(text, partner, random)
        spliced = self._mutator.splice(text, partner, random)
        if spliced is None:
            return text
        word, _edit = spliced
        return word

    def _join(self, text: str, partner: str, random: Random) -> str:
        """Join the beginning of a text and the end of another at random places."""
        end = _draw_offset(random, text)
        start = _draw_offset(random, partner)
        return text[:end] + partner[start:]

    def _character(self, text: str, _: str, random: Random) -> str:
        """Insert a character, or replace one by it. One of eight times, it is at the beginning."""
        characters = _choose(random, self._characters)
        at = _draw_offset(random, text) if draw_below(random, 8) else 0
        character = _choose(random, characters)
        rest = text[at + random.getrandbits(1) :]
        return text[:at] + character + rest

    def _token(self, text: str, _: str, random: Random) -> str:
        """Insert a token: half of the time at the beginning of the text or of a component."""
        at = _draw_offset(random, text)
        if random.getrandbits(1):
            at = 0 if random.getrandbits(1) else _component_start(text, at)
        token = _choose(random, self._tokens)
        return text[:at] + token + text[at:]

    def _double(self, text: str, _: str, random: Random) -> str:
        """Copy a delimiter of the text to a place near it."""
        places = [at for at, char in enumerate(text) if not char.isalnum()]
        if not places:
            return text
        at = _choose(random, places)
        distance = draw_below(random, 2 * _NEAR + 1) - _NEAR
        near = max(0, min(len(text), at + distance))
        return text[:near] + text[at] + text[near:]

    def _component(self, text: str, partner: str, random: Random) -> str:
        """Replace a part of the text by one of another text: a delimiter, or what lies between two."""
        parts = _PART.findall(text)
        replacements = _PART.findall(partner)
        if not parts or not replacements:
            return text
        replacement = _choose(random, replacements)
        parts[draw_below(random, len(parts))] = replacement
        return "".join(parts)

    def _delete(self, text: str, _: str, random: Random) -> str:
        start, end = _draw_range(text, random)
        return text[:start] + text[end:]

    def _copy(self, text: str, _: str, random: Random) -> str:
        """Copy a part of the text to another place."""
        start, end = _draw_range(text, random)
        at = _draw_offset(random, text)
        return text[:at] + text[start:end] + text[at:]

    def _repeat(self, text: str, _: str, random: Random) -> str:
        """Repeat a short part a few times or, less often, up to a length that is a usual limit of buffers."""
        start = _draw_offset(random, text)
        part = text[start : start + 1 + draw_below(random, 3)]
        if not part:
            return text
        size = len(part)
        times = 2 + draw_below(random, 8)
        if draw_below(random, 8) == 0:
            length = _choose(random, LENGTHS)
            times = length // size + random.getrandbits(1)
        repeated = part * min(times, MAX_INPUT_LENGTH // size)
        return text[:start] + repeated + text[start:]

    def _case(self, text: str, _: str, random: Random) -> str:
        """Exchange upper and lower case in a part of the text."""
        start, end = _draw_range(text, random)
        part = text[start:end]
        return text[:start] + part.swapcase() + text[end:]

    def _encode(self, text: str, _: str, random: Random) -> str:
        """Percent-encode one character, at a random offset of the text."""
        at = _draw_offset(random, text)
        character = text[at : at + 1]
        utf8 = character.encode("utf-8", "replace")
        encoded = "".join(f"%{byte:02X}" for byte in utf8)
        return text[:at] + encoded + text[at + 1 :]

    def _number(self, text: str, _: str, random: Random) -> str:
        """Replace the digits after a delimiter by a boundary number. If there are none, insert the number."""
        number = _choose(random, NUMBERS)
        at = _component_start(text, _draw_offset(random, text))
        end = at
        while end < len(text) and text[end].isdigit():
            end += 1
        return text[:at] + number + text[end:]


def _named_differences() -> tuple[list[str], list[str]]:
    """Return (URLs, pairs of base and reference) of the named differences that are about whole texts."""
    urls = []
    pairs = []
    for difference in chain.from_iterable(load_differences().values()):
        if difference.rule is not None:
            continue
        if difference.url is not None:
            urls.append(difference.url)
        if difference.base is not None and difference.reference is not None:
            pairs.append(f"{difference.base}{SEPARATOR}{difference.reference}")
    return urls, pairs


def _name_of(mutation: Callable[..., str]) -> str:
    return mutation.__name__.strip("_")


def _joined_with(parts: Sequence[str], position: int, mutated: str) -> str:
    """Return a text or pair with a mutated part, which never adds a separator."""
    joined_parts = list(parts)
    joined_parts[position] = mutated.replace(SEPARATOR, "")
    return _fit(SEPARATOR.join(joined_parts))


def _random_of(seed: int, part: object) -> Random:
    """Return the source of random numbers for one part of a campaign: a shard by its number, or `seeds`."""
    digest = hashlib.sha256(f"{seed}/{part}".encode()).digest()
    return Random(int.from_bytes(digest[:8]))  # noqa: S311 - no secret


def _choose(random: Random, options: Sequence[_Option]) -> _Option:
    return options[draw_below(random, len(options))]


def _draw_offset(random: Random, text: str) -> int:
    """Return a random offset in a text, or its length."""
    return draw_below(random, len(text) + 1)


def _recomposed(parts: Mapping[str, str | None]) -> str:
    """Return the text with these components. If the host is absent, the text has no authority."""
    host = parts["host"]
    authority = None
    if host is not None:
        authority = recompose_authority(parts["userinfo"], host, parts["port"])
    path = parts["path"] or ""
    return recompose_parts((parts["scheme"], authority, path, parts["query"], parts["fragment"]))


def _draw_range(text: str, random: Random) -> tuple[int, int]:
    """Return the offsets of the beginning and end of a random part. Short parts are more likely."""
    start = _draw_offset(random, text)
    longest = 1 << draw_below(random, 6)
    length = 1 + draw_below(random, longest)
    return start, min(len(text), start + length)


def _component_start(text: str, at: int) -> int:
    """Return the offset after the last delimiter before `at`, or 0 if there is no delimiter."""
    start = at
    while start and text[start - 1] not in ":/?#[]@.":
        start -= 1
    return start


def _fit(text: str) -> str:
    """Cut a text to the maximum length, and replace surrogates so that it can be sent as UTF-8."""
    cut = SEPARATOR.join(part[:MAX_INPUT_LENGTH] for part in text.split(SEPARATOR))
    if is_well_formed(cut):
        return cut
    return cut.encode("utf-8", "replace").decode()
