"""Texts made to be slow, and the questions that are put to them: a beginning, a unit repeated, an end.

The units are what patterns go back over, what stacks of segments hold, and what searches start from again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from urloracle.errors import InvalidURL
from urloracle.explanation import derive, nearest_valid, resolution_steps
from urloracle.operations import base_header, decode, equivalent, extract, normalize, parse, resolve, validate
from urloracle.specification import Specification, Unsupported

Call = Callable[[str], object]

#: The only scheme-specific rules are those of RFC 1738.
_GENERIC = ("rfc1738", "rfc1808", "rfc2396", "rfc2732", "rfc3986")
_LATER = _GENERIC[1:]

#: How often a rule is asked before its pattern answers in the place of its automaton.
_FIRST = 110


@dataclass(frozen=True)
class Family:
    """Texts of one form in every length; `specs` are those it is made for, `only` a question of its own."""

    name: str
    before: str
    unit: str
    after: str = ""
    specs: tuple[str, ...] = _GENERIC
    only: str = ""

    @property
    def written(self) -> str:
        """The form as an expression of Python."""
        parts = [repr(self.before), f"{self.unit!r} * n", repr(self.after)]
        return " + ".join(part for part in parts if part != "''")

    def text(self, size: int) -> str:
        """Return the text of about so many characters."""
        count = (size - len(self.before) - len(self.after)) // len(self.unit)
        return f"{self.before}{self.unit * count}{self.after}"

    def concerns(self, spec: str, question: str) -> bool:
        """True where the question is put to this family under the specification."""
        return spec in self.specs and self.only in ("", question)


def _families() -> Iterator[Family]:
    units = {
        "letters": "a",
        "triplets": "%41",
        "slashes": "/",
        "dot-dot": "../",
        "dot": "./",
        "there-and-back": "a/../",
        "semicolons": ";",
        "parameters": ";a=b",
        "at-signs": "@",
        "colons": ":",
        "question-marks": "?",
        "crosshatches": "#",
        "hyphens-and-dots": "-.",
        "digits": "0",
    }
    for name, unit in units.items():
        yield Family(f"path of {name}", "http://h/", unit)
        yield Family(f"path of {name}, wrong at the end", "http://h/", unit, " ")
    for name in ("letters", "there-and-back", "dot-dot", "dot", "colons", "question-marks", "triplets"):
        yield Family(f"rootless {name}", "x:", f"{units[name]}", "..")
        yield Family(f"relative {name}", "", units[name], "..", _LATER)
    authority = {
        "letters": "a",
        "labels": "a.",
        "hyphens": "a-",
        "hyphens-and-dots": "-.",
        "digits": "0",
        "octets": "1.",
        "triplets": "%41",
        "colons": ":",
        "at-signs": "@",
        "semicolons": ";",
    }
    for name, unit in authority.items():
        for scheme in ("http", "x"):
            yield Family(f"{scheme} authority of {name}", f"{scheme}://", unit)
            yield Family(f"{scheme} authority of {name}, then @", f"{scheme}://", unit, "@h")
            yield Family(f"{scheme} authority of {name}, wrong at the end", f"{scheme}://", unit, "<")
    yield Family("port of digits", "http://h:", "0")
    yield Family("query of question-marks", "http://h/?", "?")
    yield Family("fragment of slashes", "http://h/#", "/", "", _LATER)
    yield Family("scheme of letters", "", "a", ":")
    yield Family("scheme of signs", "a", "+-.", ":")
    yield Family("almost IPv6", "http://[", "0:", "]")
    yield Family("elisions", "http://[", "::", "]")
    yield Family("brackets that open", "http://", "[")
    yield Family("future address", "http://[v1.", ":", "]", ("rfc3986",))
    yield from _families_rfc1738()
    yield from _families_of_text()


def _families_rfc1738() -> Iterator[Family]:
    units = {
        "ftp types": ("ftp://h/", ";type=a"),
        "ftp users": ("ftp://", "a:"),
        "gopher tabs": ("gopher://h/1", "%09"),
        "gopher searches": ("gopher://h/1", "a%09"),
        "gopher strings": ("gopher://h/1", "%09a"),
        "mail signs": ("mailto:", "a@"),
        "news signs": ("news:", "a@"),
        "news dots": ("news:", "a."),
        "nntp digits": ("nntp://h/a/", "0"),
        "nntp slashes": ("nntp://h/a", "/"),
        "prospero fields": ("prospero://h/", ";a=b"),
        "prospero semicolons": ("prospero://h/", ";"),
        "telnet colons": ("telnet://", ":"),
        "wais slashes": ("wais://h/a/b", "/"),
        "wais question marks": ("wais://h/", "?"),
        "file dots": ("file://", "a."),
    }
    for name, (before, unit) in units.items():
        yield Family(name, before, unit, "", ("rfc1738",))
        yield Family(f"{name}, wrong at the end", before, unit, " ", ("rfc1738",))


def _families_of_text() -> Iterator[Family]:
    texts = {
        "wrapper openings": "<URL:",
        "bracket openings": "<",
        "quotes": '"',
        "quotes before blanks": '" ',
        "quoted openings": '"<',
        "URLs between brackets": "<http://h/a> ",
        "URLs between blanks": "http://h/a ",
        "words with colons": "a:b ",
        "brackets around words": "(http://h)",
        "hyphens at line ends": "-\n",
        "line ends": "\n",
        "prefixes": "URL:",
    }
    for name, unit in texts.items():
        yield Family(name, "", unit, only="extract")
        yield Family(f"{name} in a wrapper", "<URL:http://h/", unit, ">", only="extract")
        yield Family(f"{name} in an open wrapper", "<URL:http://h/", unit, only="extract")
    for name, unit in {"letters": "a", "line ends": "\n ", "openings": "<"}.items():
        yield Family(f"header of {name}", "Base: <URL:http://h/", unit, ">", ("rfc1808",), "base_header")
    yield Family("header of blanks", "Base:", " ", "", ("rfc1808",), "base_header")


FAMILIES = tuple(_families())


@dataclass(frozen=True)
class Question:
    """A question of one text, the lengths that it is asked for, and the seconds that it may take."""

    name: str
    call: Call
    largest: int = 10_000_000
    smallest: int = 1_000
    patience: float = 10.0


def ask(call: Call, text: str) -> None:
    """Ask; a refusal is an answer."""
    with suppress(InvalidURL, Unsupported):
        call(text)


def questions(spec: Specification) -> Iterator[Question]:
    """Yield the questions that a specification answers, after its patterns were compiled and used.

    Derivation, nearest text and the steps of a resolution have long answers, so their texts are shorter.
    """
    whole = partial(validate, spec=spec.id)
    for text in ("http://h/", "x:", "//h/", *(f"{scheme}://h/a/b" for scheme in spec.schemes)):
        for _ in range(_FIRST):
            ask(whole, text)
    yield Question("validate", whole)
    yield Question("parse", lambda text: parse(text, spec.id))
    if spec.defines("resolve"):
        yield Question("resolve it", lambda text: resolve("http://a/b/c?d", text, spec.id))
        yield Question("resolve against it", lambda text: resolve(text, "../g", spec.id))
        yield Question("steps", lambda text: resolution_steps("http://a/b", text, spec.id), 100_000, 250, 1.0)
    if spec.defines("normalize"):
        yield Question("normalize", lambda text: normalize(text, spec.id, "scheme"))
    if spec.defines("equivalent"):
        yield Question("equivalent", lambda text: equivalent(text, text.swapcase(), spec.id, "scheme"))
    if spec.defines("extract"):
        yield Question("extract", lambda text: extract(text, spec.id))
    if spec.id == "rfc1738":
        yield Question("decode", decode)
    if spec.id == "rfc1808":
        yield Question("base_header", base_header)
    yield Question("derive", lambda text: derive(text, spec.id), 100_000, 250, 1.0)
    yield Question("nearest", lambda text: nearest_valid(text, spec.id), 100_000, 250, 1.0)
