"""The host tier: the texts, their number, and that they are the same every time."""

from __future__ import annotations

import hashlib

import pytest

from urlharness.generate.hosts import BEGINNINGS, FETCHED_SCHEMES, TOKENS, host_texts, planted_texts


@pytest.fixture(scope="module")
def texts():
    """All texts of the tier."""
    return list(host_texts())


def test_there_is_a_text_for_each_beginning_and_list_of_tokens_with_a_host(texts):
    with_a_host = {length: 17**length - 15**length for length in (1, 2, 3, 4)}  # two of 17 tokens are hosts
    up_to_two = with_a_host[1] + with_a_host[2]
    up_to_three = up_to_two + with_a_host[3]
    all_lists = 8 * up_to_three + 3 * with_a_host[4]  # eight beginnings, of which three are usual
    made_twice = (
        up_to_three  # `http:///` is `http://` with a slash
        + up_to_two  # `http:/` with a slash is `http://`
        + up_to_two  # `http:` with a slash is `http:/`
        + with_a_host[1]  # `http:` with two backslashes is another beginning
    )
    assert len(texts) == all_lists - made_twice


def test_each_text_comes_once(texts):
    assert len(set(texts)) == len(texts)


def test_the_texts_are_the_same_every_time(texts):
    """The digest is pinned. It changes with the tokens, the beginnings and their order."""
    digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()
    assert digest == "9321cfd01799403461e61ad348f0e78c992656a69524b9685f3aca5e1dc165e9"


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_each_text_names_a_host_after_its_beginning(texts, beginning):
    """It is made of the tokens alone."""
    rests = [text.removeprefix(beginning) for text in texts if text.startswith(beginning)]
    assert rests != []
    assert [rest for rest in rests if "a" not in rest and "b" not in rest] == []
    assert {*"".join(rests)} <= {*"".join(TOKENS)}


def test_a_text_has_one_of_the_beginnings(texts):
    assert len(texts) > 0
    assert [text for text in texts if not text.startswith(BEGINNINGS)] == []


def test_a_text_ends_with_a_slash(texts):
    assert len(texts) > 0
    assert [text for text in texts if not text.endswith("/")] == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("http://a\\@b/", id="backslash"),
        pytest.param("http://a@@b/", id="two-ats"),
        pytest.param("http://a#@b/", id="fragment"),  # RFC 3986, section 3.2: # ends the authority
        pytest.param("http://a:80/", id="port"),
        pytest.param("http:///a/", id="three-slashes"),
        pytest.param("//a%40b/", id="encoded-at"),
        pytest.param("http://a\t@b/", id="tab"),
        pytest.param("foo://a;@b/", id="unlisted-scheme"),
        pytest.param("http:\\\\a/", id="backslashes"),
    ],
)
def test_texts_have_what_two_parsers_may_see_differently(texts, text):
    assert text in texts


@pytest.mark.parametrize("beginning", ["http://", "//", "http:\\\\", "HTTP://", "foo://"])
def test_the_shortest_text_of_a_beginning_comes_first(texts, beginning):
    """The other beginnings are not here, because texts of `http://` begin like theirs."""
    first, *_ = [text for text in texts if text.startswith(beginning)]
    assert first == f"{beginning}a/"


@pytest.mark.parametrize(
    "names", [("a.b", "c.d"), ("é", "[::1]"), ("10.0.0.1", "x")], ids=["names", "odd", "address"]
)
def test_planted_texts_are_around_both_names(names):
    first, second = names
    planted = set(planted_texts(names))
    around_both = {
        f"http://{first}/",
        f"http://{second}\\@{first}/",
        f"http://{first}@{second}/",
        f"{first}://{second}/",
        f"{second}://{first}/",
    }
    assert around_both <= planted


@pytest.mark.parametrize("scheme", FETCHED_SCHEMES)
def test_a_hidden_name_stands_after_each_scheme_that_clients_fetch(scheme):
    """Some libraries map the host of http alone."""
    planted = set(planted_texts(("good.example", "evil.example")))
    assert f"{scheme}://evil\u3002example/" in planted


def test_planted_texts_are_not_mangled():
    """A triplet stands for a byte of UTF-8; only ASCII has full-width forms."""
    planted = set(planted_texts(("é", "b")))
    assert "http://%c3%a9/" in planted
