"""The measured functions of the oracle for each RFC: verdict, split, components, and what uses them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain, cycle
from typing import Any

from peers import URLJOIN, URLSPLIT
from timing import Contender

from urloracle.operations import equivalent, normalize, parse, resolve, validate, view
from urloracle.specification import Specification

_AUTHORITY = ("authority", "authority/userinfo", "authority/host", "authority/port")
_PATH_2396 = "path=abs_path|rel_path|opaque_part"
_PATH_3986 = "path=path-abempty|path-absolute|path-noscheme|path-rootless|path-empty"

_2396 = {
    "5 parts": ("URI-reference", ("scheme", "authority", _PATH_2396, "query", "fragment")),
    "8 parts": ("URI-reference", ("scheme", *_AUTHORITY, _PATH_2396, "query", "fragment")),
}

#: The rules and components that are split into a plain tuple, by specification: few parts, then all.
COLUMNS: dict[str, dict[str, tuple[str, tuple[str, ...]]]] = {
    "rfc1738": {
        "2 parts": ("genericurl", ("scheme", "schemepart")),
        "4 of http": ("httpurl", ("host", "port", "hpath", "search")),
    },
    "rfc1808": {"5 parts": ("URL", ("scheme", "net_loc", "params", "query", "fragment"))},
    "rfc2396": _2396,
    "rfc2732": _2396,
    "rfc3986": {
        "5 parts": ("URI-reference", ("scheme", "authority", _PATH_3986, "query", "fragment")),
        "8 parts": ("URI-reference", ("scheme", *_AUTHORITY, _PATH_3986, "query", "fragment")),
    },
}

#: The references of RFC 3986, sections 5.4.1 and 5.4.2, but for the empty one; RFC 1808, section 5, has most.
EXAMPLES = (  # noqa: SIM905
    "g:h g ./g g/ /g //g ?y g?y #s g#s g?y#s ;x g;x g;x?y#s . ./ .. ../ ../g ../.. ../../ ../../g "
    "../../../g ../../../../g /./g /../g g. .g g.. ..g ./../g ./g/. g/./h g/../h g;x=1/./y g;x=1/../y "
    "g?y/./x g?y/../x g#s/./x g#s/../x http:g"
).split()


def valid_texts(spec: Specification, texts: Sequence[str]) -> list[str]:
    """Return the texts that have components under the RFC."""
    return [text for text in texts if spec.read(text) is not None]


def verdicts(spec: Specification, texts: Sequence[str]) -> list[Contender]:
    """Return the contenders for a verdict: the compiled pattern, its method, and the question that raises."""
    language = spec.languages[spec.default_rule]
    for text in texts[:200]:  # from here on the language asks its pattern
        language.accepts(text)
    pattern = language.pattern.regex.fullmatch
    return [
        Contender("verdict: compiled pattern", pattern, texts, URLSPLIT),
        Contender("verdict: Language.accepts", language.accepts, texts, URLSPLIT),
        Contender("verdict: the reader inside", spec.accepts, texts, URLSPLIT),
        Contender("verdict: validate()", validate, texts, URLSPLIT, last=spec.id, silent=True),
    ]


def splits(spec: Specification, texts: Sequence[str]) -> list[Contender]:
    """Return the contenders for a split to a plain tuple; RFC 1738 splits any URL in two, and http URLs."""
    contenders = []
    for name, (rule, columns) in COLUMNS[spec.id].items():
        split = spec.languages.pattern(rule, columns).split
        subset = [text for text in texts if text.startswith("http:")] if rule == "httpurl" else texts
        contenders.append(Contender(f"split: plain tuple, {name}", split, subset, URLSPLIT))
    return contenders


def components(spec: Specification, texts: Sequence[str]) -> list[Contender]:
    """Return the contenders for component objects: the questions, and what they ask."""
    return [
        Contender("parse()", parse, texts, URLSPLIT, last=spec.id),
        Contender("parse: the reader inside", spec.read, texts, URLSPLIT),
        Contender("view()", view, texts, URLSPLIT, last=spec.id),
        Contender("view: the reader inside", spec.view, texts, URLSPLIT),
    ]


def normal_forms(spec: Specification, texts: Sequence[str]) -> list[Contender]:
    """Return the contenders for normal forms, none if the RFC has no normal forms."""
    if not spec.defines("normalize"):
        return []
    return [
        Contender(f"normalize(), mode {mode}", partial(normalize, spec=spec.id, mode=mode), texts, URLSPLIT)
        for mode in ("syntax", "scheme")
    ]


def comparisons(spec: Specification, texts: Sequence[str]) -> list[Contender]:
    """Return the contender for a comparison, none if the RFC compares nothing.

    Each absolute text is compared with itself in other letters, or with its neighbour, by turns.
    """
    if not spec.defines("equivalent"):
        return []
    absolute = [text for text in texts if _has_scheme(spec, text)]
    pairs = [
        (text, _shouted(text) if number % 2 else absolute[number - 1]) for number, text in enumerate(absolute)
    ]
    return [Contender("equivalent(), a pair", equivalent, pairs, URLSPLIT, last=spec.id, against=absolute)]


def _has_scheme(spec: Specification, text: str) -> bool:
    parts: Any = spec.read(text)
    return parts is not None and parts.scheme is not None


def _shouted(text: str) -> str:
    scheme, colon, rest = text.partition(":")
    return f"{scheme.upper()}{colon}{rest}"


def pairs(spec: Specification, texts: Sequence[str], which: str) -> list[tuple[str, str]]:
    """Return distinct bases with a hierarchy, each with a reference.

    The references are examples of section 5.4, realistic ones, or either by turns.
    """
    bases = [text for text in texts if "://" in text[:12] and _has_scheme(spec, text)]
    realistic = [text for text in valid_texts(spec, texts) if not _has_scheme(spec, text)]
    examples = valid_texts(spec, EXAMPLES)
    lists = {"examples": [examples], "realistic": [realistic], "both": [examples, realistic]}[which]
    references = zip(*map(cycle, lists), strict=True)  # one of each list, again and again
    return list(zip(bases, chain.from_iterable(references), strict=False))


def resolutions(spec: Specification, texts: Sequence[str]) -> list[Contender]:
    """Return the contenders for a resolution against distinct bases, none if the RFC resolves nothing."""
    if not spec.defines("resolve"):
        return []
    return [
        Contender(f"resolve(), {which}", resolve, pairs(spec, texts, which), URLJOIN, last=spec.id)
        for which in ("both", "examples", "realistic")
    ]
