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
    queue = [("", automaton.start, fsm.initial)]
    seen = {queue[0][1:]}
    for word, state, matched in queue:
        if state in automaton.accepting and matched in fsm.finals:
            return word
        for char in (char for char in ORDER if char in automaton.classes):
            target_ = automaton.table[state][automaton.classes[char]]
            key = char if char in fsm.alphabet else anything_else
            after = fsm.map.get(matched, {}).get(fsm.alphabet[key])
            if target_ and after is not None and (target_, after) not in seen:
                seen.add((target_, after))
                queue.append((word + char, target_, after))
    return None


@pytest.mark.parametrize(
    ("name", "seed"), [*((name, 1) for name in PROPERTIES), ("userinfo", 100), ("userinfo", 145)]
)
def test_failures_shrink_to_the_least_text(name, seed):
    has = re.compile(PROPERTIES[name]).fullmatch
    least_text = find(references(), lambda text: has(text) is not None, settings=SHRINK, random=Random(seed))
    assert least_text == least("URI-reference", PROPERTIES[name])


def test_urls_shrink_to_a_scheme():
    assert find(urls(), lambda _: True, settings=SHRINK) == least("URI", ".*") == "a:"


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


@pytest.mark.parametrize(("make_strategy", "spec", "rule"), VALID)
def test_texts_are_valid(make_strategy, spec, rule):
    matches = SPECIFICATIONS[spec]

    @QUICK
    @given(make_strategy())
    def check(text):
        assert matches.problem(text, rule) is None

    check()


@pytest.mark.parametrize("kind", [invalid_urls, near_misses])
@pytest.mark.parametrize("spec", SPECS)
def test_labels_are_those_of_the_oracle(kind, spec):
    @QUICK
    @given(kind(spec))
    def check(broken):
        problem = SPECIFICATIONS[spec].problem(broken.text, SPECIFICATIONS[spec].absolute)
        assert problem is not None
        assert problem.position == broken.offset
        assert broken.label.startswith("end in ") == (broken.offset == len(broken.text))
        assert kind is invalid_urls or len(broken.text) <= broken.offset + 1

    check()


def test_texts_have_the_lengths_asked_for():
    @QUICK
    @given(urls(min_size=30, max_size=33), near_misses(max_size=9), url_pairs(max_size=7))
    def check(text, broken, pair):
        assert 30 <= len(text) <= 33
        assert len(broken.text) <= 9
        assert max(map(len, pair)) <= 7

    check()


def test_a_scheme_begins_every_text():
    @QUICK
    @given(urls(scheme="http"))
    def check(text):
        assert text.startswith("http:")

    check()


def test_strategies_work_with_examples_maps_and_targets():
    seen = []

    @example("http://a/")
    @QUICK
    @given(urls().map(str.upper))
    def check(text):
        target(len(text))
        seen.append(text)

    check()
    assert seen[0] == "http://a/"
    assert all(text == text.upper() for text in seen[1:])


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
WRONG = [
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


@pytest.mark.parametrize(("call", "message"), WRONG, ids=[message for _, message in WRONG])
def test_a_wrong_argument_is_an_error(call, message):
    with pytest.raises(InvalidArgument, match=re.escape(message)):
        call()


def test_without_hypothesis_the_error_says_what_to_install():
    code = "import sys; sys.modules['hypothesis'] = None; import urlharness.strategies"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    last = done.stderr.strip().splitlines()[-1]
    assert last.endswith("urlharness.strategies needs Hypothesis: pip install 'urlconform[hypothesis]'")


PAGE = Path(__file__).parents[2] / "docs" / "fuzzing.md"


def test_the_example_of_the_page_finds_what_the_page_says(tmp_path, monkeypatch):
    section = PAGE.read_text("utf-8").partition("## Property tests with Hypothesis")[2]
    monkeypatch.chdir(tmp_path)  # the database of Hypothesis
    names: dict[str, Any] = {}
    exec(section.partition("```python\n")[2].partition("```")[0], names)
    parses, resolves = (settings(deadline=None)(names[name]) for name in ("test_parse", "test_resolve"))
    parses()
    with pytest.raises(AssertionError, match=r"section 5.2\n  base      'a:'\n  reference 'a'\n"):
        resolves()
    names["parse"] = lambda text: {"path": urlsplit(text).path.lower()}
    with pytest.raises(AssertionError) as caught:
        parses()
    message = f"AssertionError: {caught.value}"
    assert message in section
