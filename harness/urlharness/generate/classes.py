"""Texts that show a named class of difference: variations of its differences in the corpus.

Each text is checked. If RFCs differ in the class, the classification of their answers to the text must name
the class. If only implementations differ, the text must have the form that the class describes.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import starmap
from random import Random
from urllib.parse import unquote

import msgspec

from urlharness.corpus.differences import DifferenceClass, load_differences
from urlharness.corpus.loader import load_classes
from urlharness.explain.by_rfc import resolutions, splits
from urlharness.explain.classify import CHARACTERS, Parts, classify, has_zone, split_generic
from urlharness.generate.kinds import Generator, Pair, RequestError, Sample, Source, labelled_pair
from urlharness.wording import did_you_mean
from urlharness.words.sampling import below
from urloracle.rfc.normalization import DEFAULT_PORTS, OTHER_PORTS

_TOKEN = re.compile("[A-Za-z0-9]+")
_LETTERS = string.ascii_lowercase
_CHARACTERS = f"{string.ascii_letters}{string.digits}-._~"
#: The number of draws in a shard. It is small, because it takes long to classify a text.
_SHARD = 128
#: The maximum length of a word that replaces a token.
_MAX_REPLACEMENT_LENGTH = 8

#: The characters reserved by RFC 3986, section 2.2, and the marks of RFC 2396, section 2.3.
_RESERVED = frozenset(":/?#[]@!$&'()*+,;=")
_UNRESERVED = frozenset(f"{string.ascii_letters}{string.digits}-_.!~*'()")
#: Default ports of schemes: those of the oracle, and of other schemes that programs know.
_PORTS = {**DEFAULT_PORTS, **OTHER_PORTS, "ws": "80", "wss": "443"}
_LISTED = {*_PORTS, "mailto", "news", "file"}
#: Ports of line-based services. A URL of another scheme with such a port can send commands to the service.
_SERVICES = frozenset(("21", "22", "23", "25", "110", "119", "143", "6379", "6667"))

_Shape = Callable[[str, Parts], bool]


def _of_text(test: Callable[[str], bool]) -> _Shape:
    return lambda text, _: test(text)


def _triplets(text: str, members: frozenset[str]) -> bool:
    return any(unquote(found) in members for found in re.findall("%[0-9A-Fa-f]{2}", text))


def _port(parts: Parts) -> tuple[str, str]:
    host, colon, port = (parts.authority or "").rpartition(":")
    return (parts.scheme or "").lower(), port if colon and host else ""


def _has_names_with_dots(text: str, parts: Parts) -> bool:
    behind = text.partition("?")[2] or text.partition("#")[2]
    if re.search(r"(^|/)\.\.?(/|$)", behind):
        return True
    names = (name for name in parts.segments if name not in (".", ".."))
    return any(name.startswith(".") or name.endswith(".") for name in names)


#: By class in which all RFCs agree: the form that its texts have.
_SHAPES: Mapping[str, _Shape] = {
    **{name: _of_text(test) for name, test in CHARACTERS.items()},
    "zone-id": lambda _, parts: has_zone(parts.authority or ""),
    "url-wrapper": lambda text, _: re.search("^<.*>$|^url:", text, re.IGNORECASE) is not None,
    "encoded-dots": lambda _, parts: any(
        re.fullmatch(r"(?=.*%)(\.|%2e){1,2}", one.lower()) for one in parts.segments
    ),
    "encoded-delimiter": lambda text, _: _triplets(text, _RESERVED),
    "escaped-unreserved": lambda text, _: _triplets(text, _UNRESERVED),
    "dots-elsewhere": _has_names_with_dots,
    "unknown-scheme": lambda _, parts: (
        re.fullmatch("[A-Za-z][A-Za-z0-9+.-]*", parts.scheme or "") is not None
        and (parts.scheme or "").lower() not in _LISTED
    ),
    "empty-path": lambda _, parts: bool(parts.authority) and not parts.path,
    "default-port": lambda _, parts: _PORTS.get(_port(parts)[0], "-") == _port(parts)[1],
    "foreign-port": lambda _, parts: (
        _port(parts)[1] in _SERVICES and _PORTS.get(_port(parts)[0]) != _port(parts)[1]
    ),
    "network-path": lambda text, _: text.startswith("//"),
}


@cache
def _classes() -> Mapping[str, DifferenceClass]:
    return load_classes()


def shows(name: str, text: str, base: str | None = None) -> bool:
    """Return True if a text, or a reference and its base, show a class of difference."""
    if name == "double-slash":  # RFC 3986, section 4.2: such a path reads as an authority
        return base is not None and _leaves_two_slashes(base, text)
    if name in _SHAPES:
        return _SHAPES[name](text, split_generic(text))
    question = splits(text) if base is None else resolutions(base, text)
    return any(named.entry.id == name for named in classify(question, _classes()).named)


def _leaves_two_slashes(base: str, text: str) -> bool:
    if split_generic(base).authority is not None or split_generic(text).authority is not None:
        return False
    targets = (answer.result or "" for answer in resolutions(base, text).answers.values())
    return any(re.match("[^:/?#]+:(/[.])?//", target) for target in targets)


def of_class(generator: Generator, name: str, *, pairs: bool) -> Source:
    """Return texts that show a class of difference and, if `pairs`, also pairs to resolve.

    Raise RequestError if there is no such class, or if it has only pairs to resolve and these are excluded,
    either by `pairs` or because the RFC does not define resolution.
    """
    seeds = [(text, base) for text, base in _seeds(name) if base is None or pairs]
    if not generator.spec.defines("resolve"):
        seeds = [(text, base) for text, base in seeds if base is None]
    if not seeds:
        what = (
            "has only pairs to resolve, not texts"
            if generator.spec.defines("resolve")
            else "is about resolution"
        )
        raise RequestError(f"{generator.spec.title} has no texts of class {name}: the class {what}")
    labelled = partial(_labelled, generator, name)

    def variation(random: Random) -> Sample | Pair | None:
        text, base = seeds[below(random, len(seeds))]
        length = generator.lengths[below(random, len(generator.lengths))]
        return labelled(_varied(text, random, length), None if base is None else _varied(base, random, 0))

    return Source(
        lambda _: (found for found in starmap(labelled, seeds) if found is not None),
        lambda random: (variation(random) for _ in range(_SHARD)),
    )


@cache
def _seeds(name: str) -> list[tuple[str, str | None]]:
    """Return the texts of a class in the corpus, each with None, and the references, each with its base.

    Raise RequestError if there is no such class.
    """
    if name not in _classes():
        known = did_you_mean(name, _classes()) or f"choose {', '.join(sorted(_classes()))}"
        raise RequestError(f"no class of difference named {name!r}; {known}")
    found: dict[tuple[str, str | None], None] = {}
    for one in load_differences()[name]:
        text = one.url if one.reference is None else one.reference
        if text is not None and one.rule is None and shows(name, text, one.base):
            found[text, one.base] = None
    return list(found)


def _labelled(generator: Generator, name: str, text: str, base: str | None) -> Sample | Pair | None:
    """Return the sample of a text, or the pair of a reference and its base.

    Return None if the text does not show the class, if its length is not allowed, or if a pair is invalid.
    """
    if len(text) not in generator.lengths or not shows(name, text, base):
        return None
    if base is None:
        return msgspec.structs.replace(generator.label(text), difference=name)
    spec = generator.spec
    rules = {text: spec.default_rule, base: spec.absolute or spec.default_rule}
    if not all(spec.languages[rule].pattern.regex.fullmatch(one) for one, rule in rules.items()):
        return None
    return labelled_pair(spec, base, text)._replace(difference=name)


def _varied(text: str, random: Random, length: int) -> str:
    """Replace random words of the text. If the text is shorter than `length`, also make one word longer."""
    tokens = [*_TOKEN.finditer(text)]
    if not tokens:
        return text
    longest = below(random, len(tokens))
    new, end = [], 0
    for number, token in enumerate(tokens):
        new.append(text[end : token.start()])
        end = token.end()
        found = token[0]
        if random.getrandbits(1):
            found = _word(random, found, 1 + below(random, _MAX_REPLACEMENT_LENGTH))
        if number == longest and length > len(text):
            found += _word(random, found, 1 + below(random, length - len(text)))
        new.append(found)
    return "".join((*new, text[end:]))


def _word(random: Random, like: str, length: int) -> str:
    """Return a random word: only digits if `like` has only digits, otherwise with a letter at both ends."""
    if like.isdigit():
        return "".join(string.digits[below(random, 10)] for _ in range(length))
    letters = [_CHARACTERS[below(random, len(_CHARACTERS))] for _ in range(length)]
    letters[0], letters[-1] = (_LETTERS[below(random, len(_LETTERS))] for _ in range(2))
    return "".join(letters)
