"""Bypasses: texts in which the parser that checks a URL and the one that fetches it see different hosts."""

from __future__ import annotations

import re
import socket
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import partial
from itertools import product, zip_longest
from typing import NamedTuple

from urlharness.adapters.functions import omits_brackets
from urlharness.adapters.registry import Adapter, ProgramPerCase
from urlharness.compare.classes import class_of_text, class_of_unlisted_scheme, value_pair
from urlharness.compare.questions import urls_with_authority
from urlharness.corpus.loader import load
from urlharness.corpus.specifications import DEFAULT_SPEC, url_specs
from urlharness.explain.by_rfc import Comparison, RFCAnswer, compare_splits
from urlharness.generate.hosts import FETCHED_SCHEMES, LOCAL_HOSTS, host_texts, planted_texts
from urlharness.panel.answer import Answer
from urlharness.panel.hosts import HostRelation, host_relation, host_target, is_ipv6_address, same_host
from urlharness.panel.panel import AdapterAnswers, Panel, TextQuestions
from urlharness.protocol.messages import CONNECT
from urlharness.text import ascii_lower
from urlharness.wording import enumerated
from urloracle.rfcs import SPECIFICATIONS

#: A program that must be started for each text gets at most this number of texts.
MOST_FOR_A_PROGRAM_PER_TEXT = 1_000

#: A text as its scheme, its slashes, and the rest.
_BEGINNING = re.compile(r"([A-Za-z][^:/?#]*:)?([/\\]*)(.*)", re.DOTALL)

#: The schemes of exploits, the best first.
_SCHEMES = ("http", "https")

#: A triplet, or a word between delimiters as group 1: a host of a text.
_WORDS = re.compile(r"%[0-9A-Fa-f]{2}|([^\W_]+(?:[.-][^\W_]+)*)")

#: For an exploit, names are planted in this many of the shortest texts of a class.
_MODELS = 24

#: The number of different words of a text in which names are planted.
_MOST_WORDS = 3

#: An unusual beginning of a text counts as much as this number of delimiters.
_SURCHARGE = 2

#: All numbers of slashes from this one on are alike.
_MOST_SLASHES = 4

#: The characters that a browser removes from a text, wherever they are.
_DROPPED = str.maketrans("", "", "\t\r\n")

#: Delimiters, triplets, and groups of characters that are as good as one.
_MARKS = re.compile(
    "(?P<digits>[0-9]+)|(?P<control>[\x00-\x1f\x7f])|(?P<letters>[^\x00-\x7f]+)|%[0-9A-Fa-f]{2}|[^A-Za-z]"
)


class BypassRow(StrEnum):
    """A way in which a text gets past a check, the most harmful first."""

    OTHER_TARGET = "other target"
    SAME_TARGET = "same target by another text"
    FETCHER_ONLY = "only the fetcher sees a host"


#: The meaning of each row, and of the differences that are not a bypass.
MEANINGS: Mapping[BypassRow, str] = {
    BypassRow.OTHER_TARGET: "passes as one host, is fetched from another",
    BypassRow.SAME_TARGET: "a deny list that compares text is deceived",
    BypassRow.FETCHER_ONLY: "the check sees no host, the fetch goes to one",
}
SPELLING, SPELLING_MEANING = "spelling only", "case, or the zeros, brackets, colons of IPv6"
TRAILING_DOT, TRAILING_DOT_MEANING = "trailing dot only", "only one of the two hosts ends with a dot"


class Planted(NamedTuple):
    """Two host names to plant in texts: the one that the check shall see, and the one to fetch from."""

    checked: str = "good.example"
    fetched: str = "evil.example"


class Witness(NamedTuple):
    """A text that both parsers accept, with the host that each of them sees."""

    text: str
    checked: str | None
    fetched: str


class BypassClass(NamedTuple):
    """The texts of one row and one class of difference, the shortest first.

    `entry` is the id of the class of difference, or None. `exploit` is a text with a scheme and the planted
    names, or None if no such text was found: the parser that checks sees the first name (or something else
    than the second, according to the row), and the other one goes to the second name.
    """

    row: BypassRow
    entry: str | None
    witnesses: tuple[Witness, ...]
    exploit: Witness | None = None

    @property
    def shortest(self) -> Witness:
        """The shortest text."""
        return self.witnesses[0]


class Remedy(NamedTuple):
    """A possible fix: refuse all texts that an RFC refuses. `left` counts the bypasses that remain then."""

    spec: str
    left: int


class Measure(NamedTuple):
    """A kind of text to refuse, in words, besides the texts that RFC 3986 refuses.

    `example` is the shortest text that it closes. `left` counts the bypasses that remain after it and after
    all measures before it.
    """

    words: str
    example: str
    left: int


class Bypass(NamedTuple):
    """The result for two parsers: the texts that the check lets pass, and that it did not really check.

    `texts` counts all texts, and `both` the texts that both parsers accept. `spelling` counts the texts in
    which their hosts differ only in spelling, and `dots` those in which only one host ends with a dot.
    `not_fetched` counts the texts in which the hosts differ, but whose scheme is none of `FETCHED_SCHEMES`: a
    parser alone does not show whether a client fetches them, so they are in no row. `measures` close what is
    left once the texts that RFC 3986 refuses are refused; those that would close nothing are left out. If one
    of the parsers is a program that must be started for each text, `left_out` counts the texts that were not
    asked. `rows` are the rows to show.
    """

    check: AdapterAnswers
    fetch: AdapterAnswers
    texts: int
    both: int
    spelling: int
    dots: int
    classes: tuple[BypassClass, ...]
    remedies: tuple[Remedy, ...]
    not_fetched: int = 0
    left_out: int = 0
    rows: tuple[BypassRow, ...] = tuple(BypassRow)
    measures: tuple[Measure, ...] = ()

    @property
    def passing(self) -> int:
        """The number of texts that are a bypass."""
        return sum(self.counts.values())

    @property
    def counts(self) -> Mapping[BypassRow, int]:
        """The number of texts of each row."""
        counts = dict.fromkeys(BypassRow, 0)
        for group in self.classes:
            counts[group.row] += len(group.witnesses)
        return counts

    def only(self, row: BypassRow) -> Bypass:
        """Return the result without the other rows."""
        classes = tuple(group for group in self.classes if group.row is row)
        readings = _readings_by_rfc(classes)
        return self._replace(
            classes=classes, remedies=_remedies(readings), rows=(row,), measures=_measures(readings)
        )


def standard_texts(planted: Planted) -> list[str]:
    """Return the texts that two parsers get: the URLs of the corpus, the host tier, and the planted texts."""
    texts = [*planted_texts(planted), *urls_with_authority(load().cases), *host_texts()]
    return list(dict.fromkeys(texts))


def find_bypasses(
    check: Adapter, fetch: Adapter, texts: Sequence[str], planted: Planted | None = None
) -> Bypass:
    """Ask both parsers about the texts, and return those in which they see different hosts, by class.

    Then look for an exploit of each class, with the two planted names.
    """
    names = planted or Planted()
    starts_anew = isinstance(check, ProgramPerCase) or isinstance(fetch, ProgramPerCase)
    texts_to_ask = _texts_for_slow_program(texts, names) if starts_anew else texts
    bypass = _compare_parsers(check, fetch, texts_to_ask)
    renamed: dict[str, None] = {}  # a set in the order of the classes
    for group in bypass.classes:
        renamed |= dict.fromkeys(_renamed_texts(group, names, models=1 if starts_anew else _MODELS))
    classes_of_renamed = _compare_parsers(check, fetch, list(renamed)).classes if renamed else ()
    classes = [_with_exploit(group, classes_of_renamed, names) for group in bypass.classes]
    classes.sort(key=_exploited_first)
    return bypass._replace(classes=tuple(classes), left_out=len(texts) - len(texts_to_ask))


def _compare_parsers(check: Adapter, fetch: Adapter, texts: Sequence[str]) -> Bypass:
    """Ask both parsers about the texts, and return those in which they see different hosts, by class.

    One is asked to parse them, and the other one what it would connect to, if it can say that.
    """
    questions = [TextQuestions(texts), TextQuestions(texts, operations=(CONNECT, "parse", "validate"))]
    checked, fetched = Panel([check, fetch]).ask_each(questions)
    return compare_hosts(checked, fetched, texts)


def _renamed_texts(group: BypassClass, planted: Planted, models: int) -> Iterator[str]:
    """Yield texts that may be exploits of a class, or none if it has an exploit with the planted host.

    They are made from as many of its shortest texts as there are `models`.
    """
    exploit = best_exploit(group.row, group.witnesses, planted)
    if exploit is not None and same_host(exploit.fetched, planted.fetched):
        return
    for witness in group.witnesses[:models]:
        yield from _with_planted_names(witness.text, planted)


def _with_exploit(group: BypassClass, renamed: Iterable[BypassClass], planted: Planted) -> BypassClass:
    """Return a class with its best exploit among its own texts and the renamed ones of the same class."""
    witnesses = list(group.witnesses)
    for renamed_group in renamed:
        if renamed_group.row is group.row and renamed_group.entry == group.entry:
            witnesses += renamed_group.witnesses
    return group._replace(exploit=best_exploit(group.row, witnesses, planted))


# ---- exploits


def best_exploit(row: BypassRow, witnesses: Iterable[Witness], planted: Planted) -> Witness | None:
    """Return the best exploit among the texts of a row, or None if there is none.

    It has a scheme, and is fetched from the planted host. For the rows in which no text passes as another
    host, the host of this machine will do.
    """
    fitting = [witness for witness in witnesses if _is_exploit(row, witness, planted)]
    return min(fitting, key=_exploit_order, default=None)


def _is_exploit(row: BypassRow, witness: Witness, planted: Planted) -> bool:
    """Return True if a text of a row is an exploit; see `best_exploit`."""
    if not _divide(witness.text).scheme:
        return False
    if row is BypassRow.OTHER_TARGET:
        return same_host(witness.checked, planted.checked) and same_host(witness.fetched, planted.fetched)
    return same_host(witness.fetched, planted.fetched) or _is_local(witness.fetched)


def _is_local(host: str) -> bool:
    """Return True if a host is this machine, from which a server must not fetch."""
    return host_target(host) in LOCAL_HOSTS


def _exploit_order(witness: Witness) -> tuple[bool, int, bool, int, str]:
    """Return the sort key of an exploit.

    Those that go to the planted host come first, then those with the better scheme, in lower case, and the
    shorter ones.
    """
    scheme = witness.text.partition(":")[0].lower()
    rank = _SCHEMES.index(scheme) if scheme in _SCHEMES else len(_SCHEMES)
    is_spelled_oddly = witness.text != witness.text.lower()
    return _is_local(witness.fetched), rank, is_spelled_oddly, len(witness.text), witness.text


def _with_planted_names(text: str, planted: Planted) -> Iterator[str]:
    """Yield texts in which the planted names replace the words of a text, with schemes that clients know.

    Numbers stay, and so do the words after the first ones. The scheme of the text itself is used, too.
    """
    beginning = _divide(text)
    schemes = [f"{name}:" for name in _SCHEMES]
    if beginning.scheme and beginning.scheme not in schemes:
        schemes.append(beginning.scheme)
    all_words = [word for word in _WORDS.findall(beginning.rest) if word and not word.isdigit()]
    words = list(dict.fromkeys(all_words))[:_MOST_WORDS]
    for names in product(planted, repeat=len(words)):
        name_by_word = dict(zip(words, names, strict=True))
        rest = _WORDS.sub(partial(_renamed_word, name_by_word), beginning.rest)
        for scheme in schemes:
            yield f"{scheme}{beginning.slashes}{rest}"


class _DividedText(NamedTuple):
    """A text as its scheme with the colon, or an empty string, the slashes after it, and the rest."""

    scheme: str
    slashes: str
    rest: str


def _divide(text: str) -> _DividedText:
    """Divide any text into scheme, slashes and rest. Backslashes count as slashes."""
    match = _BEGINNING.fullmatch(text)
    assert match is not None  # the expression matches every text
    scheme, slashes, rest = match.groups()
    return _DividedText(scheme or "", slashes, rest)


def _renamed_word(name_by_word: Mapping[str, str], match: re.Match[str]) -> str:
    """Return the new name of a match of `_WORDS`, or the match itself: a triplet, or a word without one."""
    word = match[1]
    return match[0] if word is None else name_by_word.get(word, word)


def _texts_for_slow_program(texts: Sequence[str], planted: Planted) -> list[str]:
    """Return the texts for a program that starts anew for each: the planted ones, and the most different."""
    with_planted_names = set(planted_texts(planted))
    first = [text for text in texts if text in with_planted_names]
    rest = [text for text in texts if text not in with_planted_names]
    size_of_rest = max(0, MOST_FOR_A_PROGRAM_PER_TEXT - len(first))
    return [*first, *select_different_texts(rest, size_of_rest)]


def select_different_texts(texts: Sequence[str], size: int) -> list[str]:
    """Return up to `size` texts that are as different as possible, since equal delimiters make equal classes.

    The shortest text with each set of delimiters comes before the second shortest of any set. Sets of few
    delimiters come first, and among them those after `http://`, which every parser knows.
    """
    texts_by_delimiters: dict[_Delimiters, list[str]] = {}
    for text in sorted(texts, key=len):
        texts_by_delimiters.setdefault(_delimiters(text), []).append(text)
    in_order = sorted(texts_by_delimiters, key=_Delimiters.rank)
    # each round has the next text with each set of delimiters, and None if there is no further one
    rounds = zip_longest(*(texts_by_delimiters[delimiters] for delimiters in in_order))
    selected = [text for texts_of_round in rounds for text in texts_of_round if text is not None]
    return selected[:size]


class _Delimiters(NamedTuple):
    """The scheme and the slashes of a text, and the set of delimiters after them."""

    beginning: str
    marks: frozenset[str]

    def rank(self) -> int:
        """Return the sort key: the number of delimiters, with a surcharge for an unusual beginning."""
        count = len(self.marks)
        return count if self.beginning == "http://" else count + _SURCHARGE


def _delimiters(text: str) -> _Delimiters:
    """Return the delimiters of a text. It matters if one occurs twice, but not which letters it has."""
    divided = _divide(text)
    scheme = divided.scheme.lower()
    if scheme not in ("", "http:"):
        scheme = "x:"  # all schemes that a parser may not know are alike
    slashes = divided.slashes[:_MOST_SLASHES]
    # a mark is the name of its group, such as `digits`, or else the delimiter or triplet itself
    counts = Counter(match.lastgroup or match[0].lower() for match in _MARKS.finditer(divided.rest))
    twice = {f"{mark} twice" for mark, count in counts.items() if count > 1}
    return _Delimiters(f"{scheme}{slashes}", frozenset(counts.keys() | twice))


def compare_hosts(check: AdapterAnswers, fetch: AdapterAnswers, texts: Sequence[str]) -> Bypass:
    """Return the texts in which two parsers see different hosts, by row and class.

    `check` and `fetch` are the answers of the parsers to `texts`. Texts that one of them refuses, and texts
    in which the fetcher sees no host, are in no row.
    """
    both = 0
    not_fetched = 0
    relations: Counter[HostRelation] = Counter()
    witnesses: dict[_RowAndClass, list[Witness]] = {}
    for text, checked, fetched in zip(texts, check.answers, fetch.answers, strict=True):
        if not _has_host(checked) or not _has_host(fetched):
            continue
        both += 1
        seen = _shown_host(check, checked)
        contacted = _shown_host(fetch, fetched)
        if not contacted:  # there is nothing to fetch from
            continue
        relation = host_relation(seen, contacted, resolved=fetch.connects) if seen else None
        row = _ROWS.get(relation)
        may_be_fetched = fetch.connects or _is_fetched(text, fetched)
        if may_be_fetched and relation is not None:
            relations[relation] += 1
        if row is None:
            continue
        if not may_be_fetched:
            not_fetched += 1
            continue
        entry = _class_of_host(text, checked, fetched)
        witnesses.setdefault((row, entry), []).append(Witness(text, seen, contacted))
    classes = tuple(sorted(_bypass_classes(witnesses), key=_class_order))
    readings = _readings_by_rfc(classes)
    return Bypass(
        check,
        fetch,
        texts=len(texts),
        both=both,
        spelling=relations[HostRelation.SPELLING],
        dots=relations[HostRelation.TRAILING_DOT],
        classes=classes,
        remedies=_remedies(readings),
        measures=_measures(readings),
        not_fetched=not_fetched,
    )


def _shown_host(adapter: AdapterAnswers, answer: Answer) -> str | None:
    """Return the host as a user of the library reads it.

    `urlsplit("http://[v1.a]/").hostname` is `v1.a`, and the adapter takes the brackets from the authority. An
    IPv6 address keeps them, because it is the same with and without brackets.
    """
    host = answer.components["host"]
    if host is None or not omits_brackets(adapter.name):
        return host
    if not (host.startswith("[") and host.endswith("]")):
        return host
    without_brackets = host[1:-1]
    return host if is_ipv6_address(without_brackets.partition("%")[0]) else without_brackets


#: A row, and the id of a class of difference, or None.
_RowAndClass = tuple[BypassRow, str | None]


def _bypass_classes(witnesses: Mapping[_RowAndClass, Iterable[Witness]]) -> Iterator[BypassClass]:
    """Yield the classes of texts, each with its shortest text first."""
    for (row, entry), group in witnesses.items():
        shortest_first = sorted(group, key=lambda witness: (len(witness.text), witness.text))
        yield BypassClass(row, entry, tuple(shortest_first))


def _is_fetched(text: str, fetched: Answer) -> bool:
    """Return True if the scheme that a parser shows is one that clients fetch."""
    # a parser that shows no schemes may still follow that of the text
    scheme = fetched.components.get("scheme", _scheme_of(text))
    return (scheme or "").lower() in FETCHED_SCHEMES


def _scheme_of(text: str) -> str:
    """Return the scheme of a text without its colon, or an empty string. Blanks before it are ignored."""
    return _divide(text.lstrip()).scheme.removesuffix(":")


def _class_order(group: BypassClass) -> tuple[int, bool, int, int]:
    """Return the sort key of a class: by row, then named classes first, then those with the shortest text.

    Of classes with equally short texts, the larger one comes first.
    """
    return _row_rank(group), group.entry is None, len(group.shortest.text), -len(group.witnesses)


def _exploited_first(group: BypassClass) -> tuple[int, bool]:
    """Return the sort key by which the classes of a row that have an exploit come before the others."""
    return _row_rank(group), group.exploit is None


def _row_rank(group: BypassClass) -> int:
    return list(BypassRow).index(group.row)


#: The row of each relation of hosts that is a bypass. None stands for a check that sees no host. Equal hosts,
#: and those that differ in spelling only, are in no row.
_ROWS: Mapping[HostRelation | None, BypassRow] = {
    HostRelation.OTHER_TARGET: BypassRow.OTHER_TARGET,
    HostRelation.SAME_TARGET: BypassRow.SAME_TARGET,
    None: BypassRow.FETCHER_ONLY,
}


def _class_of_host(text: str, checked: Answer, fetched: Answer) -> str | None:
    """Return the class of a difference in the host, or None if none explains it. Both answers show hosts."""
    seen = checked.components["host"]
    contacted = fetched.components["host"]
    if seen and _is_one_ipv4_address(seen, contacted):
        return "ipv4-forms"
    class_of_scheme = class_of_unlisted_scheme(text)
    hosts = [host for host in (seen, contacted) if host]
    if class_of_scheme is not None and any(_comes_from_scheme(host, text) for host in hosts):
        return class_of_scheme
    schemes_differ = _have_different_schemes(checked, fetched)
    values = value_pair("host", text, base=None, first=checked, second=fetched)
    # ASCII letters only: their case is spelling, but a library that maps another letter sees another host
    lower = ascii_lower(text)
    entry = class_of_text(lower, "host", scheme=schemes_differ, values=values)
    if entry is None:  # browsers, and what follows them, drop some characters (URL Standard, 4.4)
        entry = class_of_text(lower.translate(_DROPPED), "host", scheme=schemes_differ, values=values)
    if entry is None and not seen:
        return class_of_scheme
    return entry


def _comes_from_scheme(host: str, text: str) -> bool:
    """Return True if a library sees this host in a text because of the scheme.

    A host with a slash shows that the library knows the scheme as one without an authority, as with `sip:`. A
    host that is the scheme shows that it does not know that a scheme may look like this one.
    """
    return "/" in host or same_host(host, _scheme_of(text))


def _have_different_schemes(checked: Answer, fetched: Answer) -> bool:
    """Return True if both answers show a scheme, and not the same one."""
    if "scheme" not in checked.components or "scheme" not in fetched.components:
        return False
    checked_scheme = checked.components["scheme"] or ""
    fetched_scheme = fetched.components["scheme"] or ""
    return checked_scheme.lower() != fetched_scheme.lower()


def _is_one_ipv4_address(seen: str, contacted: str | None) -> bool:
    """Return True if two different hosts are one IPv4 address for programs in C, such as 0x7f.1."""
    if not contacted or contacted == seen:
        return False
    address = _dotted_ipv4(seen)
    return address is not None and address == _dotted_ipv4(contacted)


def _dotted_ipv4(host: str) -> str | None:
    """Return the dotted form of a host that C reads as an IPv4 number, such as 0x7f.1, or None."""
    try:
        return socket.inet_ntoa(socket.inet_aton(host.removesuffix(".")))
    except (OSError, ValueError):  # ValueError: a NUL or another character that C cannot read
        return None


def _has_host(answer: Answer) -> bool:
    """Return True if a parser accepts the text and shows hosts. That of this text may be absent."""
    return answer.kind == "parsed" and "host" in answer.components


def _readings_by_rfc(classes: Iterable[BypassClass]) -> list[Comparison]:
    """Return each text of some classes with what the RFCs see in it."""
    return [compare_splits(witness.text) for group in classes for witness in group.witnesses]


def _remedies(readings: Iterable[Comparison]) -> tuple[Remedy, ...]:
    """Return the remedy of each RFC. The bypasses that it accepts remain."""
    remaining: Counter[str] = Counter()
    for reading in readings:
        for spec, answer in reading.answers.items():
            if answer.problem is None:
                remaining[spec] += 1
    return tuple(Remedy(spec, remaining[spec]) for spec in url_specs())


class _ValidText(NamedTuple):
    """A text that RFC 3986 accepts, with its scheme, and its host, which is empty if there is none."""

    text: str
    scheme: str | None
    host: str


def _has_no_host_to_fetch_from(valid: _ValidText) -> bool:
    """Return True for a URL without the host from which a client fetches it (RFC 9110, section 4.2.1)."""
    return (valid.scheme or "").lower() in FETCHED_SCHEMES and not valid.host


def _has_no_scheme(valid: _ValidText) -> bool:
    return valid.scheme is None


def _has_odd_number_as_host(valid: _ValidText) -> bool:
    """Return True for a host that ends in a number, as an address does, but is none with four numbers."""
    last_label = valid.host.removesuffix(".").rpartition(".")[2]
    is_number = re.fullmatch("[0-9]+|0[Xx][0-9A-Fa-f]*", last_label) is not None
    return is_number and SPECIFICATIONS[DEFAULT_SPEC].problem(valid.host, "IPv4address") is not None


def _has_triplet_in_host(valid: _ValidText) -> bool:
    return "%" in valid.host


def _has_ip_literal(valid: _ValidText) -> bool:
    return valid.host.startswith("[") or ":" in valid.host


#: What to refuse of the texts that RFC 3986 accepts, with its test. What costs the least comes first: hardly
#: anybody needs such texts.
_MEASURES: Mapping[str, Callable[[_ValidText], bool]] = {
    f"{enumerated(FETCHED_SCHEMES)} URLs without a host": _has_no_host_to_fetch_from,
    "texts without a scheme": _has_no_scheme,
    "hosts that end in a number and are no IPv4 address of four decimal numbers": _has_odd_number_as_host,
    "hosts with a triplet": _has_triplet_in_host,
    "addresses in brackets": _has_ip_literal,
}


def _measures(readings: Iterable[Comparison]) -> tuple[Measure, ...]:
    """Return the measures that close what RFC 3986 accepts, each with what remains after it."""
    remaining = _valid_texts(readings)
    measures = []
    for words, is_to_refuse in _MEASURES.items():
        refused = [valid.text for valid in remaining if is_to_refuse(valid)]
        if refused:
            remaining = [valid for valid in remaining if not is_to_refuse(valid)]
            example = min(refused, key=lambda text: (len(text), text))
            measures.append(Measure(words, example, left=len(remaining)))
    return tuple(measures)


def _valid_texts(readings: Iterable[Comparison]) -> list[_ValidText]:
    """Return those of some texts that RFC 3986 accepts."""
    valid_texts = []
    for reading in readings:
        answer = reading.answers[DEFAULT_SPEC]
        if answer.problem is None:
            components = answer.components or {}
            host = components.get("host") or ""
            valid_texts.append(_ValidText(reading.text, components.get("scheme"), host))
    return valid_texts


def rfc_hosts(text: str) -> Mapping[str, str]:
    """Map each RFC to what it sees in a text: a host, an undivided authority, `no host`, or `invalid`."""
    return {spec: _host_in_words(answer) for spec, answer in compare_splits(text).answers.items()}


def _host_in_words(answer: RFCAnswer) -> str:
    """Return what an RFC sees in a text; see `rfc_hosts`."""
    if answer.problem is not None:
        return "invalid"
    components = answer.components or {}
    if "host" in components:
        return components["host"] or "no host"
    authority = components.get("authority")
    return f"authority {authority}" if authority else "no host"
