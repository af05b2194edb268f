"""Changes that no rule asks for, as functions on the text of a URL: what a library does besides its job.

`CHANGES` has them in the order of the table `unchanged.json`; `answer` plants one in an operation.
"""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from collections.abc import Mapping
from typing import Literal, NamedTuple

from .faults import Ask, Question, Reply, is_whole, text
from .texts import (
    BEYOND_ASCII,
    TRIPLET,
    Change,
    collapse,
    decoded,
    encode_beyond_ascii,
    encoded,
    inside,
    lower_triplets,
    remove_dots,
    split,
    sub,
    upper_triplets,
)

#: The default ports of RFC 1738, section 3; that of https is common practice.
PORTS = {
    "ftp": "21",
    "http": "80",
    "https": "443",
    "gopher": "70",
    "nntp": "119",
    "telnet": "23",
    "wais": "210",
    "prospero": "1525",
}

#: The inputs of all operations that are a URL or a header with one.
INPUTS = ("url", "other", "base", "reference", "header", "embedded", "encapsulating", "retrieval", "default")


class Besides(NamedTuple):
    """A change, and what it is done to: any text, or only a text that is refused without it (a repair)."""

    change: Change
    kind: Literal["change", "repair"] = "change"


def in_authority(pattern: str, replacement: str) -> Change:
    """Return a function that replaces what a pattern matches in an authority."""
    return inside("authority", sub(pattern, replacement))


def in_part_of_authority(pattern: str, change: Change) -> Change:
    """Return a function that changes what a pattern matches in an authority."""
    return inside("authority", sub(pattern, lambda match: change(match[0])))


def in_path(pattern: str, replacement: str) -> Change:
    """Return a function that replaces what a pattern matches in a path."""
    return inside("path", sub(pattern, replacement))


def in_query(pattern: str, replacement: str) -> Change:
    """Return a function that replaces what a pattern matches in a query."""
    return inside("query", sub(pattern, replacement))


def both(*changes: Change) -> Change:
    """Return a function that makes several changes, one after the other."""

    def changed(text: str) -> str:
        for change in changes:
            text = change(text)
        return text

    return changed


def in_query_and_fragment(change: Change) -> Change:
    """Return a function that changes query and fragment."""
    return both(inside("query", change), inside("fragment", change))


def in_tail(change: Change) -> Change:
    """Return a function that changes path, query and fragment."""
    return both(inside("path", change), in_query_and_fragment(change))


def lower_but_triplets(text: str) -> str:
    """Return the text in lower case, but for its percent-encodings."""
    return re.sub(rf"({TRIPLET})|[A-Z]", lambda match: match[1] or match[0].lower(), text)


def sorted_parameters(query: str) -> str:
    """Return a query with its parameters sorted by name and value."""
    return "&".join(sorted(query.split("&")))


def without_repeated(query: str) -> str:
    """Return a query in which only the last parameter of each name is left."""
    named = {parameter.partition("=")[0]: parameter for parameter in query.split("&")}
    return "&".join(named.values())


def without_default_port(url: str) -> str:
    """Return a URL without the default port of its scheme."""
    parts = split(url)
    port = PORTS.get((parts.scheme or "").lower())
    return in_authority(f":0*{port}$", "")(url) if port else url


def with_default_port(url: str) -> str:
    """Return a URL with the default port of its scheme if it has none."""
    parts = split(url)
    port = PORTS.get((parts.scheme or "").lower())
    return in_authority(r"((?:^|@)[^@:\[]+|\])$", rf"\1:{port}")(url) if port else url


def respelled(literal: str, spelling: Literal["compressed", "exploded"]) -> str:
    """Return an address in brackets in another spelling; what is no address stays."""
    try:
        return f"[{getattr(ipaddress.IPv6Address(literal[1:-1]), spelling)}]"
    except ValueError:
        return literal


def _number(digits: str) -> int:
    """Return the value of a decimal, octal or hexadecimal number."""
    if digits[:2].lower() == "0x":
        return int(digits[2:] or "0", 16)
    return int(digits, 8 if digits[0] == "0" and not set(digits) & {"8", "9"} else 10)


def _dotted(match: re.Match[str]) -> str:
    """Return one to four numbers as four, as C libraries read an IPv4 address."""
    numbers = [_number(digits) for digits in match[2].split(".")]
    address = sum(number << 8 * (3 - index) for index, number in enumerate(numbers[:-1])) + numbers[-1]
    return match[1] + ".".join(str(address >> shift & 255) for shift in (24, 16, 8, 0))


_IPV6 = r"\[([0-9A-Fa-f:.]+)\]"
#: A decimal, octal or hexadecimal number.
_NUMBER = "(?:0[xX][0-9A-Fa-f]+|[0-9]+)"


def sorted_fields(url: str) -> str:
    """Return a prospero URL with its fields sorted by name."""
    begin, *fields = url.split(";")
    return ";".join([begin, *sorted(fields)]) if url.lower().startswith("prospero:") else url


def strip_all(characters: str) -> Change:
    """Return a function that removes these characters, given as a pattern."""
    return sub(characters, "")


CHANGES: Mapping[str, Besides] = {
    # percent-encodings
    "decode-unreserved": Besides(decoded("2d|2e|3[0-9]|[46][1-9a-f]|[57][0-9a]|5f")),
    "decode-tilde": Besides(decoded("7e")),
    "decode-slash": Besides(decoded("2f")),
    "decode-delimiters": Besides(decoded("3f|23|5b|5d")),
    "decode-colon-at": Besides(decoded("3a|40")),
    "decode-parameter-delimiters": Besides(decoded("26|3d|3b|2b")),
    "decode-marks": Besides(decoded("21|24|2[789ac]")),
    "decode-blank": Besides(decoded("20")),
    "decode-percent": Besides(decoded("25")),
    "decode-non-ascii": Besides(sub("(?:%[89A-Fa-f][0-9A-Fa-f])+", "\N{REPLACEMENT CHARACTER}")),
    "drop-nul": Besides(strip_all("%00")),
    "hex-upper": Besides(upper_triplets),
    "hex-lower": Besides(lower_triplets),
    "encode-percent": Besides(sub("%", "%25")),
    "encode-tilde": Besides(encoded("~")),
    "encode-dollar": Besides(encoded("[$]")),
    "encode-marks": Besides(in_tail(encoded("[!*'()]"))),
    "encode-comma": Besides(in_tail(encoded(","))),
    "encode-colon-at": Besides(in_tail(encoded("[:@]"))),
    "encode-semicolon": Besides(in_tail(encoded(";"))),
    "encode-brackets": Besides(in_tail(encoded(r"[\[\]]"))),
    "encode-query-slash": Besides(in_query_and_fragment(encoded("[/?]"))),
    # the query
    "plus-to-blank": Besides(in_tail(sub("[+]", "%20"))),
    "blank-to-plus": Besides(sub("%20", "+")),
    "encode-plus": Besides(in_tail(encoded("[+]"))),
    "semicolon-to-ampersand": Besides(in_query(";", "&")),
    "ampersand-to-semicolon": Besides(in_query("&", ";")),
    "sort-query": Besides(inside("query", sorted_parameters)),
    "drop-repeated-parameter": Besides(inside("query", without_repeated)),
    "drop-empty-parameter": Besides(in_query("(?<=&)&+|^&+|&+$", "")),
    "drop-empty-value": Besides(in_query("=(?=&|$)", "")),
    "add-empty-value": Besides(in_query("(^|&)([^&=]+)(?=&|$)", r"\1\2=")),
    # the authority
    "drop-default-port": Besides(without_default_port),
    "drop-port-of-another-scheme": Besides(in_authority(":80$", "")),
    "add-default-port": Besides(with_default_port),
    "drop-port-zeros": Besides(in_authority(r"(^|[^:\[]*@)([^:@]*|\[.*\]):0+(?=[0-9])", r"\1\2:")),
    "drop-empty-port": Besides(in_authority(":$", "")),
    "drop-empty-userinfo": Besides(in_authority("^@", "")),
    "drop-empty-password": Besides(in_authority("^([^:@]*):@", r"\1@")),
    "drop-password": Besides(in_authority("^([^:@]*):[^@]+@", r"\1@")),
    "drop-userinfo": Besides(in_authority("^[^@]+@", "")),
    "drop-empty-authority": Besides(sub("^([^/?#]*:)?//(?=/)", r"\1")),
    "lower-userinfo": Besides(in_part_of_authority("^[^@]*@", lower_but_triplets)),
    "drop-trailing-dot": Besides(in_authority(r"(?<=[^.])\.(?=:|$)", "")),
    "decode-host": Besides(in_part_of_authority("[^@]*$", decoded("[46][1-9a-f]"))),
    "drop-localhost": Besides(in_authority("^localhost$", "")),
    "read-number-as-ipv4": Besides(
        inside("authority", sub(rf"(^|@)({_NUMBER}(?:\.{_NUMBER}){{0,3}})(?=:|$)", _dotted))
    ),
    "lower-ipv6": Besides(in_part_of_authority(_IPV6, str.lower)),
    "upper-ipv6": Besides(in_part_of_authority(_IPV6, str.upper)),
    "compress-ipv6": Besides(in_part_of_authority(_IPV6, lambda literal: respelled(literal, "compressed"))),
    "expand-ipv6": Besides(in_part_of_authority(_IPV6, lambda literal: respelled(literal, "exploded"))),
    "drop-brackets": Besides(in_authority(_IPV6, r"\1")),
    # the path
    "lower-path": Besides(inside("path", lower_but_triplets)),
    "collapse-slashes": Besides(inside("path", collapse)),
    "drop-trailing-slash": Besides(in_path("(?<=[^/])/$", "")),
    "add-trailing-slash": Besides(in_path("(/[^/.;]+)$", r"\1/")),
    "drop-root-slash": Besides(sub("^([^/?#]*//[^/?#]*)/(?=$|[?#])", r"\1")),
    "add-root-slash": Besides(sub("^([^/?#]*//[^/?#]+)(?=$|[?#])", r"\1/")),
    "drop-index-file": Besides(in_path(r"/index\.html$", "/")),
    "remove-dots": Besides(inside("path", remove_dots)),
    "remove-encoded-dots": Besides(inside("path", both(decoded("2e"), remove_dots))),
    "drop-parameters": Besides(in_path("(?<=/)([^/;]*);[^/]*", r"\1")),
    "drop-empty-parameters": Besides(in_path(";(?=/|$)", "")),
    "sort-prospero-fields": Besides(sorted_fields),
    # query and fragment
    "lower-query": Besides(inside("query", lower_but_triplets)),
    "lower-fragment": Besides(inside("fragment", lower_but_triplets)),
    "drop-empty-query": Besides(sub(r"\?(?=#|$)", "")),
    "drop-empty-fragment": Besides(sub("#$", "")),
    "drop-fragment": Besides(sub("#.+", "")),
    # characters beyond ASCII
    "encode-letters": Besides(encode_beyond_ascii),
    "compose-letters": Besides(lambda url: unicodedata.normalize("NFC", url)),
    "replace-compatible": Besides(sub(BEYOND_ASCII, lambda match: unicodedata.normalize("NFKC", match[0]))),
    "lower-letters": Besides(sub(BEYOND_ASCII, lambda match: match[0].lower())),
    # repairs
    "strip-blanks": Besides(lambda url: url.strip(" "), "repair"),
    "strip-controls": Besides(lambda url: url.strip("\t\n\r\0"), "repair"),
    "remove-line-breaks": Besides(strip_all("[\t\n\r]"), "repair"),
    "remove-blanks": Besides(strip_all(" "), "repair"),
    "encode-blank": Besides(encoded(" "), "repair"),
    "turn-backslash": Besides(sub(r"\\", "/"), "repair"),
    "encode-excluded": Besides(encoded(r"[\"<>\\^`{|}]"), "repair"),
    "encode-bare-percent": Besides(sub("%(?![0-9A-Fa-f]{2})", "%25"), "repair"),
    "encode-non-ascii": Besides(sub("[^\x00-\x7f]", "%C3%A9"), "repair"),
    "cut-at-nul": Besides(sub("\0.*", ""), "repair"),
    "add-slashes": Besides(sub("^(https?:)/?(?!/)", r"\1//"), "repair"),
}


def answer(besides: Besides, question: Question, right: Reply, ask: Ask) -> Reply:
    """Return the answer of a library that is right but for one change that it makes besides its job.

    A library that changes what it reads is asked about the changed text. One that changes what it writes
    gives the changed text, and calls texts equivalent that the change makes equal.
    """
    change, kind = besides
    if kind == "repair" or question["op"] in ("validate", "parse", "decode"):
        if (kind == "repair" and right["status"] == "ok") or not is_whole(question):
            return right
        inputs = {name: text(question[name]) for name in INPUTS if question.get(name) is not None}
        changed = {name: change(url) for name, url in inputs.items()}
        return right if changed == inputs else ask({**question, **changed})
    if right["status"] != "ok":
        return right
    if question["op"] == "equivalent":
        same = change(text(question["url"])) == change(text(question["other"]))
        return {**right, "equal": right["equal"] or same}
    if "urls" in right:
        return {**right, "urls": [[change(reading) for reading in readings] for readings in right["urls"]]}
    return {**right, **{name: change(text(right[name])) for name in ("url", "base") if right.get(name)}}
