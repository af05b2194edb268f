"""Texts that show a named class of difference: variations of its differences in the corpus.

Each text is checked. If RFCs differ in the class, the classification of their answers to the text must name
the class. If only implementations differ, the text must have the form that the class describes.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from random import Random
from typing import NamedTuple
from urllib.parse import unquote

import msgspec

from urlharness.corpus.differences import DifferenceClass, load_differences
from urlharness.corpus.loader import load_classes
from urlharness.corpus.model import RESERVED
from urlharness.explain.by_rfc import compare_resolutions, compare_splits
from urlharness.explain.classify import CHARACTERS, classify, has_zone
from urlharness.explain.generic_parts import Parts, split_generic
from urlharness.generate.kinds import Generator, Pair, RequestError, Sample, Source, labelled_pair
from urlharness.wording import did_you_mean
from urlharness.words.sampling import draw_below
from urloracle.rfc.normalization import DEFAULT_PORTS, OTHER_PORTS
from urloracle.specification import Specification

_TOKEN = re.compile("[A-Za-z0-9]+")
_LETTERS = string.ascii_lowercase
_CHARACTERS = f"{string.ascii_letters}{string.digits}-._~"
#: The number of draws in a shard. It is small, because it takes long to classify a text.
_SHARD_SIZE = 128
#: The maximum length of a word that replaces a token.
_MAX_REPLACEMENT_LENGTH = 8

#: The unreserved characters of RFC 2396, section 2.3, whose marks RFC 3986 reserves in part.
_UNRESERVED = frozenset(f"{string.ascii_letters}{string.digits}-_.!~*'()")
#: Default ports of schemes: those of the oracle, and of other schemes that programs know.
_PORTS = {**DEFAULT_PORTS, **OTHER_PORTS, "ws": "80", "wss": "443"}
_KNOWN_SCHEMES = {*_PORTS, "mailto", "news", "file"}
#: Ports of line-based services. A URL of another scheme with such a port can send commands to the service.
_SERVICE_PORTS = frozenset(("21", "22", "23", "25", "110", "119", "143", "6379", "6667"))

#: A function that returns True if a text has a form. It gets the text and its parts.
_Form = Callable[[str, Parts], bool]


def texts_of_class(generator: Generator, name: str, *, pairs: bool) -> Source:
    """Return texts that show a class of difference and, if `pairs`, also pairs to resolve.

    Raise RequestError if there is no such class, if it is one of mappings, or if it has only pairs to resolve
    and these are excluded, either by `pairs` or because the RFC does not define resolution.
    """
    resolves = generator.spec.defines("resolve")
    seeds = [seed for seed in _seeds(name) if seed.base is None or (pairs and resolves)]
    if not seeds:
        why = "has only pairs to resolve, not texts" if resolves else "is about resolution"
        raise RequestError(f"{generator.spec.title} has no texts of class {name}: the class {why}")

    def draw_first(_: Random) -> Iterator[Sample | Pair]:
        for seed in seeds:
            labelled = _label_if_fitting(generator, name, seed.text, seed.base)
            if labelled is not None:
                yield labelled

    def draw_shard(random: Random) -> Iterator[Sample | Pair | None]:
        for _ in range(_SHARD_SIZE):
            seed = seeds[draw_below(random, len(seeds))]
            length = generator.lengths[draw_below(random, len(generator.lengths))]
            text = _vary(seed.text, random, length)
            base = None if seed.base is None else _vary(seed.base, random, length=0)
            yield _label_if_fitting(generator, name, text, base)

    return Source(draw_first, draw_shard)


def shows_class(name: str, text: str, base: str | None = None) -> bool:
    """Return True if a text, or a reference and its base, show a class of difference."""
    if name == "double-slash":  # RFC 3986, section 4.2: such a path reads as an authority
        return base is not None and _leaves_two_slashes(base, text)
    if name in _FORMS:
        has_form = _FORMS[name]
        return has_form(text, split_generic(text))
    answers = compare_splits(text) if base is None else compare_resolutions(base, text)
    named_differences = classify(answers, _classes()).named
    return any(difference.entry.id == name for difference in named_differences)


class _Seed(NamedTuple):
    """A text of the corpus with None, or a reference with its base."""

    text: str
    base: str | None


@cache
def _seeds(name: str) -> tuple[_Seed, ...]:
    """Return the texts of a class in the corpus, and the pairs to resolve.

    Raise RequestError if there is no such class, or if it is one of mappings, which have no such texts.
    """
    if name not in _classes():
        hint = did_you_mean(name, _classes()) or f"choose {', '.join(sorted(_classes()))}"
        raise RequestError(f"no class of difference named {name!r}; {hint}")
    differences = load_differences().get(name)
    if differences is None:
        raise RequestError(f"class {name} is one of mappings between IRIs and URIs, and has no texts")
    seeds: dict[_Seed, None] = {}
    for difference in differences:
        text = difference.url if difference.reference is None else difference.reference
        if text is not None and difference.rule is None and shows_class(name, text, difference.base):
            seeds[_Seed(text, difference.base)] = None
    return tuple(seeds)


@cache
def _classes() -> Mapping[str, DifferenceClass]:
    return load_classes()


def _label_if_fitting(generator: Generator, name: str, text: str, base: str | None) -> Sample | Pair | None:
    """Return the sample of a text or, if there is a base, the pair of a reference and its base.

    Return None if the text does not show the class, if its length is not allowed, or if a pair is invalid.
    """
    if len(text) not in generator.lengths or not shows_class(name, text, base):
        return None
    if base is None:
        sample = generator.label(text)
        return msgspec.structs.replace(sample, difference=name)
    spec = generator.spec
    base_rule = spec.absolute or spec.default_rule
    if not (_derives(spec, spec.default_rule, text) and _derives(spec, base_rule, base)):
        return None
    pair = labelled_pair(spec, base, text)
    return pair._replace(difference=name)


def _derives(spec: Specification, rule: str, text: str) -> bool:
    """Return True if a rule of an RFC derives a text."""
    pattern = spec.languages[rule].pattern
    return pattern.regex.fullmatch(text) is not None


def _vary(text: str, random: Random, length: int) -> str:
    """Replace random words of the text. If the text is shorter than `length`, also make one word longer.

    A text without words stays as it is.
    """
    tokens = [*_TOKEN.finditer(text)]
    if not tokens:
        return text
    missing = length - len(text)
    lengthened = draw_below(random, len(tokens))  # the number of the token that may become longer
    parts = []
    end = 0
    for number, token in enumerate(tokens):
        parts.append(text[end : token.start()])
        end = token.end()
        word = token[0]
        if random.getrandbits(1):
            word = _random_word(random, word, 1 + draw_below(random, _MAX_REPLACEMENT_LENGTH))
        if number == lengthened and missing > 0:
            word += _random_word(random, word, 1 + draw_below(random, missing))
        parts.append(word)
    return "".join((*parts, text[end:]))


def _random_word(random: Random, like: str, length: int) -> str:
    """Return a random word: only digits if `like` has only digits, otherwise with a letter at both ends."""
    if like.isdigit():
        return "".join(_random_character(random, string.digits) for _ in range(length))
    characters = [_random_character(random, _CHARACTERS) for _ in range(length)]
    characters[0] = _random_character(random, _LETTERS)
    characters[-1] = _random_character(random, _LETTERS)
    return "".join(characters)


def _random_character(random: Random, characters: str) -> str:
    return characters[draw_below(random, len(characters))]


def _leaves_two_slashes(base: str, reference: str) -> bool:
    """Return True if a result has a path of two slashes, but neither base nor reference has an authority."""
    if split_generic(base).authority is not None or split_generic(reference).authority is not None:
        return False
    targets = (answer.result or "" for answer in compare_resolutions(base, reference).answers.values())
    return any(re.match("[^:/?#]+:(/[.])?//", target) for target in targets)


def _of_text(test: Callable[[str], bool]) -> _Form:
    return lambda text, _: test(text)


def _has_triplet_of(text: str, characters: frozenset[str]) -> bool:
    return any(unquote(triplet) in characters for triplet in re.findall("%[0-9A-Fa-f]{2}", text))


def _has_encoded_dots(_: str, parts: Parts) -> bool:
    return any(re.fullmatch(r"(?=.*%)(\.|%2e){1,2}", segment.lower()) for segment in parts.segments)


def _has_dots_elsewhere(text: str, parts: Parts) -> bool:
    """Return True for dot segments after the path, and for names that begin or end with a dot."""
    _, _, after_question_mark = text.partition("?")
    _, _, fragment = text.partition("#")
    if re.search(r"(^|/)\.\.?(/|$)", after_question_mark or fragment):
        return True
    names = (name for name in parts.segments if name not in (".", ".."))
    return any(name.startswith(".") or name.endswith(".") for name in names)


def _has_unknown_scheme(_: str, parts: Parts) -> bool:
    scheme = parts.scheme or ""
    is_scheme = re.fullmatch("[A-Za-z][A-Za-z0-9+.-]*", scheme) is not None
    return is_scheme and scheme.lower() not in _KNOWN_SCHEMES


def _has_scheme_of_other_characters(_: str, parts: Parts) -> bool:
    return re.fullmatch("[A-Za-z]+[0-9+.-][A-Za-z0-9+.-]*", parts.scheme or "") is not None


def _has_colon_and_digits(_: str, parts: Parts) -> bool:
    """Return True for digits after the colon of a scheme or of a segment, without an authority."""
    if parts.authority is not None:
        return False
    begins_with_digits = parts.scheme is not None and re.match("[0-9]+(/|$)", parts.path) is not None
    return begins_with_digits or re.search("[^/]:[0-9]+(/|$)", parts.path) is not None


def _has_default_port(_: str, parts: Parts) -> bool:
    scheme, port = _scheme_and_port(parts)
    return scheme in _PORTS and _PORTS[scheme] == port


def _has_port_of_other_service(_: str, parts: Parts) -> bool:
    scheme, port = _scheme_and_port(parts)
    return port in _SERVICE_PORTS and _PORTS.get(scheme) != port


def _scheme_and_port(parts: Parts) -> tuple[str, str]:
    """Return the scheme in lower case, and the port or ""."""
    scheme = parts.scheme or ""
    host, _, port = (parts.authority or "").rpartition(":")
    # without a host, the text has no colon or begins with it
    return scheme.lower(), port if host else ""


#: By class in which all RFCs agree: the form that its texts have.
_FORMS: Mapping[str, _Form] = {
    **{name: _of_text(test) for name, test in CHARACTERS.items()},
    "zone-id": lambda _, parts: has_zone(parts.authority or ""),
    "url-wrapper": lambda text, _: re.search("^<.*>$|^url:", text, re.IGNORECASE) is not None,
    "encoded-dots": _has_encoded_dots,
    "encoded-delimiter": lambda text, _: _has_triplet_of(text, RESERVED),
    "escaped-unreserved": lambda text, _: _has_triplet_of(text, _UNRESERVED),
    "dots-elsewhere": _has_dots_elsewhere,
    "unknown-scheme": _has_unknown_scheme,
    "scheme-characters": _has_scheme_of_other_characters,
    "colon-digits": _has_colon_and_digits,
    "empty-path": lambda _, parts: bool(parts.authority) and not parts.path,
    "default-port": _has_default_port,
    "foreign-port": _has_port_of_other_service,
    "network-path": lambda text, _: text.startswith("//"),
}
