"""A made list of distinct everyday URLs, the same for each seed on every Python: what the benchmarks read.

The shares are those of the URLs that a crawler, a mail archive and a configuration file bring together:

    web        0.700   http and https; the host is a registered name, in 4 % an IPv4 and in 1.5 % an IPv6
                       literal; 9 % with a port, 1.5 % with userinfo, 94 % with a path, 45 % with a query,
                       12 % with a fragment; of the words 4 % carry percent-encodings and 1 % a tilde
    transfer   0.045   ftp (now and then with user, password and ;type=), sftp, ws, wss, git, ldap, nntp
                       and telnet
    file       0.015   file:/// and file://localhost/
    relative   0.120   relative references: paths with and without dot segments, ?query, #fragment, //host
    opaque     0.070   mailto, urn, data, news, tel, doi
    invalid    0.050   one of the above with one fault, which RFC 3986 does not derive (`FAULTS`)

The mean length is about 60 characters.  Only `Random.random` is drawn from, whose sequence Python keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

SEED = 3986
COUNT = 100_000

SHARES = {
    "web": 0.70,
    "transfer": 0.045,
    "file": 0.015,
    "relative": 0.12,
    "opaque": 0.07,
    "invalid": 0.05,
}


class Made(NamedTuple):
    """A text, its kind, and for an invalid one the name of its fault."""

    text: str
    kind: str
    fault: str | None = None


_WORDS = (  # noqa: SIM905 - words, read as words
    "about account admin api archive article articles assets author blog book browse cart catalog category "
    "checkout collection comments community conference contact css data date default details discussion docs "
    "download edit en events export faq feed files forum gallery help history home images img index info "
    "issue items jobs js latest library license list login main manual map media member message mobile music "
    "name new news node notes open order page papers people photo photos policy post posts press privacy "
    "product products profile project public question read reference register release report research "
    "results review rss sale search section series service settings shop show site software sort source spec "
    "standards start static stats status store stories story style support tag tags team terms test thread "
    "title tools top topic travel update uploads user users version video view watch weather wiki work world"
).split()
_HOSTS = (  # noqa: SIM905 - words, read as words
    "example.com example.org example.net www.example.com www.example.org shop.example.com cdn.example.net "
    "static.example.net api.example.com docs.example.org en.wiki.example.org news.example.net "
    "mail.example.com img7.media.example.net my-site.example.org archive.example.edu cs.example.edu "
    "EXAMPLE.com xn--bcher-kva.example localhost"
).split()
_SUFFIXES = ("html", "html", "php", "jpg", "png", "pdf", "js", "css", "xml", "json", "tar.gz", "txt", "htm")
_KEYS = (  # noqa: SIM905 - words, read as words
    "id q page lang sort ref utm_source utm_medium utm_campaign v t s category from to sid token size"
).split()
_TRIPLETS = ("%20", "%2F", "%C3%A9", "%E2%80%99", "%3D", "%26", "%2c", "%C3%BC", "%25")
_IPV6 = ("2001:db8::{:x}", "2001:db8:85a3::8a2e:{:x}:7334", "::1", "fe80::1:{:x}", "::ffff:192.0.2.33")


class _Maker:
    """Draws the parts of URLs, each from those below it."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random

    def happens(self, share: float) -> bool:
        return self._random() < share

    def number(self, below: int) -> int:
        return int(self._random() * below)

    def one_of(self, items: Sequence[str]) -> str:
        return items[self.number(len(items))]

    def kind(self) -> str:
        point = self._random()
        for kind, share in SHARES.items():
            point -= share
            if point < 0:
                return kind
        return "web"

    def word(self) -> str:
        word = self.one_of(_WORDS)
        point = self._random()
        if point < 0.04:
            return f"{word}{self.one_of(_TRIPLETS)}{self.one_of(_WORDS)}"
        if point < 0.30:
            return f"{word}-{self.one_of(_WORDS)}"
        if point < 0.36:
            return f"{word}_{self.number(100)}"
        if point < 0.50:
            return f"{self.number(1_000_000)}"
        return f"~{word}" if point < 0.51 else word

    def name(self) -> str:
        if self.happens(0.6):
            return self.one_of(_HOSTS)
        return f"{self.one_of(_WORDS)}{self.number(1000)}.{self.one_of(_HOSTS)}"

    def host(self) -> str:
        point = self._random()
        if point < 0.04:
            return f"192.0.{self.number(3)}.{self.number(256)}"
        if point < 0.055:
            return f"[{self.one_of(_IPV6).format(self.number(65536))}]"
        return self.name()

    def authority(self, userinfo: float, port: float) -> str:
        host = self.host()
        if self.happens(userinfo):
            secret = f":{self.word()}" if self.happens(0.4) else ""
            host = f"{self.one_of(_WORDS)}{secret}@{host}"
        return f"{host}:{self.one_of(('80', '8080', '443', '8443', '3000'))}" if self.happens(port) else host

    def segments(self, most: int) -> str:
        return "/".join(self.word() for _ in range(1 + self.number(most)))

    def path(self) -> str:
        point = self._random()
        if point < 0.06:
            return ""
        if point < 0.12:
            return "/"
        path = f"/{self.segments(4)}"
        if point < 0.55:
            return f"{path}.{self.one_of(_SUFFIXES)}"
        return f"{path}/" if point < 0.72 else path

    def query(self) -> str:
        pairs = []
        for _ in range(1 + self.number(3)):
            words = self.word() if self.happens(0.8) else f"{self.word()}+{self.word()}"
            pairs.append(f"{self.one_of(_KEYS)}={words}")
        return "&".join(pairs)

    def tail(self, query: float, fragment: float) -> str:
        after = f"?{self.query()}" if self.happens(query) else ""
        return f"{after}#{self.word()}" if self.happens(fragment) else after

    def web(self) -> str:
        scheme = "https" if self.happens(0.7) else "http"
        return f"{scheme}://{self.authority(0.015, 0.09)}{self.path()}{self.tail(0.45, 0.12)}"

    def transfer(self) -> str:
        scheme = self.one_of(
            ("ftp", "ftp", "ftp", "ftp", "sftp", "ws", "wss", "git", "ldap", "nntp", "telnet")
        )
        match scheme:
            case "nntp":
                return f"nntp://{self.name()}/comp.{self.one_of(_WORDS)}.{self.word()}/{self.number(100_000)}"
            case "telnet":
                return f"telnet://{self.authority(0.3, 0.5)}/"
            case "ldap":
                return f"ldap://{self.name()}/cn={self.word()},dc={self.one_of(_WORDS)}?{self.one_of(_WORDS)}?sub"
            case "ws" | "wss":
                return f"{scheme}://{self.authority(0, 0.4)}/{self.segments(3)}{self.tail(0.4, 0)}"
        kind = f";type={self.one_of(('a', 'i', 'd'))}" if scheme == "ftp" and self.happens(0.15) else ""
        return f"{scheme}://{self.authority(0.25, 0.05)}/{self.segments(5)}.{self.one_of(_SUFFIXES)}{kind}"

    def file(self) -> str:
        host = "localhost" if self.happens(0.2) else ""
        return f"file://{host}/{self.one_of(('home', 'usr/share', 'C:', 'tmp'))}/{self.segments(5)}.txt"

    def relative(self) -> str:
        point = self._random()
        if point < 0.40:
            return f"/{self.segments(4)}{self.tail(0.35, 0.1)}"
        if point < 0.60:
            return f"{'../' * (1 + self.number(3))}{self.segments(3)}.{self.one_of(_SUFFIXES)}"
        if point < 0.70:
            return f"./{self.segments(3)}{self.tail(0.2, 0.2)}"
        if point < 0.85:
            return f"{self.segments(3)}.{self.one_of(_SUFFIXES)}{self.tail(0.4, 0.2)}"
        if point < 0.90:
            return f"?{self.query()}"
        if point < 0.95:
            return f"#{self.word()}-{self.number(1000)}"
        return f"//{self.authority(0, 0.05)}{self.path()}{self.tail(0.3, 0)}"

    def opaque(self) -> str:
        point = self._random()
        if point < 0.40:
            subject = f"?subject={self.word()}%20{self.word()}" if self.happens(0.2) else ""
            return f"mailto:{self.one_of(_WORDS)}.{self.word()}@{self.name()}{subject}"
        if point < 0.55:
            return f"urn:isbn:{self.number(10**9):09d}{self.number(10)}"
        if point < 0.65:
            return f"urn:example:{self.word()}:{self.segments(3)}"
        if point < 0.80:
            kind = self.one_of(("text/plain", "image/png;base64", "text/html;charset=utf-8"))
            return f"data:{kind},{''.join(self.word() for _ in range(3 + self.number(8)))}=="
        if point < 0.90:
            return f"news:comp.{self.one_of(_WORDS)}.{self.word()}.{self.one_of(_WORDS)}"
        if point < 0.95:
            return f"tel:+1-555-{self.number(10**7):07d}"
        return f"doi:10.{1000 + self.number(9000)}/{self.word()}.{self.number(10**6)}"


Fault = Callable[[_Maker, str], str]


def _inside(insert: str) -> Fault:
    """Return a fault that puts something between two characters of the text."""

    def fault(draw: _Maker, text: str) -> str:
        index = 1 + draw.number(len(text) - 1)
        return text[:index] + insert + text[index:]

    return fault


def _with_host(host: str) -> Fault:
    """Return a fault in the place of a host; it makes a text of its own."""

    def fault(draw: _Maker, _: str) -> str:
        return f"http://{host.format(draw.number(65536))}/{draw.segments(3)}{draw.tail(0.4, 0.1)}"

    return fault


#: Each fault by name: from a valid text to one that RFC 3986 does not derive.
FAULTS: dict[str, Fault] = {
    "space": _inside(" "),
    "pipe": _inside("|"),
    "quotation": _inside('"'),
    "angle": _inside("<b>"),
    "braces": _inside("{id}"),
    "backslash": _inside("\\"),
    "caret": _inside("^"),
    "control": _inside("\t"),
    "letter-beyond-ascii": _inside("é"),
    "percent-alone": _inside("%"),
    "percent-without-digits": _inside("%zz"),
    "two-fragments": lambda draw, text: f"{text}#{draw.word()}#{draw.word()}",
    "brackets-in-path": lambda draw, _: f"/{draw.segments(3)}[{draw.number(1000)}]{draw.tail(0.4, 0.1)}",
    "port-of-letters": _with_host("example.com:{:x}g"),
    "address-too-long": _with_host("[2001:db8:0:1:2:3:4:5:{:x}]"),
    "address-not-closed": _with_host("[2001:db8::{:x}"),
}


def _percent_is_undone(fault: str, text: str) -> bool:
    """True where the percent sign that was put in has become a triplet with what follows it."""
    if fault != "percent-alone":
        return False
    digits = set("0123456789ABCDEFabcdef")
    return all(set(rest[:2]) <= digits and len(rest) > 1 for rest in text.split("%")[1:])


def mix(count: int = COUNT, seed: int = SEED) -> list[Made]:
    """Return so many distinct texts, in a random order; a longer list begins as a shorter one."""
    draw = _Maker(seed)
    faults = tuple(FAULTS)
    seen: set[str] = set()
    texts: list[Made] = []
    while len(texts) < count:
        kind = draw.kind()
        fault = None
        if kind == "invalid":
            fault = draw.one_of(faults)
            text = FAULTS[fault](
                draw, getattr(draw, draw.one_of(("web", "web", "web", "relative", "opaque")))()
            )
            if _percent_is_undone(fault, text):
                continue
        else:
            text = getattr(draw, kind)()
        if text not in seen:
            seen.add(text)
            texts.append(Made(text, kind, fault))
    return texts


def urls(count: int = COUNT, seed: int = SEED) -> list[str]:
    """Return the texts of `mix`."""
    return [entry.text for entry in mix(count, seed)]
