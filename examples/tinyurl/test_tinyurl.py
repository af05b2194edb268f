"""The library's own tests."""

import tinyurl


def test_join():
    assert tinyurl.join("http://a/b/c/d;p?q", "../g") == "http://a/b/g"
