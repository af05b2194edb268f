"""Random texts, distinct and the same in every run: octets read as text, and code points.

Many of them are URLs with a few edits, or begin with a scheme, so that they get far into a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

#: Every scheme of RFC 1738, every kind of reference, and what is cut where: each one edit from trouble.
SEEDS = (
    "http://host.example:80/a/b;c?d=e&f#g",
    "http://user:pass@192.0.2.7/%7Ea/../b",
    "http://[2001:db8::192.0.2.7]:8080/?q#",
    "http://[v1.a:b]/",
    "ftp://u:p@h/a/%2Fb;type=i",
    "gopher://h:70/1sel%09search%09+string",
    "mailto:joe%40a@b.example",
    "news:comp.infosystems.www",
    "news:12%3E@h.example",
    "news:*",
    "nntp://h/a.b/12",
    "telnet://u:p@h:23/",
    "wais://h/db?search",
    "wais://h/db/type/path",
    "file://localhost/c|/a",
    "prospero://h:191/a/b;n=v;m=w",
    "x-y+z.1:opaque?part",
    "//a.b-c.d./p;q?r#s",
    "../../.././a/..",
    "/.//b/./c/../../d",
    "a;b;c?d?e#f",
    "?y",
    "#",
    "",
    ":",
    "//",
    "1.2.3.4:5",
    "Base: <URL:http://h/ \r\n a>",
    'see <URL:http://h/a-\n b>, <http://h>, "x:y" and http://h.',
    "Base:<URL:",
    "%",
    "%zz%4",
    "a:b:c@d@e//f??g##h",
)

_SIGNS = ":/?#[]@!$&'()*+,;=%-._~<>\"|\\^`{} \t\r\n\x00\x7f"
_PLAIN = "abcdefxyzAFZ0123456789"

#: What case folding, decimal digits, invisible signs and pairs of surrogates could mislead.
_TRICKS = (
    "\u0130\u0131\u017f\u212a\u00df\u0661\u0967\uff10\uff0f\uff1a\u3002\u00ad\u200b\u2028\u2029\ufeff"
    "\ud800\udbff\udc00\udfff\udc80\udcff\ufffe\uffff\U00010000\U0001f600\U0010ffff\u0301\u202e\x85\xa0"
)


def byte_texts(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield random octets, read as Latin-1 and as UTF-8, in which lone surrogates stand for other octets."""
    random = Random(seed)

    def intruder() -> str:
        return chr(random.randrange(256)) if random.random() < 0.2 else random.choice(_SIGNS + _PLAIN)

    def anything() -> str:
        return random.randbytes(random.randrange(40)).decode("latin-1")

    for text in islice(_distinct(_texts(random, intruder, anything)), count):
        yield text, text.encode("latin-1").decode("utf-8", "surrogateescape")


def code_point_texts(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield random code points, lone surrogates among them; each text twice."""
    random = Random(seed)

    def intruder() -> str:
        chance = random.random()
        if chance < 0.1:
            return random.choice(_TRICKS)
        return chr(random.randrange(0x110000)) if chance < 0.2 else random.choice(_SIGNS + _PLAIN)

    def anything() -> str:
        top = random.choice((0x80, 0x800, 0x10000, 0x110000))
        return "".join(chr(random.randrange(top)) for _ in range(random.randrange(20)))

    for text in islice(_distinct(_texts(random, intruder, anything)), count):
        yield text, text


def _distinct(texts: Iterator[str]) -> Iterator[str]:
    """Yield each text once."""
    seen: set[str] = set()
    for text in texts:
        if text not in seen:
            seen.add(text)
            yield text


def _texts(random: Random, intruder: Callable[[], str], anything: Callable[[], str]) -> Iterator[str]:
    """Yield texts without end: random ones, and edited seeds."""
    while True:
        chance = random.random()
        if chance < 0.15:
            yield anything()
        elif chance < 0.3:
            yield "".join(random.choices(_SIGNS + _PLAIN, k=random.randrange(24)))
        elif chance < 0.4:
            head = random.choice(SEEDS).partition(":")[0]
            part = random.choice(("", "/", "//", "//h/"))
            yield f"{head}:{part}{intruder() * random.randrange(8)}{anything()}"
        else:
            yield _edited(random, random.choice(SEEDS), intruder)


def _edited(random: Random, text: str, intruder: Callable[[], str]) -> str:
    """Return the text after a few edits: a part left out, put in, put in place of another, or said again."""
    for _ in range(random.choice((0, 1, 1, 2, 2, 4))):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice((0, 1, 1, 3)))
        middle = random.choice(("", intruder(), intruder(), text[start:end] * 3))
        text = text[:start] + middle + text[end:]
    return text
