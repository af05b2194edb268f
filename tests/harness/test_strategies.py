"""Strategies: what they draw is labelled right, and failures shrink to the least text that fails."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import interegular
import pytest
from hypothesis import HealthCheck, example, find, given, settings, target
from hypothesis.errors import InvalidArgument
from interegular.fsm import anything_else

from urlharness.strategies import bases, invalid_urls, near_misses, references, url_pairs, urls
from urlharness.words.paths import ORDER
from urloracle.rfcs import SPECIFICATIONS

SPECS = list(SPECIFICATIONS)
RESOLVING = [spec for spec in SPECS if SPECIFICATIONS[spec].defines("resolve")]
QUICK = settings(max_examples=50, database=None, deadline=None, suppress_health_check=list(HealthCheck))
SHRINK = settings(QUICK, max_examples=10_000)

#: An authority, and what may stand before and after it.
_SCHEME, _REST = r"([^:/?#]+:)?", r"([/?#].*)?"
#: Properties of references as patterns: the texts that have the property.
PROPERTIES = {
    "userinfo": rf"{_SCHEME}//[^/?#]*@[^/?#]*{_REST}",
    "five-digit-port": rf"{_SCHEME}//([^/?#@]*@)?[^/?#@]*:[0-9]{{5}}[0-9]*{_REST}",
    "empty-port": rf"{_SCHEME}//[^/?#]*:{_REST}",
    "ipv6": rf"{_SCHEME}//([^/?#]*@)?\[[^vV/?#]*:[^/?#]*\].*",
    "dot-segment": rf"{_SCHEME}([^?#]*/)?\.\.{_REST}",
    "encoded-in-host": rf"{_SCHEME}//([^/?#@]*@)?[^/?#@]*%[^/?#@]*{_REST}",
    "twenty-characters": r".{20,}",
    "percent": r".*%.*",
    "two-escapes": r".*%..%.*",
    "colon": r".*:.*",
    "capital-in-scheme": r"[^:/?#]*[A-Z][^:/?#]*:.*",
    "query": r"[^?#]*\?.*",
    "query-and-fragment": r"[^?#]*\?[^#]*#.*",
    "fragment-with-slash": r"[^#]*#.*/.*",
    "b-in-three-characters": r".*b.{2,}|.+b.+|.{2,}b.*",
    "escape-in-both-cases": r".*%[a-f][A-F].*",
}


def least(rule, pattern):
    """Return the shortest text of a rule that a pattern matches, the first of these in `ORDER`."""
    automaton = SPECIFICATIONS["rfc3986"].automaton(rule)
    fsm = interegular.parse_pattern(pattern).to_fsm()
    chars = [char for char in ORDER if char in automaton.classes]
    queue = [("", automaton.start, fsm.initial)]
    visited = {(automaton.start, fsm.initial)}
    for word, state, matched in queue:
        if state in automaton.accepting and matched in fsm.finals:
            return word
        for char in chars:
            next_state = automaton.table[state][automaton.classes[char]]
            key = char if char in fsm.alphabet else anything_else
            after = fsm.map.get(matched, {}).get(fsm.alphabet[key])
            if next_state and after is not None and (next_state, after) not in visited:
                visited.add((next_state, after))
                queue.append((word + char, next_state, after))
    return None


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("name", "seed"), [*((name, 1) for name in PROPERTIES), ("userinfo", 100), ("userinfo", 145)]
)
def test_failures_shrink_to_the_least_text(name, seed):
    has = re.compile(PROPERTIES[name]).fullmatch
    least_text = find(references(), lambda text: has(text) is not None, settings=SHRINK, random=Random(seed))
    assert least_text == least("URI-reference", PROPERTIES[name])


def test_urls_shrink_to_a_scheme():
    assert find(urls(), lambda _: True, settings=SHRINK) == "a:"


def test_the_least_url_of_the_automaton_is_a_scheme():
    assert least("URI", ".*") == "a:"


def test_with_a_scheme_a_failure_shrinks_to_what_follows():
    least_text = find(
        urls(scheme="http"), lambda text: text != text.lower(), settings=SHRINK, random=Random(1)
    )
    assert least_text == "http:A"


#: A strategy of valid texts, made when its test runs; its RFC; and the rule of its texts.
VALID = [
    *(
        pytest.param(partial(urls, spec), spec, SPECIFICATIONS[spec].absolute, id=f"urls-{spec}")
        for spec in SPECS
    ),
    *(pytest.param(partial(references, spec), spec, None, id=f"references-{spec}") for spec in RESOLVING),
    pytest.param(bases, "rfc3986", "absolute-URI", id="bases-rfc3986"),
    pytest.param(partial(bases, "rfc2396"), "rfc2396", "absoluteURI", id="bases-rfc2396"),
    pytest.param(partial(urls, rule="IPv6address"), "rfc3986", "IPv6address", id="IPv6address"),
    pytest.param(partial(urls, rule="port"), "rfc3986", "port", id="port"),
    pytest.param(partial(urls, "rfc1738", scheme="FTP"), "rfc1738", "ftpurl", id="ftp"),
    pytest.param(partial(urls, min_size=60, max_size=61), "rfc3986", "URI", id="lengths"),
    pytest.param(partial(urls, "rfc1738", min_size=300), "rfc1738", "url", id="long"),
]


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize(("make_strategy", "spec", "rule"), VALID)
def test_the_texts_of_a_strategy_are_valid(make_strategy, spec, rule):
    @QUICK
    @given(make_strategy())
    def check(text):
        assert SPECIFICATIONS[spec].problem(text, rule) is None

    check()


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("kind", [invalid_urls, near_misses])
@pytest.mark.parametrize("spec", SPECS)
def test_the_offset_of_an_invalid_text_is_that_of_the_oracle(kind, spec):
    @QUICK
    @given(kind(spec))
    def check(broken):
        problem = SPECIFICATIONS[spec].problem(broken.text, SPECIFICATIONS[spec].absolute)
        assert problem is not None
        assert problem.position == broken.offset

    check()


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("kind", [invalid_urls, near_misses])
@pytest.mark.parametrize("spec", SPECS)
def test_the_label_of_an_invalid_text_names_an_early_end(kind, spec):
    @QUICK
    @given(kind(spec))
    def check(broken):
        ends_early = broken.offset == len(broken.text)
        assert broken.label.startswith("end in ") == ends_early

    check()


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", SPECS)
def test_a_near_miss_ends_at_the_wrong_character(spec):
    @QUICK
    @given(near_misses(spec))
    def check(broken):
        assert len(broken.text) <= broken.offset + 1

    check()


#: Kinds of characters beyond ASCII, by their edges or by a character.
KINDS_OF_IRIS = {
    "last-of-a-range": "\ud7ff\U0001fffd",
    "private": "\ue000\U0010fffd",
    "combining": "\u0301\U0001d165",
    "right-to-left": "\u05d0\U00010800",
}


@pytest.mark.parametrize("kind", KINDS_OF_IRIS)
def test_an_iri_with_a_character_of_a_kind_shrinks_to_little_more_than_it(kind):
    """Private characters are in the query only."""
    characters = set(KINDS_OF_IRIS[kind])
    text = find(urls("rfc3987"), lambda text: not characters.isdisjoint(text), settings=SHRINK)
    assert len(text) <= len("a:?x")


def test_iris_have_no_formatting_characters():
    @QUICK
    @given(urls("rfc3987"))
    def check(text):
        assert set("\u200e\u200f\u202a\u202b\u202c\u202d\u202e").isdisjoint(text)

    check()


def test_a_private_character_makes_an_iri_invalid():
    broken = find(
        invalid_urls("rfc3987"), lambda broken: broken.label.startswith("iprivate"), settings=SHRINK
    )
    assert broken.text[broken.offset] in "\ue000\uf8ff\U000f0000\U000ffffd\U00100000\U0010fffd"


def test_urls_have_the_lengths_asked_for():
    @QUICK
    @given(urls(min_size=30, max_size=33))
    def check(text):
        assert 30 <= len(text) <= 33

    check()


def test_near_misses_have_the_length_asked_for():
    @QUICK
    @given(near_misses(max_size=9))
    def check(broken):
        assert len(broken.text) <= 9

    check()


def test_base_and_reference_have_the_length_asked_for():
    @QUICK
    @given(url_pairs(max_size=7))
    def check(pair):
        assert max(map(len, pair)) <= 7

    check()


def test_a_scheme_begins_every_text():
    @QUICK
    @given(urls(scheme="http"))
    def check(text):
        assert text.startswith("http:")

    check()


def test_a_strategy_works_with_examples_maps_and_targets():
    texts = []

    @example("http://a/")
    @QUICK
    @given(urls().map(str.upper))
    def check(text):
        target(len(text))
        texts.append(text)

    check()
    the_example, *mapped = texts
    assert the_example == "http://a/"
    assert mapped == [text.upper() for text in mapped]


@pytest.mark.parametrize(
    ("make_strategy", "printed"),
    [
        (urls, "urls('rfc3986')"),
        (partial(urls, "rfc1738", scheme="ftp"), "urls('rfc1738', scheme='ftp')"),
        (partial(near_misses, rule="host", max_size=20), "near_misses('rfc3986', max_size=20, rule='host')"),
        (partial(url_pairs, "rfc1808"), "tuples(bases('rfc1808'), references('rfc1808'))"),
    ],
    ids=["urls", "urls-of-a-scheme", "near-misses", "pairs"],
)
def test_a_strategy_shows_its_arguments(make_strategy, printed):
    assert repr(make_strategy()) == printed


#: A call, and the message of its error.
WRONG_ARGUMENTS = [
    (lambda: urls("rfc9999"), "no specification named 'rfc9999'"),
    (lambda: urls(rule="hots"), "RFC 3986: no rule named 'hots'"),
    (lambda: urls(max_size=1), "RFC 3986: no URI has from 0 to 1 characters"),
    (lambda: urls(scheme="a b"), "RFC 3986: no URI with scheme 'a b' has from 0 to 80 characters"),
    (lambda: urls(min_size=-1), "min_size=-1 is not from 0 to 1000"),
    (lambda: urls(min_size=9, max_size=8), "RFC 3986: no URI has from 9 to 8 characters"),
    (lambda: near_misses(max_size=4000), "max_size=4000 is not from 0 to 1000"),
    (lambda: bases("rfc1738"), "RFC 1738 does not define relative references"),
    (lambda: url_pairs("rfc1738"), "RFC 1738 does not define relative references"),
]


@pytest.mark.parametrize(
    ("call", "message"), WRONG_ARGUMENTS, ids=[message for _, message in WRONG_ARGUMENTS]
)
def test_a_wrong_argument_is_an_error(call, message):
    with pytest.raises(InvalidArgument, match=re.escape(message)):
        call()


def test_without_hypothesis_the_error_says_what_to_install():
    code = "import sys; sys.modules['hypothesis'] = None; import urlharness.strategies"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    last = done.stderr.strip().splitlines()[-1]
    assert last.endswith("urlharness.strategies needs Hypothesis: pip install 'hypothesis>=6.100'")


PAGE = Path(__file__).parents[2] / "docs" / "fuzzing.md"


@pytest.fixture
def section(tmp_path, monkeypatch):
    """The section of the page on property tests; Hypothesis writes its database to an empty folder."""
    monkeypatch.chdir(tmp_path)
    return PAGE.read_text("utf-8").partition("## Property tests with Hypothesis")[2]


@pytest.fixture
def page_names(section) -> dict[str, Any]:
    """The names that the example of the page defines."""
    names: dict[str, Any] = {}
    exec(section.partition("```python\n")[2].partition("```")[0], names)
    return names


#: Hypothesis draws and shrinks in the same way in each run, on a machine of any speed.
REPEATABLE = settings(derandomize=True, deadline=None, database=None)


def test_the_parser_of_the_page_conforms(page_names):
    REPEATABLE(page_names["test_parse"])()


def test_the_resolver_of_the_page_does_not_conform(page_names):
    with pytest.raises(AssertionError, match=r"resolve does not conform to RFC 3986, section 5\.2\n  base "):
        REPEATABLE(page_names["test_resolve"])()


def test_the_resolver_of_the_page_fails_as_the_page_says(section, page_names):
    assert '`urljoin("a:", "a")` is `"a"`, but should be `"a:a"`' in section
    with pytest.raises(AssertionError, match=r"  expected  'a:a'\n  actual    'a'"):
        page_names["test_resolve"].hypothesis.inner_test("a:", "a")


def test_the_page_shows_the_message_of_a_wrong_parser(section, page_names):
    page_names["parse"] = lambda text: {"path": urlsplit(text).path.lower()}
    with pytest.raises(AssertionError) as raised:
        REPEATABLE(page_names["test_parse"])()
    assert f"AssertionError: {raised.value}" in section
