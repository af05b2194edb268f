"""Texts that pass a check as one host and are fetched from another, by two parsers that are made up."""

from __future__ import annotations

import sys

import pytest

from urlharness.adapters.registry import find
from urlharness.compare.bypass import (
    Bypass,
    BypassRow,
    Planted,
    Witness,
    best_exploit,
    compare_hosts,
    find_bypasses,
    rfc_hosts,
    select_different_texts,
    standard_texts,
)
from urlharness.corpus.specifications import url_specs
from urlharness.generate.hosts import FETCHED_SCHEMES
from urlharness.panel.answer import Answer
from urlharness.panel.hosts import host_target
from urlharness.panel.panel import AdapterAnswers
from urlharness.protocol.messages import CONNECT

#: One parser ends an authority at a backslash, as browsers do, and the other one does not.
LIB = r"""
import re

def host(url, ends):
    match = re.match(r"[a-z]+://([^" + ends + "]*)", url)
    if not match:
        return {"status": "reject"}
    authority = match[1].rpartition("@")[2]
    return {"status": "ok", "components": {"scheme": "http", "host": authority}}

def strict(question):
    return host(question["url"], "/?#")

def lax(question):
    return host(question["url"], r"/?#\\")

strict.hello = lax.hello = {"ops": ["parse"], "specs": []}
"""

TEXTS = [
    "http://a/",  # both see a
    "http://a\\@b/",  # the strict parser sees b, the lax one a
    "http://cc\\@d/",  # the strict parser sees d, the lax one cc
    "a b",  # both refuse it
]


@pytest.fixture
def parsers(tmp_path):
    """The strict and the lax parser."""
    (tmp_path / "lib.py").write_text(LIB, "utf-8")
    return [find(f"python:lib:{name}", tmp_path) for name in ("strict", "lax")]


@pytest.fixture
def bypasses(parsers):
    """The bypasses of the strict check by the lax parser."""
    return find_bypasses(*parsers, TEXTS)


def test_the_texts_of_a_check_are_counted(bypasses):
    assert bypasses.texts == 4
    assert bypasses.both == 3
    assert bypasses.passing == 2


def test_a_backslash_leads_to_another_target(bypasses):
    (bypass_class,) = bypasses.classes
    assert bypass_class.row == BypassRow.OTHER_TARGET
    assert bypass_class.entry == "backslash"
    assert bypass_class.shortest == Witness("http://a\\@b/", checked="b", fetched="a")


def test_every_rfc_closes_a_bypass_by_a_backslash(bypasses):
    """RFC 3986, section 2, has no backslash, nor has an earlier RFC."""
    assert {remedy.spec for remedy in bypasses.remedies} == {*url_specs()}
    assert {remedy.left for remedy in bypasses.remedies} == {0}


def test_parsers_that_see_the_same_hosts_have_no_bypass(parsers):
    _, lax = parsers
    bypasses = find_bypasses(lax, lax, TEXTS)
    assert bypasses.both == 3
    assert bypasses.passing == 0
    assert bypasses.classes == ()


def answers_of(name, *hosts):
    """Return parsed answers with these hosts, and others as they are."""
    answers = [host if isinstance(host, Answer) else Answer("parsed", {"host": host}) for host in hosts]
    return AdapterAnswers(name, answers)


def compared(text, checked, fetched) -> Bypass:
    """Return the comparison of what the check and the fetch see in one text: hosts or answers."""
    return compare_hosts(answers_of("check", checked), answers_of("fetch", fetched), [text])


REJECTED = Answer("rejected")
VALID = Answer("valid")
CRASHED = Answer("none")
OTHER_TARGET = BypassRow.OTHER_TARGET
SAME_TARGET = BypassRow.SAME_TARGET
FETCHER_ONLY = BypassRow.FETCHER_ONLY

#: The hosts that both see, and the count that has the text.
COUNTS = [
    pytest.param("a", "b", OTHER_TARGET, id="other-host"),
    pytest.param("a", "A", "spelling", id="case"),  # RFC 3986, 3.2.2
    pytest.param("[::1]", "0:0::1", "spelling", id="ipv6"),
    pytest.param("a.", "a", "dots", id="trailing-dot"),
    pytest.param("%61", "a", SAME_TARGET, id="triplet"),
    pytest.param("xn--bcher-kva", "bücher", SAME_TARGET, id="idna"),
    pytest.param("1", "0.0.0.1", SAME_TARGET, id="ipv4-form"),
    pytest.param("[::ffff:1.2.3.4]", "1.2.3.4", SAME_TARGET, id="mapped-address"),
    pytest.param("[fe80::1%25e]", "[fe80::1]", OTHER_TARGET, id="lost-zone"),
    pytest.param("h\0", "h", OTHER_TARGET, id="nul"),
    pytest.param("h\udcff", "h", OTHER_TARGET, id="bytes"),
    pytest.param(None, "a", FETCHER_ONLY, id="no-host"),
    pytest.param("", "a", FETCHER_ONLY, id="empty-host"),
]


def counts_of(comparison):
    """Return the counts of a comparison that are not 0, by name."""
    counts = {**comparison.counts, "spelling": comparison.spelling, "dots": comparison.dots}
    return {name: count for name, count in counts.items() if count != 0}


@pytest.mark.parametrize(("checked", "fetched", "count"), COUNTS)
def test_a_text_is_counted_by_the_relation_of_its_hosts(checked, fetched, count):
    assert counts_of(compared("http://a/", checked, fetched)) == {count: 1}


@pytest.mark.parametrize("fetched", ["a", None], ids=["same-host", "no-host"])
def test_a_text_that_is_fetched_from_no_other_host_is_not_counted(fetched):
    comparison = compared("http://a/", "a", fetched)
    assert comparison.both == 1
    assert counts_of(comparison) == {}


@pytest.mark.parametrize(
    ("checked", "fetched", "both"),
    [
        pytest.param("a", "b", 1, id="both"),
        pytest.param(REJECTED, "a", 0, id="check-refuses"),
        pytest.param("a", REJECTED, 0, id="fetch-refuses"),
        pytest.param(VALID, "a", 0, id="no-components"),
        pytest.param(CRASHED, "a", 0, id="crash"),
    ],
)
def test_texts_that_both_accept_are_counted(checked, fetched, both):
    assert compared("http://a/", checked, fetched).both == both


@pytest.fixture
def narrowed():
    """A comparison of two texts with a row each, of which only that of another target is left."""
    texts = ["http://a b/", "http:b/"]
    comparison = compare_hosts(answers_of("check", "a", None), answers_of("fetch", "b", "b"), texts)
    assert counts_of(comparison) == {OTHER_TARGET: 1, FETCHER_ONLY: 1}
    return comparison.only(OTHER_TARGET)


def test_a_narrowed_comparison_has_the_classes_of_its_row(narrowed):
    assert [bypass_class.row for bypass_class in narrowed.classes] == [OTHER_TARGET]


def test_a_narrowed_comparison_counts_the_texts_of_its_row(narrowed):
    assert narrowed.passing == 1


def test_the_remedies_of_a_narrowed_comparison_are_for_the_texts_of_its_row(narrowed):
    assert {remedy.left for remedy in narrowed.remedies} == {0}  # every RFC refuses a blank


#: Texts, the hosts that both see, and the class.
CLASSES = [
    pytest.param("sips://h/I:/m", "h", "//h/I:/m", "unknown-scheme", id="opaque-scheme"),
    pytest.param("mailto://H/a", "H", "H/a", "scheme-rule", id="upper-case-explains-nothing"),
    pytest.param("http://H:/I:/m", "h", "H:", "empty-port", id="colon-behind-the-authority"),
    pytest.param("a://h/", None, "h", "unknown-scheme", id="no-authority"),
    pytest.param("http://A\\b/", "A\\b", "a", "backslash", id="backslash"),
    pytest.param("http://1/", "1", "0.0.0.1", "ipv4-forms", id="ipv4"),
    pytest.param("http://80\\[a/", "0.0.0.80", "80", "ipv4-forms", id="ipv4-of-the-check"),
    pytest.param("http://0.0.0./", "0.0.0.", "0.0.0.0", "ipv4-forms", id="ipv4-with-a-dot"),
    pytest.param("http:// /", " ", "%20", "white-space", id="encoded-blank"),
    pytest.param("http://h% 41", "h% 41", "h%%2041", "white-space", id="blank-in-a-triplet"),
    pytest.param('http://"a', '"a', "%22a", "unsafe-character", id="encoded-quotation-mark"),
    pytest.param("http://h%", "h%", "h%25", "bad-escape", id="encoded-percent-sign"),
    pytest.param("http://h ", "h ", "h", "white-space", id="blank-at-the-end"),
    pytest.param("http://a..\t/", "a..", "a.", "trailing-dot", id="dropped-tab"),
    pytest.param("http://\t/evil.example/", None, "evil.example", "control-character", id="tab-as-host"),
    pytest.param("http://a_b/", None, "a_b", "host-label", id="underscore"),
    pytest.param("b.://h/", "h", "b.", "scheme-characters", id="scheme-as-host"),
    pytest.param("good.example://h:1/", "h", "good.example", "scheme-characters", id="name-as-scheme"),
    pytest.param("//;@@a/", "%40a", "a", "several-ats", id="second-at-beside-a-semicolon"),
    pytest.param("// @@a/", "%40a", "a", "several-ats", id="second-at-beside-a-blank"),
    pytest.param("//[@@a/", "%40a", "a", "several-ats", id="second-at-beside-a-bracket"),
    pytest.param("http://a@b@c/", "b@c", "c", "several-ats", id="second-at"),
    pytest.param("http://a%40b/", "a%40b", "b", "escape-in-host", id="at-as-a-triplet"),
]


@pytest.mark.parametrize(("text", "checked", "fetched", "entry"), CLASSES)
def test_a_difference_of_hosts_has_its_class(text, checked, fetched, entry):
    client = answers_of("fetch", fetched)._replace(operation=CONNECT)  # a client may know any scheme
    (bypass_class,) = compare_hosts(answers_of("check", checked), client, [text]).classes
    assert bypass_class.entry == entry


# ---- exploits

#: A parser that decodes and needs no slashes, and one that does neither; both know http and ws. The first one
#: refuses http with one slash.
EXPLOITED = r"""
import re
from urllib.parse import unquote

def answer(match):
    if not match:
        return {"status": "reject"}
    return {"status": "ok", "components": {"scheme": match[1], "host": match[2].rpartition("@")[2] or None}}

def exact(question):
    return answer(re.match(r"(http|ws|foo):(?://)?((?<=//)[^/]*|)", question["url"]))

def decoding(question):
    reply = answer(re.match(r"(http(?!:/[^/])|ws|foo):/*([^/\\]*)", question["url"]))
    if "components" in reply:
        reply["components"]["host"] = unquote(reply["components"]["host"] or "")
    return reply

exact.hello = decoding.hello = {"ops": ["parse"], "specs": []}
"""

#: A text that is a bypass, and the exploit: the text, what the check sees, where the fetch goes.
EXPLOITS = [
    pytest.param(
        "ws://a\\@b/",
        ("http://evil.example\\@good.example/", "good.example", "evil.example"),
        id="other-target",
    ),
    pytest.param("http:a/", ("http:evil.example/", None, "evil.example"), id="only-the-fetcher"),
    pytest.param("ws:/b/c", ("ws:/evil.example/evil.example", None, "evil.example"), id="scheme-kept"),
]


@pytest.fixture
def exploited_parsers(tmp_path):
    """The exact and the decoding parser."""
    (tmp_path / "exploited.py").write_text(EXPLOITED, "utf-8")
    return [find(f"python:exploited:{name}", tmp_path) for name in ("exact", "decoding")]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("text", "exploit"), EXPLOITS)
def test_an_exploit_has_the_planted_names(exploited_parsers, text, exploit):
    (bypass_class,) = find_bypasses(*exploited_parsers, [text]).classes
    assert bypass_class.shortest.text == text
    assert bypass_class.exploit == Witness(*exploit)


def test_an_exploit_has_the_names_of_the_user(exploited_parsers):
    planted = Planted("mine.test", "10.0.0.1")
    (bypass_class,) = find_bypasses(*exploited_parsers, ["http://a\\@b/"], planted).classes
    exploit = Witness("http://10.0.0.1\\@mine.test/", checked="mine.test", fetched="10.0.0.1")
    assert bypass_class.exploit == exploit


#: Texts with a host that is written in another way, and the best exploit among them.
LOCAL = [
    pytest.param(["http://1/", "http://0x7f.1/"], "http://0x7f.1/", id="this-machine"),
    pytest.param(
        ["http://0x7f.1/", "http://evil.exampl%65/"], "http://evil.exampl%65/", id="planted-host-first"
    ),
]


@pytest.mark.parametrize(("texts", "exploit"), LOCAL)
def test_an_exploit_of_one_target_goes_to_a_planted_host_or_to_this_machine(texts, exploit):
    witnesses = []
    for text in texts:
        host = text.removeprefix("http://").removesuffix("/")
        witnesses.append(Witness(text, host, host_target(host)))
    assert best_exploit(SAME_TARGET, witnesses, Planted()).text == exploit


def test_without_an_exploit_there_is_the_shortest_text(exploited_parsers):
    """A planted name replaces a word, and this host is a triplet."""
    (bypass_class,) = find_bypasses(*exploited_parsers, ["http://%61/"]).classes
    assert bypass_class.exploit is None
    assert bypass_class.shortest.text == "http://%61/"


#: Two parsers that disagree about backslashes, and about which `@` ends the user information.
DISAGREEING = r"""
import re

def answer(text, authority, host):
    match = re.match(rf"http://({authority})", text)
    if not match:
        return {"status": "reject"}
    return {"status": "ok", "components": {"scheme": "http", "host": host(match[1]) or None}}

def check(question):
    return answer(question["url"], r"[^/]*", lambda authority: authority.split("@", 1)[-1])

def fetch(question):
    return answer(question["url"], r"[^/\\]*", lambda authority: authority.split("@")[-1])

check.hello = fetch.hello = {"ops": ["parse"], "specs": []}
"""


@pytest.fixture
def disagreeing_parsers(tmp_path):
    (tmp_path / "disagreeing.py").write_text(DISAGREEING, "utf-8")
    return [find(f"python:disagreeing:{name}", tmp_path) for name in ("check", "fetch")]


def test_a_class_with_an_exploit_comes_before_a_shorter_one_without(disagreeing_parsers):
    """Only words are replaced by the planted names, and 1, 2 and 3 are no words."""
    texts = ["http://1@2@3/", "http://long-name\\@other/"]
    classes = find_bypasses(*disagreeing_parsers, texts).classes
    assert [group.shortest.text for group in classes] == [texts[1], texts[0]]


def test_an_asked_text_that_is_an_exploit_is_taken(exploited_parsers):
    (bypass_class,) = find_bypasses(*exploited_parsers, ["http://%65vil.example/", "http://%61/"]).classes
    exploit = Witness("http://%65vil.example/", checked="%65vil.example", fetched="evil.example")
    assert bypass_class.exploit == exploit


#: Texts that somebody who parses them with a library would fetch.
FETCHED = [
    *(pytest.param(f"{scheme}://a", id=scheme) for scheme in FETCHED_SCHEMES),
    pytest.param("HTTP://a", id="upper-case"),
    pytest.param(" http://a", id="blank-before-the-scheme"),
]


@pytest.mark.parametrize("text", FETCHED)
def test_a_text_with_a_scheme_that_is_fetched_is_a_bypass(text):
    comparison = compared(text, "a", "b")
    assert comparison.passing == 1
    assert comparison.not_fetched == 0


NOT_FETCHED = [
    pytest.param("foo://a", id="unknown"),
    pytest.param("sips://a", id="sips"),
    pytest.param("tel:1", id="tel"),
    pytest.param("file://a/b", id="file"),
    pytest.param("//a", id="no-scheme"),
]


@pytest.mark.parametrize("text", NOT_FETCHED)
def test_a_text_without_a_scheme_that_is_fetched_is_no_bypass_and_counted_separately(text):
    comparison = compared(text, "a", "b")
    assert comparison.passing == 0
    assert comparison.not_fetched == 1


def test_the_scheme_that_the_fetching_parser_sees_counts():
    """A parser may take `//a` as http, as fasthttp does."""
    fetch = answers_of("fetch", Answer("parsed", {"scheme": "http", "host": "b"}))
    assert compare_hosts(answers_of("check", "a"), fetch, ["//a"]).passing == 1


def test_upper_case_outside_ascii_is_no_spelling():
    """U+212A, the sign of kelvin, is `k` in lower case, so a parser that lowers it sees another host."""
    (bypass_class,) = compared("HTTP://\u212a/", "k", "\u212a").classes
    assert bypass_class.entry == "non-ascii"


@pytest.mark.parametrize("text", ["gopher://a", "foo://a", "file://a/b", "//a"])
def test_a_client_fetches_any_text_that_it_accepts(text):
    """Of a library that only parses, these are not fetched."""
    fetch = answers_of("fetch", "b")._replace(operation=CONNECT)
    assert compare_hosts(answers_of("check", "a"), fetch, [text]).passing == 1


@pytest.mark.parametrize("host", ["a", "A", "a."], ids=["same", "case", "trailing-dot"])
def test_what_is_not_fetched_and_no_bypass_is_not_counted(host):
    comparison = compared("foo://a", "a", host)
    assert comparison.not_fetched == 0
    assert counts_of(comparison) == {}


def test_the_host_that_a_client_contacts_is_not_decoded_again():
    """`h%25` is what the resolver gets, which is another name than `h%`."""
    client = answers_of("fetch", "h%25")._replace(operation=CONNECT)
    comparison = compare_hosts(answers_of("check", "h%"), client, ["http://h%"])
    assert comparison.counts[OTHER_TARGET] == 1


def test_a_function_that_omits_brackets_gives_the_name_that_a_client_contacts():
    """`urlsplit("http://[v1.a]/").hostname` is `v1.a`; only the netloc has the brackets."""
    client = answers_of("fetch", "v1.a")._replace(operation=CONNECT)
    comparison = compare_hosts(answers_of("urllib", "[v1.a]"), client, ["http://[v1.a]/"])
    assert comparison.passing == 0


def test_a_name_with_a_colon_has_no_brackets_if_the_function_omits_them():
    client = answers_of("fetch", "v1.xn--:b-9ia")._replace(operation=CONNECT)
    comparison = compare_hosts(answers_of("urllib", "[v1.é:b]"), client, ["http://[v1.é:b]/"])
    assert comparison.counts[OTHER_TARGET] == 0


def test_a_host_that_a_library_shows_in_brackets_is_another_one_than_the_name():
    client = answers_of("fetch", "v1.a")._replace(operation=CONNECT)
    comparison = compare_hosts(answers_of("furl", "[v1.a]"), client, ["http://[v1.a]/"])
    assert comparison.counts[OTHER_TARGET] == 1


def test_brackets_that_do_not_enclose_the_whole_host_stay():
    """The host of perl-uri has the colon of an empty port."""
    (bypass_class,) = compare_hosts(
        answers_of("perl-uri", "[::1]:"), answers_of("fetch", "a"), ["http://[::1]:@a/"]
    ).classes
    assert bypass_class.shortest.checked == "[::1]:"


def test_an_address_keeps_its_brackets_in_a_report():
    """With its colons, it is the same address without them."""
    (bypass_class,) = compare_hosts(
        answers_of("urllib", "[::1]"), answers_of("fetch", "a"), ["http://[::1]@a/"]
    ).classes
    assert bypass_class.shortest.checked == "[::1]"


def test_the_fetching_parser_says_what_it_would_connect_to(exploited_parsers, tmp_path):
    """If it offers `connect`, its parser is not asked."""
    lines = (
        "def client(question):",
        "    return {'status': 'ok', 'components': {'host': question['op'], 'port': '80'}}",
        "client.hello = {'ops': ['parse', 'connect'], 'specs': []}",
    )
    (tmp_path / "client.py").write_text("\n".join(lines), "utf-8")
    exact, _ = exploited_parsers
    bypasses = find_bypasses(exact, find("python:client:client", tmp_path), ["http://a/"])
    (bypass_class,) = bypasses.classes
    assert bypass_class.shortest.fetched == "connect"


@pytest.fixture(scope="module")
def texts_of_standard():
    return set(standard_texts(Planted("good.example", "evil.example")))


@pytest.mark.parametrize("name", ["good.example", "evil.example"])
@pytest.mark.parametrize(
    "form",
    [
        pytest.param(lambda name: f"http://{name.replace('.', '%2e')}/", id="encoded-dot"),
        pytest.param(lambda name: f"http://%{ord(name[0]):02x}{name[1:]}/", id="encoded-letter"),
        pytest.param(lambda name: f"http://{name.replace('.', '。')}/", id="ideographic-dot"),
        # U+24D0 is a circled a, U+FF41 a full-width one
        pytest.param(lambda name: f"http://{chr(ord(name[0]) + 0x246F)}{name[1:]}/", id="circled-letter"),
        pytest.param(lambda name: f"http://{chr(ord(name[0]) + 0xFEE0)}{name[1:]}/", id="full-width-letter"),
        pytest.param(lambda name: f"http:{name}/", id="no-slashes"),
        pytest.param(lambda name: f"http:///{name}/", id="three-slashes"),
    ],
)
def test_standard_texts_hide_both_planted_names(texts_of_standard, name, form):
    assert form(name) in texts_of_standard


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("http://127%2e0%2e0%2e1/", id="encoded-dots"),
        pytest.param("http://%6cocalhost/", id="encoded-letter"),
        pytest.param("http://ⓛocalhost/", id="circled-letter"),
        pytest.param("http://127。0。0。1/", id="ideographic-dots"),
        pytest.param("http://good.example\\@evil.example/", id="backslash-after-the-good-host"),
        pytest.param("http://evil.example\\@good.example/", id="backslash-after-the-evil-host"),
        pytest.param("evil.example://good.example/", id="evil-host-as-scheme"),
        pytest.param("good.example://evil.example/", id="good-host-as-scheme"),
        pytest.param("evil.example:80@good.example/", id="evil-host-as-scheme-with-a-port"),
        pytest.param("evil.example://u@good.example/", id="evil-host-as-scheme-before-a-user"),
    ],
)
def test_standard_texts_have_known_attacks(texts_of_standard, text):
    assert text in texts_of_standard


REMEDIES = [
    # RFC 1738, section 3.3, has no user; the later ones have
    pytest.param("http://u@h/", {"rfc1738"}, id="user"),
    pytest.param("http://[::1]/", {"rfc1738", "rfc1808", "rfc2396"}, id="ipv6"),  # RFC 2732, section 2
    pytest.param("http://h/", set(), id="valid"),
    pytest.param("http://a b/", set(url_specs()), id="blank"),
]


@pytest.mark.parametrize(("text", "refusing"), REMEDIES)
def test_an_rfc_that_refuses_the_text_is_a_remedy(text, refusing):
    """What an RFC refuses is left if another one is obeyed."""
    remaining = {remedy.spec: remedy.left for remedy in compared(text, "a", "b").remedies}
    assert remaining == {spec: int(spec not in refusing) for spec in url_specs()}


#: A text that RFC 3986 accepts, and what to refuse because of it.
MEASURES = [
    pytest.param("http:/evil", "URLs without a host", id="one-slash"),
    pytest.param("http:///evil", "URLs without a host", id="three-slashes"),
    pytest.param("HTTPS:evil", "URLs without a host", id="no-slash"),
    pytest.param("//evil/", "texts without a scheme", id="relative"),
    pytest.param("http://0x7f.1/", "hosts that end in a number", id="number"),
    pytest.param("http://127.1./", "hosts that end in a number", id="dot-at-the-end"),
    pytest.param("http://evil%2e/", "hosts with a triplet", id="triplet"),
    pytest.param("http://[::1]/", "addresses in brackets", id="brackets"),
]


@pytest.mark.parametrize(("text", "words"), MEASURES)
def test_a_measure_closes_what_rfc_3986_accepts(text, words):
    client = answers_of("fetch", "b")._replace(operation=CONNECT)  # it may add a scheme to a text
    (measure,) = compare_hosts(answers_of("check", "a"), client, [text]).measures
    assert words in measure.words
    assert measure.example == text
    assert measure.left == 0


def test_measures_count_what_is_left_after_all_before_them():
    texts = ["//b/", "http:/b", "http://b/", "http:///c", "http://b c/"]
    check = answers_of("check", *("a" for _ in texts))
    fetch = answers_of("fetch", *("b" for _ in texts))._replace(operation=CONNECT)
    measures = compare_hosts(check, fetch, texts).measures
    assert [(measure.example, measure.left) for measure in measures] == [("http:/b", 2), ("//b/", 1)]


NOT_CLOSED = [
    pytest.param("http://b c/", id="refused-by-rfc-3986"),
    pytest.param("http://h/", id="ordinary"),
    pytest.param("http://127.0.0.1/", id="address"),
    pytest.param("file:///h", id="file"),
]


@pytest.mark.parametrize("text", NOT_CLOSED)
def test_no_measure_refuses_what_it_need_not(text):
    assert compared(text, "a", "b").measures == ()


@pytest.fixture
def classes():
    """The classes of texts that are checked as the host a and fetched from b."""
    texts = ["http://a/", "http://a\\bb/", "http://a\\b/", "http://a b/", "http://a%2e/", "http://b/"]
    check = answers_of("check", *("a" for _ in texts))
    fetch = answers_of("fetch", *("b" for _ in texts))
    return compare_hosts(check, fetch, texts).classes


def test_named_classes_come_first_and_the_large_ones_of_them_before_the_small_ones(classes):
    assert [(bypass_class.entry, len(bypass_class.witnesses)) for bypass_class in classes] == [
        ("backslash", 2),
        ("white-space", 1),
        (None, 3),
    ]


def test_each_class_has_its_shortest_text(classes):
    shortest_texts = {bypass_class.entry: bypass_class.shortest.text for bypass_class in classes}
    assert shortest_texts == {"backslash": "http://a\\b/", "white-space": "http://a b/", None: "http://a/"}


@pytest.fixture
def find_bypasses_of_program(parsers, monkeypatch):
    """Return a function that lets the strict parser check texts for a program, which gets at most so many."""
    strict, _ = parsers
    program = find(f"exec:{sys.executable} -ISc 'print(1)'")

    def find_with_limit(texts, *, most):
        monkeypatch.setattr("urlharness.compare.bypass.MOST_FOR_A_PROGRAM_PER_TEXT", most)
        return find_bypasses(strict, program, texts)

    return find_with_limit


def hosts_of_check(bypasses):
    """Return the hosts that the check sees in the texts that it gets."""
    return [answer.components["host"] for answer in bypasses.check.answers]


def test_a_program_per_text_and_its_check_get_the_texts_that_differ_most(find_bypasses_of_program):
    texts = [*(f"http://{number}/" for number in range(7)), "http://a\\b/"]
    bypasses = find_bypasses_of_program(texts, most=2)
    assert hosts_of_check(bypasses) == ["0", "a\\b"]
    assert len(bypasses.fetch.answers) == 2


def test_the_texts_that_a_program_per_text_does_not_get_are_counted(find_bypasses_of_program):
    bypasses = find_bypasses_of_program([f"http://{number}/" for number in range(8)], most=2)
    assert bypasses.texts == 2
    assert bypasses.left_out == 6


def test_a_program_per_text_gets_all_planted_texts(find_bypasses_of_program):
    planted_texts = ["http://good%2eexample/", "http://evil%2eexample/"]
    bypasses = find_bypasses_of_program(["http://a/", *planted_texts, "http://b\\a/"], most=2)
    assert hosts_of_check(bypasses) == ["good%2eexample", "evil%2eexample"]


#: Each set of delimiters once, those with few delimiters after `http://` first; then the longer texts.
MOST_DIFFERENT_FIRST = [
    "http://c/",
    "http://h1/",
    "http://a@b/",
    "http://a@b@c/",
    "//a@b/",
    "http://ab/",
    "http://h23/",
]


@pytest.mark.parametrize("count", [3, 99], ids=["some", "all"])
def test_the_texts_that_differ_most_are_chosen_first(count):
    texts = ["http://ab/", "//a@b/", "http://a@b@c/", "http://h1/", "http://h23/", "http://c/", "http://a@b/"]
    assert select_different_texts(texts, count) == MOST_DIFFERENT_FIRST[:count]


RFC_HOSTS = [
    pytest.param("http://h/", {**dict.fromkeys(url_specs(), "h"), "rfc1808": "authority h"}, id="all"),
    pytest.param("a:b", {"rfc3986": "no host", "rfc1808": "no host"}, id="none"),
    pytest.param("http://[::1]/", {"rfc2396": "invalid", "rfc2732": "[::1]", "rfc3986": "[::1]"}, id="ipv6"),
    pytest.param("//h", {"rfc1738": "invalid", "rfc1808": "authority h", "rfc2396": "h"}, id="relative"),
]


@pytest.mark.parametrize(("text", "hosts"), RFC_HOSTS)
def test_every_rfc_reads_its_host(text, hosts):
    host_by_rfc = rfc_hosts(text)
    assert host_by_rfc.keys() == {*url_specs()}
    assert hosts.items() <= host_by_rfc.items()
